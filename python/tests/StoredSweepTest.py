"""The file of a sweep: the metrics in it, the builds that continue it, and how another script reads it."""

import concurrent.futures
import fractions
import functools
import importlib.util
import json
import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import threading
import unittest
import warnings

import popscope
from BuildTest import BIN
from SweepTest import Case, compiled, squares


def scaled(x, factor=1, **others):
    return {"y": x * factor}


class Scaled:
    def __init__(self, factor):
        self.factor = factor

    def __call__(self, x):
        return {"y": x * self.factor}

    def method(self, x):
        return {"y": x + self.factor}


class SlottedScaled:
    __slots__ = ("factor",)

    def __init__(self, factor):
        self.factor = factor

    def __call__(self, x):
        return {"y": x * self.factor}


def closed(factor):
    return lambda x: {"y": x * factor}


def written(text, **names):
    """Returns the function `build` of a script; each call compiles the script again, as a new process does."""
    found = dict(names, __name__=names.get("module", "script"))
    exec(compile(text, "script.py", "exec"), found)
    return found["build"]


class Scalar:
    """A number of a library, with the attributes of numpy's scalars."""
    shape, dtype = (), "f4"

    def __init__(self, value):
        self.value = value

    def item(self):
        return self.value

    def __float__(self):
        return float(self.value)


VALUES = [Scalar(1.5), "abc", [1], True, fractions.Fraction(1, 2), 1 << 70, None, b"1", float("inf"), Scalar(4)]


def values(x):
    return {"y": VALUES[x], "z": x}


