// popscope gap and oom on tiles whose gaps are all known.
#include "KnownProfile.hpp"

#include <doctest/doctest.h>

using nlohmann::json;
using tools::expectRefusal;
using tools::Known;
using tools::table;

using namespace popscope;

namespace {

void addPlace(CompilationRecord &r, std::uint64_t offset, std::uint64_t bytes, std::uint64_t alignment,
              StorageCategory category, std::int64_t occupied) {
  LoweredVariableRecord v;
  v.variable = -1;
  v.name = r.variableNames.intern(storageCategoryKey(category));
  v.tile = 3;
  v.offset = Bytes(offset);
  v.bytes = Bytes(bytes);
  v.alignment = alignment;
  v.category = category;
  v.alwaysLive = occupied < 0;
  v.occupiedClass = occupied;
  r.loweredVariables.push_back(v);
}

/// Returns a record with gaps on tile 3. Class 0 is live at steps 2 and 3, class 1 at 3 and 4, class 2 only at 2:
///
///   0-20 code | 20-256 none | 256-300 stack | 300-304 none | 304-364 class 0 | 364-464 class 1 | 464-564 class 2 |
///   564-600 none | 600-630 class 1
///
/// At step 3: 20 + 44 + 60 + 100 + 30 = 254, at step 2: 20 + 44 + 60 + 100 = 224.
CompilationRecord holed() {
  CompilationRecord r = tools::knownCompilation();
  r.livenessClasses.push_back({{{2, 3}}});
  r.loweredVariables.clear();
  addPlace(r, 0, 20, 4, StorageCategory::VertexCode, -1);
  addPlace(r, 256, 44, 8, StorageCategory::Stack, -1);
  addPlace(r, 304, 60, 16, StorageCategory::Variable, 0);
  addPlace(r, 364, 100, 4, StorageCategory::Variable, 1);
  addPlace(r, 464, 100, 4, StorageCategory::Message, 2);
  addPlace(r, 600, 30, 4, StorageCategory::Variable, 1);
  r.tiles[3].totalIncludingGaps = Bytes(630);
  return r;
}

/// Returns a record with `bytes` of memory per tile, in which tile 3 does not fit.
CompilationRecord overfull(std::uint64_t bytes) {
  CompilationRecord r = holed();
  r.target.bytesPerTile = Bytes(bytes);
  r.tiles[3].excludingGaps[2] = Bytes(630 - std::min<std::uint64_t>(bytes, 630));
  r.tilesOutOfMemory = {3};
  return r;
}

} // namespace

