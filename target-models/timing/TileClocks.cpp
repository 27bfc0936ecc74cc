#include "target-models/timing/TileClocks.hpp"

#include "base/Extent.hpp"
#include "base/WideLoops.hpp"

#include <algorithm>

namespace popscope {
namespace {

struct Wide { // local to this file, for the reason in WideLoops.hpp
  POPSCOPE_WIDE_LOOPS static std::uint64_t passWork(std::span<std::uint64_t> clock,
                                                    std::span<const std::uint64_t> busy) {
    std::uint64_t last = 0;
    for (std::size_t t = 0; t < clock.size(); ++t) {
      const std::uint64_t then = clock[t] + busy[t];
      clock[t] = then;
      last = std::max(last, then);
    }
    return last;
  }

  POPSCOPE_WIDE_LOOPS static ExchangeTimes timesOfExchange(std::span<const std::uint64_t> clock,
                                                           std::span<const std::uint64_t> busy, TileRange group) {
    ExchangeTimes times;
    for (std::size_t t = group.begin; t < group.end; ++t) {
      times.begin = std::max(times.begin, clock[t] & maskOf(busy[t] != 0));
      times.longest = std::max(times.longest, busy[t]);
    }
    return times;
  }

  POPSCOPE_WIDE_LOOPS static void passExchange(std::span<std::uint64_t> clock, std::span<const std::uint64_t> busy,
                                               TileRange group, ExchangeTimes times) {
    const std::uint64_t done = times.begin + times.longest;
    for (std::size_t t = group.begin; t < group.end; ++t)
      clock[t] = busy[t] != 0 ? done : clock[t];
  }

  POPSCOPE_WIDE_LOOPS static std::uint64_t lastSignal(std::span<const std::uint64_t> clock,
                                                      std::span<const std::uint64_t> toController, TileRange group) {
    std::uint64_t last = 0;
    for (std::size_t t = group.begin; t < group.end; ++t)
      last = std::max(last, clock[t] + toController[t]);
    return last;
  }

  POPSCOPE_WIDE_LOOPS static void releaseTiles(std::span<std::uint64_t> clock,
                                               std::span<const std::uint64_t> fromController, TileRange group,
                                               std::uint64_t signal) {
    for (std::size_t t = group.begin; t < group.end; ++t)
      clock[t] = signal + fromController[t];
  }
};

} // namespace

std::uint64_t passWork(std::span<std::uint64_t> clock, std::span<const std::uint64_t> busy) {
  return Wide::passWork(clock, busy);
}

ExchangeTimes timesOfExchange(std::span<const std::uint64_t> clock, std::span<const std::uint64_t> busy,
                              TileRange group) {
  return Wide::timesOfExchange(clock, busy, group);
}

void passExchange(std::span<std::uint64_t> clock, std::span<const std::uint64_t> busy, TileRange group,
                  ExchangeTimes times) {
  Wide::passExchange(clock, busy, group, times);
}

std::uint64_t lastSignal(std::span<const std::uint64_t> clock, std::span<const std::uint64_t> toController,
                         TileRange group) {
  return Wide::lastSignal(clock, toController, group);
}

void releaseTiles(std::span<std::uint64_t> clock, std::span<const std::uint64_t> fromController, TileRange group,
                  std::uint64_t signal) {
  Wide::releaseTiles(clock, fromController, group, signal);
}

} // namespace popscope
