// The halo stencil beside its published tile averages.
#include "bench/compare/HaloProgram.hpp"
#include "bench/compare/Row.hpp"

#include <poplar/Engine.hpp>
#include <poplar/IPUModel.hpp>
#include <pva/pva.hpp>

using namespace poplar;

namespace compare {

Comparison compareHalo() {
  IPUModel model("ipu1");
  const Device device = model.createDevice();
  const HaloSize size;
  HaloProgram p(device.getTarget(), size);
  Engine engine(p.graph, {p.fill, p.iterate});
  engine.load(device);
  engine.disableExecutionProfiling();
  engine.run(0);
  engine.enableExecutionProfiling();
  engine.run(1);
  const pva::CycleTotals t = engine.getReport().execution().totalCycles();
  const auto mean = [&](std::uint64_t sum) { return static_cast<double>(sum) / size.tiles(); };

  Comparison c;
  c.title = "Halo stencil";
  c.program = "100 x 100 floats a tile, 2 x 608 tiles, 10 iterations of 2 compute sets, tile averages";
  c.source = "lbm-graphcore, halo exchange approaches, \"implicit\", about SDK 1.3, IPU Model of ipu1";
  const auto row = [&](const char *quantity, double published, double ours) { c.rows.push_back({quantity, published, ours, false, ""}); };
  row("compute, idle threads included", 12000.0, mean(t.compute()));
  row("compute, idle threads excluded", 2000.0, mean(t.computeWithoutIdle()));
  row("IPU exchange", 5682.0, mean(t.exchange()));
  row("sync", 3328.0, mean(t.sync()));
  row("host exchange", 0.0, mean(t.hostExchange()));
  row("total", 21010, static_cast<double>(t.total()));
  return c;
}

} // namespace compare
