"""The check of generated documents finds what it is for, and --update repairs it."""

import os
import sys
import tempfile
import unittest

import GeneratedDocuments

OUTPUT = ("Target:\n  x\n\n    Maximum (Including Gaps): 1\n    0 tile(s) out of memory\n\nExecution:\n  2\nSteps\n"
          "  DoExchange (cycles 0 - 1): a\n    Cycles:  1\n")
ABRIDGED = ["...", "    Maximum (Including Gaps): 1", "    0 tile(s) out of memory", "", "Execution:", "  2", "..."]


SCHEMA = ("# F\n(application_id 0x00000001, user_version 7)\n\n## runs\n\nRecorded \"runs\".\n\n| Column | Type | Unit | Meaning "
          "| Since |\n|---|---|---|---|---|\n| id | INTEGER PRIMARY KEY |  | position | 1 |\n"
          "| name | TEXT NOT NULL |  | it's | 2 |\n\nPrimary key: id.\n\n")

block = GeneratedDocuments.block


class ViewerSource(unittest.TestCase):
    def testASourceWithoutTheOneNumberIsAnError(self):
        line = "export const kNewestFormat = 6;\n"
        self.assertEqual(GeneratedDocuments.viewerSource(SCHEMA, line), line.replace("6", "7"))
        for source in ("", "export const kNewestFormat = newest;\n", line + line):
            with self.assertRaises(ValueError):
                GeneratedDocuments.viewerSource(SCHEMA, source)
        with self.assertRaises(ValueError):
            GeneratedDocuments.viewerSource("made\n", line)


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
            viewer = os.path.join(root, GeneratedDocuments.VIEWER_FILE)
            os.makedirs(os.path.dirname(viewer))
            GeneratedDocuments.write(viewer, "export const kNewestFormat = 6;\nlet other = 6;\n")
            self.program(root, "popscope", SCHEMA)
            self.program(root, "first_steps", OUTPUT)
            readme = "# Title\n" + GeneratedDocuments.BEGIN + block(["old"]) + GeneratedDocuments.END + "\nrest\n"
            GeneratedDocuments.write(os.path.join(root, "README.md"), readme)
            findings = GeneratedDocuments.check(root, root, update=False)
            self.assertEqual(len(findings), 4)
            for finding in findings:
                self.assertIn("scripts/update-docs.sh", finding)
            self.assertEqual(GeneratedDocuments.check(root, root, update=True), [])
            self.assertEqual(GeneratedDocuments.check(root, root, update=False), [])
            self.assertEqual(GeneratedDocuments.read(viewer), "export const kNewestFormat = 7;\nlet other = 6;\n")
            text = GeneratedDocuments.read(os.path.join(root, "README.md"))
            self.assertTrue(text.startswith("# Title\n") and text.endswith("\nrest\n"))
            for path in ("docs/OPTIONS.md", "docs/FORMAT-pop.md"):
                GeneratedDocuments.write(os.path.join(root, path), "made by hand\n")
                self.assertEqual(len(GeneratedDocuments.check(root, root, update=False)), 1)
                GeneratedDocuments.check(root, root, update=True)


if __name__ == "__main__":
    sys.exit(unittest.main())
