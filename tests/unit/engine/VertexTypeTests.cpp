// Cycles by vertex type: each vertex counts once, executed or not, on a model and on a device.
#include "tests/unit/engine/Programs.hpp"

#include <doctest/doctest.h>
#include <filesystem>
#include <map>
#include <pva/pva.hpp>
#include <sstream>

using namespace poplar;
using namespace poplar::program;
using namespace engine_tests;

namespace {

const char *const kSource = R"(
#include <poplar/Vertex.hpp>
struct Turn : poplar::Vertex {
  poplar::Input<poplar::Vector<float>> in;
  poplar::Output<poplar::Vector<float>> out;
  bool compute() {
    for (unsigned i = 0; i < in.size(); ++i)
      out[i] = 1.0f - in[i];
    return true;
  }
};
)";

// A set of one vertex that only the first program runs, and another that the second program runs ten times.
struct TurnProgram {
  Device device;
  Graph graph;
  Tensor a, b;
  explicit TurnProgram(Device d) : device(std::move(d)), graph(device.getTarget()) {
    std::stringstream source(kSource);
    graph.addCodelets(source);
    a = graph.addVariable(FLOAT, {60}, "a");
    b = graph.addVariable(FLOAT, {60}, "b");
    graph.setTileMapping(a, 0);
    graph.setTileMapping(b, 0);
  }
  /// Adds a vertex; `cycles` = 0 gives it no estimate.
  Program turn(const std::string &name, const Tensor &in, const Tensor &out, unsigned cycles) {
    const ComputeSet set = graph.addComputeSet(name);
    const VertexRef v = graph.addVertex(set, "Turn", {{"in", in}, {"out", out}});
    graph.setTileMapping(v, 0);
    if (cycles != 0)
      graph.setPerfEstimate(v, cycles);
    return Execute(set);
  }
};

struct Once {
  std::uint64_t known = 0, instances = 0, cycles = 0;
};
Once turns(const pva::Report &report) {
  for (const auto &v : report.execution().lastVertexTypes())
    if (v.type.name() == "Turn")
      return {v.instances, v.type.instances(), v.cycles};
  return {};
}

std::string lineOf(const std::string &text, const std::string &type) {
  const std::size_t list = text.find("Cycles by vertex type:");
  const std::size_t at = list == std::string::npos ? list : text.find(type, list);
  return at == std::string::npos ? "" : text.substr(at, text.find('\n', at) - at);
}

} // namespace

