"""A codelet, a compute set and its vertices, one per tile, with estimated cycles: the contents of Poplar's tutorial 3.

Prints the means on standard error while the program runs. Exits with 0 if the values are right, otherwise with 1.
"""

import sys

import numpy
from popscope import poplar
from popscope.poplar import program

CODELET = """
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
"""


def main() -> int:
    model = poplar.IPUModel("ipu2")
    model.tilesPerIPU, model.compileIPUCode = 32, True
    device = model.createDevice()
    graph = poplar.Graph(device.getTarget())
    graph.addCodelets(CODELET)
    values, means = graph.addVariable(poplar.FLOAT, [8], "values"), graph.addVariable(poplar.FLOAT, [8], "means")
    for tensor in (values, means):
        graph.setTileMapping(tensor, numpy.arange(8))
    start = graph.addConstant(poplar.FLOAT, [8], numpy.arange(1, 9))
    graph.setTileMapping(start, 0)
    average = graph.addComputeSet("average")
    for i in range(8):
        vertex = graph.addVertex(average, "Mean")
        graph.connect(vertex["values"], values[:i + 1])
        graph.connect(vertex["mean"], means[i])
        graph.setTileMapping(vertex, i)
        graph.setPerfEstimate(vertex, 30 + 2 * i)
    graph.createHostRead("means", means)

    engine = poplar.Engine(graph, program.Sequence([program.Copy(start, values), program.Execute(average), program.PrintTensor("means", means)]))
    engine.load(device)
    engine.run(0)
    return 0 if numpy.array_equal(engine.readTensor("means"), numpy.arange(2, 10, dtype="f4") / 2) else 1


if __name__ == "__main__":
    sys.exit(main())
