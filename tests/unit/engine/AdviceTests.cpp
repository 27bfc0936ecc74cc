// Explained liveness from a program to pva: an array that two copies overwrite in halves.
#include "tests/TemporaryFolder.hpp"
#include "tests/unit/engine/Programs.hpp"

#include <doctest/doctest.h>
#include <pva/pva.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <unistd.h>
#include <utility>

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
    program.add(Copy(source, big)); // v is unused here, and the tile is fullest
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

// Layers of work: each reads the last two variables and creates a new one; every third variable is then changed in
// place.
struct Layers {
  Device device = smallModel();
  Graph graph{device.getTarget()};
  Sequence program;

  explicit Layers(unsigned layers) {
    Tensor last = variable("in"), before = variable("first");
    graph.createHostWrite("in", last);
    graph.createHostWrite("first", before);
    for (unsigned l = 0; l < layers; ++l) {
      const Tensor next = variable("layer" + std::to_string(l));
      program.add(Copy(concat(last.slice(0, 8), before.slice(8, 16)), next));
      if (l % 3 == 0)
        program.add(Copy(before.slice(0, 4), next.slice(4, 8)));
      before = std::exchange(last, next);
    }
    graph.createHostRead("out", last);
  }
  Tensor variable(const std::string &name) {
    const Tensor t = graph.addVariable(FLOAT, {16}, name);
    graph.setTileMapping(t.slice(0, 8), 0);
    graph.setTileMapping(t.slice(8, 16), 1);
    return t;
  }
};

} // namespace

TEST_SUITE("engine.advice") {
  TEST_CASE("the profile says which write failed to kill, what it missed, and what a WriteUndef saves") {
    Halves h;
    // Merging copies is off: a merged copy would overwrite all of v in the step after its last read.
    Engine engine(h.graph, h.program,
                  {{"autoReport.outputLivenessExplanation", "true"}, {"opt.maxCopyMergeSize", "0"}});
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

  TEST_CASE("the profile says what each step does to a variable") {
    Halves h;
    Engine engine(h.graph, h.program,
                  {{"autoReport.outputLivenessExplanation", "true"}, {"opt.maxCopyMergeSize", "0"}});
    const pva::Report report = engine.getReport();
    REQUIRE(report.popscope().hasVariableAccesses());
    const auto accessesOf = [&](const char *name) {
      std::string text;
      for (const auto &v : report.compilation().variables())
        if (v.name() == name)
          for (const pva::VariableAccess &a : report.popscope().variableAccesses(v))
            text += (text.empty() ? "" : ", ") + std::to_string(a.read) + " " + std::to_string(a.written) + " of " +
                    std::to_string(a.elements);
      return text;
    };
    CHECK(accessesOf("v") == "0 8 of 8, 8 0 of 8, 0 4 of 8, 0 4 of 8, 8 0 of 8"); // filled, read, both halves, read
    CHECK(accessesOf("big").substr(0, 10) == "0 64 of 64");
    Engine plain(h.graph, h.program);
    CHECK_FALSE(plain.getReport().popscope().hasVariableAccesses());
    CHECK(plain.getReport().popscope().variableAccesses(report.compilation().variables()[0]).empty());
  }

  TEST_CASE("autoReport.all explains, unless that is switched off by name, and at a small price in bytes") {
    const TemporaryFolder with("advice-with"), without("advice-without");
    for (const TemporaryFolder *folder : {&with, &without}) {
      Layers p(60);
      OptionFlags options = {{"autoReport.all", "true"}, {"autoReport.directory", folder->path.string()}};
      if (folder == &without)
        options.set("autoReport.outputLivenessExplanation", "false");
      const Engine engine(p.graph, p.program, options);
    }
    const std::string file = (with.path / "profile.pop").string(), plain = (without.path / "profile.pop").string();
    CHECK(pva::openReport(file).popscope().livenessAdvice().present);
    CHECK_FALSE(pva::openReport(plain).popscope().livenessAdvice().present);
    const auto bytes = static_cast<double>(std::filesystem::file_size(file)),
               before = static_cast<double>(std::filesystem::file_size(plain));
    MESSAGE(before << " B without, " << bytes << " B with explanations");
    CHECK(bytes < 1.15 * before);
  }

  TEST_CASE("every variable is explained once at each program where it is live, plain lives that the file leaves out "
            "among them") {
    Layers p(12);
    Engine engine(p.graph, p.program, {{"autoReport.outputLivenessExplanation", "true"}});
    const pva::Report report = engine.getReport();
    std::map<std::pair<std::size_t, std::size_t>, int> explained; // by variable and program
    for (const pva::LiveExplanation &e : report.popscope().livenessAdvice().explanations)
      for (std::uint64_t program = e.firstProgram; program < e.endProgram; ++program)
        ++explained[{e.variable._id(), program}];
    std::size_t live = 0, wrong = 0;
    for (const auto &step : report.compilation().livenessProgramSteps())
      for (const auto &variable : step.notAlwaysLiveMemory().variables()) {
        ++live;
        wrong += explained[{variable._id(), step.program()->_id()}] != 1;
      }
    CHECK(live > 100);
    CHECK(wrong == 0);
  }

  TEST_CASE("without the option nothing is explained") {
    Halves h;
    Engine engine(h.graph, h.program);
    CHECK_FALSE(engine.getReport().popscope().livenessAdvice().present);
  }
}
