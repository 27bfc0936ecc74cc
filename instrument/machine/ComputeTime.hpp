// ComputeTime: the cycles that an OnTileExecute takes on each tile, computed from the cycles of its vertices. Worker
// slots share the tile in round-robin: each slot issues one instruction (one thread cycle) in workerContexts cycles of
// the tile. So six workers with n instructions each take as long as one worker with n instructions.
//
//   slots (6 of them)   0: 105 105 ... 105  7 vertices of 105 on each of 6 slots: 6 * 7 * 105 = 4410 tile cycles
//                       1: 105 105 ... 105  a supervisor vertex occupies the whole tile: its cycles are added
//
// If the cycles of all vertices of a compute set are estimates (VertexCycles::isStatic), the times never change:
// ComputeTime computes these times at the first execution and keeps them. If the cycles of some vertex are not an
// estimate, ComputeTime computes the times at each execution.
#pragma once
#include "base/Parallel.hpp"
#include "graph/steps/StepProgram.hpp"
#include "instrument/machine/Clocks.hpp"
#include "instrument/machine/ComputeGroups.hpp"
#include "instrument/machine/CounterTimes.hpp"
#include "instrument/machine/Machine.hpp"
#include "instrument/machine/TypeSums.hpp"
#include "instrument/machine/VertexCycles.hpp"
#include "instrument/machine/WorkerSlots.hpp"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace popscope {

class ComputeTime {
public:
  /// Keeps all references, which must outlive the object.
  ComputeTime(const StepProgram &program, const VertexObjects &objects, const ComputeGroups &groups,
              VertexCycles &cycles, std::uint32_t workerContexts, Threads threads = {}, bool keepsVertexCycles = false);

  /// Takes over the vertex times of `earlier`, an object of the same program with the same value of keepsVertexCycles.
  void takeRecords(ComputeTime &&earlier);
  /// Advances the clocks by the step and emits the step's event. Call pass() before the vertices run, because the
  /// cycles of a vertex depend on the values of its operands before the run.
  void pass(StepIndex step, Clocks &clocks, const CounterTimes &counters);
  /// Advances the clocks by the time of the last timed execution, without computing values. If no execution of the step
  /// was timed, computes a time with VertexCycles; in this case, throws poplar::poplar_error if a vertex has neither an
  /// estimate nor getCycleEstimate.
  void replay(StepIndex step, Clocks &clocks, const CounterTimes &counters);
  /// Returns the result of Machine::vertexTimes.
  [[nodiscard]] std::vector<VertexTime> vertexTimes() const;

private:
  struct Timing {
    enum class Kind : std::uint8_t { New, Kept, Changing } kind = Kind::New;
    bool measured = false;
    std::vector<Cycles> busy;                // tile cycles per group
    std::shared_ptr<const SlotCycles> slots; // cycles of the worker slots, per group; each measurement creates a new
                                             // object
    std::optional<Cycles> threadCycles;
    std::vector<StepEvent::TypeCycles> types; // sorted by type
  };
  void measure(std::uint32_t execute, Timing &timing);
  void emit(StepIndex step, const Timing &timing, Clocks &clocks, const CounterTimes &counters) const;
  /// Returns the first vertex with neither an estimate nor getCycleEstimate, or null if there is no such vertex.
  [[nodiscard]] const StepVertex *needsValues(const ExecuteStep &step) const;
  /// Computes `timing` from the cycles of the vertices. `cyclesOf(vertex)` returns the cycles of an element of
  /// StepProgram::vertices, if they are known.
  template <class CyclesOf> void sum(std::uint32_t execute, const CyclesOf &cyclesOf, Timing &timing);
  template <class CyclesOf>
  [[nodiscard]] Cycles tileCycles(const TileGroup &group, const CyclesOf &cyclesOf, WorkerSlots &slots,
                                  Cycles &supervisor, TypeSums &types) const;

  const StepProgram &program_;
  const VertexObjects &objects_;
  const ComputeGroups &groups_;
  VertexCycles &cycles_;
  std::uint32_t workerContexts_;
  Threads threads_;
  IdVector<VertexTypeId, std::uint8_t> onWorkers_; // per vertex type: whether its vertices are assigned to worker slots
  std::vector<Timing> timings_;                    // per execute
  std::vector<bool> timed_;                        // per execute: whether its cycles were computed
  std::vector<std::optional<Cycles>> last_;        // per vertex: cycles of its last timed execution, if known; the
                                                   // list is empty if cycles are not kept
};

} // namespace popscope
