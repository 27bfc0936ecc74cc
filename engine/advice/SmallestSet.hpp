// Proves, without a compilation, that a set of changes cannot make a program fit. The proof uses the variables that the
// changes leave in place.
//
// While a compute set runs, a tile contains the data that the compute set accesses on the tile, and the data that later
// steps need:
//
//   tile 0, 639 kB:  |input 120|Layer1/out 120|...|Layer6/out 120|   840 kB of variables while Layer6/Bwd runs
//
// A change removes at most the variable that this change moves or undefines. If the remaining variables exceed the
// memory, no layout fits. The proof does not apply to a compute set if a change could alter the variables that are live
// during this compute set. Two kinds of changes could alter these variables: changes of options other than
// target.workerStackSizeInBytes, and moves of this compute set's vertices. The proof does not apply to any compute set
// in two cases: if the graph has replicated parts, or if variables share homes because renaming copies are elided
// (popscope.elideCopies).
#pragma once
#include "engine/advice/AdviceChange.hpp"
#include "engine/advice/Variant.hpp"
#include "graph/ir/GraphIr.hpp"

#include <functional>
#include <map>

namespace popscope {

/// Returns the user's compute set from which lowering made `set`, a compute set of `program`. Returns an invalid id if
/// `set` does not come from a compute set of the user.
[[nodiscard]] ComputeSetId usersComputeSet(const GraphIr &graph, const StepProgram &program, ComputeSetId set);

class TooFew {
public:
  /// Examines at most 16 tiles that do not fit, the fullest first. For each of these tiles, finds the user's compute
  /// set during which the user's variables need the most memory on the tile. `unchanged` is the lowered form of
  /// `graph`. `graph` and `unchanged` must outlive this object.
  TooFew(const GraphIr &graph, const Variant &unchanged);
  /// Returns true if the proof shows that the changes cannot make the program fit, and false otherwise.
  [[nodiscard]] bool excludes(const AdviceChanges &changes) const;

private:
  /// The variables on a tile while a compute set runs.
  struct Full {
    ComputeSetId atWork; // compute set that runs
    Bytes bytes;         // sum of the variables' bytes on the tile
    std::map<GraphVarId, Bytes> byVariable;
  };
  [[nodiscard]] Full fullest(TileId tile) const;
  [[nodiscard]] GraphVarId variableOf(const AdviceChange &change) const;

  const GraphIr &graph_;
  const Variant &v_;
  std::vector<Full> full_; // if empty, excludes() always returns false
};

constexpr std::uint64_t kMaxSets = 1000000;
/// Visits each nonempty subset of `changes` with fewer than `size` changes once, the smallest subsets first. Leaves out
/// subsets with two moves of the same object, or two values of the same option. `visit` returns false to stop. Visits
/// at most kMaxSets subsets. Returns false if there were more subsets to visit, and true otherwise. Also returns true
/// if `visit` returned false.
[[nodiscard]] bool forEachSmaller(const AdviceChanges &changes, std::size_t size,
                                  const std::function<bool(const AdviceChanges &)> &visit);

} // namespace popscope
