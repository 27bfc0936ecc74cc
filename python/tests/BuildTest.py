"""Graphs that Python builds and runs: the values equal numpy's, and the profile equals that of the same program in C++."""

import array
import contextlib
import gc
import importlib.util
import os
import pathlib
import pty
import re
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import weakref
from unittest import mock

import popscope
from popscope import poplar
from popscope.poplar import program

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples" / "python"
BIN = os.environ.get("POPSCOPE_BIN", "")
numpy = None
if importlib.util.find_spec("numpy"):
    import numpy

ADD = """
#include <poplar/Vertex.hpp>
struct Add : poplar::Vertex {
  poplar::Input<poplar::Vector<float>> a; poplar::Output<poplar::Vector<float>> out; float amount;
  bool compute() { for (unsigned i = 0; i < a.size(); ++i) out[i] = a[i] + amount; return true; }
};
"""

MOVES = """
#include <poplar/Vertex.hpp>
struct Pass : poplar::Vertex {
  poplar::Input<poplar::Vector<float>> a; poplar::Output<poplar::Vector<float>> out;
  bool compute() { for (unsigned i = 0; i < out.size(); ++i) out[i] = a[i]; return true; }
};
struct Grow : poplar::Vertex {
  poplar::InOut<poplar::Vector<float>> x;
  bool compute() { for (unsigned i = 0; i < x.size(); ++i) x[i] += 1; return true; }
};
struct Fill : poplar::Vertex {
  poplar::Output<poplar::Vector<float>> out;
  bool compute() { for (unsigned i = 0; i < out.size(); ++i) out[i] = 2; return true; }
};
"""


def example(name):
    path = EXAMPLES / (name + ".py")
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def modelOf(tiles):
    model = poplar.IPUModel("ipu2")
    model.tilesPerIPU = tiles
    return model.createDevice()


def adder(amount=2.5, options=None):
    """Returns the device and the engine of a program that computes out = in + amount."""
    device = modelOf(4)
    graph = poplar.Graph(device)
    graph.addCodelets(ADD)
    a, out = (graph.addVariable(poplar.FLOAT, [4, 8], poplar.VariableMappingMethod.LINEAR, name) for name in ("a", "out"))
    add = graph.addComputeSet("add")
    for i in range(4):
        graph.addVertex(add, "Add", {"a": a[i], "out": out[i], "amount": amount}, tile=i)
    graph.createHostWrite("a", a)
    graph.createHostRead("out", out)
    return device, poplar.Engine(graph, program.Execute(add), options)


def overfull():
    """Returns a graph with a variable that does not fit on its tile, and the variable."""
    model = poplar.IPUModel("ipu2")
    model.tilesPerIPU, model.compileIPUCode = 2, True
    graph = poplar.Graph(model.createDevice())
    x = graph.addVariable(poplar.FLOAT, [10**6], "x")
    graph.setTileMapping(x, 0)
    graph.createHostRead("x", x)
    return graph, x


@unittest.skipUnless(numpy, "needs numpy")
class Study(unittest.TestCase):
    def testThePageHasTheCyclesOfItsMachines(self):
        page = (ROOT / "docs" / "STUDY.md").read_text(encoding="utf-8")
        study = example("study")
        with tempfile.TemporaryDirectory() as folder:
            for change in ({}, {"tiles": 8}, {"memory": 48}, {"workers": 1}, {"exchange": 16}, {"sync": 512}):
                path = os.path.join(folder, "profile.pop")
                study.build(**dict(study.USUAL, **change)).getReport().popscope.save(path)
                cycles = popscope.open(path).numbers()["cycles"]
                for name, value in (change or study.USUAL).items():
                    row = next(line for line in page.splitlines() if line.startswith("| %s |" % name))
                    self.assertIn(" %s: %s " % (value, format(int(cycles), ",")), row)

    def testTheFrontIsWhatNoMachineBeats(self):
        study = example("study")
        rows = [{"bytes.allTiles": b, "cycles": c} for b, c in ((3, 1), (1, 9), (2, 5), (2, 6), (3, 5), (4, 1))]
        front = [(row["bytes.allTiles"], row["cycles"]) for row in study.paretoFront(rows)]
        self.assertEqual(front, [(1, 9), (2, 5), (3, 1)])


@unittest.skipUnless(numpy, "needs numpy")
class Devices(unittest.TestCase):
    def testAllDevicesOfATypeAreListed(self):
        manager = poplar.DeviceManager()
        self.assertEqual(len(manager.getDevices(poplar.TargetType.CPU, 1)), 1)
        code = ("from popscope import poplar; m = poplar.DeviceManager(); t = poplar.TargetType.IPU\n"
                "print([d.getId() for d in m.getDevices()], [d.getDriverIDs() for d in m.getDevices()], [d.getTarget().getNumIPUs() for d in m.getDevices(t, 2)], m.getNumDevices())")
        out = subprocess.run([sys.executable, "-c", code], env=dict(os.environ, POPSCOPE_SIM_IPUS="2"), stdout=subprocess.PIPE, check=True).stdout
        self.assertEqual(out.decode().strip(), "[0, 1, 2] [[0], [1], [0, 1]] [2] 3")

    def testEachReplicaHasItsIndex(self):
        model = poplar.IPUModel()
        model.numIPUs, model.tilesPerIPU = 3, 2
        device = model.createDevice()
        graph = poplar.Graph(device, 3)
        self.assertFalse(graph.hasCodelet("Nothing"))
        graph.addCodelets("#include <poplar/Vertex.hpp>\nclass Nothing : public poplar::Vertex { public: bool compute() { return true; } };")
        self.assertTrue(graph.hasCodelet("Nothing"))
        index = graph.addReplicationIndexConstant("index")
        graph.setTileMapping(index, 1)
        copy = graph.clone(index)
        graph.setTileMapping(copy, 1)
        graph.createHostRead("copy", copy)
        engine = poplar.Engine(graph, program.Copy(index, copy))
        engine.load(device)
        engine.run()
        self.assertEqual(engine.readTensor("copy").ravel().tolist(), [0, 1, 2])


