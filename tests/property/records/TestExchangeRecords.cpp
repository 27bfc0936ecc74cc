// Compares the profile's records of the messages of an exchange with references that handle messages one by one.
#include "engine/collect/CollectTraffic.hpp"
#include "engine/collect/ReceivedMessages.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <random>
#include <utility>

using namespace popscope;

namespace {

constexpr std::uint32_t kTilesPerIpu = 1472;

/// Returns one exchange of `messages` random messages among `tiles` tiles, executed by `steps` steps; sorted by
/// receiver or unsorted.
StepProgram randomExchange(std::mt19937 &random, std::uint32_t tiles, std::size_t messages, std::size_t steps,
                           bool byReceiver) {
  StepProgram program;
  program.numTiles = tiles;
  for (std::uint32_t tile = 0; tile < tiles; ++tile) {
    Home home;
    home.tile = TileId(tile);
    (void)program.homes.push(home);
    ExchangeTile row;
    row.tile = TileId(tile);
    row.buses = static_cast<std::uint32_t>(1 + random() % 2);
    program.exchangeTiles.push_back(row);
  }
  for (std::size_t m = 0; m < messages; ++m) {
    Message message;
    message.src = HomeId(static_cast<std::uint32_t>(random() % tiles));
    message.dst = HomeId(static_cast<std::uint32_t>(random() % (1 + random() % tiles))); // some tiles receive more
    message.bytes = Bytes32(static_cast<std::uint32_t>(4 * (1 + random() % 3)));
    program.messages.push_back(message);
  }
  if (byReceiver)
    std::stable_sort(program.messages.begin(), program.messages.end(),
                     [](const Message &a, const Message &b) { return a.dst < b.dst; });
  ExchangeStep exchange;
  exchange.numMessages = static_cast<std::uint32_t>(messages);
  exchange.numTiles = tiles;
  program.exchanges.push_back(exchange);
  for (std::size_t s = 0; s < steps; ++s) {
    Step step;
    step.kind = StepKind::DoExchange;
    (void)program.steps.push(step);
  }
  return program;
}

using Groups = std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t>; // bytes by sender and receiver

Groups groupsOf(const StepProgram &program, unsigned level) {
  Groups groups;
  for (const Message &m : program.messages)
    groups[{m.src.index() >> level, m.dst.index() >> level}] += m.bytes.count();
  return groups;
}

} // namespace

TEST_SUITE("exchange records") {
  TEST_CASE("traffic is told in the smallest groups of which there are few enough pairs") {
    std::mt19937 random(17);
    unsigned grouped = 0, exact = 0;
    for (int i = 0; i < 60; ++i) {
      CAPTURE(i);
      const auto tiles = std::array<std::uint32_t, 6>{1, 5, 100, 1472, 5888, 94208}[static_cast<std::size_t>(i % 6)];
      const std::size_t steps = i % 3 == 0 ? 1 : 20000, most = i % 3 == 0 ? 4096 : 64; // the limits of the collector
      const StepProgram program = randomExchange(random, tiles, random() % 9000, steps, i % 2 == 0);
      const TrafficRecord record =
          TrafficCollector(program).of(program.exchanges[0], tileMessages(program, program.exchanges[0]));
      unsigned level = 0;
      while (groupsOf(program, level).size() > most)
        ++level;
      (level > 0 ? grouped : exact) += 1;
      CHECK(record.tilesPerGroup == 1U << level);
      Groups told;
      for (std::size_t pair = 0; pair < record.bytes.size(); ++pair)
        told[{record.fromGroups.at(pair), record.toGroups.at(pair)}] += record.bytes[pair];
      CHECK(told == groupsOf(program, level));
      CHECK(told.size() == record.bytes.size());
      std::vector<std::pair<std::uint32_t, std::uint32_t>> order;
      for (std::size_t pair = 0; pair < record.bytes.size(); ++pair)
        order.emplace_back(record.fromGroups[pair], record.toGroups[pair]);
      CHECK(std::is_sorted(order.begin(), order.end()));
    }
    StepProgram program =
        randomExchange(random, 256, 0, 20000, true); // 128 pairs of tiles, and 64 pairs of groups, which is the limit
    for (std::uint32_t tile = 0; tile < 128; ++tile) {
      Message message;
      message.src = HomeId(tile);
      message.dst = HomeId(128 + tile);
      message.bytes = Bytes32(4);
      program.messages.push_back(message);
    }
    program.exchanges[0].numMessages = 128;
    CHECK(
        TrafficCollector(program).of(program.exchanges[0], tileMessages(program, program.exchanges[0])).tilesPerGroup ==
        2);
    CHECK(grouped > 20);
    CHECK(exact > 10);
  }

  TEST_CASE("each tile's messages are told by size, with the distance of the furthest sender") {
    std::mt19937 random(18);
    for (int i = 0; i < 40; ++i) {
      CAPTURE(i);
      const auto tiles = std::array<std::uint32_t, 4>{1, 7, 1472, 2944}[static_cast<std::size_t>(i % 4)];
      const StepProgram program = randomExchange(random, tiles, random() % 4000, 2, i % 2 == 0);
      // number of messages by tile, then by bytes
      std::map<std::uint32_t, std::map<std::uint32_t, std::uint32_t>> sizes;
      std::map<std::uint32_t, std::uint64_t> distance;
      for (const Message &m : program.messages) {
        ++sizes[m.dst.index()][m.bytes.count()];
        const int from = static_cast<int>(m.src.index() % kTilesPerIpu),
                  to = static_cast<int>(m.dst.index() % kTilesPerIpu);
        distance[m.dst.index()] = std::max<std::uint64_t>(distance[m.dst.index()], std::abs(from - to));
      }
      const ReceivedMessages received(program, kTilesPerIpu, Threads{static_cast<unsigned>(1 + i % 3)});
      const std::vector<MessageSizesRecord> all = received.sizes();
      ProgramTilesRecord record;
      received.collect(program.exchanges[0], tileMessages(program, program.exchanges[0]), record);
      REQUIRE(record.messageSizes.size() == sizes.size());
      for (const auto &[tile, number] : record.messageSizes) {
        const MessageSizesRecord &row = all.at(number - 1);
        std::map<std::uint32_t, std::uint32_t> told;
        for (std::size_t k = 0; k < row.bytes.size(); ++k)
          told[row.bytes[k]] += row.messages.at(k);
        CHECK(told == sizes.at(tile));
        CHECK(std::is_sorted(row.bytes.begin(), row.bytes.end()));
        CHECK(row.buses == program.exchangeTiles[tile].buses);
      }
      TileValues wanted;
      for (const auto &[tile, far] : distance)
        if (far != 0)
          wanted.emplace_back(tile, far);
      CHECK(record.receiveDistance == wanted);
    }
  }
}