class Metrics(Case):
    """The metrics of a point: which values and names there are."""

    def sweep(self, build, over, *metrics, **more):
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            return popscope.sweep(build, over, *metrics, executor=pool, database=self.database, **more)

    def testAMetricIsANumberOrIsRefusedByName(self):
        rows = self.sweep(values, {"x": range(len(VALUES))}, ["y"]).rows()
        self.assertEqual([r.get("y") for r in rows], [1.5, None, None, 1, 0.5, float(1 << 70), None, None, float("inf"), 4])
        self.assertEqual([r["message"] for r in rows], ["", "TypeError: the metric 'y' is a number or None, not 'abc'", "TypeError: the metric 'y' is a number or None, not [1]"]
                         + [""] * 4 + ["TypeError: the metric 'y' is a number or None, not b'1'", "", ""])

    @unittest.skipUnless(importlib.util.find_spec("numpy"), "needs numpy")
    def testNumbersOfNumpy(self):
        import numpy

        given = [numpy.float32(1.5), numpy.int64(3), numpy.bool_(True), numpy.array(2.5), numpy.uint64(7), numpy.array([1, 2])]
        rows = self.sweep(lambda x, f: {"y": given[x]}, {"x": numpy.arange(6), "f": numpy.array([1.5], "f4")}, ["y"]).rows()
        self.assertEqual([r.get("y") for r in rows], [1.5, 3, 1, 2.5, 7, None])
        self.assertEqual([(type(r["x"]), type(r["f"])) for r in rows], [(int, float)] * 6)
        self.assertIn("the metric 'y' is a number or None, not array([1, 2])", rows[5]["message"])

    def testASettingOfALibraryIsANumberOfPython(self):
        seen = []
        result = self.sweep(lambda x: seen.append(x) or {"y": x}, {"x": [Scalar(2), Scalar(4)]}, ["y"])
        self.assertEqual(([r["x"] for r in result.rows()], seen), ([2, 4], [2, 4]))

    def testWithoutMetricsEveryKeyOfTheDictIsStored(self):
        for _ in range(2):
            rows = self.sweep(squares, {"x": [1, 2], "y": [1]}).rows()
            self.assertEqual([(r["sum"], r["product"], r["state"]) for r in rows], [(2, 1, "done"), (None, None, "failed")])
        self.assertEqual(self.logged(), ["1 1"])
        self.assertEqual([r["sum"] for r in self.sweep(squares, {"x": [1], "y": [1]}, ["sum"]).rows()], [2])
        self.assertEqual(self.logged(), ["1 1"])  # the file has this metric
        self.sweep(squares, {"x": [3], "y": [1]}, ["sum"])
        self.assertEqual(self.sweep(squares, {"x": [3], "y": [1]}).rows()[0]["product"], 3)  # this one it lacked
        profile = self.sweep(compiled, {"amount": [1.0]}).rows()[0]
        self.assertGreater(profile["cycles"], 0)
        self.assertGreater(profile["bytes.fullestTile"], 0)

    def testAFailedRowHasItsMetrics(self):
        for metrics, names in (([["sum", "other"]], ["sum", "other"]), ([], ["cycles", "bytes.fullestTile"])):
            with self.subTest(metrics):
                row = self.sweep(squares, {"x": [2], "y": [1]}, *metrics).rows()[0]
                self.assertEqual([(name, row[name]) for name in row], [("x", 2), ("y", 1)] + [(name, None) for name in names] + [(name, row[name]) for name in list(row)[-5:]])
                self.assertEqual(row["message"], "ValueError: two and one")

    def testAPointWhoseMetricHasTheNameOfAnotherColumnFails(self):
        for build, name, other in ((lambda x: {"x": 5, "y": x}, "x", "setting"), (lambda x: {"worker": 3}, "worker", "column")):
            rows = self.sweep(build, {"x": [1, 2]}).rows()
            self.assertEqual([(r["x"], r["state"]) for r in rows], [(1, "failed"), (2, "failed")])
            self.assertEqual({r["message"] for r in rows}, {"ValueError: sweep: the metric '%s' has the name of a %s of each row; give it another name" % (name, other)})

    def testAWrongResultIsNamed(self):
        results = [None, 3, object, {"y": 1}]
        messages = [r["message"] for r in self.sweep(lambda x: results[x], {"x": range(4)}, ["zz"]).rows()]
        for result, message in zip(results, messages[:3]):
            self.assertEqual(message, "TypeError: build returned %r; it returns an engine, a report, an open profile, the path of a profile, or a dict of numbers" % (result,))
        self.assertEqual(messages[3], "LookupError: build returned a dict without the metric 'zz'; for an unknown number, the value is None")

    def testATypoInMetricsLeavesTheStoredPointDone(self):
        over = {"amount": [1.0]}
        first = self.sweep(compiled, over, ["cycles"]).rows()[0]
        wrong = self.sweep(compiled, over, ["cyclez"])
        self.assertEqual((wrong.failed[0]["cyclez"], len(wrong.failed)), (None, 1))
        self.assertIn("no number 'cyclez'", wrong.failed[0]["message"])
        self.assertEqual(self.sweep(compiled, over, ["cycles"]).rows(), [first])  # did not run again: the seconds are equal
        self.assertEqual(self.sweep(compiled, over, ["bytes.fullestTile"]).rows()[0]["message"], "")

    def testATypoInMetricsLeavesTheSweepWithoutMetricsDone(self):
        over = {"amount": [1.0]}
        self.sweep(compiled, over)
        for metrics in (["cyclez"], ["bytes.live"], ["cyclez"], ["cycles"]):
            self.sweep(compiled, over, metrics)
            first = popscope.openSweep(self.database, 1)
            self.assertEqual([(row["state"], row["message"]) for row in first.rows()], [("done", "")], metrics)
        self.assertEqual(popscope.openSweep(self.database, 2).rows()[0]["state"], "failed")
        seconds = first.rows()[0]["seconds"]
        self.assertEqual(self.sweep(compiled, over).rows()[0]["seconds"], seconds)  # did not run again
        named = self.sweep(squares, {"x": [3], "y": [1]}, ["sum"])
        os.remove(self.log)
        os.mkdir(self.log)  # the next call fails
        self.assertEqual(self.sweep(squares, {"x": [3], "y": [1]}).rows()[0]["state"], "failed")  # the point has only one key
        self.assertEqual(named.rows()[0]["state"], "done")


