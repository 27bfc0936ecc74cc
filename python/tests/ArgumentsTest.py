"""For every function of the compiled module, errors for wrong arguments name the argument, what is expected and the given value."""

import importlib.util
import inspect
import os
import pathlib
import tempfile
import types
import unittest

import popscope
from popscope import poplar
from popscope.poplar import program
import pva
from pva import _native


def modelOf(tiles):
    model = poplar.IPUModel("ipu2")
    model.tilesPerIPU = tiles
    return model.createDevice()


def profileIn(folder):
    """Writes and opens the profile of a program that does nothing."""
    path = os.path.join(folder, "profile.pop")
    poplar.Engine(poplar.Graph(modelOf(2)), program.Sequence()).getReport().popscope.save(path)
    return popscope.open(path)


def functions(scope, path=""):
    """Yields (path, function) for each function of a pybind11 module, including constructors."""
    for name, member in list(vars(scope).items()):
        member = member.__func__ if isinstance(member, staticmethod) else member
        if inspect.ismodule(member) or (inspect.isclass(member) and not issubclass(member, Exception)):
            yield from functions(member, path + name + ".")
        elif isinstance(member, types.BuiltinFunctionType) or type(member).__name__ == "instancemethod":
            if "(" in (member.__doc__ or ""):
                yield path + name, (scope if name == "__init__" else member)


