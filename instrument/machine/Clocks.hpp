// Clocks: one clock per tile, in cycles since the start of the run, and the events that report the advance of the
// clocks. The clocks follow the rules of target-models/timing/TileClocks.hpp.
//
// Problem: a loop executes the same steps millions of times on thousands of tiles. Idea: the clocks are stored as an
// origin plus a difference per tile. From the second execution of a step on, Clocks keeps the latest StepPattern of the
// step. When the kept patterns reach a memory limit, Clocks keeps patterns only of the steps that already have a kept
// pattern. A kept pattern starts with certain differences. If the clocks have these differences again, repeat() emits
// the pattern with another origin. Comparing two lists of differences takes constant time if the two lists are the same
// object, and otherwise time linear in the number of tiles. Invariant: the events are the same as without kept
// patterns, except for StepEvent::pattern.
#pragma once
#include "base/Ids.hpp"
#include "instrument/machine/Events.hpp"
#include "target-models/costs/CostModel.hpp"

#include <array>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace popscope {

class Clocks {
public:
  using Describe = std::function<std::string(StepIndex)>;
  /// Reads `costs` only during construction. Error messages name a step by the text that `describe` returns.
  Clocks(std::uint32_t numTiles, std::uint32_t tilesPerIpu, const CostModel &costs, Describe describe = {});

  // All timed runs together take at most 2^48 cycles (two days at 1.6 GHz). On more than 32,767 tiles, the limit is
  // lower. So sums over tiles and runs fit into 64 bits with a sign, as in profiles. The functions step(), exchange(),
  // sync() and repeat() throw poplar::overflow_error if the runs would take longer. The sink then gets no event of the
  // step.

  /// Sets all clocks to 0. If `sink` is null, no time passes: until the next call of start(), call only running() and
  /// now().
  void start(EventSink *sink);
  [[nodiscard]] bool running() const { return sink_ != nullptr; }
  /// Returns the clocks of all tiles. The result is valid until the next call of a member function. Cost: linear in the
  /// number of tiles.
  [[nodiscard]] std::span<const Cycles> now();
  [[nodiscard]] Cycles now(TileId tile) const { return origin_ + (*clock_)[tile.index()]; }

  // For each step, call addBusy, addCounters and addData any number of times to collect the step's work. Then call
  // step(), exchange(), sync(), block() or controlFlow() once.
  void addBusy(TileId tile, Cycles cycles) { busy_[tile.index()] += cycles; }
  /// Adds the tile's cycles for reading counters at the end of the step. These cycles are not a part of the step's
  /// work.
  void addCounters(TileId tile, Cycles cycles);
  void addData(TileId tile, Bytes bytesIn, Bytes bytesOut) {
    dataIn_[tile.index()] += bytesIn;
    dataOut_[tile.index()] += bytesOut;
    movesData_ = true;
  }
  /// Advances the clocks by the collected work and emits the event. If two executions of a compute set pass the same
  /// object `slots`, the executions must have equal work. All executions of a step without a compute set must have
  /// equal work.
  void step(StepIndex step, TimeKind kind, std::optional<Cycles> threadCycles = std::nullopt,
            std::span<const StepEvent::TypeCycles> types = {}, std::shared_ptr<const SlotCycles> slots = nullptr);
  /// Advances the clocks by an exchange. Tiles with work start together on each IPU or, if `global`, on all IPUs.
  void exchange(StepIndex step, TimeKind kind, bool global);
  /// Advances the clocks over the `barriers`, in order, and emits one event.
  void sync(StepIndex step, std::span<const SyncKind> barriers);
  /// If the step's work is known from an earlier execution, advances the clocks, emits the event and returns true. In
  /// this case, call none of addBusy(), addCounters(), addData(), step(), exchange() and sync() for this execution. If
  /// the work is unknown, returns false and does nothing. For a compute set, pass `slots` as in step().
  bool repeat(StepIndex step, const std::shared_ptr<const SlotCycles> &slots = nullptr);

  /// Emits the event for the beginning or the end of a Block. The event has no work: only the reading of counters takes
  /// time.
  void block(StepIndex step, BlockEdge edge);
  /// Emits the event for the end of a loop or conditional. Only the reading of the step's counters takes time.
  void controlFlow(StepIndex step, const ControlFlowResult &result);

private:
  /// The properties of a step that decide how its work advances the clocks.
  struct Form {
    TimeKind kind = TimeKind::Compute;
    bool aligned = false, global = false; // aligned: on each IPU, the tiles with work start together (an exchange);
                                          // global: the tiles with work on all IPUs start together
    std::vector<SyncKind> barriers{};     // the barriers of a sync
  };
  struct Known {
    Form form;
    std::shared_ptr<const StepWork> work;
    std::shared_ptr<const StepPattern> pattern; // pattern of the latest execution
  };
  struct Work { // the members of StepWork that advance the clocks
    std::span<const Cycles> busy, counters;
  };

  Known *keep(StepIndex step, const Form &form, StepWork &&rest);
  void describeAndPass(StepIndex step, Form form, StepWork &&rest);
  void pass(StepIndex step, Known &known);
  void tell(StepIndex step, const Form &form, std::shared_ptr<const StepPattern> pattern);
  /// Sets `end` to the clocks after the work. Sets `start` to the start times of an exchange or a sync. Other steps
  /// start at the clocks before the work, and `start` does not change.
  void advance(const Form &form, const Work &work, TileTimes &start, TileTimes &end);
  void barrier(SyncKind kind, std::span<std::uint64_t> clock) const;
  /// Emits an event without work, in which only the reading of counters takes time.
  void read(StepEvent &event);
  void forgetDescription();
  [[nodiscard]] std::shared_ptr<TileTimes> unused();
  /// Throws poplar::overflow_error if the cycles of all earlier runs, plus the cycles of the present run up to
  /// `latest`, exceed limit_. The message names `step`.
  void checkLength(StepIndex step, Cycles latest);

  std::uint32_t tilesPerIpu_;
  Cycles limit_;
  Describe describe_;
  Cycles earlier_, length_; // cycles of the earlier runs, and of the present run
  EventSink *sink_ = nullptr;
  bool movesData_ = false, readsCounters_ = false;
  Cycles origin_;
  SharedTimes zero_, clock_; // differences from origin_
  TileTimes start_, absolute_;
  // Per tile: the collected numbers of a step (busy, counters, data). All numbers are 0 between steps.
  TileTimes busy_, counters_;
  TileData dataIn_, dataOut_;
  std::vector<std::uint64_t> arrival_;                                // per tile: cycles that the tile's signal takes
                                                                      // to the sync controller
  std::array<std::vector<std::uint64_t>, kSyncKinds.size()> release_; // [SyncKind][tile]: cycles that the release takes
                                                                      // from the controller to the tile
  std::array<std::shared_ptr<TileTimes>, 2> pool_;                    // an element is reused if no other object holds
                                                                      // it
  // Per step: 0 = not executed, 1 = executed once or not kept, otherwise index in known_ plus 2.
  std::vector<std::uint32_t> places_;
  std::vector<Known> known_;
  std::size_t keptBytes_ = 0;
};

} // namespace popscope
