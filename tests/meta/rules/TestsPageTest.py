"""Plants faults in a small page of tests, and expects TestsPage.py to find them."""

import os
import tempfile
import unittest

import TestsPage

PAGE = """| `unit/<room>` | rooms |

| S1 | `unit/room/A.cpp`: "one case that goes on" |

## Variables of the environment

| `POPSCOPE_COUNT` | how many |
"""


class TestsPageTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.write("docs/inside/steps.md", "| S1 | nests |\n")
        self.write("tests/README.md", PAGE)
        self.write("tests/unit/room/CMakeLists.txt", "")
        self.write("tests/unit/room/A.cpp", 'TEST_CASE("one case "\n  "that goes on") { getenv("POPSCOPE_COUNT"); }\n')

    def write(self, path, text):
        full = os.path.join(self.folder.name, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as out:
            out.write(text)

    def expectOne(self, words):
        findings = TestsPage.check(self.folder.name)
        self.assertEqual(len(findings), 1, findings)
        self.assertIn(words, findings[0])

    def testTrue(self):
        self.assertEqual(TestsPage.check(self.folder.name), [])

    def testFileThatIsNotThere(self):
        self.write("tests/README.md", PAGE.replace("A.cpp", "B.cpp"))
        self.expectOne("tests/unit/room/B.cpp, which is not there")

    def testCaseOfAnotherName(self):
        self.write("tests/README.md", PAGE.replace("goes on", "goes"))
        self.expectOne('has no case "one case that goes"')

    def testInvariantWithoutRow(self):
        self.write("docs/inside/steps.md", "| S1 | nests |\n| L2 | dies |\n")
        self.expectOne("no case for invariant L2")

    def testKindWithoutRow(self):
        self.write("tests/check/all/CMakeLists.txt", "")
        self.expectOne("what tests/check holds")

    def testVariableThatNothingReads(self):
        self.write("tests/README.md", PAGE.replace("COUNT", "MOST"))
        self.expectOne("no test reads POPSCOPE_MOST")


if __name__ == "__main__":
    unittest.main()
