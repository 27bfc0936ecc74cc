#include "report/whatif/MessageCosts.hpp"

#include <doctest/doctest.h>

#include <map>
#include <random>
#include <set>
#include <tuple>

using namespace popscope;

TEST_SUITE("whatif") {
  TEST_CASE("messages of exchanges have the numbers and cycles that a map gives them, however many there are") {
    constexpr std::size_t kKinds = 3, kTiles = 2000;
    std::size_t asked = 0;
    const auto cost = [&](std::size_t kind, const TileMessages &m) {
      ++asked;
      return (kind + 1) * m.sent + 7 * m.sizes + 11 * m.distance + 13 * m.controls + 17 * m.transfer;
    };
    MessageCosts costs(kKinds, cost);
    std::mt19937_64 random(5);
    std::size_t distinct = 0;
    for (int exchange = 0; exchange < 80; ++exchange) {
      // There are few kinds of messages, or so many that earlier ones are forgotten; some numbers exceed 32 bits.
      const std::uint64_t range = exchange % 2 == 0 ? 3 : 1000, high = exchange % 5 == 0 ? std::uint64_t(1) << 32 : 0;
      std::vector<std::uint64_t> of[5];
      for (auto &numbers : of)
        for (std::size_t t = 0; t < kTiles; ++t)
          numbers.push_back(random() % range + (t % 2 == 0 ? high : 0));
      // Some transfers are unknown, and the small numbers of the others fit into one key.
      if (exchange % 3 == 0)
        of[4].assign(kTiles, 0);
      const bool empty = exchange % 6 == 0;
      costs.begin({of[0], of[1], of[2], of[3], empty ? std::span<const std::uint64_t>() : of[4]});
      std::map<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>, std::uint32_t>
          seen;
      REQUIRE(costs.numbers().size() == kTiles);
      std::size_t wrong = 0;
      for (std::size_t t = 0; t < kTiles; ++t) {
        const std::uint32_t number = costs.numbers()[t];
        const auto [at, isNew] = seen.try_emplace({of[0][t], of[1][t], of[2][t], of[3][t], of[4][t]}, number);
        wrong += at->second == number ? 0 : 1;
        for (std::size_t kind = 0; kind < kKinds; ++kind)
          wrong += costs.cycles(number)[kind] == cost(kind, {of[0][t], of[1][t], of[2][t], of[3][t], of[4][t]}) ? 0 : 1;
      }
      CHECK(wrong == 0);
      std::vector<std::uint64_t> first;
      for (std::size_t t = 0; t < kTiles; ++t)
        first.push_back(cost(0, {of[0][t], of[1][t], of[2][t], of[3][t], of[4][t]}));
      CHECK(costs.firstAre(first));
      ++first[random() % kTiles];
      CHECK(!costs.firstAre(first));
      std::set<std::uint32_t> numbers;
      for (const auto &entry : seen)
        numbers.insert(entry.second);
      CHECK(numbers.size() == seen.size());
      CHECK(numbers == std::set<std::uint32_t>(costs.ofExchange().begin(), costs.ofExchange().end()));
      CHECK(costs.ofExchange().size() == seen.size());
      distinct += seen.size();
      asked -= (kKinds + 1) * kTiles;
    }
    CHECK(asked < kKinds * distinct); // messages of an earlier exchange are not estimated again
  }
}
