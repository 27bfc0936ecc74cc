"""Runs ctest on the output of ListCases.py: each case of a program is a test with exactly its name."""

import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
import ListCases  # noqa: E402

# Lists the cases as doctest does; one of them cannot be selected by its name.
PROGRAM = """#!%s
import sys
cases = ["plain", "one; two, three", "brackets [0, 8) and ]=]", "lost"]
argument = sys.argv[1]
if argument == "--list-test-cases":
    print("[doctest] listing all test case names\\n" + 79 * "=", *cases, 79 * "=", sep="\\n")
else:
    found = argument.replace("\\\\,", ",")[len("--test-case="):] in cases[:3]
    print("[doctest] test cases: %%d | %%d passed | 0 failed" %% (found, found))
"""


class ListCasesTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.program = self.write("program", PROGRAM % sys.executable)
        os.chmod(self.program, 0o755)

    def write(self, name, text):
        path = os.path.join(self.folder.name, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def list(self):
        out = os.path.join(self.folder.name, "CTestTestfile.cmake")
        return ListCases.main(self.program, "room", self.folder.name, "fast", "60", out)

    def testEachCaseUnderItsName(self):
        self.assertEqual(self.list(), 0)
        done = subprocess.run(["ctest", "-L", "fast"], cwd=self.folder.name, capture_output=True, text=True)
        for line in ("Test #1: room:plain .", "Test #2: room:one; two, three .", "Test #3: room:brackets [0, 8) and ]=] ."):
            self.assertRegex(done.stdout, "(?m)%s.* Passed" % line.replace("[", r"\[").replace(")", r"\)"))
        self.assertIn("1 tests failed out of 4", done.stdout)  # a filter that finds nothing has not passed
        self.assertIn("4 - room:lost (Failed)", done.stdout)

    def testTwoOfOneName(self):
        self.write("program", (PROGRAM % sys.executable).replace('"lost"', '"plain"'))
        self.assertEqual(self.list(), 1)

    def testNoCases(self):
        self.write("program", "#!%s\n" % sys.executable)
        self.assertEqual(self.list(), 1)


if __name__ == "__main__":
    unittest.main()
