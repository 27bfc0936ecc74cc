"""reference.py creates a page for each public header, and a warning of Doxygen is a finding. Skipped if Doxygen is not installed."""

import contextlib
import io
import os
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "docs", "site"))
import reference

HEADER = """// A file about one function.
// It goes on here.
#pragma once

namespace poplar {
/// Returns twice a number.
/// \\param number  The number.
int twice(int number);
} // namespace poplar
"""


class Reference(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def make(self, header):
        path = os.path.join(self.folder.name, "root", "base", "include", "poplar", "Twice.hpp")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(header)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            code = reference.main(["reference.py", os.path.join(self.folder.name, "root"), os.path.join(self.folder.name, "out")])
        return code, printed.getvalue()

    @unittest.skipUnless(shutil.which("doxygen"), "there is no doxygen")
    def testAHeaderHasAPageWithItsFirstComment(self):
        self.assertEqual(self.make(HEADER), (0, ""))
        with open(os.path.join(self.folder.name, "out", "cpp", "Twice_8hpp.html"), encoding="utf-8") as page:
            text = page.read()
        self.assertIn("It goes on here.", text)
        self.assertIn("Returns twice a number.", text)

    @unittest.skipUnless(shutil.which("doxygen"), "there is no doxygen")
    def testAParameterThatDoesNotExistIsFound(self):
        code, printed = self.make(HEADER.replace("param number ", "param other "))
        self.assertEqual(code, 1)
        self.assertIn("argument 'other'", printed)

    def testAProgramThatIsNotInstalledIsNamed(self):
        path, os.environ["PATH"] = os.environ["PATH"], self.folder.name
        try:
            code, printed = self.make(HEADER)
        finally:
            os.environ["PATH"] = path
        self.assertEqual(code, 0)
        self.assertEqual(printed, "reference: no part of cpp: there is no doxygen (Debian: doxygen)\n")


if __name__ == "__main__":
    unittest.main()
