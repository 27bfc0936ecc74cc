// A RepeatWhile that would never end is stopped with a message that names it. A loop in which the host takes part
// continues.
#include "tests/unit/engine/Programs.hpp"

#include <chrono>
#include <doctest/doctest.h>
#include <poplar/exceptions.hpp>
#include <sstream>
#include <string>
#include <vector>

using namespace poplar;
using namespace poplar::program;
using namespace engine_tests;

namespace {

/// Runs a RepeatWhileTrue 'wait' over `flag`. `set` is a codelet `body` with in, flag and count; it is the condition if
/// `recomputed`, otherwise the body. `stream` adds a stream whose callback throws at call 300.
std::string run(const std::string &body, bool recomputed, const OptionFlags &options, bool stream = false,
                bool inFunction = false) {
  const Device device = smallModel();
  Graph graph(device.getTarget());
  std::stringstream source;
  source << "#include <poplar/Vertex.hpp>\nusing namespace poplar;\nclass Set : public Vertex { public:\n"
         << (recomputed ? "InOut<int> flag;" : "Input<int> flag;") << " InOut<int> count; bool compute() { " << body
         << " return true; } };\n";
  graph.addCodelets(source);
  const Tensor flag = graph.addVariable(INT, {}, "flag"), count = graph.addVariable(INT, {}, "count");
  graph.setTileMapping(flag, 0);
  graph.setTileMapping(count, 2);
  graph.setInitialValue(flag, 1);
  graph.setInitialValue(count, 0);
  const ComputeSet set = graph.addComputeSet("set");
  graph.setTileMapping(graph.addVertex(set, "Set", {{"flag", flag}, {"count", count}}), 2);
  const DataStream out = graph.addDeviceToHostFIFO("out", INT, 1);
  Sequence content;
  if (inFunction)
    content.add(Call(graph.addFunction(Sequence{Execute(set)})));
  else
    content.add(Execute(set));
  if (stream)
    content.add(Copy(count, out));
  Sequence nothing;
  Engine engine(graph, RepeatWhileTrue(recomputed ? content : nothing, flag, recomputed ? nothing : content, "wait"),
                options);
  int calls = 0;
  engine.connectStreamToCallback("out", [&](void *) {
    if (++calls == 300)
      throw std::runtime_error("the host has seen enough");
  });
  engine.load(device);
  try {
    engine.run();
  } catch (const std::exception &e) {
    return e.what();
  }
  return "ended";
}

bool holds(const std::string &text, const std::string &part) {
  const bool found = text.find(part) != std::string::npos;
  if (!found)
    MESSAGE(text);
  return found;
}

} // namespace

TEST_SUITE("engine.loopLimit") {

  TEST_CASE("a loop that no step can end is an error after one iteration") {
    for (const bool inFunction : {false, true}) {
      const std::string error = run("*count += 1;", false, {{"popscope.loopSeconds", "0"}}, false, inFunction);
      CHECK(holds(error, "The RepeatWhile 'wait' (step "));
      CHECK(holds(error, "never ends: no step of its condition or body writes 'flag'"));
    }
  }

  TEST_CASE("a loop whose condition stays true has a limit, which the message names") {
    const auto begin = std::chrono::steady_clock::now();
    const std::string error = run("*flag = *count >= 0; *count = 1;", true, {{"popscope.loopSeconds", "1"}});
    CHECK(holds(error, "The RepeatWhile 'wait' (step "));
    CHECK(holds(error, "has not ended within 1 s of processor time and "));
    CHECK(holds(error, "iterations without a copy from or to the host (engine option popscope.loopSeconds; 0 = no "
                       "limit)."));
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::minutes(2));
  }

  TEST_CASE("loops that end, and those that talk to the host, go on") {
    CHECK(run("*count += 1; *flag = *count < 5000;", true, {}) == "ended");
    CHECK(holds(run("*count += 1;", false, {}, true), "the host has seen enough"));
    CHECK(run("", true, {{"popscope.loopSeconds", "1"}}, true).find("loopSeconds") == std::string::npos);
  }
}
