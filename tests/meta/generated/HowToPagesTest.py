"""HowToPages runs the commands of a page as a reader would, and finds a command that fails."""

import os
import tempfile
import unittest

import HowToPages

PAGE = "# T\n\n1. A list:\n\n   ```sh\n   popscope a b.pop   # says a\n   ./program\n   ```\n\n```sh\nX=1 popscope c 'd#e'\npopscope view f\n```\n"


class Pages(unittest.TestCase):
    def testCommandsAreThoseOfPopscopeWithoutComments(self):
        self.assertEqual(HowToPages.commandsOf(PAGE), ["popscope a b.pop", "X=1 popscope c 'd#e'"])

    def testACommandThatFailsIsFound(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(HowToPages.wrong("true", HowToPages.PROGRAM, folder, os.environ), "")
            self.assertIn("`false` ends with 1", HowToPages.wrong("false", HowToPages.PROGRAM, folder, os.environ))
            self.assertIn("ends with 2", HowToPages.wrong("exit 2 # popscope check", HowToPages.PROGRAM, folder, os.environ))
            self.assertEqual(HowToPages.wrong("exit 1 # popscope check", HowToPages.PROGRAM, folder, os.environ), "")

    def testNoPagesIsFound(self):
        with tempfile.TemporaryDirectory() as root:
            self.assertEqual(HowToPages.check(root, root), ["docs/howto: no pages"])


if __name__ == "__main__":
    unittest.main()
