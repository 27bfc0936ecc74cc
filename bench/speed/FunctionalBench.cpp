// Measures values alone: a compute set that the engine runs, and the same compiled codelet in a plain loop over its own
// objects. Both alternate in one process on one thread, and are measured in CPU time. The counters are the ns per
// vertex of both sides, and the median of the ratios.
#include "bench/speed/CpuTime.hpp"

#include "graph/codelets/CodeletSet.hpp"

#include <benchmark/benchmark.h>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>

#include <cstring>
#include <sstream>

using namespace poplar;
using namespace poplar::program;

namespace {

constexpr unsigned kVerticesPerTile = 6, kRepeats = 20;
const char *const kCodelet = R"(
#include <poplar/Vertex.hpp>
struct Blend : poplar::Vertex {
  poplar::Input<poplar::Vector<float>> in;
  poplar::InOut<poplar::Vector<float>> out;
  float share;
  bool compute() {
    const unsigned n = out.size();
    for (unsigned i = 0; i < n; ++i)
      out[i] = share * out[i] + (1.0f - share) * in[i];
    return true;
  }
};
)";

/// `Repeat kRepeats: Execute` over tiles x 6 vertices of `floats` elements.
struct EngineSide {
  EngineSide(unsigned tiles, unsigned floats) : device(makeDevice(tiles)), graph(device.getTarget()) {
    std::stringstream source(kCodelet);
    graph.addCodelets(source);
    const Tensor in = graph.addVariable(FLOAT, {tiles, kVerticesPerTile, floats}, "in");
    const Tensor out = graph.addVariable(FLOAT, {tiles, kVerticesPerTile, floats}, "out");
    const ComputeSet cs = graph.addComputeSet("blend");
    for (unsigned t = 0; t < tiles; ++t) {
      graph.setTileMapping(in[t], t);
      graph.setTileMapping(out[t], t);
      for (unsigned v = 0; v < kVerticesPerTile; ++v) {
        const VertexRef vertex = graph.addVertex(cs, "Blend", {{"in", in[t][v]}, {"out", out[t][v]}});
        graph.setInitialValue(vertex["share"], 0.5f);
        graph.setTileMapping(vertex, t);
      }
    }
    engine = std::make_unique<Engine>(graph, Repeat(kRepeats, Execute(cs)),
                                      OptionFlags{{"debug.cpuMultiThreadExecution", "false"}});
    engine->load(device);
    engine->disableExecutionProfiling();
  }
  static Device makeDevice(unsigned tiles) {
    IPUModel model("ipu1");
    model.tilesPerIPU = tiles;
    return model.createDevice();
  }
  Device device;
  Graph graph;
  std::unique_ptr<Engine> engine;
};

/// The same class with consecutive objects and its data in two arrays.
struct PlainSide {
  PlainSide(unsigned tiles, unsigned floats) : vertices(std::size_t(tiles) * kVerticesPerTile) {
    codelets.addSource(kCodelet, popscope::CodeletSourceKind::Cpp, {}, nullptr);
    blend = codelets.find("Blend");
    in.assign(vertices * floats, 0.0f);
    out = in;
    objects.assign(vertices * blend->hostSize, 0);
    for (std::size_t v = 0; v < vertices; ++v) {
      put(v, "in", popscope::HostSpan{in.data() + v * floats, floats});
      put(v, "out", popscope::HostSpan{out.data() + v * floats, floats});
      put(v, "share", 0.5f);
    }
  }
  template <class T> void put(std::size_t vertex, const char *field, const T &value) {
    const auto &info = blend->fields[static_cast<std::size_t>(popscope::findField(*blend, field))];
    std::memcpy(objects.data() + vertex * blend->hostSize + info.hostOffset, &value, sizeof value);
  }
  void run() {
    for (unsigned i = 0; i < kRepeats; ++i)
      for (std::size_t v = 0; v < vertices; ++v)
        blend->run(objects.data() + v * blend->hostSize, 0);
  }
  std::size_t vertices;
  popscope::CodeletSet codelets;
  const popscope::VertexClass *blend = nullptr;
  std::vector<float> in, out;
  std::vector<std::uint8_t> objects;
};

void BM_Functional(benchmark::State &state) {
  const auto tiles = static_cast<unsigned>(state.range(0)), floats = static_cast<unsigned>(state.range(1));
  EngineSide engine(tiles, floats);
  PlainSide plain(tiles, floats);
  std::vector<double> ratios, ours, theirs;
  for (auto _ : state) {
    ours.push_back(bench::cpuTimeOf([&] { engine.engine->run(); }));
    theirs.push_back(bench::cpuTimeOf([&] { plain.run(); }));
    ratios.push_back(ours.back() / theirs.back());
    state.SetIterationTime(ours.back());
  }
  const double calls = static_cast<double>(plain.vertices) * kRepeats;
  state.counters["ns_a_vertex"] = bench::median(ours) / calls * 1e9;
  state.counters["ns_in_plain_loop"] = bench::median(theirs) / calls * 1e9;
  state.counters["ratio"] = bench::median(ratios);
}
BENCHMARK(BM_Functional)
    ->ArgNames({"tiles", "floats"})
    ->Args({64, 10})
    ->Args({1216, 10})
    ->Args({1216, 100})
    ->Args({1216, 1000})
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond);

} // namespace
