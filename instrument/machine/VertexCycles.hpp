// VertexCycles: how many cycles each vertex of a compute set takes on the values that it is about to use. In this
// order:
//
//   StepVertex::estimate       setPerfEstimate, else the estimator registered for the type
//   getCycleEstimate           of the vertex class, on the host object
//   the stand-in               instructions really executed; a MultiVertex: workerContexts * its slowest worker
//   the last known cycles      of the vertex, else of a vertex of the same type and operand sizes: only once the budget
//                              of stand-in instructions is spent, or when a run reached the limit of one vertex
//
// With MachineOptions::countsCode, as on a device whose counters measure the code, the stand-in comes first; then the
// last known cycles, and only then what the program estimates.
//
// Otherwise unknown, with a reason. Which of these it was stands in CycleSources. Thread cycles for worker classes,
// tile cycles for supervisor and multi classes.
//
// The budget is spent in vertex order, whatever runs in parallel: stand-ins run a wave at a time and results are taken
// one by one, so that the vertex at which the budget ends is the same for 1 and N threads.
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

/// What counts instructions: runStandIn, or a substitute in tests. Called from several threads.
using StandInFunction = std::function<StandInResult(const VertexClass &, const std::vector<StandInOperand> &,
                                                    const LibraryCost &, unsigned worker, std::uint64_t limit)>;
/// Instructions take what `machine` says.
StandInFunction runTheStandIn(const TileMachine &machine);

class VertexCycles {
public:
  /// All references must outlive this.
  VertexCycles(const StepProgram &program, const VertexObjects &objects, const CostModel &costs,
               const MachineOptions &options, StandInFunction standIn = nullptr);

  /// Gives the budget of a run.
  void startRun();
  /// Cycles of the vertices of `execute`, in their order, valid until the next call. Call before they run.
  std::span<const std::optional<Cycles>> of(const ExecuteStep &execute);
  /// True when the cycles of these vertices can never change: all have an estimate that nothing goes before.
  [[nodiscard]] bool isStatic(const ExecuteStep &execute) const;
  [[nodiscard]] CycleSource source(VertexTypeId type) { return sources_.leastDirect(type); }
  [[nodiscard]] std::vector<CycleOrigin> origins() { return sources_.origins(); }
  /// All cycles of these vertices are estimates and nobody asks of() for them.
  void noteStatic(const ExecuteStep &execute) { sources_.addStatic(execute); }

private:
  struct Counted {                  // one vertex through the stand-in, all workers
    std::uint64_t instructions = 0; // to be charged
    std::optional<Cycles> cycles;
    std::uint64_t flops = 0;
    bool atLimit = false; // a worker ran until the limit it was given
    std::string problem;  // why there are no cycles
  };
  struct Known { // of a vertex that was counted
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
  /// Takes the program's estimate where there is one.
  void leaveUncounted(std::uint32_t vertex, const std::string &reason);
  /// Sets what the program estimates, if it does.
  bool useEstimate(std::uint32_t vertex);
  /// The stand-in goes before estimates.
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
  std::uint64_t left_ = 0; // instructions of this run's budget
  bool spent_ = false;
  LibraryCost libraryCost_;
  StandInFunction standIn_;

  std::uint32_t first_ = 0; // of the execute being looked at
  const ExecuteStep *execute_ = nullptr;
  std::vector<std::optional<Cycles>> cycles_;
  std::vector<CycleSource> from_;      // of its vertices
  std::vector<std::uint64_t> flops_;   // of its vertices
  std::vector<std::uint32_t> pending_; // its vertices that need the stand-in
  std::vector<Counted> wave_;

  CycleSources sources_;
  std::vector<Known> lastOfVertex_;    // kUnknown = never
  std::vector<std::uint32_t> sizesOf_; // by vertex: which class of equal type and operand sizes
  std::vector<Known> lastOfSizes_;
};

} // namespace popscope
