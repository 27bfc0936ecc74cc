// Floating-point operations in the answers, on the known profile.
#include "KnownProfile.hpp"

#include <doctest/doctest.h>

using nlohmann::json;
using tools::expectRefusal;
using tools::Known;
using tools::knownCompilation;
using tools::knownOperations;
using tools::table;
using tools::writeKnown;

using namespace popscope;

namespace {

// "fast": 4 vertices, 20 cycles; 2 vertices have an estimate of 60 operations together. "slow": 1 vertex, 40 cycles, 16
// operations. A tile does at most 4 operations of float or 16 of half per cycle.
struct Computing : Known {
  Computing() {
    CompilationRecord record = knownOperations();
    record.machineCosts = {{"tile.floatFlopsPerCycle", 4, "operations per cycle"},
                           {"tile.halfFlopsPerCycle", 16, "operations per cycle"}};
    writeKnown(place.file("known.pop"), record);
  }
};

// "fast": 2 vertices have an estimate of 60 operations together, and the stand-in counted 40 for the other 2. "slow":
// the stand-in counted 16.
struct Counted : Known {
  Counted() {
    CompilationRecord record = knownCompilation();
    ComputeSetVertices &fast = record.computeSets[0].vertices[0], &slow = record.computeSets[1].vertices[0];
    fast.flopVertices = 2;
    fast.flops = 60;
    slow.flopVertices = 0;
    PopWriter writer(place.file("counted.pop"));
    writer.compilation(record);
    tools::recordKnownRun(writer, "train");
    writer.cycleSources(
        {{0, fast.vertexType, "stand-in", 2, "", 2, 40}, {1, slow.vertexType, "stand-in", 1, "", 1, 16}});
    writer.finish();
  }
  [[nodiscard]] json rows(std::vector<std::string> words, const char *key) const {
    words.insert(words.begin() + 1, "counted.pop");
    words.emplace_back("--json");
    const auto outcome = place.run("popscope", words);
    CAPTURE(outcome.err);
    REQUIRE(outcome.exitCode == 0);
    return table(json::parse(outcome.out), key);
  }
};

} // namespace

