"""TutorialPages finds a page with outdated output, a failing command, and a folder without pages."""

import os
import tempfile
import unittest

import TutorialPages

PAGE = "# T\n\nFile `a.txt`:\n\n```text\nhello\n```\n\n```console\n$ cat a.txt\n%s\n$ tool\nfrom the tool\n```\n"


class Pages(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root, self.bin = os.path.join(self.folder.name, "root"), os.path.join(self.folder.name, "bin")
        os.makedirs(os.path.join(self.root, "docs", "start"))
        os.makedirs(self.bin)
        tool = os.path.join(self.bin, "tool")
        with open(tool, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\necho from the tool\n")
        os.chmod(tool, 0o755)

    def tearDown(self):
        self.folder.cleanup()

    def page(self, text):
        with open(os.path.join(self.root, "docs", "start", "one.md"), "w", encoding="utf-8") as file:
            file.write(text)

    def text(self):
        with open(os.path.join(self.root, "docs", "start", "one.md"), encoding="utf-8") as file:
            return file.read()

    def check(self, update=False):
        return TutorialPages.check(self.root, self.bin, update)

    def testAPageThatShowsWhatIsPrintedHasNoFinding(self):
        self.page(PAGE % "hello")
        self.assertEqual(self.check(), [])

    def testOldOutputIsFoundAndUpdated(self):
        self.page(PAGE % "good bye")
        self.assertEqual(len(self.check()), 1)
        self.assertIn("good bye", self.check()[0])
        self.assertEqual(self.check(update=True), [])
        self.assertEqual(self.text(), PAGE % "hello")

    def testACommandThatFailsIsFound(self):
        self.page("```console\n$ false\n```\n")
        self.assertIn("`false` ends with 1", self.check()[0])

    def testNoPagesIsFound(self):
        self.assertEqual(self.check(), ["docs/start: no pages"])


if __name__ == "__main__":
    unittest.main()
