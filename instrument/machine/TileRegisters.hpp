// TileRegisters: the registers of all tiles while programs run: random seeds, floating-point control and the cycle
// counter, which counts on from run to run. Of these the machine acts on the exception bits of floating-point control
// (ComputeRunner); seeds and the other bits are what programs wrote, and nothing else.
#pragma once
#include "graph/steps/StepProgram.hpp"
#include "instrument/machine/DeviceState.hpp"
#include "instrument/machine/Events.hpp"

#include <span>
#include <vector>

namespace popscope {

class TileRegisters {
public:
  /// Seeds begin with a sequence, chosen by `seed`, that differs for every replica, tile, worker and word;
  /// floating-point control with `fpControl`. `program` must outlive this.
  TileRegisters(const StepProgram &program, std::uint32_t workers, std::uint32_t replica = 0,
                std::uint32_t fpControl = 0, std::uint64_t seed = 0);

  /// Some step reads the cycle counter: time must pass in every run.
  [[nodiscard]] bool readsCycles() const { return readsCycles_; }
  [[nodiscard]] std::uint32_t fpControl(TileId tile) const {
    return fpControl_.empty() ? fpControlAtFirst_ : fpControl_[tile.index()];
  }
  /// `now`: since the start of this run, one entry a tile.
  void run(const TileRegisterStep &step, const DeviceState &state, std::span<const Cycles> now);
  /// The counters go on from the tile that was last.
  void endRun(std::span<const Cycles> now);

private:
  void readCycles(const TileRegisterStep &step, const DeviceState &state, std::span<const Cycles> now) const;
  void move(const TileRegisterStep &step, const DeviceState &state);
  void change(const TileRegisterStep &step);
  [[nodiscard]] std::uint32_t *words(TileRegister reg, TileId tile);

  const StepProgram &program_;
  std::uint32_t workers_, fpControlAtFirst_;
  bool readsCycles_ = false;
  Cycles earlier_;                               // of the runs before
  std::vector<std::uint32_t> seeds_, fpControl_; // by tile; empty when no step asks
};

/// For runs in which time passes and nobody is told.
class NoListener final : public EventSink {
public:
  void beginRun(std::uint32_t, const std::string &) override {}
  void step(const StepEvent &) override {}
  void endRun(std::span<const Cycles>) override {}
};

} // namespace popscope
