"""EvidenceTest.py LIST_USES: the check of evidence.tsv finds each kind of fault."""

import os
import sys
import tempfile
import unittest

import Evidence

LIST_USES = ""


class EvidenceTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        for room in Evidence.ROOMS + ["report"]:
            os.makedirs(os.path.join(self.folder.name, room, "include"))
        self.write("graph/include/A.hpp", "enum class E { X, Y };\n"
                                          "struct A { void f(int); void f(bool); int g() const { return 1; } void h(int, int); A(int); };\n"
                                          "bool operator==(const A &, const A &);\nstruct Hook { virtual void call(int); virtual void other(); };\n")
        self.write("Suite.hpp", "#define SUITE(name) namespace name\n")

    def tearDown(self):
        self.folder.cleanup()

    def write(self, path, text):
        full = os.path.join(self.folder.name, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as out:
            out.write(text)

    def testOverloadsAreToldApart(self):
        self.write("tests/T.cpp", "#include <A.hpp>\n#include <Suite.hpp>\nSUITE(a) { void test(A a) { a.f(true); (void)E::Y; a == a; } }\n")
        uses = Evidence.usesOfAll(LIST_USES, self.folder.name, ["tests/T.cpp"])["tests/T.cpp"]
        self.assertIn(("A::f", "(bool)"), uses)
        self.assertNotIn(("A::f", "(int)"), uses)
        self.assertIn(("E::Y", ""), uses)
        self.assertNotIn(("E::X", ""), uses)
        self.assertIn(("operator==", "(const A &, const A &)"), uses)
        self.assertNotIn(("A::g", "()"), uses)

    def testWhatADefinitionLeavesOutIsFound(self):
        self.write("engine/A.cpp", "#include <A.hpp>\n// namespace poplar\nnamespace poplar {}\nvoid A::f(int) {}\nvoid A::f(bool b) { (void)b; }\nvoid A::h(int a, int b) { f(a); }\n"
                                   "A::A(int) {}\n")
        left = Evidence.leftOut(LIST_USES, self.folder.name)
        self.assertEqual(left, {("A::f", "(int)", "1"), ("A::h", "(int, int)", "2"), ("A::A", "(int)", "1")})

    def testOverridingIsUsing(self):
        self.write("tests/T.cpp", "#include <A.hpp>\nstruct Mine : Hook { void call(int) override {} };\n")
        uses = Evidence.usesOfAll(LIST_USES, self.folder.name, ["tests/T.cpp"])["tests/T.cpp"]
        self.assertIn(("Hook::call", "(int)"), uses)
        self.assertNotIn(("Hook::other", "()"), uses)

    def testFilesThatAreParsedTogetherAreToldApart(self):
        files = {"tests/a/%s.cpp" % name: "#include <A.hpp>\nnamespace { void in%s(A a) { a.f(%s); } }\n" % (name, value)
                 for name, value in (("One", "true"), ("Two", "1"))}
        for clash in (False, True):
            for path, text in files.items():
                self.write(path, text + ("int twice;\n" if clash else ""))  # the files then fail together, so each is parsed alone
            uses = Evidence.usesOfAll(LIST_USES, self.folder.name, sorted(files))
            self.assertIn(("A::f", "(bool)"), uses["tests/a/One.cpp"])
            self.assertNotIn(("A::f", "(int)"), uses["tests/a/One.cpp"])
            self.assertIn(("A::f", "(int)"), uses["tests/a/Two.cpp"])
            self.assertNotIn(("A::f", "(bool)"), uses["tests/a/Two.cpp"])

    def testCodeletsInRawStringsCount(self):
        self.assertEqual(Evidence.codeletsIn('x R"(#include <poplar/Vertex.hpp>\nstruct V;)" y R"(other)"'),
                         ["#include <poplar/Vertex.hpp>\nstruct V;"])

    def testEvidenceThatIsGoneIsFound(self):
        evidence = [("T.cpp", "a", "()"), ("T.cpp", "b", "()"), ("Gone.cpp", "c", "()")]
        self.assertEqual(len(Evidence.check(evidence, {"T.cpp": {("a", "()")}})), 2)

    def testFewFilesAreChosen(self):
        uses = {"A.cpp": {1, 2}, "B.cpp": {2, 3, 4}, "C.cpp": {1}}
        self.assertEqual(Evidence.choose(uses), {"B.cpp": {2, 3, 4}, "A.cpp": {1}})


if __name__ == "__main__":
    LIST_USES = sys.argv.pop()
    unittest.main()
