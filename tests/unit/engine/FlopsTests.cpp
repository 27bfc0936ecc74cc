// Floating-point operations, from an estimate in the program to the profile, and operands of vertices.
#include "tests/unit/engine/Programs.hpp"

#include <doctest/doctest.h>
#include <poplar/VertexIntrospector.hpp>
#include <poplar/exceptions.hpp>
#include <pva/pva.hpp>
#include <sstream>

using namespace poplar;
using namespace poplar::program;
using namespace engine_tests;

namespace {

// 12 floats on 3 tiles (4, 4, 4). "one": Increment on each tile, two of them with estimates of 40 and 2 operations, and
// Sum on tile 0 with 7. "two": Sum on tile 2, with an estimate of cycles but none of operations. Runs one, two, one.
// All moves are copies.
struct Estimated {
  Graph graph;
  Tensor x, sum;
  ComputeSet one, two;
  Sequence program;
  explicit Estimated(const Device &device) : graph(device.getTarget()) {
    addTestCodelets(graph);
    x = graph.addVariable(FLOAT, {12}, "x");
    sum = graph.addVariable(FLOAT, {2}, "sum");
    graph.setTileMapping(sum, 3);
    one = graph.addComputeSet("one");
    two = graph.addComputeSet("two");
    for (unsigned tile = 0; tile < 3; ++tile) {
      graph.setTileMapping(x.slice(4 * tile, 4 * tile + 4), tile);
      const VertexRef v = graph.addVertex(one, "Increment", {{"x", x.slice(4 * tile, 4 * tile + 4)}});
      graph.setInitialValue(v["by"], 1.0f);
      graph.setTileMapping(v, tile);
      if (tile != 1)
        graph.setPerfEstimate(v, 100, tile == 0 ? 40 : 2);
    }
    graph.setPerfEstimate(summing(one, 0), 50, 7);
    graph.setCycleEstimate(summing(two, 2), 30); // has no estimate of operations
    program = Sequence(Execute(one), Execute(two), Execute(one));
  }
  VertexRef summing(const ComputeSet &cs, unsigned tile) {
    const Tensor halves = graph.addConstant(FLOAT, {2}, 1.5f);
    graph.setTileMapping(halves, tile);
    const VertexRef v = graph.addVertex(cs, "Sum", {{"in", halves}, {"out", sum[tile == 0 ? 0 : 1]}});
    graph.setTileMapping(v, tile);
    return v;
  }
};

std::string shown(const pva::Flops &f) {
  return std::to_string(f.operations) + " of " + std::to_string(f.estimatedVertices) +
         (f.countedVertices == 0 ? "" : "+" + std::to_string(f.countedVertices)) + "/" + std::to_string(f.vertices) +
         (f.recorded ? "" : " not recorded") + (f.known() ? "" : " unknown");
}

pva::ComputeSet setNamed(const pva::Report &report, const std::string &name) {
  for (const auto &set : report.compilation().computeSets())
    if (set.name() == name)
      return set;
  throw std::runtime_error("no compute set " + name);
}

std::uint64_t flopsOfRuns(const pva::Report &report) {
  std::uint64_t sum = 0;
  for (const auto &step : report.execution().steps())
    if (const auto *execute = dynamic_cast<const pva::OnTileExecuteProgram *>(step.program().get()))
      sum += execute->computeset().flops().operations;
  return sum;
}

} // namespace