class Values(unittest.TestCase):
    def testPartsOfATensorAreThoseOfAnArray(self):
        device = modelOf(4)
        graph = poplar.Graph(device)
        x = graph.addVariable(poplar.INT, [4, 5, 6], poplar.VariableMappingMethod.LINEAR, "x")
        graph.createHostWrite("x", x)
        s = numpy.s_
        parts = [s[1], s[-1], s[1:3], s[..., 2], s[:, 1:4:2], s[::-1], s[2, ::-2, 1:], s[-3:-1, ..., -1], s[0, 1, 2], s[1, :, 3], s[:, ::3, ::-1]]
        for i, part in enumerate(parts):
            graph.createHostRead("part %d" % i, x[part])
        graph.createHostRead("turned", x.transpose() if x.rank == 2 else x.dimShuffle([2, 0, 1]).reshape([6, 20]))
        engine = poplar.Engine(graph, program.Sequence())
        engine.load(device)
        array = numpy.arange(120, dtype=numpy.int32).reshape(4, 5, 6)
        engine.writeTensor("x", array)
        for i, part in enumerate(parts):
            numpy.testing.assert_array_equal(engine.readTensor("part %d" % i), array[part], err_msg=repr(part))
        numpy.testing.assert_array_equal(engine.readTensor("turned"), array.transpose(2, 0, 1).reshape(6, 20))
        self.assertEqual([row.shape for row in x], [(5, 6)] * 4)
        self.assertEqual((x.shape, x.rank, x.numElements, len(x)), ((4, 5, 6), 3, 120, 4))
        for wrong in (s[4], s[-5], s[2**70], s[0, 0, 0, 0], s[..., ...]):
            with self.assertRaises(IndexError, msg=repr(wrong)):
                x[wrong]
        with self.assertRaises(TypeError):
            x["a"]

    def testArraysGoInAndOutWithoutACopy(self):
        device, engine = adder()
        engine.load(device)
        engine.writeTensor("a", numpy.arange(32, dtype="f4").reshape(4, 8))
        engine.run()
        out = numpy.zeros((4, 8), "f4")
        self.assertIs(engine.readTensor("out", out), out)
        numpy.testing.assert_array_equal(out, numpy.arange(32).reshape(4, 8) + numpy.float32(2.5))
        for wrong in (numpy.zeros((4, 8)), numpy.zeros(31, "f4"), numpy.zeros((4, 8), ">f4"), numpy.zeros(16, "c8"), numpy.zeros((4, 8), "i4"), numpy.zeros((8, 4), "f4").T, "text"):
            with self.assertRaisesRegex(TypeError if isinstance(wrong, str) else ValueError, r'writeTensor\("a"\): needs a contiguous array of type f4 and shape \(4, 8\)'):
                engine.writeTensor("a", wrong)
        for call in (lambda: engine.writeTensor("a", numpy.zeros((8, 4), "f4")), lambda: engine.readTensor("out", numpy.zeros((8, 4), "f4")),
                     lambda: engine.writeTensor("a", numpy.zeros((4, 1, 8), "f4"))):
            with self.assertRaisesRegex(ValueError, r'Tensor\("(a|out)"\): needs a contiguous array of type f4 and shape \(4, 8\); this one has shape \((8, 4|4, 1, 8)\); a flat array'):
                call()
        engine.writeTensor("a", numpy.arange(32, dtype="f4"))  # flat
        engine.run()
        numpy.testing.assert_array_equal(engine.readTensor("out", numpy.zeros(32, "f4")), numpy.arange(32) + numpy.float32(2.5))
        readOnly = numpy.zeros((4, 8), "f4")
        readOnly.flags.writeable = False
        with self.assertRaisesRegex(ValueError, "cannot be written to"):
            engine.readTensor("out", readOnly)
        with self.assertRaisesRegex(poplar.stream_connection_error, 'no read handle "x"; there are: out'):
            engine.readTensor("x")

    def testAnArrayHasTheTypeOfItsTensor(self):
        device = modelOf(2)
        graph = poplar.Graph(device)
        for name, kind, elements in (("b", poplar.BOOL, 4), ("i", poplar.INT, 4), ("u", poplar.UNSIGNED_SHORT, 4), ("f", poplar.FLOAT, 1), ("n", poplar.INT, 1)):
            x = graph.addVariable(kind, [elements], poplar.VariableMappingMethod.LINEAR, name)
            graph.createHostWrite(name, x)
            graph.createHostRead(name, x)
        engine = poplar.Engine(graph, program.Sequence())
        engine.load(device)
        for name, right, wrong in (("b", "?", "u1"), ("b", "?", "i1"), ("i", "i4", "u4"), ("u", "u2", "i2")):
            engine.writeTensor(name, numpy.array([0, 1, 1, 0], right))
            self.assertEqual(engine.readTensor(name).tolist(), [0, 1, 1, 0])
            for call in (lambda: engine.writeTensor(name, numpy.zeros(4, wrong)), lambda: engine.readTensor(name, numpy.zeros(4, wrong))):
                with self.assertRaisesRegex(ValueError, "this one has elements of format"):
                    call()
        engine.writeTensor("b", [True, 0, numpy.bool_(True), 1])
        self.assertEqual(engine.readTensor("b").tolist(), [True, False, True, True])
        with self.assertRaisesRegex(ValueError, r'writeTensor\("b"\): the values cannot be converted to type \?: 2 is neither True nor False'):
            engine.writeTensor("b", [2, 0, 1, 1])
        for one in (1, 1.0, numpy.float64(1), numpy.float16(1), numpy.int64(1), numpy.bool_(True)):
            engine.writeTensor("f", one)
            self.assertEqual(engine.readTensor("f")[0], 1)
        engine.writeTensor("n", numpy.int64(7))
        self.assertEqual(engine.readTensor("n")[0], 7)

    def testHalvesNeedNoNumpy(self):
        with mock.patch.dict(sys.modules, {"numpy": None}):
            device = modelOf(2)
            graph = poplar.Graph(device)
            x = graph.addVariable(poplar.HALF, [2, 2], poplar.VariableMappingMethod.LINEAR, "x")
            graph.createHostWrite("x", x)
            graph.createHostRead("x", x)
            into, back = graph.addHostToDeviceFIFO("in", poplar.HALF, 4), graph.addDeviceToHostFIFO("out", poplar.HALF, 4)
            engine = poplar.Engine(graph, program.Sequence([program.Copy(into, x), program.Copy(x, back)]))
            seen = []

            def fill(array):
                for i in range(4):
                    array[i] = i + 0.5
            engine.connectStreamToCallback(into, fill)
            engine.connectStreamToCallback(back, lambda array: seen.append(array.tolist()))
            engine.load(device)
            engine.writeTensor("x", [1, -2, 0.1, 65504])
            read = engine.readTensor("x")
            self.assertEqual((read.typecode, list(read)), ("f", list(struct.unpack("4e", struct.pack("4e", 1, -2, 0.1, 65504)))))
            engine.writeTensor("x", array.array("f", [0, 1, 2, 3]))
            self.assertEqual(engine.readTensor("x", array.array("f", bytes(16))).tolist(), [0, 1, 2, 3])
            with self.assertRaisesRegex(ValueError, "cannot be converted to type f2: float too large"):
                engine.writeTensor("x", [1e6] * 4)
            engine.run()
            engine.connectStreamToCallback(into, lambda array_: array.array("f", [4, 3, 2, 1]))
            engine.run()
            self.assertEqual(seen, [[0.5, 1.5, 2.5, 3.5], [4, 3, 2, 1]])

    def testAnEngineInACycleIsCollected(self):
        class Model:
            def __init__(self, folder):
                device = modelOf(2)
                graph = poplar.Graph(device)
                x = graph.addVariable(poplar.FLOAT, [4], poplar.VariableMappingMethod.LINEAR, "x")
                into, back = graph.addHostToDeviceFIFO("in", poplar.FLOAT, 4), graph.addDeviceToHostFIFO("out", poplar.FLOAT, 4)
                self.engine = poplar.Engine(graph, program.Sequence([program.Copy(into, x), program.Copy(x, back)]), {"autoReport.all": True, "autoReport.directory": folder})
                self.out = numpy.zeros(4, "f4")
                self.engine.connectStreamToCallback(into, self.fill)
                self.engine.connectStream(back, self.out)
                self.engine.loadAndRun(device)

            def fill(self, array):
                array[:] = 3
        with tempfile.TemporaryDirectory() as folder:
            model = Model(folder)
            gone = weakref.ref(model)
            self.assertEqual(model.out.tolist(), [3] * 4)
            del model
            gc.collect()
            self.assertIsNone(gone())
            self.assertEqual(sorted(f for f in os.listdir(folder) if "profile" in f), ["profile.pop"])

    def testTheArrayOfAReplicatedTensorHasADimensionForReplicas(self):
        model = poplar.IPUModel("ipu2")
        model.tilesPerIPU, model.numIPUs = 4, 2
        device = model.createDevice()
        graph = poplar.Graph(device, 2)
        x = graph.addVariable(poplar.FLOAT, [8, 3], poplar.VariableMappingMethod.LINEAR, "x")
        graph.createHostWrite("x", x)
        graph.createHostRead("x", x)
        engine = poplar.Engine(graph, program.Sequence())
        engine.load(device)
        values = numpy.arange(48, dtype="f4").reshape(2, 8, 3)
        engine.writeTensor("x", values)
        numpy.testing.assert_array_equal(engine.readTensor("x"), values)
        engine.writeTensor("x", values.reshape(48) + 1)
        numpy.testing.assert_array_equal(engine.readTensor("x"), values + 1)
        for wrong in (values[0], values.reshape(16, 3), numpy.zeros((3, 8, 3), "f4")):
            with self.assertRaisesRegex(ValueError, r"shape \(2, 8, 3\); this one has (24 elements|72 elements|shape \(16, 3\); a flat)"):
                engine.writeTensor("x", wrong)

    def testConstantsOfAnyKindOfArray(self):
        device = modelOf(2)
        graph = poplar.Graph(device)
        values = [numpy.arange(6, dtype=d).reshape(2, 3) for d in ("f4", "f8", "i4", "u1", "i8", "f2")] + [numpy.eye(2, 3, dtype="?"), [[0, 1, 2], [3, 4, 5]], numpy.arange(12)[::2]]
        for i, value in enumerate(values):
            constant = graph.addConstant(poplar.FLOAT, [2, 3], value)
            graph.setTileMapping(constant, 0)
            copy = graph.addVariable(poplar.FLOAT, [2, 3], poplar.VariableMappingMethod.LINEAR, "copy %d" % i)
            graph.createHostRead("c%d" % i, copy)
            values[i] = (numpy.asarray(value, "f4").reshape(2, 3), program.Copy(constant, copy))
        engine = poplar.Engine(graph, program.Sequence([p for _, p in values]))
        engine.loadAndRun(device)
        for i, (expected, _) in enumerate(values):
            numpy.testing.assert_array_equal(engine.readTensor("c%d" % i), expected)
        with self.assertRaises(ValueError):
            graph.addConstant(poplar.FLOAT, [2, 3], [1, 2])
        with self.assertRaises(poplar.overflow_error):
            graph.addConstant(poplar.UNSIGNED_CHAR, [1], [300])
        for type_, wrong, shown, holds in (
                (poplar.INT, 1.5, "1.5", "int, which holds whole numbers"), (poplar.INT, 2**31, "2147483648", "int, which holds -2^31 to 2^31 - 1"),
                (poplar.INT, float("nan"), "nan", "int, which holds -2^31 to 2^31 - 1"), (poplar.UNSIGNED_INT, -1, "-1", "unsigned int, which holds 0 to 2^32 - 1"),
                (poplar.CHAR, 200, "200", "char, which holds -2^7 to 2^7 - 1"), (poplar.BOOL, 2, "2", "bool, which holds 0 and 1"),
                (poplar.HALF, 70000.0, "70000", "half, which holds finite numbers up to 65504"), (poplar.FLOAT, 1e39, "1e+39", "float, which holds finite numbers up to 3.4028235e+38")):
            variable = graph.addVariable(type_, [2], poplar.VariableMappingMethod.LINEAR, "v")
            for values in ([0, wrong], numpy.array([0, wrong]), wrong):
                for name, call in ((' "c" ', lambda: graph.addConstant(type_, [2], values, "c")), (' (v)', lambda: graph.setInitialValue(variable, values))):
                    with self.subTest(values=values, name=name), self.assertRaises(poplar.overflow_error) as caught:
                        call()
                    self.assertIn(name, str(caught.exception))
                    self.assertIn(": the value %s does not fit %s." % (shown, holds), str(caught.exception))
        for value in (0, 1, 255, 2.0, True, -0.0):
            graph.addConstant(poplar.UNSIGNED_CHAR, [2], value)
        graph.addConstant(poplar.FLOAT, [2], [float("inf"), 0.1])
        for wrong in ("c8", ">f4", ">i4"):  # two parts per element; another byte order
            with self.assertRaisesRegex(TypeError, "has no type that a graph supports; convert it first"):
                graph.addConstant(poplar.FLOAT, [2], numpy.ones(2, wrong))

    def testStreamsOfArraysAndCallables(self):
        device = modelOf(2)
        graph = poplar.Graph(device)
        x = graph.addVariable(poplar.FLOAT, [4], poplar.VariableMappingMethod.LINEAR, "x")
        into, back = graph.addHostToDeviceFIFO("in", poplar.FLOAT, 4), graph.addDeviceToHostFIFO("out", poplar.FLOAT, 4)
        engine = poplar.Engine(graph, program.Repeat(3, program.Sequence([program.Copy(into, x), program.Copy(x, back)])))
        seen, given = [], iter(range(100))
        engine.connectStreamToCallback(into, lambda array: array.fill(next(given)))
        engine.connectStreamToCallback("out", lambda array: seen.append(array.tolist()))
        engine.loadAndRun(device)
        self.assertEqual(seen, [[i] * 4 for i in range(3)])
        data, out = numpy.arange(12, dtype="f4"), numpy.zeros(12, "f4")
        engine.connectStream(into, data)
        engine.connectStream(back, out)
        del data
        engine.loadAndRun(device)
        numpy.testing.assert_array_equal(out, numpy.arange(12))
        engine.connectStreamToCallback(into, lambda array: numpy.ones(4, "f4"))
        engine.loadAndRun(device)
        numpy.testing.assert_array_equal(out, numpy.ones(12))

        with self.assertRaisesRegex(poplar.stream_connection_error, 'no stream handle "nope"; there are: in, out$'):
            engine.connectStream("nope", numpy.zeros(4, "f4"))
        with self.assertRaisesRegex(TypeError, r'connectStreamToCallback\("out"\): takes a function of one array, not 3'):
            engine.connectStreamToCallback(back, 3)

        def fails(array):
            raise LookupError("no more data")
        engine.connectStreamToCallback(into, fails)
        with self.assertRaisesRegex(LookupError, "no more data"):
            engine.run()
        engine.connectStreamToCallback(into, lambda array: numpy.ones(8, "f4"))
        with self.assertRaisesRegex(ValueError, r"stream callback: needs .* shape \(4\); this one has 8 elements"):
            engine.loadAndRun(device)

    def testEmptyTensorsAndStreamsTakeEmptyArrays(self):
        device = modelOf(2)
        graph = poplar.Graph(device)
        x = graph.addVariable(poplar.FLOAT, [0, 3], poplar.VariableMappingMethod.LINEAR, "x")
        into, back = graph.addHostToDeviceFIFO("in", poplar.FLOAT, 0), graph.addDeviceToHostFIFO("out", poplar.FLOAT, 0)
        graph.createHostWrite("x", x)
        graph.createHostRead("x", x)
        engine = poplar.Engine(graph, program.Sequence([program.Copy(into, x), program.Copy(x, back)]))
        engine.connectStream(into, numpy.zeros(0, "f4"))
        engine.connectStream("out", numpy.zeros((0, 3), "f4"))
        engine.loadAndRun(device)
        engine.writeTensor("x", numpy.zeros((0, 3), "f4"))
        engine.writeTensor("x", [])
        self.assertEqual(engine.readTensor("x").shape, (0, 3))
        engine.connectStreamToCallback(into, lambda array: numpy.zeros(0, "f4"))
        engine.connectStreamToCallback(back, lambda array: None)
        engine.loadAndRun(device)
        for wrong in (lambda: engine.connectStream(into, numpy.zeros(1, "f4")), lambda: engine.writeTensor("x", [1.0])):
            with self.assertRaisesRegex(ValueError, "this one has 1 elements"):
                wrong()

    def testArraysThatACallbackKeepsStayAsTheyWere(self):
        device = modelOf(2)

        def engineOf(fill, read):
            graph = poplar.Graph(device)
            x = graph.addVariable(poplar.FLOAT, [4], poplar.VariableMappingMethod.LINEAR, "x")
            into, back = graph.addHostToDeviceFIFO("in", poplar.FLOAT, 4), graph.addDeviceToHostFIFO("out", poplar.FLOAT, 4)
            engine = poplar.Engine(graph, program.Repeat(3, program.Sequence([program.Copy(into, x), program.Copy(x, back)])))
            engine.connectStreamToCallback("in", fill)
            engine.connectStreamToCallback("out", read)
            engine.load(device)
            return engine
        given, filled, read, rows = iter(range(100)), [], [], []

        def fill(array):
            array[:] = numpy.full(4, next(given), "f4")
            filled.append(array)
            for earlier in filled[:-1]:  # this changes only the kept array, not what the device receives
                earlier[:] = numpy.full(4, -1, "f4")

        def look(array):
            read.append(array)
            rows.append(array.tolist())
            array += 10
        engine = engineOf(fill, look)
        engine.run()
        self.assertEqual(rows, [[i] * 4 for i in range(3)])
        del engine
        self.assertEqual([array.tolist() for array in filled], [[-1] * 4, [-1] * 4, [2] * 4])
        self.assertEqual([array.tolist() for array in read], [[10 + i] * 4 for i in range(3)])
        for array in filled + read:  # the memory belongs to the arrays
            array[:] = numpy.zeros(4, "f4")
            with self.assertRaises(ValueError):
                array.resize(1000, refcheck=False)

    def testTheErrorOfACallInACallbackNamesTheCallback(self):
        device = modelOf(2)
        graph = poplar.Graph(device)
        x = graph.addVariable(poplar.FLOAT, [4], poplar.VariableMappingMethod.LINEAR, "x")
        graph.createHostRead("x", x)
        engine = poplar.Engine(graph, program.Copy(graph.addHostToDeviceFIFO("in", poplar.FLOAT, 4), x))
        for call in (lambda: engine.run(), lambda: engine.readTensor("x")):
            engine.connectStreamToCallback("in", lambda array: call())
            engine.load(device)
            with self.assertRaisesRegex(poplar.application_runtime_error, "a stream callback or a host function of that program called the engine"):
                engine.run()
        with self.assertRaisesRegex(poplar.application_runtime_error, "after a run that failed"):
            engine.run()
        engine.connectStreamToCallback("in", lambda array: None)
        engine.loadAndRun(device)

    def testProgramsAreComparedByValue(self):
        graph = poplar.Graph(modelOf(1))
        x = graph.addVariable(poplar.FLOAT, [4], poplar.VariableMappingMethod.LINEAR, "x")
        self.assertEqual(program.Copy(x[0], x[1]), program.Copy(x[0], x[1]))
        self.assertNotEqual(program.Copy(x[0], x[1]), program.Copy(x[1], x[0]))
        with self.assertRaisesRegex(TypeError, "unhashable"):  # a Sequence can change
            hash(program.Sequence())

    def testATensorOfRankZeroHasNoRows(self):
        graph = poplar.Graph(modelOf(2))
        x = graph.addVariable(poplar.FLOAT, [0, 2], "x")
        one = graph.addVariable(poplar.FLOAT, [], "one")
        for call in (lambda: list(one), lambda: len(one)):
            with self.assertRaisesRegex(TypeError, "the tensor has rank 0: it has neither a length nor rows"):
                call()
        with self.assertRaisesRegex(TypeError, "takes a sequence of tensors, not tensor {} of float"):
            poplar.concat(one)
        self.assertEqual((bool(one), bool(x), len(x), list(x)), (True, True, 0, []))

    def testHandlesOfAGraphAreComparedByValue(self):
        graph = poplar.Graph(modelOf(2))
        graph.addCodelets(ADD)
        streams = graph.addHostToDeviceFIFO("in", poplar.HALF, 4), graph.addDeviceToHostFIFO("out", poplar.HALF, 4)
        buffers = graph.addRemoteBuffer("a", poplar.INT, 4), graph.addRemoteBuffer("b", poplar.INT, 4)
        functions = graph.addFunction(program.Sequence()), graph.addFunction(program.Sequence())
        vertices = graph.addVertices(graph.addComputeSet(), "Add", 2, {}, 0)
        for first, second in (streams, buffers, functions, vertices):
            self.assertTrue(first == first and first != second and first != 3, first)
            self.assertEqual(len({first, second, first}), 2)
        self.assertEqual([s.type for s in streams], [poplar.DataStreamType.HostToDeviceFIFO, poplar.DataStreamType.DeviceToHostFIFO])
        self.assertEqual([s.replicationFactor for s in streams], [1, 1])
        model = poplar.IPUModel("ipu2")
        self.assertEqual(model, poplar.IPUModel("ipu2"))
        model.tilesPerIPU = 3
        self.assertNotEqual(model, poplar.IPUModel("ipu2"))

    def testTypesHaveAnOrder(self):
        types = [poplar.FLOAT, poplar.BOOL, poplar.QUARTER, poplar.HALF]
        self.assertEqual(sorted(types), [poplar.BOOL, poplar.HALF, poplar.FLOAT, poplar.QUARTER])
        self.assertTrue(poplar.HALF <= poplar.HALF < poplar.FLOAT and poplar.FLOAT > poplar.HALF >= poplar.BOOL)
        self.assertEqual([t.requiresMetadata() for t in types], [False, False, True, False])
        self.assertEqual([t.isFloatingPoint() for t in types], [True, False, True, True])

    def testATargetMayHaveSomeTilesOfItsSystem(self):
        target = poplar.Target.createIPUTarget(2, 16, "ipu2")
        self.assertEqual((target.getNumIPUs(), target.getTilesPerIPU()), (2, 16))
        self.assertEqual(poplar.Target.createIPUTarget(1, "ipu2").getTilesPerIPU(), 1472)

    def testAnArrayOfRankZeroIsANumber(self):
        graph = poplar.Graph(modelOf(4))
        graph.addCodelets(ADD)
        x = graph.addVariable(poplar.FLOAT, [4], "x")
        graph.setTileMapping(x, numpy.array(2))
        self.assertEqual(graph.getTileMapping(x), [[], [], [(0, 4)], []])
        vertex = graph.addVertex(graph.addComputeSet(), "Add", {"amount": numpy.array(2.0)}, 0)
        graph.connect(vertex["amount"], numpy.array(2.0))
        for mapped in (x, vertex):
            with self.assertRaisesRegex(TypeError, "a tile is an integer of 0 or more, not array"):
                graph.setTileMapping(mapped, numpy.array(2.5))

    def testInitialValuesHaveTheShapeOfTheTensor(self):
        graph = poplar.Graph(modelOf(1))
        x = graph.addVariable(poplar.FLOAT, [2, 3], "x")
        values = numpy.arange(6, dtype="f4").reshape(2, 3)
        for right in (values, values.tolist(), values.reshape(6), 1.5):
            graph.setInitialValue(x, right)
        for wrong in (values.T, values.reshape(3, 2), values.reshape(1, 6)):
            with self.assertRaisesRegex(ValueError, r"setInitialValue: the tensor has shape \(2, 3\), and the values have shape \(\d, \d\); a flat array"):
                graph.setInitialValue(x, wrong)
        graph.addCodelets(ADD)
        with self.assertRaisesRegex(ValueError, r"amount.*the values have shape \(1, 1\)"):
            graph.addVertex(graph.addComputeSet("add"), "Add", {"a": x[0], "out": x[1], "amount": [[1.0]]})

    def testListsHaveADepth(self):
        graph = poplar.Graph(modelOf(1))
        itself, deep = [], 1.0
        itself.append(itself)
        for _ in range(100000):
            deep = [deep]
        for values in (itself, deep):
            with self.assertRaisesRegex(TypeError, "nested more than 64 deep"):
                graph.addConstant(poplar.FLOAT, [1], values)

    def testATrialIsACompilationWithItsChanges(self):
        """A program that does not fit, and that the engine compiles with slower copies, because these need fewer bytes."""
        model = poplar.IPUModel("ipu1")
        model.tilesPerIPU, model.compileIPUCode = 8, True
        device = model.createDevice()
        with tempfile.TemporaryDirectory() as folder:
            def compiled(name, options):
                graph = poplar.Graph(device)
                graph.addCodelets(MOVES)

                def variable(name, shape, tiles):
                    made = graph.addVariable(poplar.FLOAT, shape, name)
                    graph.setTileMapping(made, tiles)
                    return made

                def step(name, *vertices):
                    made = graph.addComputeSet(name)
                    for kind, fields, tile in vertices:
                        graph.addVertex(made, kind, fields, tile=tile)
                    return program.Execute(made)
                a = variable("a", [30, 1000], [1] * 20 + [2] * 10)
                b = variable("b", [30, 1000], [i * 3 % 8 for i in range(30)])
                c = variable("c", [20000], 1)
                d = variable("d", [20000], [1] * 2300 + [2] * 17700)
                e = variable("e", [8, 500], list(range(8)))
                spread = step("spread", *(("Pass", {"a": a[i], "out": b[i]}, 1 if i < 20 else 2) for i in range(30)))
                grow = step("grow", ("Grow", {"x": c[:10000]}, 1))
                fill = step("fill", ("Fill", {"out": d[:9999]}, 1))
                join = step("join", ("Pass", {"a": d, "out": c}, 3))
                each = step("each", *(("Grow", {"x": e[i]}, i) for i in range(8)))
                graph.createHostWrite("a", a)
                graph.createHostRead("b", b)
                graph.createHostRead("e", e)
                body = program.Repeat(2, program.Sequence([fill, join, spread]))
                whole = program.Sequence([spread, program.Copy(b, a), fill, grow, join, each, body])
                poplar.Engine(graph, whole, dict(options, **{"autoReport.all": True, "autoReport.directory": folder + "/" + name, "debug.allowOutOfMemory": True}))
                return popscope.open(folder + "/" + name + "/profile.pop")
            trials = compiled("tried", {"popscope.tryAdvice": 8}).sql("SELECT changes, past_end_bytes FROM advice_trials")
            past = "SELECT sum(max(0, total_including_gaps - (SELECT bytes_per_tile FROM target))) FROM memory_by_tile"
            self.assertGreater(len(trials), 2)
            for i, (changes, bytesPastEnd) in enumerate(tuple(row.values()) if isinstance(row, dict) else row for row in trials):
                found = compiled("applied%d" % i, {} if changes == "[]" else {"popscope.applyAdvice": changes}).sql(past)[0]
                self.assertEqual(list(found.values())[0] if isinstance(found, dict) else found[0], bytesPastEnd, changes)

    def testStreamsInAndOutMayHaveLikeNames(self):
        device = modelOf(2)
        graph = poplar.Graph(device)
        x = graph.addVariable(poplar.FLOAT, [4], poplar.VariableMappingMethod.LINEAR, "x")
        into, back = graph.addHostToDeviceFIFO("out a", poplar.FLOAT, 4), graph.addDeviceToHostFIFO("a", poplar.FLOAT, 4)
        engine = poplar.Engine(graph, program.Sequence([program.Copy(into, x), program.Copy(x, back)]))
        out = numpy.zeros(4, "f4")
        engine.connectStream("out a", numpy.arange(4, dtype="f4"))
        engine.connectStream("a", out)
        engine.loadAndRun(device)
        numpy.testing.assert_array_equal(out, numpy.arange(4))

    def testListsOfHalvesAndOfTiles(self):
        device = modelOf(4)
        graph = poplar.Graph(device)
        x = graph.addVariable(poplar.HALF, [4, 2], "x")
        graph.setTileMapping(x, [3, 2, 1, 0])
        self.assertEqual(graph.getTileMapping(x), [[(6, 8)], [(4, 6)], [(2, 4)], [(0, 2)]])
        graph.createHostWrite("x", x)
        graph.createHostRead("x", x)
        graph.createHostWrite("one", x[0, 0])
        engine = poplar.Engine(graph, program.Sequence())
        engine.load(device)
        engine.writeTensor("x", [0.5] * 8)
        engine.writeTensor("one", 0.5)
        with self.assertRaisesRegex(ValueError, r'writeTensor\("one"\): the values cannot be converted to type f2: could not convert'):
            engine.writeTensor("one", ["text"])
        numpy.testing.assert_array_equal(engine.readTensor("x"), numpy.full((4, 2), 0.5, "f2"))
        with self.assertRaisesRegex(TypeError, "tiles: a tile is an integer; these are floating-point numbers, for example 0.5"):
            graph.setTileMapping(x, numpy.full(4, 0.5))

    def testManyVerticesAtOnce(self):
        device = modelOf(16)
        graph = poplar.Graph(device)
        graph.addCodelets(ADD)
        a, out = (graph.addVariable(poplar.FLOAT, [64, 2], name) for name in ("a", "out"))
        tiles = numpy.arange(64) // 4
        for tensor in (a, out):
            graph.setTileMapping(tensor, tiles)
        add = graph.addComputeSet("add")
        vertices = graph.addVertices(add, "Add", 64, {"a": a, "out": out, "amount": numpy.arange(64, dtype="f4")}, tiles)
        self.assertEqual((len(vertices), graph.numVertices()), (64, 64))
        self.assertEqual(graph.getTileMapping(a)[3], [(24, 32)])
        graph.createHostRead("out", out)
        graph.createHostWrite("a", a)
        engine = poplar.Engine(graph, program.Execute(add))
        engine.load(device)
        engine.writeTensor("a", numpy.zeros((64, 2), "f4"))
        engine.run()
        numpy.testing.assert_array_equal(engine.readTensor("out")[:, 1], numpy.arange(64))
        with self.assertRaisesRegex(ValueError, "field 'a' has 64 rows for 63"):
            graph.addVertices(add, "Add", 63, {"a": a}, 0)
        self.assertEqual(graph.numVertices(), 64)

    def testRowsOfAnArrayAreValuesOfManyVertices(self):
        device = modelOf(4)
        graph = poplar.Graph(device)
        graph.addCodelets("#include <poplar/Vertex.hpp>\nusing namespace poplar;\nstruct Sum : Vertex { Vector<int> ks; Output<int> out; "
                          "bool compute() { int s = 0; for (unsigned i = 0; i < ks.size(); ++i) s = 10 * s + ks[i]; *out = s; return true; } };")
        out = graph.addVariable(poplar.INT, [4], "out")
        graph.setTileMapping(out, range(4))
        add = graph.addComputeSet("sum")
        graph.addVertices(add, "Sum", 4, {"out": out, "ks": numpy.arange(8).reshape(4, 2)}, range(4))
        graph.createHostRead("out", out)
        engine = poplar.Engine(graph, program.Execute(add))
        engine.loadAndRun(device)
        self.assertEqual(list(engine.readTensor("out")), [1, 23, 45, 67])
        for values, message in ((numpy.zeros((8, 2)), "field 'ks' has 8 rows for 4 vertices"),
                                (numpy.zeros((4, 2, 2)), "field 'ks' has an array of 3 dimensions")):
            with self.assertRaisesRegex(ValueError, message):
                graph.addVertices(add, "Sum", 4, {"out": out, "ks": values}, 0)

    def testACallThatFailsAddsNoVertex(self):
        device = modelOf(8)
        graph = poplar.Graph(device)
        graph.addCodelets(ADD)
        a, out = (graph.addVariable(poplar.FLOAT, [4, 2], name) for name in ("a", "out"))
        for tensor in (a, out):
            graph.setTileMapping(tensor, 0)
        add = graph.addComputeSet("add")
        good = {"a": a[0], "out": out[0], "amount": 2}
        for fields, tile in (({**good, "b": 1}, 0), (good, 8), ({**good, "amount": None}, 0), ({**good, "out": a.reinterpret(poplar.INT)[0]}, 0)):
            with self.assertRaises(Exception):
                graph.addVertex(add, "Add", fields, tile=tile)
            with self.assertRaises(Exception):
                graph.addVertices(add, "Add", 4, {**fields, "a": a, "out": out[0]}, [0, 0, 0, 8])
        self.assertEqual(graph.numVertices(), 0)
        graph.addVertex(add, "Add", good, tile=0)
        poplar.Engine(graph, program.Execute(add)).load(device)

    def testMessagesNameTheArgument(self):
        device = modelOf(4)
        graph = poplar.Graph(device)
        graph.addCodelets(ADD)
        x = graph.addVariable(poplar.FLOAT, [4, 2], "x")
        graph.setTileMapping(x, 0)
        graph.createHostWrite("x", x)
        add = graph.addComputeSet("add")
        engine = poplar.Engine(graph, program.Sequence())
        engine.load(device)
        for error, message, call in (
                (TypeError, "programs: takes a program or a sequence of programs, not 'name'", lambda: program.Sequence("name")),
                (TypeError, "addVertex: field 'a': a value is no number: None", lambda: graph.addVertex(add, "Add", {"a": None})),
                (TypeError, "addVertex: field 'amount': a value is no number: '2'", lambda: graph.addVertex(add, "Add", {"amount": "2"})),
                (TypeError, "addVertices: field 'a': a value is no number: None", lambda: graph.addVertices(add, "Add", 1, {"a": None}, 0)),
                (IndexError, "takes `...` once as an index; there are 2", lambda: x[..., ...]),
                (TypeError, r"printProfileSummary: `file` is an object with write\(\).*not 'a.txt'", lambda: engine.printProfileSummary(file="a.txt")),
                (TypeError, r'writeTensor\("x"\): needs a contiguous array.*NoneType', lambda: engine.writeTensor("x", None)),
                (ValueError, r'constant "c" has shape \(2, 3\), and the values have shape \(3, 2\)',
                 lambda: graph.addConstant(poplar.FLOAT, [2, 3], numpy.zeros((3, 2)), "c")),
                (ValueError, "categories .* record=False", lambda: poplar.Scope(engine, "s", categories=["compute"], record=False))):
            with self.assertRaisesRegex(error, message):
                call()
        self.assertEqual(graph.addConstant(poplar.FLOAT, [2, 3], numpy.zeros(6)).shape, (2, 3))
        self.assertEqual(poplar.DeviceManager.createDeviceManager().getNumDevices(), poplar.DeviceManager().getNumDevices())


