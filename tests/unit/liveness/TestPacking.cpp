// The packer: compared with the brute-force optimum, on a problem that none of its greedy orders solves, and within its
// budget.
#include "liveness/layout/FirstFit.hpp"
#include "liveness/layout/MeetingMask.hpp"
#include "liveness/layout/PackHeap.hpp"
#include "liveness/layout/PackItems.hpp"
#include "liveness/layout/PackOrder.hpp"
#include "liveness/layout/ScanTable.hpp"
#include "liveness/layout/SearchPacking.hpp"
#include "liveness/layout/TileHeap.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <span>
#include <tuple>

using namespace popscope;

namespace {

// Checks pairs of items in time and space, and alignment; shares no code with the packer.
bool valid(const PackProblem &p, const std::vector<std::uint64_t> &at) {
  for (std::size_t i = 0; i < p.items.size(); ++i) {
    if (at[i] % p.items[i].alignment != 0)
      return false;
    for (std::size_t j = 0; j < i; ++j)
      for (const PackSpan &a : p.spansOf(p.items[i]))
        for (const PackSpan &b : p.spansOf(p.items[j]))
          if (a.begin < b.end && b.begin < a.end && at[i] < at[j] + p.items[j].bytes &&
              at[j] < at[i] + p.items[i].bytes)
            return false;
  }
  return true;
}

// Returns the items by descending size, then by longest life, earliest start and index.
std::vector<std::uint32_t> decreasingSize(const PackProblem &p) {
  std::vector<std::uint32_t> order(p.items.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto key = [&](std::uint32_t i) {
    const auto spans = p.spansOf(p.items[i]);
    return std::tuple(~p.items[i].bytes, ~p.lifeOf(p.items[i]), spans.empty() ? 0 : spans.front().begin, i);
  };
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  return order;
}

// Returns the optimum. Some order of first fit is optimal: the order of the optimum's own addresses.
std::uint64_t optimum(const PackProblem &p) {
  std::vector<std::uint32_t> order(p.items.size());
  std::iota(order.begin(), order.end(), 0U);
  std::uint64_t best = ~std::uint64_t(0);
  do
    best = std::min(best, packPeak(p, firstFit(p, order)));
  while (std::next_permutation(order.begin(), order.end()));
  return best;
}

PackProblem randomProblem(std::mt19937 &engine, std::size_t numItems, std::uint32_t steps, bool aligned, bool gaps) {
  PackProblem p;
  for (std::size_t i = 0; i < numItems; ++i) {
    const std::uint32_t begin = engine() % steps, end = begin + 1 + engine() % (steps / 2);
    p.add(1 + engine() % 9, aligned ? 1U << engine() % 3 : 1, {begin, end});
    if (gaps && engine() % 3 == 0) {
      const std::uint32_t again = end + 1 + engine() % 3;
      const auto life = static_cast<std::uint32_t>(1 + engine() % 3);
      p.spans.push_back({again, again + life});
      ++p.items.back().numSpans;
    }
  }
  return p;
}

// Returns a problem with a perfect packing: a rectangle of `height` over time, cut at random, so that the lower bound
// can be reached.
PackProblem cutRectangle(std::mt19937 &engine, std::uint32_t steps, std::uint64_t height, std::size_t numItems) {
  struct Piece {
    PackSpan span;
    std::uint64_t bytes;
  };
  std::vector<Piece> pieces{{{0, steps}, height}};
  while (pieces.size() < numItems) {
    const std::size_t i = engine() % pieces.size();
    Piece &p = pieces[i];
    Piece rest = p;
    if (engine() % 2 == 0 && p.span.end - p.span.begin > 1) {
      const std::uint32_t at = p.span.begin + 1 + engine() % (p.span.end - p.span.begin - 1);
      p.span.end = rest.span.begin = at;
    } else if (p.bytes > 1) {
      const std::uint64_t bytes = 1 + engine() % (p.bytes - 1);
      rest.bytes -= bytes;
      p.bytes = bytes;
    } else {
      continue;
    }
    pieces.push_back(rest);
  }
  PackProblem out;
  for (const Piece &p : pieces)
    out.add(p.bytes, 1, p.span);
  return out;
}

// Returns the items by descending size, then by index.
std::vector<std::uint32_t> bySize(const PackProblem &p) {
  std::vector<std::uint32_t> order(p.items.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return p.items[a].bytes > p.items[b].bytes; });
  return order;
}

// First fit by its definition: each candidate address is `from` or the end of a placed item, rounded up.
std::uint64_t lowestByDefinition(const PackProblem &p, std::span<const std::uint32_t> placed,
                                 const std::vector<std::uint64_t> &at, std::uint32_t i, std::uint64_t from) {
  const PackItem &item = p.items[i];
  const auto roundedUp = [&](std::uint64_t a) { return (a + item.alignment - 1) / item.alignment * item.alignment; };
  std::vector<std::uint32_t> met;
  for (const std::uint32_t m : placed)
    for (const PackSpan &a : p.spansOf(item))
      for (const PackSpan &b : p.spansOf(p.items[m]))
        if (a.begin < b.end && b.begin < a.end)
          met.push_back(m);
  std::vector<std::uint64_t> candidates{roundedUp(from)};
  for (const std::uint32_t m : met)
    candidates.push_back(roundedUp(std::max(from, at[m] + p.items[m].bytes)));
  std::sort(candidates.begin(), candidates.end());
  return *std::find_if(candidates.begin(), candidates.end(), [&](std::uint64_t a) {
    return std::none_of(met.begin(), met.end(),
                        [&](std::uint32_t m) { return a < at[m] + p.items[m].bytes && at[m] < a + item.bytes; });
  });
}

} // namespace

