// Chapter 4 of the tutorial: why is it live? The program fills a variable with two compute sets, one for each half, and
// then sums the variable; a second round repeats this. A write of one half does not end the life of the old values, so
// the variable is live from the beginning to the end. With --undef, a WriteUndef before the first half of each round
// declares that no step needs the old values.
//
// Exit code: 0 if the sums are right, 1 if a sum is wrong, 2 for a wrong argument.
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>

#include <iostream>
#include <sstream>
#include <string>
#include <vector>

using namespace poplar;
using namespace poplar::program;

namespace {

constexpr unsigned kElements = 20000, kRounds = 2;

const char *const kCodelets = R"(
#include <poplar/Vertex.hpp>
class Fill : public poplar::Vertex {
public:
  poplar::Output<poplar::Vector<float>> out;
  float value;
  bool compute() {
    for (unsigned i = 0; i < out.size(); ++i)
      out[i] = value;
    return true;
  }
};
class Sum : public poplar::Vertex {
public:
  poplar::Input<poplar::Vector<float>> in;
  poplar::Output<float> sum;
  bool compute() {
    float total = 0;
    for (unsigned i = 0; i < in.size(); ++i)
      total += in[i];
    *sum = total;
    return true;
  }
};
)";

class Rounds {
public:
  explicit Rounds(Graph &graph) : graph_(graph) {
    sums_ = graph_.addVariable(FLOAT, {kRounds}, "sums");
    graph_.setTileMapping(sums_, 0);
    graph_.createHostRead("sums", sums_);
  }

  Sequence build(bool undef) {
    Sequence sequence;
    const Tensor buffer = variable("buffer");
    for (unsigned round = 0; round < kRounds; ++round) {
      const std::string name = "round" + std::to_string(round);
      if (undef)
        sequence.add(WriteUndef(buffer));
      sequence.add(fill(name + "/first half", buffer.slice(0, kElements / 2), 1));
      sequence.add(fill(name + "/second half", buffer.slice(kElements / 2, kElements), 2));
      sequence.add(sum(name + "/sum", buffer, round));
      // Another variable, which needs memory while no step needs the buffer.
      const Tensor other = variable(name + "/other");
      sequence.add(fill(name + "/fill other", other, 0));
      sequence.add(sum(name + "/sum other", other, round, true));
    }
    return sequence;
  }

private:
  Tensor variable(const std::string &name) {
    const Tensor t = graph_.addVariable(FLOAT, {kElements}, name);
    graph_.setTileMapping(t, 0);
    return t;
  }
  Execute fill(const std::string &name, const Tensor &out, float value) {
    const ComputeSet set = graph_.addComputeSet(name);
    const VertexRef vertex = graph_.addVertex(set, "Fill", {{"out", out}});
    graph_.setInitialValue(vertex["value"], value);
    graph_.setTileMapping(vertex, 0);
    return Execute(set);
  }
  Execute sum(const std::string &name, const Tensor &in, unsigned round, bool scratch = false) {
    Tensor to = sums_[round];
    if (scratch) {
      to = graph_.addVariable(FLOAT, {}, name + "/result");
      graph_.setTileMapping(to, 0);
    }
    const ComputeSet set = graph_.addComputeSet(name);
    const VertexRef vertex = graph_.addVertex(set, "Sum", {{"in", in}, {"sum", to}});
    graph_.setTileMapping(vertex, 0);
    return Execute(set);
  }

  Graph &graph_;
  Tensor sums_;
};

} // namespace

int main(int argc, char **argv) {
  const bool undef = argc == 2 && std::string(argv[1]) == "--undef";
  if (argc > 1 && !undef) {
    std::cerr << "usage: tutorial_halves [--undef]\n";
    return 2;
  }
  IPUModel model("ipu2");
  model.tilesPerIPU = 1;
  model.compileIPUCode = true;
  const Device device = model.createDevice();
  Graph graph(device.getTarget());
  std::stringstream codelets(kCodelets);
  graph.addCodelets(codelets);
  Engine engine(graph, Rounds(graph).build(undef));
  engine.load(device);
  engine.run();
  std::vector<float> sums(kRounds);
  engine.readTensor("sums", sums.data(), sums.data() + sums.size());
  for (const float sum : sums)
    if (sum != 1.5f * kElements) {
      std::cerr << "halves: a sum is " << sum << ", " << 1.5f * kElements << " was expected\n";
      return 1;
    }
  return 0;
}
