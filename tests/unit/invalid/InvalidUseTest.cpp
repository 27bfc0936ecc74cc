#include "tests/unit/invalid/InvalidUse.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <sstream>
#include <thread>

using namespace poplar;
using namespace poplar::program;
using namespace invalid_use;

namespace invalid_use {

namespace {

Device smallDevice() {
  IPUModel model("ipu2");
  model.tilesPerIPU = 2;
  model.compileIPUCode = false;
  return model.createDevice();
}

const char *const kCodelets = R"(
#include <poplar/Vertex.hpp>
using namespace poplar;
class V : public Vertex {
public:
  Input<Vector<int, VectorLayout::SHORT_SPAN>> a;
  Input<int> b;
  Vector<Input<Vector<int>>> rows;
  Output<int> o;
  Vector<int> tab;
  unsigned n;
  bool compute() { *o = 1; return true; }
};
class WithoutCompute : public Vertex {
public:
  Output<int> o;
};
)";

} // namespace

Rig::Rig() : device(smallDevice()), graph(device.getTarget()) {
  std::stringstream codelets(kCodelets);
  graph.addCodelets(codelets);
  ints = variable(INT, {4}, "ints");
  matrix = variable(FLOAT, {2, 3}, "matrix");
  graph.setTileMapping(matrix, 1);
  flag = variable(BOOL, {}, "flag");
  number = variable(INT, {}, "number");
  constant = graph.addConstant<int>(INT, {4}, {1, 2, 3, 4}, "constant");
  graph.setTileMapping(constant, 0);
}

Tensor Rig::variable(const Type &type, std::vector<std::size_t> shape, const char *name) {
  Tensor t = graph.addVariable(type, shape, name);
  graph.setTileMapping(t, 0);
  return t;
}

VertexRef Rig::vertex() { return graph.addVertex(graph.addComputeSet("cs"), "V"); }

Engine Rig::engine(const Program &program, const OptionFlags &options) {
  Engine e(graph, program, options);
  e.load(device);
  return e;
}

} // namespace invalid_use

namespace {

void check(const std::vector<Case> &cases) {
  for (const Case &c : cases) {
    const std::string name = c.name;
    CAPTURE(name);
    Rig rig;
    try {
      c.use(rig);
      FAIL_CHECK("accepted");
    } catch (const poplar_error &e) {
      const std::string text = e.what();
      CHECK(text.find("internal error") == std::string::npos);
      for (const std::string &part : c.says)
        CHECK_MESSAGE(text.find(part) != std::string::npos, "\"", part, "\" is missing in: ", text);
    } catch (const std::exception &e) {
      FAIL_CHECK("not a poplar_error: " << std::string(e.what()));
    }
  }
}

constexpr unsigned kOften = 4000000000u;

/// Ends the test program if a case takes longer than a minute, so that an endless loop does not block all other tests.
class Watchdog {
public:
  explicit Watchdog(const char *what)
      : thread_([this, what] {
          std::unique_lock lock(mutex_);
          if (!end_.wait_for(lock, std::chrono::minutes(1), [this] { return ended_; })) {
            std::fprintf(stderr, "%s does not end\n", what);
            std::_Exit(1);
          }
        }) {}
  ~Watchdog() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    end_.notify_one();
    thread_.join();
  }
  Watchdog(const Watchdog &) = delete;
  Watchdog &operator=(const Watchdog &) = delete;

private:
  std::mutex mutex_;
  std::condition_variable end_;
  bool ended_ = false;
  std::thread thread_; // last: it uses the others
};

/// Returns the cycles of one run; 0 if none is recorded.
std::uint64_t cycles(Rig &r, const Program &program, bool profiled) {
  Engine e = r.engine(program, {{"debug.instrument", profiled ? "true" : "false"}});
  e.run();
  return profiled ? e.getExecutionProfile()["simulation"]["cycles"].asUint64() : 0;
}

} // namespace

TEST_SUITE("invalid use") {

  TEST_CASE("tensors") { check(tensorCases()); }
  TEST_CASE("graphs, vertices and values") { check(graphCases()); }
  TEST_CASE("programs") { check(programCases()); }
  TEST_CASE("devices, engines and options") { check(engineCases()); }

  TEST_CASE("the table is as long as it should be") {
    CHECK(tensorCases().size() + graphCases().size() + programCases().size() + engineCases().size() >= 240);
  }

  TEST_CASE("programs at the limit of nesting run, and go away, as do long sequences") {
    Rig r;
    Program p = Copy(r.constant, r.ints);
    for (int i = 0; i < 990; ++i)
      p = i % 2 == 0 ? Program(Repeat(1, p)) : Program(Sequence(p));
    Sequence flat;
    for (int i = 0; i < 100000; ++i)
      flat.add(Sequence());
    flat.add(p);
    r.graph.createHostRead("ints", r.ints);
    Engine e = r.engine(flat);
    e.run();
    int values[4] = {};
    e.readTensor("ints", values, values + 4);
    CHECK(values[3] == 4);
    std::ostringstream text;
    e.printProfileSummary(text, {{"showExecutionSteps", "true"}});
    CHECK(!text.str().empty());
  }

  TEST_CASE("nothing, however often, ends at once, wherever it is nested, and takes no cycles") {
    Watchdog limit("a Repeat of what has no effect");
    for (const bool profiled : {false, true}) {
      Rig r;
      const Function f = r.graph.addFunction(Sequence(WriteUndef(r.ints), Repeat(kOften, Sequence())));
      const Program undefined = WriteUndef(r.matrix), never = Repeat(0, Copy(r.constant, r.ints));
      const Program nested = Repeat(kOften, Repeat(kOften, Sequence())), call = Sequence(Call(f), Sequence());
      const Program all =
          Sequence(never, Repeat(kOften, Sequence(nested, call, undefined, Repeat(kOften, never))), call);
      const std::uint64_t none = cycles(r, Sequence(), profiled);
      for (const Program &nothing : std::vector<Program>{Sequence(), nested, call, undefined, never, all}) {
        CHECK(cycles(r, Repeat(kOften, nothing), profiled) == none);
        CHECK(cycles(r, Repeat(2, Sequence(Repeat(kOften, nothing), Copy(r.constant, r.ints))), profiled) ==
              cycles(r, Repeat(2, Copy(r.constant, r.ints)), profiled));
      }
    }
  }

  TEST_CASE("a body with an effect runs as often as it says") {
    Rig r;
    const DataStream s = r.graph.addHostToDeviceFIFO("s", INT, 4);
    Engine e = r.engine(Repeat(7, Sequence(Sequence(), Copy(s, r.ints))));
    unsigned calls = 0;
    e.connectStreamToCallback("s", [&](void *p) {
      ++calls;
      std::fill_n(static_cast<int *>(p), 4, 0);
    });
    e.run();
    CHECK(calls == 7);
  }

} // TEST_SUITE