TEST_SUITE("tools.flops") {
  TEST_CASE("operations that the stand-in counted are added where no estimate says them, and marked") {
    const Counted known;
    const json sets = known.rows({"top", "--by", "flops"}, "computeSets");
    CHECK(sets[0]["name"] == "fast");
    CHECK(sets[0]["operations"] == 100);
    CHECK(sets[0]["estimated"] == 50.0);
    CHECK(sets[0]["counted"] == 50.0);
    CHECK(sets[1]["operations"] == 16);
    CHECK(sets[1]["counted"] == 100.0);
    const json operators = known.rows({"operators", "--order-by", "flops"}, "operators");
    CHECK(operators[0]["flops"] == 100);
    CHECK(operators[0]["flopSource"] == "both");
    CHECK(operators[1]["flops"] == 16);
    CHECK(operators[1]["flopSource"] == "counted");
    CHECK(operators[2]["flopSource"].is_null()); // an exchange
    const auto info = known.place.run("popscope", {"info", "counted.pop"});
    // all vertices are known, so the text lacks "at least"
    CHECK(info.out.find("\n116 floating-point operations") != std::string::npos);
    CHECK(info.out.find("counted for 60.0%") != std::string::npos); // 3 of 5
  }

  TEST_CASE("top tells what compute sets do, beside the peak of all tiles") {
    const Computing known;
    const json sets = table(known.ask({"top", "--by", "flops"}), "computeSets");
    REQUIRE(sets.size() == 2);
    CHECK(sets[0]["name"] == "fast");
    CHECK(sets[0]["operations"] == 60);
    CHECK(sets[0]["operationsPerCycle"] == 3.0); // in 20 cycles
    CHECK(sets[0]["ofFloatPeak"] == 18.8);       // of 4 tiles x 4 x 20
    CHECK(sets[0]["ofHalfPeak"] == 4.7);
    CHECK(sets[0]["estimated"] == 50.0);
    CHECK(sets[1]["operationsPerCycle"] == 0.4);
    CHECK(known.ask({"top"})["tables"]["computeSets"]["units"]["operations"] == "operations");
    CHECK(known.text({"top"}).find("Of all vertices, executed or not, 60.0% have estimates") !=
          std::string::npos); // 3 of 5
    const json types = table(known.ask({"top", "--of", "vertex-types", "--by", "flops"}), "vertexTypes");
    CHECK(types[0]["name"] == "Add");
    CHECK(types[0]["operations"] == 60);
    CHECK(types[1]["operations"] == 16);
    CHECK(types[1]["estimated"] == 100.0);
    // operations refer to all tiles
    CHECK_FALSE(table(known.ask({"top", "--ipu", "0"}), "computeSets")[0].contains("operations"));
  }

  TEST_CASE("operations of a vertex type are those of the chosen steps") {
    const Known known;
    CompilationRecord record = knownOperations();
    record.computeSets[1].vertices[0].vertexType = record.computeSets[0].vertices[0].vertexType; // both sets add
    writeKnown(known.place.file("known.pop"), record);
    const auto operations = [&](const std::vector<std::string> &more) {
      std::vector<std::string> words = {"top", "--of", "vertex-types", "--name", "Add"};
      words.insert(words.end(), more.begin(), more.end());
      return table(known.ask(words), "vertexTypes")[0]["operations"];
    };
    std::string fast;
    for (const json &step : table(known.ask({"top", "--of", "steps"}), "steps"))
      if (step["program"] == "OnTileExecute: fast")
        fast = std::to_string(step["step"].get<int>());
    REQUIRE(!fast.empty());
    CHECK(operations({}) == 76);
    CHECK(operations({"--steps", fast}) == 60);
  }

  TEST_CASE("info adds up the operations of the runs") {
    const Computing known;
    const json facts = known.ask({"info"})["facts"];
    CHECK(facts["operations"] == 76);
    CHECK(facts["operationsPerCycle"] == 0.76); // of 100 cycles
    CHECK(facts["ofFloatPeak"] == 4.8);         // 76 of 4 x 4 x 100: 4.75
    CHECK(facts["verticesWithOperations"] == 60.0);
    CHECK(known.text({"info"}).find("At least 76 floating-point operations") != std::string::npos);
    CHECK(table(known.ask({"info"}), "slowestComputeSets")[0]["operations"] == 16);
  }

  TEST_CASE("loss has the roofline: what most of a compute set's time is") {
    const Computing known;
    const json roof = table(known.ask({"loss"}), "roofline");
    REQUIRE(roof.size() == 2);
    // fast: 80 tile cycles; 40 busy, 30 of them in threads; 60 operations take 15 at the peak. Parts: 15, 15, 10, 40.
    CHECK(roof[0]["name"] == "fast");
    CHECK(roof[0]["bound"] == "slower tiles");
    CHECK(roof[0]["boundShare"] == 50.0);
    CHECK(roof[0]["ofFloatPeak"] == 18.8);
    // slow: 160 tile cycles; 40 busy, 10 in threads; 16 operations take 4. Parts: 4, 6, 30, 120.
    CHECK(roof[1]["bound"] == "slower tiles");
    CHECK(roof[1]["boundShare"] == 75.0);
  }

  TEST_CASE("stats has them for each execution") {
    const Computing known;
    const json sets = known.ask({"stats", "--report", "compute-sets", "--of", "operations", "--aggregate-by", "all"});
    CHECK(sets["facts"]["sum"] == 76);
    const json all = known.ask({"stats", "--report", "executions", "--of", "operations"});
    CHECK(all["facts"]["unknown"] == 3); // two barriers and the exchange
  }

  TEST_CASE("stats shows 0 where the estimates say that there are no floating-point operations") {
    const Known known;
    CompilationRecord record = knownOperations();
    record.computeSets[0].vertices[0].flopVertices = 4; // all vertices
    record.computeSets[0].vertices[0].flops = record.computeSets[1].vertices[0].flops = 0;
    writeKnown(known.place.file("integers.pop"), record);
    const auto sums = [&](const char *report) {
      const auto words = {"stats",      "integers.pop", "--report",  report,  "--of",
                          "operations", "--where",      "name=fast", "--json"};
      return json::parse(known.place.run("popscope", {words.begin(), words.end()}).out)["facts"];
    };
    CHECK(sums("compute-sets")["sum"] == 0);
    CHECK(sums("executions")["sum"] == 0);
  }

  TEST_CASE("without an estimate of operations there are none, and no columns; nobody says 0") {
    const Known known;
    CHECK_FALSE(table(known.ask({"top"}), "computeSets")[0].contains("operations"));
    CHECK_FALSE(known.ask({"info"})["facts"].contains("operations"));
    CHECK_FALSE(known.ask({"loss"})["tables"].contains("roofline"));
    CHECK(known.text({"loss"}).find("floating-point operations are not recorded in this profile") != std::string::npos);
    expectRefusal(known.place.run("popscope", {"top", "known.pop", "--by", "flops"}),
                  "popscope top: --by flops: ", "not recorded in this profile; give cycles");
    expectRefusal(known.place.run("popscope", {"top", "known.pop", "--by", "flops", "--ipu", "0"}),
                  "popscope top: --by flops: ", "of all tiles, not of one IPU; give cycles"); // the only reason
    CompilationRecord record = knownCompilation();
    for (auto &set : record.computeSets)
      set.vertices[0].flopVertices = 0;
    writeKnown(known.place.file("none.pop"), record);
    expectRefusal(known.place.run("popscope", {"top", "none.pop", "--by", "flops"}),
                  "popscope top: --by flops: no estimate", "setPerfEstimate");
    CHECK(known.place.run("popscope", {"loss", "none.pop"}).out.find("no estimate of the program contains") !=
          std::string::npos);
  }
}
