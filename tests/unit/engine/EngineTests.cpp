#include "tests/unit/engine/Programs.hpp"

#include <doctest/doctest.h>
#include <pva/pva.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <sstream>
#include <unistd.h>

using namespace poplar;
using namespace poplar::program;
using namespace engine_tests;

namespace {

class EnvironmentVariable {
public:
  EnvironmentVariable(const char *name, const std::string &value) : name_(name) { setenv(name, value.c_str(), 1); }
  ~EnvironmentVariable() { unsetenv(name_); }
  EnvironmentVariable(const EnvironmentVariable &) = delete;
  EnvironmentVariable &operator=(const EnvironmentVariable &) = delete;

private:
  const char *name_;
};

std::filesystem::path freshFolder(const std::string &name) {
  const auto folder = std::filesystem::temp_directory_path() / (name + std::to_string(getpid()));
  std::filesystem::remove_all(folder);
  return folder;
}

std::string run(const std::string &command, int &status) {
  std::string text;
  FILE *pipe = popen((command + " 2>&1").c_str(), "r");
  char buffer[4096];
  for (std::size_t n; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;)
    text.append(buffer, n);
  status = WEXITSTATUS(pclose(pipe));
  return text;
}

} // namespace

TEST_SUITE("engine") {

  TEST_CASE("values written by the host pass through vertices on several tiles and come back") {
    const Device device = smallModel();
    IncrementProgram p(device, 10);
    p.graph.createHostWrite("x-in", p.x);
    p.graph.createHostRead("x-out", p.x);
    Engine engine(p.graph, Repeat(3, p.step));
    engine.load(device);
    std::vector<float> data(10);
    std::iota(data.begin(), data.end(), 0.0f);
    engine.writeTensor("x-in", data.data(), data.data() + data.size());
    engine.run(0);
    std::vector<float> back(10);
    engine.readTensor("x-out", back.data(), back.data() + back.size());
    for (unsigned i = 0; i < 10; ++i)
      CHECK(back[i] == float(i) + 3.0f);
  }

  TEST_CASE("prepare is a load, and deploy comes after it") {
    const Device device = smallModel();
    IncrementProgram p(device, 6);
    p.graph.createHostWrite("x-in", p.x);
    p.graph.createHostRead("x-out", p.x);
    Engine engine(p.graph, p.step);
    CHECK_THROWS_WITH_AS(engine.deploy(), doctest::Contains("before Engine::load"), poplar_error);
    engine.prepare(device);
    engine.deploy();
    std::vector<float> values(6, 2.0f);
    engine.writeTensor("x-in", values.data(), values.data() + values.size());
    engine.deploy(); // has no effect
    engine.run(0);
    engine.readTensor("x-out", values.data(), values.data() + values.size());
    CHECK(values == std::vector<float>(6, 3.0f));
  }

  TEST_CASE("a remote and reversed input arrives in the order of its view") {
    const Device device = smallModel();
    Graph graph(device.getTarget());
    addTestCodelets(graph);
    Tensor a = graph.addVariable(FLOAT, {2, 4}, VariableMappingMethod::LINEAR, "a");
    Tensor b = graph.addVariable(FLOAT, {8}, "b");
    graph.setTileMapping(b, 3);
    const ComputeSet cs = graph.addComputeSet("double");
    const VertexRef v = graph.addVertex(cs, "Double", {{"in", a.transpose().flatten().reverse(0)}, {"out", b}});
    graph.setTileMapping(v, 1);
    graph.createHostWrite("a", a);
    graph.createHostRead("b", b);
    Engine engine(graph, Execute(cs));
    engine.load(device);
    std::vector<float> in(8), out(8);
    std::iota(in.begin(), in.end(), 0.0f);
    engine.writeTensor("a", in.data(), in.data() + 8);
    engine.run();
    engine.readTensor("b", out.data(), out.data() + 8);
    const std::vector<float> expected = {14, 6, 12, 4, 10, 2, 8, 0}; // 2 * (0 4 1 5 2 6 3 7) reversed
    CHECK(out == expected);
  }

  TEST_CASE("streams are used circularly and callbacks are called") {
    const Device device = smallModel();
    Graph graph(device.getTarget());
    Tensor x = graph.addVariable(INT, {4}, "x");
    graph.setTileMapping(x, 0);
    auto in = graph.addHostToDeviceFIFO("in", INT, 4);
    auto out = graph.addDeviceToHostFIFO("out", INT, 4);
    Engine engine(graph, Repeat(3, Sequence(Copy(in, x), Copy(x, out))));
    engine.load(device);
    std::vector<int> data = {1, 2, 3, 4, 5, 6, 7, 8};
    std::vector<std::vector<int>> seen;
    engine.connectStream("in", data.data(), data.data() + data.size());
    engine.connectStreamToCallback("out", [&](void *p) {
      const int *values = static_cast<const int *>(p);
      seen.push_back(std::vector<int>(values, values + 4));
    });
    engine.run();
    REQUIRE(seen.size() == 3);
    CHECK(seen[0] == std::vector<int>{1, 2, 3, 4});
    CHECK(seen[1] == std::vector<int>{5, 6, 7, 8});
    CHECK(seen[2] == std::vector<int>{1, 2, 3, 4});
  }

  TEST_CASE("any program writes a profile when the environment asks, and profile_summary prints the same text") {
    const auto folder = freshFolder("popscope-engine-test");
    std::string live;
    {
      const EnvironmentVariable options("POPLAR_ENGINE_OPTIONS",
                                        "{\"autoReport.all\":\"true\",\"autoReport.directory\":\"" + folder.string() +
                                            "\"}");
      const Device device = smallModel();
      IncrementProgram p(device, 10);
      Engine engine(p.graph, {p.step, Sequence(p.step, p.step)});
      engine.load(device);
      engine.run(0);
      engine.run(1, "second");
      live = summaryOf(engine);
      CHECK_FALSE(std::filesystem::exists(folder / "profile.pop"));
    }
    REQUIRE(std::filesystem::exists(folder / "profile.pop"));
    CHECK(std::filesystem::exists(folder / "debug.cbor"));
    CHECK(std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator()) == 2);
    int status = -1;
    const std::string text = run(std::string(POPSCOPE_BINARY_DIR) + "/bin/profile_summary --profile " +
                                     (folder / "profile.pop").string() + " --show-var-storage --show-execution-steps",
                                 status);
    CHECK(status == 0);
    CHECK(text == live);
    const pva::Report report = pva::openReport((folder / "profile.pop").string());
    REQUIRE(report.execution().runs().size() == 2);
    CHECK(report.execution().runs()[1].name() == "second");
    std::filesystem::remove_all(folder);
  }

  TEST_CASE("the environment wins over the constructor's options") {
    const auto folder = freshFolder("popscope-engine-env");
    const EnvironmentVariable options("POPLAR_ENGINE_OPTIONS",
                                      "{\"autoReport.directory\":\"" + folder.string() + "\"}");
    const Device device = smallModel();
    IncrementProgram p(device, 4);
    { Engine engine(p.graph, p.step, {{"autoReport.all", "true"}, {"autoReport.directory", "never-made"}}); }
    CHECK(std::filesystem::exists(folder / "profile.pop"));
    CHECK_FALSE(std::filesystem::exists("never-made"));
    std::filesystem::remove_all(folder);
  }

  TEST_CASE("a report outlives its engine") {
    const Device device = smallModel();
    IncrementProgram p(device, 10);
    std::unique_ptr<pva::Report> report;
    {
      Engine engine(p.graph, p.step);
      engine.load(device);
      engine.run();
      report = std::make_unique<pva::Report>(engine.getReport());
    }
    CHECK(report->compilation().target().numTiles() == 4);
    CHECK(report->execution().totalCycles().total() > 0);
  }

  TEST_CASE("a program that does not fit is refused with the worst tile named, and still profiled when allowed") {
    const auto folder = freshFolder("popscope-engine-oom");
    const Device device = smallModel();
    Graph graph(device.getTarget());
    Tensor big = graph.addVariable(FLOAT, {100000}, "big/weights");
    graph.setTileMapping(big, 2);
    graph.createHostWrite("big", big);
    try {
      Engine engine(graph, Sequence(), {{"autoReport.all", "true"}, {"autoReport.directory", folder.string()}});
      FAIL("must not fit");
    } catch (const graph_memory_allocation_error &e) {
      const std::string text = e.what();
      CHECK(text.find("Out of memory: Cannot fit all variable data onto one or more tiles. Profile saved to: " +
                      (folder / "profile.pop").string() + "\n") == 0);
      CHECK(text.find("tile 2") != std::string::npos);
      CHECK(text.find("400000 B  variable 'big/weights'") != std::string::npos);
      CHECK(e.profilePath == (folder / "profile.pop").string());
      CHECK(e.graphProfile["memory"]["byTile"]["total"].asVector().at(2).asUint() >= 400000);
      std::ostringstream summary;
      printProfileSummary(summary, e.graphProfile, e.executionProfile);
      CHECK(summary.str().find("1 tile(s) out of memory") != std::string::npos);
    }
    CHECK(std::filesystem::exists(folder / "profile.pop"));
    Engine engine(graph, Sequence(), {{"debug.allowOutOfMemory", "true"}});
    const std::string text = summaryOf(engine);
    CHECK(text.find("1 tile(s) out of memory") != std::string::npos);
    std::filesystem::remove_all(folder);
  }

  TEST_CASE("if buffers for operands fill a tile, the message advises smaller operands, not fewer vertices") {
    const Device device = smallModel();
    Graph graph(device.getTarget());
    addTestCodelets(graph);
    const Tensor far = graph.addVariable(FLOAT, {100000}, "far");
    for (unsigned tile = 1; tile < 4; ++tile)
      graph.setTileMapping(far.slice(tile == 1 ? 0 : 33000 * (tile - 1), tile == 3 ? 100000 : 33000 * tile), tile);
    const ComputeSet cs = graph.addComputeSet("reads");
    const VertexRef v = graph.addVertex(cs, "Increment", {{"x", far}});
    graph.setInitialValue(v["by"], 1.0f);
    graph.setTileMapping(v, 0);
    try {
      const Engine engine(graph, Execute(cs));
      FAIL("must not fit");
    } catch (const graph_memory_allocation_error &e) {
      const std::string text = e.what();
      CAPTURE(text);
      CHECK(text.find("fewer vertices") == std::string::npos);
      CHECK(text.find("tile 0 with smaller operands of its vertices, or with their compute set split into several that "
                      "run one after the other, because buffers for operands fill it") != std::string::npos);
    }
  }

  TEST_CASE("a CPU target runs and has no profile") {
    const Device device = Device::createCPUDevice();
    IncrementProgram p(device, 3);
    p.graph.createHostRead("x", p.x);
    Engine engine(p.graph, p.step);
    engine.load(device);
    engine.run();
    CHECK_THROWS_AS(engine.getReport(), profiling_disabled);
    const std::string text = summaryOf(engine);
    CHECK(text.find("Target:") == 0);
    CHECK(text.find("Memory Usage:") == std::string::npos);
  }

} // TEST_SUITE
