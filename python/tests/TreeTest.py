"""The classes and members equal those of the C++ headers, and behave as Python scripts expect."""

import collections.abc
import os
import pathlib
import re
import unittest

import popscope
import pva

from Profiles import PROFILES, openProfile, pathOf

ROOT = pathlib.Path(__file__).resolve().parents[2]
RENAMED = {"from": "cyclesFrom", "to": "cyclesTo", "majorVer": "major", "minorVer": "minor", "pointVer": "point"}
CATEGORIES = ("constant", "controlCode", "controlId", "controlTable", "copyDescriptor", "globalExchangeCode",
              "globalExchangePacketHeader", "globalMessage", "hostExchangeCode", "hostExchangePacketHeader",
              "hostMessage", "instrumentationResults", "internalExchangeCode", "message", "multiple", "outputEdge", "rearrangement",
              "sharedCodeStorage", "sharedDataStorage", "stack", "variable", "vectorListDescriptor", "vertexCode",
              "vertexFieldData", "vertexInstanceState")


def headerClasses():
    """Yields (class, text of its public part) for each class in the C++ headers."""
    for header in sorted((ROOT / "report/include/pva").glob("*.hpp")):
        text = header.read_text(encoding="utf-8")
        for match in re.finditer(r"^(?:class|struct) (\w+)[^;{]*\{\n(.*?)^\};", text, re.MULTILINE | re.DOTALL):
            yield match.group(1), re.split(r"^(?:private|protected):", match.group(2), flags=re.MULTILINE)[0]


class SameTreeAsCpp(unittest.TestCase):
    def testEveryAccessorOfTheHeadersIsThere(self):
        found = 0
        for name, body in headerClasses():
            if name in ("Values", "List"):
                continue
            self.assertTrue(hasattr(pva, name), name)
            for field in re.findall(r"^  \S.*?\b(\w+)\([^()]*\) const(?: override)?[ ;]", body, re.MULTILINE):
                if not field.startswith("operator"):
                    self.assertTrue(hasattr(getattr(pva, name), RENAMED.get(field, field)), "%s.%s" % (name, field))
                    found += 1
        self.assertGreater(found, 130)

    def testEveryVisitMethodIsThereAndTakesOneArgument(self):
        names = re.findall(r"virtual void (visit\w+)\(", (ROOT / "report/include/pva/Program.hpp").read_text())
        self.assertGreater(len(names), 30)
        for name in names:
            self.assertIsNone(getattr(pva.ProgramVisitor(), name)(None))

    def testEnumsHaveTheNamesAndValuesOfTheHeaders(self):
        program = (ROOT / "report/include/pva/Program.hpp").read_text()
        report = (ROOT / "report/include/pva/pva.hpp").read_text()
        for enum, text, name in ((pva.Program.Type, program, "Type"), (pva.Target.Type, report, "Type"),
                                 (pva.IPU.Architecture, report, "Architecture"),
                                 (pva.ComputeInstrumentationLevel, report, "ComputeInstrumentationLevel"),
                                 (pva.ExternalExchangeInstrumentationLevel, report,
                                  "ExternalExchangeInstrumentationLevel")):
            listed = re.search(r"enum class %s \{(.*?)\}" % name, text, re.DOTALL).group(1)
            self.assertEqual([n.strip() for n in listed.split(",")], list(enum.__members__))
            self.assertEqual([member.value for member in enum], list(range(len(enum))))

    def testCategoriesStandInTheOrderOfTheFile(self):
        self.assertEqual(pva.storageCategoryNames(), list(CATEGORIES))
        for name in PROFILES:
            self.assertEqual([name for name, _ in openProfile(name).compilation.tiles[0].memory.category], list(CATEGORIES))
            self.assertEqual(popscope.open(pathOf(name)).data("var_categories")["name"], list(CATEGORIES))