class Errors(unittest.TestCase):
    def testExceptionsHaveTheirNames(self):
        graph = poplar.Graph(modelOf(2))
        for error in (poplar.unknown_vertex_type, poplar.poplar_error, RuntimeError):
            with self.assertRaises(error):
                graph.addVertex(graph.addComputeSet("a"), "Nothing")
        with self.assertRaises(poplar.graph_program_compilation_error):
            graph.addCodelets("struct {\n")
        with self.assertRaises(poplar.invalid_machine_model):
            poplar.IPUModel("ipu9")
        with self.assertRaisesRegex(poplar.invalid_option, "did you mean|nearest|debug.allowOutOfMemory"):
            poplar.Engine(graph, program.Sequence(), {"debug.allowOutOfMemori": True})

    def testAProgramThatDoesNotFitSaysWhereItsProfileIs(self):
        with tempfile.TemporaryDirectory() as folder:
            graph, x = overfull()
            with self.assertRaises(poplar.graph_memory_allocation_error) as caught:
                poplar.Engine(graph, program.WriteUndef(x), {"autoReport.all": True, "autoReport.directory": folder})
            self.assertEqual(os.path.dirname(caught.exception.profilePath), folder)

    @unittest.skipUnless(numpy, "needs numpy")
    def testArraysOfNumpyThatAreNoIndicesOrHaveNoTiles(self):
        graph = poplar.Graph(modelOf(2))
        x = graph.addVariable(poplar.INT, [4, 5], "x")
        for index in (numpy.array([0, 2]), numpy.array([True, False, True, False]), True, None, [0, 2], 1.0):
            with self.subTest(index), self.assertRaisesRegex(TypeError, "a tensor takes integers, slices and ... as indices, not " + re.escape(repr(index))):
                x[index]
        self.assertEqual([x[i].shape for i in (numpy.int64(2), numpy.array(-1), (1, numpy.uint8(4)), ())], [(5,), (5,), (), (4, 5)])
        empty = graph.addVariable(poplar.INT, [0, 3], "empty")
        for tiles in (numpy.array([], int), numpy.array([]), []):
            graph.setTileMapping(empty, tiles)
        self.assertRaisesRegex(ValueError, "tiles: there are 0 for 4 rows", graph.setTileMapping, x, numpy.array([], int))

    def testAWrongArgumentIsNamed(self):
        graph = poplar.Graph(modelOf(2))
        x = graph.addVariable(poplar.INT, [4], "x")
        for error, text, call in (
                (TypeError, "programs: takes a program or a sequence of programs, not 3", lambda: program.Sequence([3])),
                (TypeError, "programs: takes a program or a sequence of programs, not 4", lambda: poplar.Engine(graph, 4)),
                (TypeError, "Switch: a label is an integer of 32 bits, not 'a'", lambda: program.Switch(x[0], {"a": program.Sequence()})),
                (TypeError, "Switch: a case is a program, not 5", lambda: program.Switch(x[0], {1: 5})),
                (TypeError, "a tile is an integer of 0 or more, not -1", lambda: graph.setTileMapping(x, -1)),
                (TypeError, "setTileMapping: a tile is an integer of 0 or more, or a sequence of tiles or intervals, not 1.5", lambda: graph.setTileMapping(x, 1.5)),
                (TypeError, "addVariable: shape is a list of integers of 0 or more, not 'ab'", lambda: graph.addVariable(poplar.FLOAT, "ab")),
                (TypeError, r"addVariable: shape is a list of integers of 0 or more, not \[-1\]", lambda: graph.addVariable(poplar.FLOAT, [-1])),
                (TypeError, "addVariable: type is a type such as popscope.poplar.FLOAT, not 'float'", lambda: graph.addVariable("float", [1])),
                (TypeError, "Repeat: count is an integer of 0 or more, not -1", lambda: program.Repeat(-1, program.Sequence())),
                (TypeError, "Engine.run: program is an integer of 0 or more, not 'a'", lambda: poplar.Engine(graph, program.Sequence()).run("a")),
                (TypeError, "Engine.run: program is an integer of 0 or more, not -1", lambda: poplar.Engine(graph, program.Sequence()).run(-1)),
                (TypeError, "takes a tensor or a vertex, not 6", lambda: graph.setTileMapping(6, 0)),
                (TypeError, "an entry is 0.5", lambda: graph.setTileMapping(x, [0.5] * 4)),
                (TypeError, "pairs .begin, end., not 7", lambda: graph.setTileMapping(x, [[7]])),
                (ValueError, "tiles: number 1 is -3; tiles are numbered from 0", lambda: graph.setTileMapping(x, [0, -3, 1, 1])),
                (ValueError, "tiles: there are 3 for 4 rows; give one for each", lambda: graph.setTileMapping(x, [0, 1, 1])),
                (ValueError, 'constant "c" has 3 elements, and there are 2 values', lambda: graph.addConstant(poplar.INT, [3], [1, 2], "c")),
                (TypeError, "setInitialValue: takes a field of a vertex or a tensor, not 8", lambda: graph.setInitialValue(8, 1)),
                (TypeError, "the name of a field is a str, not 3", lambda: graph.addVertices(graph.addComputeSet(), "Add", 1, {3: 4}, 0)),
                (TypeError, "^tensors: takes a sequence of tensors, not 8", lambda: poplar.concat(8)),
                (TypeError, "^tensors: takes a sequence of tensors, not 9", lambda: poplar.concat([x, 9]))):
            with self.subTest(text), self.assertRaisesRegex(error, text):
                call()

    def testWhatTheErrorOfAnUnconnectedStreamSaysWorks(self):
        device = modelOf(2)
        graph = poplar.Graph(device)
        x = graph.addVariable(poplar.FLOAT, [4], poplar.VariableMappingMethod.LINEAR, "x")
        engine = poplar.Engine(graph, program.Copy(graph.addHostToDeviceFIFO("in", poplar.FLOAT, 4), x))
        with self.assertRaisesRegex(poplar.stream_connection_error, "connectStreamToCallback, then load the engine again and run it$"):
            engine.loadAndRun(device)
        engine.connectStreamToCallback("in", lambda array: None)
        engine.load(device)
        engine.run()

    def testAFieldOfAModelIsNamed(self):
        model = poplar.IPUModel("ipu2")
        for name, value, text in (("tilesPerIPU", -3, "an integer of 0 or more, not -3"), ("tilesPerIPU", "a", "an integer of 0 or more, not 'a'"),
                                  ("IPUVersion", 2, "a str, not 2"), ("tileClockFrequency", "fast", "a number, not 'fast'")):
            with self.assertRaisesRegex(TypeError, "IPUModel.%s: takes %s" % (name, text)):
                setattr(model, name, value)
        with self.assertRaisesRegex(AttributeError, "popscope.poplar.IPUModel"):
            model.tiles = 3
        model.tilesPerIPU, model.compileIPUCode, model.tileClockFrequency = 7, True, 1e9
        self.assertEqual((model.tilesPerIPU, model.compileIPUCode, model.tileClockFrequency), (7, True, 1e9))


