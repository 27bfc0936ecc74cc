"""The program of README.md in Python: computes y[i] = x[i] * x[i] on 1,216 tiles, and prints the summary of its profile."""

from popscope import poplar
from popscope.poplar import program

TILES = 1216
CODELET = """
#include <poplar/Vertex.hpp>
struct Square : poplar::Vertex {
  poplar::Input<float> in; poplar::Output<float> out;
  bool compute() { *out = *in * *in; return true; }
};
"""


def build(device: poplar.Device) -> poplar.Engine:
    graph = poplar.Graph(device.getTarget())
    graph.addCodelets(CODELET)
    x = graph.addVariable(poplar.FLOAT, [TILES], poplar.VariableMappingMethod.LINEAR, "x")
    y = graph.addVariable(poplar.FLOAT, [TILES], "y")
    square = graph.addComputeSet("square")
    for i in range(TILES):  # y is spread in reverse order
        graph.setTileMapping(y[i], TILES - 1 - i)
        graph.addVertex(square, "Square", {"in": x[i], "out": y[i]}, TILES - 1 - i)
    graph.createHostWrite("x", x)
    return poplar.Engine(graph, program.Execute(square))


def main() -> None:
    model = poplar.IPUModel("ipu1")
    model.compileIPUCode = True
    device = model.createDevice()
    engine = build(device)
    engine.load(device)
    engine.writeTensor("x", [3.0] * TILES)
    engine.run()
    engine.printProfileSummary({"showExecutionSteps": True})


if __name__ == "__main__":
    main()