class EveryField(unittest.TestCase):
    """Reads each property of each kind of object that a report leads to."""

    def setUp(self):
        self.read = set()
        self.kinds = {}

    def walk(self, thing):
        kind = type(thing)
        if not kind.__module__.startswith("pva.pva_core") or self.kinds.get(kind, 0) >= 3:
            return
        self.kinds[kind] = self.kinds.get(kind, 0) + 1
        self.assertTrue(repr(thing))
        for name in dir(kind):
            field = getattr(kind, name)
            if not name.startswith("_") and not callable(field):
                value = getattr(thing, name)
                self.read.add("%s.%s" % (kind.__name__, name))
                isList = isinstance(value, collections.abc.Sequence) and not hasattr(value, "_fields")
                for element in (value[:3] if isList else [value]):
                    self.walk(element)
        if hasattr(kind, "notAlwaysLiveMemoryForTile"):
            self.walk(thing.notAlwaysLiveMemoryForTile(0))
            self.walk(thing.notAlwaysLiveMemoryForIpu(0))
        if hasattr(kind, "forTile"):
            for variable in [v for v in thing.forTile(0) if v.hasUnloweredVar][:3]:
                self.walk(variable)

    def testEveryPropertyCanBeRead(self):
        self.walk(openProfile("control_flow"))
        for program in openProfile("control_flow").compilation.programs:
            self.walk(program)
        self.kinds.clear()
        self.walk(next(step for step in openProfile("control_flow").execution.steps if step.computeSets))
        for seen in ("Report.version ProfileReportVersion.isUnstableFormat PoplarVersion.string Target.bytesPerIPU "
                     "Graph.numVertices TileMemory.overflowed MemorySize.includingGaps Categories.controlCode "
                     "CategoryRegion.overlapped VertexOnTile.codeBytes VertexType.size IPU.tiles Variable.size "
                     "LivenessMemory.variables LivenessProgramStep.program BriefVar.equivalenceClass StepInterval.start "
                     "LoweredVariable.unloweredVar DoExchangeProgram.estimatedCyclesByTile VertexInstances.countByTile "
                     "OnTileExecuteProgram.computeset SequenceProgram.children ExecutionReport.totalCycles "
                     "CycleTotals.total Run.microseconds Microseconds.end ExecutionStep.cyclesByTile "
                     "ExecutionStepIpu.activeTileBalance ExecutionStepIpu.dataOut CycleRange.cyclesFrom CycleLimits.max "
                     "ExecutionComputeSet.estimatedCyclesByTile").split():
            self.assertIn(seen, self.read)
        self.assertGreater(len(self.read), 180)


