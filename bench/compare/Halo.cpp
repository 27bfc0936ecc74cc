// Compares the halo stencil with its published tile averages.
#include "bench/compare/HaloProgram.hpp"
#include "bench/compare/TotalRows.hpp"

#include <poplar/Engine.hpp>
#include <poplar/IPUModel.hpp>
#include <pva/pva.hpp>

using namespace poplar;

namespace compare {

Comparison compareHalo(unsigned estimateFactor) {
  IPUModel model("ipu1");
  const Device device = model.createDevice();
  HaloSize size;
  size.estimateFactor = estimateFactor;
  HaloProgram p(device.getTarget(), size);
  Engine engine(p.graph, {p.fill, p.iterate});
  engine.load(device);
  engine.disableExecutionProfiling();
  engine.run(0);
  engine.enableExecutionProfiling();
  engine.run(1);

  Comparison c;
  c.title = "Halo stencil";
  c.program = "The program updates 100 x 100 floats per tile on 2 x 608 tiles, in 10 iterations of 2 compute sets, and "
              "the figures are tile averages";
  c.source = "lbm-graphcore, halo exchange approaches, \"implicit\", August 2020, IPU Model of ipu1";
  addTotalRows(c, engine.getReport(), {12000, 2000, 5682, 3328, 0, 21010}, {double(size.tiles()), true}, false);
  return c;
}

} // namespace compare
