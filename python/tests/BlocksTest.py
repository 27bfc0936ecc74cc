"""Blocks of lightweight profiling, and runs that were left out. SQL writes both into a copy of a real profile."""

import os
import shutil
import sqlite3
import tempfile
import unittest

import popscope
import pva

from Profiles import pathOf


class Blocks(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "profile.pop")
        shutil.copyfile(pathOf("control_flow"), self.path)

    def change(self, *statements):
        """Returns the report of a changed copy of the profile. Each copy is a new file, because an open report locks its file."""
        before, self.path = self.path, self.path + "_"
        shutil.copyfile(before, self.path)
        database = sqlite3.connect(self.path)
        for statement in statements:
            database.execute(statement)
        database.commit()
        database.close()
        return pva.openReport(self.path).execution

    def testBlocksOfATileInOrderWithTheirKinds(self):
        execution = self.change("INSERT INTO blocks VALUES (1, 0, 2, 'common', 10, 90, 0), (1, 1, 3, 'stream copy', 20, 30, 0), "
                                "(1, 2, 3, 'block flush', 40, 50, 0), (1, 3, 2, 'overflow', 60, 70, 1), (0, 0, 1, 'common', 5, NULL, 1)")
        blocks = execution.blocks(1)
        self.assertIsInstance(blocks[0], pva.pva_core.Block)
        self.assertEqual([(b.isCommon, b.isStreamCopy, b.isBlockFlush, b.isOverflow) for b in blocks],
                         [(True, False, False, False), (False, True, False, False), (False, False, True, False), (False, False, False, True)])
        self.assertEqual([(b.cyclesFrom, b.cyclesTo, b.runNumber, b.tile) for b in blocks][0::3], [(10, 90, 0, 1), (60, 70, 1, 1)])
        self.assertEqual(blocks[0].program._id, 2)
        self.assertTrue(all(b.isClosed for b in blocks))
        opened = execution.blocks(0)[0]
        self.assertEqual((opened.isClosed, opened.cyclesTo), (False, 5))
        self.assertEqual(len(execution.blocks(2)), 0)
        with self.assertRaises(IndexError):
            execution.blocks(10 ** 6)

    def testCorruptBlocksAreRefused(self):
        for row, why in (("(0, 1, 1, 'common', 5, 6, 0)", "id 1"), ("(0, 0, 1, 'odd', 5, 6, 0)", "kind 'odd'"),
                         ("(0, 0, 1, 'common', 5, 4, 0)", "ends before"), ("(0, 0, 1000000, 'common', 5, 6, 0)", "reference")):
            with self.subTest(why):
                execution = self.change("DELETE FROM blocks", "INSERT INTO blocks VALUES " + row)
                with self.assertRaisesRegex(pva.ProfileError, why):
                    execution.blocks(0)

    def testRunsThatWereLeftOutAndNumbersAndLabels(self):
        execution = self.change("DELETE FROM paused_spans", "INSERT INTO paused_spans VALUES (2, 5, 'run count', NULL), (9, 1, 'scope', 77)",
                                "UPDATE runs SET number = 8, label = 'epoch 3' WHERE id = 0")
        self.assertEqual([tuple(s) for s in execution.pausedSpans],
                         [(2, 5, "run count", False, 0), (9, 1, "scope", True, 77)])
        run = execution.runs[0]
        self.assertEqual((run.numberKnown, run.number, run.label), (True, 8, "epoch 3"))
        self.assertEqual(popscope.open(self.path).data("paused_spans")["runs"], [5, 1])
        self.assertEqual(self.change("UPDATE runs SET number = NULL").runs[0].numberKnown, False)


if __name__ == "__main__":
    unittest.main()
