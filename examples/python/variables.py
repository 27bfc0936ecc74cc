"""Constants, variables and their tiles, parts of a tensor, host handles and a stream: the contents of Poplar's tutorial 1.

Prints tensors on standard error while the program runs, and the result on standard output. Exits with 0 if the result is right, otherwise with 1.
"""

import sys

import numpy
from popscope import poplar
from popscope.poplar import program


def main() -> int:
    model = poplar.IPUModel("ipu2")
    model.tilesPerIPU, model.compileIPUCode = 32, True
    device = model.createDevice()
    graph = poplar.Graph(device.getTarget())
    line, spread = graph.addVariable(poplar.FLOAT, [6], "line"), graph.addVariable(poplar.FLOAT, [6], "spread")
    square, counts = graph.addVariable(poplar.FLOAT, [5, 5], "square"), graph.addVariable(poplar.INT, [12], "counts")
    graph.setTileMapping(line, 0)
    graph.setTileMapping(spread, numpy.arange(6))  # element i is on tile i
    graph.setTileMapping(square, 2)
    graph.setTileMapping(counts, 1)
    start = graph.addConstant(poplar.FLOAT, [6], numpy.arange(6) + 0.5)
    graph.setTileMapping(start, 0)
    graph.createHostWrite("square-in", square)
    graph.createHostRead("square-out", square)
    numbers = graph.addHostToDeviceFIFO("numbers", poplar.INT, 12)

    steps = program.Sequence()
    steps.add(program.Copy(start, line))
    steps.add(program.PrintTensor("line", line))
    steps.add(program.Copy(line, spread))
    steps.add(program.PrintTensor("spread", spread))
    steps.add(program.Copy(line[1:4], square[3, :3]))
    for title in ("counts, first", "counts, second"):
        steps.add(program.Copy(numbers, counts))
        steps.add(program.PrintTensor(title, counts))

    engine = poplar.Engine(graph, steps)
    engine.load(device)
    engine.writeTensor("square-in", numpy.full((5, 5), 7, "f4"))
    engine.connectStream("numbers", numpy.arange(36, dtype="i4"))
    engine.run(0)
    expected = numpy.full((5, 5), 7, "f4")
    expected[3, :3] = 1.5, 2.5, 3.5
    values = engine.readTensor("square-out")
    print(values)
    return 0 if numpy.array_equal(values, expected) else 1


if __name__ == "__main__":
    sys.exit(main())
