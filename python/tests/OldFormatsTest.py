"""Profiles of older formats are read as they are, from a copy in today's format."""

import os
import shutil
import sqlite3
import struct
import tempfile
import unittest

import pva
from pva import _rows, _schema

from Profiles import PROFILES, openProfile, pathOf


def backToFormat(path, version, tiles):
    """Takes away what came after the format; cycles by tile as format 1 had them."""
    db = sqlite3.connect(path)
    if version < 9:
        for name, table in _schema.TABLES.items():
            if table.packed:
                _rows.unpack(db, name, where="")
    if version == 1:
        db.execute("ALTER TABLE steps ADD COLUMN cycles_by_tile BLOB")
        for step, cycles in enumerate(tiles):
            if cycles:
                kept = cycles[:max(i for i, c in enumerate(cycles) if c) + 1] if any(cycles) else []
                blob = bytes([2 << 2]) + struct.pack("<I", len(kept)) + struct.pack("<%dI" % len(kept), *kept)
                db.execute("UPDATE steps SET cycles_by_tile = ? WHERE id = ?", (blob, step))
    for name, table in _schema.TABLES.items():
        later = [c for c in table.columns if c.since > version]
        if len(later) == len(table.columns):
            db.execute("DROP TABLE IF EXISTS " + name)
        else:
            for column in later:
                db.execute("ALTER TABLE %s DROP COLUMN %s" % (name, column.name))
    db.execute("UPDATE meta SET value = '%d.0.0' WHERE key = 'formatVersion'" % version)
    db.execute("DELETE FROM meta WHERE key = 'debugContexts'")
    db.execute("PRAGMA user_version = %d" % version)
    db.commit()
    db.close()


def facts(report):
    e, c = report.execution, report.compilation
    return {"cycles": [s.cyclesByTile for s in e.steps],
            "runs": [(r.name, len(r.steps), r.totalCycles.total, r.complete) for r in e.runs],
            "types": [(v.type.name, v.instances, v.cycles) for v in e.vertexTypes],
            "ranges": [[(i.cycles, i.allCycles, i.activeCycles) for i in s.ipus] for s in e.steps],
            "programs": [(p.type, p.name, p.controlCodeByTile) for p in c.programs],
            "tile": e.cyclesOfTile(0)}


class OldFormats(unittest.TestCase):
    def older(self, name, version):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = os.path.join(folder.name, "old.pop")
        shutil.copy(pathOf(name), path)
        backToFormat(path, version, [s.cyclesByTile for s in openProfile(name).execution.steps])
        return path

    def testEveryOlderFormatTellsWhatItHolds(self):
        self.assertEqual(_schema.USER_VERSION, 11)  # a newer one belongs below
        for name in PROFILES[1:]:
            new = facts(openProfile(name))
            for version in range(1, 11):
                with self.subTest("%s, format %d" % (name, version)):
                    path = self.older(name, version)
                    with open(path, "rb") as file:
                        before = file.read()
                    report = pva.openReport(path)
                    self.assertEqual(facts(report), new)
                    self.assertEqual(report.version.major, _schema.USER_VERSION)
                    with open(path, "rb") as file:
                        self.assertEqual(file.read(), before)

    def testWhatAnOlderFormatDoesNotHoldIsNotKnown(self):
        report = pva.openReport(self.older("mlp", 3))
        self.assertEqual({s.workerSlots.known for s in report.execution.steps}, {False})
        target = report.compilation.target
        self.assertEqual((list(target.syncDelays), target.minSyncDelay, target.relativeSyncDelayByTile), ([], 0, []))
        self.assertEqual(list(report.compilation.machineCosts), [])
        self.assertEqual({p.debugContextId for p in report.compilation.programs}, {0})
        self.assertEqual([p.barriers for p in report.compilation.programs if p.barriers], [])
        self.assertEqual(pva.openReport(self.older("mlp", 4)).popscope.warnings, [])
        report = pva.openReport(self.older("mlp", 5))
        self.assertEqual((report.compilation.target.machine, list(report.compilation.messageSizes)), ("", []))
        self.assertEqual({len(s.workerSlots.dealtVertices.patterns) for s in report.execution.steps}, {0})
        new, old = openProfile("mlp"), pva.openReport(self.older("mlp", 6))
        told = [{len(p.traffic.bytes) for p in report.compilation.programs if p.type.name == "DoExchange"} for report in (new, old)]
        self.assertTrue(any(told[0]))
        self.assertEqual(told[1], {0})
        self.assertTrue(any(p.moreDebugContextIds for p in new.compilation.programs))
        self.assertEqual({len(p.moreDebugContextIds) for p in old.compilation.programs}, {0})

    def testAnOlderFileHasNoFloatingPointOperationsAndNotNone(self):
        new, old = openProfile("operations"), pva.openReport(self.older("operations", 7))
        self.assertTrue(all(s.flops.known for s in new.compilation.computeSets))
        for s in old.compilation.computeSets:
            self.assertFalse(s.flops.recorded or s.flops.known or s.flops.complete)
        self.assertGreater(sum(s.flops.vertices for s in old.compilation.computeSets), 0)
        self.assertTrue(any(s.operands for s in new.compilation.computeSets))
        self.assertEqual({len(s.operands) for s in old.compilation.computeSets}, {0})

    def testPackedTablesTellWhatTablesTold(self):
        from pva._file import PopFile

        new, path = PopFile(pathOf("mlp")), self.older("mlp", 8)
        old = PopFile(path)
        for table in ("vars_info", "liveness_variables"):
            rows = old.positions(table)
            self.assertGreater(len(rows), 4096)  # more than a block
            self.assertEqual(new.positions(table), rows)
            self.assertEqual((new.count(table), old.count(table)), (len(rows), len(rows)))
            self.assertEqual(new.value(table, "size_bytes", 5000), rows[5000].size_bytes)
            self.assertEqual(new.rows(table, "WHERE id = ?", 4095), [rows[4095]])

    def testPackedRowsThatAreDamagedAreRefused(self):
        for change in ("columns = x'0600000000'", "columns = x''", "count = count + 1", "count = -1", "raw_size = raw_size + 1",
                       "columns = substr(columns, 1, length(columns) - 1)", "columns = NULL", "first = first + 1"):
            with self.subTest(change):
                folder = tempfile.TemporaryDirectory()
                self.addCleanup(folder.cleanup)
                path = os.path.join(folder.name, "damaged.pop")
                shutil.copy(pathOf("control_flow"), path)
                db = sqlite3.connect(path)
                db.execute("PRAGMA ignore_check_constraints = ON")
                try:
                    db.execute("UPDATE packed_rows SET %s WHERE table_name = 'vars_info'" % change)
                except sqlite3.IntegrityError:
                    db.close()
                    continue  # the schema refuses it
                db.commit()
                db.close()
                with self.assertRaisesRegex(pva.ProfileError, "corrupt|decompress"):
                    pva.openReport(path).compilation.loweredVariables.allBriefVars

    def testAnOlderFileThatIsDamagedIsRefused(self):
        path = self.older("control_flow", 1)
        db = sqlite3.connect(path)
        db.execute("UPDATE steps SET cycles_by_tile = x'ff00000000' WHERE id = 1")
        db.commit()
        db.close()
        with self.assertRaisesRegex(pva.ProfileError, "corrupt"):
            pva.openReport(path)


if __name__ == "__main__":
    unittest.main()
