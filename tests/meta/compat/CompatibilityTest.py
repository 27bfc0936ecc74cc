"""The check of docs/COMPATIBILITY.md finds each kind of fault."""

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

    def testIgnoredWithoutANoteIsFound(self):
        left = [("a", "(int)", "1"), ("hidden", "()", "nothing")]
        self.assertEqual(len(Compatibility.silent({"a"}, left, {}, {})), 1)
        self.assertEqual(Compatibility.silent({"a"}, left, {}, {"a": ("same", "why")}), [])
        self.assertEqual(len(Compatibility.silent({"a", "b"}, left, {}, {"a": ("differs", "so"), "b": ("same", "why")})), 1)

    def testExceptionThatNothingThrowsIsFound(self):
        self.assertEqual(len(Compatibility.silent(set(), [], {"an_error": False, "b_error": True}, {})), 1)
        self.assertEqual(len(Compatibility.silent(set(), [], {"an_error": True}, {"an_error": ("differs", "nothing throws it")})), 1)

    def testStatesAreEarned(self):
        evidence = {("f", "(int)"): "A.cpp", ("g", "()"): "A.cpp"}
        self.assertEqual(Compatibility.stateOf("f", ("(int)", "(bool)"), evidence, {}), ("in part", "1 of 2 in A.cpp"))
        self.assertEqual(Compatibility.stateOf("g", ("()",), evidence, {}), ("done", "A.cpp"))
        self.assertEqual(Compatibility.stateOf("h", ("()",), evidence, {}), ("untested", ""))
        self.assertEqual(Compatibility.stateOf("g", ("()",), evidence, {"g": ("differs", "so")}), ("differs", "so"))
        self.assertEqual(Compatibility.stateOf("g", ("()",), evidence, {"g": ("same", "why")}), ("done", "why; A.cpp"))

    def testMembersOfBasesCount(self):
        names = {"A", "A::a", "B", "B::b", "C"}
        self.assertEqual(Compatibility.withInherited(names, {"B": ["A"], "C": ["B"]}), names | {"B::a", "C::a", "C::b"})

    def testMissingIsSaidInTheDocument(self):
        text = Compatibility.document({"poplar/A.hpp": {"a": ("function", ("()", "(int)"))}}, {"a"}, ["a", "b"], {}, {("a", "()"): "A.cpp"})
        self.assertIn("| `b` | missing |  |", text)
        self.assertIn("| `a` | function | 2 | in part | 1 of 2 in A.cpp |", text)


if __name__ == "__main__":
    unittest.main()
