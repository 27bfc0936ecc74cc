// VertexCycles: the cycles of each vertex of a compute set, for the values that the vertex's operands have before the
// vertex runs. VertexCycles uses the first source that applies:
//
//   StepVertex::estimate       setPerfEstimate, or else the estimator registered for the type
//   getCycleEstimate           member function of the vertex class, called on the host object
//   the stand-in               issue slots of the executed instructions, plus the waits of a supervisor; for a
//                              MultiVertex, workerContexts * issue slots of the slowest worker
//   the last known cycles      of the vertex, or else of a vertex of the same type and operand sizes; used only if the
//                              budget of stand-in instructions is used up, or the stand-in reached its limit for a
//                              vertex
//
// Some vertices have an estimate of cycles but no estimate of floating-point operations. Without
// MachineOptions::countsCode, countFlops() counts the operations of these vertices in the first execution of their
// compute set. countFlops() has its own budget of stand-in instructions.
//
// With MachineOptions::countsCode (on an IPU, whose counters measure the code), the order is: the stand-in, the last
// known cycles, and then the program's estimates. If no source applies, the cycles are unknown, and CycleSources
// records the reason. CycleSources records the source of each vertex's cycles. The cycles of a worker vertex are thread
// cycles (issue slots of one worker). The cycles of a supervisor vertex or a MultiVertex are cycles of the tile.
//
// Invariant: the budget is used up in the order of the vertices, although stand-ins run in parallel. Stand-ins run in
// waves, and each wave's results are processed in the order of the vertices. So the budget is used up at the same
// vertex for any number of threads.
#pragma once
#include "graph/codelets/StandIn.hpp"
#include "graph/steps/StepProgram.hpp"
#include "instrument/machine/CycleSources.hpp"
#include "instrument/machine/Machine.hpp"
#include "instrument/machine/VertexObjects.hpp"
#include "target-models/costs/CostModel.hpp"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace popscope {

/// The function that counts instructions: runStandIn, or a substitute in tests. Several threads call this function at
/// the same time.
using StandInFunction = std::function<StandInResult(const VertexClass &, const std::vector<StandInOperand> &,
                                                    const LibraryCost &, unsigned worker, std::uint64_t limit)>;
/// Returns the function that runs the stand-in with the instruction costs of `machine`.
StandInFunction runTheStandIn(const TileMachine &machine);

class VertexCycles {
public:
  /// Keeps references to `program`, `objects` and `costs`, which must outlive the object.
  VertexCycles(const StepProgram &program, const VertexObjects &objects, const CostModel &costs,
               const MachineOptions &options, StandInFunction standIn = nullptr);

