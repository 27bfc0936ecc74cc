"""Slow tests: the wheel in a fresh virtual environment, the stubs, the speed of bulk calls, the notebook."""

import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

import popscope
from BuildTest import ADD, BIN, modelOf
from popscope import poplar

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Version(unittest.TestCase):
    def testAllPlacesStateTheSame(self):
        """Compares the version in CMakeLists.txt (the source for packages, archive and wheel), base/Version.hpp, this package, the viewer
        and the changelog."""
        viewer = ROOT / "report/viewer"
        lock = json.loads((viewer / "package-lock.json").read_text())
        found = {
            "CMakeLists.txt": re.search(r"^project\(popscope VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)[1],
            "base/Version.hpp": re.fullmatch(r"[\d.]+ \(popscope (.+)\)", poplar.versionString())[1],
            "package.json": json.loads((viewer / "package.json").read_text())["version"],
            "package-lock.json": lock["version"],
            "package-lock.json, packages": lock["packages"][""]["version"],
            "CHANGELOG.md": re.search(r"^## \[([\d.]+)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)[1],
        }
        self.assertEqual(found, dict.fromkeys(found, popscope.__version__))


def readme():
    """Returns the Python programs of README.md."""
    found = re.findall(r"^```python\n(.*?)^```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert found
    return found


def checkTypes(case, python, environment, *more):
    """Runs mypy --strict over README.md, the examples, and `more`."""
    with tempfile.TemporaryDirectory() as folder:
        for i, text in enumerate(readme()):
            (pathlib.Path(folder) / ("readme_%d.py" % i)).write_text(text)
        files = sorted(map(str, pathlib.Path(folder).glob("*.py"))) + sorted(map(str, (ROOT / "examples/python").glob("*.py")))
        for what in (files, *more):
            done = subprocess.run([python, "-m", "mypy", "--strict", "--ignore-missing-imports", "--cache-dir", folder + "/cache"] + what, env=environment,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=folder)
            case.assertEqual(done.returncode, 0, done.stdout.decode())


@unittest.skipUnless(importlib.util.find_spec("mypy"), "needs mypy")
class Types(unittest.TestCase):
    def testStrictMypyTakesThePackages(self):
        checkTypes(self, sys.executable, dict(os.environ, MYPYPATH=str(ROOT / "python")), ["-p", "popscope", "-p", "pva", "-p", "libpvti"])


    def testStubsTakeWhatTheModuleTakes(self):
        text = ("import pva\nfrom popscope import poplar\nfrom popscope.poplar import program\n"
                "graph = poplar.Graph(poplar.IPUModel('ipu2').createDevice())\n"
                "x = graph.addVariable(poplar.INT, (2, 3), 'x')\nc = graph.addVariable(poplar.INT, (), 'c')\ny = x.reshape(range(6, 7)).dimShuffle((0,))\n"
                "graph.setTileMapping(x, 0)\ngraph.setTileMapping(c, 0)\n"
                "program.Switch(c, {1: program.WriteUndef(x), 2: program.Sequence()})\n"
                "rows = [row.shape for row in x]\nnumbers = [int(poplar.SyncType.INTERNAL), int(poplar.TargetType.CPU)]\nof = pva.hostSamples\n")
        exec(text, {})
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "sequences.py").write_text(text)
            environment = dict(os.environ, MYPYPATH=str(ROOT / "python"))
            done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", "--cache-dir", folder + "/cache", "sequences.py"],
                                  env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=folder)
        self.assertEqual(done.returncode, 0, done.stdout.decode())


@unittest.skipUnless(importlib.util.find_spec("numpy"), "needs numpy")
class Speed(unittest.TestCase):
    def testManyVerticesASecond(self):
        import numpy

        graph = poplar.Graph(modelOf(1000))
        graph.addCodelets(ADD)
        n = 200000
        tiles = numpy.arange(n) // (n // 1000)
        x, y = graph.addVariable(poplar.FLOAT, [n, 2], "x"), graph.addVariable(poplar.FLOAT, [n, 2], "y")
        set_ = graph.addComputeSet("add")
        begin = time.process_time()
        graph.addVertices(set_, "Add", n, {"a": x, "out": y, "amount": 1.0}, tiles)
        rate = n / (time.process_time() - begin)
        print("%d vertices per second of CPU time" % rate, file=sys.stderr)
        self.assertGreater(rate, 100000)  # usually 500,000 or more; less on a machine under load


MISSING = [name for name in ("pip", "setuptools", "wheel", "venv", "numpy", "matplotlib", "nbconvert", "ipykernel", "distributed", "mypy") if not importlib.util.find_spec(name)]


MADE = os.environ.get("POPSCOPE_ENVIRONMENT", "")  # a virtual environment in which `pip install .` was run


@unittest.skipIf(MISSING or not (BIN or MADE), "needs POPSCOPE_BIN and " + ", ".join(MISSING))
class Environment(unittest.TestCase):
    """Installs the wheel in a fresh virtual environment, whose paths contain no folder of the source tree."""

    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = pathlib.Path(temporary.name)
        cls.environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "POPLAR_", "MYPY"))}
        cls.environment["HOME"] = temporary.name
        source = cls.folder / "source"
        shutil.copytree(ROOT, source, ignore=lambda where, names: [n for n in names if n in ("build", ".git", "node_modules", "__pycache__")])
        cls.place = pathlib.Path(MADE) if MADE else cls.folder / "fresh"
        cls.python = str(cls.place / "bin" / "python")
        if not MADE:
            cls.run_(sys.executable, "-m", "pip", "wheel", str(source), "--no-deps", "--no-index", "-w", temporary.name, "-q")
            (wheel,) = cls.folder.glob("*.whl")
            cls.run_(sys.executable, "-m", "venv", "--system-site-packages", "fresh")
            cls.run_(cls.python, "-m", "pip", "install", "--no-index", "-q", str(wheel))
        cls.run_(cls.python, "-m", "ipykernel", "install", "--sys-prefix")
        cls.examples = source / "examples" / "python"

    @classmethod
    def run_(cls, *words, **more):
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=cls.folder, env=dict(cls.environment, **more))
        if done.returncode != 0:
            raise AssertionError("%s: %d\n%s" % (words, done.returncode, done.stdout.decode("utf-8", "replace")))
        return done.stdout.decode("utf-8", "replace")

    def testThePackagesAreThoseOfTheWheel(self):
        out = self.run_(self.python, "-c", "import popscope, pva, libpvti; print(popscope.__file__, pva.__file__, libpvti.__file__, popscope.__version__)")
        self.assertEqual(out.count(str(self.place)), 3, out)
        self.assertIn(popscope.__version__, out)
        self.assertIn(popscope.__version__, self.run_(self.python, "-m", "pip", "show", "popscope"))
        self.assertIn("popscope", self.run_(self.python, "-m", "popscope", "--version"))

    def testTheProgramsAreInTheBinOfTheEnvironment(self):
        for program in ("popscope", "popc", "profile_summary", "poplar_profile_summary"):
            self.assertIn(popscope.__version__, self.run_(str(self.place / "bin" / program), "--version"))
        (self.folder / "Double.cpp").write_text(
            "#include <poplar/Vertex.hpp>\nclass Double : public poplar::Vertex {\npublic:\n  poplar::InOut<float> x;\n  bool compute() { *x *= 2; return true; }\n};\n")
        self.run_(str(self.place / "bin" / "popc"), "Double.cpp", "-o", "double.gp")
        self.assertTrue((self.folder / "double.gp").exists())

    def testReadmesPythonRuns(self):
        options = '{"autoReport.all": "true"}'
        self.assertIn("Memory on all IPUs", self.run_(self.python, str(self.examples / "first_steps.py"), POPLAR_ENGINE_OPTIONS=options))
        for text in readme():
            (self.folder / "readme.py").write_text(text)
            out = self.run_(self.python, "readme.py")
            self.assertRegex(out, r"\d+ bytes on the fullest tile\n.*\n.*square")

    def testTheNotebookRuns(self):
        self.run_(self.python, "-m", "nbconvert", "--to", "notebook", "--execute", "--output", "done.ipynb", str(self.examples / "profile.ipynb"))
        text = (self.examples / "done.ipynb").read_text()
        self.assertIn("image/png", text)
        self.assertIn("<svg", text)
        self.assertIn("busy_cycles", text)  # the rows of operators

    def testASweepOnDaskLosesNothing(self):
        out = self.run_(self.python, "-B", "-m", "unittest", "SweepTest.Dask", PYTHONPATH=str(ROOT / "python" / "tests"))
        self.assertRegex(out, r"Ran 2 tests.*\n\nOK\n$")

    def testStrictMypyTakesReadmeAndExamples(self):
        checkTypes(self, self.python, self.environment)


if __name__ == "__main__":
    unittest.main()
