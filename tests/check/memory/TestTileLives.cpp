// The memory of a tile depends only on what happens on that tile. In each shape, tile 1 accesses the same variables
// once through gathered operands and once directly, and tile 0 needs the same memory both times.
#include "liveness/explain/MeasureTiles.hpp"
#include "tests/check/memory/MemoryPrograms.hpp"

#include <doctest/doctest.h>

#include <functional>

using namespace memory_tests;
using namespace poplar;
using namespace poplar::program;

namespace {

constexpr unsigned kRows = 8, kColumns = 12, kWorkers = 6;

/// Two variables of kRows rows on tile 0 and kWorkers rows on another. A step reads one and writes the other: by
/// columns on tile 0, which gathers and scatters them; by rows (directly) or by columns on the other.
struct Turns {
  Graph graph;
  unsigned other;
  bool direct;
  Tensor a, b;
  Turns(bool directly, unsigned ipus) : graph(modelTarget(4, ipus)), other(ipus > 1 ? 5 : 1), direct(directly) {
    addCodelets(graph);
    for (Tensor *t : {&a, &b}) {
      *t = graph.addVariable(FLOAT, {kRows + kWorkers, kColumns}, t == &a ? "a" : "b");
      graph.setTileMapping(t->slice(0, kRows), 0);
      graph.setTileMapping(t->slice(kRows, kRows + kWorkers), other);
    }
    graph.createHostWrite("a", a);
    graph.createHostRead("a", a);
  }
  Tensor columns(const Tensor &t, unsigned first, unsigned end, unsigned worker) const {
    return t.slice(first, end).slice(kColumns * worker / kWorkers, kColumns * (worker + 1) / kWorkers, 1).flatten();
  }
  Tensor part(const Tensor &t, unsigned worker) const {
    return direct ? t[kRows + worker] : columns(t, kRows, kRows + kWorkers, worker);
  }
  Program step(const Tensor &in, const Tensor &out, const char *name) {
    const ComputeSet cs = graph.addComputeSet(name);
    for (unsigned w = 0; w < kWorkers; ++w) {
      const VertexRef v = vertexOn(graph, cs, "Copy", 0), u = vertexOn(graph, cs, "Copy", other);
      graph.connect(v["in"], columns(in, 0, kRows, w));
      graph.connect(v["out"], columns(out, 0, kRows, w));
      graph.connect(u["in"], part(in, w));
      graph.connect(u["out"], part(out, w));
    }
    return Execute(cs);
  }
  /// Returns a program that reads and writes `t` in place.
  Program update(const Tensor &t, const char *name) {
    const ComputeSet cs = graph.addComputeSet(name);
    for (unsigned w = 0; w < kWorkers; ++w) {
      graph.connect(vertexOn(graph, cs, "Scale", 0)["x"], columns(t, 0, kRows, w));
      graph.connect(vertexOn(graph, cs, "Scale", other)["x"], part(t, w));
    }
    return Execute(cs);
  }
};

using Shape = std::function<Program(Turns &)>;

struct Tile0 {
  std::uint64_t highest, live, homes;
};
Tile0 tile0(const Shape &shape, bool direct, unsigned ipus) {
  Turns turns(direct, ipus);
  const Program program = shape(turns);
  const Compiled c = compile(turns.graph, {program}); // runs the checkers of liveness and layout
  return {c->layout.tiles[0].totalIncludingGaps.count(),
          popscope::peakOfTile(c->program, c->ranges, popscope::TileId(0)).bytes.count(), c->ranges.homeLives.size()};
}

} // namespace

TEST_SUITE("memory.tileLives") {
  TEST_CASE("how another tile reaches a variable changes nothing on this one") {
    const std::pair<const char *, Shape> shapes[] = {
        {"in turn",
         [](Turns &t) {
           return Sequence({t.step(t.a, t.b, "ab"), t.step(t.b, t.a, "ba")});
         }},
        {"loop",
         [](Turns &t) {
           return Repeat(3, Sequence({t.step(t.a, t.b, "ab"), t.step(t.b, t.a, "ba")}));
         }},
        {"function called twice",
         [](Turns &t) {
           const Function f = t.graph.addFunction(Sequence({t.step(t.a, t.b, "ab"), t.step(t.b, t.a, "ba")}));
           return Sequence({Call(f), Call(f)});
         }},
        {"operands that are read and written",
         [](Turns &t) {
           return Sequence({t.update(t.a, "a"), t.step(t.a, t.b, "ab"), t.step(t.b, t.a, "ba")});
         }},
        {"a copy between tiles in between", [](Turns &t) {
           return Repeat(2, Sequence({t.step(t.a, t.b, "ab"), Copy(t.b[0], t.b[kRows]), t.step(t.b, t.a, "ba")}));
         }}};
    for (const unsigned ipus : {1U, 2U})
      for (const auto &[name, shape] : shapes) {
        const std::string shapeName = name; // clang 14 captures no structured binding
        CAPTURE(shapeName);
        CAPTURE(ipus);
        const Tile0 gathered = tile0(shape, false, ipus), direct = tile0(shape, true, ipus);
        CHECK(direct.live == gathered.live);
        CHECK(direct.highest == gathered.highest);
        CHECK(direct.homes > 0);
      }
  }
}
