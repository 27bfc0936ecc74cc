"""The check of docs/PVA.md finds each kind of fault."""

import os
import tempfile
import types
import unittest

import PvaFields

ROW = ["Tile.memory", "C", "Tile::memory", "Tile.memory", ""]
CPP, PYTHON = {"Tile": "class", "Tile::memory": "member"}, {"Tile", "Tile.memory"}
TEXTS = ["tile.memory()", "tile.memory"]


class PvaFieldsTest(unittest.TestCase):
    def testAllIsWell(self):
        self.assertEqual(PvaFields.check([ROW], CPP, PYTHON, TEXTS), [])

    def testMissingInOneLanguageIsFound(self):
        self.assertEqual(len(PvaFields.check([ROW], {}, PYTHON, TEXTS)), 1)
        self.assertEqual(len(PvaFields.check([ROW], CPP, set(), TEXTS)), 1)

    def testAbsenceNeedsAReasonAndMustBeTrue(self):
        absent = ["Tile.memory", "K", "-", "-", ""]
        self.assertEqual(len(PvaFields.check([absent], {}, set(), TEXTS)), 2)
        absent[4] = "no need"
        self.assertEqual(PvaFields.check([absent], {}, set(), TEXTS), [])
        self.assertEqual(len(PvaFields.check([absent], CPP, PYTHON, TEXTS)), 2)

    def testWhatClientsUseMustBeCompared(self):
        self.assertEqual(len(PvaFields.check([ROW], CPP, PYTHON, ["tile.memoryX()", "tile.memory"])), 1)
        self.assertEqual(len(PvaFields.check([ROW], CPP, PYTHON, ["tile.memory()", ""])), 1)

    def testExtensionsAreListed(self):
        more = dict(CPP, **{"Tile::weight": "member", "List": "class"})
        self.assertEqual(PvaFields.extensions([ROW], more, PYTHON | {"Tile.size"}),
                         [("Tile.size", "-", "Tile.size"), ("Tile.weight", "Tile::weight", "-")])

    def testPythonNamesComeFromTheClasses(self):
        class Tile:
            __slots__ = ("_model",)

            @property
            def memory(self):
                return 1

        package = types.SimpleNamespace(__all__=["Tile"], Tile=Tile)
        self.assertEqual(PvaFields.pythonNames(package), {"Tile", "Tile.memory"})

    def testBadRowsAreFound(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "pva.tsv")
            with open(path, "w", encoding="utf-8") as file:
                file.write("a\tC\ta\ta\t\na\tC\ta\ta\t\nb\tX\tb\tb\t\nc\tC\tc\n")
            table, findings = PvaFields.readTable(path)
            self.assertEqual([row[0] for row in table], ["a"])
            self.assertEqual(len(findings), 3)


if __name__ == "__main__":
    unittest.main()
