"""docs/FEATURES.md: every feature has a row, every row a command that works or a reason, and every command is run."""

import glob
import os
import re
import shutil
import subprocess
import tempfile
import unittest

TOOL = os.environ["POPSCOPE_TOOL"]
PROGRAM = os.environ["POPSCOPE_PROGRAM"]
PAGE = os.environ["POPSCOPE_FEATURES"]
NUMBERS = {"H": 28, "F": 32, "A": 43, "M": 33}
CLEAN = {k: v for k, v in os.environ.items() if not k.startswith(("POPSCOPE_", "POPLAR_", "PVTI_"))}


def rows(text):
    """(numbers, feature, command or "", the rest of the last cell)"""
    for line in text.splitlines():
        cells = re.split(r"(?<!\\)\|", line)
        if len(cells) == 5 and re.match(r" [HFAM]\d", cells[1]):
            command = re.match(r" `((?:popscope|\./program|[A-Z_]+=)[^`]*)`", cells[3])
            yield cells[1].split(), cells[2].strip(), command[1].replace("\\|", "|") if command else "", cells[3][command.end() if command else 0:].strip(" ;")


class Features(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="popscope-features-")
        os.symlink(PROGRAM, os.path.join(cls.folder, "program"))
        for name, text in (("config.json", '{"engine": {"debug.instrument": true}}'), ("text.json", '{"engine": "{\\"autoReport.outputGraphProfile\\": true}"}')):
            with open(os.path.join(cls.folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        environment = dict(CLEAN, POPLAR_ENGINE_OPTIONS='{"autoReport.all":"true"}', PVTI_OPTIONS='{"enable":"true","directory":"traces"}')
        subprocess.run(["./program", "scope"], cwd=cls.folder, env=environment, stdout=subprocess.DEVNULL, check=True, timeout=120)
        shutil.move(glob.glob(os.path.join(cls.folder, "traces", "*.pvti"))[0], os.path.join(cls.folder, "program.pvti"))
        with open(PAGE, encoding="utf-8") as page:
            cls.rows = list(rows(page.read()))

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def test_each_feature_has_one_row_with_a_command_or_a_reason(self):
        named = sorted(number for numbers, *_ in self.rows for number in numbers)
        self.assertEqual(named, sorted("%s%d" % (seed, n) for seed, most in NUMBERS.items() for n in range(1, most + 1)))
        for numbers, feature, command, reason in self.rows:
            self.assertTrue(feature, numbers)
            self.assertTrue(command or len(reason) > 20, numbers)

    def test_every_command_works(self):
        environment = dict(CLEAN, PATH=os.path.dirname(TOOL) + os.pathsep + os.environ["PATH"], HOME=self.folder)
        for numbers, _, command, _ in self.rows:
            if not command:
                continue
            with self.subTest(command=command):
                done = subprocess.run(["bash", "-c", command], cwd=self.folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
                self.assertEqual(done.returncode, 7 if command.endswith("program exit") else 0, done.stderr.decode())
                self.assertTrue(done.stdout + done.stderr, "it says nothing")
                target = re.search(r" -o (\S+)", command)
                if target:
                    self.assertTrue(os.path.exists(os.path.join(self.folder, target[1])), command)


if __name__ == "__main__":
    unittest.main()
