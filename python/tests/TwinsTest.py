"""Programs in C++ and the same programs in Python have equal profiles, except for times and places in the source."""

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import unittest

from BuildTest import BIN, EXAMPLES, ROOT

DUMP = os.environ.get("POPSCOPE_PVA_DUMP", "")


def plain():
    """Returns the environment without variables that change a program's output."""
    return {k: v for k, v in os.environ.items() if k not in ("CLICOLOR", "CLICOLOR_FORCE", "POPLAR_ENGINE_OPTIONS")}


def profileLines(case, folder, words):
    """Runs a program, and returns the lines of PvaDump.cpp for its profile.

    The lines have every number of pva except times and places in the source.
    """
    options = {"autoReport.all": "true", "autoReport.directory": folder}
    case.assertEqual(subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(plain(), POPLAR_ENGINE_OPTIONS=json.dumps(options))).returncode, 0, words)
    lines = subprocess.run([DUMP, os.path.join(folder, "profile.pop")], stdout=subprocess.PIPE, check=True).stdout.decode("utf-8", "replace").split("\n")
    return [line for line in lines if not line.startswith(("  context ", "engine autoReport.directory="))]


@unittest.skipUnless(BIN and DUMP and importlib.util.find_spec("numpy"), "needs numpy, POPSCOPE_BIN and POPSCOPE_PVA_DUMP")
class Twins(unittest.TestCase):
    def compare(self, theirs, ours):
        with tempfile.TemporaryDirectory() as folder:
            expected = profileLines(self, os.path.join(folder, "cpp"), theirs)
            found = profileLines(self, os.path.join(folder, "python"), [sys.executable] + ours)
        self.assertGreater(len(expected), 300)
        self.assertEqual(found, expected)

    def testTheTutorialsHaveTheProfilesOfTheirCppTwins(self):
        for name in ("variables", "vertices", "matrix_vector"):
            self.compare([os.environ["POPSCOPE_TUTORIALS"], name], [str(EXAMPLES / (name + ".py"))])

    def testFirstStepsHasTheProfileOfTheCppProgram(self):
        self.compare([os.path.join(BIN, "first_steps")], [str(EXAMPLES / "first_steps.py")])

    def testThePerceptronHasTheProfileOfTheCppProgram(self):
        codelets = str(ROOT / "examples/mlp/mlp_codelets.cpp")
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, str(ROOT / "tests/package/examples/MakeIdx.py"), folder], check=True)
            self.compare([os.path.join(BIN, "mlp"), "--data", folder, "--epochs", "1", "--codelets", codelets], [str(EXAMPLES / "perceptron.py"), codelets, folder, "1"])

    def testNeighboursPrintsTheSummaryOfTheCppProgram(self):
        for words in ([], ["--round-robin"]):
            theirs = subprocess.run([os.path.join(BIN, "tutorial_neighbours")] + words, stdout=subprocess.PIPE, check=True, env=plain()).stdout.decode()
            ours = subprocess.run([sys.executable, str(EXAMPLES / "neighbours.py")] + words, stdout=subprocess.PIPE, check=True, env=plain()).stdout.decode()
            self.assertGreater(len(theirs), 2000)
            self.assertEqual(ours, theirs)


if __name__ == "__main__":
    unittest.main()
