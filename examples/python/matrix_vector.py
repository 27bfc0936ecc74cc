"""A matrix times a vector, with one vertex per row and streams for input and output: the contents of Poplar's tutorial 6.

Exits with 0 if the product equals the product that numpy computes, otherwise with 1.
"""

import sys

import numpy
from popscope import poplar
from popscope.poplar import program

ROWS, COLUMNS = 24, 40
CODELET = """
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
"""


def main() -> int:
    model = poplar.IPUModel("ipu2")
    model.tilesPerIPU, model.compileIPUCode = 32, True
    device = model.createDevice()
    graph = poplar.Graph(device.getTarget())
    graph.addCodelets(CODELET)
    matrix = graph.addVariable(poplar.FLOAT, [ROWS, COLUMNS], "matrix")
    vector, result = graph.addVariable(poplar.FLOAT, [COLUMNS], "vector"), graph.addVariable(poplar.FLOAT, [ROWS], "result")
    rows = numpy.arange(ROWS)
    graph.setTileMapping(vector, 0)
    graph.setTileMapping(matrix, rows)
    graph.setTileMapping(result, rows)
    multiply = graph.addComputeSet("multiply")
    for i in range(ROWS):
        graph.addVertex(multiply, "RowTimesVector", {"row": matrix[i], "vector": vector, "product": result[i]}, tile=i)
    matrixIn = graph.addHostToDeviceFIFO("matrix", poplar.FLOAT, ROWS * COLUMNS)
    vectorIn = graph.addHostToDeviceFIFO("vector", poplar.FLOAT, COLUMNS)
    resultOut = graph.addDeviceToHostFIFO("result", poplar.FLOAT, ROWS)

    engine = poplar.Engine(graph, program.Sequence([program.Copy(vectorIn, vector), program.Copy(matrixIn, matrix), program.Execute(multiply),
                                                    program.Copy(result, resultOut)]))
    engine.load(device)
    m = numpy.add.outer(numpy.arange(ROWS), numpy.arange(COLUMNS)).astype("f4")
    v, out = numpy.arange(COLUMNS, dtype="f4"), numpy.zeros(ROWS, "f4")
    engine.connectStream(matrixIn, m)
    engine.connectStream(vectorIn, v)
    engine.connectStream(resultOut, out)
    engine.run()
    return 0 if numpy.array_equal(out, m @ v) else 1


if __name__ == "__main__":
    sys.exit(main())
