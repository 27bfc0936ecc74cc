// The pieces in which exchanges move variables.
#include "KnownProfile.hpp"

#include <algorithm>
#include <doctest/doctest.h>

using namespace popscope;
using nlohmann::json;
using tools::Known;
using tools::knownCompilation;
using tools::table;
using tools::writeKnown;

namespace {

/// Writes the known program with an exchange in which tile 1 receives `pieces` pieces of 4 bytes.
void writePieces(const Known &known, std::uint64_t pieces, bool withAccesses = true) {
  CompilationRecord r = knownCompilation();
  r.programTiles[2].bytesSent = {{0, 4 * pieces}};
  r.programTiles[2].bytesReceived = {{1, 4 * pieces}};
  r.programTiles[2].messagesReceived = {{1, pieces}};
  r.advice.present = withAccesses;
  r.advice.worstProgram = 3;
  if (withAccesses)
    r.advice.accesses = {{0, 2, 10, 10, 0, 0}, {1, 2, 10, 0, 10, 0}}; // step 2 copies "a" to "b"
  writeKnown(known.place.file("known.pop"), r);
}

} // namespace

TEST_SUITE("tools.exchange") {
  TEST_CASE("exchange shows the pieces, their mean size and the variables that move") {
    const Known known;
    CHECK(table(known.ask({"exchange"}), "exchanges")[0]["pieces"].is_null()); // not recorded
    writePieces(known, 3);
    const json row = table(known.ask({"exchange"}), "exchanges")[0];
    CHECK(row["pieces"] == 3);
    CHECK(row["bytesPerPiece"] == 4.0);
    CHECK(row["moves"] == "a to b");
    CHECK_FALSE(known.ask({"exchange"})["facts"].contains("scatteredStep")); // three words are no burden
    const json other = known.ask({"exchange", "--tiles", "0"});              // tile 0 only sends
    CHECK(table(other, "exchanges")[0]["pieces"] == 0);
    CHECK(table(other, "exchanges")[0]["bytesPerPiece"].is_null());
  }

  TEST_CASE("exchange lists at most three of the variables that a merged copy reads, and of those that it writes") {
    const Known known;
    CompilationRecord r = knownCompilation();
    r.advice.present = true;
    r.advice.worstProgram = 3;
    for (const char *name : {"c", "d"})
      r.variables.push_back(tools::knownVariable(r, name, 20, 0, {{0, 20}}));
    r.advice.accesses = {{0, 2, 10, 10, 0, 0}, {1, 2, 10, 10, 5, 0}, {3, 2, 5, 5, 0, 0}, {4, 2, 5, 5, 0, 0}};
    writeKnown(known.place.file("known.pop"), r);
    CHECK(table(known.ask({"exchange"}), "exchanges")[0]["moves"] == "a, b, c and 1 more to b");
  }

  TEST_CASE("exchange names the slowest exchange of scattered words, and the mend") {
    const Known known;
    writePieces(known, 5760);
    const json facts = known.ask({"exchange"})["facts"];
    CHECK(facts["scatteredStep"] == 2);
    CHECK(facts["scatteredPieces"] == 5760);
    const std::string text = known.place.run("popscope", {"exchange", "known.pop"}).out;
    CAPTURE(text);
    CHECK(text.find("Step 2, DoExchange: in, moves a to b in 5,760 pieces of 4.00 B") != std::string::npos);
    CHECK(text.find("map the variables so that") != std::string::npos);
    CHECK_FALSE(known.ask({"exchange", "--name", "other"})["facts"].contains("scatteredStep"));
    writePieces(known, 5760, false);
    CHECK(known.place.run("popscope", {"exchange", "known.pop"})
              .out.find("Step 2, DoExchange: in, moves 5,760 pieces of 4.00 B") != std::string::npos);
  }

  TEST_CASE("top proposes the exchange that takes most cycles") {
    const Known known;
    const auto proposes = [&](const char *by) {
      const json next = known.ask({"top", "--of", "steps", "--by", by})["next"];
      return std::find(next.begin(), next.end(), "popscope exchange known.pop --steps 2") != next.end();
    };
    CHECK(proposes("bytes"));        // the exchange is the only step that moves data
    CHECK_FALSE(proposes("cycles")); // "slow" takes longer
  }
}
