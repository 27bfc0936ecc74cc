"""ToolsPage.py finds blocks that differ, are missing or are in another order, and repairs those that it can."""

import unittest

from ToolsPage import findings, updated

SESSION = "$ a\none\n\n$ b\ntwo\n\nthree\n\n"
PAGE = "Text.\n\n```text\n$ a\none\n```\nMore.\n```text\n$ b\ntwo\n\nthree\n```\n```sh\n$ c\n```\n"


class ToolsPageTest(unittest.TestCase):
    def testAPageThatShowsTheSessionIsGood(self):
        self.assertEqual(findings(PAGE, SESSION), [])
        self.assertEqual(updated(PAGE, SESSION), PAGE)

    def testOtherOutputIsFoundAndMended(self):
        stale = PAGE.replace("two", "2")
        self.assertEqual(len(findings(stale, SESSION)), 1)
        self.assertEqual(updated(stale, SESSION), PAGE)

    def testMissingAndForeignCommandsAreFound(self):
        self.assertEqual(len(findings(PAGE.replace("$ a", "$ x"), SESSION)), 1)
        self.assertEqual(len(findings(PAGE[:PAGE.index("More")], SESSION)), 1)
        swapped = "```text\n$ b\ntwo\n\nthree\n```\n```text\n$ a\none\n```\n"
        self.assertEqual(len(findings(swapped, SESSION)), 1)


if __name__ == "__main__":
    unittest.main()
