// The matrix times a vector beside its published totals, on ipu1 and on ipu2.
#include "bench/compare/MatVecProgram.hpp"
#include "bench/compare/Row.hpp"

#include <poplar/Engine.hpp>
#include <poplar/IPUModel.hpp>
#include <pva/pva.hpp>

using namespace poplar;

namespace compare {
namespace {

pva::CycleTotals runMatVec(const char *machine, unsigned split) {
  IPUModel model(machine);
  model.relativeSyncDelay = IPUModel::RelativeSyncDelayType::NO_DELAY;
  model.minIPUSyncDelay = 0;
  const Device device = model.createDevice();
  MatVecSize size;
  size.split = split;
  MatVecProgram p(device.getTarget(), size);
  Engine engine(p.graph, p.program);
  engine.load(device);
  std::vector<float> vector(size.columns, 1.0f), matrix(std::size_t(size.rows) * size.columns, 1.0f), out(size.rows);
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