TEST_SUITE("engine.flops") {
  TEST_CASE("operations add up: vertices, their types, a compute set, what a run executes") {
    const Device device = smallModel();
    Estimated p(device);
    Engine engine(p.graph, p.program);
    engine.load(device);
    engine.run(0);
    const pva::Report report = engine.getReport(true);
    CHECK(shown(setNamed(report, "one").flops()) == "53 of 3+1/4"); // 40 + 2 + 7, and 4 sums on tile 1 are counted
    CHECK(shown(setNamed(report, "two").flops()) == "2 of 0+1/1");  // its estimate covers only cycles: two sums
    pva::Flops types;
    std::map<std::string, std::string> byType;
    for (const auto &v : setNamed(report, "one").vertices()) {
      byType[v.type().name()] = shown(v.flops());
      types += v.flops();
    }
    CHECK(byType == std::map<std::string, std::string>{{"Increment", "46 of 2+1/3"}, {"Sum", "7 of 1/1"}});
    CHECK(shown(types) == "53 of 3+1/4");
    CHECK(types.countedOperations == 4);
    pva::Flops all;
    for (const auto &one : report.compilation().flops())
      all += one.flops;
    CHECK(all.operations == 55);
    CHECK(all.vertices == report.compilation().graph().numVertices());
    CHECK(flopsOfRuns(report) == 108); // "one" runs twice
    Engine before(p.graph, p.program); // nothing is counted before a run
    CHECK(shown(setNamed(before.getReport(false), "one").flops()) == "49 of 3/4");
  }

  TEST_CASE("a device counts the vertices whose estimate says no operations, and takes those that an estimate says") {
    const Device device = simulatedIpu(4);
    Estimated p(device);
    Engine engine(p.graph, p.program, {{"debug.instrument", "true"}});
    engine.load(device);
    engine.run(0);
    const pva::Report report = engine.getReport(true);
    CHECK(shown(setNamed(report, "one").flops()) == "53 of 3+1/4");
    CHECK(shown(setNamed(report, "two").flops()) == "2 of 0+1/1"); // two sums; its estimate covers only cycles
  }

  // "f" makes 10 additions and "ad" 12. The engine is loaded before each of the runs f, ad, ad.
  TEST_CASE("a second load keeps operations, sources and vertices of the runs before it") {
    for (const bool model : {true, false}) {
      const Device device = model ? smallModel() : simulatedIpu(4);
      Graph graph(device.getTarget());
      addTestCodelets(graph);
      std::vector<Program> programs;
      for (const unsigned n : {10U, 12U}) {
        const Tensor x = graph.addVariable(FLOAT, {n}, "x");
        const ComputeSet cs = graph.addComputeSet(n == 10 ? "f" : "ad");
        const VertexRef v = graph.addVertex(cs, "Increment", {{"x", x}});
        graph.setInitialValue(v["by"], 1.0f);
        graph.setTileMapping(x, n - 10);
        graph.setTileMapping(v, n - 10);
        graph.setCycleEstimate(v, 25); // the operations are counted in the first execution only
        programs.emplace_back(Execute(cs));
      }
      Engine engine(graph, programs, {{"debug.instrument", "true"}, {"debug.computeInstrumentationLevel", "vertex"}});
      for (const unsigned program : {0U, 1U, 1U})
        engine.loadAndRun(device, program);
      const pva::Report report = engine.getReport(true);
      CHECK(report.execution().runs().size() == 3);
      CHECK(shown(setNamed(report, "f").flops()) == "10 of 0+1/1");
      CHECK(shown(setNamed(report, "ad").flops()) == "12 of 0+1/1");
      CHECK(setNamed(report, "f").cycleSources().size() == 1);
      CHECK(flopsOfRuns(report) == 34);
      CHECK(report.execution().vertices().size() == 2);
    }
  }

  // 60 additions per vertex, whatever the program states about its cycles.
  TEST_CASE("an estimate of cycles alone is no estimate of operations: these are counted") {
    const char *source = R"(#include <poplar/Vertex.hpp>
using namespace poplar;
struct Plain : Vertex { Input<Vector<float>> in; Output<Vector<float>> out;
  bool compute() { for (unsigned i = 0; i < in.size(); ++i) out[i] = in[i] + 1; return true; } };
struct OfCycles : Vertex { Input<Vector<float>> in; Output<Vector<float>> out;
  bool compute() { for (unsigned i = 0; i < in.size(); ++i) out[i] = in[i] + 1; return true; } };
struct OfBoth : Vertex { Input<Vector<float>> in; Output<Vector<float>> out;
  bool compute() { for (unsigned i = 0; i < in.size(); ++i) out[i] = in[i] + 1; return true; } };
struct Itself : Vertex { Input<Vector<float>> in; Output<Vector<float>> out;
  bool compute() { for (unsigned i = 0; i < in.size(); ++i) out[i] = in[i] + 1; return true; }
  unsigned getCycleEstimate() const { return 9; } };)";
    for (const Device &device : {smallModel(), simulatedIpu(4)}) {
      Graph graph(device.getTarget());
      std::stringstream stream(source);
      graph.addCodelets(stream);
      graph.registerCycleEstimator("OfCycles", [](const VertexIntrospector &, const Target &) { return 50; });
      graph.registerPerfEstimator("OfBoth",
                                  [](const VertexIntrospector &, const Target &) { return VertexPerfEstimate(50); });
      Sequence program;
      const auto add = [&](const std::string &name, const char *type) {
        const Tensor in = graph.addVariable(FLOAT, {60}, name + "/in"), out = graph.clone(in, name + "/out");
        graph.setTileMapping(in, 0);
        graph.setTileMapping(out, 0);
        graph.createHostRead(name, out);
        const ComputeSet cs = graph.addComputeSet(name);
        const VertexRef v = graph.addVertex(cs, type, {{"in", in}, {"out", out}});
        graph.setTileMapping(v, 0);
        program.add(Execute(cs));
        program.add(Execute(cs)); // operations of one execution
        return v;
      };
      add("none", "Plain");
      graph.setCycleEstimate(add("cycles", "Plain"), 50);
      graph.setPerfEstimate(add("perf", "Plain"), 50);
      add("estimator", "OfCycles");
      add("perf estimator", "OfBoth");
      add("codelet", "Itself");
      graph.setPerfEstimate(add("said", "Plain"), 50, 77);
      Engine engine(graph, program, {{"debug.instrument", "true"}});
      engine.load(device);
      engine.run(0);
      engine.run(0);
      const pva::Report report = engine.getReport(true);
      for (const char *name : {"none", "cycles", "perf", "estimator", "perf estimator", "codelet"}) {
        CAPTURE(name);
        CHECK(shown(setNamed(report, name).flops()) == "60 of 0+1/1");
      }
      CHECK(shown(setNamed(report, "said").flops()) == "77 of 1/1");
    }
  }

  TEST_CASE("operations that follow values are those of the last execution") {
    const Device device = smallModel();
    Graph graph(device.getTarget());
    std::stringstream source(R"(#include <poplar/Vertex.hpp>
struct Powers : poplar::Vertex { poplar::Input<int> n; poplar::InOut<float> x;
  bool compute() { for (int i = 0; i < *n; ++i) *x = *x * *x; return true; } };)");
    graph.addCodelets(source);
    const Tensor n = graph.addVariable(INT, {}, "n"), x = graph.addVariable(FLOAT, {}, "x");
    graph.setTileMapping(n, 0);
    graph.setTileMapping(x, 0);
    graph.createHostWrite("n", n);
    const ComputeSet cs = graph.addComputeSet("powers");
    graph.setTileMapping(graph.addVertex(cs, "Powers", {{"n", n}, {"x", x}}), 0);
    Engine engine(graph, Execute(cs), {{"popscope.recordEveryExecution", "true"}});
    engine.load(device);
    for (const int count : {3, 9}) {
      engine.writeTensor("n", &count, &count + 1);
      engine.run(0);
      CHECK(shown(setNamed(engine.getReport(true), "powers").flops()) == std::to_string(count) + " of 0+1/1");
    }
  }

  TEST_CASE("copies of the runtime do no operations, which needs no estimate") {
    const Device device = smallModel();
    Estimated p(device);
    const Tensor y = p.graph.addVariable(FLOAT, {12}, "y");
    p.graph.setTileMapping(y, 0);
    Engine engine(p.graph, Sequence(p.program, Copy(p.x.slice(0, 4), y.slice(4, 8))));
    std::size_t copies = 0;
    for (const auto &one : engine.getReport(false).compilation().flops())
      if (one.type.name().find("poplar_rt::") == 0) {
        ++copies;
        CHECK(one.flops.complete());
        CHECK(one.flops.operations == 0);
        CHECK(one.flops.vertices > 0);
      }
    CHECK(copies > 0);
  }

  TEST_CASE("an estimator gives operations to all vertices of a type that have no estimate of their own") {
    const Device device = smallModel();
    Estimated p(device);
    p.graph.registerPerfEstimator("Sum", [](const VertexIntrospector &v, const Target &) {
      return VertexPerfEstimate(9, v.getFieldInfo("in").size() * 100);
    });
    p.graph.registerCycleEstimator("Increment",
                                   [](const VertexIntrospector &, const Target &) { return std::uint64_t(5); });
    Engine engine(p.graph, p.program);
    const pva::Report report = engine.getReport(false);
    CHECK(shown(setNamed(report, "one").flops()) == "49 of 3/4"); // the estimate on tile 1 covers only cycles
    // its own estimate, which covers only cycles, takes precedence
    CHECK(shown(setNamed(report, "two").flops()) == "0 of 0/1 unknown");
  }

  TEST_CASE("operands of vertices are counted by field: what they read and write") {
    const Device device = smallModel();
    Estimated p(device);
    Engine engine(p.graph, Sequence(p.program, Copy(p.x.slice(0, 4), p.x.slice(8, 12))));
    const pva::Report report = engine.getReport(false);
    std::map<std::string, std::string> fields;
    for (const auto &o : setNamed(report, "one").operands())
      fields[o.type.name() + "." + o.field] = o.elementType + (o.read ? " r" : " ") + (o.written ? "w " : " ") +
                                              std::to_string(o.edges) + "x" + std::to_string(o.leastElements) + "-" +
                                              std::to_string(o.mostElements) + " = " + std::to_string(o.elements) +
                                              ", " + std::to_string(o.bytes) + " B";
    CHECK(fields == std::map<std::string, std::string>{{"Increment.x", "float rw 3x4-4 = 12, 48 B"},
                                                       {"Sum.in", "float r 1x2-2 = 2, 8 B"},
                                                       {"Sum.out", "float w 1x1-1 = 1, 4 B"}});
    std::uint64_t read = 0, written = 0; // by copies: moving 4 floats between tiles needs none on a tile
    for (const auto &set : report.compilation().computeSets())
      for (const auto &o : set.operands())
        if (o.type.name().find("poplar_rt::") == 0) {
          CHECK(o.elementType.empty());
          CHECK(o.field == (o.read ? "from" : "to"));
          (o.read ? read : written) += o.bytes;
        }
    CHECK(read == written);
  }

  TEST_CASE("an executable keeps them") {
    const Device device = smallModel();
    Estimated p(device);
    std::stringstream bytes;
    compileGraph(p.graph, {p.program}, {}).serialize(bytes);
    Engine engine(Executable::deserialize(bytes), {});
    CHECK(shown(setNamed(engine.getReport(false), "one").flops()) == "49 of 3/4");
    CHECK(setNamed(engine.getReport(false), "one").operands().size() == 3);
  }

  TEST_CASE("vertices of all replicas of a part count") {
    const Device device = smallModel(8);
    Graph whole(device.getTarget());
    Graph part = whole.createReplicatedGraph(2);
    addTestCodelets(whole);
    const Tensor x = part.addVariable(FLOAT, {4}, "x");
    part.setTileMapping(x, 1);
    const ComputeSet cs = part.addComputeSet("cs");
    const VertexRef v = part.addVertex(cs, "Increment", {{"x", x}});
    part.setInitialValue(v["by"], 1.0f);
    part.setTileMapping(v, 1);
    part.setPerfEstimate(v, 10, 3);
    Engine engine(whole, Sequence(Execute(cs)));
    CHECK(shown(setNamed(engine.getReport(false), "cs").flops()) == "6 of 2/2");
  }

  TEST_CASE("sums beyond 63 bits are refused with the compute set's name") {
    constexpr std::uint64_t kMost = std::uint64_t(1) << 48;
    for (const auto &[cycles, flops] : {std::pair<std::uint64_t, std::uint64_t>(1, kMost), {kMost, 1}}) {
      const Device device = smallModel();
      Graph graph(device.getTarget());
      addTestCodelets(graph);
      const unsigned n = 1u << 15;
      const Tensor x = graph.addVariable(FLOAT, {n}, "x");
      graph.setTileMapping(x, 0);
      const ComputeSet cs = graph.addComputeSet("huge");
      for (unsigned i = 0; i < n; ++i) {
        const VertexRef v = graph.addVertex(cs, "Increment", {{"x", x.slice(i, i + 1)}});
        graph.setInitialValue(v["by"], 1.0f);
        graph.setTileMapping(v, 0);
        graph.setPerfEstimate(v, cycles, flops); // 2^63 in all
      }
      try {
        compileGraph(graph, {Sequence(Execute(cs))}, {});
        FAIL("no error");
      } catch (const overflow_error &e) {
        CHECK(std::string(e.what()).find("Compute set 'huge'") != std::string::npos);
      }
    }
  }

  TEST_CASE("the peak of a tile comes with the machine's costs") {
    Estimated p(smallModel()); // ipu1: 8 units of float, of half 8 with 4 elements each; two operations per element
    Engine engine(p.graph, p.program);
    std::map<std::string, double> costs;
    for (const auto &cost : engine.getReport(false).compilation().machineCosts())
      costs[cost.key] = cost.value;
    CHECK(costs["tile.floatFlopsPerCycle"] == 16);
    CHECK(costs["tile.halfFlopsPerCycle"] == 64);
  }
}
