// A chain of layers that does not fit in memory without --spread, and fits with --spread. docs/TOOLS.md analyses this
// program.
//
//   forward    out[i] = out[i-1] * w                   the backward pass reads each out again, so every out stays live
//   backward   grad[i-1] = grad[i] * w + out[i-1]
//
// Without --spread, every tensor lies only on the tiles with even numbers.
#include <poplar/Engine.hpp>
#include <poplar/IPUModel.hpp>

#include <iostream>
#include <sstream>
#include <string>
#include <vector>

using namespace poplar;
using namespace poplar::program;

namespace {

const char *const kCodelets = R"(
#include <poplar/Vertex.hpp>
using namespace poplar;

class Forward : public Vertex {
public:
  Input<Vector<float>> in;
  Output<Vector<float>> out;
  float weight;
  bool compute() {
    for (unsigned i = 0; i < out.size(); ++i)
      out[i] = in[i] * weight;
    return true;
  }
};

class Backward : public Vertex {
public:
  Input<Vector<float>> gradient, kept;
  Output<Vector<float>> out;
  float weight;
  bool compute() {
    for (unsigned i = 0; i < out.size(); ++i)
      out[i] = gradient[i] * weight + kept[i];
    return true;
  }
};
)";

constexpr unsigned kTiles = 16, kLayers = 6;
constexpr std::size_t kElements = 240000;

class Chain {
public:
  Chain(Graph &graph, bool spread) : graph_(graph), step_(spread ? 1 : 2) {}

  Sequence build() {
    Sequence program;
    std::vector<Tensor> outs = {tensor("input")};
    for (unsigned i = 1; i <= kLayers; ++i) {
      outs.push_back(tensor(layer(i) + "/out"));
      program.add(forward(i, outs[i - 1], outs[i]));
    }
    Tensor gradient = outs.back();
    for (unsigned i = kLayers; i >= 1; --i) {
      const Tensor next = tensor(layer(i) + "/gradient");
      program.add(backward(i, gradient, outs[i - 1], next));
      gradient = next;
    }
    graph_.createHostRead("gradient", gradient);
    return program;
  }

private:
  static std::string layer(unsigned i) { return "Layer" + std::to_string(i); }

  /// Returns the number of tiles that hold a part.
  std::size_t parts() const { return kTiles / step_; }
  Interval part(std::size_t p) const { return {p * kElements / parts(), (p + 1) * kElements / parts()}; }

  Tensor tensor(const std::string &name) {
    const Tensor t = graph_.addVariable(FLOAT, {kElements}, name);
    for (std::size_t p = 0; p < parts(); ++p)
      graph_.setTileMapping(t.slice(part(p)), static_cast<unsigned>(p) * step_);
    return t;
  }

  VertexRef vertex(ComputeSet set, const char *type, std::size_t p) {
    const VertexRef v = graph_.addVertex(set, type);
    graph_.setTileMapping(v, static_cast<unsigned>(p) * step_);
    graph_.setInitialValue(v["weight"], 0.5f);
    graph_.setPerfEstimate(v, 20 + 3 * (part(p).end() - part(p).begin()));
    return v;
  }

  Execute forward(unsigned i, const Tensor &in, const Tensor &out) {
    const ComputeSet set = graph_.addComputeSet(layer(i) + "/Fwd");
    for (std::size_t p = 0; p < parts(); ++p) {
      const VertexRef v = vertex(set, "Forward", p);
      graph_.connect(v["in"], in.slice(part(p)));
      graph_.connect(v["out"], out.slice(part(p)));
    }
    return Execute(set);
  }

  Execute backward(unsigned i, const Tensor &gradient, const Tensor &kept, const Tensor &out) {
    const ComputeSet set = graph_.addComputeSet(layer(i) + "/Bwd");
    for (std::size_t p = 0; p < parts(); ++p) {
      const VertexRef v = vertex(set, "Backward", p);
      graph_.connect(v["gradient"], gradient.slice(part(p)));
      graph_.connect(v["kept"], kept.slice(part(p)));
      graph_.connect(v["out"], out.slice(part(p)));
    }
    return Execute(set);
  }

  Graph &graph_;
  unsigned step_;
};

} // namespace

int main(int argc, char **argv) {
  const bool spread = argc == 2 && std::string(argv[1]) == "--spread";
  if (argc > 1 && !spread) {
    std::cerr << "usage: overfull [--spread]\n";
    return 2;
  }
  IPUModel model("ipu2");
  model.tilesPerIPU = kTiles;
  model.compileIPUCode = true;
  const Device device = model.createDevice();
  Graph graph(device.getTarget());
  std::stringstream codelets(kCodelets);
  graph.addCodelets(codelets);
  const Sequence program = Chain(graph, spread).build();
  try {
    Engine engine(graph, program);
    engine.load(device);
    engine.run(0);
  } catch (const graph_memory_allocation_error &e) {
    std::cout << "does not fit; "
              << (e.profilePath.empty() ? "no profile was requested: popscope run -- PROGRAM records one"
                                        : "its profile is in " + e.profilePath)
              << "\n";
    return 1;
  }
  std::cout << "fits\n";
  return 0;
}