TEST_SUITE("liveness.packing") {
  TEST_CASE("the lower bound is the most that exists at one time; touching in time is not together") {
    PackProblem p;
    p.add(8, 1, {0, 4});
    p.add(4, 1, {4, 6});
    p.add(2, 1, {3, 5});
    CHECK(packLowerBound(p) == 10);
    CHECK(packLowerBound(PackProblem{}) == 0);
    CHECK(packItems(PackProblem{}, {100, 0, 0}).peak == 0);
  }

  TEST_CASE("first fit takes the lowest gap, keeps alignments that are no power of two, and starts where told") {
    PackProblem p;
    p.add(8, 1, {0, 9});
    const std::vector<std::uint32_t> order{0};
    FirstFitHeap heap(p, order);
    heap.insert(p.spans, 4, 8); // [4, 12)
    CHECK(heap.lowest(p.spans, 4, 1, 0) == 0);
    CHECK(heap.lowest(p.spans, 5, 1, 0) == 12);
    CHECK(heap.lowest(p.spans, 5, 7, 0) == 14);
    CHECK(heap.lowest(p.spans, 4, 1, 1) == 12);
    CHECK(FirstFitHeap(p, order).lowest(p.spans, 1, 1, 3) == 3);
  }

  TEST_CASE("first fit by slots and masks gives the addresses of the definition, for short, long and far times") {
    std::mt19937 engine(5);
    for (const std::uint32_t stretch : {1U, 37U, 4099U, 20000001U}) { // the last two: slots of 2^15 times, then ranks
      PackProblem p = randomProblem(engine, 300, 100, true, true);
      for (PackSpan &span : p.spans)
        span = {span.begin * stretch, span.end * stretch};
      const std::vector<std::uint32_t> order = decreasingSize(p);
      const std::vector<std::uint64_t> got = firstFit(p, order);
      std::vector<std::uint64_t> at(p.items.size(), 0);
      for (std::size_t n = 0; n < order.size(); ++n)
        at[order[n]] = lowestByDefinition(p, std::span(order).first(n), at, order[n], 0);
      CHECK(got == at);
    }
  }

  TEST_CASE("first fit of many items with the same times and sizes gives the addresses of the definition") {
    std::mt19937 engine(12);
    for (int round = 0; round < 20; ++round) {
      PackProblem p;
      const std::uint32_t numTimes = 1 + engine() % 4, numSizes = 1 + engine() % 3;
      std::vector<PackSpan> times;
      for (std::uint32_t t = 0; t < numTimes; ++t) {
        const std::uint32_t begin = engine() % 20;
        times.push_back({begin, static_cast<std::uint32_t>(begin + 1 + engine() % 9)});
      }
      for (int i = 0; i < 400; ++i) // the cache of queries has 64 entries
        p.add(4 << engine() % numSizes, std::uint64_t(1) << engine() % 4, times[engine() % numTimes]);
      std::vector<std::uint32_t> order(p.items.size());
      std::iota(order.begin(), order.end(), 0);
      if (round % 2 == 0)
        std::shuffle(order.begin(), order.end(), engine);
      else
        order = decreasingSize(p);
      FirstFitHeap heap(p, order);
      std::vector<std::uint64_t> at(p.items.size(), 0);
      const std::vector<std::uint64_t> starts{0, 0, 100, 1 + engine() % 1000};
      bool equal = true;
      for (std::size_t n = 0; n < order.size(); ++n) {
        const PackItem &item = p.items[order[n]];
        const auto placed = std::span(order).first(n);
        const std::uint64_t from = starts[engine() % starts.size()],
                            asked = starts[engine() % starts.size()]; // some items are queried but not placed there
        const std::uint64_t other = heap.lowest(p.spansOf(item), item.bytes, item.alignment, asked);
        at[order[n]] = heap.lowest(p.spansOf(item), item.bytes, item.alignment, from);
        equal = equal && other == lowestByDefinition(p, placed, at, order[n], asked) &&
                at[order[n]] == lowestByDefinition(p, placed, at, order[n], from);
        heap.insert(p.spansOf(item), at[order[n]], item.bytes);
      }
      CHECK(equal);
    }
  }

  TEST_CASE("vectors and plain loops see the same: masks, scans, hashes") {
    std::mt19937 engine(9);
    std::vector<std::int16_t> begins(64), ends(64);
    std::vector<std::uint32_t> table(90), keys(90), indices;
    for (int round = 0; round < 200; ++round) {
      for (std::size_t k = 0; k < 64; ++k) {
        begins[k] = static_cast<std::int16_t>(engine());
        ends[k] = static_cast<std::int16_t>(engine());
      }
      const auto begin = static_cast<std::int16_t>(engine()), end = static_cast<std::int16_t>(engine());
      CHECK(meetingMask(begins.data(), ends.data(), begin, end) ==
            meetingMaskPortable(begins.data(), ends.data(), begin, end));
      for (std::size_t k = 0; k < table.size(); ++k) {
        table[k] = engine() % 8;
        keys[k] = engine();
      }
      const std::size_t from = engine() % 45, to = from + engine() % 45;
      std::vector<std::size_t> plain, seen;
      std::uint64_t hash = 0;
      std::uint32_t smallest = 100;
      indices.clear();
      for (std::size_t k = from; k < to; ++k) {
        if (table[k] == 3)
          plain.push_back(k);
        smallest = std::min(smallest, table[k]);
        indices.push_back(static_cast<std::uint32_t>(k));
      }
      for (std::size_t k = from; k + 1 < to; k += 2)
        hash += std::uint64_t(table[k] + keys[k]) * (table[k + 1] + keys[k + 1]);
      if ((to - from) % 2 != 0)
        hash += std::uint64_t(table[to - 1] + keys[to - 1]) * keys[to - 1];
      forEachEqual(table.data(), from, to, 3, [&](std::size_t k) { seen.push_back(k); });
      CHECK(seen == plain);
      CHECK(smallestIn(table.data(), from, to, 100) == smallest);
      CHECK(smallestOf(table.data(), indices, 100) == smallest);
      CHECK(hashOf(table.data(), keys.data(), from, to) == hash);
    }
  }

  TEST_CASE("decreasing weight: each item once, full times before empty ones, the larger of two alike first") {
    PackProblem p;
    p.add(8, 1, {0, 4});
    p.add(64, 1, {0, 4});
    p.add(16, 1, {100, 104}); // twice as large as the first, but at times with few other items
    CHECK(decreasingWeight(p) == std::vector<std::uint32_t>{1, 0, 2});
    CHECK(decreasingWeight(PackProblem{}).empty());
    p.items[1].numSpans = 0; // never exists
    CHECK(decreasingWeight(p) == std::vector<std::uint32_t>{2, 0, 1});
  }

  TEST_CASE("sections list the items that exist in them, in the order of first sections") {
    PackProblem p;
    p.add(4, 1, {4, 8});
    p.add(2, 1, {0, 2});
    p.add(6, 1, {0, 6});
    p.add(2, 1, {2, 4});
    const PackSections s = cutIntoSections(p); // sections: items 1 and 2; 2 and 3; 0 and 2
    CHECK(s.original == std::vector<std::uint32_t>{1, 2, 3, 0});
    CHECK(s.unit == 2);
    CHECK(s.firstMember == std::vector<std::uint32_t>{0, 2, 4, 6});
    CHECK(s.members == std::vector<std::uint32_t>{0, 1, 1, 2, 1, 3});
    CHECK(s.total == std::vector<std::uint32_t>{4, 4, 5});
    CHECK(s.fullest == std::vector<std::uint32_t>{4, 5, 4, 5});
    CHECK(s.firstAt == std::vector<std::uint32_t>{0, 2, 3, 4});
  }

  TEST_CASE("an item with a pause leaves its place to another in the pause") {
    PackProblem p;
    p.add(8, 1, {0, 2});
    p.spans.push_back({4, 6});
    p.items[0].numSpans = 2;
    p.add(8, 1, {2, 4});
    const PackResult r = packItems(p, {1000, 0, 0});
    CHECK(r.peak == 8);
    CHECK(r.lowerBound == 8);
    CHECK(valid(p, r.addresses));
  }

  TEST_CASE("searched problems reach the optimum of brute force, and the search proves what is impossible") {
    std::mt19937 engine(7);
    std::size_t improved = 0;
    for (int round = 0; round < 300; ++round) {
      const PackProblem p = randomProblem(engine, 6, 8, round % 3 == 1, round % 3 == 2);
      const std::uint64_t best = optimum(p);
      const PackResult r = packItems(p, {20000, 0, 0});
      INFO("round ", round, " seed 7");
      REQUIRE(valid(p, r.addresses));
      CHECK(r.peak == packPeak(p, r.addresses));
      CHECK(r.peak == best);
      improved += r.peak < packPeak(p, firstFit(p, decreasingWeight(p))) ? 1 : 0;
      if (best > r.lowerBound) {
        const PackSections sections = cutIntoSections(p);
        SearchMemory memory;
        SearchSettings s;
        s.height = static_cast<std::uint32_t>((best - 1) / sections.unit);
        s.maxNodes = 100000;
        CHECK(searchPacking(sections, s, memory).outcome == SearchOutcome::Impossible);
      }
    }
    CHECK(improved > 10); // otherwise the test proves nothing about the search
  }

  TEST_CASE("rectangles cut into pieces are put together again without a gap, as cut, mirrored and scaled") {
    std::mt19937 engine(3);
    std::size_t greedySolved = 0;
    for (int round = 0; round < 12; ++round) {
      PackProblem p = cutRectangle(engine, 40, 1000, 40);
      greedySolved += packPeak(p, firstFit(p, decreasingSize(p))) == 1000 ? 1 : 0;
      for (int kind = 0; kind < 3; ++kind) {
        if (kind == 1)
          for (PackSpan &span : p.spans)
            span = {40 - span.end, 40 - span.begin};
        if (kind == 2)
          for (PackItem &item : p.items)
            item.bytes *= 12;
        const std::uint64_t height = kind == 2 ? 12000 : 1000;
        const PackResult r = packItems(p, {2000000, 0, height});
        INFO("round ", round, " kind ", kind, " nodes ", r.nodes);
        CHECK(r.lowerBound == height);
        CHECK(r.peak == height);
        CHECK(valid(p, r.addresses));
      }
    }
    CHECK(greedySolved < 6);
  }

  TEST_CASE("attempts below a fixed height find easy packings with few nodes") {
    std::mt19937 engine(19);
    std::size_t tried = 0, found = 0;
    for (int round = 0; round < 200; ++round) {
      const PackProblem p = cutRectangle(engine, 20, 100, 10);
      if (packPeak(p, firstFit(p, decreasingWeight(p))) == 100)
        continue;
      ++tried;
      found += packItems(p, {24, 0, 100}).peak == 100 ? 1 : 0;
    }
    REQUIRE(tried > 10);
    CHECK(found == tried);
  }

  TEST_CASE("the budget is kept, counted in nodes; more of it is never worse, and none means first fit") {
    std::mt19937 engine(11);
    const PackProblem p = cutRectangle(engine, 200, 100000, 150);
    const std::uint64_t greedy = packPeak(p, firstFit(p, decreasingWeight(p)));
    CHECK(packItems(p, {}).peak == greedy);
    CHECK(packItems(p, {}).nodes == 0);
    std::uint64_t before = greedy;
    for (const std::uint64_t nodes : {200U, 2000U, 20000U}) {
      const PackResult r = packItems(p, {nodes, 0, 0});
      CHECK(r.nodes <= nodes + 1);
      CHECK(r.peak <= before);
      CHECK(r.addresses == packItems(p, {nodes, 0, 0}).addresses);
      before = r.peak;
    }
    CHECK(before < greedy);
  }

  TEST_CASE("interleaved data that shares is searched, too, and moves only where nothing else lies") {
    std::mt19937 engine(13);
    std::size_t lower = 0;
    for (int round = 0; round < 20; ++round) {
      const PackProblem cut = cutRectangle(engine, 30, 400, 30);
      MemoryZones zones; // data [0, 100), interleaved [100, 1000), past the end
      zones.memoryEnd = 1000;
      zones.regions = {};
      for (ZoneTable &table : zones.spread) {
        table[static_cast<std::size_t>(Placement::Interleaved)] = {{100, 1000}, {1000, ~std::uint64_t(0) / 2}};
        table[static_cast<std::size_t>(Placement::Data)] = {{0, 100}, {100, 1000}, {1000, ~std::uint64_t(0) / 2}};
      }
      LiveRanges ranges;
      ranges.classes = {{0, 0}, {0, 1}}; // classes: never, always
      ranges.intervals = {{StepIndex(0), StepIndex(30)}};
      HeapProblem heap{&zones, &ranges, {}, {}};
      for (const PackItem &item : cut.items) {
        const PackSpan span = cut.spansOf(item)[0];
        ranges.classes.push_back({static_cast<std::uint32_t>(ranges.intervals.size()), 1});
        ranges.intervals.push_back({StepIndex(span.begin), StepIndex(span.end)});
        heap.items.push_back({item.bytes, 1, Placement::Interleaved,
                              LiveClassId(static_cast<std::uint32_t>(ranges.classes.size() - 1)), 0});
      }
      heap.items.push_back({40, 1, Placement::Interleaved, LiveClassId(1), 0}); // below the other items
      heap.items.push_back(
          {round % 2 == 0 ? 50U : 150U, 1, Placement::Data, LiveClassId(1), 0}); // odd: in interleaved memory
      const std::vector<std::uint64_t> plain = packHeap(heap), searched = packHeap(heap, 20000);
      PackProblem all = cut;
      all.add(40, 1, {0, 30});
      all.add(heap.items.back().bytes, 1, {0, 30});
      INFO("round ", round, " seed 13");
      CHECK(valid(all, plain));
      CHECK(valid(all, searched));
      CHECK(heapHeight(heap, searched) <= heapHeight(heap, plain));
      if (round % 2 == 0) // without nodes, the items that share lie by size on [100, 140), and nothing else is tried
        CHECK(heapHeight(heap, plain).first == 140 + packPeak(cut, firstFit(cut, bySize(cut))));
      lower += heapHeight(heap, searched) < heapHeight(heap, plain) ? 1 : 0;
      CHECK(searched == packHeap(heap, 20000));
    }
    CHECK(lower >= 5);
  }

  TEST_CASE("what never shares lies where it is placed one by one, also when it is placed as a stretch") {
    std::mt19937 engine(17);
    std::size_t inOnePiece = 0, inSeveral = 0;
    for (int round = 0; round < 400; ++round) {
      MemoryZones zones; // [64, 400), then [400, 700), then past the end
      zones.memoryEnd = 700;
      for (ZoneTable &table : zones.spread)
        table.fill({{64, 400}, {400, 700}, {700, ~std::uint64_t(0) / 2}});
      LiveRanges ranges;
      ranges.classes = {{0, 0}, {0, 1}, {1, 1}}; // classes: never, always, temporary
      ranges.intervals = {{StepIndex(0), StepIndex(30)}, {StepIndex(5), StepIndex(9)}};
      HeapProblem heap{&zones, &ranges, {}, {}};
      const std::uint32_t others = engine() % 8, count = 1 + engine() % 60; // up to twice the memory
      for (std::uint32_t i = 0; i < others; ++i)                            // they leave gaps
        heap.items.push_back(
            {1 + engine() % 60, 1U << engine() % 6, Placement::Data, LiveClassId(1 + engine() % 2), 0});
      for (std::uint32_t i = 0; i < count; ++i)
        heap.items.push_back({4 * (1 + engine() % 6), 4, Placement::Data, LiveClassId(1), 0});
      const PackProblem times = timesOf(heap);
      const Spread spread = round % 2 == 0 ? Spread::Apart : Spread::FromZero;
      TileHeap oneByOne(heap, times, spread), asStretch(heap, times, spread);
      for (std::uint32_t i = 0; i < others; ++i) {
        oneByOne.place(i);
        asStretch.place(i);
      }
      for (std::uint32_t i = others; i < others + count; ++i)
        oneByOne.place(i);
      const std::vector<HeapStretch> stretches = stretchesOf(heap, std::vector<bool>(heap.items.size()));
      REQUIRE(stretches.back().first + stretches.back().count == heap.items.size());
      REQUIRE(stretches.back().first <= others); // one of the other items may be plain, too
      asStretch.place(HeapStretch{others, count});
      INFO("round ", round, " seed 17");
      REQUIRE(asStretch.addresses() == oneByOne.addresses());
      CHECK(asStretch.endOfBlocks(64, 400) == oneByOne.endOfBlocks(64, 400));
      bool together = true;
      for (std::uint32_t i = others + 1; i < others + count; ++i)
        together = together && oneByOne.addresses()[i] == oneByOne.addresses()[i - 1] + heap.items[i - 1].bytes;
      ++(together ? inOnePiece : inSeveral);
    }
    CHECK(inOnePiece > 50);
    CHECK(inSeveral > 50);
  }

  TEST_CASE("stretches are runs of plain items of one kind, and single others") {
    HeapProblem heap;
    const HeapItem plain{8, 4, Placement::Data, LiveClassId(1), 0};
    heap.items.assign(9, plain);
    heap.items[2].placement = heap.items[3].placement = Placement::Code;
    heap.items[5].alignment = 8;
    heap.items[6].bytes = 6;
    heap.items[7].occupied = LiveClassId(2);
    std::vector<bool> bound(9);
    bound[1] = true;
    const std::vector<HeapStretch> expected{{0, 1}, {1, 1}, {2, 2}, {4, 1}, {5, 1}, {6, 1}, {7, 1}, {8, 1}};
    CHECK(stretchesOf(heap, bound) == expected);
    heap.items.assign(9, plain);
    CHECK(stretchesOf(heap, std::vector<bool>(9)) == std::vector<HeapStretch>{{0, 9}});
  }

  TEST_CASE("sizes that no 31 bits hold are packed by first fit, without a search") {
    PackProblem p;
    p.add((std::uint64_t(1) << 40) + 1, 1, {0, 2});
    p.add((std::uint64_t(1) << 41) + 3, 1, {1, 3});
    CHECK(cutIntoSections(p).numItems() == 0);
    CHECK(packItems(p, {1000, 0, 0}).peak == (std::uint64_t(3) << 40) + 4);
  }
}
