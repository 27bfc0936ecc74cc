"""Each check of .clang-tidy finds its fault in a small tree, and reports nothing without a fault."""

import os
import re
import shutil
import sys
import tempfile
import unittest

import Tidy

CONFIGURATION = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", ".clang-tidy")
HEADERS = ("map", "string", "string_view", "vector")
PLANTED = {
    "clang-diagnostic-dangling-gsl": "std::string make();\nstd::size_t f() {\n  std::string_view v = make();\n  return v.size();\n}\n",
    "clang-diagnostic-return-stack-address": "std::string_view f() {\n  std::string s = \"a\";\n  return s;\n}\n",
    "bugprone-infinite-loop": "bool g(int);\nvoid f() {\n  int i = 0;\n  while (i < 10) {\n    int k = 0;\n    ++k;\n  }\n}\n",
    "bugprone-sizeof-container": "std::size_t f(const std::vector<int> &v) { return sizeof(v); }\n",
    "bugprone-string-constructor": "std::string f() { return std::string('x', 3); }\n",
    "bugprone-too-small-loop-variable": "void g(int);\nvoid f(int n) {\n  for (short i = 0; i < n; ++i)\n    g(i);\n}\n",
    "bugprone-undelegated-constructor": "struct A {\n  A();\n  A(int) { A(); }\n};\n",
    "bugprone-unused-raii": "struct Lock {\n  Lock(int);\n  ~Lock();\n};\nvoid g();\nvoid f() {\n  Lock(1);\n  g();\n}\n",
    "bugprone-use-after-move": "void take(std::string &&);\nstd::size_t f(std::string s) {\n  take(std::move(s));\n  return s.size();\n}\n",
    "cppcoreguidelines-avoid-non-const-global-variables": "namespace popscope {\nint calls = 0;\n}\n",
    "modernize-use-override": "struct A {\n  virtual ~A();\n  virtual void f();\n};\nstruct B : A {\n  virtual void f();\n};\n",
    "performance-for-range-copy": "std::size_t f(const std::vector<std::string> &v) {\n  std::size_t n = 0;\n"
                                  "  for (const std::string s : v)\n    n += s.size();\n  return n;\n}\n",
    "performance-implicit-conversion-in-loop": "std::size_t f(const std::map<int, std::string> &m) {\n  std::size_t n = 0;\n"
                                               "  for (const std::pair<int, std::string> &p : m)\n    n += p.second.size();\n"
                                               "  return n;\n}\n",
    "performance-move-const-arg": "void take(const std::string &);\nvoid f(std::string s) { take(std::move(s)); }\n",
    "performance-unnecessary-copy-initialization": "const std::string &get();\nstd::size_t f() {\n  const std::string s = get();\n"
                                                   "  return s.size();\n}\n",
}
GOOD = "int twice(int x) { return 2 * x; }\n"


class TidyTest(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.root)
        shutil.copy(CONFIGURATION, self.root)

    def write(self, path, text):
        full = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def testEachCheck(self):
        with open(CONFIGURATION, encoding="utf-8") as file:
            checks = re.findall(r"^  ([a-z]+-[\w-]+),?$", file.read(), re.MULTILINE)
        self.assertEqual(sorted(checks), sorted(PLANTED))
        included = lambda text: "".join("#include <%s>\n" % header for header in HEADERS if "std::" + header in text)
        files = [self.write("engine/%s.cpp" % check, included(text) + text) for check, text in PLANTED.items()]
        found = Tidy.findings(self.root, Tidy.linter(), files)
        for check in PLANTED:
            self.assertTrue(any(path == "engine/%s.cpp" % check and check in text for path, _, text in found), (check, found))

    def testHeaders(self):
        self.write("engine/Own.hpp", "#pragma once\ninline int ours = 0;\n")
        self.write("engine/include/poplar/Public.hpp", "#pragma once\ninline int theirs = 0;\n")
        files = [self.write("engine/One.cpp", '#include "engine/Own.hpp"\n#include <poplar/Public.hpp>\n' + GOOD)]
        self.assertEqual({path for path, _, _ in Tidy.findings(self.root, Tidy.linter(), files)}, {"engine/Own.hpp"})

    def testExitCodes(self):
        files = [self.write("engine/One.cpp", GOOD)]
        self.assertEqual(Tidy.main(self.root, None, files), 0)
        self.assertEqual(Tidy.main(self.root, None, files + [self.write("engine/Bad.cpp", "int calls = 0;\n")]), 1)
        self.assertEqual(Tidy.main(self.root, None, []), 1)
        self.assertEqual(Tidy.main(self.root, sys.executable, files), 2)

    def testAFileThatDoesNotCompile(self):
        self.assertEqual(Tidy.main(self.root, None, [self.write("engine/Bad.cpp", "int twice(int x) { return y; }\n")]), 1)


if __name__ == "__main__":
    unittest.main()
