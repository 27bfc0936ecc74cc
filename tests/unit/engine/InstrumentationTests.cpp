// The records of the counters of a (simulated) IPU at each level, their cost, and their sums.
#include "tests/TemporaryFolder.hpp"
#include "tests/unit/engine/Programs.hpp"

#include <doctest/doctest.h>
#include <pva/pva.hpp>
#include <set>
#include <sstream>

using namespace poplar;
using namespace poplar::program;
using namespace engine_tests;

namespace {

// A loop of three executions whose vertices take longer each time, after a copy from the host and an exchange.
struct GrowingProgram {
  Device device;
  Graph graph;
  Sequence program;
  std::vector<int> one = std::vector<int>(8, 1);
  explicit GrowingProgram(Device d) : device(std::move(d)), graph(device.getTarget()) {
    std::stringstream source(R"(
#include <poplar/Vertex.hpp>
struct Grow : poplar::Vertex {
  poplar::InOut<poplar::Vector<int>> n;
  poplar::Input<int> other;
  bool compute() {
    int sum = *other;
    for (int i = 0; i < n[0]; ++i)
      sum = (sum ^ (sum << 5)) + i;
    n[0] = 5 * n[0] + (sum > 1000 ? 1 : 0);
    return true;
  }
};
)");
    graph.addCodelets(source);
    const Tensor n = graph.addVariable(INT, {8}, "n"), other = graph.addVariable(INT, {8}, "other");
    const ComputeSet cs = graph.addComputeSet("grow");
    for (unsigned v = 0; v < 8; ++v) {
      graph.setTileMapping(n[v], v / 2);
      graph.setTileMapping(other[v], v / 2);
      const VertexRef vertex = graph.addVertex(cs, "Grow", {{"n", n.slice(v, v + 1)}, {"other", other[(v + 4) % 8]}});
      graph.setTileMapping(vertex, v / 2);
    }
    program = Sequence(Copy(graph.addHostToDeviceFIFO("in", INT, 8), n), Repeat(3, Execute(cs)));
  }
  pva::Report run(Engine &engine) {
    engine.load(device);
    engine.connectStream("in", one.data());
    engine.run();
    return engine.getReport();
  }
};

// Returns the cycles of each execution of the compute set.
std::vector<std::uint64_t> growCycles(const pva::Report &report) {
  std::vector<std::uint64_t> cycles;
  for (const auto &step : report.execution().steps())
    if (step.program()->type() == pva::Program::Type::OnTileExecute && step.program()->name() == "grow")
      cycles.push_back(step.ipus()[0].cycles());
  return cycles;
}

std::uint64_t sumOf(const pva::CycleTotals &t) {
  return t.compute() + t.exchange() + t.globalExchange() + t.hostExchange() + t.sharedStructureCopy() + t.sync() +
         t.unattributed();
}

} // namespace

