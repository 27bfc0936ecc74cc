#include "GraphFixture.hpp"
#include <doctest/doctest.h>

using namespace popscope;

namespace {

std::size_t linesWith(const std::string &text, const std::string &part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

std::string dumpAsSent(const GraphFixture &f, const std::vector<ProgramPtr> &programs) {
  LoweringOptions options;
  options.sortsAsSent = true;
  return dumpSteps(f.lower(programs, options));
}

/// Two rows of four words, one on tile 0 and one on tile 1, and the view that has them by columns.
struct TwoRows {
  explicit TwoRows(GraphFixture &f) : x(f.var("x", 8, {{0, 4, TileId(0)}, {4, 8, TileId(1)}})) {
    for (std::uint64_t column = 0; column < 4; ++column)
      for (const std::uint64_t row : {0, 4})
        turned = GraphFixture::concat(turned, f.slice(x, row + column, row + column + 1));
  }
  GraphVarId x;
  View turned;
};

} // namespace

TEST_SUITE("lowering.words") {

  TEST_CASE("halves that lie across words arrive beside what is around them and are copied to their places") {
    GraphFixture f;
    const auto x = f.onTile("x", 8, 0, ElementType::Half), y = f.onTile("y", 4, 1, ElementType::Half);
    const auto cs = f.computeSet("cs");
    f.vertex(cs, f.moveCodelet(), 1, {{0, f.slice(x, 1, 4)}, {1, f.slice(y, 0, 3)}});
    const StepProgram p = f.lower({f.execute(cs)});
    // x1 is the second half of its word. It arrives as the second half of a word whose first half is written together
    // with it, so no part of the buffer keeps an older value.
    CHECK(contains(dumpSteps(p),
                   "2 DoExchange: cs/ExchangePre #0; 1 message, 6 B; read x[1,4); write <message:x>[0,4)\n"));
    CHECK(
        contains(dumpSteps(p), "3 OnTileExecute: cs/OnTileCopyPre #0; poplar_rt::SubWordCopy on tile 1: 1 run, 6 B; "));
    CHECK(contains(dumpSteps(p), "write <rearrangement:x>[0,3)"));
    CHECK(contains(dumpSteps(p), "read <message:x>[1,4)"));
  }

  TEST_CASE("halves in whole words, from places of words to places of words, need no copy") {
    GraphFixture f;
    const auto x = f.onTile("x", 8, 0, ElementType::Half), z = f.onTile("z", 8, 2, ElementType::Half),
               y = f.onTile("y", 8, 1, ElementType::Half);
    const auto cs = f.computeSet("cs");
    f.vertex(cs, f.moveCodelet(), 1,
             {{0, GraphFixture::concat(f.slice(x, 2, 6), f.slice(z, 4, 7))}, {1, f.slice(y, 0, 7)}});
    const std::string dump = f.dump({f.execute(cs)});
    CHECK(contains(dump, "2 messages, 14 B"));
    CHECK(linesWith(dump, "OnTileExecute") == 1);
  }

  TEST_CASE("every other half: a word each, one message where the words are the same") {
    GraphFixture f;
    const auto x = f.onTile("x", 8, 0, ElementType::Half), y = f.onTile("y", 8, 1, ElementType::Half);
    // x0 x2 x4 x6: four pieces, none adjacent to another.
    const StepProgram apart = f.lower({f.copy(f.strided(x, 0, 2, 4), f.slice(y, 0, 4))});
    CHECK(contains(dumpSteps(apart), "poplar_rt::SubWordCopy on tile 1"));
    // x3 x2 x1 x0 are adjacent in memory, so they arrive as one message of 8 bytes and are reversed on the tile.
    const std::string turned = f.dump({f.copy(f.strided(x, 3, -1, 4), f.slice(y, 0, 4))});
    CHECK(contains(turned, "8 B; read x[0,4)"));
    CHECK(contains(turned, "poplar_rt::SubWordCopy on tile 1"));
    // The checker of steps finds a message that does not move whole words.
    StepProgram wrong = f.lower({f.copy(f.slice(x, 0, 4), f.slice(y, 0, 4))});
    wrong.messages[0].bytes = Bytes32(4);
    wrong.messages[0].dstOffset = Bytes32(2);
    CHECK_THROWS_WITH_AS(verifySteps(wrong), doctest::Contains("no move of words"), InternalError);
  }

  TEST_CASE("a copy that fills half a word of a variable leaves the other half") {
    GraphFixture f;
    const auto x = f.onTile("x", 2, 0, ElementType::Half), y = f.onTile("y", 5, 1, ElementType::Half);
    CHECK(contains(f.dump({f.copy(f.slice(x, 0, 1), f.slice(y, 0, 1))}), "poplar_rt::SubWordCopy on tile 1"));
    // At the end of the variable, nothing follows the element.
    CHECK(!contains(f.dump({f.copy(f.slice(x, 0, 1), f.slice(y, 4, 5))}), "SubWordCopy"));
    // A whole word has no neighbour within the word.
    CHECK(!contains(f.dump({f.copy(f.slice(x, 0, 2), f.slice(y, 2, 4))}), "SubWordCopy"));
  }

  TEST_CASE("an output of half a word on another tile is put in its place there") {
    GraphFixture f;
    const auto x = f.onTile("x", 2, 1, ElementType::Half), y = f.onTile("y", 4, 0, ElementType::Half);
    const auto cs = f.computeSet("cs");
    f.vertex(cs, f.moveCodelet(), 1, {{0, f.slice(x, 0, 1)}, {1, f.slice(y, 1, 2)}});
    const std::string dump = f.dump({f.execute(cs)});
    const std::size_t exchange = dump.find("cs/ExchangePost"), copy = dump.find("cs/OnTileCopyPost");
    REQUIRE(exchange != std::string::npos);
    REQUIRE(copy != std::string::npos);
    CHECK(exchange < copy);
    CHECK(contains(dump, "write <message:y>[0,1)"));
    CHECK(contains(dump, "poplar_rt::SubWordCopy on tile 0"));
  }

  TEST_CASE("a transposed copy: a message a word, or with the rule of 2019 one a sender and a copy that sorts") {
    GraphFixture f;
    const TwoRows rows(f);
    const auto y = f.onTile("y", 8, 2);
    const std::vector<ProgramPtr> copy{f.copy(rows.turned, f.all(y))};
    const std::string inPlace = f.dump(copy), asSent = dumpAsSent(f, copy);
    CHECK(contains(inPlace, "8 messages, 32 B; read x[0,8); write y[0,8)\n"));
    CHECK(linesWith(inPlace, "OnTileExecute") == 0);
    CHECK(contains(asSent, "2 messages, 32 B; read x[0,8); write <message:x>[0,8)\n"));
    // Eight runs of a word in the order of the buffer: only the destination is strided.
    CHECK(contains(asSent,
                   "poplar_rt::DstStridedCopyDA32 on tile 2: 8 runs, 32 B; write y[0,8); read <message:x>[0,8)\n"));
    CHECK(linesWith(asSent, "OnTileExecute") == 1);
  }

  TEST_CASE("a transposed operand, likewise; an output of it goes back as it lies") {
    GraphFixture f;
    const TwoRows rows(f);
    const auto y = f.onTile("y", 1, 2);
    const auto cs = f.computeSet("cs");
    f.vertex(cs, f.moveCodelet(), 2, {{0, rows.turned}, {1, f.all(y)}});
    const std::string inPlace = f.dump({f.execute(cs)}), asSent = dumpAsSent(f, {f.execute(cs)});
    CHECK(contains(inPlace, "8 messages, 32 B; read x[0,8); write <message:x>[0,8)\n"));
    CHECK(linesWith(inPlace, "OnTileExecute") == 1);
    CHECK(contains(asSent, "2 messages, 32 B; read x[0,8); write <message:x>[0,8)\n"));
    CHECK(contains(asSent, "cs/OnTileCopyPre"));
    CHECK(contains(asSent, "poplar_rt::DstStridedCopyDA32 on tile 2: "));
    CHECK(linesWith(asSent, "OnTileExecute") == 2);
  }

  TEST_CASE("what lies together at both ends arrives at its place under either rule") {
    GraphFixture f;
    const auto x = f.onTile("x", 8, 0), y = f.onTile("y", 8, 1);
    // Two pieces that are not adjacent at the sender, and two that are and go to one place as a whole.
    const View apart = GraphFixture::concat(f.slice(x, 4, 8), f.slice(x, 0, 3)),
               whole = GraphFixture::concat(f.slice(x, 0, 4), f.slice(x, 4, 8));
    for (const auto &[from, words] : {std::pair(apart, 7), std::pair(whole, 8)}) {
      const std::vector<ProgramPtr> copy{f.copy(from, f.slice(y, 0, static_cast<std::uint64_t>(words)))};
      CHECK(dumpAsSent(f, copy) == f.dump(copy));
    }
    // With x3 the pieces are adjacent, and the two halves of the list are swapped: all eight words are sorted.
    const std::vector<ProgramPtr> turned{f.copy(GraphFixture::concat(f.slice(x, 4, 8), f.slice(x, 0, 4)), f.all(y))};
    CHECK(contains(dumpAsSent(f, turned), "1 message, 32 B; read x[0,8); write <message:x>[0,8)\n"));
  }

  TEST_CASE("a word that goes to two places arrives once, and copies bring it to both") {
    GraphFixture f;
    const auto x = f.onTile("x", 2, 0), y = f.onTile("y", 4, 1);
    const std::vector<ProgramPtr> copy{f.copy(GraphFixture::concat(f.all(x), f.all(x)), f.all(y))};
    CHECK(contains(f.dump(copy), "2 messages, 16 B"));
    CHECK(contains(dumpAsSent(f, copy), "1 message, 8 B; read x[0,2); write <message:x>[0,2)\n"));
  }

  TEST_CASE(
      "small pieces with gaps at both ends arrive densely and are scattered on the tile; others arrive in place") {
    GraphFixture f;
    f.graph.machine.copyChoice.scatterMaxBytes = 8;
    const auto x = f.onTile("x", 12, 0), y = f.onTile("y", 12, 1);
    const auto copy = [&](const std::vector<std::pair<std::uint64_t, std::uint64_t>> &ranges) {
      View from, to;
      for (const auto &[begin, end] : ranges) {
        from = from.runs.empty() ? f.slice(x, begin, end) : GraphFixture::concat(from, f.slice(x, begin, end));
        to = to.runs.empty() ? f.slice(y, begin, end) : GraphFixture::concat(to, f.slice(y, begin, end));
      }
      return f.dump({GraphFixture::copy(from, to)});
    };
    const std::string small = copy({{0, 1}, {3, 5}, {6, 7}}), alone = copy({{0, 1}, {3, 6}}),
                      mixed = copy({{0, 1}, {3, 6}, {8, 10}});
    CHECK(contains(small, "write <message:x>[0,4)"));
    CHECK(linesWith(small, "OnTileExecute") == 1);
    CHECK(!contains(alone, "<message:x>")); // the second piece is too large, and the first is the only small one
    CHECK(linesWith(alone, "OnTileExecute") == 0);
    CHECK(contains(mixed, "<message:x>[0,3)"));
    CHECK(contains(mixed, "y[3,6)"));
  }

  TEST_CASE("columns are scattered from buffers without gaps, however the copies are written") {
    GraphFixture f;
    f.graph.machine.copyChoice.scatterMaxBytes = 4;
    const auto x = f.onTile("x", 40, 0), y = f.onTile("y", 40, 1), z = f.onTile("z", 40, 2),
               s = f.var("s", 8, {{0, 4, TileId(0)}, {4, 8, TileId(2)}});
    const auto column = [&](GraphVarId of, std::uint64_t at) { return f.strided(of, at, 5, 8); };
    const auto scatters = [&](const std::vector<ProgramPtr> &copies, std::size_t runs) {
      const StepProgram p = f.lower({GraphFixture::sequence(copies)});
      const std::string dump = dumpSteps(p);
      CAPTURE(dump);
      CHECK(linesWith(dump, "OnTileExecute") == 1);
      std::size_t found = 0;
      for (const CopyVertex &copy : p.copies) {
        CHECK(copy.kind == static_cast<std::uint8_t>(CopyVertexKind::DstStridedCopyDA32));
        found += copy.numRuns;
      }
      CHECK(found == runs);
    };
    scatters({f.copy(column(x, 1), column(y, 0))}, 8);
    scatters({f.copy(f.strided(x, 36, -5, 8), column(y, 0))}, 8); // in reverse order
    scatters(
        {f.copy(GraphFixture::concat(column(x, 1), column(x, 3)), GraphFixture::concat(column(y, 0), column(y, 2)))},
        16);
    scatters({f.copy(column(x, 1), column(y, 0)), f.copy(column(x, 3), column(y, 2))}, 16);
    scatters({f.copy(column(x, 1), column(y, 0)), f.copy(column(z, 3), column(y, 4))}, 16); // two neighbours
    View alternating; // each second word comes from another tile
    for (const std::uint64_t i : {0, 4, 2, 6})
      alternating =
          alternating.runs.empty() ? f.slice(s, i, i + 1) : GraphFixture::concat(alternating, f.slice(s, i, i + 1));
    scatters({f.copy(alternating, f.strided(y, 0, 5, 4))}, 4);
  }

  TEST_CASE("a program met twice has its buffers once") {
    GraphFixture f;
    const auto x = f.onTile("x", 2, 0, ElementType::Half), y = f.onTile("y", 4, 1, ElementType::Half),
               z = f.onTile("z", 4, 2);
    const auto odd = f.copy(f.slice(x, 0, 1), f.slice(y, 1, 2)), other = f.copy(f.slice(z, 0, 1), f.slice(z, 2, 3));
    const StepProgram once = f.lower({GraphFixture::sequence({odd})}),
                      twice = f.lower({GraphFixture::sequence({odd, other, odd})});
    CHECK(twice.vars.size() == once.vars.size());
    LoweringOptions options;
    options.sortsAsSent = true;
    const TwoRows rows(f);
    const auto turn = f.copy(rows.turned, f.all(f.onTile("turned", 8, 2)));
    const StepProgram turnedOnce = f.lower({GraphFixture::sequence({turn})}, options),
                      turnedTwice = f.lower({GraphFixture::sequence({turn, other, turn})}, options);
    CHECK(turnedTwice.vars.size() == turnedOnce.vars.size());
  }
}
