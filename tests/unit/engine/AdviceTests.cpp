// Explained liveness from a program to pva: an array that two copies overwrite in halves.
#include "tests/unit/engine/Programs.hpp"

#include <doctest/doctest.h>
#include <algorithm>
#include <pva/pva.hpp>

using namespace poplar;
using namespace poplar::program;
using namespace engine_tests;

namespace {

struct Halves {
  Device device = smallModel();
  Graph graph{device.getTarget()};
  Sequence program;

  Halves() {
    const Tensor v = variable("v", 8), other = variable("other", 8), big = variable("big", 64);
    const Tensor source = graph.addConstant<float>(FLOAT, {64}, 1.0f, "source");
    graph.setTileMapping(source, 0);
    graph.createHostRead("other", other);
    graph.createHostRead("big", big);
    program.add(Copy(source.slice(0, 8), v));
    program.add(Copy(v, other));
    program.add(Copy(source, big));           // v is not needed here, and the tile is at its fullest
    program.add(Copy(source.slice(0, 4), v.slice(0, 4)));
    program.add(Copy(source.slice(0, 4), v.slice(4, 8)));
    program.add(Copy(v, other));
  }
  Tensor variable(const std::string &name, std::size_t elements) {
    const Tensor t = graph.addVariable(FLOAT, {elements}, name);
    graph.setTileMapping(t, 0);
    return t;
  }
};

} // namespace

TEST_SUITE("engine.advice") {
  TEST_CASE("the profile says which write failed to kill, what it missed, and what a WriteUndef saves") {
    Halves h;
    Engine engine(h.graph, h.program, {{"autoReport.outputLivenessExplanation", "true"}});
    const pva::LivenessAdvice advice = engine.getReport().popscope().livenessAdvice();
    REQUIRE(advice.present);
    CHECK(advice.worstTile == 0);
    bool explained = false;
    for (const pva::LiveExplanation &e : advice.explanations)
      if (e.variable.name() == "v" && e.failedKill && e.missedElements == 4) {
        explained = true;
        CHECK(e.missed.size() == 1);
        CHECK(e.read != nullptr);
      }
    CHECK(explained);
    std::uint64_t wasted = 0;
    for (const pva::FalseLive &f : advice.falseLive)
      if (f.variable.name() == "v")
        wasted = std::max(wasted, f.bytes);
    CHECK(wasted == 32); // all of v, between its last read and the first half
    CHECK(advice.candidates >= 1);
    for (const pva::UndefPlacement &p : advice.placements)
      CHECK(p.savedOnWorstTile <= 32);
    CHECK(advice.worstPeakAfterAll <= advice.worstPeak);
  }

  TEST_CASE("without the option nothing is explained") {
    Halves h;
    Engine engine(h.graph, h.program);
    CHECK_FALSE(engine.getReport().popscope().livenessAdvice().present);
  }
}