class Stored(Case):
    """openSweep: the results in a file, without the program that wrote it."""

    def testAFileIsReadWithoutTheProgram(self):
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            first = popscope.sweep(squares, {"x": (1, 2), "y": [1]}, ["sum"], pool, self.database)
            second = popscope.sweep(functools.partial(scaled, factor=3), {"x": [4, 5]}, executor=pool, database=self.database)
        os.chmod(self.database, 0o444)
        with open(self.database, "rb") as file:
            before = file.read()
        for result, stored in ((second, popscope.openSweep(self.database)), (first, popscope.openSweep(self.database, 1)), (second, popscope.openSweep(pathlib.Path(self.database), 2))):
            self.assertEqual(stored.rows(), result.rows())
            self.assertEqual(stored.frame("rows"), result.frame("rows"))
            self.assertEqual((repr(stored), stored.failed), (repr(result), result.failed))
        with open(self.database, "rb") as file:
            self.assertEqual(file.read(), before)
        self.assertEqual(os.listdir(self.folder).count("sweep.db"), 1)
        with self.assertRaisesRegex(LookupError, "has no sweep 3: give a number from 1 to 2"):
            popscope.openSweep(self.database, 3)
        program = "import sys, popscope; print([r['y'] for r in popscope.openSweep(sys.argv[1]).rows()])"
        self.assertEqual(subprocess.run([sys.executable, "-c", program, self.database], stdout=subprocess.PIPE, check=True).stdout.split(), [b"[12,", b"15]"])

    def testAFileThatIsNoSweepIsNamed(self):
        missing, text, other = (os.path.join(self.folder, name) for name in ("none.db", "text.db", "other.db"))
        with open(text, "w", encoding="utf-8") as file:
            file.write("no database" * 100)
        db = sqlite3.connect(other)
        db.execute("CREATE TABLE t (a)")
        db.close()
        for path in (missing, text, other):
            with self.subTest(path), self.assertRaisesRegex(OSError, "the sweep %s cannot be read: " % re.escape(path)):
                popscope.openSweep(path)
        self.assertFalse(os.path.exists(missing))

    def testAFileWithoutTheColumnMachinesContinues(self):
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            popscope.sweep(squares, {"x": [1], "y": [1]}, ["sum"], pool, self.database)
            db = sqlite3.connect(self.database)
            db.execute("ALTER TABLE sweeps DROP COLUMN machines")
            db.close()
            rows = popscope.sweep(squares, {"x": [1, 3], "y": [1]}, ["sum"], pool, self.database).rows()
        self.assertEqual(popscope.openSweep(self.database).rows(), rows)
        self.assertEqual(self.logged(), ["1 1", "3 1"])

    @unittest.skipUnless(BIN, "POPSCOPE_BIN names no folder")
    def testTheMachineFileOfASweepMayChange(self):
        machine = os.path.join(self.folder, "m.json")
        command, results = popscope.Command([os.path.join(BIN, "first_steps")]), []
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            for fields in ({}, {"sync": {"minDelayCycles": 5, "maxDelayCycles": 50}}, {}):
                with open(machine, "w", encoding="utf-8") as file:
                    json.dump(dict({"base": "ipu1", "name": "mine"}, **fields), file)
                results.append(popscope.sweep(command, {"machine": [machine]}, ["cycles"], pool, self.database).rows())
        os.unlink(machine)
        self.assertEqual([popscope.openSweep(self.database, i).rows() for i in (1, 2, 3)], results)
        self.assertNotEqual(results[0], results[1])

    def testACallableRunsAgainWithAnEditedMachineFile(self):
        machine, calls = os.path.join(self.folder, "m.json"), []

        def build(machine):
            calls.append(machine)
            return {"length": os.path.getsize(machine) if os.path.exists(machine) else 0}

        lengths = []
        for text in ("{}", "{}", "{ }", "{}"):
            with open(machine, "w", encoding="utf-8") as file:
                file.write(text)
            calls.clear()
            with concurrent.futures.ThreadPoolExecutor(1) as pool:
                rows = popscope.sweep(build, {"machine": [machine, "ipu1"]}, ["length"], pool, self.database).rows()
            lengths.append(([r["length"] for r in rows], len(calls)))
        self.assertEqual(lengths, [([2, 0], 2), ([2, 0], 0), ([3, 0], 1), ([2, 0], 0)])