TEST_SUITE("engine.instrumentation") {

  TEST_CASE("an IPU Model records every execution; an IPU keeps the last one for all") {
    GrowingProgram onModel(smallModel(4));
    Engine model(onModel.graph, onModel.program);
    const auto every = growCycles(onModel.run(model));
    REQUIRE(every.size() == 3);
    CHECK(every[0] < every[1]);
    CHECK(every[1] < every[2]);

    GrowingProgram onIpu(simulatedIpu(4));
    Engine ipu(onIpu.graph, onIpu.program, {{"debug.instrument", "true"}});
    CHECK(growCycles(onIpu.run(ipu)) == std::vector<std::uint64_t>(3, every[2]));
  }

  TEST_CASE("each level records what it can know and no more, and the cycles of every tile add up") {
    struct Level {
      const char *name;
      bool byTile, byType;
    };
    for (const Level &level : {Level{"vertex", true, true}, Level{"tile", true, false}, Level{"ipu", false, false},
                               Level{"device", false, false}}) {
      CAPTURE(level.name);
      GrowingProgram p(simulatedIpu(4));
      Engine engine(p.graph, p.program,
                    {{"debug.instrument", "true"}, {"debug.computeInstrumentationLevel", level.name}});
      const pva::Report report = p.run(engine);
      const pva::CycleTotals t = report.execution().totalCycles();
      CHECK(t.total() > 0);
      CHECK(t.computeKnown() == level.byTile);
      CHECK(t.computeWithoutIdleKnown() == level.byType);
      CHECK(t.externalExchangeKnown());
      CHECK(t.counterReads() > 0);
      CHECK(t.controlFlowReads() == 10); // the cycles of one Repeat: four instructions and a store
      CHECK(t.unattributed() == t.counterReads() + t.controlFlowReads());
      if (level.byTile)
        CHECK(sumOf(t) == t.total() * 4);
      std::uint64_t read = 0; // after its steps; the same each time
      for (const auto &step : report.execution().steps())
        for (const std::uint64_t cycles : step.program()->counterCyclesByTile())
          read += cycles;
      CHECK(read == t.counterReads());
      unsigned seen = 0;
      for (const auto &step : report.execution().steps()) {
        if (step.program()->type() != pva::Program::Type::OnTileExecute)
          continue;
        ++seen;
        CHECK(step.ipus()[0].cyclesKnown());
        CHECK(step.ipus()[0].busyCyclesKnown() == level.byTile);
        CHECK(step.cyclesByTile().empty() == !level.byTile);
        CHECK(step.threadCyclesKnown() == level.byType);
        for (const auto &type : step.vertexTypes())
          CHECK(type.known == level.byType);
      }
      CHECK(seen == 3);
      const std::string text = summaryOf(engine);
      CHECK((text.find("Must enable debug.instrumentCompute") == std::string::npos) == level.byTile);
      CHECK((text.find("excluding idle threads") == std::string::npos) == !level.byType);
    }
  }

  TEST_CASE("counters of one kind leave the other kind unknown, and none at all leave no execution") {
    GrowingProgram p(simulatedIpu(4));
    Engine external(p.graph, p.program, {{"debug.instrumentExternalExchange", "true"}});
    const pva::CycleTotals outside = p.run(external).execution().totalCycles();
    CHECK_FALSE(outside.computeKnown());
    CHECK(outside.externalExchangeKnown());
    CHECK(outside.hostExchange() > 0);
    CHECK_FALSE(outside.syncKnown());

    GrowingProgram q(simulatedIpu(4));
    Engine compute(q.graph, q.program, {{"debug.instrument", "true"}, {"debug.instrumentExternalExchange", "false"}});
    const pva::Report counted = q.run(compute);
    const pva::CycleTotals inside = counted.execution().totalCycles();
    CHECK(inside.computeKnown());
    CHECK_FALSE(inside.externalExchangeKnown());
    CHECK(inside.hostExchange() == 0);
    CHECK(summaryOf(compute).find("Must enable debug.instrumentExternalExchange") != std::string::npos);
    std::map<pva::Program::Type, unsigned> phases; // of host copies: each of them has a counter of its own
    for (const auto &step : counted.execution().steps()) {
      using Type = pva::Program::Type;
      const Type type = step.program()->type();
      const bool phase = type == Type::StreamCopyBegin || type == Type::StreamCopyMid || type == Type::StreamCopyEnd;
      phases[type] += phase ? 1 : 0;
      CAPTURE(pva::programTypeName(type));
      CHECK(step.ipus()[0].cyclesKnown() == !phase);
      CHECK(step.ipus()[0].timeKnown() == !phase);
    }
    for (const auto phase :
         {pva::Program::Type::StreamCopyBegin, pva::Program::Type::StreamCopyMid, pva::Program::Type::StreamCopyEnd})
      CHECK(phases[phase] != 0);

    GrowingProgram none(simulatedIpu(4));
    Engine off(none.graph, none.program);
    CHECK(none.run(off).execution().runs().size() == 0);
    CHECK(summaryOf(off).find("and the program did not request them: set") != std::string::npos);
    CHECK(summaryOf(off).find("autoReport.outputExecutionProfile to") != std::string::npos);
  }

  TEST_CASE("counters that an execution profile switches on are in the profile as counters that are requested") {
    std::string summaries[2];
    pva::Report reports[2];
    for (const bool explicitly : {false, true}) {
      const TemporaryFolder folder("counters-by-default");
      OptionFlags options = {
          {"autoReport.all", "true"}, {"autoReport.directory", folder.path.string()}, {"profiler.blocks.filter", ".*"}};
      if (explicitly)
        options.set("debug.instrument", "true");
      GrowingProgram p(simulatedIpu(4));
      Engine engine(p.graph, p.program, options);
      reports[explicitly] = p.run(engine);
      summaries[explicitly] = summaryOf(engine);
      const pva::InstrumentationSettings counters = reports[explicitly].instrumentationSettings();
      CHECK(counters.compute() == pva::ComputeInstrumentationLevel::Tile);
      CHECK(counters.externalExchange() == pva::ExternalExchangeInstrumentationLevel::Tile);
      CHECK(counters.controlFlow());
    }
    CHECK(summaries[0] == summaries[1]);
    CHECK(summaries[0].find("Must enable") == std::string::npos);
    CHECK(reports[0].execution().totalCycles().total() == reports[1].execution().totalCycles().total());
    const auto options = reports[0].compilation().engineOptions(), others = reports[1].compilation().engineOptions();
    REQUIRE(options.size() == others.size());
    for (std::size_t i = 0; i < options.size(); ++i)
      if (options[i].key != "autoReport.directory") {
        CAPTURE(options[i].key);
        CHECK(options[i].value == others[i].value);
        CHECK(options[i].isDefault == (options[i].key == "debug.instrument" || others[i].isDefault));
      }
  }

  TEST_CASE("the counters of a conditional that ends a run are read after the last step") {
    IncrementProgram p(simulatedIpu(4), 8);
    const Tensor flag = p.graph.addConstant(BOOL, {}, true);
    p.graph.setTileMapping(flag, 3); // the tile that records all branches
    for (const bool last : {false, true}) {
      CAPTURE(last);
      Sequence program(If(flag, p.step, Sequence()));
      if (!last)
        program.add(p.step);
      Engine engine(p.graph, program, {{"debug.instrument", "true"}});
      engine.load(simulatedIpu(4));
      engine.run();
      const pva::ExecutionReport execution = engine.getReport().execution();
      std::uint64_t end = 0;
      for (const auto &step : execution.steps())
        end = std::max(end, step.ipus()[0].allCycles().to().max());
      CHECK(execution.totalCycles().controlFlowReads() == 17);
      CHECK(execution.totalCycles().total() - end == (last ? 17 : 0));
    }
  }

  TEST_CASE("an IPU takes longer than a model: for its counters, and for the host") {
    GrowingProgram onModel(smallModel(4)), onIpu(simulatedIpu(4));
    Engine model(onModel.graph, onModel.program);
    Engine ipu(onIpu.graph, onIpu.program, {{"debug.instrument", "true"}});
    const pva::CycleTotals without = onModel.run(model).execution().totalCycles(),
                           with = onIpu.run(ipu).execution().totalCycles();
    CHECK(without.counterReads() == 0);
    CHECK(with.total() > without.total());
    CHECK(with.exchange() < without.exchange()); // neighbours are nearer
    CHECK(with.hostExchange() > without.hostExchange());
  }

  TEST_CASE(
      "the counter code that the compiler reports is the control code that counters add, at each place of a set") {
    const Device device = simulatedIpu(4);
    std::uint64_t passed = 0; // bytes of counter code that InsertInstrumentation reports
    const auto controlCode = [&](const OptionFlags &options, unsigned places) {
      IncrementProgram p(device, 8);
      const Tensor flag = p.graph.addConstant(BOOL, {}, true);
      p.graph.setTileMapping(flag, 1);
      Sequence program;
      for (unsigned i = 0; i < places; ++i)
        program.add(p.step);
      program.add(If(flag, p.step, Sequence()));
      Engine engine(p.graph, program, options);
      const auto compilation = engine.getReport(false).compilation();
      passed = 0;
      for (const auto &pass : compilation.optimizations())
        passed += pass.name == "InsertInstrumentation" ? pass.after - pass.before : 0;
      std::uint64_t bytes = 0;
      for (const auto &tile : compilation.tiles())
        bytes += tile.memory().category().controlCode().total();
      return bytes;
    };
    for (const char *level : {"tile", "vertex", "ipu", "device"}) {
      CAPTURE(level);
      std::uint64_t before = 0;
      for (const unsigned places : {1U, 2U, 3U}) {
        CAPTURE(places);
        const std::uint64_t without = controlCode({{"debug.instrument", "false"}}, places);
        CHECK(passed == 0);
        const std::uint64_t with =
            controlCode({{"debug.instrument", "true"}, {"debug.computeInstrumentationLevel", level}}, places);
        CHECK(passed == with - without);
        if (before != 0 && level == std::string("tile"))
          CHECK(passed - before == 4 * 5 * 4); // 5 instructions of 4 bytes on each of 4 tiles
        before = passed;
      }
    }
  }

  TEST_CASE("the summary of averages shows each run by name") {
    GrowingProgram p(smallModel(4));
    Engine engine(p.graph, p.program);
    p.run(engine);
    engine.run(0, "second");
    std::ostringstream out;
    engine.printProfileSummary(out, {{"executionSummaryStyle", "average"}});
    const std::string text = out.str();
    CHECK(text.find("\nPrograms executed:\n\n<anonymous>.\n\n  Total cycles:") != std::string::npos);
    CHECK(text.find("\nsecond.\n\n  Total cycles:") != std::string::npos);
    CHECK(text.find("% of total)") != std::string::npos);
    CHECK(text.find("Total compute cycles") == std::string::npos);
    CHECK_THROWS_AS(engine.printProfileSummary(out, {{"executionSummaryStyle", "mean"}}), invalid_option);
  }

} // TEST_SUITE
