// The rules of time on clocks worked out by hand: the machine, the replay and whatif share them.
#include "target-models/timing/TileClocks.hpp"

#include <doctest/doctest.h>

using namespace popscope;
using Cycles64 = std::vector<std::uint64_t>;

TEST_SUITE("target-models.timing") {
  TEST_CASE("work advances each clock by its own busy cycles, and the latest clock is returned") {
    Cycles64 clock = {10, 0, 30, 5};
    CHECK(passWork(clock, Cycles64{1, 50, 0, 2}) == 50);
    CHECK(clock == Cycles64{11, 50, 30, 7});
    CHECK(passWork(clock, Cycles64{0, 0, 0, 0}) == 50);
    CHECK(passWork({}, {}) == 0);
  }

  TEST_CASE("an exchange begins when the last tile that takes part is ready, and all of these end together") {
    Cycles64 clock = {100, 7, 90, 20, 500};
    const Cycles64 busy = {3, 1, 0, 8, 9};
    const TileRange group{1, 4}; // tile 2 takes no part; tiles 0 and 4 belong to other groups
    const ExchangeTimes times = timesOfExchange(clock, busy, group);
    CHECK(times.begin == 20);
    CHECK(times.longest == 8);
    passExchange(clock, busy, group, times);
    CHECK(clock == Cycles64{100, 28, 90, 28, 500});
  }

  TEST_CASE("an exchange in which no tile of the group takes part has no time and moves no clock") {
    Cycles64 clock = {4, 5, 6};
    const Cycles64 busy = {0, 0, 1};
    const ExchangeTimes times = timesOfExchange(clock, busy, {0, 2});
    CHECK(times.begin == 0);
    CHECK(times.longest == 0);
    passExchange(clock, busy, {0, 2}, times);
    CHECK(clock == Cycles64{4, 5, 6});
  }

  TEST_CASE("a barrier waits for the last signal of its group, and releases the tiles of this group alone") {
    Cycles64 clock = {1000, 10, 12, 1, 2000};
    const Cycles64 to = {0, 5, 1, 3, 0}, from = {9, 4, 2, 0, 9};
    const TileRange group{1, 4};
    CHECK(lastSignal(clock, to, group) == 15); // tile 1: 10 + 5, although tile 2 has the latest clock
    releaseTiles(clock, from, group, 15);
    CHECK(clock == Cycles64{1000, 19, 17, 15, 2000});
    CHECK(lastSignal(clock, to, {2, 2}) == 0);
  }

  TEST_CASE("loops over more tiles than a vector has lanes treat the rest alike") {
    for (std::size_t tiles = 1; tiles < 40; ++tiles) {
      Cycles64 clock, busy, worked, exchanged;
      std::uint64_t begin = 0, longest = 0, latest = 0, signal = 0;
      for (std::size_t t = 0; t < tiles; ++t) {
        clock.push_back(t * 7 % 13);
        busy.push_back(t % 3);
        worked.push_back(clock[t] + busy[t]);
        latest = worked[t] > latest ? worked[t] : latest;
        if (busy[t] != 0 && clock[t] > begin)
          begin = clock[t];
        longest = busy[t] > longest ? busy[t] : longest;
        signal = clock[t] + busy[t] > signal ? clock[t] + busy[t] : signal;
      }
      for (std::size_t t = 0; t < tiles; ++t)
        exchanged.push_back(busy[t] != 0 ? begin + longest : clock[t]);
      CAPTURE(tiles);
      CHECK(lastSignal(clock, busy, {0, tiles}) == signal);
      Cycles64 after = clock;
      const ExchangeTimes times = timesOfExchange(after, busy, {0, tiles});
      passExchange(after, busy, {0, tiles}, times);
      CHECK(after == exchanged);
      after = clock;
      CHECK(passWork(after, busy) == latest);
      CHECK(after == worked);
    }
  }

  TEST_CASE("vertices go to the least loaded slot, the lowest of equals, and the fullest slot sets the time") {
    SlotLoads slots(3);
    CHECK(slots.tileCycles() == 0);
    for (const std::uint64_t cycles : {5, 2, 2, 1, 1, 4})
      slots.deal(cycles); // 5; 2; 2; then 2 + 1 in the second, 2 + 1 in the third, 3 + 4 in the second
    CHECK(slots.load() == Cycles64{5, 7, 3});
    CHECK(slots.tileCycles() == 3 * 7);
    slots.clear();
    CHECK(slots.load() == Cycles64{0, 0, 0});
  }
}
