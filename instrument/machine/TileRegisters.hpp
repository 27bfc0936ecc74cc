// TileRegisters: the registers of all tiles while programs run. The registers are the random seeds, the floating-point
// control register and the cycle counter. The cycle counter does not restart with a run. The machine uses only the
// exception bits of the floating-point control register (ComputeRunner). Programs can read and write the seeds and the
// other bits, but these values have no effect on vertices.
#pragma once
#include "graph/steps/StepProgram.hpp"
#include "instrument/machine/DeviceState.hpp"
#include "instrument/machine/Events.hpp"

#include <span>
#include <vector>

namespace popscope {

class TileRegisters {
public:
  /// Sets the initial values of the registers. `seed` selects the sequence of random seeds; each combination of
  /// replica, tile, worker and word of a seed has a separate place in this sequence. `fpControl` is the initial value
  /// of the floating-point control register of every tile. `program` must outlive this object.
  TileRegisters(const StepProgram &program, std::uint32_t workers, std::uint32_t replica = 0,
                std::uint32_t fpControl = 0, std::uint64_t seed = 0);

  /// Returns whether any step reads the cycle counter. If a step reads the cycle counter, time must pass in every run.
  [[nodiscard]] bool readsCycles() const { return readsCycles_; }
  [[nodiscard]] std::uint32_t fpControl(TileId tile) const {
    return fpControl_.empty() ? fpControlAtFirst_ : fpControl_[tile.index()];
  }
  /// Executes one step that reads or changes registers. `now` contains the clock of each tile, in cycles since the
  /// start of this run.
  void run(const TileRegisterStep &step, const DeviceState &state, std::span<const Cycles> now);
  /// Ends a run. The cycle counters continue from the clock of the tile that ended last.
  void endRun(std::span<const Cycles> now);

private:
  void readCycles(const TileRegisterStep &step, const DeviceState &state, std::span<const Cycles> now) const;
  void move(const TileRegisterStep &step, const DeviceState &state);
  void change(const TileRegisterStep &step);
  [[nodiscard]] std::uint32_t *words(TileRegister reg, TileId tile);

  const StepProgram &program_;
  std::uint32_t workers_, fpControlAtFirst_;
  bool readsCycles_ = false;
  Cycles earlier_;                               // cycles of the previous runs
  std::vector<std::uint32_t> seeds_, fpControl_; // per tile; empty = no step uses these registers
};

/// A sink that ignores all events. A run without a listener needs this sink if the program reads the cycle counter,
/// because time passes only with a sink.
class NoListener final : public EventSink {
public:
  void beginRun(std::uint32_t, const std::string &) override {}
  void step(const StepEvent &) override {}
  void endRun(std::span<const Cycles>) override {}
};

} // namespace popscope
