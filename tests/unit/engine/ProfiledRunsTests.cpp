// The selection of recorded runs by number, by switch and by scope, and the profile's information about the other runs.
#include "tests/unit/engine/Programs.hpp"

#include <algorithm>
#include <cstdlib>
#include <doctest/doctest.h>
#include <memory>
#include <popscope/profile.hpp>
#include <pva/pva.hpp>
#include <sstream>

using namespace poplar;
using namespace poplar::program;
using namespace engine_tests;
using popscope::profile::Scope;

namespace {

struct Increment {
  Device device = smallModel(4);
  IncrementProgram program{device, 8};
  Engine engine;
  explicit Increment(const OptionFlags &options = {}) : engine(program.graph, program.step, options) {
    engine.load(device);
  }
};

// Returns, for example, "0 1 | 2+3 run count": the numbers of recorded runs, then the runs that were left out.
std::string runsOf(const Engine &constEngine) {
  const auto report = const_cast<Engine &>(constEngine).getReport();
  std::string text;
  for (const auto &run : report.execution().runs())
    text += (text.empty() ? "" : " ") + std::to_string(run.number());
  for (const auto &span : report.execution().pausedSpans())
    text += " | " + std::to_string(span.firstRun) + "+" + std::to_string(span.runs) + " " + span.reason;
  return text;
}

std::string refusal(const std::string &ranges) {
  try {
    Increment p({{"popscope.profileRuns", ranges}});
  } catch (const invalid_option &e) {
    return e.what();
  }
  return "";
}

} // namespace

