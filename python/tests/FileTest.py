"""Files that are not profiles, incomplete profiles and damaged profiles."""

import importlib.util
import json
import os
import shutil
import sqlite3
import struct
import sys
import tempfile
import types
import unittest
from unittest import mock

import popscope
import pva
from pva._native import pva as _cpp

from Profiles import openProfile, pathOf


def expand(table):
    return mock.patch.dict(sys.modules, {"pandas": table})


class Changed(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder, self.made = folder.name, 0
        self.path = os.path.join(folder.name, "a profile #1?.pop")

    def write(self, data):
        with open(self.path, "wb") as file:
            file.write(data)

    def profile(self, *statements):
        """Makes a copy of a real profile and changes it by SQL. Each copy is a new file, because an open report locks its file."""
        self.made += 1
        self.path = os.path.join(self.folder, "a profile #1? %d.pop" % self.made)
        shutil.copyfile(pathOf("control_flow"), self.path)
        database = sqlite3.connect(self.path)
        for statement in statements:
            database.execute(statement)
        database.commit()
        database.close()
        return self.path

    def refused(self, says, read=lambda report: None):
        with self.assertRaises(pva.ProfileError) as caught:
            read(pva.openReport(self.path))
        text = str(caught.exception)
        self.assertTrue(text.startswith(self.path + ": "), text)
        self.assertIn(says, text)
        self.assertNotIn("\n", text)
        self.assertIsInstance(caught.exception, RuntimeError)


class Refusals(Changed):
    def testWhatIsNoProfile(self):
        self.refused("no such file")
        self.write(b"")
        self.refused("is empty")
        self.write(b"SQLite format")
        self.refused("is truncated (13 bytes)")
        self.write(b"not a database, but long enough to have a header" * 10)
        self.refused("not a SQLite database")
        os.remove(self.path)
        os.mkdir(self.path)
        self.refused("is a folder without a profile.pop")

    def testATruncatedProfile(self):
        self.profile()
        size = os.path.getsize(self.path)
        with open(self.path, "r+b") as file:
            file.truncate(size // 2)
        self.refused("is truncated (%d of %d bytes)" % (size // 2, size))

    def testForeignNewerAndUnknownFiles(self):
        self.profile("PRAGMA application_id = 1")
        self.refused("not a profile of popscope")
        self.profile("PRAGMA user_version = 99")
        self.refused("newer popscope (format 99, this one reads format %d): update popscope" % _cpp.FORMAT)
        self.profile("PRAGMA user_version = 0")
        self.refused("unknown format 0; this popscope reads format 1")
        self.profile("DROP TABLE steps")
        self.refused("no such table: steps")
        self.profile("ALTER TABLE runs DROP COLUMN name")
        self.refused("no such column: name")
        self.profile("UPDATE meta SET value = '0' WHERE key = 'compilation'")
        self.refused("holds no compiled graph")
        self.profile("UPDATE target SET tiles_per_ipu = 99999999999")
        self.refused("tiles_per_ipu of the table target is 99999999999; valid values are 1 to ")
        self.profile("UPDATE target SET tiles_per_ipu = 0")
        self.refused("tiles_per_ipu of the table target is 0; valid values are 1 to ")
        self.profile("UPDATE memory_by_tile SET total = -1 WHERE tile = 1")
        self.refused("total of the table memory_by_tile is -1; valid values are 0 to ", lambda r: r.compilation.tiles[1].memory.total)
        self.profile("UPDATE execution_cycle_totals SET total_cycles = -7")
        self.refused("total_cycles of the table execution_cycle_totals is -7", lambda r: r.execution.totalCycles)

    def testSchemasThatCouldRunCode(self):
        self.profile("DROP TABLE runs", "CREATE VIEW runs AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 "
                     "FROM n) SELECT x AS id FROM n")
        self.refused("it has a view named runs")
        self.profile("CREATE TRIGGER t AFTER DELETE ON runs BEGIN SELECT 1; END")
        self.refused("it has a trigger named t")
        self.profile("ALTER TABLE runs ADD COLUMN more TEXT AS (hex(name))")
        self.refused("the computed column more")

    def testReferencesThatLeadNowhere(self):
        self.profile("UPDATE steps SET program = 99999 WHERE id = 0")
        self.refused("points to row 99999", lambda r: r.execution.steps[0])
        self.profile("UPDATE programs SET parent = 5 WHERE id = 3")
        self.refused("points to row 5 of 3", lambda r: r.compilation.programs[0].name)
        self.profile("UPDATE steps_by_tile SET cycles = x'ff00000000' WHERE step_id = 1")
        self.refused("corrupt per-tile data: unknown header byte", lambda r: r.execution.steps[1].cyclesByTile)

    def testNamesThatAreNotUtf8(self):
        self.profile("UPDATE runs SET name = CAST(x'61ff62' AS TEXT)", "UPDATE vars_string_table SET string = CAST(x'ff' || string AS TEXT)")
        report = pva.openReport(self.path)
        self.assertEqual({run.name for run in report.execution.runs}, {"a\\xffb"})
        self.assertTrue(all(variable.name.startswith("\\xff") for variable in report.compilation.variables))
        profile = popscope.open(self.path)
        self.assertEqual(profile.sql("SELECT DISTINCT name FROM runs")[0]["name"], "a\\xffb")

    def testADamagedTableIsRefusedEachTime(self):
        self.profile()
        with sqlite3.connect(self.path) as database:
            first, columns = database.execute("SELECT first, columns FROM packed_rows WHERE table_name = 'vars_info' ORDER BY first LIMIT 1").fetchone()
            middle = len(columns) // 2
            damaged = columns[:middle] + bytes(b ^ 0xFF for b in columns[middle:middle + 40]) + columns[middle + 40:]
            database.execute("UPDATE packed_rows SET columns = ? WHERE table_name = 'vars_info' AND first = ?", (damaged, first))
        report = pva.openReport(self.path)
        for _ in range(2):
            with self.assertRaises(pva.ProfileError):
                report.compilation.loweredVariables.forTile(0)

    def testNothingIsWritten(self):
        self.profile()
        os.chmod(self.path, 0o444)
        with open(self.path, "rb") as file:
            before = file.read()
        report = pva.openReport(self.path, os.path.join(os.path.dirname(self.path), "debug.cbor"))
        self.assertGreater(len(list(report.execution.steps)), 0)
        with self.assertRaisesRegex(pva.ProfileError, "may only read"):
            popscope.open(self.path).sql("DELETE FROM runs")
        with open(self.path, "rb") as file:
            self.assertEqual(file.read(), before)
        self.assertEqual(os.listdir(os.path.dirname(self.path)), [os.path.basename(self.path)])


class Saving(Changed):
    def testACopyReadsTheSame(self):
        report = openProfile("control_flow")
        report.popscope.save(self.path)
        copy = pva.openReport(self.path)
        self.assertTrue(copy.popscope.complete)
        self.assertEqual([s.cyclesByTile for s in copy.execution.steps], [s.cyclesByTile for s in report.execution.steps])
        self.assertEqual(os.listdir(os.path.dirname(self.path)), [os.path.basename(self.path)])
        with self.assertRaises(pva.ProfileError):
            report.popscope.save(os.path.join(self.path, "below a file.pop"))

    def testInstrumentationSettings(self):
        settings = openProfile("control_flow").instrumentationSettings  # its option for an execution profile turns on the counters
        self.assertIs(settings.compute, pva.ComputeInstrumentationLevel.Tile)
        self.assertIs(settings.externalExchange, pva.ExternalExchangeInstrumentationLevel.Tile)
        self.profile("UPDATE options SET value = 'false', is_default = 0 WHERE key = 'debug.instrumentCompute'")
        settings = pva.openReport(self.path).instrumentationSettings
        self.assertIs(settings.compute, pva.ComputeInstrumentationLevel.Off)
        self.assertIs(settings.externalExchange, pva.ExternalExchangeInstrumentationLevel.Tile)
        self.profile("DELETE FROM options")
        self.assertIs(pva.openReport(self.path).instrumentationSettings.compute, pva.ComputeInstrumentationLevel.Unknown)


def cbor(value):
    """Returns bytes as DebugInfo's streamer writes them."""
    def head(major, n):
        return bytes([major << 5 | n]) if n < 24 else bytes([major << 5 | 27]) + struct.pack(">Q", n)
    if isinstance(value, int):
        return head(0, value)
    if isinstance(value, str):
        return head(3, len(value.encode())) + value.encode()
    if isinstance(value, list):
        return head(4, len(value)) + b"".join(map(cbor, value))
    return head(5, len(value)) + b"".join(cbor(k) + cbor(v) for k, v in value.items())


class DebugInformation(Changed):
    def operations(self, data):
        self.write(data)
        return pva.OperationAnalysis(pva.openReport(self.withoutIds, self.path)).operations

    def setUp(self):
        """A profile whose programs have no contexts."""
        super().setUp()
        self.withoutIds = os.path.join(os.path.dirname(self.path), "without ids.pop")
        shutil.copyfile(pathOf("mlp"), self.withoutIds)
        database = sqlite3.connect(self.withoutIds)
        database.execute("DELETE FROM meta WHERE key = 'debugContexts'")
        database.commit()
        database.close()

    def testOperationsAreTheProgramsBelowAContextsName(self):
        report = openProfile("mlp")
        named = sorted({p.name for p in report.compilation.programs if p.name.count("/") >= 2})
        outer, inner = named[0].rpartition("/")[0], named[0]
        operations = self.operations(cbor({"contexts": [
            {"id": 1, "parentId": 0, "layer": "poptorch", "name": outer, "location": {"fileName": 1, "functionName": "", "lineNumber": 3}},
            {"id": 2, "parentId": 1, "layer": "poplibs", "name": inner, "args": {"x": 300}},
            {"id": 3, "parentId": 0, "layer": "poplibs", "name": "nothing of this name"}], "stringTable": ["x", "a.cpp"]}))
        self.assertEqual([o.name for o in operations], [outer, inner, "nothing of this name"])
        first, second, third = operations
        self.assertTrue(all(p.name == inner or p.name.startswith(inner + "/") for p in second.programs()))
        self.assertTrue(second.programs())
        self.assertTrue(all(p.name.startswith(outer) and not p.name.startswith(inner) for p in first.programs()))
        self.assertFalse(third.programs())
        self.assertEqual((third.firstStepIndex, third.lastStepIndex, len(third.vars)), (0, 0, 0))
        steps = report.compilation.livenessProgramSteps
        self.assertIn(steps[second.firstStepIndex].program._id, {p._id for p in second.programs()})
        self.assertLessEqual(second.firstStepIndex, second.lastStepIndex)
        used = {v._id for p in second.programs() for v in p.vars}
        self.assertEqual({v._id for v in second.vars}, used)
        context = second.debugContext
        self.assertEqual(json.loads(context.layer), {"layer": "poplibs"})
        self.assertEqual(json.loads(context.json)["args"], {"x": 300})
        self.assertEqual([c.id for c in context.parents], [1])
        self.assertEqual(context.parents[0].location, ("a.cpp", "", 3))
        self.assertFalse(second.replacedDebugContext)
        self.assertFalse(context.parents[0].parents)

    def testTheErrorOfADamagedNameHasItsBytes(self):
        with open(pathOf("mlp"), "rb") as file:
            data = file.read()
        self.assertIn(b"sqlite_autoindex_", data)
        self.write(data.replace(b"sqlite_autoindex_", b"sqlite_autoi\x91dex_"))
        for opened in (pva.openReport, popscope.open):
            with self.assertRaisesRegex(pva.ProfileError, r"malformed database schema \(sqlite_autoi\\x91dex_"):
                opened(self.path)

    def testDamagedDebugInformationIsRefused(self):
        good = cbor({"contexts": [{"id": 1, "name": "a"}]})
        self.assertEqual(len(self.operations(good)), 1)
        for data in (b"", good[:-1], good + b"x", b"\x81" * 10**5, b"\x9f", cbor({"contexts": 3}), cbor([]),
                     cbor({"contexts": [1]}), cbor({"contexts": [{"id": 1}, {"id": 1}]}), cbor({"contexts": [{"name": "a"}]}),
                     cbor({"contexts": [{"id": 1, "parentId": 1}]}), b"\xbb" + b"\xff" * 8, b"\x7b" + b"\xff" * 8):
            with self.assertRaises(pva.ProfileError, msg=repr(data[:20])) as caught:
                self.operations(data)
            self.assertTrue(str(caught.exception).startswith(self.path + ": "))
        os.remove(self.path)
        with self.assertRaises(pva.ProfileError):
            pva.OperationAnalysis(pva.openReport(pathOf("mlp"), self.path))


class AbsentData(Changed):
    def testNoExecution(self):
        report = pva.openReport(self.profile("DELETE FROM runs", "DELETE FROM steps", "DELETE FROM steps_by_ipu", "DELETE FROM steps_by_tile",
                                             "DELETE FROM execution_cycle_totals"))
        self.assertEqual(report.execution.totalCycles.total, 0)
        self.assertEqual(len(report.execution.runs), 0)
        self.assertFalse(report.execution.runs)
        self.assertFalse(report.execution.steps)
        with self.assertRaises(IndexError):
            report.execution.runs[0]
        with self.assertRaises(IndexError):
            report.execution.runs[-1]

    def testNoLoweredVariables(self):
        report = pva.openReport(self.profile("DELETE FROM packed_rows WHERE table_name = 'vars_info'"))
        self.assertFalse(report.compilation.loweredVariables.allBriefVars)
        self.assertFalse(report.compilation.loweredVariables.forTile(0))
        self.assertTrue(all(not p.vars for p in report.compilation.programs))

    def testNoEstimatesAndNoCycles(self):
        report = pva.openReport(self.profile("UPDATE compute_sets SET estimated_cycles = NULL",
                                             "UPDATE programs SET estimated_cycles = NULL",
                                             "DELETE FROM steps_by_tile", "UPDATE steps SET thread_cycles = NULL"))
        self.assertEqual([cs.estimatedCyclesByTile for cs in report.compilation.computeSets if
                          cs.estimatedCyclesByTile], [])
        exchange = next(p for p in report.compilation.programs if p.type == pva.Program.Type.DoExchange)
        self.assertEqual(exchange.estimatedCyclesByTile, [])
        self.assertEqual(report.execution.steps[1].cyclesByTile, [])
        self.assertFalse(report.execution.steps[1].threadCyclesKnown)

    def testTilesOfOtherReplicasAreThoseOfTheFirst(self):
        report = pva.openReport(self.profile("UPDATE target SET num_replicas = 2",
                                             "DELETE FROM memory_by_tile_category WHERE tile >= 4",
                                             "DELETE FROM memory_by_tile_use WHERE tile >= 4",
                                             "DELETE FROM memory_by_tile WHERE tile >= 4"))
        compilation = report.compilation
        self.assertEqual((compilation.target.tilesPerReplica, len(compilation.tiles)), (4, 8))
        for tile in range(4):
            first, second = compilation.tiles[tile].memory, compilation.tiles[tile + 4].memory
            self.assertGreater(first.total.excludingGaps, 0)
            self.assertEqual(first.total, second.total)
            self.assertEqual(list(first.category), list(second.category))
            self.assertEqual(list(compilation.alwaysLiveVariablesForTile(tile)),
                             list(compilation.alwaysLiveVariablesForTile(tile + 4)))
        database = self.profile("DELETE FROM memory_by_tile_category", "DELETE FROM memory_by_tile_use",
                                "DELETE FROM memory_by_tile")
        self.assertEqual(pva.openReport(database).compilation.tiles[7].memory.total, (0, 0))

    def testNoDebugInformationBlocksOrTiles(self):
        report = openProfile("mlp")
        self.assertEqual(len(pva.OperationAnalysis(report).operations), 0)
        self.assertEqual(len(report.execution.blocks(0)), 0)
        for read in (report.execution.blocks, report.compilation.alwaysLiveVariablesForTile,
                     report.compilation.loweredVariables.forTile,
                     report.compilation.variables[0].bytesOn, report.compilation.variables[0].liveStepsOn,
                     report.compilation.livenessProgramSteps[0].notAlwaysLiveMemoryForTile,
                     report.compilation.livenessProgramSteps[0].notAlwaysLiveMemoryForIpu):
            for index in (-1, 10**6):
                with self.assertRaises(IndexError):
                    read(index)


class Tables(unittest.TestCase):
    def setUp(self):
        self.profile = popscope.open(pathOf("control_flow"))

    def testColumnsAreThoseOfTheReport(self):
        steps = self.profile.data("steps")
        self.assertEqual(steps["type"], [s.program.type.name for s in self.profile.report.execution.steps])
        byTile = self.profile.data("steps_by_tile")
        cycles = dict(zip(byTile["step_id"], byTile["cycles"]))
        self.assertEqual([cycles.get(id, []) for id in steps["id"]],
                         [s.cyclesByTile for s in self.profile.report.execution.steps])
        for table in self.profile.tables:
            data = self.profile.data(table)
            self.assertEqual(list(data), [c.name for c in self.profile.columns(table)])
            self.assertEqual(len({len(values) for values in data.values()}), 1)

    @unittest.skipUnless(importlib.util.find_spec("numpy"), "needs numpy")
    def testCyclesOfAllStepsAndOfOneTile(self):
        execution = self.profile.report.execution
        cycles = self.profile.cycles()
        tiles = len(self.profile.report.compilation.tiles)
        self.assertEqual(cycles.shape, (len(execution.steps), tiles))
        self.assertEqual(cycles.tolist(), [s.cyclesByTile or [0] * tiles for s in execution.steps])
        for tile in range(tiles):
            self.assertEqual(execution.cyclesOfTile(tile), cycles[:, tile].tolist())

    def testPandasIsImportedWhenAskedForAndItsLackIsExplained(self):
        fake = types.ModuleType("pandas")
        fake.DataFrame = lambda data: ("frame", data)
        with expand(fake):
            self.assertEqual(self.profile.df("runs"), ("frame", self.profile.data("runs")))
        with expand(None), self.assertRaisesRegex(ImportError, "pandas, which is not installed"):
            self.profile.df("runs")
        with self.assertRaisesRegex(ValueError, "no table 'run'; it has meta, target"):
            self.profile.df("run")


if __name__ == "__main__":
    unittest.main()
