// CopyForwards: for an elided copy, maps each element of the removed variable to an element of the variables that stay.
// This header is part of ElideCopies and internal to lowering.
#pragma once
#include "graph/ir/GraphIr.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace popscope {

/// The place of a program. A body is a program of the engine, the body of a function, or a child of a control program,
/// such as an arm of an If. `body` is the number of the body that contains the program, and `item` is the position of
/// the program in this body. If a body contains a Sequence, each program of the Sequence counts as an item of the body,
/// but the Sequence itself does not.
struct ProgramPlace {
  std::uint32_t body = 0, item = 0;
};

/// The side of an elided copy whose variable stays. Source: programs that read the destination read the source instead.
/// Destination: programs that write or read the source use the destination instead.
enum class Kept : std::uint8_t { Source, Destination };

/// A mapping from elements [begin, begin + count) of the removed variable to elements [sourceBegin, sourceBegin +
/// count) of `source`, a variable that stays.
struct ForwardPiece {
  std::uint64_t begin = 0, count = 0;
  GraphVarId source;
  std::uint64_t sourceBegin = 0;
};
struct Forward {
  const ProgramNode *copy = nullptr;
  ProgramPlace at;
  GraphVarId gone;
  std::vector<ForwardPiece> pieces; // in ascending order of `begin`
  std::vector<GraphVarId> sources;  // the variables that stay, in ascending order of ids
  bool refused = false;
};

/// Calls visit with the variable of each group of runs. All runs of a group belong to one variable.
template <class Visit> void eachVariable(const View &view, const Visit &visit) {
  for (std::size_t g = 0; g != view.runs.numGroups(); ++g)
    visit(view.runs.firstRun(g).var);
}

/// A map from each element of a variable to the element's place in the home on the element's tile.
class HomePlaces {
public:
  explicit HomePlaces(const GraphIr &graph) : graph_(graph) {}
  /// Returns whether `stays` can replace `goes`, a view of a whole variable, without any move. The counterpart of an
  /// element of `goes` is the element at the same position of `stays`. Each element must lie on the tile of its
  /// counterpart, and all counterparts on a tile must be in one home. On each tile, the distance from an element's
  /// place to the place of its counterpart must be equal for all elements. This distance must be a multiple of 8 bytes,
  /// and not negative. Each home of `goes` then corresponds to one run of a home of `stays`. The boundaries of both
  /// views and of the mappings divide the elements into pieces. Cost: linear in the number of these pieces if both
  /// views visit their mapped ranges in order. Otherwise, each piece can also cost a binary search. For most copies,
  /// the function returns false at one of the first elements.
  bool inPlace(const View &goes, const View &stays);

private:
  class Finder;
  /// Returns, for each mapped range of the variable, the offset of the range's first element in the home on the range's
  /// tile. Offsets are numbers of elements.
  const std::vector<std::uint64_t> &offsetsOf(GraphVarId var);

  const GraphIr &graph_;
  std::unordered_map<std::uint32_t, std::vector<std::uint64_t>> offsets_; // offsets by variable; lookup only
};

/// The side `kept` of the copy `p` stays, and the variable on the other side is removed. Returns the pieces that map
/// the removed variable to the variables that stay. The copy must cover the whole removed variable and need no move
/// (HomePlaces::inPlace). Returns no value for any other program. Also returns no value if a variable is a constant,
/// belongs to a split (ReplicaSplit) or has replicas, or has initial values that the replacement would lose.
[[nodiscard]] std::optional<Forward> forwardOf(const GraphIr &graph, const ProgramNode &p, Kept kept,
                                               HomePlaces &homes);

} // namespace popscope
