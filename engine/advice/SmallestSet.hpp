// Why a set of changes cannot make a program fit, without compiling it: the variables that it leaves where they are.
//
// While a compute set of the program runs, what it reads or writes on a tile, and what is needed after it, lies there:
//
//   tile 0, 639 kB:  |input 120|Layer1/out 120|...|Layer6/out 120|   840 kB of variables while Layer6/Bwd runs
//
// Each change takes away at most the variable that it moves or undefines. Where what is left is more than the memory,
// no layout fits. Nothing is said where a change could alter what is live then: an option (but for stacks), vertices of
// the compute set itself, and any program whose renaming copies go (popscope.elideCopies), as homes are shared there.
#pragma once
#include "engine/advice/Variant.hpp"
#include "graph/ir/GraphIr.hpp"

#include <functional>
#include <map>

namespace popscope {

/// The user's compute set, or no valid id: what a step's compute set is in the graph.
[[nodiscard]] ComputeSetId usersComputeSet(const GraphIr &graph, const StepProgram &program, ComputeSetId set);

class TooFew {
public:
  /// `graph` is what was lowered to `unchanged`. Both must outlive this.
  TooFew(const GraphIr &graph, const Variant &unchanged);
  /// The changes cannot make it fit. False: they may.
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
  std::vector<Full> full_; // empty: nothing can be said
};

/// Sets of fewer than `size` of the changes, the smallest first, none twice and none with two changes of one thing;
/// `visit` returns false to stop. At most kMostSets are visited: false = not all were.
constexpr std::uint64_t kMostSets = 1000000;
[[nodiscard]] bool forEachSmaller(const AdviceChanges &changes, std::size_t size,
                                  const std::function<bool(const AdviceChanges &)> &visit);

} // namespace popscope
