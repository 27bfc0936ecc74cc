"""The check of generated documents finds each kind of fault, and --update repairs it."""

import os
import sys
import tempfile
import unittest

import GeneratedDocuments

OUTPUT = ("Target:\n  x\n\n    Maximum (Including Gaps): 1\n    0 tile(s) out of memory\n\nExecution:\n  2\nSteps\n"
          "  DoExchange (cycles 0 - 1): a\n    Cycles:  1\n")
ABRIDGED = ["...", "    Maximum (Including Gaps): 1", "    0 tile(s) out of memory", "", "Execution:", "  2", "..."]


block = GeneratedDocuments.block


class SummaryLines(unittest.TestCase):
    def testAbridgedOutputIsFoundInTheOutput(self):
        self.assertEqual(GeneratedDocuments.abridge(OUTPUT), ABRIDGED)
        self.assertEqual(GeneratedDocuments.summaryFindings(block(ABRIDGED), OUTPUT), [])

    def testAnyChangedMissingOrAddedLineIsFound(self):
        for i in range(len(ABRIDGED)):
            for changed in (ABRIDGED[:i] + ["other"] + ABRIDGED[i + 1:], ABRIDGED[:i] + ["other"] + ABRIDGED[i:]):
                self.assertNotEqual(GeneratedDocuments.summaryFindings(block(changed), OUTPUT), [], changed)
            self.assertNotEqual(GeneratedDocuments.summaryFindings(block(ABRIDGED[:i] + ABRIDGED[i + 1:]), OUTPUT), [])
        self.assertNotEqual(GeneratedDocuments.summaryFindings("The summary goes here.\n", OUTPUT), [])

    def testAMissingSectionOrMarkerIsAnError(self):
        with self.assertRaises(ValueError):
            GeneratedDocuments.abridge("Target:\n")
        with self.assertRaises(ValueError):
            GeneratedDocuments.splitReadme("no markers")


class WholeCheck(unittest.TestCase):
    def program(self, folder, name, text):
        path = os.path.join(folder, name)
        with open(path, "w") as file:
            file.write("#!/bin/sh\ncat <<'E'\n%sE\n" % text)
        os.chmod(path, 0o755)

    def testStaleDocumentsAreFoundAndUpdated(self):
        with tempfile.TemporaryDirectory() as root:
            os.mkdir(os.path.join(root, "docs"))
            os.makedirs(os.path.join(root, "report/viewer/src/data"))
            self.program(root, "popscope", "made\n")
            self.program(root, "first_steps", OUTPUT)
            readme = "# Title\n" + GeneratedDocuments.BEGIN + block(["old"]) + GeneratedDocuments.END + "\nrest\n"
            GeneratedDocuments.write(os.path.join(root, "README.md"), readme)
            findings = GeneratedDocuments.check(root, root, update=False)
            self.assertEqual(len(findings), 4)
            for finding in findings:
                self.assertIn("scripts/update-docs.sh", finding)
            self.assertEqual(GeneratedDocuments.check(root, root, update=True), [])
            self.assertEqual(GeneratedDocuments.check(root, root, update=False), [])
            text = GeneratedDocuments.read(os.path.join(root, "README.md"))
            self.assertTrue(text.startswith("# Title\n") and text.endswith("\nrest\n"))
            for path in GeneratedDocuments.MADE:
                GeneratedDocuments.write(os.path.join(root, path), "made by hand\n")
                self.assertEqual(len(GeneratedDocuments.check(root, root, update=False)), 1)
                GeneratedDocuments.check(root, root, update=True)


if __name__ == "__main__":
    sys.exit(unittest.main())