  /// Takes over the sources of cycles, the counted operations and the remaining budget of countFlops() from `earlier`,
  /// an object of the same program. The last known cycles of vertices do not carry over.
  void takeRecords(VertexCycles &&earlier);
  /// Restores the full budget of stand-in instructions (MachineOptions::standInBudget) at the start of a run.
  void startRun();
  /// Returns the cycles of the vertices of `execute`, in the order of the vertices. The result is valid until the next
  /// call of of(). Call of() before the vertices run.
  std::span<const std::optional<Cycles>> of(const ExecuteStep &execute);
  /// Returns true if the cycles of the vertices of `execute` never change: every vertex has an estimate
  /// (StepVertex::estimate), and the stand-in does not precede the estimate.
  [[nodiscard]] bool isStatic(const ExecuteStep &execute) const;
  [[nodiscard]] CycleSource source(VertexTypeId type) { return sources_.leastDirect(type); }
  [[nodiscard]] std::vector<CycleOrigin> origins() { return sources_.origins(); }
  /// Counts the floating-point operations of the vertices of `execute` that have an estimate of cycles but no estimate
  /// of operations. Counts only in the first call for a compute set. countFlops() has its own budget of stand-in
  /// instructions, and counts nothing after this budget is used up. Does nothing with MachineOptions::countsCode. Call
  /// countFlops() before the vertices run.
  void countFlops(const ExecuteStep &execute);
  /// Records that all cycles of the vertices of `execute` are estimates. If isStatic() returns true, call noteStatic()
  /// in place of of().
  void noteStatic(const ExecuteStep &execute) { sources_.addStatic(execute); }

private:
  struct Counted {                  // result of running all workers of one vertex in the stand-in
    std::uint64_t instructions = 0; // number of instructions that count against the budget
    std::optional<Cycles> cycles;
    std::uint64_t flops = 0;
    bool atLimit = false; // true: a worker reached its limit of instructions
    std::string problem;  // why the cycles are unknown; "" = the cycles are known
  };
  struct Known { // results of a counted vertex
    Cycles cycles;
    std::uint64_t flops = 0;
  };
  void set(std::uint32_t vertex, Cycles cycles, CycleSource source);
  void setCounted(std::uint32_t vertex, const Known &known, CycleSource source);
  void runStandIns();
  void runWave(std::size_t begin, std::size_t end);
  [[nodiscard]] Counted count(std::uint32_t vertex, std::uint64_t limit) const;
  /// Counts the vertices in parallel. Stores the results in wave_, in the same order.
  void countWave(std::span<const std::uint32_t> vertices, std::uint64_t limit);
  void take(std::uint32_t vertex, const Counted &counted, std::uint64_t limit);
  void useLastKnown(std::uint32_t vertex, const std::string &reason);
  /// Uses the program's estimate for the vertex if there is one. Records the reason why the vertex's instructions were
  /// not counted.
  void leaveUncounted(std::uint32_t vertex, const std::string &reason);
  /// Returns the source of the program's estimate for the vertex, or None if there is no estimate.
  [[nodiscard]] CycleSource estimateSource(std::uint32_t vertex) const;
  /// Uses the program's estimate for the vertex if there is one. Returns whether an estimate exists.
  bool useEstimate(std::uint32_t vertex);
  /// Returns whether the stand-in precedes the program's estimates for the vertex.
  [[nodiscard]] bool isCounted(std::uint32_t vertex) const {
    return countsCode_ && objects_.classOf(vertex).standIn != nullptr;
  }
  [[nodiscard]] std::string budgetSpent() const;
  void prepareMemory();
  [[nodiscard]] std::vector<std::uint64_t> operandSizes(std::uint32_t vertex) const;

  const StepProgram &program_;
  const VertexObjects &objects_;
  const CostModel &costs_;
  Threads threads_;
  bool countsCode_;
  std::uint64_t vertexLimit_, runBudget_;
  std::uint64_t left_ = 0;                       // number of instructions left in the budget of this run
  bool spent_ = false;                           // true: the budget of this run is used up
  std::uint64_t flopBudget_;                     // number of instructions left for countFlops()
  IdVector<ComputeSetId, std::uint8_t> flopsOf_; // per compute set: whether countFlops() was called
  LibraryCost libraryCost_;
  StandInFunction standIn_;

  std::uint32_t first_ = 0; // index of the first vertex of the current compute set
  const ExecuteStep *execute_ = nullptr;
  std::vector<std::optional<Cycles>> cycles_;
  std::vector<CycleSource> from_;      // per vertex of the current compute set
  std::vector<std::uint64_t> flops_;   // per vertex of the current compute set
  std::vector<std::uint32_t> pending_; // vertices of the current compute set that need the stand-in
  std::vector<Counted> wave_;

  CycleSources sources_;
  std::vector<Known> lastOfVertex_;    // per vertex: results of its last counted execution; kUnknown = none
  std::vector<std::uint32_t> sizesOf_; // per vertex: the number of its size class; vertices with the same type and
                                       // operand sizes form a size class
  std::vector<Known> lastOfSizes_;     // per size class: results of its last counted vertex
};

} // namespace popscope
