"""Runs Switches.py on switches of every form, with and without faults."""

import os
import tempfile
import unittest

import Switches

OVER_ENUM = """const char *text(Kind k) {
  switch (k) {
  case Kind::One: return "one";
  default: return "default: in a text";
  }
}
"""


class SwitchesTest(unittest.TestCase):
    def expect(self, text, *lines):
        self.assertEqual(Switches.defaultsIn(text), list(lines), text)

    def testADefaultOverAnEnum(self):
        self.expect(OVER_ENUM, 4)

    def testEachWayToNameAnEnumerator(self):
        for label in ("Kind::One", "a::b::Kind::One", "One", "Kind :: One"):
            self.expect("switch (k) {\ncase %s: break;\ndefault: break;\n}" % label, 3)

    def testWhatIsNoEnum(self):
        for label in ("1", "-1", "0x50", "'a'", "':'", "'{'", "'\\''", "kLui", "sizeof(float)", "CXType_Bool"):
            self.expect("switch (n) {\ncase %s: break;\ndefault: break;\n}" % label)

    def testASwitchThatNamesAll(self):
        self.expect(OVER_ENUM.replace("default:", "case Kind::Two:"))

    def testCommentsAndTexts(self):
        self.expect('switch (k) {\ncase Kind::One: // default: no\n  say("default:"); /* default: */ break;\n}')
        self.expect('switch (k) {\ncase Kind::One: say(R"(default: })"); break;\ndefault: break;\n}', 3)

    def testASwitchInsideAnother(self):
        inner = "switch (n) {\ncase 1: break;\ndefault: break;\n}"
        self.expect("switch (k) {\ncase Kind::One: {\n%s\n}\n}" % inner)
        self.expect("switch (k) {\ncase Kind::One: {\n%s\n}\ndefault: break;\n}" % inner, 8)
        self.expect("switch (n) {\ncase 1:\nswitch (k) {\ncase Kind::One: break;\ndefault: break;\n}\ndefault: break;\n}", 5)

    def testABraceInTheCondition(self):
        self.expect("switch (Kind{1}) {\ncase Kind::One: break;\ndefault: break;\n}", 3)
        self.expect("f([&] { switch (k) {\ncase Kind::One: break;\ndefault: break;\n} });", 3)

    def testOtherDefaults(self):
        self.expect("struct A { A() = default; };\nint x = _Generic(1, default: 2);\n")

    def testTheTree(self):
        with tempfile.TemporaryDirectory() as root:
            self.assertEqual(Switches.main(["", root]), 1)  # nothing to look at
            path = os.path.join(root, "Text.cpp")
            for text, code in ((OVER_ENUM, 1), (OVER_ENUM.replace("default:", "case Kind::Two:"), 0)):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
                self.assertEqual(Switches.main(["", root]), code)


if __name__ == "__main__":
    unittest.main()
