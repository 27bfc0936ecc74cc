#include "RandomRecords.hpp"
#include "SmallProfile.hpp"

#include "report/pop/PopFile.hpp"
#include "report/pva/MakeReport.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <numeric>
#include <type_traits>
#include <unordered_set>

using namespace popscope;

namespace {
pva::Report makeTestReport(std::uint64_t seed, int steps) {
  std::mt19937_64 random(seed);
  const auto record = randomCompilation(random);
  PopWriter writer;
  writer.compilation(record);
  writer.beginRun({"first", 0, 0, 0});
  for (int i = 0; i < steps; ++i)
    writer.step(randomStep(random, record));
  writer.endRun({Cycles(7), {}, std::nullopt, {}, {}, {}, {}, {}, {}, {}, {}}, 0);
  return pva::makeReport(writer.file()); // the writer is destroyed before the report
}

struct CountingVisitor : pva::ProgramVisitor {
  int exchanges = 0, executes = 0, syncs = 0;
  void visitDoExchange(const pva::DoExchangeProgram &p) override {
    ++exchanges;
    CHECK(p.type() == pva::Program::Type::DoExchange);
  }
  void visitOnTileExecute(const pva::OnTileExecuteProgram &) override { ++executes; }
  void visitSync(const pva::Program &) override { ++syncs; }
};
} // namespace

