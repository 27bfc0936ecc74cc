// ComputeTime: what an OnTileExecute costs each tile, from the cycles of its vertices. Workers share the tile in
// round-robin: one slot issues once in workerContexts cycles, so a tile with one busy worker takes as long as with six.
//
//   slots (6 of them)   0: 105 105 105      7 vertices of 105 on each of 6 slots: 6 * 7 * 105 = 4410 tile cycles
//                       1: 105 105 105      supervisor vertices own the tile: their cycles are added
#pragma once
#include "graph/steps/StepProgram.hpp"
#include "instrument/machine/Clocks.hpp"
#include "instrument/machine/ComputeGroups.hpp"
#include "instrument/machine/CounterTimes.hpp"
#include "instrument/machine/VertexCycles.hpp"

#include <optional>
#include <span>
#include <vector>

namespace popscope {

class ComputeTime {
public:
  /// All must outlive this.
  ComputeTime(const StepProgram &program, const VertexObjects &objects, const ComputeGroups &groups, VertexCycles &cycles,
              std::uint32_t workerContexts);

  /// Advances the clocks by the step and emits its event. Call before the vertices run: cycles depend on the values that
  /// they are about to use.
  void pass(StepIndex step, Clocks &clocks, const CounterTimes &counters);

private:
  struct Timing {
    bool known = false;                         // computed, and the same at every execution
    std::shared_ptr<const SlotCycles> slots;    // by group
    std::vector<std::uint64_t> busy;            // by group, tile cycles
    std::optional<std::uint64_t> threadCycles;
    std::vector<StepEvent::TypeCycles> types;   // ascending type
  };
  void measure(std::uint32_t execute, Timing &timing);
  /// Fills the group's slots and supervisor cycles; returns its tile cycles.
  [[nodiscard]] std::uint64_t tileCycles(const TileGroup &group, std::span<const std::optional<std::uint64_t>> cycles,
                                         std::uint32_t firstVertex, std::span<std::uint64_t> slots,
                                         std::uint64_t &supervisor) const;
  void sumTypes(std::uint32_t execute, std::span<const std::optional<std::uint64_t>> cycles, Timing &timing);

  const StepProgram &program_;
  const VertexObjects &objects_;
  const ComputeGroups &groups_;
  VertexCycles &cycles_;
  std::uint32_t workerContexts_;
  std::vector<Timing> timings_; // by execute
};

} // namespace popscope
