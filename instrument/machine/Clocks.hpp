// Clocks: one clock per tile, in cycles since the start of the run, and the events that tell how they advanced. The
// rules are those of target-models/timing/TileClocks.hpp.
//
// A step that is executed for the second time is kept as a StepPattern, as long as there is room: where repeat() finds
// the clocks as far apart as they were then, it tells the same pattern with another origin, whatever the tiles are.
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
  /// `costs` is read during construction only.
  Clocks(std::uint32_t numTiles, std::uint32_t tilesPerIpu, const CostModel &costs);

  /// Sets all clocks to 0. `sink` may be null: then no time passes until the next start.
  void start(EventSink *sink);
  [[nodiscard]] bool running() const { return sink_ != nullptr; }
  /// Of all tiles; valid until the clocks are used again. Linear in tiles.
  [[nodiscard]] std::span<const Cycles> now();
  [[nodiscard]] Cycles now(TileId tile) const { return origin_ + (*clock_)[tile.index()]; }

  // Work of the step being described: addBusy and addData any number of times, then one step().
  void addBusy(TileId tile, Cycles cycles) { busy_[tile.index()] += cycles; }
  /// Reading counters at the end of the step: time of the tile that is not the step's work.
  void addCounters(TileId tile, Cycles cycles);
  void addData(TileId tile, Bytes bytesIn, Bytes bytesOut) {
    dataIn_[tile.index()] += bytesIn;
    dataOut_[tile.index()] += bytesOut;
    movesData_ = true;
  }
  /// Advances the clocks by the work and emits the event. Of a compute set the work is the same whenever `slots` are
  /// the same object; of other steps it always is.
  void step(StepIndex step, TimeKind kind, std::optional<Cycles> threadCycles = std::nullopt,
            std::span<const StepEvent::TypeCycles> types = {}, std::shared_ptr<const SlotCycles> slots = nullptr);
  /// The same for an exchange: the tiles with work start together, per IPU or, when `global`, over all IPUs.
  void exchange(StepIndex step, TimeKind kind, bool global);
  /// `barriers` one after the other; one event.
  void sync(StepIndex step, std::span<const SyncKind> barriers);
  /// In place of describing the step and of one of these three: false where its work is not known, and nothing has
  /// happened. `slots`: of a compute set.
  bool repeat(StepIndex step, const std::shared_ptr<const SlotCycles> &slots = nullptr);

  /// Records the begin or the end of a Block: nothing but counters.
  void block(StepIndex step, BlockEdge edge);
  /// A loop or conditional that ended: only the reading of its counters takes time.
  void controlFlow(StepIndex step, const ControlFlowResult &result);

private:
  /// How a step uses its work.
  struct Form {
    TimeKind kind = TimeKind::Compute;
    bool aligned = false, global = false; // an exchange
    std::vector<SyncKind> barriers{};     // a sync
  };
  struct Known {
    Form form;
    std::shared_ptr<const StepWork> work;
    std::shared_ptr<const StepPattern> pattern; // of its latest execution
  };
  struct Work { // of StepWork
    std::span<const Cycles> busy, counters;
  };

  Known *keep(StepIndex step, const Form &form, StepWork &&rest);
  void describeAndPass(StepIndex step, Form form, StepWork &&rest);
  void pass(StepIndex step, Known &known);
  void tell(StepIndex step, const Form &form, std::shared_ptr<const StepPattern> pattern);
  /// Where the work leads from the clocks as they are: to `end`, with `start` where that is not the clocks.
  void advance(const Form &form, const Work &work, TileTimes &start, TileTimes &end);
  void barrier(SyncKind kind, std::span<std::uint64_t> clock) const;
  /// Without work.
  void read(StepEvent &event);
  void forgetDescription();
  [[nodiscard]] std::shared_ptr<TileTimes> unused();

  std::uint32_t tilesPerIpu_;
  EventSink *sink_ = nullptr;
  bool movesData_ = false, readsCounters_ = false;
  Cycles origin_;
  SharedTimes zero_, clock_; // from the origin on
  TileTimes start_, absolute_;
  // By tile. What describes a step (busy, counters, data) is 0 between steps.
  TileTimes busy_, counters_;
  TileData dataIn_, dataOut_;
  std::vector<std::uint64_t> arrival_;                                // cycles to the sync controller
  std::array<std::vector<std::uint64_t>, kSyncKinds.size()> release_; // by SyncKind, cycles from it
  std::array<std::shared_ptr<TileTimes>, 2> pool_;                    // of which nobody else may hold one
  // 0 = not executed, 1 = once or not kept, else its place in known_, from 2 on; by step.
  std::vector<std::uint32_t> places_;
  std::vector<Known> known_;
  std::size_t keptBytes_ = 0;
};

} // namespace popscope
