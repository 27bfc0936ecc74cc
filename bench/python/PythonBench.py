"""Measures the Python package: vertices by bulk calls, re-simulated and compiled points of a sweep, and indexed profiles.

    PythonBench.py MLP [--points 10000] [--compiled 200] [--profiles 5000] [--vertices 500000] [--workers 1 2]

MLP is the program examples/mlp of a build (BUILD/bin/mlp); PYTHONPATH names the packages (BUILD/python). Prints one line for each
measurement. The rate of vertices is per second of CPU time. All other rates are per second of wall time; their lines also show how much the
driver's memory grew between a tenth of the work and its end.
"""

import argparse
import os
import pathlib
import resource
import shutil
import struct
import tempfile
import time
from typing import Any, Callable, Dict, List

import numpy

import popscope
from popscope import poplar

ROOT = pathlib.Path(__file__).resolve().parents[2]
ADD = """
#include <poplar/Vertex.hpp>
struct Add : poplar::Vertex {
  poplar::Input<poplar::Vector<float>> a; poplar::Output<poplar::Vector<float>> out; float amount;
  bool compute() { for (unsigned i = 0; i < a.size(); ++i) out[i] = a[i] + amount; return true; }
};
"""


def resident() -> int:
    """Returns the KiB of this process that are in memory now."""
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() // 1024


def vertices(count: int) -> None:
    model = poplar.IPUModel("ipu2")
    device = model.createDevice()
    graph = poplar.Graph(device)
    graph.addCodelets(ADD)
    tiles = numpy.arange(count) * 1000 // count
    x, y = graph.addVariable(poplar.FLOAT, [count, 2], "x"), graph.addVariable(poplar.FLOAT, [count, 2], "y")
    set_ = graph.addComputeSet("add")
    begin = time.process_time()
    graph.addVertices(set_, "Add", count, {"a": x, "out": y, "amount": 1.0}, tiles)
    print("vertices: %d per second of CPU time (%d)" % (count / (time.process_time() - begin), count), flush=True)


def images(folder: str) -> None:
    """Writes 80 digits for training and 80 for testing, all black: enough for one run of each program of mlp."""
    os.makedirs(folder)
    for name in ("train", "t10k"):
        pathlib.Path(folder, name + "-images-idx3-ubyte").write_bytes(struct.pack(">IIII", 2051, 80, 28, 28) + bytes(80 * 784))
        pathlib.Path(folder, name + "-labels-idx1-ubyte").write_bytes(struct.pack(">II", 2049, 80) + bytes(80))


def measured(what: str, count: int, workers: int, work: Callable[[], Any]) -> None:
    """Times `work`, which does `count` units of work. The caller has done a tenth of the work before, so imports and tables exist."""
    before, begin = resident(), time.perf_counter()
    work()
    seconds = time.perf_counter() - begin
    print("%s: %d in %.1f s with %d workers, %.1f per second; driver +%d KiB" % (what, count, seconds, workers, count / seconds, resident() - before), flush=True)


def sweeps(command: popscope.Command, name: str, over: Dict[str, List[Any]], workers: int, folder: str) -> None:
    database = os.path.join(folder, "%s-%d.db" % (name, workers))
    few = dict(over, **{"sync.maxDelayCycles": over["sync.maxDelayCycles"][:max(1, len(over["sync.maxDelayCycles"]) // 10)]})
    popscope.sweep(command, few, ["cycles"], database=database, workers=workers)
    known = len(popscope.sweep(command, few, ["cycles"], database=database, workers=workers))
    count = 1
    for values in over.values():
        count *= len(values)
    found: List[Any] = []
    measured(name, count - known, workers, lambda: found.append(popscope.sweep(command, over, ["cycles"], database=database, workers=workers)))
    assert len(found[0]) == count and not found[0].failed, found[0].failed[:1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mlp")
    parser.add_argument("--points", type=int, default=10000)
    parser.add_argument("--compiled", type=int, default=200)
    parser.add_argument("--profiles", type=int, default=5000)
    parser.add_argument("--vertices", type=int, default=500000)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    arguments = parser.parse_args()
    if arguments.vertices:
        vertices(arguments.vertices)
    with tempfile.TemporaryDirectory() as folder:
        data = os.path.join(folder, "data")
        images(data)
        program = [arguments.mlp, "--data", data, "--epochs", "1", "--no-summary", "--codelets", str(ROOT / "examples/mlp/mlp_codelets.cpp")]
        for workers in arguments.workers:
            for name, count, resimulate in (("re-simulated", arguments.points, True), ("compiled", arguments.compiled, False)):
                if count:
                    over: Dict[str, List[Any]] = {"machine": ["ipu1"], "sync.minDelayCycles": list(range(64, 74)), "sync.maxDelayCycles": list(range(120, 120 + count // 10))}
                    sweeps(popscope.Command(program, resimulate=resimulate), name, over, workers, folder)
        profiles = sorted(pathlib.Path(folder).glob("*.profiles/*.pop"))
        if arguments.profiles and profiles:
            place = pathlib.Path(folder) / "archive"
            for i in range(arguments.profiles):
                (place / ("%d" % i)).mkdir(parents=True)
                shutil.copy(profiles[0], place / ("%d" % i) / "profile.pop")
            for workers in arguments.workers:
                database = os.path.join(folder, "archive-%d.db" % workers)
                measured("profiles indexed", arguments.profiles, workers, lambda: popscope.archive(place, database, workers=workers))
                measured("profiles known", arguments.profiles, workers, lambda: popscope.archive(place, database, workers=workers))


if __name__ == "__main__":
    main()
