#include "instrument/machine/Clocks.hpp"

#include "base/Check.hpp"
#include "base/Extent.hpp"
#include "base/WideLoops.hpp"

#include <algorithm>
#include <utility>

namespace popscope {

Clocks::Clocks(std::uint32_t numTiles, std::uint32_t tilesPerIpu, const CostModel &costs)
    : tilesPerIpu_(tilesPerIpu), clock_(numTiles), begin_(numTiles), start_(numTiles), busy_(numTiles),
      counters_(numTiles), dataIn_(numTiles), dataOut_(numTiles) {
  POPSCOPE_CHECK(tilesPerIpu > 0 && numTiles % tilesPerIpu == 0, "{} tiles are not whole IPUs of {}", numTiles,
                 tilesPerIpu);
  for (std::uint32_t t = 0; t < numTiles; ++t) {
    arrival_.push_back(static_cast<std::uint32_t>(costs.syncArrival(TileId(t)).count()));
    for (const SyncKind kind : {SyncKind::Internal, SyncKind::External, SyncKind::Global})
      release_[static_cast<std::size_t>(kind)].push_back(
          static_cast<std::uint32_t>(costs.syncRelease(kind, TileId(t)).count()));
  }
}

void Clocks::addCounters(TileId tile, std::uint64_t cycles) {
  counters_[tile.index()] += cycles;
  readsCounters_ = true;
}

void Clocks::start(EventSink *sink) {
  sink_ = sink;
  std::fill(clock_.begin(), clock_.end(), 0);
}

void Clocks::step(StepIndex step, TimeKind kind, std::optional<std::uint64_t> threadCycles,
                  std::span<const StepEvent::TypeCycles> types, std::shared_ptr<const SlotCycles> slots) {
  begin_ = clock_;
  start_ = clock_;
  for (std::size_t t = 0; t < clock_.size(); ++t)
    clock_[t] += busy_[t] + counters_[t];
  emit(step, kind, threadCycles, types, std::move(slots));
}

void Clocks::block(StepIndex step, BlockEdge edge) {
  begin_ = clock_;
  start_ = clock_;
  for (std::size_t t = 0; t < clock_.size(); ++t)
    clock_[t] += counters_[t];
  emit(step, TimeKind::Compute, std::nullopt, {}, nullptr, std::nullopt, edge);
}

void Clocks::exchange(StepIndex step, TimeKind kind, bool global) {
  begin_ = clock_;
  start_ = clock_;
  const std::size_t width = global ? clock_.size() : tilesPerIpu_;
  for (std::size_t first = 0; first < clock_.size(); first += width)
    alignExchange(first, first + width);
  emit(step, kind, std::nullopt, {}, nullptr);
}

POPSCOPE_WIDE_LOOPS void Clocks::alignExchange(std::size_t first, std::size_t end) {
  const std::uint64_t *busy = busy_.data(), *counters = counters_.data();
  std::uint64_t *clock = clock_.data(), *startOf = start_.data();
  std::uint64_t start = 0, longest = 0;
  for (std::size_t t = first; t < end; ++t) {
    start = std::max(start, clock[t] & maskOf(busy[t] != 0));
    longest = std::max(longest, busy[t]);
  }
  const std::uint64_t done = start + longest;
  for (std::size_t t = first; t < end; ++t) {
    startOf[t] = busy[t] != 0 ? start : startOf[t];
    clock[t] = (busy[t] != 0 ? done : clock[t]) + counters[t];
  }
}

void Clocks::controlFlow(StepIndex step, const ControlFlowResult &result) {
  begin_ = clock_;
  start_ = clock_;
  for (std::size_t t = 0; readsCounters_ && t < clock_.size(); ++t)
    clock_[t] += counters_[t];
  emit(step, TimeKind::ControlFlow, std::nullopt, {}, nullptr, result);
}

void Clocks::emit(StepIndex step, TimeKind kind, std::optional<std::uint64_t> threadCycles,
                  std::span<const StepEvent::TypeCycles> types, std::shared_ptr<const SlotCycles> slots,
                  std::optional<ControlFlowResult> controlFlow, BlockEdge edge) {
  StepEvent event;
  event.edge = edge;
  event.step = step;
  event.kind = kind;
  event.begin = begin_;
  event.end = clock_;
  event.start = start_;
  event.busy = busy_;
  if (movesData_) {
    event.dataIn = dataIn_;
    event.dataOut = dataOut_;
  }
  if (readsCounters_)
    event.counters = counters_;
  event.threadCycles = threadCycles;
  event.types = types;
  event.slots = std::move(slots);
  event.controlFlow = controlFlow;
  sink_->step(event);
  std::fill(busy_.begin(), busy_.end(), 0);
  if (readsCounters_)
    std::fill(counters_.begin(), counters_.end(), 0);
  readsCounters_ = false;
  if (movesData_) {
    std::fill(dataIn_.begin(), dataIn_.end(), 0);
    std::fill(dataOut_.begin(), dataOut_.end(), 0);
    movesData_ = false;
  }
}

void Clocks::sync(StepIndex step, std::span<const SyncKind> barriers) {
  begin_ = clock_;
  for (const SyncKind kind : barriers)
    barrier(kind);
  start_ = clock_;
  for (std::size_t t = 0; readsCounters_ && t < clock_.size(); ++t)
    clock_[t] += counters_[t];
  emit(step, TimeKind::Sync, std::nullopt, {}, nullptr);
}

POPSCOPE_WIDE_LOOPS void Clocks::barrier(SyncKind kind) {
  const std::size_t width = kind == SyncKind::Internal ? tilesPerIpu_ : clock_.size();
  const auto &release = release_[static_cast<std::size_t>(kind)];
  for (std::size_t first = 0; first < clock_.size(); first += width) {
    std::uint64_t *clock = clock_.data();
    const std::uint32_t *arrival = arrival_.data(), *after = release.data();
    std::uint64_t last = 0; // signal at the controller
    for (std::size_t t = first, end = first + width; t < end; ++t)
      last = std::max(last, clock[t] + arrival[t]);
    for (std::size_t t = first, end = first + width; t < end; ++t)
      clock[t] = last + after[t];
  }
}

} // namespace popscope