class Arguments(unittest.TestCase):
    def testNoFunctionHasTheMessageOfPybind(self):
        class Strange:
            def __repr__(self):
                raise LookupError("has no text")
        found = {name: function for name, function in functions(_native) if not name.endswith("__") or name.endswith(("__init__", "__getitem__"))}
        self.assertGreater(len(found), 150)
        refused = 0
        for name, function in found.items():
            for arguments, named in (((Strange(),), {}), ((), {"nosuch": 1}), ((Strange(),) * 12, {}), ((), {}), ((-1,), {})):
                with self.subTest(name=name, arguments=len(arguments), named=named):
                    try:
                        function(*arguments, **named)
                    except TypeError as error:
                        refused += 1
                        self.assertNotRegex(str(error), "incompatible|Invoked with|\n|pva_core|std::")
                        self.assertTrue(": " in str(error) or "()" in str(error), str(error))
                    except Exception:
                        pass
        self.assertGreater(refused, 500)

    def testEveryPartIsNamed(self):
        device = modelOf(2)
        graph = poplar.Graph(device)
        x = graph.addVariable(poplar.FLOAT, [8, 3], "x")
        stream = graph.addHostToDeviceFIFO("s", poplar.FLOAT, 24)
        remote = graph.addRemoteBuffer("r", poplar.FLOAT, 24)
        empty = program.Sequence()
        for text, call in (
                ("IPUModel: ipuVersion is a str, not 2", lambda: poplar.IPUModel(2)),
                ("Switch: cases is a dict, not [7]", lambda: program.Switch(x[0], [7])),
                ("Execute: computeSet is a ComputeSet, not 'cs'", lambda: program.Execute("cs")),
                ("Copy: dst is a Tensor, a DataStream or a RemoteBuffer, not 3", lambda: program.Copy(x, 3)),
                ("Copy: dst is a Tensor, not 3", lambda: program.Copy(stream, 3)),
                ("Copy: name is a str or offset is a Tensor, not 3", lambda: program.Copy(remote, x, 3)),
                ("Copy: src is a Tensor, a DataStream or a RemoteBuffer, not None", lambda: program.Copy(None, x)),
                ("Copy: src is missing; it is a Tensor, a DataStream or a RemoteBuffer", program.Copy),
                ("Copy: the arguments dontOutline and offset do not go together", lambda: program.Copy(x, x, dontOutline=True, offset=x)),
                ("Sequence: it takes at most 2 arguments (programs and name), not 3", lambda: program.Sequence(empty, empty, empty)),
                ("Call: function is a Function, not 'f'", lambda: program.Call("f")),
                ("If: trueBody is missing; it is a Program", lambda: program.If(x)),
                ("Repeat: count is an integer of 0 or more, not -1", lambda: program.Repeat(-1, empty)),
                ("Repeat: count is an integer of 0 or more, not 4294967296, which is more than 4294967295", lambda: program.Repeat(2**32, empty)),
                ("Sync: type is a SyncType such as SyncType.INTERNAL, not 'all'", lambda: program.Sync("all")),
                ("CrossReplicaCopy: replicaMap is a dict of integers of 0 or more to integers of 0 or more, not {'a': 1}",
                 lambda: program.CrossReplicaCopy(x, x, {"a": 1})),
                ("PrintTensor: tensor is a Tensor, not 3", lambda: program.PrintTensor(3)),
                ("Graph: target is a Target or device is a Device, not 'ipu2'", lambda: poplar.Graph("ipu2")),
                ("Graph: there is no argument replicas; the arguments are target, replicationFactor and device", lambda: poplar.Graph(device, replicas=2)),
                ("Graph: device is given twice, by its place and by its name", lambda: poplar.Graph(device, device=device)),
                ("Graph.addVariable: type is missing; it is a type such as popscope.poplar.FLOAT", graph.addVariable),
                ("Graph.addVariable: shape is a list of integers of 0 or more, not [2, 'a']", lambda: graph.addVariable(poplar.FLOAT, [2, "a"])),
                ("Graph.addVariable: name is a str or mappingMethod is a VariableMappingMethod such as VariableMappingMethod.NONE, not 5",
                 lambda: graph.addVariable(poplar.FLOAT, [1], 5)),
                ("Graph.addCodelets: source is a str, bytes or os.PathLike, not 3", lambda: graph.addCodelets(3)),
                ("Graph.addHostToDeviceFIFO: numElements is an integer of 0 or more, not -1", lambda: graph.addHostToDeviceFIFO("t", poplar.FLOAT, -1)),
                ("Graph.setPerfEstimate: vertex is a VertexRef, not 'v'", lambda: graph.setPerfEstimate("v", 3)),
                ("Graph.getTileMapping: tensor is a Tensor, not 3", lambda: graph.getTileMapping(3)),
                ("Tensor.dimShuffle: permutation is a list of integers of 0 or more, not 1", lambda: x.dimShuffle(1)),
                ("Tensor.dimShuffle: it takes one argument (permutation), not 2", lambda: x.dimShuffle([0, 1], 1)),
                ("Tensor.transpose: it takes no argument, not 1", lambda: x.transpose(1)),
                ("Tensor.slice: begin is an integer of 0 or more, not 'a'", lambda: x.slice("a", 99)),
                ("Tensor.broadcast: N is an integer of 0 or more, not -1", lambda: x.broadcast(-1, 0)),
                ("IPUModel.createDevice: call it on an IPUModel, not on the class", lambda: poplar.IPUModel.createDevice()),
                ("IPUModel.createDevice: call it on an IPUModel, not on 3", lambda: poplar.IPUModel.createDevice(3)),
                ("Graph.addComputeSet: name is a str, not '\\udc80'", lambda: graph.addComputeSet("\udc80")),
                ('addConstant: constant "<const>": a value must be a real number, or an integer of at most 64 bits, not 1180591620717411303424', lambda: graph.addConstant(poplar.FLOAT, [1], [2**70])),
                ('addConstant: constant "<const>": a value must be a real number, or an integer of at most 64 bits, not 1j', lambda: graph.addConstant(poplar.FLOAT, [1], [1j])),
                ("Engine.run: program is an integer of 0 or more, not 'a'", lambda: poplar.Engine(graph, empty).run("a")),
                ("Graph.addFunction: program is a Program, not 3", lambda: graph.addFunction(3)),
                ("OperationAnalysis: report is a Report, not None", lambda: pva.OperationAnalysis(None)),
                ("createIPUTarget: systemType is a str, not ['" + "long" * 20, lambda: poplar.Target.createIPUTarget(1, ["long" * 100]))):
            with self.subTest(text):
                with self.assertRaises(TypeError) as caught:
                    call()
                given = str(caught.exception)
                self.assertTrue(given == text or (text.endswith("long") and given.startswith(text) and len(given) < 180), given)

    def testAPathIsNamed(self):
        with tempfile.TemporaryDirectory() as folder:
            profile = profileIn(folder)
            for text, call in (
                    ("openReport: profilePath", lambda: pva.openReport(3)),
                    ("openReport: debugInfoPath", lambda: pva.openReport(os.path.join(folder, "profile.pop"), 3)),
                    ("openTrace: path", lambda: pva.openTrace(3)),
                    ("open: path", lambda: popscope.open(3)),
                    ("connect: path", lambda: popscope.connect(3)),
                    ("export: folder", lambda: profile.export("md", 3)),
                    ("profile: directory", lambda: popscope.profile(3)),
                    ("archive: folder", lambda: popscope.archive(3)),
                    ("archive: database", lambda: popscope.archive(folder, 3)),
                    ("sweep: database", lambda: popscope.sweep(print, {"x": [1]}, database=3)),
                    ("openSweep: path", lambda: popscope.openSweep(3))):
                with self.subTest(text):
                    with self.assertRaises(TypeError) as caught:
                        call()
                    self.assertEqual(str(caught.exception), text + " is a str, bytes or os.PathLike, not 3")

    def testNamesAreAList(self):
        for wrong in (3, [3], ["md", None]):
            with self.subTest(wrong):
                with self.assertRaises(TypeError) as caught:
                    popscope.profile("report", formats=wrong)
                self.assertEqual(str(caught.exception), "formats is a list of names, not %r" % (wrong,))

    def testFormatsAreOneNameOrSeveral(self):
        with tempfile.TemporaryDirectory() as folder:
            profile, to = profileIn(folder), os.path.join(folder, "to")
            for formats in ("dot", ["dot"], ("dot",)):
                self.assertTrue(profile.export(formats, to), formats)
            for formats, wrong in (("dott", "dott"), ("dot,csv", "dot,csv"), (["dot", "x"], "x"), ([3], "3")):
                with self.assertRaisesRegex(ValueError, "^there is no format '?%s'?; there are: chrome, perfetto, " % wrong):
                    profile.export(formats, to + "-wrong")
            self.assertEqual(sorted(os.listdir(folder)), ["profile.pop", "to"])

    def testOptionsOfAViewAreTexts(self):
        with tempfile.TemporaryDirectory() as folder:
            profile = profileIn(folder)
            for text, arguments, named in (
                    ("view: count is None or an integer of 0 or more, not 'zzz'", ("top", "--of", "zzz"), {}),
                    ("view: count is None or an integer of 0 or more, not -1", ("top",), {"count": -1}),
                    ("view: the option options is a str or a whole number, not {'of': 'zz'}; give each option of the view by its name, as in of=\"steps\"", ("top",), {"options": {"of": "zz"}}),
                    ("view: the argument is a str or a whole number, not 0.5; give each option of the view by its name, as in of=\"steps\"", ("tile", 0.5), {})):
                with self.subTest(text):
                    with self.assertRaises(TypeError) as caught:
                        profile.view(*arguments, **named)
                    self.assertEqual(str(caught.exception), text)

    def testATypeErrorOfACallbackStays(self):
        device = modelOf(2)
        graph = poplar.Graph(device)
        x = graph.addVariable(poplar.FLOAT, [4], poplar.VariableMappingMethod.LINEAR, "x")
        engine = poplar.Engine(graph, program.Copy(graph.addHostToDeviceFIFO("in", poplar.FLOAT, 4), x))

        def fails(array):
            raise TypeError("f(): incompatible function arguments. The following argument types are supported:\n    1. (a: int) -> int\n\nInvoked with: 'a'")
        engine.connectStreamToCallback("in", fails)
        with self.assertRaisesRegex(TypeError, "^f..: incompatible"):
            engine.loadAndRun(device)

    def testTheOptionsOfAnEngineAreADict(self):
        graph = poplar.Graph(modelOf(2))
        for wrong in ("abc", ["debug.instrument"], 3):
            with self.assertRaises(TypeError) as caught:
                poplar.Engine(graph, program.Sequence(), wrong)
            self.assertEqual(str(caught.exception), "Engine: options is a dict, not %r" % (wrong,))

    def testTheValueOfAnOptionIsNamed(self):
        graph = poplar.Graph(modelOf(2))
        engine = poplar.Engine(graph, program.Sequence(), {"debug.instrument": True, "autoReport.executionProfileProgramRunCount": 3})
        if importlib.util.find_spec("numpy"):
            import numpy

            options = poplar.Engine(graph, program.Sequence(), {"debug.instrument": numpy.bool_(True), "popscope.sampleMemory": numpy.int64(4)}).getEngineOptions()
            self.assertEqual((options["debug.instrument"], options["popscope.sampleMemory"]), ("true", "4"))
        path = poplar.Engine(graph, program.Sequence(), {"autoReport.directory": pathlib.Path("a")}).getEngineOptions()["autoReport.directory"]
        self.assertEqual(path, "a")
        for call, make in (("Engine", lambda options: poplar.Engine(graph, program.Sequence(), options)),
                           ("Graph.addHostToDeviceFIFO", lambda options: graph.addHostToDeviceFIFO("in", poplar.FLOAT, 4, options)),
                           ("Graph.addDeviceToHostFIFO", lambda options: graph.addDeviceToHostFIFO("out", poplar.FLOAT, 4, options)),
                           ("Engine.profileSummary", engine.profileSummary)):
            for options, text in (({"popscope.x": [1]}, "the value of \"popscope.x\" is a bool, int, float, str or os.PathLike, not [1]"),
                                  ({"popscope.x": None}, "the value of \"popscope.x\" is a bool, int, float, str or os.PathLike, not None"),
                                  ({3: True}, "the name of an option is a str, not 3")):
                with self.subTest(call=call, options=options):
                    with self.assertRaises(TypeError) as caught:
                        make(options)
                    self.assertEqual(str(caught.exception), "%s: %s" % (call, text))


if __name__ == "__main__":
    unittest.main()
