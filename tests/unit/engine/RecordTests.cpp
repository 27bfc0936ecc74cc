// Records of a profile in addition to steps: loops and conditionals, the sources of vertex cycles, every execution.
#include "graph/steps/StepKinds.hpp"
#include "tests/TemporaryFolder.hpp"
#include "tests/unit/engine/Programs.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <numeric>
#include <poplar/exceptions.hpp>
#include <pva/pva.hpp>
#include <sstream>

using namespace poplar;
using namespace poplar::program;
using namespace engine_tests;

namespace {

const char *const kStepCodelet = R"(
#include <poplar/Vertex.hpp>
struct CountDown : poplar::Vertex {
  poplar::InOut<int> n;
  bool compute() {
    int sum = 0;
    for (int i = 0; i < *n * 10; ++i)
      sum ^= (sum << 1) + i;
    *n = *n - 1 + (sum == 12345 ? 1 : 0);
    return *n > 0;
  }
};
)";

// n counts down to 0 in a RepeatWhile. The If after it tests n > 0, which is false.
struct CountDown {
  Device device;
  Graph graph;
  Tensor n, more;
  Sequence program;
  explicit CountDown(Device d) : device(std::move(d)), graph(device.getTarget()) {
    std::stringstream source(kStepCodelet);
    graph.addCodelets(source);
    n = graph.addVariable(INT, {}, "n");
    more = graph.addVariable(BOOL, {}, "more");
    graph.setTileMapping(n, 0);
    graph.setTileMapping(more, 0);
    graph.setInitialValue(n, 4);
    graph.setInitialValue(more, true);
    const ComputeSet cs = graph.addComputeSet("down");
    const VertexRef v = graph.addVertex(cs, "CountDown", {{"n", n}});
    graph.setTileMapping(v, 0);
    const ComputeSet other = graph.addComputeSet("other");
    const VertexRef w = graph.addVertex(other, "CountDown", {{"n", n}});
    graph.setTileMapping(w, 0);
    program = Sequence({RepeatWhileTrue(Sequence(), more, Execute(cs, more)), If(more, Execute(other), Sequence())});
  }
  pva::Report run(Engine &engine) {
    engine.load(device);
    engine.run();
    return engine.getReport();
  }
};

std::map<std::string, pva::ControlFlow> controlFlowOf(const pva::Report &report) {
  std::map<std::string, pva::ControlFlow> rows;
  for (const pva::ControlFlow &row : report.execution().runs()[0].controlFlow())
    rows[pva::programTypeName(row.program->type())] = row;
  return rows;
}

} // namespace

