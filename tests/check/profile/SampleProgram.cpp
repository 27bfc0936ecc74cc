// A program with the features that the examples lack: two programs in one engine, remote buffers, a list of vectors,
// copies that rearrange, WriteUndef, a nested function, all loops, and one tile without enough memory. It checks its
// result and prints the whole summary.
#include <poplar/Engine.hpp>
#include <poplar/IPUModel.hpp>

#include <iostream>
#include <sstream>
#include <vector>

using namespace poplar;
using namespace poplar::program;

namespace {

constexpr unsigned kTiles = 12, kFullTile = 5;
constexpr std::size_t kSide = 24, kElements = kSide * kSide, kTooMany = 80000; // floats; a tile has room for 65,536

const char *const kCodelets = R"(
#include <poplar/Vertex.hpp>
using namespace poplar;

class AddRows : public Vertex {
public:
  Input<VectorList<float, VectorListLayout::DELTANELEMENTS>> rows;
  Output<Vector<float>> sums;
  bool compute() {
    for (unsigned i = 0; i < sums.size(); ++i) {
      float total = 0.0f;
      for (unsigned r = 0; r < rows.size(); ++r)
        total += rows[r][i];
      sums[i] = total;
    }
    return true;
  }
};

class AddTo : public MultiVertex {
public:
  InOut<Vector<float>> data;
  float amount;
  bool compute(unsigned worker) {
    for (unsigned i = worker; i < data.size(); i += numWorkers())
      data[i] += amount;
    return true;
  }
};

class Count : public Vertex {
public:
  InOut<int> count;
  Output<bool> more;
  bool compute() {
    *count += 1;
    *more = *count < 3;
    return true;
  }
};
)";

class Builder {
public:
  explicit Builder(Graph &graph) : graph_(graph) {
    matrix_ = graph_.addVariable(FLOAT, {kSide, kSide}, VariableMappingMethod::LINEAR, "matrix");
    turned_ = graph_.addVariable(FLOAT, {kSide, kSide}, VariableMappingMethod::LINEAR, "turned");
    sums_ = graph_.addVariable(FLOAT, {kSide}, "sums");
    count_ = graph_.addVariable(INT, {}, "count");
    more_ = graph_.addVariable(BOOL, {}, "more");
    large_ = graph_.addVariable(FLOAT, {kTooMany}, "large");
    graph_.setTileMapping(sums_, 1);
    graph_.setTileMapping(count_, 2);
    graph_.setTileMapping(more_, 2);
    graph_.setTileMapping(large_, kFullTile);
    graph_.createHostWrite("matrix", matrix_);
    graph_.createHostRead("sums", sums_);
  }

  std::vector<Program> programs() {
    const Tensor zero = graph_.addConstant<int>(INT, {}, 0);
    graph_.setTileMapping(zero, 2);
    const RemoteBuffer store = graph_.addRemoteBuffer("store", FLOAT, kElements);
    const Function inner = graph_.addFunction(addTo("inner/add", matrix_, 1.0f));
    const Function outer = graph_.addFunction(Sequence({Call(inner), Repeat(2, Call(inner))}));
    const Program fill = Sequence({addTo("large/add", large_, 0.5f), WriteUndef(large_)});
    const Program count = Execute(counting());
    const Program choose =
        Switch(count_, {{3, addTo("switch/three", sums_, 0.25f)}}, addTo("switch/other", sums_, 1e6f));
    const Sequence main({Call(outer), Copy(zero, count_), RepeatWhileTrue(count, more_, Call(inner)),
                         Copy(matrix_, store), Copy(matrix_.transpose(), turned_), WriteUndef(matrix_), addRows(),
                         WriteUndef(turned_), choose, Sync(SyncType::INTERNAL),
                         If(more_, addTo("if/true", sums_, 1e6f), Sequence()), fill, PrintTensor("count", count_)});
    const Sequence again({Copy(store, matrix_), Call(outer), Copy(matrix_, turned_), addRows()});
    return {main, again};
  }

private:
  ComputeSet counting() {
    const ComputeSet set = graph_.addComputeSet("count");
    graph_.setTileMapping(graph_.addVertex(set, "Count", {{"count", count_}, {"more", more_}}), 2);
    return set;
  }
  Program addTo(const std::string &name, const Tensor &data, float amount) {
    const ComputeSet set = graph_.addComputeSet(name);
    const Tensor flat = data.flatten();
    const auto mapping = graph_.getTileMapping(flat);
    for (unsigned tile = 0; tile < mapping.size(); ++tile)
      for (const Interval &part : mapping[tile]) {
        const VertexRef v = graph_.addVertex(set, "AddTo", {{"data", flat.slice(part)}});
        graph_.setInitialValue(v["amount"], amount);
        graph_.setTileMapping(v, tile);
      }
    return Execute(set);
  }
  /// Sums over the rows of `turned`; each of three tiles has a part of the columns.
  Program addRows() {
    const ComputeSet set = graph_.addComputeSet("addRows");
    constexpr std::size_t kColumns = kSide / 3;
    for (unsigned tile = 0; tile < 3; ++tile) {
      const VertexRef v = graph_.addVertex(set, "AddRows");
      const Tensor part = turned_.slice(tile * kColumns, (tile + 1) * kColumns, 1);
      graph_.connect(v["rows"], part);
      graph_.connect(v["sums"], sums_.slice(tile * kColumns, (tile + 1) * kColumns));
      graph_.setTileMapping(v, 3 * tile + 1);
    }
    return Execute(set);
  }

  Graph &graph_;
  Tensor matrix_, turned_, sums_, count_, more_, large_;
};

/// Checks the sums after three calls of the function and two more in a loop that counts to three; each adds 1, and a
/// quarter comes last.
bool rightAfterMain(const std::vector<float> &in, const std::vector<float> &sums) {
  for (std::size_t row = 0; row < kSide; ++row) {
    float want = 0.25f;
    for (std::size_t column = 0; column < kSide; ++column)
      want += in[row * kSide + column] + 5.0f;
    if (sums[row] != want)
      return false;
  }
  return true;
}

} // namespace

int main() {
  try {
    IPUModel model("ipu1");
    model.tilesPerIPU = kTiles;
    model.compileIPUCode = true;
    const Device device = model.createDevice();
    Graph graph(device.getTarget());
    std::stringstream codelets(kCodelets);
    graph.addCodelets(codelets);
    Engine engine(graph, Builder(graph).programs(), {{"debug.allowOutOfMemory", "true"}});
    std::ostringstream printed;
    engine.setPrintTensorStream(printed);
    engine.load(device);
    std::vector<float> in(kElements), sums(kSide);
    for (std::size_t i = 0; i < kElements; ++i)
      in[i] = float(i % 7);
    engine.writeTensor("matrix", in.data(), in.data() + in.size());
    engine.run(0);
    engine.readTensor("sums", sums.data(), sums.data() + sums.size());
    const bool good = rightAfterMain(in, sums) && printed.str().find('3') != std::string::npos;
    engine.run(1);
    engine.run(1);
    engine.run(1); // one run more than is recorded
    engine.printProfileSummary(std::cout, {{"showVarStorage", "true"},
                                           {"showExecutionSteps", "true"},
                                           {"showOptimizations", "true"},
                                           {"showPerIpuMemoryUsage", "true"}});
    if (!good)
      std::cerr << "sample program: the sums are wrong; the first is " << sums[0] << '\n';
    return good ? 0 : 1;
  } catch (const std::exception &error) {
    std::cerr << "sample program: " << error.what() << '\n';
    return 2;
  }
}
