// ComputeTime: the cycles that an OnTileExecute costs each tile, from the cycles of its vertices. Workers share the
// tile in round-robin: one slot issues once in workerContexts cycles, so a tile with one busy worker takes as long as
// with six.
//
//   slots (6 of them)   0: 105 105 105      7 vertices of 105 on each of 6 slots: 6 * 7 * 105 = 4410 tile cycles
//                       1: 105 105 105      supervisor vertices own the tile: their cycles are added
//
// If all vertices of a compute set have an estimate, its times never change: they are computed at its first execution
// and kept. Other times are computed at each execution.
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
  /// Makes the object. All arguments must outlive it.
  ComputeTime(const StepProgram &program, const VertexObjects &objects, const ComputeGroups &groups,
              VertexCycles &cycles, std::uint32_t workerContexts, Threads threads = {}, bool keepsVertexCycles = false);

  /// Advances the clocks by the step and emits its event. Call it before the vertices run: their cycles depend on the
  /// values that they are about to use.
  void pass(StepIndex step, Clocks &clocks, const CounterTimes &counters);
  /// Advances the clocks by the time of the step's last execution, without values. Throws poplar::poplar_error if this
  /// time is unknown.
  void replay(StepIndex step, Clocks &clocks, const CounterTimes &counters);
  /// Returns the result of Machine::vertexTimes.
  [[nodiscard]] std::vector<VertexTime> vertexTimes() const;

private:
  struct Timing {
    enum class Kind : std::uint8_t { New, Kept, Changing } kind = Kind::New;
    bool measured = false;
    std::vector<Cycles> busy;                // tile cycles per group
    std::shared_ptr<const SlotCycles> slots; // per group; another object for each measurement
    std::optional<Cycles> threadCycles;
    std::vector<StepEvent::TypeCycles> types; // ascending type
  };
  void measure(std::uint32_t execute, Timing &timing);
  void emit(StepIndex step, const Timing &timing, Clocks &clocks, const CounterTimes &counters) const;
  /// Returns a vertex whose cycles follow from its values only, or null.
  [[nodiscard]] const StepVertex *needsValues(const ExecuteStep &step) const;
  /// Computes the timing. `cyclesOf(vertex)` returns the cycles of a StepProgram::vertices entry, if known.
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
  IdVector<VertexTypeId, std::uint8_t> onWorkers_; // per vertex type: dealt to worker slots
  std::vector<Timing> timings_;                    // per execute
  std::vector<std::optional<Cycles>> last_;        // per vertex; empty = not kept
};

} // namespace popscope
