#include "bench/Programs.hpp"

#include <sstream>

using namespace poplar;
using namespace poplar::program;

namespace bench {
namespace {

const char *const kCodelets = R"(
#include <poplar/Vertex.hpp>
struct Relax : poplar::Vertex {
  poplar::Input<poplar::Vector<float>> in;
  poplar::Input<float> left, right;
  poplar::Output<poplar::Vector<float>> out;
  bool compute() {
    const unsigned n = in.size();
    for (unsigned i = 0; i < n; ++i)
      out[i] = 0.5f * in[i] + 0.25f * ((i == 0 ? *left : in[i - 1]) + (i + 1 == n ? *right : in[i + 1]));
    return true;
  }
};
struct Bump : poplar::Vertex {
  poplar::InOut<poplar::Vector<float>> x;
  float by;
  bool compute() {
    for (unsigned i = 0; i < x.size(); ++i)
      x[i] += by;
    return true;
  }
};
)";

} // namespace

Device makeDevice(unsigned tiles, bool withCode) {
  IPUModel model("ipu1");
  model.tilesPerIPU = tiles;
  model.compileIPUCode = withCode;
  return model.createDevice();
}

void addCodelets(Graph &graph) {
  std::stringstream source(kCodelets);
  graph.addCodelets(source);
}

Ring::Ring(unsigned tiles, unsigned elements, unsigned iterations, bool estimated)
    : device(makeDevice(tiles)), graph(device.getTarget()) {
  addCodelets(graph);
  const Tensor a = graph.addVariable(FLOAT, {tiles, elements}, "a");
  const Tensor b = graph.addVariable(FLOAT, {tiles, elements}, "b");
  const ComputeSet cs = graph.addComputeSet("relax");
  for (unsigned t = 0; t < tiles; ++t) {
    graph.setTileMapping(a[t], t);
    graph.setTileMapping(b[t], t);
    const Tensor left = a[(t + tiles - 1) % tiles][elements - 1], right = a[(t + 1) % tiles][0];
    const VertexRef v = graph.addVertex(cs, "Relax", {{"in", a[t]}, {"left", left}, {"right", right}, {"out", b[t]}});
    graph.setTileMapping(v, t);
    if (estimated)
      graph.setPerfEstimate(v, 30 + 5 * elements);
  }
  program.add(Repeat(iterations, Sequence(Execute(cs), Copy(b, a))));
}

Many::Many(unsigned tiles, unsigned vertices) : device(makeDevice(tiles)), graph(device.getTarget()) {
  std::stringstream source(kCodelets);
  graph.addCodelets(source);
  constexpr unsigned kEach = 4; // elements of a vertex
  const Tensor x = graph.addVariable(FLOAT, {std::size_t(vertices) * kEach}, "x");
  const ComputeSet cs = graph.addComputeSet("bump");
  for (unsigned t = 0; t < tiles; ++t) {
    const std::size_t first = std::size_t(vertices) * t / tiles, end = std::size_t(vertices) * (t + 1) / tiles;
    if (first == end)
      continue;
    graph.setTileMapping(x.slice(first * kEach, end * kEach), t);
    for (std::size_t v = first; v < end; ++v) {
      const VertexRef vertex = graph.addVertex(cs, "Bump", {{"x", x.slice(v * kEach, (v + 1) * kEach)}});
      graph.setInitialValue(vertex["by"], 1.0f);
      graph.setTileMapping(vertex, t);
    }
  }
  program.add(Execute(cs));
}

} // namespace bench
