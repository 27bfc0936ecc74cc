#include "instrument/machine/Clocks.hpp"

#include "base/Check.hpp"

#include <algorithm>

namespace popscope {

Clocks::Clocks(std::uint32_t numTiles, std::uint32_t tilesPerIpu, const CostModel &costs)
    : tilesPerIpu_(tilesPerIpu), costs_(costs), clock_(numTiles), begin_(numTiles), busy_(numTiles), dataIn_(numTiles),
      dataOut_(numTiles) {
  POPSCOPE_CHECK(tilesPerIpu > 0 && numTiles % tilesPerIpu == 0, "{} tiles are not whole IPUs of {}", numTiles,
                 tilesPerIpu);
}

void Clocks::start(EventSink *sink) {
  sink_ = sink;
  std::fill(clock_.begin(), clock_.end(), 0);
}

void Clocks::addData(TileId tile, std::uint64_t bytesIn, std::uint64_t bytesOut) {
  dataIn_[tile.index()] += bytesIn;
  dataOut_[tile.index()] += bytesOut;
  movesData_ = true;
}

void Clocks::step(StepIndex step, TimeKind kind, std::optional<std::uint64_t> threadCycles,
                  std::span<const StepEvent::TypeCycles> types) {
  begin_ = clock_;
  emitWork(step, kind, threadCycles, types);
}

void Clocks::exchange(StepIndex step, TimeKind kind, bool global) {
  begin_ = clock_;
  const std::size_t width = global ? clock_.size() : tilesPerIpu_;
  for (std::size_t first = 0; first < clock_.size(); first += width)
    alignStart(first, first + width);
  emitWork(step, kind, std::nullopt, {});
}

void Clocks::alignStart(std::size_t first, std::size_t end) {
  std::uint64_t start = 0;
  for (std::size_t t = first; t < end; ++t)
    if (busy_[t] != 0)
      start = std::max(start, clock_[t]);
  for (std::size_t t = first; t < end; ++t)
    if (busy_[t] != 0)
      clock_[t] = start;
}

void Clocks::emitWork(StepIndex step, TimeKind kind, std::optional<std::uint64_t> threadCycles,
                      std::span<const StepEvent::TypeCycles> types) {
  for (std::size_t t = 0; t < clock_.size(); ++t)
    clock_[t] += busy_[t];
  StepEvent event;
  event.step = step;
  event.kind = kind;
  event.begin = begin_;
  event.end = clock_;
  event.busy = busy_;
  if (movesData_) {
    event.dataIn = dataIn_;
    event.dataOut = dataOut_;
  }
  event.threadCycles = threadCycles;
  event.types = types;
  sink_->step(event);
  std::fill(busy_.begin(), busy_.end(), 0);
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
  StepEvent event;
  event.step = step;
  event.kind = TimeKind::Sync;
  event.begin = begin_;
  event.end = clock_;
  event.busy = busy_;
  sink_->step(event);
}

void Clocks::barrier(SyncKind kind) {
  const std::size_t width = kind == SyncKind::Internal ? tilesPerIpu_ : clock_.size();
  for (std::size_t first = 0; first < clock_.size(); first += width) {
    const auto begin = clock_.begin() + static_cast<std::ptrdiff_t>(first);
    const std::uint64_t last = *std::max_element(begin, begin + static_cast<std::ptrdiff_t>(width));
    for (std::size_t t = first; t < first + width; ++t)
      clock_[t] = last + costs_.syncDelay(kind, TileId(static_cast<std::uint32_t>(t))).count();
  }
}

} // namespace popscope
