// VertexCycles: the cycles of each vertex of a compute set on the values that it is about to use. The first source that
// applies wins:
//
//   StepVertex::estimate       setPerfEstimate, else the estimator registered for the type
//   getCycleEstimate           of the vertex class, on the host object
//   the stand-in               executed instructions; a MultiVertex: workerContexts * its slowest worker
//   the last known cycles      of the vertex, else of a vertex of the same type and operand sizes: only if the budget
//                              of stand-in instructions is spent, or if a run reached the limit of one vertex
//
// With MachineOptions::countsCode, as on a device whose counters measure the code, the stand-in comes first, then the
// last known cycles, and only then the program's estimates. Without any source, cycles are unknown, with a reason.
// CycleSources holds the source of each. Units: thread cycles for worker classes, tile cycles for supervisor and multi
// classes.
//
// Invariant: the budget is spent in vertex order, although stand-ins run in parallel. They run in waves, and results
// are taken one by one, so that the budget ends at the same vertex for any number of threads.
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

/// The function that counts instructions: runStandIn, or a substitute in tests. It is called from several threads.
using StandInFunction = std::function<StandInResult(const VertexClass &, const std::vector<StandInOperand> &,
                                                    const LibraryCost &, unsigned worker, std::uint64_t limit)>;
/// Returns the stand-in with the instruction costs of `machine`.
StandInFunction runTheStandIn(const TileMachine &machine);

class VertexCycles {
public:
  /// Makes the object. All references must outlive it.
  VertexCycles(const StepProgram &program, const VertexObjects &objects, const CostModel &costs,
               const MachineOptions &options, StandInFunction standIn = nullptr);

  /// Resets the budget for a run.
  void startRun();
  /// Returns the cycles of the vertices of `execute`, in their order, valid until the next call. Call it before they
  /// run.
  std::span<const std::optional<Cycles>> of(const ExecuteStep &execute);
  /// Returns true if the cycles of these vertices can never change: all have an estimate that no other source precedes.
  [[nodiscard]] bool isStatic(const ExecuteStep &execute) const;
  [[nodiscard]] CycleSource source(VertexTypeId type) { return sources_.leastDirect(type); }
  [[nodiscard]] std::vector<CycleOrigin> origins() { return sources_.origins(); }
  /// Records that all cycles of these vertices are estimates and that no one calls of() for them.
  void noteStatic(const ExecuteStep &execute) { sources_.addStatic(execute); }

private:
  struct Counted {                  // result of one vertex in the stand-in, all workers
    std::uint64_t instructions = 0; // instructions that count against the budget
    std::optional<Cycles> cycles;
    std::uint64_t flops = 0;
    bool atLimit = false; // a worker reached its limit
    std::string problem;  // the reason why there are no cycles
  };
  struct Known { // the results of a counted vertex
    Cycles cycles;
    std::uint64_t flops = 0;
  };
  void set(std::uint32_t vertex, Cycles cycles, CycleSource source);
  void setCounted(std::uint32_t vertex, const Known &known, CycleSource source);
  void runStandIns();
  void runWave(std::size_t begin, std::size_t end);
  [[nodiscard]] Counted count(std::uint32_t vertex, std::uint64_t limit) const;
  void take(std::uint32_t vertex, const Counted &counted, std::uint64_t limit);
  void useLastKnown(std::uint32_t vertex, const std::string &reason);
  /// Uses the program's estimate if there is one, and records the reason.
  void leaveUncounted(std::uint32_t vertex, const std::string &reason);
  /// Uses the program's estimate if there is one. Returns whether there is.
  bool useEstimate(std::uint32_t vertex);
  /// Returns whether the stand-in precedes estimates.
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
  std::uint64_t left_ = 0; // instructions left of this run's budget
  bool spent_ = false;
  LibraryCost libraryCost_;
  StandInFunction standIn_;

  std::uint32_t first_ = 0; // first vertex of the current compute set
  const ExecuteStep *execute_ = nullptr;
  std::vector<std::optional<Cycles>> cycles_;
  std::vector<CycleSource> from_;      // of its vertices
  std::vector<std::uint64_t> flops_;   // of its vertices
  std::vector<std::uint32_t> pending_; // the vertices of the compute set that need the stand-in
  std::vector<Counted> wave_;

  CycleSources sources_;
  std::vector<Known> lastOfVertex_;    // kUnknown = never
  std::vector<std::uint32_t> sizesOf_; // for each vertex, its class of equal type and operand sizes
  std::vector<Known> lastOfSizes_;
};

} // namespace popscope
