// Clocks: one clock per tile, in cycles since the start of the run, and the events that tell how they advanced.
//
//   step()    work: a tile enters at its own clock and leaves `busy` cycles later; a tile without work passes through
//   exchange() work that starts at one time on all tiles that take part: the last one's clock; they go on together,
//   too,
//             when the longest schedule is done
//   sync()    a barrier: every tile arrives at its own clock; the last signal that reaches the controller releases all
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
  [[nodiscard]] std::span<const std::uint64_t> now() const { return clock_; }

  // Work of the step being described: addBusy and addData any number of times, then one step().
  void addBusy(TileId tile, std::uint64_t cycles) { busy_[tile.index()] += cycles; }
  /// Reading counters at the end of the step: time of the tile that is not the step's work.
  void addCounters(TileId tile, std::uint64_t cycles);
  void addData(TileId tile, std::uint64_t bytesIn, std::uint64_t bytesOut) {
    dataIn_[tile.index()] += bytesIn;
    dataOut_[tile.index()] += bytesOut;
    movesData_ = true;
  }
  /// Advances the clocks by the work and emits the event.
  void step(StepIndex step, TimeKind kind, std::optional<std::uint64_t> threadCycles = std::nullopt,
            std::span<const StepEvent::TypeCycles> types = {}, std::shared_ptr<const SlotCycles> slots = nullptr);
  /// The same for an exchange: the tiles with work start together, per IPU or, when `global`, over all IPUs.
  void exchange(StepIndex step, TimeKind kind, bool global);
  /// Records the begin or the end of a Block: nothing but counters.
  void block(StepIndex step, BlockEdge edge);
  /// `barriers` one after the other; one event.
  void sync(StepIndex step, std::span<const SyncKind> barriers);

  /// A loop or conditional that ended: only the reading of its counters takes time.
  void controlFlow(StepIndex step, const ControlFlowResult &result);

private:
  void barrier(SyncKind kind);
  /// Tiles [first, end) that take part start and end together.
  void alignExchange(std::size_t first, std::size_t end);
  void emit(StepIndex step, TimeKind kind, std::optional<std::uint64_t> threadCycles,
            std::span<const StepEvent::TypeCycles> types, std::shared_ptr<const SlotCycles> slots,
            std::optional<ControlFlowResult> controlFlow = std::nullopt, BlockEdge edge = BlockEdge::None);

  std::uint32_t tilesPerIpu_;
  EventSink *sink_ = nullptr;
  bool movesData_ = false, readsCounters_ = false;
  // By tile. What describes a step (busy, counters, data) is 0 between steps.
  std::vector<std::uint64_t> clock_, begin_, start_, busy_, counters_, dataIn_, dataOut_;
  std::vector<std::uint32_t> arrival_;                // to the sync controller
  std::array<std::vector<std::uint32_t>, 3> release_; // by SyncKind
};

} // namespace popscope
