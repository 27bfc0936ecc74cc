// Clocks: one clock per tile, in cycles since the start of the run, and the events that report how they advance. The
// rules are those of target-models/timing/TileClocks.hpp.
//
// Problem: a loop executes the same steps millions of times on thousands of tiles. Idea: the clocks are an origin plus
// a difference per tile. The second execution of a step is kept as a StepPattern, as long as memory lasts. If repeat()
// finds the same differences as then, it emits the same pattern with another origin, in time independent of the number
// of tiles. Invariant: the events are those that a description of every step would give.
#pragma once
#include "base/Ids.hpp"
#include "instrument/machine/Events.hpp"
#include "target-models/costs/CostModel.hpp"

#include <array>
#include <span>
#include <vector>

namespace popscope {

class Clocks {
public:
  /// Makes the clocks. Reads `costs` during construction only.
  Clocks(std::uint32_t numTiles, std::uint32_t tilesPerIpu, const CostModel &costs);

  /// Sets all clocks to 0. `sink` may be null: then no time passes until the next start.
  void start(EventSink *sink);
  [[nodiscard]] bool running() const { return sink_ != nullptr; }
  /// Returns the clocks of all tiles, valid until the clocks are used again. Cost: linear in tiles.
  [[nodiscard]] std::span<const Cycles> now();
  [[nodiscard]] Cycles now(TileId tile) const { return origin_ + (*clock_)[tile.index()]; }

  // Work of the step being described: call addBusy and addData any number of times, then step() or exchange() once.
  void addBusy(TileId tile, Cycles cycles) { busy_[tile.index()] += cycles; }
  /// Adds cycles for reading counters at the end of the step: time of the tile that is not the step's work.
  void addCounters(TileId tile, Cycles cycles);
  void addData(TileId tile, Bytes bytesIn, Bytes bytesOut) {
    dataIn_[tile.index()] += bytesIn;
    dataOut_[tile.index()] += bytesOut;
    movesData_ = true;
  }
  /// Advances the clocks by the described work and emits the event. The work of a compute set is the same whenever
  /// `slots` are the same object; the work of other steps is always the same.
  void step(StepIndex step, TimeKind kind, std::optional<Cycles> threadCycles = std::nullopt,
            std::span<const StepEvent::TypeCycles> types = {}, std::shared_ptr<const SlotCycles> slots = nullptr);
  /// Advances the clocks by an exchange. The tiles with work start together, per IPU or, if `global`, over all IPUs.
  void exchange(StepIndex step, TimeKind kind, bool global);
  /// Passes the `barriers` in order, as one event.
  void sync(StepIndex step, std::span<const SyncKind> barriers);
  /// Replaces the description of a step and one of the three calls above. Returns false, without effect, if the step's
  /// work is not known. `slots`: those of a compute set.
  bool repeat(StepIndex step, const std::shared_ptr<const SlotCycles> &slots = nullptr);

  /// Records the beginning or the end of a Block, which has no work but counters.
  void block(StepIndex step, BlockEdge edge);
  /// Records the end of a loop or conditional: only the reading of its counters takes time.
  void controlFlow(StepIndex step, const ControlFlowResult &result);

private:
  /// The kind of a step, which decides how its work advances the clocks.
  struct Form {
    TimeKind kind = TimeKind::Compute;
    bool aligned = false, global = false; // true for an exchange
    std::vector<SyncKind> barriers{};     // for a sync
  };
  struct Known {
    Form form;
    std::shared_ptr<const StepWork> work;
    std::shared_ptr<const StepPattern> pattern; // the pattern of the latest execution
  };
  struct Work { // the parts of StepWork that advance the clocks
    std::span<const Cycles> busy, counters;
  };

  Known *keep(StepIndex step, const Form &form, StepWork &&rest);
  void describeAndPass(StepIndex step, Form form, StepWork &&rest);
  void pass(StepIndex step, Known &known);
  void tell(StepIndex step, const Form &form, std::shared_ptr<const StepPattern> pattern);
  /// Sets `end` to the clocks after the work, and `start` to the start times if they differ from the clocks.
  void advance(const Form &form, const Work &work, TileTimes &start, TileTimes &end);
  void barrier(SyncKind kind, std::span<std::uint64_t> clock) const;
  /// Emits an event without work.
  void read(StepEvent &event);
  void forgetDescription();
  [[nodiscard]] std::shared_ptr<TileTimes> unused();

  std::uint32_t tilesPerIpu_;
  EventSink *sink_ = nullptr;
  bool movesData_ = false, readsCounters_ = false;
  Cycles origin_;
  SharedTimes zero_, clock_; // differences from the origin
  TileTimes start_, absolute_;
  // Per tile. The description of a step (busy, counters, data) is 0 between steps.
  TileTimes busy_, counters_;
  TileData dataIn_, dataOut_;
  std::vector<std::uint64_t> arrival_;                                // per tile: cycles to the sync controller
  std::array<std::vector<std::uint64_t>, kSyncKinds.size()> release_; // [SyncKind][tile]: cycles from the controller
  std::array<std::shared_ptr<TileTimes>, 2> pool_;                    // reused if no one else holds it
  // Per step: 0 = not executed, 1 = executed once or not kept, from 2 on: position in known_ plus 2.
  std::vector<std::uint32_t> places_;
  std::vector<Known> known_;
  std::size_t keptBytes_ = 0;
};

} // namespace popscope
