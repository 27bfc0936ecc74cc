// Programs that show published figures of the machine: columns of blocks, links between IPUs, host copies of a device.
// The numbers are those of the reports (docs/CYCLES.md), not of a cost function.
#include "tests/unit/engine/Programs.hpp"

#include <doctest/doctest.h>
#include <map>
#include <numeric>
#include <poplar/IPUModel.hpp>
#include <pva/pva.hpp>

using namespace poplar;
using namespace poplar::program;
using namespace engine_tests;
using StepType = pva::Program::Type;

namespace {

Device ipu1(unsigned ipus = 1) {
  IPUModel model("ipu1");
  model.numIPUs = ipus;
  return model.createDevice();
}

/// A block of floats on tile 0, and one on tile 1 or another tile.
struct Blocks {
  Device device;
  Graph graph;
  Tensor a, b;
  explicit Blocks(Device d, std::size_t rows = 102, std::size_t columns = 102, unsigned tile = 1)
      : device(std::move(d)), graph(device.getTarget()) {
    a = graph.addVariable(FLOAT, {rows, columns}, "a");
    b = graph.addVariable(FLOAT, {rows, columns}, "b");
    graph.setTileMapping(a, 0);
    graph.setTileMapping(b, tile);
    graph.createHostWrite("a", a);
    graph.createHostRead("b", b);
  }
  /// Returns the instances and cycles of the copy vertices of a run of `program`.
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> copies(const Program &program,
                                                                        std::vector<float> *result = nullptr) {
    Engine engine(graph, program);
    engine.load(device);
    std::vector<float> data(a.numElements());
    std::iota(data.begin(), data.end(), 1.0f);
    engine.writeTensor("a", data.data(), data.data() + data.size());
    engine.run();
    engine.readTensor("b", data.data(), data.data() + data.size());
    if (result != nullptr)
      *result = data;
    std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> found;
    const pva::Report report = engine.getReport();
    for (const auto &run : report.execution().runs())
      for (const auto &type : run.lastVertexTypes())
        found[type.type.name()] = {type.instances, type.cycles};
    return found;
  }
};

/// Returns the cycles of all steps of a type in the first recorded run.
std::vector<std::uint64_t> cyclesOf(const pva::Report &report, StepType type) {
  std::vector<std::uint64_t> cycles;
  for (const auto &step : report.execution().runs()[0].steps())
    if (step.program()->type() == type)
      cycles.push_back(step.ipus()[0].cycles());
  return cycles;
}

} // namespace

