// Chapters 6 to 8 of the tutorial: where the cycles go. The program multiplies a triangular matrix of 256 rows by a
// vector on 16 tiles, with one vertex per row. Row r has r + 1 elements, so the work of a tile depends on the rows that
// the tile has:
//
//   (no argument)   tile t has the rows 16 t to 16 t + 15: the last tile has most of the work
//   --dealt         the rows are dealt to the tiles one by one: all tiles have about the same work
//
// Exit code: 0 if the values are right, 1 if a value is wrong, 2 for a wrong argument.
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

constexpr unsigned kTiles = 16, kRows = 256;

const char *const kCodelets = R"(
#include <poplar/Vertex.hpp>
class Dot : public poplar::Vertex {
public:
  poplar::Input<poplar::Vector<float>> row, x;
  poplar::Output<float> out;
  bool compute() {
    float total = 0;
    for (unsigned i = 0; i < row.size(); ++i)
      total += row[i] * x[i];
    *out = total;
    return true;
  }
};
)";

} // namespace

int main(int argc, char **argv) {
  const bool dealt = argc == 2 && std::string(argv[1]) == "--dealt";
  if (argc > 1 && !dealt) {
    std::cerr << "usage: tutorial_uneven [--dealt]\n";
    return 2;
  }
  IPUModel model("ipu2");
  model.tilesPerIPU = kTiles;
  model.compileIPUCode = true;
  const Device device = model.createDevice();
  Graph graph(device.getTarget());
  std::stringstream codelets(kCodelets);
  graph.addCodelets(codelets);

  const Tensor x = graph.addVariable(FLOAT, {kRows}, VariableMappingMethod::LINEAR, "x");
  const Tensor y = graph.addVariable(FLOAT, {kRows}, "y");
  const ComputeSet multiply = graph.addComputeSet("multiply");
  for (unsigned row = 0; row < kRows; ++row) {
    const unsigned tile = dealt ? row % kTiles : row * kTiles / kRows;
    const Tensor matrixRow = graph.addVariable(FLOAT, {row + 1}, "matrix/row" + std::to_string(row));
    graph.setTileMapping(matrixRow, tile);
    graph.createHostWrite("row" + std::to_string(row), matrixRow);
    graph.setTileMapping(y[row], tile);
    const VertexRef vertex =
        graph.addVertex(multiply, "Dot", {{"row", matrixRow}, {"x", x.slice(0, row + 1)}, {"out", y[row]}});
    graph.setTileMapping(vertex, tile);
  }
  graph.createHostWrite("x", x);
  graph.createHostRead("y", y);
  Engine engine(graph, Execute(multiply));
  engine.load(device);

  const std::vector<float> ones(kRows, 1.0f);
  for (unsigned row = 0; row < kRows; ++row)
    engine.writeTensor("row" + std::to_string(row), ones.data(), ones.data() + row + 1);
  engine.writeTensor("x", ones.data(), ones.data() + ones.size());
  engine.run();
  std::vector<float> out(kRows);
  engine.readTensor("y", out.data(), out.data() + out.size());
  for (unsigned row = 0; row < kRows; ++row)
    if (out[row] != static_cast<float>(row + 1)) {
      std::cerr << "uneven: row " << row << " gives " << out[row] << ", " << row + 1 << " was expected\n";
      return 1;
    }
  return 0;
}
