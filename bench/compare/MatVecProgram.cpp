#include "bench/compare/MatVecProgram.hpp"

#include <sstream>

using namespace poplar;
using namespace poplar::program;

namespace compare {
namespace {

const char *const kMatVecCodelets = R"(
#include <poplar/Vertex.hpp>
struct SegmentDot : poplar::Vertex {
  poplar::Input<poplar::Vector<float>> row, column;
  poplar::Output<float> sum;
  bool compute() {
    float total = 0;
    for (unsigned i = 0; i < row.size(); ++i)
      total += row[i] * column[i];
    *sum = total;
    return true;
  }
};
struct AddUp : poplar::Vertex {
  poplar::Input<poplar::Vector<float>> parts;
  poplar::Output<float> sum;
  bool compute() {
    float total = 0;
    for (unsigned i = 0; i < parts.size(); ++i)
      total += parts[i];
    *sum = total;
    return true;
  }
};
)";

} // namespace

MatVecProgram::MatVecProgram(const Target &target, MatVecSize size) : graph(target) {
  const unsigned rows = size.rows, columns = size.columns, split = size.split;
  std::stringstream source(kMatVecCodelets);
  graph.addCodelets(source);
  const Tensor matrix = graph.addVariable(FLOAT, {rows, columns}, "matrix");
  const Tensor vector = graph.addVariable(FLOAT, {columns}, "vector"), out = graph.addVariable(FLOAT, {rows}, "out");
  const Tensor partials = graph.addVariable(FLOAT, {rows, split}, "partials");
  const unsigned tiles = graph.getTarget().getNumTiles();
  for (unsigned c = 0; c < columns; ++c)
    graph.setTileMapping(vector[c], c * tiles / columns);
  const ComputeSet dots = graph.addComputeSet("dots"), sums = graph.addComputeSet("sums");
  for (unsigned s = 0; s < split; ++s)
    for (unsigned r = 0; r < rows; ++r) {
      const unsigned tile = (s * rows + r) * tiles / (split * rows);
      const unsigned begin = s * columns / split, end = (s + 1) * columns / split;
      const Tensor segment = matrix[r].slice(begin, end);
      const VertexRef v = graph.addVertex(
          dots, "SegmentDot", {{"row", segment}, {"column", vector.slice(begin, end)}, {"sum", partials[r][s]}});
      graph.setTileMapping(v, tile);
      graph.setTileMapping(segment, tile);
      graph.setTileMapping(partials[r][s], tile);
      graph.setPerfEstimate(v, size.estimateFactor * (5 + (end - begin + 1) / 2));
    }
  for (unsigned r = 0; r < rows; ++r) {
    const VertexRef v = graph.addVertex(sums, "AddUp", {{"parts", partials[r]}, {"sum", out[r]}});
    graph.setTileMapping(v, r * tiles / rows);
    graph.setTileMapping(out[r], r * tiles / rows);
    graph.setPerfEstimate(v, size.estimateFactor * (5 + (split + 1) / 2));
  }
  program = Sequence(Copy(graph.addHostToDeviceFIFO("vector", FLOAT, columns), vector),
                     Copy(graph.addHostToDeviceFIFO("matrix", FLOAT, std::size_t(rows) * columns), matrix),
                     Execute(dots), Execute(sums), Copy(out, graph.addDeviceToHostFIFO("out", FLOAT, rows)));
}

} // namespace compare