TEST_SUITE("engine.machine facts") {

  TEST_CASE("a column that becomes a column comes densely and is scattered by the receiving tile") {
    Blocks blocks(ipu1());
    std::vector<float> result;
    const auto copies =
        blocks.copies(Copy(blocks.a.slice(100, 101, 1), blocks.b.slice(0, 1, 1), false, "column"), &result);
    REQUIRE(copies.size() == 1);
    // Six workers share 102 words; 17 take 801 thread cycles.
    CHECK(copies.at("poplar_rt::DstStridedCopyDA32") == std::pair<std::uint64_t, std::uint64_t>(6, 6 * 801));
    for (std::size_t row = 0; row < 102; ++row)
      CHECK(result[row * 102] == float(row * 102 + 101));
  }

  TEST_CASE("100 words in a column are 786 cycles per worker on average") {
    Blocks blocks(ipu1(), 100, 100);
    const auto copies = blocks.copies(Copy(blocks.a.slice(99, 100, 1), blocks.b.slice(0, 1, 1)));
    REQUIRE(copies.count("poplar_rt::DstStridedCopyDA32") == 1);
    CHECK(copies.at("poplar_rt::DstStridedCopyDA32").first == 6);
    CHECK(copies.at("poplar_rt::DstStridedCopyDA32").second / 6 == 786);
  }

  TEST_CASE("what does not lie apart on both tiles arrives at its place") {
    Blocks blocks(ipu1());
    const Tensor row = blocks.a.slice(0, 1), column = blocks.a.slice(0, 1, 1);
    CHECK(blocks.copies(Copy(row, blocks.b.slice(3, 4))).empty());
    CHECK(blocks.copies(Copy(column.flatten(), blocks.b.slice(3, 4).flatten())).empty());
    CHECK(blocks.copies(Copy(row.flatten(), blocks.b.slice(0, 1, 1).flatten())).empty());
    CHECK(blocks.copies(Copy(blocks.a[5][5], blocks.b[7][7])).empty()); // one word
    CHECK(blocks.copies(Copy(blocks.a.slice(0, 2, 1), blocks.b.slice(0, 2, 1))).empty());
  }

  TEST_CASE("a transposing copy of 5,760 words on one tile takes 26,100 cycles") {
    Blocks blocks(ipu1(), 72, 80, 0);
    const Tensor turned = blocks.graph.addVariable(FLOAT, {80, 72}, "turned");
    blocks.graph.setTileMapping(turned, 0);
    blocks.graph.createHostRead("turned", turned);
    Engine engine(blocks.graph, Copy(blocks.a.transpose(), turned));
    engine.load(blocks.device);
    engine.run();
    const auto cycles = cyclesOf(engine.getReport(), StepType::OnTileExecute);
    REQUIRE(cycles.size() == 1);
    CHECK(cycles[0] >= 26000);
    CHECK(cycles[0] <= 26200);
  }

  TEST_CASE("exchanges between IPUs take what was measured on 16") {
    const auto cycles = [](std::size_t bytes) {
      Device device = ipu1(2);
      Graph graph(device.getTarget());
      const Tensor a = graph.addVariable(FLOAT, {bytes / 4}, "a"), b = graph.addVariable(FLOAT, {bytes / 4}, "b");
      for (unsigned part = 0; part < 16; ++part) { // so that the link takes longer than any tile's own words
        const std::size_t begin = bytes / 4 * part / 16, end = bytes / 4 * (part + 1) / 16;
        graph.setTileMapping(a.slice(begin, end), part);
        graph.setTileMapping(b.slice(begin, end), 1216 + part);
      }
      graph.createHostWrite("a", a);
      graph.createHostRead("b", b);
      Engine engine(graph, Copy(a, b));
      engine.load(device);
      engine.run();
      const auto steps = cyclesOf(engine.getReport(), StepType::GlobalExchange);
      REQUIRE(!steps.empty());
      return steps.back(); // in the step before, the second IPU receives the number of the program
    };
    CHECK(cycles(38352) == 4017);
    CHECK(cycles(19168) == 3043);
  }

  TEST_CASE("a host copy of a device waits for the host before and after it, a model's does not") {
    struct Copies {
      std::uint64_t begin = 0, mid = 0, end = 0, controlBegin = 0;
    };
    const auto copies = [](Device device, std::size_t words, bool remote) {
      Graph graph(device.getTarget());
      const Tensor x = graph.addVariable(FLOAT, {words}, "x");
      graph.setTileMapping(x, 1);
      Program program;
      if (remote)
        program = Copy(graph.addRemoteBuffer("store", FLOAT, words), x);
      else
        program = Copy(graph.addHostToDeviceFIFO("in", FLOAT, words), x);
      Engine engine(graph, program, {{"debug.instrument", "true"}});
      engine.load(device);
      std::vector<float> data(words);
      if (!remote)
        engine.connectStream("in", data.data(), data.data() + data.size());
      engine.run();
      const pva::Report report = engine.getReport();
      const auto length = [](const pva::ExecutionStep &step) {
        const pva::CycleRange all = step.ipus()[0].allCycles();
        return all.to().max() - all.from().max();
      };
      Copies found;
      bool first = true;
      for (const auto &step : report.execution().runs()[0].steps()) {
        const StepType type = step.program()->type();
        if (type == StepType::StreamCopyBegin) {
          found.controlBegin = first ? length(step) : found.controlBegin;
          first = false;
          found.begin = length(step);
        } else if (type == StepType::StreamCopyMid) {
          found.mid = step.ipus()[0].cycles();
        } else if (type == StepType::StreamCopyEnd) {
          found.end = length(step);
        }
      }
      return found;
    };
    const Copies model = copies(smallModel(4), 1, false), device = copies(simulatedIpu(4), 1, false);
    CHECK(model.mid == 7);
    CHECK(model.begin < 200);
    CHECK(model.begin == model.controlBegin);
    // The log of a GC200 at 1.33 GHz: 77,330 to 88,338 cycles, 1,491 to 1,771, 79,556 to 84,180; the simulated clock is
    // 1.6 GHz.
    constexpr double kClock = 1.6 / 1.33;
    CHECK(double(device.begin) >= 77330 * kClock);
    CHECK(double(device.begin) <= 88338 * kClock);
    CHECK(double(device.mid) >= 1491 * kClock);
    CHECK(double(device.mid) <= 1771 * kClock);
    CHECK(double(device.end) >= 79556 * kClock);
    CHECK(double(device.end) <= 84180 * kClock + 200);
    CHECK(device.controlBegin < 200); // the engine's own words do not wait for the host
    CHECK(copies(simulatedIpu(4), 1, true).begin < 200);
    // 12.1 bytes per cycle on hardware.
    const double rate =
        4.0 * 9900 / double(copies(simulatedIpu(4), 10000, false).mid - copies(simulatedIpu(4), 100, false).mid);
    CHECK(rate > 12.0);
    CHECK(rate < 12.2);
  }

} // TEST_SUITE