TEST_SUITE("tools.places") {
  TEST_CASE("gap splits what lies between the highest address and the bytes that are there at once") {
    const Known known;
    tools::writeKnown(known.place.file("holed.pop"), holed());
    const json answer = json::parse(known.place.run("popscope", {"gap", "holed.pop", "--tiles", "3", "--json"}).out);
    CHECK(table(answer, "tiles") ==
          json::parse(
              R"([{"tile": 3, "lowerBound": 254, "highest": 630, "difference": 376, "alignment": 4, "elements": 0,
                               "regionRules": 236, "fragmentation": 136, "over": 0, "step": 3, "pays": false}])"));
    CHECK(254 + 4 + 236 + 136 == 630);
    CHECK(answer["facts"]["differenceShare"] == 59.7);
    const json all = json::parse(known.place.run("popscope", {"gap", "holed.pop", "--json"}).out);
    CHECK(table(all, "tiles").size() == 4);
    CHECK(table(all, "tiles")[0]["tile"] == 3);
    CHECK(all["facts"]["highest"] == 630 + 100 + 101 + 102);
  }

  TEST_CASE("a gap below the begin of a memory element is of operands in different elements, if nothing lies there") {
    const Known known;
    CompilationRecord r = holed(); // 600 is the begin of an element of 200 bytes; 300 and 400 are not
    for (const auto &[elementBytes, elements] : {std::pair<double, int>{200, 36}, {256, 0}, {150, 36}, {0, 0}}) {
      CAPTURE(elementBytes);
      r.machineCosts = {{"tile.memoryElementBytes", elementBytes, "bytes"}};
      tools::writeKnown(known.place.file("holed.pop"), r);
      const json answer = json::parse(known.place.run("popscope", {"gap", "holed.pop", "--tiles", "3", "--json"}).out);
      const json row = table(answer, "tiles")[0];
      CHECK(row["elements"] == elements);
      CHECK(row["fragmentation"] == 136 - elements);
      CHECK(row["regionRules"] == 236); // up to 256, though it is the begin of an element
      CHECK(answer["facts"]["elements"] == elements);
    }
  }

  TEST_CASE("gap says where a better packing pays: on tiles that are over, with less at once than their memory") {
    const Known known;
    const auto gap = [&](std::uint64_t bytes) {
      tools::writeKnown(known.place.file("over.pop"), overfull(bytes));
      return json::parse(known.place.run("popscope", {"gap", "over.pop", "--json"}).out);
    };
    CHECK(table(gap(300), "tiles")[0]["pays"] == true);
    CHECK(gap(300)["facts"]["tilesThatCouldFit"] == 1);
    CHECK(gap(254)["facts"]["tilesThatCouldFit"] == 1);
    CHECK(gap(253)["facts"]["tilesThatCouldFit"] == 0);
    CHECK(gap(253)["facts"]["tilesOutOfMemory"] == 1);
  }

  TEST_CASE("a profile without addresses has bounds and no causes") {
    const Known known;
    CompilationRecord r = tools::knownCompilation();
    r.loweredVariables.clear();
    r.tiles[3].alwaysLiveBytes = Bytes(500);
    r.tiles[3].maxNotAlwaysLiveBytes = Bytes(60);
    tools::writeKnown(known.place.file("plain.pop"), r);
    const auto outcome = known.place.run("popscope", {"gap", "plain.pop", "--tiles", "3", "--json"});
    CHECK(
        table(json::parse(outcome.out), "tiles") ==
        json::parse(
            R"([{"tile": 3, "lowerBound": 560, "highest": 600, "difference": 40, "alignment": null, "elements": null, "regionRules": null,
                                                                      "fragmentation": null, "over": 0, "step": null, "pays": false}])"));
    CHECK(outcome.out.find("autoReport.outputLoweredVars") != std::string::npos);
  }

  TEST_CASE("oom tells gaps from what is too much, and what must go") {
    const Known known;
    const auto oom = [&](std::uint64_t bytes) {
      tools::writeKnown(known.place.file("over.pop"), overfull(bytes));
      return json::parse(known.place.run("popscope", {"oom", "over.pop", "--json"}).out);
    };
    // On tile 3, 60 bytes of a are live at steps 2 and 3, and 30 of b at 3 and 4: at most 90.
    const json gaps = oom(500);
    CHECK(gaps["facts"]["fits"] == false);
    CHECK(gaps["facts"]["bytesPastTheEnd"] == 130);
    CHECK(gaps["facts"]["tooMuchLive"] == 0);
    CHECK(gaps["facts"]["gaps"] == 376);
    CHECK(!gaps["tables"].contains("mustGo"));
    CHECK(known.place.run("popscope", {"oom", "over.pop"}).out.find("that would fit: gaps put the tile over") !=
          std::string::npos);
    const json alone = oom(80);
    CHECK(alone["facts"]["tooMuchLive"] == 10);
    CHECK(table(alone, "mustGo") ==
          json::parse(R"([{"name": "a", "bytes": 12, "has": 60, "tiles": 2, "live": "2-3", "occupied": "2-3"}])"));
    CHECK(table(alone, "enoughAlone").size() == 2);
    CHECK(
        table(alone, "filling")[0] ==
        json::parse(
            R"({"name": "a", "category": "variable", "bytes": 60, "share": 66.7, "live": "2-3", "occupied": "2-3"})"));
    CHECK(known.place.run("popscope", {"oom", "over.pop"}).out.find("Note: \"Bytes less\"") != std::string::npos);
    const json both = oom(20);
    std::map<std::string, int> cuts;
    for (const auto &row : table(both, "mustGo"))
      cuts[row["name"]] = row["bytes"];
    CHECK(cuts == std::map<std::string, int>{{"a", 60}, {"b", 12}}); // at step 3 90 - 72, at step 4 30 - 12
    CHECK(!both["tables"].contains("enoughAlone"));
    CHECK(table(both, "tiles")[0]["over"] == 610);
    CHECK(known.ask({"oom"})["facts"]["fits"] == true);
    CHECK(json::parse(
              known.place.run("popscope", {"oom", "over.pop", "--tiles", "0-2", "--json"}).out)["facts"]["fits"] ==
          true);
    expectRefusal(known.place.run("popscope", {"oom", "over.pop", "--tiles", "4"}),
                  "popscope oom: --tiles: ", "there is no tile 4");
    expectRefusal(known.place.run("popscope", {"gap", "over.pop", "--steps", "9"}),
                  "popscope gap: --steps: ", "there is no step 9; the profile has 0 to 4");
  }

  TEST_CASE("a skewed mapping is named with the mean of all tiles and the variables to spread") {
    const Known known;
    CompilationRecord r = overfull(80);
    tools::writeKnown(known.place.file("over.pop"), r);
    // The tiles end at 100, 101, 102 and 630: 933 / 4. An even share of a is 25 of its 100 bytes, of b 8 of 30. Tile 3
    // has 60 + 30 bytes at step 3, and would have 25 + 8.
    for (const auto &[view, code] : {std::pair("oom", 0), {"advise", 0}, {"fit", 1}}) {
      CAPTURE(view);
      const auto outcome = known.place.run("popscope", {view, "over.pop", "--json"});
      CHECK(outcome.exitCode == code);
      const json answer = json::parse(outcome.out);
      const json &facts = answer["facts"];
      CHECK(facts["meanPerTile"] == 233);
      CHECK(facts["allTiles"] == 4);
      CHECK(facts["mappingSkewed"] == true);
      CHECK(facts["skewedTile"] == 3);
      CHECK(facts["skewedTileBytes"] == 630);
      CHECK(facts["liveAfterSpreading"] == 33);
      CHECK(facts["mend"].get<std::string>().find("to more tiles (Graph::setTileMapping)") != std::string::npos);
      CHECK(table(answer, "spread") ==
            json::parse(R"([{"name": "a", "bytes": 60, "size": 100, "tiles": 2, "evenShare": 25, "less": 35},
                            {"name": "b", "bytes": 30, "size": 30, "tiles": 1, "evenShare": 8, "less": 22}])"));
      const std::string text = known.place.run("popscope", {view, "over.pop"}).out;
      CHECK(
          text.find("The mapping is skewed: the highest address of tile 3 is 630 B, and the mean of all 4 tiles is") !=
          std::string::npos);
      CHECK(text.find("which fits.") != std::string::npos);
    }
    CHECK(known.place.run("popscope", {"fit", "over.pop", "--write", "changes.json"}).exitCode == 2);
    for (std::size_t tile = 0; tile < 3; ++tile)
      r.tiles[tile].totalIncludingGaps = Bytes(70);
    r.tiles[3].totalIncludingGaps = Bytes(139); // the mean is (3 * 70 + 139) / 4 = 87
    tools::writeKnown(known.place.file("even.pop"), r);
    const json even = json::parse(known.place.run("popscope", {"oom", "even.pop", "--json"}).out);
    CHECK(even["facts"]["meanPerTile"] == 87);
    CHECK(even["facts"]["mappingSkewed"] == false);
    CHECK(!even["tables"].contains("spread"));
    CHECK(known.place.run("popscope", {"fit", "even.pop"}).exitCode == 2); // no trials
    CHECK(!known.ask({"oom"})["facts"].contains("meanPerTile"));           // all tiles fit
  }

  TEST_CASE("the share of a tile's memory that is used can exceed 100 %") {
    const Known known;
    CompilationRecord r = overfull(500);
    tools::writeKnown(known.place.file("over.pop"), r);
    const auto outcome = known.place.run("popscope", {"tile", "over.pop", "3", "--json"});
    CHECK(json::parse(outcome.out)["facts"]["usedShare"] == 120.0); // 600 of 500
  }

  TEST_CASE("what always lives and is no variable cannot go") {
    const Known known;
    CompilationRecord r = overfull(40);
    r.variables.push_back(tools::knownVariable(r, "stack", 44, -1, {{3, 44}}));
    r.variables.back().category = StorageCategory::Stack;
    tools::writeKnown(known.place.file("over.pop"), r);
    const auto outcome = known.place.run("popscope", {"oom", "over.pop"});
    CHECK(outcome.exitCode == 0);
    CHECK(
        outcome.out.find("The tile does not fit even without its variables and constants: run fewer vertices there.") !=
        std::string::npos);
    CHECK(outcome.out.find("Note: \"Bytes less\"") == std::string::npos); // no table of cuts has this column
    r.variables.push_back(tools::knownVariable(r, "x", 500, 0, {{3, 500}}));
    r.variables.back().category = StorageCategory::Message;
    addPlace(r, 630, 500, 4, StorageCategory::Message, 0);
    tools::writeKnown(known.place.file("over.pop"), r);
    const std::string text = known.place.run("popscope", {"oom", "over.pop"}).out;
    CHECK(text.find("run fewer vertices there") == std::string::npos);
    CHECK(text.find("The tile does not fit even without its variables and constants, and buffers for operands take the "
                    "most bytes: give its vertices smaller operands, or split the compute set into several that run "
                    "one after the other.") != std::string::npos);
  }
}
