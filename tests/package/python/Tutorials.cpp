// Programs of our own with the contents of the public Poplar tutorials 1 (variables), 3 (vertices) and 6 (matrix and
// vector). The Python test compares the profiles of examples/python/{variables,vertices,matrix_vector}.py with theirs.
//
//   example_tutorials variables | vertices | matrix_vector
//
// Exit code: 0 when the values are right, 1 when they are not, 2 for wrong usage.
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>

#include <iostream>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

using namespace poplar;
using namespace poplar::program;

namespace {

/// Copies between constants, variables, parts of variables, host handles and a stream.
bool variables(const Device &device) {
  Graph graph(device.getTarget());
  const Tensor line = graph.addVariable(FLOAT, {6}, "line"), spread = graph.addVariable(FLOAT, {6}, "spread");
  const Tensor square = graph.addVariable(FLOAT, {5, 5}, "square"), counts = graph.addVariable(INT, {12}, "counts");
  graph.setTileMapping(line, 0);
  for (unsigned i = 0; i < 6; ++i)
    graph.setTileMapping(spread[i], i);
  graph.setTileMapping(square, 2);
  graph.setTileMapping(counts, 1);
  const Tensor start = graph.addConstant<float>(FLOAT, {6}, {0.5, 1.5, 2.5, 3.5, 4.5, 5.5});
  graph.setTileMapping(start, 0);
  graph.createHostWrite("square-in", square);
  graph.createHostRead("square-out", square);
  const DataStream numbers = graph.addHostToDeviceFIFO("numbers", INT, 12);

  Sequence all;
  all.add(Copy(start, line));
  all.add(PrintTensor("line", line));
  all.add(Copy(line, spread));
  all.add(PrintTensor("spread", spread));
  all.add(Copy(line.slice(1, 4), square.slice({3, 0}, {4, 3}).reshape({3})));
  for (const char *title : {"counts, first", "counts, second"}) {
    all.add(Copy(numbers, counts));
    all.add(PrintTensor(title, counts));
  }
  Engine engine(graph, all);
  engine.load(device);
  std::vector<float> values(25, 7);
  engine.writeTensor("square-in", values.data(), values.data() + values.size());
  std::vector<int> fed(36);
  std::iota(fed.begin(), fed.end(), 0);
  engine.connectStream("numbers", fed.data(), fed.data() + fed.size());
  engine.run(0);
  engine.readTensor("square-out", values.data(), values.data() + values.size());
  return values[15] == 1.5F && values[17] == 3.5F && values[18] == 7;
}

/// Runs vertices of a codelet, each on its own tile and with an estimate.
bool vertices(const Device &device) {
  Graph graph(device.getTarget());
  std::stringstream codelet(R"(
#include <poplar/Vertex.hpp>
class Mean : public poplar::Vertex {
public:
  poplar::Input<poplar::Vector<float>> values;
  poplar::Output<float> mean;
  bool compute() {
    float sum = 0;
    for (unsigned i = 0; i < values.size(); ++i)
      sum += values[i];
    *mean = sum / values.size();
    return true;
  }
};
)");
  graph.addCodelets(codelet);
  const Tensor values = graph.addVariable(FLOAT, {8}, "values"), means = graph.addVariable(FLOAT, {8}, "means");
  for (unsigned i = 0; i < 8; ++i) {
    graph.setTileMapping(values[i], i);
    graph.setTileMapping(means[i], i);
  }
  const Tensor start = graph.addConstant<float>(FLOAT, {8}, {1, 2, 3, 4, 5, 6, 7, 8});
  graph.setTileMapping(start, 0);
  const ComputeSet average = graph.addComputeSet("average");
  for (unsigned i = 0; i < 8; ++i) {
    const VertexRef vertex = graph.addVertex(average, "Mean");
    graph.connect(vertex["values"], values.slice(0, i + 1));
    graph.connect(vertex["mean"], means[i]);
    graph.setTileMapping(vertex, i);
    graph.setPerfEstimate(vertex, 30 + 2 * i);
  }
  graph.createHostRead("means", means);
  Engine engine(graph, Sequence(Copy(start, values), Execute(average), PrintTensor("means", means)));
  engine.load(device);
  engine.run(0);
  std::vector<float> read(8);
  engine.readTensor("means", read.data(), read.data() + read.size());
  return read[0] == 1 && read[7] == 4.5F;
}

constexpr unsigned kRows = 24, kColumns = 40;

/// A matrix times a vector, one vertex per row, fed and read by streams.
bool matrixVector(const Device &device) {
  Graph graph(device.getTarget());
  std::stringstream codelet(R"(
#include <poplar/Vertex.hpp>
class RowTimesVector : public poplar::Vertex {
public:
  poplar::Input<poplar::Vector<float>> row, vector;
  poplar::Output<float> product;
  bool compute() {
    float sum = 0;
    for (unsigned i = 0; i < row.size(); ++i)
      sum += row[i] * vector[i];
    *product = sum;
    return true;
  }
};
)");
  graph.addCodelets(codelet);
  const Tensor matrix = graph.addVariable(FLOAT, {kRows, kColumns}, "matrix");
  const Tensor vector = graph.addVariable(FLOAT, {kColumns}, "vector"),
               result = graph.addVariable(FLOAT, {kRows}, "result");
  graph.setTileMapping(vector, 0);
  const ComputeSet multiply = graph.addComputeSet("multiply");
  for (unsigned i = 0; i < kRows; ++i) {
    graph.setTileMapping(matrix[i], i);
    graph.setTileMapping(result[i], i);
    const VertexRef vertex =
        graph.addVertex(multiply, "RowTimesVector", {{"row", matrix[i]}, {"vector", vector}, {"product", result[i]}});
    graph.setTileMapping(vertex, i);
  }
  const DataStream matrixIn = graph.addHostToDeviceFIFO("matrix", FLOAT, kRows * kColumns);
  const DataStream vectorIn = graph.addHostToDeviceFIFO("vector", FLOAT, kColumns);
  const DataStream resultOut = graph.addDeviceToHostFIFO("result", FLOAT, kRows);
  Engine engine(graph,
                Sequence(Copy(vectorIn, vector), Copy(matrixIn, matrix), Execute(multiply), Copy(result, resultOut)));
  engine.load(device);
  std::vector<float> m(kRows * kColumns), v(kColumns), out(kRows);
  for (unsigned row = 0; row < kRows; ++row)
    for (unsigned column = 0; column < kColumns; ++column)
      m[row * kColumns + column] = static_cast<float>(row + column);
  std::iota(v.begin(), v.end(), 0.0F);
  engine.connectStream("matrix", m.data(), m.data() + m.size());
  engine.connectStream("vector", v.data(), v.data() + v.size());
  engine.connectStream("result", out.data(), out.data() + out.size());
  engine.run();
  return out[0] == 20540 && out[1] == 20540 + 780;
}

} // namespace

int main(int argc, char **argv) {
  const std::string name = argc == 2 ? argv[1] : "";
  IPUModel model("ipu2");
  model.compileIPUCode = true;
  model.tilesPerIPU = 32;
  const Device device = model.createDevice();
  const bool right =
      name == "variables"  ? variables(device)
      : name == "vertices" ? vertices(device)
      : name == "matrix_vector"
          ? matrixVector(device)
          : (std::cerr << "usage: tutorials variables | vertices | matrix_vector\n", std::exit(2), false);
  if (!right)
    std::cerr << name << ": wrong values\n";
  return right ? 0 : 1;
}
