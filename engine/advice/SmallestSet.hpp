// Shows, without a compilation, that a set of changes cannot make a program fit. The proof uses the variables that the
// set does not move.
//
// While a compute set runs, the tile holds the data that the compute set accesses there, and the data that is needed
// after it:
//
//   tile 0, 639 kB:  |input 120|Layer1/out 120|...|Layer6/out 120|   840 kB of variables while Layer6/Bwd runs
//
// Each change removes at most the variable that it moves or undefines. If the rest exceeds the memory, no layout fits.
// No conclusion is drawn if a change could alter what is live then: an option (except for stacks), a move of vertices
// of the compute set itself, or any change if renaming copies are elided (popscope.elideCopies), because homes are
// shared then.
#pragma once
#include "engine/advice/Variant.hpp"
#include "graph/ir/GraphIr.hpp"

#include <functional>
#include <map>

namespace popscope {

/// Returns the user's compute set of a step's compute set, or no valid id.
[[nodiscard]] ComputeSetId usersComputeSet(const GraphIr &graph, const StepProgram &program, ComputeSetId set);

class TooFew {
public:
  /// Finds the fullest compute set on each tile that does not fit. `graph` is the graph that was lowered to
  /// `unchanged`. Both must outlive this object.
  TooFew(const GraphIr &graph, const Variant &unchanged);
  /// Returns true if the changes cannot make the program fit, and false if they may.
  [[nodiscard]] bool excludes(const AdviceChanges &changes) const;

private:
  /// A tile while a compute set runs.
  struct Full {
    ComputeSetId atWork;
    Bytes bytes; // of variables
    std::map<GraphVarId, Bytes> byVariable;
  };
  [[nodiscard]] Full fullest(TileId tile) const;
  [[nodiscard]] GraphVarId variableOf(const AdviceChange &change) const;

  const GraphIr &graph_;
  const Variant &v_;
  std::vector<Full> full_; // empty: no conclusion is possible
};

/// Visits the sets of fewer than `size` of the changes, the smallest first, each once and none with two changes of one
/// thing. `visit` returns false to stop. Visits at most kMaxSets sets; returns false if there are more.
constexpr std::uint64_t kMaxSets = 1000000;
[[nodiscard]] bool forEachSmaller(const AdviceChanges &changes, std::size_t size,
                                  const std::function<bool(const AdviceChanges &)> &visit);

} // namespace popscope
