// Compares the order of functions (callees first) and cycles of calls with a simple search.
#include "graph/steps/OrderCalls.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

using namespace popscope;

namespace {

using Callees = std::vector<std::vector<std::uint32_t>>;
using Functions = std::vector<std::uint32_t>;

bool calls(const Callees &callees, std::uint32_t from, std::uint32_t to) {
  return std::find(callees[from].begin(), callees[from].end(), to) != callees[from].end();
}

/// Returns the number of calls on the shortest path from `from` to `to`, at least one; 0 = there is none.
std::size_t wayBetween(const Callees &callees, std::uint32_t from, std::uint32_t to) {
  std::vector<bool> at(callees.size());
  at[from] = true;
  for (std::size_t length = 1; length <= callees.size(); ++length) {
    std::vector<bool> next(callees.size());
    for (std::uint32_t f = 0; f != callees.size(); ++f)
      for (const std::uint32_t callee : callees[f])
        next[callee] = next[callee] || at[f];
    if (next[to])
      return length;
    at = next;
  }
  return 0;
}

void complete(const Callees &callees, std::uint32_t function, std::vector<bool> &seen, Functions &order) {
  if (seen[function])
    return;
  seen[function] = true;
  for (const std::uint32_t callee : callees[function])
    complete(callees, callee, seen, order);
  order.push_back(function);
}

} // namespace

TEST_SUITE("steps.order_calls") {

  TEST_CASE("callees come first, in the order in which a search from the lowest function ends") {
    CHECK(orderCalls({}).calleesFirst.empty());
    // 0 -> 2, 1; 2 -> 3; 1 -> 3
    const CallOrder order = orderCalls({{2, 1}, {3}, {3}, {}});
    CHECK(order.calleesFirst == Functions{3, 2, 1, 0});
    CHECK(order.cycle.empty());
  }

  TEST_CASE("a chain of calls may be long") {
    Callees chain(1000000);
    for (std::uint32_t f = 0; f + 1 != chain.size(); ++f)
      chain[f].push_back(f + 1);
    CHECK(orderCalls(chain).calleesFirst.front() == chain.size() - 1);
    chain.back().push_back(0);
    CHECK(orderCalls(chain).cycle.size() == chain.size());
  }

  TEST_CASE("a cycle is a shortest one of the lowest function that has one") {
    CHECK(orderCalls({{0}}).cycle == Functions{0});
    CHECK(orderCalls({{1}, {2}, {3}, {1}}).cycle == Functions{1, 2, 3});
    CHECK(orderCalls({{1, 3}, {2}, {0}, {0}}).cycle == Functions{0, 3});
  }

  TEST_CASE("random calls: the order or the cycle is what the plain search finds") {
    std::mt19937 random(7);
    std::size_t cyclic = 0;
    for (int run = 0; run != 2000; ++run) {
      CAPTURE(run);
      Callees callees(1 + random() % 12);
      for (std::size_t n = random() % (2 * callees.size()); n != 0; --n) {
        const auto from = static_cast<std::uint32_t>(random() % callees.size());
        const auto to = static_cast<std::uint32_t>(random() % callees.size());
        if (run % 2 == 0 || from < to) // every other graph has no cycle
          callees[from].push_back(to);
      }
      std::uint32_t lowest = 0;
      while (lowest != callees.size() && wayBetween(callees, lowest, lowest) == 0)
        ++lowest;
      const CallOrder order = orderCalls(callees);
      if (lowest == callees.size()) {
        std::vector<bool> seen(callees.size());
        Functions expected;
        for (std::uint32_t f = 0; f != callees.size(); ++f)
          complete(callees, f, seen, expected);
        CHECK(order.calleesFirst == expected);
        CHECK(order.cycle.empty());
        continue;
      }
      ++cyclic;
      REQUIRE(order.cycle.size() == wayBetween(callees, lowest, lowest));
      CHECK(order.cycle.front() == lowest);
      CHECK(order.calleesFirst.empty());
      for (std::size_t i = 0; i != order.cycle.size(); ++i)
        CHECK(calls(callees, order.cycle[i], order.cycle[(i + 1) % order.cycle.size()]));
    }
    CHECK(cyclic > 300);
  }
}
