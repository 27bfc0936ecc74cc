"""PublicHeadersTest.py COMPILER...: plants faults in small headers, and expects PublicHeaders.py to find them."""

import os
import sys
import tempfile
import unittest

import PublicHeaders

COMPILERS = []


class PublicHeadersTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.write("base/include/poplar/Good.hpp", "#pragma once\nstruct Good { int a; };\n")

    def tearDown(self):
        self.folder.cleanup()

    def write(self, path, text):
        full = os.path.join(self.folder.name, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as out:
            out.write(text)

    def check(self, standard):
        return PublicHeaders.check(self.folder.name, standard, COMPILERS)

    def expect(self, header, words, compilers=None):
        findings = self.check("c++11")
        self.assertEqual(len(findings), len(compilers or COMPILERS), findings)
        for finding in findings:
            self.assertTrue(finding.startswith("<%s> with " % header), finding)
            self.assertIn(words, finding)

    def test_good_headers_have_no_findings(self):
        self.write("report/include/pva/Also.hpp", "#pragma once\n#include <poplar/Good.hpp>\n")
        self.assertEqual(self.check("c++11"), [])

    def test_a_tree_without_headers_is_a_finding(self):
        with tempfile.TemporaryDirectory() as empty:
            self.assertEqual(len(PublicHeaders.check(empty, "c++11", COMPILERS)), 1)

    def test_an_unused_parameter(self):
        self.write("engine/include/poplar/Bad.hpp", "#pragma once\ninline void f(int unused) {}\n")
        self.expect("poplar/Bad.hpp", "unused")

    def test_a_header_that_needs_another_one_first(self):
        self.write("graph/include/poplar/Bad.hpp", "#pragma once\nstruct Bad : Good {};\n")
        self.expect("poplar/Bad.hpp", "class", COMPILERS[:1])

    def test_a_header_that_cannot_be_included_twice(self):
        self.write("report/include/pva/Bad.hpp", "struct Bad {};\n")
        self.expect("pva/Bad.hpp", "redefinition of")

    def test_words_that_cxx11_does_not_have(self):
        self.write("report/include/pva/Bad.hpp", "#pragma once\ninline auto f() { return 1; }\n")
        self.expect("pva/Bad.hpp", "auto")
        self.assertEqual(self.check("c++20"), [])


if __name__ == "__main__":
    COMPILERS = sys.argv[1:]
    del sys.argv[1:]
    if not COMPILERS:
        sys.exit(__doc__)
    unittest.main()
