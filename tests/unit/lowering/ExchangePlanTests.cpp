#include "GraphFixture.hpp"
#include <doctest/doctest.h>
#include <poplar/exceptions.hpp>

using namespace popscope;

namespace {

const ExchangeTile &rowOf(const StepProgram &p, std::size_t exchange, std::uint32_t tile) {
  const ExchangeStep &e = p.exchanges.at(exchange);
  for (std::uint32_t t = e.firstTile; t < e.firstTile + e.numTiles; ++t)
    if (p.exchangeTiles[t].tile == TileId(tile))
      return p.exchangeTiles[t];
  FAIL("tile has no row");
  return p.exchangeTiles.front();
}

} // namespace

TEST_SUITE("lowering.exchange") {

  TEST_CASE("data sent to several tiles count once at the sender") {
    GraphFixture f(4);
    const auto a = f.onTile("a", 8, 0);
    const auto b = f.var("b", 24, {{0, 8, TileId(1)}, {8, 16, TileId(2)}, {16, 24, TileId(3)}});
    const View thrice = GraphFixture::concat(GraphFixture::concat(f.all(a), f.all(a)), f.all(a));
    const StepProgram p = f.lower({f.copy(thrice, f.all(b))});
    CHECK(rowOf(p, 0, 0).bytesSent.count() == 32);
    CHECK(rowOf(p, 0, 0).bytesReceived.count() == 0);
    CHECK(rowOf(p, 0, 2).bytesReceived.count() == 32);
    // Sender: delay, one send, sync, return. Receiver: mux, pointer, neutralise, sync, return.
    CHECK(rowOf(p, 0, 0).instructions == 4);
    CHECK(rowOf(p, 0, 2).instructions == 5);
    CHECK(rowOf(p, 0, 2).codeBytes.count() == 20);
  }

  TEST_CASE("an exchange moves whole words: pieces of halves that begin or end within a word") {
    GraphFixture f(2);
    const CostModel costs(f.graph.machine);
    const auto latency = costs.exchangeLatency(TileId(0), TileId(1)).count();
    const auto halves = [&](std::vector<std::pair<std::uint32_t, std::uint32_t>> pieces, std::uint32_t words,
                            std::uint32_t sentWords) {
      std::uint32_t elements = 0;
      for (const auto &[begin, end] : pieces)
        elements += end - begin;
      const auto a = f.onTile("a", 64, 0, ElementType::Half), b = f.onTile("b", elements, 1, ElementType::Half);
      View from = f.slice(a, pieces[0].first, pieces[0].second);
      for (std::size_t i = 1; i < pieces.size(); ++i)
        from = GraphFixture::concat(from, f.slice(a, pieces[i].first, pieces[i].second));
      const StepProgram p = f.lower({f.copy(from, f.all(b))});
      CHECK(rowOf(p, 0, 0).bytesSent.count() == 4 * sentWords);
      CHECK(rowOf(p, 0, 1).bytesReceived.count() == 4 * words);
      CHECK(rowOf(p, 0, 1).transfer.count() == words);
      CHECK(rowOf(p, 0, 1).latency.count() == latency);
    };
    halves({{0, 2}}, 1, 1);
    halves({{1, 3}}, 2, 2); // |. a1|a2 .|
    halves({{1, 9}}, 5, 5);
    halves({{0, 3}}, 2, 2);
    halves({{1, 3}, {9, 11}, {17, 19}}, 6, 6);
  }

  TEST_CASE("what each part of an exchange takes is the machine's to say") {
    GraphFixture f(3);
    CodeModel &code = f.graph.machine.code;
    code.exchangeFrameInstr = 1000;
    code.exchangeDelayInstr = 100;
    code.exchangeSendInstr = 10;
    code.exchangePointerInstr = 7;
    code.exchangeSenderInstr = 20;
    code.exchangeEndInstr = 300;
    const auto a = f.onTile("a", 130, 0), b = f.onTile("b", 8, 1), c = f.onTile("c", 138, 2);
    const StepProgram p = f.lower({f.copy(GraphFixture::concat(f.all(a), f.all(b)), f.all(c))});
    CHECK(rowOf(p, 0, 0).instructions == 1000 + 100 + 3 * 10);         // 64, 64 and 2 words
    CHECK(rowOf(p, 0, 2).instructions == 1000 + 2 * 7 + 2 * 20 + 300); // from two senders
    CHECK(rowOf(p, 0, 2).codeBytes.count() == rowOf(p, 0, 2).instructions * code.instructionBytes);
  }

  TEST_CASE("a send instruction carries 64 words at most") {
    GraphFixture f(2);
    const auto a = f.onTile("a", 130, 0), b = f.onTile("b", 130, 1);
    CHECK(rowOf(f.lower({f.copy(f.all(a), f.all(b))}), 0, 0).instructions == 2 + 1 + 3);
  }

  TEST_CASE("neighbours that receive the same data share one bus of twice the width") {
    GraphFixture f(4);
    const auto a = f.onTile("a", 64, 0);
    const auto b = f.var("b", 128, {{0, 64, TileId(2)}, {64, 128, TileId(3)}}); // a pair
    const auto c = f.var("c", 128, {{0, 64, TileId(1)}, {64, 128, TileId(2)}}); // not a pair
    const View twice = GraphFixture::concat(f.all(a), f.all(a));
    const CostModel costs(f.graph.machine);
    const auto cycles = [&](std::uint32_t from, std::uint32_t to, bool shared) {
      return costs.exchangeLatency(TileId(from), TileId(to)).count() +
             costs.exchangeTransfer(Bytes(256), shared ? 2 : 1).count();
    };
    const StepProgram pair = f.lower({f.copy(twice, f.all(b))});
    CHECK(rowOf(pair, 0, 2).cycles.count() == cycles(0, 2, true));
    CHECK(rowOf(pair, 0, 3).cycles.count() == cycles(0, 3, true));
    CHECK(cycles(0, 2, true) < cycles(0, 2, false));
    const StepProgram apart = f.lower({f.copy(twice, f.all(c))});
    CHECK(rowOf(apart, 0, 1).cycles.count() == cycles(0, 1, false));
    CHECK(rowOf(apart, 0, 2).cycles.count() == cycles(0, 2, false));
    LoweringOptions off;
    off.sharedExchangeBus = false;
    CHECK(rowOf(f.lower({f.copy(twice, f.all(b))}, off), 0, 2).cycles.count() == cycles(0, 2, false));
  }

  TEST_CASE("of a group of any size those share their buses that receive the same data") {
    GraphFixture f(8);
    f.graph.machine.exchange.tilesPerSharedBus = 4;
    const auto a = f.onTile("a", 64, 0), other = f.onTile("other", 64, 1);
    // Tiles 4, 5 and 6 of the second group and tile 3 of the first receive a; tile 7 receives other data.
    const auto b = f.var("b", 320,
                         {{0, 64, TileId(3)},
                          {64, 128, TileId(4)},
                          {128, 192, TileId(5)},
                          {192, 256, TileId(6)},
                          {256, 320, TileId(7)}});
    View from = f.all(a);
    for (int i = 0; i != 3; ++i)
      from = GraphFixture::concat(from, f.all(a));
    const StepProgram p = f.lower({f.copy(GraphFixture::concat(from, f.all(other)), f.all(b))});
    const CostModel costs(f.graph.machine);
    const auto cycles = [&](std::uint32_t sender, std::uint32_t tile, std::uint32_t buses) {
      return costs.exchangeLatency(TileId(sender), TileId(tile)).count() +
             costs.exchangeTransfer(Bytes(256), buses).count();
    };
    CHECK(rowOf(p, 0, 3).cycles.count() == cycles(0, 3, 1));
    for (const std::uint32_t tile : {4, 5, 6})
      CHECK(rowOf(p, 0, tile).cycles.count() == cycles(0, tile, 3));
    CHECK(rowOf(p, 0, 7).cycles.count() == cycles(1, 7, 1));
    CHECK(costs.exchangeTransfer(Bytes(256), 3) == Cycles(22)); // 64 words, three a cycle
  }

  TEST_CASE("neighbours share their buses message by message, if asked to") {
    GraphFixture f(6);
    // Tiles 2 and 3 are a pair: both receive a, and each receives 64 words of its own. Tile 4 receives a, too, but is
    // not in the pair.
    const auto a = f.onTile("a", 64, 0), own = f.onTile("own", 128, 1);
    const auto b = f.var("b", 320, {{0, 128, TileId(2)}, {128, 256, TileId(3)}, {256, 320, TileId(4)}});
    View from = GraphFixture::concat(f.all(a), f.slice(own, 0, 64));
    from = GraphFixture::concat(from, GraphFixture::concat(f.all(a), f.slice(own, 64, 128)));
    const ProgramPtr copy = f.copy(GraphFixture::concat(from, f.all(a)), f.all(b));
    LoweringOptions messages;
    messages.sharedMessages = true;
    const StepProgram whole = f.lower({copy}), shared = f.lower({copy}, messages);
    for (const std::uint32_t tile : {2, 3}) {
      CHECK(rowOf(whole, 0, tile).transfer.count() == 128);
      CHECK(rowOf(shared, 0, tile).transfer.count() == 32 + 64);
      CHECK(rowOf(shared, 0, tile).buses == 0); // the number of buses differs between messages
      CHECK((rowOf(whole, 0, tile).cycles - rowOf(shared, 0, tile).cycles).count() == 32);
    }
    CHECK(rowOf(shared, 0, 4).transfer.count() == 64);
    CHECK(rowOf(shared, 0, 4).buses == 1);
    // If all tiles receive the same, both rules agree.
    const auto both = f.var("both", 128, {{0, 64, TileId(2)}, {64, 128, TileId(3)}});
    const ProgramPtr twice = f.copy(GraphFixture::concat(f.all(a), f.all(a)), f.all(both));
    CHECK(rowOf(f.lower({twice}, messages), 0, 2).transfer.count() == 32);
    CHECK(rowOf(f.lower({twice}, messages), 0, 2).buses == 2);
    f.graph.machine.exchange.busSharing = false;
    CHECK(rowOf(f.lower({copy}, messages), 0, 2).transfer.count() == 128);
  }

  TEST_CASE("a receiver sets its multiplexer while words arrive: that costs time only where there are more controls "
            "than words") {
    GraphFixture f(4);
    const auto a = f.var("a", 2, {{0, 1, TileId(0)}, {1, 2, TileId(1)}}), b = f.onTile("b", 2, 3);
    const StepProgram p = f.lower({f.copy(f.all(a), f.all(b))});
    const CostModel costs(f.graph.machine);
    const ExchangeTile &row = rowOf(p, 0, 3);
    CHECK(row.messagesReceived == 2);
    CHECK(row.instructions == 2 + 2 + 1 + 2);
    const std::uint64_t latency =
        std::max(costs.exchangeLatency(TileId(0), TileId(3)), costs.exchangeLatency(TileId(1), TileId(3))).count();
    // for the second sender: listen to it, and set the address for its word
    CHECK(costs.exchangeControls(2).count() == 6);
    CHECK(row.cycles.count() == latency + 6); // more than the two words take
    // The same words go to two variables. If a single sender sends to two variables, only the address changes.
    const auto c = f.onTile("c", 1, 2), d = f.onTile("d", 1, 2);
    const StepProgram q = f.lower({f.copy(f.all(a), GraphFixture::concat(f.all(c), f.all(d)))});
    const std::uint64_t far =
        std::max(costs.exchangeLatency(TileId(0), TileId(2)), costs.exchangeLatency(TileId(1), TileId(2))).count();
    CHECK(rowOf(q, 0, 2).cycles.count() == far + 6);
    const auto e = f.onTile("e", 2, 0);
    const StepProgram r = f.lower({f.copy(f.all(e), GraphFixture::concat(f.all(c), f.all(d)))});
    CHECK(rowOf(r, 0, 2).cycles == costs.exchangeLatency(TileId(0), TileId(2)) + costs.exchangeControls(1));
    // Two messages of one sender that arrive next to each other need no control.
    const auto g = f.onTile("g", 3, 0);
    const StepProgram s = f.lower({f.copy(f.strided(g, 0, 2, 2), f.all(b))});
    CHECK(rowOf(s, 0, 3).messagesReceived == 2);
    CHECK(rowOf(s, 0, 3).controls == 0);
  }

  TEST_CASE("a global exchange takes the link's time for all bytes between two IPUs") {
    GraphFixture f(2, 2);
    const auto a = f.var("a", 64, {{0, 32, TileId(0)}, {32, 64, TileId(1)}}), b = f.onTile("b", 64, 3);
    const StepProgram p = f.lower({f.copy(f.all(a), f.all(b))});
    CHECK(rowOf(p, 0, 3).cycles.count() == 100 + 256 / 2); // one hop, and the rate of the machine
  }

  TEST_CASE("a tile's port limits a global exchange if links are faster") {
    GraphFixture f(2, 3); // tiles 0 and 1, 2 and 3, 4 and 5
    LinkModel &link = f.graph.machine.link;
    link.setupCycles = 100;
    link.latencyCycles = 0;
    link.bytesPerCycle = 32;
    REQUIRE(f.graph.machine.exchange.bytesPerCycle == 4);
    // Both tiles of IPU 0 and one of IPU 1 send 128 B each to tile 4, whose port takes 384 B.
    const auto a = f.onTile("a", 32, 0), b = f.onTile("b", 32, 1), c = f.onTile("c", 32, 2), d = f.onTile("d", 96, 4);
    const StepProgram p =
        f.lower({f.copy(GraphFixture::concat(GraphFixture::concat(f.all(a), f.all(b)), f.all(c)), f.all(d))});
    CHECK(rowOf(p, 0, 4).cycles.count() == 100 + 384 / 4);
    for (const std::uint32_t sender : {0, 1, 2})
      CHECK(rowOf(p, 0, sender).cycles.count() == 100 + 128 / 4);
    link.bytesPerCycle = 2; // now the link is slower than the port
    const StepProgram q = f.lower({f.copy(f.all(a), f.all(c))});
    CHECK(rowOf(q, 0, 0).cycles.count() == 100 + 128 / 2);
    CHECK(rowOf(q, 0, 2).cycles.count() == 100 + 128 / 2);
  }

  TEST_CASE("flows that one constraint names share its rate; the two directions of a pair of IPUs do not") {
    GraphFixture f(2, 4); // tiles 2 i and 2 i + 1 are on IPU i
    LinkModel &link = f.graph.machine.link;
    link.setupCycles = 100;
    link.latencyCycles = 0;
    link.bytesPerCycle = 4;
    const double bits = 8 * f.graph.machine.clockHz;           // per second, of one byte per cycle
    link.constraints = {{2 * bits, {{0, 1}, {2, 1}, {3, 1}}}}; // everything that IPU 1 receives
    const auto a = f.onTile("a", 32, 0), b = f.onTile("b", 8, 4), c = f.onTile("c", 8, 3), d = f.onTile("d", 32, 2),
               e = f.onTile("e", 8, 3), g = f.onTile("g", 8, 1);
    const auto cat = [](const View &x, const View &y) { return GraphFixture::concat(x, y); };
    // In one exchange, 128 bytes go from IPU 0 to IPU 1, 32 bytes from IPU 2 to IPU 1, and 32 bytes from IPU 1 to IPU 0.
    const StepProgram p =
        f.lower({f.copy(cat(cat(f.all(a), f.all(b)), f.all(c)), cat(cat(f.all(d), f.all(e)), f.all(g)))});
    for (const std::uint32_t tile : {0, 2, 4})
      CHECK(rowOf(p, 0, tile).cycles.count() == 100 + (128 + 32) / 2);
    CHECK(rowOf(p, 0, 3).cycles.count() == 100 + (128 + 32) / 2); // it receives from IPU 2 and sends to IPU 0
    CHECK(rowOf(p, 0, 1).cycles.count() == 100 + 32 / 4);         // the other direction has the general rate
    // A constraint that names both directions stands for a link that carries only one of them at a time.
    link.constraints.push_back({1 * bits, {{0, 1}, {1, 0}}});
    const StepProgram q =
        f.lower({f.copy(cat(cat(f.all(a), f.all(b)), f.all(c)), cat(cat(f.all(d), f.all(e)), f.all(g)))});
    for (const std::uint32_t tile : {0, 1, 2, 3})
      CHECK(rowOf(q, 0, tile).cycles.count() == 100 + (128 + 32) / 1);
    CHECK(rowOf(q, 0, 4).cycles.count() == 100 + (128 + 32) / 2); // IPU 2 shares only the first constraint
  }

  TEST_CASE("the replicas of a graph exchange at the same time, so their flows share constraints, too") {
    GraphFixture f(2, 2);
    f.graph.replicationFactor = 3; // on the IPUs 0 and 1, 2 and 3, 4 and 5
    LinkModel &link = f.graph.machine.link;
    link.setupCycles = 100;
    link.latencyCycles = 0;
    link.constraints = {{2 * 8 * f.graph.machine.clockHz, {{0, 1}, {4, 5}}}}; // 2 bytes per cycle
    const auto a = f.onTile("a", 32, 0), b = f.onTile("b", 32, 3);
    const StepProgram p = f.lower({f.copy(f.all(a), f.all(b))});
    for (const std::uint32_t tile : {0, 3})
      CHECK(rowOf(p, 0, tile).cycles.count() == 100 + 2 * 128 / 2);
  }

  TEST_CASE("a round trip between two IPUs in one exchange takes as long as its longer way") {
    GraphFixture f(2, 2);
    LinkModel &link = f.graph.machine.link;
    link.setupCycles = 100;
    link.latencyCycles = 0;
    const auto a = f.onTile("a", 96, 0), b = f.onTile("b", 32, 2), to = f.onTile("to", 96, 2),
               back = f.onTile("back", 32, 0);
    const ProgramPtr both =
        f.copy(GraphFixture::concat(f.all(a), f.all(b)), GraphFixture::concat(f.all(to), f.all(back)));
    for (const double rate : {2.0, 1000.0}) { // limited by the link, and by the ports of 4 bytes per cycle
      CAPTURE(rate);
      link.bytesPerCycle = rate;
      const StepProgram p = f.lower({both});
      for (const std::uint32_t tile : {0, 2})
        CHECK(rowOf(p, 0, tile).cycles.count() == 100 + 96 * 4 / std::min(rate, 4.0));
    }
  }

  TEST_CASE("links so slow that cycles of an exchange take more than 32 bits are refused") {
    GraphFixture f(2, 2);
    const auto a = f.onTile("a", 64, 0), b = f.onTile("b", 64, 3);
    const ProgramPtr program = GraphFixture::copy(f.all(a), f.all(b));
    constexpr std::uint64_t kMost = 0xffffffffU;
    f.graph.machine.link.latencyCycles = static_cast<std::uint32_t>(kMost - 128); // 256 bytes take 128 more
    const StepProgram p = f.lower({program});
    CHECK(rowOf(p, 0, 3).cycles.count() == kMost);
    ++f.graph.machine.link.latencyCycles;
    const std::string text = messageOf<poplar::poplar_error>([&] { f.lower({program}); });
    CHECK(contains(text, "256 bytes take 4294967296 cycles from IPU 0 to IPU 1"));
    CHECK(contains(text, "/link/latencyCycles"));
  }

  TEST_CASE("every byte that is received was sent: rows add up to the messages") {
    GraphFixture f(4);
    const auto a = f.var("a", 8, {{0, 3, TileId(0)}, {3, 8, TileId(2)}}),
               b = f.var("b", 8, {{0, 5, TileId(1)}, {5, 8, TileId(3)}});
    const StepProgram p = f.lower({f.copy(f.all(a), f.all(b))});
    std::uint64_t sent = 0, received = 0;
    for (const ExchangeTile &row : p.exchangeTiles) {
      sent += row.bytesSent.count();
      received += row.bytesReceived.count();
    }
    CHECK(sent == 32);
    CHECK(received == 32);
  }
}