TEST_SUITE("engine.profiledRuns") {

  TEST_CASE("the first two runs of a program are recorded, the rest is one span") {
    Increment p;
    for (int i = 0; i < 5; ++i)
      p.engine.run();
    CHECK(runsOf(p.engine) == "0 1 | 2+3 run count");
    p.engine.run();
    CHECK(runsOf(p.engine) == "0 1 | 2+4 run count"); // the same span, now longer
  }

  TEST_CASE("popscope.profileRuns names runs by number, in place of the first ones") {
    Increment p({{"popscope.profileRuns", "1,3-4,7-"}});
    for (int i = 0; i < 10; ++i)
      p.engine.run();
    CHECK(runsOf(p.engine) == "1 3 4 7 8 9 | 0+1 profileRuns | 2+1 profileRuns | 5+2 profileRuns");
  }

  TEST_CASE("the environment names runs, too") {
    setenv("POPLAR_ENGINE_OPTIONS", R"({"popscope.profileRuns": "2"})", 1);
    Increment p({{"popscope.profileRuns", "0"}});
    unsetenv("POPLAR_ENGINE_OPTIONS");
    for (int i = 0; i < 4; ++i)
      p.engine.run();
    CHECK(runsOf(p.engine) == "2 | 0+2 profileRuns | 3+1 profileRuns");
  }

  TEST_CASE("every n-th run of a span") {
    Increment p({{"popscope.profileRuns", "1-6/2,8-/3"}});
    for (int i = 0; i < 15; ++i)
      p.engine.run();
    CHECK(runsOf(p.engine) == "1 3 5 8 11 14 | 0+1 profileRuns | 2+1 profileRuns | 4+1 profileRuns | 6+2 profileRuns | "
                              "9+2 profileRuns | 12+2 profileRuns");
    CHECK(refusal("1-/0").find("the step of a range must be at least 1") != std::string::npos);
    CHECK(refusal("1-/").find("a number is missing") != std::string::npos);
  }

  TEST_CASE("runs by name and label, and without them") {
    Increment p({{"popscope.profileNames", "train.*|epoch 2"}, {"autoReport.executionProfileProgramRunCount", "9"}});
    p.engine.run(0, "warm up");
    p.engine.run(0, "train 1");
    {
      popscope::profile::Scope scope(p.engine, "epoch 2");
      p.engine.run(0, "other");
    }
    {
      popscope::profile::Scope scope(p.engine, "epoch 3");
      p.engine.run(0, "other");
    }
    CHECK(runsOf(p.engine) == "1 2 | 0+1 profileNames | 3+1 profileNames");
    Increment q({{"popscope.profileNamesNot", "warm.up.*"}});
    q.engine.run(0, "warm up 1");
    q.engine.run(0, "warm-up 2");
    for (int i = 0; i < 3; ++i)
      q.engine.run(0, "train"); // the first two of the remaining runs
    CHECK(runsOf(q.engine) == "2 3 | 0+2 profileNames | 4+1 run count");
  }

  TEST_CASE("runs by time") {
    Increment late({{"popscope.profileSeconds", "100000-"}}), now({{"popscope.profileSeconds", "0-100000"}});
    for (int i = 0; i < 2; ++i) {
      late.engine.run();
      now.engine.run();
    }
    CHECK(runsOf(late.engine) == " | 0+2 profileSeconds");
    CHECK(runsOf(now.engine) == "0 1");
    CHECK_THROWS_AS(Increment({{"popscope.profileSeconds", "5-2"}}), invalid_option);
  }

  TEST_CASE("bad ranges of runs are refused with their reason") {
    CHECK(refusal("3-").empty());
    CHECK(refusal("x").find("a number is missing") != std::string::npos);
    CHECK(refusal("1,").find("a number is missing") != std::string::npos);
    CHECK(refusal("1;2").find("separated by commas") != std::string::npos);
    CHECK(refusal("4-2").find("not ascending") != std::string::npos);
    CHECK(refusal("4-9,9").find("not ascending") != std::string::npos);
    CHECK(refusal("5-,7").find("not ascending") != std::string::npos);
    CHECK(refusal("99999999999999999999").find("too large") != std::string::npos);
    CHECK(refusal("-1").find("popscope.profileRuns") != std::string::npos);
  }

  TEST_CASE("switched off, runs take no time in the profile; their cycles are unknown, not zero") {
    Increment p;
    p.engine.run(0, "first");
    p.engine.disableExecutionProfiling();
    p.engine.run(0, "hidden");
    p.engine.run(0, "hidden");
    p.engine.enableExecutionProfiling();
    p.engine.run(0, "last");
    const auto report = p.engine.getReport();
    REQUIRE(report.execution().runs().size() == 2);
    CHECK(report.execution().runs()[0].name() == "first");
    CHECK(report.execution().runs()[1].name() == "last");
    CHECK(runsOf(p.engine) == "0 3 | 1+2 disabled");
    CHECK_FALSE(report.execution().pausedSpans()[0].cyclesKnown);
    p.engine.resetExecutionProfile();
    CHECK(runsOf(p.engine).empty());
    p.engine.run();
    CHECK(runsOf(p.engine) == "4");
  }

  TEST_CASE("a scope records its runs under a label, and only those; warm up leaves no row") {
    Increment p;
    p.engine.disableExecutionProfiling();
    {
      const Scope warm(p.engine, "warm up", Scope::Runs::Excluded);
      for (int i = 0; i < 3; ++i)
        p.engine.run(0, "warm up");
    }
    {
      const Scope trace(p.engine, "trace");
      p.engine.run(0, "trace");
    }
    p.engine.run();
    const auto runs = p.engine.getReport().execution().runs();
    REQUIRE(runs.size() == 1);
    CHECK(runs[0].label() == "trace");
    CHECK(runs[0].name() == "trace");
    CHECK(runsOf(p.engine) == "3 | 0+3 scope | 4+1 disabled");
  }

  TEST_CASE("a scope that leaves out runs gives them the reason of its tool; a pause comes first") {
    Increment p;
    for (const auto runs : {Scope::Runs::NotSampled, Scope::Runs::NotSampled, Scope::Runs::OverCount,
                            Scope::Runs::Excluded, Scope::Runs::Recorded}) {
      const Scope scope(p.engine, "", runs);
      p.engine.run();
    }
    Scope paused(p.engine, "", Scope::Runs::NotSampled);
    paused.pause();
    p.engine.run();
    CHECK(runsOf(p.engine) == "4 | 0+2 sample rate | 2+1 run count | 3+1 scope | 5+1 paused");
  }

  TEST_CASE("a device without counters has nothing to record: neither a scope nor a call changes that") {
    const Device device = simulatedIpu(4);
    for (const bool counts : {false, true}) {
      IncrementProgram program{device, 8};
      Engine engine(program.graph, program.step, {{"debug.instrument", counts ? "true" : "false"}});
      engine.load(device);
      engine.enableExecutionProfiling();
      engine.run(0, "switched on");
      const Scope scope(engine, "scope");
      engine.run(0, "in a scope");
      CHECK(runsOf(engine) == (counts ? "0 1" : ""));
    }
  }

  TEST_CASE("a paused scope leaves out its runs and those of scopes within it, until it goes on") {
    Increment p;
    p.engine.disableExecutionProfiling();
    Scope outer(p.engine, "epoch");
    p.engine.run();
    outer.pause();
    p.engine.run();
    {
      Scope inner(p.engine, "step");
      p.engine.run();
      inner.pause();
      outer.resume();
      p.engine.run(); // the inner pause still holds
      inner.resume();
      p.engine.run();
      inner.resume(); // no pause remains
      p.engine.run();
      inner.pause();
    }
    p.engine.run(); // the pause has ended
    CHECK(runsOf(p.engine) == "0 4 5 6 | 1+3 paused");
    const auto runs = p.engine.getReport().execution().runs();
    CHECK(runs[1].label() == "epoch/step");
    CHECK(runs[3].label() == "epoch");
  }

  TEST_CASE("a scope of some categories leaves out the time of other steps, and may leave out more for a while") {
    using popscope::profile::Category;
    Increment p({{"autoReport.executionProfileProgramRunCount", "0"}, {"popscope.recordEveryExecution", "true"}});
    {
      Scope some(p.engine, "some", {Category::Compute, Category::Exchange});
      p.engine.run();
      some.pause({Category::Compute});
      p.engine.run();
      const Scope within(p.engine, "within");
      p.engine.run(); // recording is still off
      some.resume({Category::Compute, Category::Sync});
      p.engine.run();
    }
    const Scope all(p.engine);
    p.engine.run();
    const auto runs = p.engine.getReport().execution().runs();
    REQUIRE(runs.size() == 5);
    using Names = std::vector<std::string>;
    const Names both{"compute", "exchange"}, exchange{"exchange"};
    CHECK(runs[0].categories() == both);
    CHECK(runs[1].categories() == exchange);
    CHECK(runs[2].categories() == exchange);
    CHECK(runs[2].label() == "some/within");
    CHECK(runs[3].categories() == both);
    CHECK(runs[4].categories().size() == 6);
    const auto timedOf = [](const pva::Run &run) { // kinds of steps with a time, and kinds without
      std::pair<Names, int> found;
      for (const auto &step : run.steps())
        if (!step.ipus()[0].cyclesKnown())
          ++found.second;
        else if (const std::string kind = pva::programTypeName(step.program()->type());
                 std::count(found.first.begin(), found.first.end(), kind) == 0)
          found.first.push_back(kind);
      return found;
    };
    const auto whole = timedOf(runs[4]), part = timedOf(runs[0]), less = timedOf(runs[1]);
    CHECK(whole.second == 0);
    CHECK(whole.first.size() > part.first.size());
    for (const std::string &kind : part.first)
      CHECK_MESSAGE((kind == "OnTileExecute" || kind == "DoExchange"), kind);
    CHECK(std::count(part.first.begin(), part.first.end(), "OnTileExecute") == 1);
    CHECK(std::count(less.first.begin(), less.first.end(), "OnTileExecute") == 0);
    for (const auto &run : runs) // the totals of every run report the same
      CHECK(run.totalCycles().compute() == runs[4].totalCycles().compute());
    CHECK(runs[1].executions().size() < runs[4].executions().size());
  }

  TEST_CASE("popscope.profileCategories names categories; a wrong one is refused with the nearest") {
    Increment p({{"popscope.profileCategories", "host,sync"}});
    p.engine.run();
    CHECK(p.engine.getReport().execution().runs()[0].categories() == std::vector<std::string>{"host", "sync"});
    try {
      Increment wrong({{"popscope.profileCategories", "compute,exchang"}});
      FAIL("it was taken");
    } catch (const invalid_option &e) {
      CHECK(std::string(e.what()).find("no category \"exchang\"") != std::string::npos);
      CHECK(std::string(e.what()).find("Did you mean \"exchange\"") != std::string::npos);
    }
  }

  TEST_CASE("a scope records beyond the count of runs; scopes nest and their labels are joined") {
    Increment p({{"autoReport.executionProfileProgramRunCount", "0"}});
    const Scope outer(p.engine, "epoch 1");
    p.engine.run();
    {
      const Scope inner(p.engine, "step");
      p.engine.run();
    }
    {
      const Scope none(p.engine);
      p.engine.run();
    }
    const auto runs = p.engine.getReport().execution().runs();
    REQUIRE(runs.size() == 3);
    CHECK(runs[0].label() == "epoch 1");
    CHECK(runs[1].label() == "epoch 1/step");
    CHECK(runs[2].label() == "epoch 1");
    p.engine.run(0, "train");
    std::ostringstream text;
    p.engine.printProfileSummary(text, {{"executionSummaryStyle", "average"}});
    CHECK(text.str().find("\nepoch 1: train.\n") != std::string::npos);
    CHECK(text.str().find("\nepoch 1/step.\n") != std::string::npos);
  }

  TEST_CASE("a scope may outlive its engine, which may be moved; one of an engine that was moved from is refused") {
    auto p = std::make_unique<Increment>();
    auto scope = std::make_unique<Scope>(p->engine, "moved");
    Engine other = std::move(p->engine);
    other.run();
    CHECK(other.getReport().execution().runs()[0].label() == "moved");
    CHECK_THROWS_AS(Scope(p->engine), poplar_error);
    p.reset();
    { const Engine gone = std::move(other); }
    scope.reset();
  }

  TEST_CASE("what is left out while blocks are recorded has known cycles") {
    Increment p({{"autoReport.executionProfileProgramRunCount", "1"}, {"profiler.blocks.filter", "nothing"}});
    for (int i = 0; i < 3; ++i)
      p.engine.run();
    const auto execution = p.engine.getReport().execution();
    REQUIRE(execution.pausedSpans().size() == 1);
    CHECK(execution.pausedSpans()[0].cyclesKnown);
    CHECK(execution.pausedSpans()[0].cycles == 2 * execution.runs()[0].totalCycles().total());
  }
}
