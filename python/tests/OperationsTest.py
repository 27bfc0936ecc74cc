"""Operations and debug contexts of a program that creates DebugInfos."""

import os
import sqlite3
import tempfile
import unittest

import pva

from Profiles import debugInfoOf, openProfile, pathOf

NAME = "operations"


def shown(operations):
    return {o.name: [p.type.name for p in o.programs()] for o in operations}


class Operations(unittest.TestCase):
    def setUp(self):
        self.report = pva.openReport(pathOf(NAME), debugInfoOf(NAME))

    def testProgramsAreThoseMadeInTheContext(self):
        operations = shown(pva.OperationAnalysis(self.report).operations)
        self.assertEqual(sorted(operations), ["model", "model/again", "model/nothing", "model/quadruple",
                                              "model/quadruple/first", "model/quadruple/second"])
        self.assertEqual(operations["model/quadruple/first"], ["OnTileExecute"])
        self.assertEqual(operations["model/quadruple/second"], ["OnTileExecute"])
        self.assertIn("DoExchange", operations["model/quadruple"])
        self.assertEqual(operations["model/again"], ["OnTileExecute"])
        self.assertEqual(operations["model/nothing"], [])
        self.assertIn("Repeat", operations["model"])

    def testAProgramTellsItsContext(self):
        byId = {o.debugContext.id: o for o in pva.OperationAnalysis(self.report).operations}
        seen = 0
        for p in self.report.compilation.programs:
            self.assertEqual(p.debugContext.id, p.debugContextId)
            if p.debugContextId:
                self.assertIn(p, list(byId[p.debugContextId].programs()))
                seen += 1
            else:
                self.assertEqual((p.debugContext.name, p.debugContext.json, list(p.debugContext.parents)), ("", "", []))
        self.assertGreater(seen, 5)

    def testFloatingPointOperationsAddUp(self):
        operations = {o.name: o.flops for o in pva.OperationAnalysis(self.report).operations}
        for name in ("first", "second"):
            self.assertEqual(operations["model/quadruple/" + name], pva.Flops(True, 1, 1, 64))
        self.assertEqual(operations["model/again"].operations, 64)
        self.assertEqual(operations["model/nothing"], pva.Flops(False, 0, 0, 0))
        self.assertEqual(sum(f.operations for f in operations.values()), 192)
        sets = list(self.report.compilation.computeSets)
        self.assertEqual(sum(s.flops.operations for s in sets), 192)
        self.assertEqual(sum(f.flops.operations for f in self.report.compilation.flops), 192)
        self.assertEqual([[v.flops.operations for v in s.vertices] for s in sets if s.name.startswith("model/again")], [[64]])
        executed = [p.computeset.flops.operations for s in self.report.execution.steps for p in [s.program]
                    if p.type.name == "OnTileExecute"]
        self.assertEqual(sum(executed), 64 * (1 + 1 + 3))  # the last compute set runs three times, in a loop

    def testOperandsAreWhatVerticesReadAndWrite(self):
        for s in self.report.compilation.computeSets:
            if s.name.endswith("Double"):
                self.assertEqual([(o.field, o.elementType, o.read, o.written, o.edges, o.elements, o.bytes) for o in s.operands],
                                 [("in", "float", True, False, 1, 64, 256), ("out", "float", False, True, 1, 64, 256)])

    def testAnEstimateOfMoreVerticesThanThereAreIsDamage(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "damaged.pop")
            with open(pathOf(NAME), "rb") as source, open(path, "wb") as copy:
                copy.write(source.read())
            db = sqlite3.connect(path)
            db.execute("UPDATE compute_set_vertices SET flop_vertices = instances + 1")
            db.commit()
            db.close()
            with self.assertRaisesRegex(pva.ProfileError, "corrupt"):
                [s.flops for s in pva.openReport(path).compilation.computeSets]

    def testWithoutDebugInformationThereAreNone(self):
        report = openProfile(NAME)
        self.assertEqual(list(pva.OperationAnalysis(report).operations), [])
        self.assertEqual({p.debugContext.id for p in report.compilation.programs}, {0})

    def testAFileWithoutIdsIsMatchedByName(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "old.pop")
            with open(pathOf(NAME), "rb") as source, open(path, "wb") as copy:
                copy.write(source.read())
            db = sqlite3.connect(path)
            db.execute("DELETE FROM meta WHERE key = 'debugContexts'")
            db.execute("UPDATE programs SET debug_context = NULL")
            db.commit()
            db.close()
            operations = shown(pva.OperationAnalysis(pva.openReport(path, debugInfoOf(NAME))).operations)
            self.assertIn("OnTileExecute", operations["model/quadruple/first"])
            self.assertEqual(operations["model/nothing"], [])


if __name__ == "__main__":
    unittest.main()
