"""DeadCode.py finds a function that no code calls, and nothing else, in objects compiled here."""

import os
import subprocess
import tempfile
import unittest

import DeadCode

HEADER = """
namespace popscope {
struct Used { Used(); ~Used(); int called() const; int forTests() const; };
int lonely(int);
int shared(int);
int forUsers(int);
int byPointer(int);
}
"""
SOURCES = {
    "a.cpp": """#include "a.hpp"
namespace popscope {
Used::Used() {}
Used::~Used() {}
int Used::called() const { return shared(1); }
int Used::forTests() const { return 2; }
int lonely(int i) { return i; }
int shared(int i) { return i + 1; }
int forUsers(int i) { return i + 2; }
int byPointer(int i) { return i + 3; }
}
""",
    "b.cpp": """#include "a.hpp"
int (*chosen)(int) = popscope::byPointer;
int main() { return popscope::Used().called(); }
""",
    "tests/c.cpp": """#include "a.hpp"
int test() { return popscope::Used().forTests() + popscope::lonely(1); }
""",
}


class Dead(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        root = self.folder.name
        os.makedirs(os.path.join(root, "tests"))
        os.makedirs(os.path.join(root, "room", "include"))
        self.write("a.hpp", HEADER)
        self.write("room/include/Public.hpp", "int forUsers(int);\n")
        for name, text in SOURCES.items():
            self.write(name, text)
            subprocess.run(["g++", "-O0", "-I", root, "-c", os.path.join(root, name), "-o",
                            os.path.join(root, name + ".o")], check=True)

    def tearDown(self):
        self.folder.cleanup()

    def write(self, name, text):
        with open(os.path.join(self.folder.name, name), "w", encoding="utf-8") as file:
            file.write(text)

    def test_what_only_tests_call_is_dead(self):
        objects = list(DeadCode.objectsOf(self.folder.name))
        self.assertEqual(sorted(os.path.basename(path) for path in objects), ["a.cpp.o", "b.cpp.o"])
        self.assertEqual(DeadCode.deadNames(objects, DeadCode.publicWords(self.folder.name)),
                         {"Used::forTests", "lonely"})

    def test_a_reason_that_no_longer_holds_is_a_finding(self):
        allowed = DeadCode.TESTED
        DeadCode.TESTED = {"lonely": "", "Used::forTests": "", "shared": ""}
        try:
            self.assertEqual(DeadCode.check(self.folder.name, self.folder.name),
                             ["shared: the product calls it: take it out of TESTED"])
        finally:
            DeadCode.TESTED = allowed

    def test_a_build_without_objects_is_a_finding(self):
        with tempfile.TemporaryDirectory() as empty:
            self.assertEqual(len(DeadCode.check(self.folder.name, empty)), 1)


if __name__ == "__main__":
    unittest.main()
