// Compares the matrix times a vector with its published totals, on ipu1 and on ipu2.
#include "bench/compare/MatVecProgram.hpp"
#include "bench/compare/TotalRows.hpp"

#include <poplar/Engine.hpp>
#include <poplar/IPUModel.hpp>
#include <pva/pva.hpp>

using namespace poplar;

namespace compare {
namespace {

pva::Report runMatVec(const char *machine, unsigned split, unsigned estimateFactor) {
  IPUModel model(machine);
  model.relativeSyncDelay = IPUModel::RelativeSyncDelayType::NO_DELAY;
  model.minIPUSyncDelay = 0;
  const Device device = model.createDevice();
  MatVecSize size;
  size.split = split;
  size.estimateFactor = estimateFactor;
  MatVecProgram p(device.getTarget(), size);
  Engine engine(p.graph, p.program);
  engine.load(device);
  std::vector<float> vector(size.columns, 1.0f), matrix(std::size_t(size.rows) * size.columns, 1.0f), out(size.rows);
  engine.connectStream("vector", vector.data());
  engine.connectStream("matrix", matrix.data());
  engine.connectStream("out", out.data());
  engine.run();
  return engine.getReport();
}

} // namespace

Comparison compareMatVec(unsigned estimateFactor) {
  Comparison c;
  c.title = "Matrix times vector";
  c.program = "The program multiplies a matrix of 10,000 x 1,000 floats in 5 segments on 1,216 tiles, with "
              "`relativeSyncDelay` NO_DELAY and `minIPUSyncDelay` 0";
  c.source = "tutorial 7 of the public tutorials, release of April 2020, IPU Model of ipu1";
  addTotalRows(c, runMatVec("ipu1", 5, estimateFactor), {5513152, 5334536, 963855, 781286, 9952701003.0, 8190756},
               {1216, false}, true);
  return c;
}

Comparison compareMatVecOnIpu2(unsigned estimateFactor) {
  Comparison c;
  c.title = "Matrix times vector on ipu2";
  c.program = "The program multiplies the same matrix in 7 segments on 1,472 tiles, and the figures are tile averages";
  c.source = "tutorial 6 of the public tutorials, releases 2.1 to 3.1, IPU Model of ipu2";
  addTotalRows(c, runMatVec("ipu2", 7, estimateFactor), {3801.8, 3717.6, 8697.4, 1134.8, 6663550.8, 6681766},
               {1472, true}, false);
  return c;
}

} // namespace compare
