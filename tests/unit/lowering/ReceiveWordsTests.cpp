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

} // namespace

TEST_SUITE("lowering.words") {

  TEST_CASE("halves that lie across words arrive beside what is around them and are copied to their places") {
    GraphFixture f;
    const auto x = f.onTile("x", 8, 0, ElementType::Half), y = f.onTile("y", 4, 1, ElementType::Half);
    const auto cs = f.computeSet("cs");
    f.vertex(cs, f.moveCodelet(), 1, {{0, f.slice(x, 1, 4)}, {1, f.slice(y, 0, 3)}});
    const StepProgram p = f.lower({f.execute(cs)});
    // x1 is the second half of its word, so it arrives as the second of a word.
    CHECK(contains(dumpSteps(p),
                   "2 DoExchange: cs/ExchangePre #0; 1 message, 6 B; read x[1,4); write <message:x>[1,4)\n"));
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
    // x3 x2 x1 x0: adjacent in memory, so they arrive as one message of 8 bytes and are turned on the tile.
    const std::string turned = f.dump({f.copy(f.strided(x, 3, -1, 4), f.slice(y, 0, 4))});
    CHECK(contains(turned, "8 B; read x[0,4)"));
    CHECK(contains(turned, "poplar_rt::SubWordCopy on tile 1"));
    // The checker of steps sees a message that is no move of words.
    StepProgram wrong = f.lower({f.copy(f.slice(x, 0, 4), f.slice(y, 0, 4))});
    wrong.messages[0].bytes = 4;
    wrong.messages[0].dstOffset = 2;
    CHECK_THROWS_WITH_AS(verifySteps(wrong), doctest::Contains("no move of words"), InternalError);
  }

  TEST_CASE("a copy that fills half a word of a variable leaves the other half") {
    GraphFixture f;
    const auto x = f.onTile("x", 2, 0, ElementType::Half), y = f.onTile("y", 5, 1, ElementType::Half);
    CHECK(contains(f.dump({f.copy(f.slice(x, 0, 1), f.slice(y, 0, 1))}), "poplar_rt::SubWordCopy on tile 1"));
    // The end of the variable: nothing is behind it.
    CHECK(!contains(f.dump({f.copy(f.slice(x, 0, 1), f.slice(y, 4, 5))}), "SubWordCopy"));
    // A word whole: nothing is beside it.
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

  TEST_CASE("a program met twice has its buffers once") {
    GraphFixture f;
    const auto x = f.onTile("x", 2, 0, ElementType::Half), y = f.onTile("y", 4, 1, ElementType::Half),
               z = f.onTile("z", 4, 2);
    const auto odd = f.copy(f.slice(x, 0, 1), f.slice(y, 1, 2)), other = f.copy(f.slice(z, 0, 1), f.slice(z, 2, 3));
    const StepProgram once = f.lower({GraphFixture::sequence({odd})}),
                      twice = f.lower({GraphFixture::sequence({odd, other, odd})});
    CHECK(twice.vars.size() == once.vars.size());
  }
}
