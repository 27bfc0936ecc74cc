"""Chapter 9 of the tutorial: examples/tutorial/neighbours.cpp in Python. Computes, for each element of a vector, the sum of the element and its two neighbours.

    neighbours.py                   # blocks: tile t holds the elements 64 t to 64 t + 63
    neighbours.py --round-robin     # element i lies on tile i mod 8

Prints the profile summary. Exit code: 0 if the values are right, 1 if a value is wrong.
"""

import argparse
import sys

import numpy
from popscope import poplar
from popscope.poplar import program

TILES, ELEMENTS = 8, 512
CODELET = """
#include <poplar/Vertex.hpp>
class AddNeighbours : public poplar::Vertex {
public:
  poplar::Input<poplar::Vector<float>> left, middle, right;
  poplar::Output<poplar::Vector<float>> out;
  bool compute() {
    for (unsigned i = 0; i < out.size(); ++i)
      out[i] = left[i] + middle[i] + right[i];
    return true;
  }
};
"""


def build(device: poplar.Device, round_robin: bool) -> poplar.Engine:
    graph = poplar.Graph(device.getTarget())
    graph.addCodelets(CODELET)
    elements = numpy.arange(ELEMENTS)
    tiles = elements % TILES if round_robin else elements * TILES // ELEMENTS  # the tile of each element
    x = graph.addVariable(poplar.FLOAT, [ELEMENTS + 2], "x")  # with one additional element on each side
    y = graph.addVariable(poplar.FLOAT, [ELEMENTS], "y")
    graph.setTileMapping(x, numpy.concatenate([tiles[:1], tiles, tiles[-1:]]))
    graph.setTileMapping(y, tiles)

    add = graph.addComputeSet("add neighbours")
    left, middle, right = x[:-2], x[1:-1], x[2:]
    for tile in range(TILES):
        first = tile * ELEMENTS // TILES
        part = slice(tile, None, TILES) if round_robin else slice(first, first + ELEMENTS // TILES)
        graph.addVertex(add, "AddNeighbours", {"left": left[part], "middle": middle[part], "right": right[part], "out": y[part]}, tile)
    graph.createHostWrite("x", x)
    graph.createHostRead("y", y)
    return poplar.Engine(graph, program.Execute(add))


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--round-robin", action="store_true")
    arguments = parser.parse_args()
    model = poplar.IPUModel("ipu2")
    model.tilesPerIPU = TILES
    model.compileIPUCode = True
    device = model.createDevice()
    engine = build(device, arguments.round_robin)
    engine.load(device)
    x = numpy.arange(ELEMENTS + 2, dtype="f4")
    engine.writeTensor("x", x)
    engine.run()
    y = engine.readTensor("y")
    if not numpy.array_equal(y, 3 * x[1:-1]):
        print("neighbours: wrong values: %s" % y[:8], file=sys.stderr)
        return 1
    engine.printProfileSummary({"showExecutionSteps": True})
    return 0


if __name__ == "__main__":
    sys.exit(main())
