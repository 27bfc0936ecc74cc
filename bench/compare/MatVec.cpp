// A matrix of 10,000 x 1,000 floats times a vector. Each row is cut into five segments (seven on ipu2); one vertex for each
// segment makes a partial sum, one for each row adds them. Vertices are spread evenly over all tiles. Cycles of a vertex: 5
// for its start and one for two elements.
#include "bench/compare/Row.hpp"

#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>
#include <pva/pva.hpp>

#include <sstream>
#include <utility>

using namespace poplar;
using namespace poplar::program;

namespace compare {
namespace {

constexpr unsigned kRows = 10000, kColumns = 1000;

const char *const kCodelets = R"(
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

struct MatVec {
  Device device;
  Graph graph;
  Sequence program;
  MatVec(Device d, unsigned split) : device(std::move(d)), graph(device.getTarget()) {
    std::stringstream source(kCodelets);
    graph.addCodelets(source);
    const Tensor matrix = graph.addVariable(FLOAT, {kRows, kColumns}, "matrix");
    const Tensor vector = graph.addVariable(FLOAT, {kColumns}, "vector"), out = graph.addVariable(FLOAT, {kRows}, "out");
    const Tensor partials = graph.addVariable(FLOAT, {kRows, split}, "partials");
    const unsigned tiles = graph.getTarget().getNumTiles();
    for (unsigned c = 0; c < kColumns; ++c)
      graph.setTileMapping(vector[c], c * tiles / kColumns);
    const ComputeSet dots = graph.addComputeSet("dots"), sums = graph.addComputeSet("sums");
    for (unsigned s = 0; s < split; ++s)
      for (unsigned r = 0; r < kRows; ++r) {
        const unsigned tile = (s * kRows + r) * tiles / (split * kRows);
        const unsigned begin = s * kColumns / split, end = (s + 1) * kColumns / split;
        const Tensor segment = matrix[r].slice(begin, end);
        const VertexRef v =
            graph.addVertex(dots, "SegmentDot", {{"row", segment}, {"column", vector.slice(begin, end)}, {"sum", partials[r][s]}});
        graph.setTileMapping(v, tile);
        graph.setTileMapping(segment, tile);
        graph.setTileMapping(partials[r][s], tile);
        graph.setPerfEstimate(v, 5 + (end - begin + 1) / 2);
      }
    for (unsigned r = 0; r < kRows; ++r) {
      const VertexRef v = graph.addVertex(sums, "AddUp", {{"parts", partials[r]}, {"sum", out[r]}});
      graph.setTileMapping(v, r * tiles / kRows);
      graph.setTileMapping(out[r], r * tiles / kRows);
      graph.setPerfEstimate(v, 5 + (split + 1) / 2);
    }
    program = Sequence(Copy(graph.addHostToDeviceFIFO("vector", FLOAT, kColumns), vector),
                       Copy(graph.addHostToDeviceFIFO("matrix", FLOAT, kRows * kColumns), matrix), Execute(dots), Execute(sums),
                       Copy(out, graph.addDeviceToHostFIFO("out", FLOAT, kRows)));
  }
};

} // namespace

namespace {

pva::CycleTotals runMatVec(const char *machine, unsigned split) {
  IPUModel model(machine);
  model.relativeSyncDelay = IPUModel::RelativeSyncDelayType::NO_DELAY;
  model.minIPUSyncDelay = 0;
  MatVec p(model.createDevice(), split);
  Engine engine(p.graph, p.program);
  engine.load(p.device);
  std::vector<float> vector(kColumns, 1.0f), matrix(std::size_t(kRows) * kColumns, 1.0f), out(kRows);
  engine.connectStream("vector", vector.data());
  engine.connectStream("matrix", matrix.data());
  engine.connectStream("out", out.data());
  engine.run();
  return engine.getReport().execution().totalCycles();
}

} // namespace

Comparison compareMatVec() {
  const pva::CycleTotals t = runMatVec("ipu1", 5);
  const double tiles = 1216;
  const double hostless = static_cast<double>(t.total()) - static_cast<double>(t.hostExchange()) / tiles;

  Comparison c;
  c.title = "Matrix times vector";
  c.program = "10,000 x 1,000 floats in 5 segments on 1,216 tiles, `relativeSyncDelay` NO_DELAY, `minIPUSyncDelay` 0";
  c.source = "tutorial 7 of the public tutorials, release of April 2020, IPU Model of ipu1";
  const auto row = [&](const char *quantity, double published, double ours) { c.rows.push_back({quantity, published, ours, false, ""}); };
  row("compute, idle threads included", 5513152, static_cast<double>(t.compute()));
  row("compute, idle threads excluded", 5334536, static_cast<double>(t.computeWithoutIdle()));
  row("IPU exchange", 963855, static_cast<double>(t.exchange()));
  row("sync", 781286, static_cast<double>(t.sync()));
  row("total less mean host exchange", 8190756 - 9952701003.0 / tiles, hostless);
  row("host exchange", 9952701003.0, static_cast<double>(t.hostExchange()));
  row("total", 8190756, static_cast<double>(t.total()));
  return c;
}

Comparison compareMatVecOnIpu2() {
  const pva::CycleTotals t = runMatVec("ipu2", 7);
  Comparison c;
  c.title = "Matrix times vector on ipu2";
  c.program = "The same in 7 segments on 1,472 tiles, tile averages";
  c.source = "tutorial 6 of the public tutorials, releases 2.1 to 3.1, IPU Model of ipu2";
  const auto mean = [](std::uint64_t sum) { return static_cast<double>(sum) / 1472; };
  const auto row = [&](const char *quantity, double published, double ours) { c.rows.push_back({quantity, published, ours, false, ""}); };
  row("compute, idle threads included", 3801.8, mean(t.compute()));
  row("compute, idle threads excluded", 3717.6, mean(t.computeWithoutIdle()));
  row("IPU exchange", 8697.4, mean(t.exchange()));
  row("sync", 1134.8, mean(t.sync()));
  row("host exchange", 6663550.8, mean(t.hostExchange()));
  row("total", 6681766, static_cast<double>(t.total()));
  return c;
}

} // namespace compare