TEST_SUITE("engine.vertex types") {

  TEST_CASE("each vertex counts once: its last execution, else its estimate") {
    TurnProgram p(smallModel(4));
    const Program init = p.turn("init", p.a, p.b, 7), body = p.turn("body", p.b, p.a, 100);
    Engine engine(p.graph, {init, Repeat(10, body)});
    engine.load(p.device);
    engine.run(1);
    const std::string text = summaryOf(engine), line = lineOf(text, "Turn");
    CHECK(line.find("(2 instances):") != std::string::npos);
    CHECK(line.substr(line.rfind(' ') + 1) == "107");
    const pva::Report report = engine.getReport();
    CHECK(turns(report).cycles == 107);
    CHECK(turns(report).known == 2);
    CHECK(report.execution().vertexTypes()[0].cycles == 1000); // every execution
    // A run only knows the vertices that it executed.
    REQUIRE(report.execution().runs().size() == 1);
    REQUIRE(report.execution().runs()[0].lastVertexTypes().size() == 1);
    CHECK(report.execution().runs()[0].lastVertexTypes()[0].cycles == 100);
    CHECK(report.execution().runs()[0].lastVertexTypes()[0].instances == 1);
  }

  TEST_CASE("a vertex that never ran and has no estimate is not known, and the line says so") {
    TurnProgram p(smallModel(4));
    const Program init = p.turn("init", p.a, p.b, 0), body = p.turn("body", p.b, p.a, 100);
    Engine engine(p.graph, {init, Repeat(10, body)});
    engine.load(p.device);
    engine.run(1);
    CHECK(turns(engine.getReport()).known == 1);
    CHECK(turns(engine.getReport()).cycles == 100);
    const std::string text = summaryOf(engine), line = lineOf(text, "Turn");
    CHECK(line.find("(2 instances):") != std::string::npos);
    CHECK(line.find(" 100 (of 1, the others are not known)") != std::string::npos);
  }

  TEST_CASE("copies count like vertices, and one that never runs like the others") {
    TurnProgram p(smallModel(4));
    const Tensor from = p.graph.addVariable(FLOAT, {64}, "from"), to = p.graph.addVariable(FLOAT, {64}, "to");
    p.graph.setTileMapping(from, 1);
    p.graph.setTileMapping(to, 1);
    const Sequence copy({Copy(from, to)});
    const auto cyclesOfCopies = [&](bool ran) {
      Engine engine(p.graph, {Repeat(3, copy), p.turn("some", p.a, p.b, 5)});
      engine.load(p.device);
      engine.run(ran ? 0 : 1);
      std::uint64_t cycles = 0;
      for (const auto &v : engine.getReport().execution().lastVertexTypes())
        if (v.type.name().find("poplar_rt::") == 0)
          cycles += v.cycles;
      return cycles;
    };
    const std::uint64_t once = cyclesOfCopies(true);
    CHECK(once > 0);
    CHECK(cyclesOfCopies(false) == once);
  }

  TEST_CASE("a compute set whose vertices all have estimates has estimated cycles per tile, and takes these in a run") {
    for (const bool device : {false, true}) {
      CAPTURE(device);
      TurnProgram p(device ? simulatedIpu(4) : smallModel(4));
      const ComputeSet set = p.graph.addComputeSet("seven"), unknown = p.graph.addComputeSet("unknown");
      for (unsigned part = 0; part < 8; ++part) { // 7 on tile 0, so that two of them share a worker slot; 1 on tile 2
        const VertexRef v =
            p.graph.addVertex(set, "Turn", {{"in", p.a.slice(part, part + 1)}, {"out", p.b.slice(part, part + 1)}});
        p.graph.setTileMapping(v, part == 7 ? 2 : 0);
        p.graph.setPerfEstimate(v, 100 + part);
      }
      const VertexRef v = p.graph.addVertex(unknown, "Turn", {{"in", p.a}, {"out", p.b}});
      p.graph.setTileMapping(v, 1);
      Engine engine(p.graph, Sequence(Execute(set), Execute(unknown)), {{"debug.instrument", "true"}});
      engine.load(p.device);
      engine.run();
      const pva::Report report = engine.getReport();
      unsigned sets = 0, steps = 0;
      const std::vector<std::uint64_t> expected = {6 * (100 + 106), 0, 6 * 107, 0};
      for (const pva::ComputeSet &cs : report.compilation().computeSets()) {
        const pva::Values estimated = cs.estimatedCyclesByTile();
        const std::vector<std::uint64_t> values(estimated.begin(), estimated.end());
        sets += cs.name() == "seven" || cs.name() == "unknown";
        if (cs.name() == "seven" && !device)
          CHECK(values == expected);
        else if (cs.name() == "seven" || cs.name() == "unknown")
          CHECK(values.empty());
      }
      CHECK(sets == 2);
      if (device)
        continue;
      for (const auto &step : report.execution().steps())
        for (const auto &cs : step.computeSets())
          if (const pva::Values cycles = cs.cyclesByTile(); cs.name() == "seven" && ++steps != 0) {
            CHECK(std::vector<std::uint64_t>(cycles.begin(), cycles.end()) == expected);
            CHECK(cs.estimatedCyclesByTile().size() == cycles.size());
          }
      CHECK(steps == 1);
    }
  }

  TEST_CASE("level vertex gives the cycles of each vertex, with its place and operands") {
    for (const bool device : {false, true}) {
      CAPTURE(device);
      TurnProgram p(device ? simulatedIpu(4) : smallModel(4));
      const ComputeSet set = p.graph.addComputeSet("both");
      for (unsigned part = 0; part < 2; ++part) { // 40 elements on tile 0, and 20 more on tile 0
        const std::size_t begin = part == 0 ? 0 : 40, end = part == 0 ? 40 : 60;
        const VertexRef v =
            p.graph.addVertex(set, "Turn", {{"in", p.a.slice(begin, end)}, {"out", p.b.slice(begin, end)}});
        p.graph.setTileMapping(v, 0);
      }
      Engine engine(p.graph, Repeat(2, Execute(set)),
                    {{"debug.instrument", "true"}, {"debug.computeInstrumentationLevel", "vertex"}});
      engine.load(p.device);
      engine.run();
      const auto vertices = engine.getReport().execution().vertices();
      REQUIRE(vertices.size() == 2);
      std::uint64_t sum = 0;
      for (const pva::VertexExecution &v : vertices) {
        CHECK(v.computeSet.name() == "both");
        CHECK(v.type.name() == "Turn");
        CHECK(v.tile == 0);
        CHECK(v.operands == "in: a, out: b");
        CHECK(v.known);
        sum += v.cycles;
      }
      CHECK(vertices[0].cycles > vertices[1].cycles);
      CHECK(vertices[0].cycles < 2 * vertices[1].cycles + 1); // the code before the loop takes time, too
      CHECK(sum == turns(engine.getReport()).cycles);
      Engine plain(p.graph, Execute(set), {{"debug.instrument", "true"}});
      plain.load(p.device);
      plain.run();
      CHECK(plain.getReport().execution().vertices().size() == 0);
    }
  }

  TEST_CASE("on a device the code counts, not an estimate, and what never ran has no cycles") {
    const auto cycles = [](Device device, unsigned estimate, bool both, std::string *source) {
      TurnProgram p(std::move(device));
      std::vector<Program> programs = {p.turn("body", p.a, p.b, estimate)};
      if (both)
        programs.push_back(p.turn("never", p.b, p.a, 12345));
      Engine engine(p.graph, programs, {{"debug.instrument", "true"}, {"debug.computeInstrumentationLevel", "vertex"}});
      engine.load(p.device);
      engine.run(0);
      const pva::Report report = engine.getReport();
      for (const auto &set : report.compilation().computeSets())
        for (const auto &row : set.cycleSources())
          if (source != nullptr && row.type.name() == "Turn")
            *source = row.source;
      CHECK(turns(report).known == 1);
      return turns(report).cycles;
    };
    std::string ofDevice, ofModel;
    const std::uint64_t counted = cycles(simulatedIpu(4), 0, false, nullptr);
    CHECK(counted > 60); // at least one slot per element
    CHECK(cycles(simulatedIpu(4), 1, false, &ofDevice) == counted);
    CHECK(ofDevice == "stand-in");
    CHECK(cycles(simulatedIpu(4), 1, true, nullptr) == counted);
    CHECK(cycles(smallModel(4), 1, false, &ofModel) == 1);
    CHECK(ofModel == "estimate");
  }

} // TEST_SUITE
