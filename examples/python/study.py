"""One program on 200 machines: a matrix of 512 x 512 times a vector, with rows dealt to the tiles. The machines differ in tiles, tile
memory, worker contexts, exchange width and sync. docs/STUDY.md shows the results.

    study.py FOLDER     # writes FOLDER/study.db and, with matplotlib, FOLDER/*.svg; prints the tables; resumes an interrupted study
"""

import json
import pathlib
import sys
import tempfile
from typing import Any, Dict, List

import numpy
import popscope
from popscope import poplar
from popscope.poplar import program

SIZE = 512
OVER: Dict[str, List[Any]] = {"tiles": [8, 16, 32, 64, 128], "memory": [48, 624], "workers": [1, 2, 4, 6, 8], "exchange": [4, 16], "sync": [64, 512]}
USUAL = {"tiles": 32, "memory": 624, "workers": 6, "exchange": 4, "sync": 64}  # the values of the constants that do not vary
CODELET = """
#include <poplar/Vertex.hpp>
class Dot : public poplar::Vertex {
public:
  poplar::Input<poplar::Vector<float>> row, x;
  poplar::Output<float> out;
  bool compute() {
    float total = 0;
    for (unsigned i = 0; i < row.size(); ++i)
      total += row[i] * x[i];
    *out = total;
    return true;
  }
};
"""


def build(tiles: int, memory: int, workers: int, exchange: int, sync: int) -> poplar.Engine:
    """Builds and runs the program on one machine. Units: memory in KiB per tile, exchange in bytes per cycle, sync in cycles of the shortest barrier."""
    plain = 1024 * memory // 3  # bytes of the first of two regions; the second region is interleaved
    regions = [{"kind": "nonInterleaved", "offset": 0, "size": plain, "elementSize": 16384, "executable": True},
               {"kind": "interleaved", "offset": plain, "size": 2 * plain, "elementSize": 32768, "executable": False}]
    machine = {"base": "ipu2", "name": "study", "tilesPerIpu": tiles, "bytesPerTile": 3 * plain, "regions": regions, "workerContexts": workers,
               "exchange": {"bytesPerCycle": exchange}, "sync": {"minDelayCycles": sync, "maxDelayCycles": 2 * sync}}
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "machine.json"
        path.write_text(json.dumps(machine))
        device = poplar.Device.fromFile(str(path))
    graph = poplar.Graph(device.getTarget())
    graph.addCodelets(CODELET)
    tileOf = numpy.arange(SIZE) % tiles
    matrix = graph.addVariable(poplar.FLOAT, [SIZE, SIZE], "matrix")
    x = graph.addVariable(poplar.FLOAT, [SIZE], poplar.VariableMappingMethod.LINEAR, "x")
    y = graph.addVariable(poplar.FLOAT, [SIZE], "y")
    graph.setTileMapping(matrix, tileOf)
    graph.setTileMapping(y, tileOf)
    multiply = graph.addComputeSet("multiply")
    for row in range(SIZE):
        graph.addVertex(multiply, "Dot", {"row": matrix[row], "x": x, "out": y[row]}, int(tileOf[row]))
    graph.createHostWrite("matrix", matrix)
    graph.createHostWrite("x", x)
    engine = poplar.Engine(graph, program.Execute(multiply), {"debug.instrument": True})
    engine.load(device)
    engine.writeTensor("matrix", numpy.ones((SIZE, SIZE), "f4"))
    engine.writeTensor("x", numpy.ones(SIZE, "f4"))
    engine.run()
    return engine


Row = Dict[str, Any]


def varied(rows: List[Row], name: str) -> List[Row]:
    """Returns the rows in which all constants except `name` have their usual values, sorted by `name`."""
    chosen = [row for row in rows if all(row[other] == value for other, value in USUAL.items() if other != name)]
    return sorted(chosen, key=lambda row: float(row[name]))


def paretoFront(rows: List[Row]) -> List[Row]:
    """Returns the rows for which every other row has more bytes on all tiles or more cycles. Of equal rows, returns one."""
    front: List[Row] = []
    for row in sorted(rows, key=lambda row: (row["bytes.allTiles"], row["cycles"])):
        if not front or row["cycles"] < front[-1]["cycles"]:
            front.append(row)
    return front


def draw(rows: List[Row], folder: pathlib.Path) -> None:
    import matplotlib
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "popscope"  # makes the bytes of the pictures the same each time
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, len(OVER), figsize=(11, 3), sharey=True)
    for axis, name in zip(axes, OVER):
        line = varied(rows, name)
        axis.plot([row[name] for row in line], [row["cycles"] for row in line], marker="o")
        axis.set_xscale("log", base=2)
        axis.set_xlabel(name)
    axes[0].set_ylabel("cycles")
    figure.tight_layout()
    figure.savefig(folder / "constants.svg", metadata={"Date": None})
    figure, axis = pyplot.subplots(figsize=(7, 4))
    axis.scatter([row["bytes.allTiles"] for row in rows], [row["cycles"] for row in rows], s=12, label="a machine")
    front = paretoFront(rows)
    axis.plot([row["bytes.allTiles"] for row in front], [row["cycles"] for row in front], color="tab:red", marker="o", label="no machine is better in both")
    axis.set_xscale("log", base=2)
    axis.set_yscale("log")
    axis.set_xlabel("bytes on all tiles")
    axis.set_ylabel("cycles")
    axis.legend()
    figure.tight_layout()
    figure.savefig(folder / "front.svg", metadata={"Date": None})


def main(folder: pathlib.Path) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    result = popscope.sweep(build, OVER, metrics=["cycles", "bytes.allTiles"], database=folder / "study.db")
    rows: List[Row] = [row for row in result.rows() if row["state"] == "done"]
    lost = sorted({(row["tiles"], row["memory"]) for row in result.failed})
    print("%d machines; the program does not fit on %d of them: %s" % (len(result), len(result.failed), ", ".join("%d tiles of %d KiB" % pair for pair in lost)))
    for name in OVER:
        print("%-9s" % name + "  ".join("%s: %s" % (row[name], format(int(row["cycles"]), ",")) for row in varied(rows, name)) + " cycles")
    print("Bytes on all tiles, cycles and fields of each machine for which every other machine has more bytes or more cycles")
    for row in paretoFront(rows):
        print("%9s  %7s  %s" % (format(int(row["bytes.allTiles"]), ","), format(int(row["cycles"]), ","), ", ".join("%s %s" % (n, row[n]) for n in OVER)))
    try:
        draw(rows, folder)
    except ImportError:
        print("no pictures without matplotlib", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "study")))
