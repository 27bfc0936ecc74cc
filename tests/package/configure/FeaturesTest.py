"""Checks docs/FEATURES.md: every feature has one row, and its command shows what the row says, or the test that it names exists."""

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TOOL = os.environ["POPSCOPE_TOOL"]
PROGRAM = os.environ["POPSCOPE_PROGRAM"]
PAGE = os.environ["POPSCOPE_FEATURES"]
ROOT = os.path.dirname(os.path.dirname(PAGE))
NUMBERS = {"P": 42, "C": 25, "L": 9, "R": 27, "H": 28, "F": 32, "A": 43, "M": 33}
FILES = {"config.json": '{"engine": {"debug.instrument": true}}', "text.json": '{"engine": "{\\"autoReport.outputGraphProfile\\": true}"}',
         "only.json": '{"engine": {"autoReport.outputGraphProfile": true, "autoReport.directory": "h12"}}'}
CLEAN = {k: v for k, v in os.environ.items() if not k.startswith(("POPSCOPE_", "POPLAR_", "PVTI_", "CLICOLOR", "NO_COLOR"))}


class Row:
    """`| numbers | feature | command, test or reason | what it shows |`"""

    def __init__(self, cells):
        self.numbers = cells[0].split()
        self.feature, self.third = cells[1].strip(), cells[2].strip()
        command = re.fullmatch(r"`((?:popscope|profile_summary|poplar_profile_summary|mkdir|\./program|[A-Z_]+=)[^`]*)`", self.third)
        self.command = command[1].replace("\\|", "|") if command else ""
        self.test = re.fullmatch(r"test: (\S+): (.+)", self.third)
        shown = re.fullmatch(r"(?:`([^`]*)`: )?`([^`]*)`", cells[3].strip())
        self.file, self.shows = (shown[1], shown[2].replace("\\|", "|")) if shown else (None, "")


def rows(text):
    for line in text.splitlines():
        cells = re.split(r"(?<!\\)\|", line)
        if len(cells) == 6 and re.match(r" [PCLRHFAM]\d", cells[1]):
            yield Row(cells[1:5])


def namesTest(source, title):
    """Returns whether a TEST_CASE of the source begins with the title (adjacent literals are one), or a function has that name."""
    if re.search(r"^    def %s\(self" % re.escape(title), source, re.MULTILINE):
        return True
    text = re.sub(r'"\s*\n\s*"', "", source)
    return any(case.replace('\\"', '"').startswith(title) for case in re.findall(r'TEST_CASE\(\s*"((?:[^"\\]|\\.)*)"', text))


class Features(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="popscope-features-")
        os.symlink(PROGRAM, os.path.join(cls.folder, "program"))
        for name, text in FILES.items():
            with open(os.path.join(cls.folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        environment = dict(CLEAN, POPLAR_ENGINE_OPTIONS='{"autoReport.all":"true"}', PVTI_OPTIONS='{"enable":"true","directory":"traces"}')
        subprocess.run(["./program", "scope"], cwd=cls.folder, env=environment, stdout=subprocess.DEVNULL, check=True, timeout=120)
        shutil.move(glob.glob(os.path.join(cls.folder, "traces", "*.pvti"))[0], os.path.join(cls.folder, "program.pvti"))
        cls.environment = dict(CLEAN, PATH=os.path.dirname(TOOL) + os.pathsep + os.environ["PATH"], HOME=cls.folder)
        with open(PAGE, encoding="utf-8") as page:
            cls.rows = list(rows(page.read()))
        cls.done = {}

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def run_once(self, command):
        """Returns what the command printed; rows share commands."""
        if command not in self.done:
            self.done[command] = subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment, stdout=subprocess.PIPE,
                                                stderr=subprocess.STDOUT, timeout=120, check=False)
        return self.done[command].returncode, self.done[command].stdout.decode(errors="replace")

    def missing(self, row, command=None):
        """Returns why the row's command does not show its feature; "" if it does."""
        code, text = self.run_once(command or row.command)
        if code == 2 and "this build of popscope has no viewer" in text:
            return ""  # needs the npm registry, which may not be reachable
        if code != 0:
            return "it ends with %d: %s" % (code, text)
        if row.file:
            with open(os.path.join(self.folder, row.file), encoding="utf-8", errors="replace") as file:
                text = file.read()
        return "" if re.search(row.shows, text, re.MULTILINE) else "%r is not in: %s" % (row.shows, text[:3000])

    def test_each_feature_has_one_row_with_a_command_a_test_or_a_reason(self):
        named = sorted(number for row in self.rows for number in row.numbers)
        self.assertEqual(named, sorted(["%s%d" % (of, n) for of, most in NUMBERS.items() for n in range(1, most + 1)] + ["P22b"]))
        for row in self.rows:
            with self.subTest(row=row.numbers):
                self.assertTrue(row.feature)
                if row.command:
                    self.assertTrue(row.shows, "a command without what it shows")
                    self.assertIsNone(re.match(row.shows, ""), "what it shows is in every text")
                elif not row.test:
                    self.assertRegex(row.third, r"^[A-Z][^`|]{20,}\.$", "neither a command nor a test nor a reason")

    def test_every_command_shows_its_feature(self):
        for row in self.rows:
            if row.command:
                with self.subTest(row=row.numbers, command=row.command):
                    self.assertEqual(self.missing(row), "")

    def test_every_test_that_is_named_exists(self):
        for row in self.rows:
            if row.test:
                with self.subTest(row=row.numbers), open(os.path.join(ROOT, row.test[1]), encoding="utf-8") as source:
                    self.assertTrue(namesTest(source.read(), row.test[2]), row.test[2])

    def test_a_command_that_shows_another_thing_is_found(self):
        row = next(row for row in self.rows if row.command.startswith("popscope top "))
        self.assertNotEqual(self.missing(row, "popscope info profile.pop"), "")
        self.assertNotEqual(self.missing(row, "popscope top missing.pop"), "")
        self.assertFalse(namesTest('TEST_CASE("one")', "two"))


if __name__ == "__main__":
    sys.exit(unittest.main())