class Identities(Case):
    """Which builds continue the stored points of another build."""

    def calls(self, first, second):
        """Sweeps `first` and then `second` over one point, in one file. Returns whether `second` ran, after a check of its result."""
        database = os.path.join(self.folder, "%d.db" % len(os.listdir(self.folder)))
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            popscope.sweep(first, {"x": [5]}, ["y"], pool, database)
            before = self.sweepOfPoint(database)
            row = popscope.sweep(second, {"x": [5]}, ["y"], pool, database).rows()[0]
        self.assertEqual((row["message"], row["y"]), ("", second(5)["y"]))
        return self.sweepOfPoint(database) != before

    def sweepOfPoint(self, database):
        db = sqlite3.connect(database)
        found = db.execute("SELECT sweep FROM points ORDER BY id").fetchall()
        db.close()
        return found

    def testArgumentsStateDefaultsAndClosuresAreOtherPrograms(self):
        other = functools.partial(scaled)
        for first, second in ((functools.partial(scaled, factor=2), functools.partial(scaled, factor=3)), (functools.partial(scaled, factor=2), functools.partial(scaled, factor=2.5)),
                              (Scaled(2), Scaled(3)), (SlottedScaled(2), SlottedScaled(3)), (Scaled(2).method, Scaled(3).method), (Scaled(2), Scaled(2).method), (closed(2), closed(3)),
                              (written("def build(x, f=2): return {'y': f}"), written("def build(x, f=3): return {'y': f}")),
                              (written("def build(x, *, f=2): return {'y': f}"), written("def build(x, *, f=3): return {'y': f}")),
                              (functools.partial(lambda f, x: {"y": f}, 2), functools.partial(lambda f, x: {"y": f}, 3)),
                              (other, functools.partial(other, factor=4)), (functools.partial(scaled, others={1, 2}), functools.partial(scaled, others={1, 3}))):
            with self.subTest(first=first, second=second):
                self.assertTrue(self.calls(first, second))

    def testEqualArgumentsAndStateContinue(self):
        for build in (lambda: functools.partial(scaled, factor=2, a={"k": [1, 2.5], "j": None}, b=(True, "t", b"b", 1j), c={"q", "r", "s"}, d=re.compile("a")),
                      lambda: Scaled(2), lambda: SlottedScaled(2), lambda: Scaled(2).method, lambda: closed(2)):
            with self.subTest(build()):
                self.assertFalse(self.calls(build(), build()))
        self.assertFalse(self.calls(functools.partial(scaled, a=1, b=2), functools.partial(scaled, b=2, a=1)))

    def testWhatHasNoStableValueRunsAgainWithOneWarning(self):
        for build in (functools.partial(scaled, lock=threading.Lock()), functools.partial(scaled, pair=(1, threading.Lock())), Scaled(2)):
            if isinstance(build, Scaled):
                build.lock = threading.Lock()
            with self.subTest(build), warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                self.assertTrue(self.calls(build, build))
                self.assertEqual(len(caught), 2)  # one of each sweep
                self.assertRegex(str(caught[0].message), r"sweep: build has an object of type 'lock', whose value is unknown: .*every point runs")
                self.assertEqual(os.path.basename(caught[0].filename), os.path.basename(__file__))

    def testAnotherNameOrConstantInTheCodeIsAnotherProgram(self):
        net = type("net", (), {"HIDDEN": 1, "BATCH": 2})
        for first, second in (("net.HIDDEN", "net.BATCH"), ("sum([i for i in range(x)])", "sum([i + 1 for i in range(x)])"), ("(lambda: net.HIDDEN)()", "(lambda: net.BATCH)()"),
                              ("x in {1, 5}", "x in {1, 6}"), ("x + 1", "x + 1.0 * 2")):
            with self.subTest(second):
                self.assertTrue(self.calls(*(written("def build(x): return {'y': int(%s)}" % text, net=net) for text in (first, second))))

    def testNestedCodeContinues(self):
        for text in ("sum([i for i in range(x)])", "(lambda: x)()", "next(i for i in {1, 2, 3} if i < x)", "len('abc') if x in {'a', 'b', 'c'} else 1"):
            with self.subTest(text):
                self.assertFalse(self.calls(*(written("def build(x):\n  return {'y': %s}" % text) for _ in range(2))))
        nested = "def build(x):\n  def recursive(n): return n and recursive(n - 1)\n  return {'y': recursive(x)}"
        self.assertFalse(self.calls(written(nested), written("# a comment\n\n" + nested)))

    def testAScriptAndItsModuleAreTheSameProgram(self):
        with open(os.path.join(self.folder, "train.py"), "w", encoding="utf-8") as file:
            file.write("import functools, sys, popscope\n"
                       "class Scaled:\n"
                       "    def __call__(self, x):\n        open('log', 'a').write('%d 0\\n' % x)\n        return {'y': sum([i for i in {0, x}])}\n"
                       "def build(x, **others):\n    return Scaled()(x)\n"
                       "def main():\n"
                       "    for build_ in (build, Scaled(), functools.partial(build, more=Scaled())):\n"
                       "        print(popscope.sweep(build_, {'x': [3, 4]}, ['y'], database='s.db').rows()[1]['y'])\n"
                       "if __name__ == '__main__': main()\n")
        environment = dict(os.environ, PYTHONPATH=os.pathsep.join([self.folder, os.environ.get("PYTHONPATH", "")]))
        for words in (["train.py"], ["train.py"], ["-c", "import train; train.main()"], ["-m", "train"], [os.path.join(self.folder, "train.py")]):
            done = subprocess.run([sys.executable] + words, cwd=self.folder, env=environment, stdout=subprocess.PIPE, check=True)
            self.assertEqual(done.stdout.split(), [b"4"] * 3)
        self.assertEqual(len(self.logged()), 6)


if __name__ == "__main__":
    unittest.main()
