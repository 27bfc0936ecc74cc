// CopyForwards: maps each element of the variable that an elided copy removes to an element of the variables that
// stay. It is part of ElideCopies and internal to lowering.
#pragma once
#include "graph/ir/GraphIr.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace popscope {

/// A place in a body. The programs of nested Sequences count as programs of the body.
struct ProgramPlace {
  std::uint32_t body = 0, item = 0;
};

/// The side of a copy that keeps its variable: readers of the destination read the source, or writers of the source
/// write the destination.
enum class Kept : std::uint8_t { Source, Destination };

/// Maps elements [begin, begin + count) of the removed variable to the elements of `source`, which stays, from
/// sourceBegin on.
struct ForwardPiece {
  std::uint64_t begin = 0, count = 0;
  GraphVarId source;
  std::uint64_t sourceBegin = 0;
};
struct Forward {
  const ProgramNode *copy = nullptr;
  ProgramPlace at;
  GraphVarId gone;
  std::vector<ForwardPiece> pieces; // ascending
  std::vector<GraphVarId> sources;  // the variables that stay; ascending
  bool refused = false;
};

/// Calls visit with the variable of each group of runs. All runs of a group belong to one variable.
template <class Visit> void eachVariable(const View &view, const Visit &visit) {
  for (std::size_t g = 0; g != view.runs.numGroups(); ++g)
    visit(view.runs.firstRun(g).var);
}

/// Finds the places of variables' elements in the homes of their tiles.
class HomePlaces {
public:
  explicit HomePlaces(const GraphIr &graph) : graph_(graph) {}
  /// Returns whether each home of `goes`, a whole variable, is one run of a home of its tile: on each tile, all
  /// elements have the same distance to their place in `goes`. Most copies fail at one of the first elements. Cost:
  /// linear in the pieces that both views and the mappings have in common.
  bool inPlace(const View &goes, const View &stays);

private:
  class Finder;
  /// Returns for each mapped range its first element in the home of its tile.
  const std::vector<std::uint64_t> &offsetsOf(GraphVarId var);

  const GraphIr &graph_;
  std::unordered_map<std::uint32_t, std::vector<std::uint64_t>> offsets_; // offsets by variable; lookup only
};

/// Returns the pieces of a copy of a whole variable; nothing for any other program.
[[nodiscard]] std::optional<Forward> forwardOf(const GraphIr &graph, const ProgramNode &p, Kept kept,
                                               HomePlaces &homes);

} // namespace popscope
