// The heap of one tile: its lower bound, and the order of items that never share their addresses.
#include "liveness/layout/PackHeap.hpp"

#include <doctest/doctest.h>

using namespace popscope;

TEST_SUITE("liveness.heap") {
  TEST_CASE("the lower bound of a heap counts the padding of items with one alignment, and all items without") {
    LiveRanges ranges;
    ranges.classes = {{0, 0}, {0, 1}}; // classes: never, always
    ranges.intervals = {{StepIndex(0), StepIndex(2)}};
    HeapProblem heap{nullptr, &ranges, {}, {}};
    const auto add = [&](std::uint64_t bytes, std::uint64_t alignment) {
      heap.items.push_back({bytes, alignment, Placement::Data, LiveClassId(1), 0});
    };
    CHECK(heapLowerBound(heap) == 0);
    add(20, 16);
    add(20, 16);
    CHECK(heapLowerBound(heap) == 64 - 15); // at 0 and 32: the last item ends at 52
    add(30, 1);
    CHECK(heapLowerBound(heap) == 20 + 20 + 30); // the padding of the first two may hold a part of the third
    add(12, 8);
    CHECK(heapLowerBound(heap) == 82); // at alignment 8: 24 + 24 + 16 - 7
    for (int i = 0; i < 3; ++i)
      add(20, 16);
    CHECK(heapLowerBound(heap) == 5 * 32 - 15); // all bytes together: 142
  }

  TEST_CASE("of items that never share, those without padding come first, so that padding is left at the end only") {
    MemoryZones zones;
    zones.memoryEnd = 40;
    for (ZoneTable &table : zones.spread)
      table.fill({{0, 40}, {40, ~std::uint64_t(0) / 2}});
    LiveRanges ranges;
    ranges.classes = {{0, 0}, {0, 1}};
    ranges.intervals = {{StepIndex(0), StepIndex(2)}};
    const HeapProblem heap{&zones,
                           &ranges,
                           {{20, 16, Placement::Data, LiveClassId(1), 0}, {16, 16, Placement::Data, LiveClassId(1), 0}},
                           {}};
    CHECK(packHeap(heap) == std::vector<std::uint64_t>{16, 0}); // in order of their numbers: 0 and 32, up to 48
  }
}
