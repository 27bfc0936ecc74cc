"""The check of docs/COMPATIBILITY.md finds what it is there to find."""

import os
import tempfile
import unittest

import Compatibility


class CompatibilityTest(unittest.TestCase):
    def testExpectedAndAbsentIsFound(self):
        self.assertEqual(len(Compatibility.check({"poplar::Graph"}, ["poplar::Graph", "poplar::Gone"], {})), 1)
        self.assertEqual(Compatibility.check({"poplar::Graph"}, ["poplar::Graph", "poplar::Gone"],
                                             {"poplar::Gone": ("not applicable", "hardware")}), [])

    def testDiffersNeedsADeclaration(self):
        self.assertEqual(len(Compatibility.check(set(), ["a"], {"a": ("differs", "so")})), 2)

    def testNoteAboutNothingIsFound(self):
        self.assertEqual(len(Compatibility.check({"a"}, ["a"], {"b": ("not applicable", "so")})), 1)

    def testBadNotesAreFound(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "notes.tsv")
            with open(path, "w", encoding="utf-8") as file:
                file.write("a\tdone\twell\nb\tdiffers\t\nc\tdiffers\tso\nc\tdiffers\tso\n")
            notes, findings = Compatibility.readNotes(path)
            self.assertEqual(list(notes), ["c"])
            self.assertEqual(len(findings), 3)

    def testRefusalInSourceIsFound(self):
        with tempfile.TemporaryDirectory() as folder:
            os.makedirs(os.path.join(folder, "graph", "api"))
            with open(os.path.join(folder, "graph", "api", "A.cpp"), "w", encoding="utf-8") as file:
                file.write('throw poplar_error("x is not supported yet");\n')
            self.assertEqual(len(Compatibility.refusals(folder)), 1)

    def testMembersOfBasesCount(self):
        names = {"A", "A::a", "B", "B::b", "C"}
        self.assertEqual(Compatibility.withInherited(names, {"B": ["A"], "C": ["B"]}), names | {"B::a", "C::a", "C::b"})

    def testMissingIsSaidInTheDocument(self):
        text = Compatibility.document({"poplar/A.hpp": {"a": ("function", 2)}}, {"a"}, ["a", "b"], {})
        self.assertIn("| `b` | missing |  |", text)
        self.assertIn("| `a` | function | 2 | done |  |", text)


if __name__ == "__main__":
    unittest.main()
