"""The check of README.md's claims finds planted wrong claims."""

import json
import os
import tempfile
import unittest

import ReadmeClaims

TEXT = ("| Program | Does |\n|---|---|\n| `popscope info FILE` | a screen; `--step N` |\n\n| | `-n` | `--json` |\n|-|-|-|\n| `info` | | x |\n\n`popscope` prints its "
        "manual page.\n| Option | Default | Meaning |\n|---|---|---|\n| `a.b` | `1` | x |\n| `c.d` | | y |\n")
def optionsText(default):
    rows = [{"key": "a.b", "default": default}, {"key": "c.d", "default": ""}]
    return json.dumps({"tables": {"options": {"rows": rows}}})


ANSWERS = {("popscope", "--help"): "Subcommands:\n  info     shows\n", ("popscope", "info", "--help"): "  --step N\n  --json\n",
           ("popscope", "--man"): ".TH X", ("popscope", "options", "--json"): optionsText("1")}


def ask(changed):
    return lambda words: {**ANSWERS, **changed}.get(tuple(words), "")


class ReadmeClaimsTest(unittest.TestCase):
    def testAGoodReadmeHasNoFindings(self):
        self.assertEqual(ReadmeClaims.tools(TEXT, ask({})), [])

    def testWhatTheToolsSayOtherwiseIsFound(self):
        for words, answer in ((("popscope", "--help"), "Subcommands:\n  info  shows\n  sources  says\n"),
                              (("popscope", "info", "--help"), "  --json\n"), (("popscope", "info", "--help"), "  --step N\n"),
                              (("popscope", "--man"), "no"), (("popc", "--man"), ".TH Y"),
                              (("popscope", "options", "--json"), optionsText("2"))):
            self.assertEqual(len(ReadmeClaims.tools(TEXT, ask({words: answer}))), 1, (words, answer))

    def testFilesThatAreNotThereAreFound(self):
        with tempfile.TemporaryDirectory() as root:
            for folder in ("docs", "examples/one", "base"):
                os.makedirs(os.path.join(root, folder))
            for path, text in (("CMakePresets.json", '{"workflowPresets": [{"name": "dev"}]}'), ("docs/A.md", ""), ("base/E.cpp", 'f("POPSCOPE_X");')):
                with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                    file.write(text)
            good = "| Variable | Meaning |\n|---|---|\n| `POPSCOPE_X` | x |\n\nThe presets are `dev`.\n[a](examples/one) [b](docs/A.md)\n"
            self.assertEqual(ReadmeClaims.files(root, good), [])
            for wrong in ("POPSCOPE_X", "`dev`", "[a](examples/one)", "[b](docs/A.md)"):
                self.assertEqual(len(ReadmeClaims.files(root, good.replace(wrong, ""))), 1, wrong)
            self.assertEqual(len(ReadmeClaims.files(root, good + "[c](docs/C.md)")), 1)


if __name__ == "__main__":
    unittest.main()
