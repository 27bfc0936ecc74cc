// The profile as trees with the keys of Poplar 1.x, and the CSV of intervals.
#include "tests/unit/engine/Programs.hpp"

#include <doctest/doctest.h>
#include <pva/pva.hpp>

#include <filesystem>
#include <sstream>
#include <unistd.h>

using namespace poplar;
using namespace poplar::program;
using namespace engine_tests;

TEST_SUITE("engine.legacyProfile") {

  TEST_CASE("the trees hold the numbers of the report") {
    const Device device = smallModel();
    IncrementProgram p(device, 10);
    Engine engine(p.graph, p.step);
    engine.load(device);
    engine.run();
    const pva::Report report = engine.getReport();
    const ProfileValue profile = engine.getProfile();
    const ProfileValue &graph = profile["graphProfile"];
    CHECK(graph["graph"]["numVertices"].asUint64() == report.compilation().graph().numVertices());
    CHECK(graph["graph"]["numComputeSets"].asUint64() == report.compilation().graph().numComputeSets());
    const ProfileValue &total = graph["memory"]["byTile"]["total"];
    std::uint64_t expected = 0, tiles = 0, categories = 0;
    for (const pva::Tile &tile : report.compilation().tiles()) {
      expected += tile.memory().total().excludingGaps();
      ++tiles;
    }
    CHECK(total.size() == tiles);
    CHECK(total.sumUint64() == expected);
    CHECK(expected > 0);
    const ProfileValue &byCategory = graph["memory"]["byCategory"];
    for (const auto &category : byCategory.asMap())
      categories += category.second["total"].sumUint64();
    CHECK(categories >= expected); // each category counts even if it overlaps in time
    CHECK(byCategory["variable"]["nonInterleaved"]["nonOverlapped"].size() == tiles);
    const ProfileValue &simulation = profile["executionProfile"]["simulation"];
    CHECK(simulation["cycles"].asUint64() == report.execution().totalCycles().total());
    CHECK(simulation["cycles"].asUint64() > 0);
    CHECK(simulation["steps"].size() == report.execution().steps().size());
    CHECK(engine.getGraphProfile() == graph);
  }

  TEST_CASE("trees print what the engine prints, with each of the options") {
    const Device device = smallModel(4, 2);
    IncrementProgram p(device, 10);
    Engine engine(p.graph, p.step);
    engine.load(device);
    engine.run(0, "first");
    const ProfileValue graph = engine.getGraphProfile(), execution = engine.getExecutionProfile();
    for (const OptionFlags &options : std::vector<OptionFlags>{{},
                                                               {{"showVarStorage", "true"}},
                                                               {{"showExecutionSteps", "true"}},
                                                               {{"showOptimizations", "true"}},
                                                               {{"showPerIpuMemoryUsage", "true"}},
                                                               {{"executionSummaryStyle", "average"}},
                                                               {{"colours", "true"}}}) {
      std::ostringstream own, trees, parts;
      engine.printProfileSummary(own, options);
      printProfileSummary(trees, graph, execution, options);
      printGraphSummary(parts, graph, options);
      parts << '\n';
      printExecutionSummary(parts, graph, execution, options);
      CHECK(trees.str() == own.str());
      CHECK(parts.str() == own.str());
    }
    std::ostringstream none;
    CHECK_THROWS_WITH_AS(printGraphSummary(none, ProfileValue(3)), doctest::Contains("Engine::getGraphProfile"),
                         poplar_error);
    ProfileValue::Map damaged = execution.asMap();
    damaged["popscope"]["profile"] = "AAAA";
    CHECK_THROWS_WITH_AS(printExecutionSummary(none, graph, ProfileValue(damaged)),
                         doctest::Contains("Engine::getExecutionProfile"), poplar_error);
    damaged["popscope"]["profile"] = "?";
    CHECK_THROWS_AS(printExecutionSummary(none, graph, ProfileValue(damaged)), poplar_error);
    CHECK_THROWS_AS(printGraphSummary(none, graph, {{"showAll", "true"}}), invalid_option);
    CHECK(none.str().empty());
  }

  TEST_CASE("profiling that is switched off records nothing, and reset forgets") {
    const Device device = smallModel();
    IncrementProgram p(device, 4);
    Engine engine(p.graph, p.step);
    engine.load(device);
    engine.disableExecutionProfiling();
    engine.run();
    CHECK(engine.getExecutionProfile()["simulation"]["cycles"].asUint64() == 0);
    engine.enableExecutionProfiling();
    engine.run();
    CHECK(engine.getExecutionProfile()["simulation"]["cycles"].asUint64() > 0);
    engine.resetExecutionProfile();
    CHECK(engine.getExecutionProfile()["simulation"]["cycles"].asUint64() == 0);
  }

  TEST_CASE("reportIntervals writes a row for each recorded step and IPU") {
    const Device device = smallModel();
    IncrementProgram p(device, 4);
    Engine engine(p.graph, p.step);
    engine.load(device);
    engine.run();
    std::ostringstream out;
    engine.reportIntervals(out);
    std::istringstream in(out.str());
    std::string line;
    std::getline(in, line);
    CHECK(line == "run,step,type,name,ipu,begin,end,activeTiles,busyCycles");
    std::size_t rows = 0;
    bool computes = false;
    for (; std::getline(in, line); ++rows)
      computes = computes || line.find("OnTileExecute") != std::string::npos;
    CHECK(rows == engine.getReport().execution().steps().size());
    CHECK(computes);
  }

  TEST_CASE("reportIntervals leaves the cells of unknown cycles empty") {
    const Device device = Device::createSimulatorDevice(Target::createIPUTarget(2, 4, "ipu2"));
    Graph graph(device.getTarget());
    addTestCodelets(graph);
    const Tensor x = graph.addVariable(FLOAT, {4}, "x");
    const ComputeSet set = graph.addComputeSet("second IPU only");
    const VertexRef v = graph.addVertex(set, "Increment", {{"x", x}});
    graph.setInitialValue(v["by"], 1.0f);
    graph.setTileMapping(x, 4);
    graph.setTileMapping(v, 4);
    Engine engine(graph, Execute(set), {{"debug.instrument", "true"}, {"debug.computeInstrumentationLevel", "ipu"}});
    engine.load(device);
    engine.run();
    std::ostringstream out;
    engine.reportIntervals(out);
    std::istringstream in(out.str());
    std::vector<std::string> rows;
    for (std::string line; std::getline(in, line);)
      if (line.find("OnTileExecute,second IPU only") != std::string::npos)
        rows.push_back(line.substr(line.find("second IPU only")));
    REQUIRE(rows.size() == 2);
    CHECK(rows[0] == "second IPU only,0,,,0,");
    CHECK(rows[1].rfind("second IPU only,1,,", 0) == std::string::npos);
    CHECK(rows[1].rfind("second IPU only,1,0,", 0) == std::string::npos);
    CHECK(rows[1].find(",1,", 18) != std::string::npos); // one active tile, whose busy cycles are unknown
    CHECK(rows[1].back() == ',');
  }

  TEST_CASE("a saved profile prints as the engine does; a missing one is refused by name") {
    const auto folder = std::filesystem::temp_directory_path() / ("popscope-legacy-" + std::to_string(getpid()));
    std::string live;
    {
      const Device device = smallModel();
      IncrementProgram p(device, 4);
      Engine engine(p.graph, p.step, {{"autoReport.all", "true"}, {"autoReport.directory", folder.string()}});
      engine.load(device);
      engine.run();
      live = summaryOf(engine);
    }
    std::ostringstream saved;
    printProfileSummary(saved, (folder / "profile.pop").string(), {{"showExecutionSteps", "false"}});
    CHECK(saved.str().find("Memory Usage:") != std::string::npos);
    CHECK(live.find("Memory Usage:") != std::string::npos);
    std::filesystem::remove_all(folder);
    std::ostringstream none;
    CHECK_THROWS_AS(printProfileSummary(none, (folder / "profile.pop").string()), std::runtime_error);
  }

  TEST_CASE("a CPU target has no profile") {
    const Device device = Device::createCPUDevice();
    Graph graph(device.getTarget());
    Engine engine(graph, Sequence());
    CHECK_THROWS_AS(engine.getProfile(), profiling_disabled);
    CHECK_THROWS_AS(engine.getReport(), profiling_disabled);
  }

} // TEST_SUITE