TEST_SUITE("report.pva") {
  TEST_CASE("iterators of two calls bound one list, and steps copy, assign and outlive the report") {
    std::vector<pva::ExecutionStep> steps;
    {
      const pva::Report report = makeTestReport(1, 6);
      steps.assign(report.execution().steps().begin(), report.execution().steps().end());
    }
    CHECK(steps.size() == 6);
    std::stable_partition(steps.begin(), steps.end(), [](const auto &s) { return s.cyclesByTile().empty(); });
    for (auto &step : steps)
      CHECK(step.ipus().size() == 2);
    const auto &cycles = steps.back().cyclesByTile();
    CHECK(std::accumulate(steps.back().cyclesByTile().begin(), steps.back().cyclesByTile().end(), std::uint64_t(0)) ==
          std::accumulate(cycles.begin(), cycles.end(), std::uint64_t(0)));
  }

  TEST_CASE("figures are exactly uint64_t and names are strings by value") {
    using Memory = decltype(std::declval<pva::Tile>().memory());
    static_assert(std::is_same_v<decltype(std::declval<Memory>().total().excludingGaps()), std::uint64_t>);
    static_assert(std::is_same_v<decltype(std::declval<pva::LivenessMemory>().bytes()), std::uint64_t>);
    static_assert(std::is_same_v<decltype(std::declval<pva::ExecutionStepIpu>().cycles()), std::uint64_t>);
    static_assert(std::is_same_v<decltype(std::declval<pva::VertexType>().name()), std::string>);
    CHECK(makeTestReport(2, 0).compilation().tiles()[0].memory().total().excludingGaps() ==
          makeTestReport(2, 0).compilation().tiles().front().memory().total().excludingGaps());
  }

  TEST_CASE("a report can be assigned over another and programs are identical across calls") {
    pva::Report report = makeTestReport(3, 1);
    const auto before = report.compilation().programs()[0];
    CHECK(report.compilation().programs()[0].get() == before.get());
    report = makeTestReport(4, 1);
    CHECK(before->_id() == 0); // belongs to the first report, which it keeps alive
    CHECK(report.compilation().programs()[0].get() != before.get());
  }

  TEST_CASE("accept calls the one method of the program's type") {
    const pva::Report report = makeTestReport(5, 0);
    int exchanges = 0, executes = 0, syncs = 0;
    CountingVisitor visitor;
    for (auto &program : report.compilation().programs()) {
      exchanges += program->type() == pva::Program::Type::DoExchange;
      executes += program->type() == pva::Program::Type::OnTileExecute;
      syncs += program->type() == pva::Program::Type::Sync;
      program->accept(visitor);
    }
    CHECK((visitor.exchanges == exchanges && visitor.executes == executes && visitor.syncs == syncs));
    CHECK(exchanges + executes + syncs > 0);
  }

  TEST_CASE("variables are equal by variable whatever list they come from") {
    const pva::Report report = makeTestReport(6, 0);
    std::unordered_set<pva::Variable> seen;
    for (const auto &v : report.compilation().alwaysLiveVariables())
      seen.insert(v);
    const auto size = seen.size();
    REQUIRE(size > 0);
    for (std::size_t tile = 0; tile < report.compilation().tiles().size(); ++tile)
      for (const auto &v : report.compilation().alwaysLiveVariablesForTile(tile))
        seen.insert(v);
    CHECK(seen.size() == size);
  }

  TEST_CASE("the lowered variables of a tile are the same read alone and with those of all tiles") {
    for (std::uint64_t seed = 1; seed < 20; ++seed) {
      CAPTURE(seed);
      const pva::Report alone = makeTestReport(seed, 0), all = makeTestReport(seed, 0);
      std::vector<std::size_t> rows(all.compilation().tiles().size());
      for (const auto &v : all.compilation().loweredVariables().allBriefVars()) // reads all variables
        ++rows.at(v.tileId());
      for (std::size_t tile = 0; tile < rows.size(); ++tile) {
        const auto a = alone.compilation().loweredVariables().forTile(tile),
                   b = all.compilation().loweredVariables().forTile(tile);
        REQUIRE(a.size() == b.size());
        CHECK(a.size() == rows[tile]);
        for (std::size_t i = 0; i < a.size(); ++i)
          CHECK((a[i].name() == b[i].name() && a[i].offset() == b[i].offset() && a[i].bytes() == b[i].bytes() &&
                 a[i].tile() == tile && a[i].hasUnloweredVar() == b[i].hasUnloweredVar() &&
                 a[i].category() == b[i].category()));
      }
    }
  }

  TEST_CASE("the tiles of a variable and its bytes there are those of bytesByTile") {
    for (std::uint64_t seed = 1; seed < 20; ++seed) {
      CAPTURE(seed);
      const pva::Report report = makeTestReport(seed, 0);
      for (const auto &v : report.compilation().variables()) {
        std::vector<std::uint64_t> tiles;
        const pva::Values bytes = v.bytesByTile();
        for (std::size_t tile = 0; tile < bytes.size(); ++tile) {
          CHECK(v.bytesOn(tile) == bytes[tile]);
          if (bytes[tile] != 0)
            tiles.push_back(tile);
        }
        CHECK(std::vector<std::uint64_t>(v.tiles()) == tiles);
      }
    }
  }

  TEST_CASE("the IPUs of all replicas have the live memory of the first one, and programs describe only that one") {
    CompilationRecord record = small::compilation(); // "sum" has 40 bytes on tile 0, live at the step of "add"
    record.target.numReplicas = 2;                   // replica 1 is IPU 1, the tiles 4 to 7
    record.tiles.resize(4);
    record.tilesOutOfMemory.clear();
    record.loweredVariables.clear();
    for (LivenessStepRecord &step : record.livenessSteps)
      step.bytesByIpu.resize(1);
    record.programs[2].controlCodeEveryTile = Bytes(24);
    record.programTiles[2].controlCode = {{1, 8}};
    record.programTiles[2].bytesSent = {{1, 5}};
    PopWriter writer;
    writer.compilation(record);
    const pva::Report report = pva::makeReport(writer.file());
    const auto step = report.compilation().livenessProgramSteps()[1];
    REQUIRE(step.notAlwaysLiveMemoryForIpu(0).bytes() == 40);
    CHECK(step.notAlwaysLiveMemoryForIpu(1).bytes() == 40);
    CHECK(step.notAlwaysLiveMemoryForIpu(1).variables().size() == 1);
    CHECK(step.notAlwaysLiveMemoryForIpu(1).variables()[0].size() == 40);
    CHECK(step.notAlwaysLiveMemoryForTile(4).bytes() == 40);
    CHECK_THROWS_WITH_AS((void)step.notAlwaysLiveMemoryForIpu(2), doctest::Contains("no IPU 2"), std::out_of_range);
    const auto program = report.compilation().programs()[2];
    CHECK(std::vector<std::uint64_t>(program->controlCodeByTile()) ==
          std::vector<std::uint64_t>{24, 32, 24, 24, 0, 0, 0, 0});
  }

  TEST_CASE("a tile that does not exist is an error that names the number of tiles") {
    const pva::Report report = makeTestReport(1, 0);
    const std::size_t tiles = report.compilation().tiles().size();
    const pva::Variable v = report.compilation().variables()[0];
    const std::string message = "pva: no tile " + std::to_string(tiles) + ": there are " + std::to_string(tiles);
    CHECK_THROWS_WITH_AS(v.bytesOn(tiles), message.c_str(), std::out_of_range);
    CHECK_THROWS_WITH_AS(v.liveStepsOn(tiles), message.c_str(), std::out_of_range);
    CHECK_THROWS_WITH_AS(report.compilation().loweredVariables().forTile(tiles), message.c_str(), std::out_of_range);
  }

  TEST_CASE("without recorded runs the execution is empty and its total is 0") {
    std::mt19937_64 random(8);
    PopWriter writer;
    writer.compilation(randomCompilation(random));
    const pva::Report report = pva::makeReport(writer.file());
    CHECK(report.execution().totalCycles().total() == 0);
    CHECK(report.execution().runs().empty());
    CHECK(report.execution().steps().empty());
    CHECK_THROWS_WITH_AS((void)report.execution().runs()[0], "pva: no element 0: the list has 0", std::out_of_range);
    CHECK_THROWS_WITH_AS((void)report.execution().blocks(99999999),
                         doctest::Contains("pva: no tile 99999999: there are "), std::out_of_range);
    writer.beginRun({});
    writer.endRun({}, 0);
    CHECK(report.execution().runs().size() == 1);
    CHECK(pva::makeReport(writer.file(), false).execution().runs().empty());
  }

  TEST_CASE("resetting the execution forgets the runs and steps of before stay harmless") {
    std::mt19937_64 random(9);
    const auto record = randomCompilation(random);
    PopWriter writer;
    writer.compilation(record);
    const pva::Report report = pva::makeReport(writer.file());
    writer.beginRun({"old", 0, 0, 0});
    writer.step(randomStep(random, record));
    writer.endRun({Cycles(7), {}, std::nullopt, {}, {}, {}, {}, {}, {}, {}, {}}, 0);
    const pva::ExecutionStep old = report.execution().steps()[0];
    writer.resetExecution();
    CHECK(report.execution().runs().empty());
    CHECK(old.ipus().empty());
    writer.beginRun({"new", 0, 0, 0});
    writer.endRun({Cycles(5), {}, std::nullopt, {}, {}, {}, {}, {}, {}, {}, {}}, 0);
    CHECK(report.execution().runs()[0].name() == "new");
    CHECK(report.execution().totalCycles().total() == 5);
  }
}