class PythonConventions(unittest.TestCase):
    def setUp(self):
        self.report = openProfile("control_flow")

    def testTypesPrintAsThoseOfPvaCore(self):
        self.assertEqual(repr(type(self.report.execution.steps[0])), "<class 'pva.pva_core.ExecutionStep'>")
        self.assertIs(pva.pva_core.Program, pva.Program)
        self.assertIsInstance(self.report, pva.Report)

    def testProgramsHaveTheClassOfTheirType(self):
        types = {p.type for p in self.report.compilation.programs}
        self.assertLessEqual({pva.Program.Type.Sync, pva.Program.Type.DoExchange, pva.Program.Type.OnTileExecute,
                              pva.Program.Type.GlobalExchange}, types)
        for p in self.report.compilation.programs:
            self.assertIsInstance(p, pva.Program)
            expected = "Program" if p.type.name in ("Sync", "Unknown") else p.type.name + "Program"
            self.assertEqual(type(p).__name__, expected)
        syncs = {p.name for p in self.report.compilation.programs if p.type == pva.Program.Type.Sync}
        self.assertIn("Internal", syncs)
        self.assertEqual(len(syncs), 2)

    def testAcceptCallsTheOneMethodOfTheTypeAndDoesNotDescend(self):
        class Recorder(pva.ProgramVisitor):
            def __init__(self):
                self.called = []

            def __getattribute__(self, name):
                if not name.startswith("visit"):
                    return super().__getattribute__(name)
                return lambda program: self.called.append((name, program))

        for p in self.report.compilation.programs:
            recorder = Recorder()
            p.accept(recorder)
            self.assertEqual(recorder.called, [("visit" + p.type.name, p)] if p.type.name != "Unknown" else [])
        with self.assertRaises(TypeError):
            p.accept(object())

    def testSequencesBehaveAsLists(self):
        for sequence in (self.report.execution.runs, self.report.compilation.programs, self.report.compilation.tiles,
                         self.report.execution.steps[0].ipus):
            n = len(sequence)
            self.assertTrue(n > 1 and sequence)
            self.assertEqual(len(list(sequence)), n)
            self.assertEqual(repr(sequence[-1]), repr(sequence[n - 1]))
            self.assertEqual([repr(x) for x in sequence[1:]], [repr(x) for x in list(sequence)[1:]])
            self.assertEqual(len(sequence[::-1][:1]), 1)
            self.assertFalse(sequence[:0])
            for index in (n, -n - 1):
                with self.assertRaises(IndexError):
                    sequence[index]
            with self.assertRaises(TypeError):
                sequence["0"]

    def testByTileDataAreListsOfInt(self):
        step = next(s for s in self.report.execution.steps if s.program.type.name == "OnTileExecute")
        exchange = next(p for p in self.report.compilation.programs if p.type.name == "DoExchange")
        numTiles = self.report.compilation.target.numTiles
        for values in (step.cyclesByTile, step.computeSets[0].cyclesByTile, step.program.controlCodeByTile,
                       step.program.computeset.vertices[0].countByTile, exchange.codeBytesByTile,
                       exchange.bytesSentByTile, exchange.bytesReceivedByTile):
            self.assertIs(type(values), list)
            self.assertEqual({type(v) for v in values}, {int})
            self.assertEqual(len(values), numTiles)
        step.cyclesByTile.clear()  # changes only a copy, not the report
        self.assertEqual(len(step.cyclesByTile), numTiles)

    def testUnknownNamesAndAssignmentsAreAttributeErrors(self):
        compilation = self.report.compilation
        for thing in (self.report, compilation, compilation.target, compilation.tiles[0].memory,
                      compilation.programs[0], self.report.execution, self.report.execution.totalCycles, compilation.tiles[0].memory.total):
            self.assertFalse(hasattr(thing, "used"))
            with self.assertRaises(AttributeError):
                thing.used = 1
        with self.assertRaises(AttributeError):
            compilation.target.numTiles = 1
        self.assertFalse(hasattr(pva, "preview"))
        self.assertIn("bytesPerIPU", dir(compilation.target))
        self.assertIn("internalExchangeCode", dir(compilation.tiles[0].memory.category))

    def testHashAndEqualityAreByTheThingNotTheObject(self):
        programs = self.report.compilation.programs
        self.assertEqual(len({programs[1], programs[1], programs[2]}), 2)
        self.assertEqual(len({s.program for s in self.report.execution.steps} - set(programs)), 0)
        self.assertNotEqual(programs[1], openProfile("mlp").compilation.programs[1])
        self.assertEqual({pva.Program.Type.Sync: 1}[pva.Program.Type["Sync"]], 1)
        for enumeration in (pva.Program.Type, pva.Target.Type, pva.IPU.Architecture, pva.ComputeInstrumentationLevel,
                            pva.ExternalExchangeInstrumentationLevel):
            self.assertEqual([int(e) for e in enumeration], list(range(len(enumeration))))
        self.assertEqual("abcdef"[pva.ComputeInstrumentationLevel.Device], "e")
        lowered = [v for v in self.report.compilation.loweredVariables.forTile(0) if v.hasUnloweredVar]
        sizes = {v: v.size for v in self.report.compilation.alwaysLiveVariablesForTile(0)}
        for step in self.report.compilation.livenessProgramSteps:
            sizes.update((v, v.size) for v in step.notAlwaysLiveMemoryForTile(0).variables)
        found = {v.unloweredVar for v in lowered} & set(sizes)
        self.assertGreaterEqual(len(found), 5)
        self.assertEqual({v.name for v in found}, {v.unloweredVar.name for v in lowered if v.unloweredVar in sizes})

    def testReprsAreShortAndListPrintLengthSaysHowLong(self):
        programs = self.report.compilation.programs
        try:
            self.report.listPrintLength(2)
            self.assertEqual(repr(programs).count("<"), 2)
            self.assertIn("... %d in all]" % len(programs), repr(programs))
            self.report.listPrintLength(len(programs))
            self.assertEqual(repr(programs).count("<"), len(programs))
            with self.assertRaises(ValueError):
                self.report.listPrintLength(-1)
        finally:
            self.report.listPrintLength(10)
        self.assertIn("numIPUs=2", repr(self.report.compilation.target))

    def testPublicThingsHaveDocstrings(self):
        for name in ("clockFrequency", "bytesPerTile", "totalMemory"):
            self.assertTrue(getattr(pva.Target, name).__doc__, name)
        self.assertIn("bytes", pva.Program.controlCodeByTile.__doc__.lower())
        self.assertTrue(os.path.isfile(os.path.join(os.path.dirname(pva.__file__), "py.typed")))


if __name__ == "__main__":
    unittest.main()