TEST_SUITE("engine.records") {

  TEST_CASE("each kind of step has a program type of its name in pva") {
    std::vector<std::string> names;
    for (int type = 0; type != 200; ++type)
      names.push_back(pva::programTypeName(static_cast<pva::Program::Type>(type)));
    for (const popscope::StepKindRow &row : popscope::kStepKinds)
      CHECK_MESSAGE(std::count(names.begin(), names.end(), row.name) == 1, row.name);
  }

  TEST_CASE("an IPU with counters of control flow tells iterations, branches and their cycles; the text shows them") {
    CountDown p(simulatedIpu(4));
    Engine engine(p.graph, p.program, {{"debug.instrument", "true"}});
    const pva::Report report = p.run(engine);
    const auto rows = controlFlowOf(report);
    REQUIRE(rows.size() == 2);
    CHECK(rows.at("RepeatWhile").taken == 4);
    CHECK(rows.at("RepeatWhile").cycles > 0);
    CHECK(rows.at("If").taken == 1); // false: the second child
    CHECK(rows.at("If").cycles == 0);
    // 17 for the If; for the loop 17, 1 for the initial 0 of its count, and one per iteration.
    CHECK(report.execution().totalCycles().controlFlowReads() == 17 + 17 + 1 + 4);
    CHECK(report.instrumentationSettings().controlFlow());
    const std::string text = summaryOf(engine);
    CHECK(text.find("  Control flow (last execution):\n") != std::string::npos);
    CHECK(text.find("4 iterations") != std::string::npos);
    CHECK(text.find("Must enable debug.instrumentControlFlow") == std::string::npos);
  }

  TEST_CASE("without them an IPU tells nothing of the kind, and the text says how to get it") {
    CountDown p(simulatedIpu(4));
    Engine engine(p.graph, p.program, {{"debug.instrument", "true"}, {"debug.instrumentControlFlow", "false"}});
    const pva::Report report = p.run(engine);
    CHECK(report.execution().runs()[0].controlFlow().size() == 0);
    CHECK(report.execution().totalCycles().controlFlowReads() == 0);
    CHECK_FALSE(report.instrumentationSettings().controlFlow());
    const std::string text = summaryOf(engine);
    CHECK(text.find("Must enable debug.instrumentControlFlow") != std::string::npos);
    CHECK(text.find("iterations,") == std::string::npos);
  }

  TEST_CASE("counters of control flow alone record a run, in which only exchanges have cycles") {
    CountDown p(simulatedIpu(4));
    Engine engine(p.graph, p.program, {{"debug.instrumentControlFlow", "true"}});
    const pva::Report report = p.run(engine);
    CHECK(controlFlowOf(report).size() == 2);
    CHECK_FALSE(report.execution().totalCycles().computeKnown());
    CHECK_FALSE(report.execution().totalCycles().externalExchangeKnown());
  }

  TEST_CASE("an engine that has not run states this as the only reason, whatever its options") {
    CountDown p(smallModel(4));
    for (const OptionFlags &options : {OptionFlags{}, OptionFlags{{"autoReport.outputExecutionProfile", "false"}}}) {
      Engine engine(p.graph, p.program, options);
      const std::string text = summaryOf(engine);
      CHECK(text.find("The program has not run yet") != std::string::npos);
      CHECK(text.find("outputExecutionProfile") == std::string::npos);
    }
  }

  TEST_CASE("an IPU Model tells the same at no cost, and its summary keeps its form") {
    CountDown p(smallModel(4));
    Engine engine(p.graph, p.program);
    const pva::Report report = p.run(engine);
    CHECK(controlFlowOf(report).at("RepeatWhile").taken == 4);
    CHECK(report.execution().totalCycles().unattributed() == 0);
    CHECK(summaryOf(engine).find("Control flow") == std::string::npos);
  }

  TEST_CASE("every execution is kept on request, whatever the level knows, and agrees with what a model shows") {
    CountDown onModel(smallModel(4));
    Engine model(onModel.graph, onModel.program, {{"popscope.recordEveryExecution", "true"}});
    const pva::Report seen = onModel.run(model);
    std::vector<std::uint64_t> shown, starts;
    for (const auto &step : seen.execution().steps())
      if (step.program()->name() == "down" && step.program()->type() == pva::Program::Type::OnTileExecute) {
        shown.push_back(step.ipus()[0].cycles());
        starts.push_back(step.ipus()[0].activeCycles().from().min());
      }
    REQUIRE(shown.size() == 4);
    const auto downOf = [](const pva::Report &report) {
      pva::ProgramExecutions found;
      for (const pva::ProgramExecutions &e : report.execution().runs()[0].executions())
        if (e.program->name() == "down" && e.program->type() == pva::Program::Type::OnTileExecute)
          found = e;
      return found;
    };
    const pva::ProgramExecutions every = downOf(seen);
    CHECK(std::vector<std::uint64_t>(every.cycles.begin(), every.cycles.end()) == shown);
    CHECK(std::vector<std::uint64_t>(every.starts.begin(), every.starts.end()) == starts);

    CountDown onIpu(simulatedIpu(4));
    Engine ipu(onIpu.graph, onIpu.program,
               {{"popscope.recordEveryExecution", "true"},
                {"debug.instrumentCompute", "true"},
                {"debug.computeInstrumentationLevel", "ipu"}});
    const pva::ProgramExecutions behind = downOf(onIpu.run(ipu));
    CHECK(std::vector<std::uint64_t>(behind.cycles.begin(), behind.cycles.end()) ==
          shown); // four different counts, so a device knows none of them
    CHECK(shown[0] > shown[3]);

    CountDown without(smallModel(4));
    Engine engine(without.graph, without.program);
    CHECK(without.run(engine).execution().runs()[0].executions().size() == 0);
  }

  TEST_CASE("memory is sampled at every n-th step of a run, with what liveness says of it, on a device too") {
    const auto samplesOf = [](Device device, const OptionFlags &options) {
      CountDown p(std::move(device));
      Engine engine(p.graph, p.program, options);
      return p.run(engine);
    };
    const pva::Report all = samplesOf(smallModel(4), {{"popscope.sampleMemory", "1"}});
    const auto every = all.execution().runs()[0].memorySamples();
    std::map<std::size_t, std::uint64_t> live;
    for (const auto &step : all.compilation().livenessProgramSteps())
      live[step.program()->_id()] = step.notAlwaysLiveMemory().bytes() + all.popscope().alwaysLiveBytes();
    std::size_t executed = 0; // records of the same run, step by step
    for (const auto &step : all.execution().runs()[0].steps())
      executed += live.count(step.program()->_id());
    REQUIRE(every.size() == executed);
    CHECK(executed > 8); // the loop's body counts once for each iteration
    std::uint64_t before = 0;
    for (std::size_t i = 0; i < every.size(); ++i) {
      CHECK(every[i].position == i);
      CHECK(every[i].bytes == live.at(every[i].program->_id()));
      CHECK(every[i].cycle >= before);
      before = every[i].cycle;
    }
    CHECK(before > 0);
    CHECK(before < all.execution().totalCycles().total());

    const auto third = samplesOf(smallModel(4), {{"popscope.sampleMemory", "3"}}).execution().runs()[0].memorySamples();
    REQUIRE(third.size() == (executed + 2) / 3);
    for (std::size_t i = 0; i < third.size(); ++i) {
      CHECK(third[i].position == 3 * i);
      CHECK(third[i].cycle == every[3 * i].cycle);
      CHECK(third[i].program->_id() == every[3 * i].program->_id());
    }
    const pva::Report ipu = samplesOf(simulatedIpu(4), {{"popscope.sampleMemory", "3"}, {"debug.instrument", "true"}});
    CHECK(ipu.execution().runs()[0].memorySamples().size() ==
          third.size()); // its counters hold only the last iteration
    CHECK(samplesOf(smallModel(4), {}).execution().runs()[0].memorySamples().empty());
  }

  TEST_CASE("popscope.dump writes the program after the passes that it names, and no other") {
    const std::string folder = (std::filesystem::temp_directory_path() / "popscope-dump-test").string();
    std::filesystem::remove_all(folder);
    CountDown p(smallModel(4));
    Engine engine(p.graph, p.program,
                  {{"popscope.dump", "after:EmitNaive,SizeControlCode"}, {"autoReport.directory", folder}});
    std::vector<std::string> names;
    for (const auto &file : std::filesystem::directory_iterator(folder))
      names.push_back(file.path().filename().string());
    std::sort(names.begin(), names.end());
    CHECK(names == std::vector<std::string>{"steps-02-EmitNaive.txt", "steps-12-SizeControlCode.txt"});
    const auto text = [&](const char *name) {
      std::ifstream in(folder + "/" + name);
      return std::string(std::istreambuf_iterator<char>(in), {});
    };
    CHECK(text("steps-02-EmitNaive.txt").find("RepeatWhileTrue") != std::string::npos);
    const std::string steps = text("steps-12-SizeControlCode.txt");
    CHECK(steps.rfind("0 Sequence\n", 0) == 0);
    CHECK(steps.find("RepeatWhile") != std::string::npos);
    CHECK(steps.find("\ntables\n") != std::string::npos);
    std::filesystem::remove_all(folder);
  }

  TEST_CASE("popscope.dump of an unknown pass is refused with the passes that there are") {
    CountDown p(smallModel(4));
    for (const char *value : {"after:MergeCopy", "after:", "after:TouchSteps,"}) {
      CAPTURE(value);
      std::string message;
      try {
        Engine engine(p.graph, p.program, {{"popscope.dump", value}});
      } catch (const poplar::invalid_option &e) {
        message = e.what();
      }
      CHECK(message.find("\"popscope.dump\"") != std::string::npos);
      CHECK(message.find("MergeCopies, TouchSteps") != std::string::npos);
    }
  }

  TEST_CASE("parts of the compile are told on request: they nest, add up, and are what happened") {
    CountDown p(smallModel(4));
    Engine engine(p.graph, p.program, {{"popscope.recordCompilePhases", "true"}, {"debug.verify", "true"}});
    const auto phases = p.run(engine).popscope().compilePhases();
    REQUIRE(!phases.empty());
    CHECK(phases[0].name == "compile");
    CHECK(!phases[0].isPart);
    std::vector<double> parts(phases.size(), 0);
    std::map<std::string, std::string> parentOf;
    for (const pva::CompilePhase &phase : phases) {
      if (!phase.isPart)
        continue;
      parts.at(phase.parent) += phase.wallMicroseconds;
      parentOf[phase.name] = phases[phase.parent].name;
      CHECK(phase.startMicroseconds >= phases[phase.parent].startMicroseconds);
    }
    for (std::size_t i = 0; i < phases.size(); ++i) {
      CHECK(parts[i] <= phases[i].wallMicroseconds);
      CHECK(phases[i].cpuMicroseconds >= 0);
      CHECK(phases[i].memoryKnown);
      CHECK(phases[i].peakBytes >= phases[i].bytesAfter);
    }
    for (const char *stage : {"lowering", "liveness", "layout", "checkers", "records of the profile"})
      CHECK(parentOf[stage] == "compile");
    CHECK(parentOf["PlanExchange"] == "lowering");
    CHECK(parentOf.count("explanation of liveness") == 0); // it was not requested
    CHECK(phases[0].wallMicroseconds > 0);
    CHECK(phases.back().name == "profile written");
    CHECK(!phases.back().isPart);
    CHECK(phases.back().wallMicroseconds > 0);
    CHECK(phases.back().startMicroseconds >= phases[0].startMicroseconds + phases[0].wallMicroseconds);

    CountDown quiet(smallModel(4));
    Engine without(quiet.graph, quiet.program);
    CHECK(quiet.run(without).popscope().compilePhases().empty());
  }

  TEST_CASE("the profile names the source of each vertex type's cycles in each compute set, and why there are none") {
    const Device device = smallModel(4);
    Graph graph(device.getTarget());
    std::stringstream source(R"(
#include <poplar/Vertex.hpp>
struct Own : poplar::Vertex {
  poplar::InOut<int> x;
  bool compute() { *x += 1; return true; }
  unsigned long long getCycleEstimate() const { return 33; }
};
struct Plain : poplar::Vertex {
  poplar::InOut<int> x;
  bool compute() { *x += 1; return true; }
};
struct Registered : poplar::Vertex {
  poplar::InOut<int> x;
  bool compute() { *x += 1; return true; }
};
)");
    graph.addCodelets(source);
    std::stringstream hostOnly(R"(
#include <poplar/Vertex.hpp>
#if __SIZEOF_POINTER__ == 4
#error only for the host
#endif
struct HostOnly : poplar::Vertex {
  poplar::InOut<int> x;
  bool compute() { *x += 1; return true; }
};
)");
    graph.addCodelets(hostOnly);
    graph.registerCycleEstimator("Registered",
                                 [](const VertexIntrospector &, const Target &) { return std::uint64_t(21); });
    const ComputeSet cs = graph.addComputeSet("all");
    unsigned count = 0;
    const auto add = [&](const char *type) {
      const Tensor x = graph.addVariable(INT, {}, "x");
      graph.setTileMapping(x, count % 4);
      graph.setInitialValue(x, 1);
      const VertexRef v = graph.addVertex(cs, type, {{"x", x}});
      graph.setTileMapping(v, count++ % 4);
      return v;
    };
    add("Own");
    add("Plain");
    add("Plain");
    graph.setPerfEstimate(add("Plain"), 11); // two sources of one type
    add("Registered");
    graph.setCycleEstimate(add("Registered"), 12);
    add("HostOnly");
    const Tensor from = graph.addVariable(INT, {2}, "from"), to = graph.addVariable(INT, {2}, "to");
    graph.setTileMapping(from, 0);
    graph.setTileMapping(to, 0);
    Engine engine(graph, Sequence({Execute(cs), Copy(from, to)}));
    engine.load(device);
    for (const auto &type : engine.getReport().compilation().vertexTypes())
      CHECK(type.cycleProvenance() == ""); // nothing ran
    engine.run();
    const pva::Report report = engine.getReport();
    std::map<std::string, pva::CycleSource> rows;
    for (const auto &set : report.compilation().computeSets())
      for (const pva::CycleSource &row : set.cycleSources())
        rows[row.type.name() + ", " + row.source] = row;
    CHECK(rows.at("Own, codelet").vertices == 1);
    CHECK(rows.at("Plain, stand-in").vertices == 2);
    CHECK(rows.at("Plain, estimate").vertices == 1);
    CHECK(rows.at("Registered, estimator").vertices == 1);
    CHECK(rows.at("Registered, estimate").vertices == 1);
    CHECK(rows.at("HostOnly, ").reason.find("no stand-in: ") == 0);
    CHECK(rows.at("HostOnly, ").reason.find("only for the host") != std::string::npos);
    CHECK(rows.size() == 7); // and the copy vertex
    for (const auto &row : rows)
      CHECK(row.second.reason.empty() == (row.second.source != ""));
    for (const auto &type : report.compilation().vertexTypes()) {
      if (type.name() == "Plain")
        CHECK(type.cycleProvenance() == "stand-in"); // the less direct of its two
      if (type.name().find("poplar_rt::") == 0)
        CHECK(type.cycleProvenance() == "runtime");
    }
    // Unknown stays unknown: neither the type nor its parent has a number, in particular not 0.
    bool seen = false;
    for (const auto &step : report.execution().steps())
      for (const pva::VertexTypeCycles &v : step.vertexTypes())
        if (v.type.name() == "HostOnly") {
          seen = true;
          CHECK_FALSE(v.known);
          CHECK_FALSE(step.threadCyclesKnown());
        }
    CHECK(seen);
    CHECK_FALSE(report.execution().totalCycles().computeWithoutIdleKnown());
  }

  TEST_CASE("what was recorded is forgotten with the execution") {
    CountDown p(smallModel(4));
    Engine engine(p.graph, p.program, {{"popscope.recordEveryExecution", "true"}});
    p.run(engine);
    engine.resetExecutionProfile();
    const pva::Report report = engine.getReport();
    CHECK(report.execution().runs().size() == 0);
    for (const auto &set : report.compilation().computeSets())
      CHECK(set.cycleSources().size() == 0);
  }

  TEST_CASE("a variable that only a WriteUndef names has no bytes on any tile") {
    const TemporaryFolder folder("undefined-variable");
    Device device = smallModel(4);
    Graph graph(device.getTarget());
    const Tensor x = graph.addVariable(FLOAT, {8}, VariableMappingMethod::LINEAR, "x"),
                 y = graph.addVariable(FLOAT, {8}, VariableMappingMethod::LINEAR, "y"),
                 undefined = graph.addVariable(FLOAT, {1000}, VariableMappingMethod::LINEAR, "undefined");
    graph.createHostWrite("x", x);
    graph.createHostRead("y", y);
    Engine engine(graph, Sequence({Copy(x, y), WriteUndef(undefined)}),
                  {{"autoReport.all", "true"},
                   {"autoReport.outputLoweredVars", "true"},
                   {"autoReport.directory", folder.path.string()}});
    const pva::Report report = engine.getReport();
    std::uint64_t variables = 0, allocations = 0;
    for (const auto &variable : report.compilation().variables()) {
      CHECK(variable.name() != "undefined");
      variables += variable.size();
    }
    for (std::size_t tile = 0; tile < 4; ++tile)
      for (const auto &lowered : report.compilation().loweredVariables().forTile(tile))
        allocations += lowered.bytes();
    CHECK(variables == allocations);
  }

  TEST_CASE("a run that stops early keeps the steps up to there, and every execution of them") {
    Device device = smallModel(4);
    Graph graph(device.getTarget());
    addTestCodelets(graph);
    const Tensor x = graph.addVariable(FLOAT, {4}, VariableMappingMethod::LINEAR, "x"),
                 stop = graph.addVariable(BOOL, {}, "stop");
    graph.setTileMapping(stop, 0);
    graph.setInitialValue(stop, true);
    const ComputeSet cs = graph.addComputeSet("once");
    const VertexRef v = graph.addVertex(cs, "Increment", {{"x", x}});
    graph.setInitialValue(v["by"], 1.0f);
    graph.setTileMapping(v, 0);
    const ComputeSet never = graph.addComputeSet("never");
    const VertexRef w = graph.addVertex(never, "Increment", {{"x", x}});
    graph.setInitialValue(w["by"], 1.0f);
    graph.setTileMapping(w, 0);
    Engine engine(graph, Sequence({Execute(cs), AbortOnCondition(stop, "enough"), Execute(never)}),
                  {{"popscope.recordEveryExecution", "true"}});
    engine.load(device);
    CHECK_THROWS_WITH_AS(engine.run(), doctest::Contains("enough"), application_runtime_error);
    const pva::Report report = engine.getReport();
    REQUIRE(report.execution().runs().size() == 1);
    CHECK_FALSE(report.execution().runs()[0].complete());
    std::vector<std::string> names;
    for (const auto &step : report.execution().steps())
      if (step.program()->type() == pva::Program::Type::OnTileExecute)
        names.push_back(step.program()->name());
    CHECK(std::count(names.begin(), names.end(), "once") == 1);
    CHECK(std::count(names.begin(), names.end(), "never") == 0);
    CHECK(report.execution().runs()[0].executions().size() > 0);
  }

  TEST_CASE(
      "vertices of a compute set that race are refused by name: two writers of an element, a read of another's write") {
    for (const bool writers : {true, false}) {
      Device device = smallModel(4);
      Graph graph(device.getTarget());
      addTestCodelets(graph);
      const Tensor x = graph.addVariable(FLOAT, {4}, "x"), out = graph.addVariable(FLOAT, {}, "out");
      graph.setTileMapping(x, 1);
      graph.setTileMapping(out, 1);
      const ComputeSet cs = graph.addComputeSet("racing");
      const auto add = [&](const char *type) {
        const VertexRef v = graph.addVertex(cs, type);
        graph.setTileMapping(v, 1);
        return v;
      };
      const VertexRef first = add("Increment");
      graph.connect(first["x"], x.slice(0, 3));
      graph.setInitialValue(first["by"], 1.0f);
      if (writers) {
        const VertexRef second = add("Increment");
        graph.connect(second["x"], x.slice(2, 4));
        graph.setInitialValue(second["by"], 1.0f);
      } else {
        const VertexRef second = add("Sum");
        graph.connect(second["in"], x.slice(2, 4));
        graph.connect(second["out"], out);
      }
      CAPTURE(writers);
      CHECK_THROWS_WITH_AS(Engine(graph, Execute(cs)),
                           doctest::Contains(writers
                                                 ? "writes element 2 of variable 'x' that vertex 0 (Increment) writes"
                                                 : "element 2 of variable 'x'"),
                           poplar_error);
    }
  }

} // TEST_SUITE
