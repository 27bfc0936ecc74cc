"""Format.py finds an unformatted source in a small tree, and ignores build folders."""

import os
import shutil
import sys
import tempfile
import unittest

import Format

STYLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", ".clang-format")


class FormatTest(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.root)
        shutil.copy(STYLE, self.root)
        self.write("room/Good.cpp", "int twice(int x) { return 2 * x; }\n")

    def write(self, path, text):
        full = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as file:
            file.write(text)

    def found(self):
        return Format.findings(self.root, Format.formatter())

    def testFormattedTree(self):
        self.assertEqual(self.found(), (1, []))
        self.assertEqual(Format.main(self.root), 0)

    def testEachKindOfSource(self):
        for name in ("Bad.cpp", "Bad.hpp", "Bad.h"):
            self.write("room/" + name, "\nint  twice(int x)\n{ return 2*x; }\n")
        count, found = self.found()
        self.assertEqual(count, 4)
        self.assertEqual([path for path, _ in found], ["room/Bad.cpp", "room/Bad.h", "room/Bad.hpp"])
        self.assertEqual(Format.main(self.root), 1)

    def testLongLine(self):
        self.write("room/Long.cpp", "int f() { return %s; }\n" % " + ".join(["1234567"] * 13))
        self.assertEqual([path for path, _ in self.found()[1]], ["room/Long.cpp"])

    def testBuildFoldersAreNotSources(self):
        self.write("build/x/Bad.cpp", "int  x ;\n")
        self.assertEqual(self.found(), (1, []))

    def testNothingToCheck(self):
        os.remove(os.path.join(self.root, "room/Good.cpp"))
        self.assertEqual(Format.main(self.root), 1)

    def testOtherVersion(self):
        self.assertEqual(Format.main(self.root, sys.executable), 2)


if __name__ == "__main__":
    unittest.main()