class Threads(unittest.TestCase):
    def testADaemonThreadDoesNotHoldUpTheEnd(self):
        text = """
import sys, threading, time
from popscope import poplar
from popscope.poplar import program
device = poplar.IPUModel("ipu2").createDevice()
graph = poplar.Graph(device)
x = graph.addVariable(poplar.FLOAT, [64], poplar.VariableMappingMethod.LINEAR, "x")
y = graph.addVariable(poplar.FLOAT, [64], "y")
graph.setTileMapping(y, 0)
engine = poplar.Engine(graph, program.Repeat(10**9, program.Copy(x, y)), {"autoReport.all": True, "autoReport.directory": sys.argv[1]})
engine.load(device)
threading.Thread(target=engine.run, daemon=True).start()
time.sleep(0.5)
"""
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, "-c", text, folder], timeout=120, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertEqual(sorted(f for f in os.listdir(folder) if f.startswith("profile")), ["profile.pop"])

    def testADaemonThreadMayRunForLongerThanPython(self):
        text = """
import ctypes, threading, time
from popscope import poplar
from popscope.poplar import program
device = poplar.IPUModel("ipu2").createDevice()
graph = poplar.Graph(device)
graph.addCodelets('#include <poplar/Vertex.hpp>\\n#include <unistd.h>\\n'
                  'struct Wait : poplar::Vertex { bool compute() { usleep(1000000); return true; } };')
cs = graph.addComputeSet("cs")
graph.setTileMapping(graph.addVertex(cs, "Wait"), 0)
engine = poplar.Engine(graph, program.Repeat(10**9, program.Execute(cs)))
engine.load(device)
threading.Thread(target=engine.run, daemon=True).start()
time.sleep(0.1)
libc = ctypes.CDLL(None)
libc.__cxa_atexit(libc.getchar, None, None) # after Python has ended, the process waits for the end of its input
print("ends", flush=True)
"""
        with subprocess.Popen([sys.executable, "-c", text], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
            self.assertEqual(process.stdout.readline(), b"ends\n")
            time.sleep(1.5)
            output, _ = process.communicate(timeout=120)
        self.assertEqual((process.returncode, output), (0, b""))

    def testDaemonThreadsThatReturnToPythonDoNotAbortTheProcess(self):
        text = """
import sys, threading, time
from popscope import poplar
from popscope.poplar import program
device = poplar.IPUModel("ipu2").createDevice()
graph = poplar.Graph(device)
x = graph.addVariable(poplar.FLOAT, [64], poplar.VariableMappingMethod.LINEAR, "x")
into = graph.addHostToDeviceFIFO("into", poplar.FLOAT, 64)
graph.createHostRead("x", x)
programs = [program.Copy(x, x), program.Repeat(10**9, program.Copy(into, x))]
def forever(call):
    while True:
        call()
def start():
    engine = poplar.Engine(graph, programs)
    engine.connectStreamToCallback(into, lambda array: time.sleep(0.0001))
    engine.load(device)
    calls = {"run": engine.run, "read": lambda: engine.readTensor("x"), "compile": lambda: poplar.Engine(graph, programs), "callback": lambda: engine.run(1)}
    threading.Thread(target=forever, args=(calls[sys.argv[1]],), daemon=True).start()
for _ in range(8):
    start()
time.sleep(0.5)
"""
        for call in ("run", "read", "compile", "callback"):
            done = subprocess.run([sys.executable, "-c", text, call], timeout=120, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            self.assertEqual((done.returncode, done.stdout), (0, b""), call)

    def testOtherThreadsGoOnWhileAnEngineIsMade(self):
        graph = poplar.Graph(modelOf(100))
        graph.addCodelets(ADD)
        a, out = (graph.addVariable(poplar.FLOAT, [20000, 1], poplar.VariableMappingMethod.LINEAR, name) for name in ("a", "out"))
        add = graph.addComputeSet("add")
        graph.addVertices(add, "Add", 20000, {"a": a, "out": out, "amount": 1.0}, [i // 200 for i in range(20000)])
        ticks, during, stop = [], 0, threading.Event()

        def tick():
            while not stop.wait(0.001):
                ticks.append(time.perf_counter())
        thread = threading.Thread(target=tick)
        thread.start()
        try:
            for _ in range(100):  # on a busy machine, the other thread may not run during the creation of a single engine
                begin = time.perf_counter()
                poplar.Engine(graph, program.Execute(add))
                end = time.perf_counter()
                during += len([t for t in ticks if begin < t < end])
                if during > 3:
                    break
        finally:
            stop.set()
            thread.join()
        self.assertGreater(during, 3)  # 0 if the interpreter had waited for the engine

    def testProgressIsToldAndMayStopTheCompiler(self):
        told = []
        device = modelOf(2)
        graph = poplar.Graph(device)
        poplar.Engine(graph, program.Sequence(), {}, lambda done, all_: told.append((done, all_)))
        self.assertTrue(told and told[-1][0] <= told[-1][1])

        def interrupt(done, all_):
            raise KeyboardInterrupt
        with self.assertRaises(KeyboardInterrupt):
            poplar.Engine(graph, program.Sequence(), {}, interrupt)


class Interrupts(unittest.TestCase):
    def testARunWithoutCallbacksIsStopped(self):
        graph = poplar.Graph(modelOf(4))
        graph.addCodelets(ADD)
        a, out = (graph.addVariable(poplar.FLOAT, [4, 1], poplar.VariableMappingMethod.LINEAR, name) for name in ("a", "out"))
        add = graph.addComputeSet("add")
        graph.addVertices(add, "Add", 4, {"a": a, "out": out, "amount": 1.0}, [0, 1, 2, 3])
        engine = poplar.Engine(graph, program.Repeat(2000000000, program.Execute(add)))
        engine.load(modelOf(4))
        timer = threading.Timer(0.5, signal.raise_signal, [signal.SIGINT])
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            engine.run(0)  # 2,000,000,000 steps
        with self.assertRaisesRegex(poplar.poplar_error, "Load the engine again"):
            engine.run(0)


class Progress(unittest.TestCase):
    CODE = '''
import signal, sys, threading
sys.path.insert(0, %r)
from BuildTest import ADD, modelOf, poplar, program
graph = poplar.Graph(modelOf(1))
graph.addCodelets(ADD)
a = graph.addVariable(poplar.FLOAT, [1], "a")
add = graph.addComputeSet("add")
graph.addVertex(add, "Add", {"a": a, "out": a, "amount": 1.0}, tile=0)
engine = poplar.Engine(graph, program.Repeat(2000000000, program.Execute(add)))
engine.load(modelOf(1))
threading.Timer(3, signal.raise_signal, [signal.SIGINT]).start()
try:
    engine.run()
except KeyboardInterrupt:
    print("stopped", file=sys.stderr)
''' % os.path.dirname(os.path.abspath(__file__))

    def run_(self, terminal, type_):
        """Returns what the program prints on stderr, a terminal or a pipe."""
        end, stderr = pty.openpty() if terminal else os.pipe()
        process = subprocess.Popen([sys.executable, "-c", self.CODE], stderr=stderr, stdout=subprocess.DEVNULL, env=dict(os.environ, TERM=type_))
        os.close(stderr)
        text = b""
        with open(end, "rb", buffering=0) as file, contextlib.suppress(OSError):  # a terminal whose other end is closed raises EIO
            while part := file.read(4096):
                text += part
        self.assertEqual(process.wait(), 0)
        return text.decode().replace("\r\n", "\n")

    def testALongRunHasABarOnATerminalOnly(self):
        text = self.run_(True, "xterm")
        self.assertRegex(text, r"^\r\[\.{20}\] [0-9]+ of 40000000[0-9]{2}, steps of program 0, 2 s\x1b\[K\r")
        self.assertTrue(text.endswith("\r\x1b[Kstopped\n"), text[-200:])
        self.assertEqual(self.run_(True, "dumb"), "stopped\n")
        self.assertEqual(self.run_(False, "xterm"), "stopped\n")


class Reports(unittest.TestCase):
    def testObjectsSayWhatTheyAre(self):
        device, engine = adder()
        graph = poplar.Graph(device)
        for thing, text in ((device, "Device(IPU_MODEL ipu2, 1 IPU, 4 tiles each)"), (engine, "Engine(1 program)"), (poplar.Graph(device), "Graph(0 vertices in 0 compute sets)"),
                            (poplar.IPUModel("ipu1"), 'IPUModel("ipu1", numIPUs=1, tilesPerIPU=1216)'),
                            (graph.addHostToDeviceFIFO("in", poplar.HALF, 4), 'DataStream("in", 4 half)'), (graph.addComputeSet(), "ComputeSet(0)"),
                            (graph.addRemoteBuffer("far", poplar.INT, 4, 3), 'RemoteBuffer("far", 3 rows of 4 int)'), (graph.addFunction(program.Sequence()), "Function(0)"), (engine.getReport(), "Report('in memory')")):
            self.assertEqual(repr(thing), text)

    def testTheWarningOfAnIncompleteProfileNamesItsCaller(self):
        import pva

        device = modelOf(2)
        graph = poplar.Graph(device)
        x = graph.addVariable(poplar.FLOAT, [4], poplar.VariableMappingMethod.LINEAR, "x")
        stream = graph.addHostToDeviceFIFO("in", poplar.FLOAT, 4)
        engine = poplar.Engine(graph, program.Copy(stream, x), {"debug.instrument": True})

        def fails(array):
            raise LookupError("no more data")
        engine.connectStreamToCallback(stream, fails)
        engine.load(device)
        with self.assertRaises(LookupError):
            engine.run()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "profile.pop")
            engine.getReport().popscope.save(path)
            for openIt in (popscope.open, pva.openReport):
                with self.assertWarns(pva.IncompleteProfileWarning) as caught:
                    openIt(path)
                self.assertEqual(caught.filename, __file__)

    def testFramesHaveTheNamesOfRuns(self):
        device, engine = adder(options={"debug.instrument": True})
        engine.loadAndRun(device)
        engine.run(0, "second")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "profile.pop")
            engine.getReport().popscope.save(path)
            profile = popscope.open(path)
            names = [run.name for run in profile.report.execution.runs]
            self.assertEqual(names, ["", "second"])
            for frame in ("runs", "device", "inferences"):
                self.assertEqual([(row["run"], row["name"]) for row in profile.frame(frame, "rows")], list(enumerate(names)), frame)

    def testTilesOfTheReportAreOfAllReplicasAndThoseOfFramesOfOne(self):
        model = poplar.IPUModel("ipu2")
        model.tilesPerIPU, model.numIPUs = 4, 2
        graph = poplar.Graph(model.createDevice(), 2)
        x = graph.addVariable(poplar.FLOAT, [100], poplar.VariableMappingMethod.LINEAR, "x")
        graph.createHostRead("x", x)
        engine = poplar.Engine(graph, program.Sequence())
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "profile.pop")
            engine.getReport().popscope.save(path)
            profile = popscope.open(path)
            compilation, rows = profile.report.compilation, profile.frame("tiles", "rows")
            self.assertEqual((len(rows), compilation.target.tilesPerReplica, len(compilation.tiles), len(compilation.ipus)), (4, 4, 8, 2))
            self.assertEqual([tile.memory.total.excludingGaps for tile in compilation.tiles], [row["bytes"] for row in rows] * 2)
            self.assertEqual(profile.numbers()["bytes.allTiles"], sum(row["bytes"] for row in rows))

    def testAnOpenProfileOutlivesItsNameAndTheWorkingFolder(self):
        import pva

        here = os.getcwd()
        self.addCleanup(os.chdir, here)
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            device, engine = adder(options={"autoReport.all": True, "autoReport.directory": folder, "popscope.sampleHost": 1})
            engine.loadAndRun(device)
            del engine
            report, profile = pva.openReport("profile.pop", "debug.cbor"), popscope.open("profile.pop")
            samples = len(pva.hostSamples(report))
            self.assertGreater(samples, 0)
            os.chdir("/")
            self.assertEqual(len(pva.hostSamples(report)), samples)
            pva.OperationAnalysis(report)  # opens debug.cbor
            self.assertEqual(profile.connect().execute("SELECT COUNT(*) FROM runs").fetchone(), (1,))
            if BIN:
                self.assertTrue(os.path.exists(profile.html(os.path.join(folder, "page.html"))))
            os.rename(os.path.join(folder, "profile.pop"), os.path.join(folder, "other.pop"))
            self.assertEqual(len(pva.hostSamples(report)), samples)

    def testAPathNeedNotBeUtf8(self):
        import pva

        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, os.fsdecode(b"\xff.pop"))
            adder()[1].getReport().popscope.save(os.fsencode(path))
            self.assertEqual(os.listdir(folder), [os.path.basename(path)])
            for given in (path, os.fsencode(path), pathlib.Path(path)):
                self.assertEqual(len(pva.openReport(given).compilation.tiles), 4)
            profile = popscope.open(path)
            self.assertEqual(profile.sql("SELECT COUNT(*) AS n FROM runs"), [{"n": 0}])
            self.assertEqual(profile.connect().execute("SELECT COUNT(*) FROM runs").fetchone(), (0,))
            with self.assertRaisesRegex(pva.ProfileError, r"\\xfe.pop: no such file"):
                pva.openReport(os.path.join(folder, os.fsdecode(b"\xfe.pop")))
            with self.assertRaisesRegex(pva.ProfileError, "no such file"):
                pva.openTrace(path + "ti")

    def testTheReportOfARunningEngineIsThatOfPva(self):
        import pva

        device, engine = adder()
        engine.load(device)
        report = engine.getReport()
        self.assertIsInstance(report, pva.Report)
        self.assertEqual(len(report.execution.runs), 0)
        engine.run(0, "first")
        self.assertEqual([run.name for run in report.execution.runs], ["first"])
        self.assertIn("Memory on all IPUs", engine.profileSummary())


if __name__ == "__main__":
    unittest.main()
