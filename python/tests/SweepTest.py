"""Sweeps and archives: on any executor, every point runs once, failed points are rows, and interrupted sweeps resume."""

import concurrent.futures
import fractions
import functools
import importlib.util
import json
import os
import pathlib
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings
from unittest import mock

import popscope
from BuildTest import BIN, adder


def squares(x, y):
    if x == 2 and y == 1:
        raise ValueError("two and one\nand more")
    with open(os.environ["POPSCOPE_SWEEP_LOG"], "a") as log:
        log.write("%d %d\n" % (x, y))
    return {"sum": x + y, "product": x * y}


def dies(x):
    if x == 3:
        os._exit(9)
    return {"cycles": x}


def compiled(amount):
    device, engine = adder(amount)
    engine.loadAndRun(device)
    return engine


def isRunning(process):
    """Returns whether the process runs; a process that ended and that no parent has waited for does not run."""
    try:
        with open("/proc/%s/stat" % process) as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.database = os.path.join(folder.name, "sweep.db")
        self.log = os.environ["POPSCOPE_SWEEP_LOG"] = os.path.join(folder.name, "log")

    def logged(self):
        with open(self.log) as log:
            return sorted(log.read().split("\n")[:-1])


class Sweeps(Case):
    over = {"x": range(4), "y": [1, 5]}

    def check(self, result):
        rows = result.rows()
        self.assertEqual(len(rows), 8)
        self.assertEqual({(r["x"], r["y"]): r.get("sum") for r in rows}, {(x, y): None if (x, y) == (2, 1) else x + y for x in range(4) for y in (1, 5)})
        self.assertEqual([r["message"] for r in result.failed], ["ValueError: two and one"])
        self.assertEqual(self.logged(), sorted("%d %d" % (x, y) for x in range(4) for y in (1, 5) if (x, y) != (2, 1)))

    def testEveryCombinationOnceAndResumed(self):
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            result = popscope.sweep(squares, self.over, ["sum", "product"], pool, self.database)
            self.check(result)
            self.check(popscope.sweep(squares, self.over, ["sum", "product"], pool, self.database))
            more = popscope.sweep(squares, {"x": range(5), "y": [1, 5]}, ["sum", "product"], pool, self.database, retry=True)
            self.assertEqual(len(more), 10)
        self.assertEqual(len(self.logged()), 9)
        db = sqlite3.connect(self.database)
        self.assertEqual(db.execute("SELECT COUNT(*), MIN(version) FROM sweeps").fetchone(), (3, popscope.__version__))
        self.assertEqual(json.loads(db.execute("SELECT over FROM sweeps ORDER BY id").fetchone()[0]), {"x": [0, 1, 2, 3], "y": [1, 5]})

    def testASweepWithoutPointsIsRefusedBeforeThereIsAFile(self):
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            for error, text, over in ((TypeError, r'over is a dict of names to lists of values, as in \{"tiles": \[64, 128\]\}, not \[1\]', [1]),
                                      (TypeError, "a name in over is a str, not 3", {3: [1]}),
                                      (TypeError, "over: the values of 'x' are a list, not 3", {"x": 3}),
                                      (ValueError, "no point: over is empty", {}),
                                      (ValueError, "no point: the list of 'y' in over is empty", {"x": [1], "y": iter([])})):
                with self.subTest(text), self.assertRaisesRegex(error, text):
                    popscope.sweep(squares, over, ["sum"], pool, self.database)
        self.assertEqual(os.listdir(self.folder), [])

    def testOtherMetricsOrPointsAreOtherQuestions(self):
        """Requests new metrics for a point in the file: the point runs again. The result has the requested points in order."""
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            popscope.sweep(squares, {"x": [3, 1], "y": [5]}, ["sum"], pool, self.database)
            result = popscope.sweep(squares, {"x": [3], "y": [1, 5]}, ["product"], pool, self.database)
            self.assertEqual([(r["x"], r["y"], r["product"]) for r in result.rows()], [(3, 1, 3), (3, 5, 15)])
            self.assertEqual([r.get("sum") for r in result.rows()], [None, 8])  # only the point of the first sweep has this metric
            self.assertEqual(type(result.rows()[0]["product"]), int)
            failed = popscope.sweep(squares, {"x": [2], "y": [1]}, ["sum"], pool, self.database)
            self.assertEqual(repr(failed), "Result(%r: 1 points, 1 failed)" % self.database)
        self.assertEqual(len(self.logged()), 4)

    def testAWrongMetricIsNotKeptForTheRightOne(self):
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            self.assertEqual(len(popscope.sweep(compiled, {"amount": [1.0]}, ["cycle"], pool, self.database).failed), 1)
            self.assertEqual(popscope.sweep(compiled, {"amount": [1.0]}, ["cycles"], pool, self.database).failed, [])

    def testAWrongArgumentIsNamed(self):
        for error, text, call in (
                (TypeError, "over: the values of 'x' are a list, not 3", lambda: popscope.sweep(squares, {"x": 3}, ["sum"], database=self.database)),
                (TypeError, "over: the values of 'x' are a list, not 'ab'", lambda: popscope.sweep(squares, {"x": "ab"}, ["sum"], database=self.database)),
                (TypeError, "metrics is a list of names, not the text 'sum'", lambda: popscope.sweep(squares, {"x": [1]}, "sum", database=self.database)),
                (TypeError, "define it at the top of a module", lambda: popscope.sweep(lambda x: {"sum": x}, {"x": [1]}, ["sum"], database=self.database)),
                (TypeError, "arguments is a list of names, not the text 'ls'", lambda: popscope.Command("ls")),
                (OSError, "the database .*none/s.db cannot be used", lambda: popscope.sweep(squares, {"x": [1]}, ["sum"], database=self.folder + "/none/s.db")),
                (OSError, "there is no folder .*none", lambda: popscope.archive(self.folder + "/none"))):
            with self.subTest(text), self.assertRaisesRegex(error, text):
                call()

    @unittest.skipUnless(BIN, "POPSCOPE_BIN names no folder")
    def testADatabaseThatCannotBeUsedIsExitCodeTwo(self):
        done = subprocess.run([os.path.join(BIN, "popscope"), "sweep", "-o", __file__, "--set", "env:X=1", "--", "true"], stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr.decode(), "^popscope sweep: the database .* cannot be used: file is not a database\n$")

    def testProcessesByDefault(self):
        self.check(popscope.sweep(squares, self.over, ["sum", "product"], database=self.database, workers=2))

    def testAWorkerThatDiesIsARow(self):
        result = popscope.sweep(dies, {"x": range(6)}, ["cycles"], database=self.database, workers=1)
        self.assertEqual([(r["x"], r["state"]) for r in sorted(result.rows(), key=lambda r: r["x"])],
                         [(x, "failed" if x == 3 else "done") for x in range(6)])
        self.assertIn("lost 3 times", result.failed[0]["message"])

    def testEnginesGiveTheNumbersOfTheirProfiles(self):
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            result = popscope.sweep(compiled, {"amount": [1.0, 2.0]}, ["cycles", "bytes.fullestTile"], pool, self.database)
        self.assertEqual(result.failed, [])
        first, second = result.rows()
        self.assertGreater(first["cycles"], 0)
        self.assertEqual((first["cycles"], first["bytes.fullestTile"]), (second["cycles"], second["bytes.fullestTile"]))
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            wrong = popscope.sweep(compiled, {"amount": [1.0]}, ["cycle"], pool, self.database + "2")
        self.assertIn("no number 'cycle'", wrong.failed[0]["message"])

    @unittest.skipUnless(BIN, "POPSCOPE_BIN names no folder")
    def testAnUnmodifiedProgramOverMachines(self):
        machine = os.path.join(self.folder, "m.json")
        with open(machine, "w") as file:
            json.dump({"base": "ipu1", "name": "mine"}, file)
        done = subprocess.run([os.path.join(BIN, "popscope"), "sweep", "--machine", machine, "--set", "exchange.bytesPerCycle=1,4,bad", "--metric", "cycles",
                               "-o", self.database, "-j", "1", "--json", "--", os.path.join(BIN, "first_steps")], stdout=subprocess.PIPE)
        self.assertEqual(done.returncode, 1)
        rows = json.loads(done.stdout)
        self.assertEqual([r["state"] for r in rows], ["done", "done", "failed"])
        self.assertIn("bytesPerCycle", rows[2]["message"])
        self.assertGreater(rows[0]["cycles"], rows[1]["cycles"])
        environment = dict(os.environ, POPSCOPE_MACHINE=machine, POPLAR_ENGINE_OPTIONS=json.dumps(
            {"autoReport.outputExecutionProfile": "true", "autoReport.outputGraphProfile": "true", "autoReport.directory": self.folder}))
        subprocess.run([os.path.join(BIN, "first_steps")], env=environment, check=True, stdout=subprocess.DEVNULL)
        self.assertEqual(popscope.open(os.path.join(self.folder, "profile.pop")).numbers()["cycles"], rows[1]["cycles"])


    @unittest.skipUnless(BIN, "POPSCOPE_BIN names no folder")
    def testABooleanIsTrueOrFalse(self):
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            command = popscope.Command([os.path.join(BIN, "first_steps")])
            rows = popscope.sweep(command, {"option:debug.instrument": [True, False]}, ["cycles"], pool, self.database).rows()
        self.assertEqual([(r["option:debug.instrument"], r["message"]) for r in rows], [(True, ""), (False, "")])

    @unittest.skipUnless(BIN, "POPSCOPE_BIN names no folder")
    def testTheTextOfSetIsUnchanged(self):
        script = 'printf "%s %s\\n" "$FOO" "$POPLAR_ENGINE_OPTIONS" >> "$POPSCOPE_SWEEP_LOG"; exit 1'
        done = subprocess.run([os.path.join(BIN, "popscope"), "sweep", "--set", "env:FOO=true,1e3,null,1.10", "--set", "option:debug.x=true", "-j", "1", "-o",
                               self.database, "--json", "--", "sh", "-c", script], stdout=subprocess.PIPE)
        self.assertEqual([row["env:FOO"] for row in json.loads(done.stdout)], ["true", "1e3", "null", "1.10"])
        found = dict(line.split(" ", 1) for line in self.logged())
        self.assertEqual(set(found), {"true", "1e3", "null", "1.10"})
        self.assertEqual({json.loads(options)["debug.x"] for options in found.values()}, {"true"})

    @unittest.skipUnless(BIN, "POPSCOPE_BIN names no folder")
    def testHelpIsPrintedWithoutAProgram(self):
        popscope_, module = os.path.join(BIN, "popscope"), [sys.executable, "-m", "popscope"]
        for words in ([popscope_, "sweep", "--help"], [popscope_, "sweep", "-h"], [popscope_, "help", "sweep"], [popscope_, "--help", "sweep"], module + ["sweep", "--help"],
                      module + ["help", "sweep"], [popscope_, "sweep", "--help", "--", "true"]):
            with self.subTest(words):
                done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                self.assertEqual((done.returncode, done.stderr), (0, b""))
                self.assertRegex(done.stdout.decode(), "^usage: popscope sweep .*-- PROGRAM")
        done = subprocess.run([popscope_, "help", "archive"], stdout=subprocess.PIPE)
        self.assertEqual((done.returncode, done.stdout[:23]), (0, b"usage: popscope archive"))
        done = subprocess.run([popscope_, "sweep", "--set", "a=1"], stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 2)
        self.assertIn("the program comes after --", done.stderr.decode())

    @unittest.skipUnless(BIN, "POPSCOPE_BIN names no folder")
    def testWhatIsReSimulatedIsWhatCompilingGives(self):
        over = {"machine": ["ipu1"], "exchange.bytesPerCycle": [1, 2, 4], "sync.globalCycles": [100, 300]}
        found = []
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            for resimulate in (False, True):
                command = popscope.Command([os.path.join(BIN, "first_steps")], resimulate=resimulate)
                result = popscope.sweep(command, over, ["cycles", "bytes.fullestTile"], pool, self.database + str(resimulate))
                self.assertEqual({r["how"] for r in result.rows()}, {"re-simulated" if resimulate else "compiled"})
                found.append([(r["cycles"], r["bytes.fullestTile"]) for r in result.rows()])
        self.assertEqual([name for name in os.listdir(self.folder) if "profiles" in name], [])
        self.assertEqual(*found)
        self.assertGreater(len(set(found[0])), 1)

    def testASignalLeavesNoFolder(self):
        program = os.path.join(self.folder, "program")
        with open(program, "w") as file:
            file.write("#!/bin/sh\necho $$ >> '%s'\nexec sleep 100\n" % self.log)
        os.chmod(program, 0o755)
        temporary = os.path.join(self.folder, "temporary")
        os.mkdir(temporary)
        # A shell or a batch system signals the whole group, and kill only the one process.
        for number, group in ((signal.SIGINT, True), (signal.SIGTERM, False), (signal.SIGTERM, True), (signal.SIGHUP, False)):
            for words in (["--re-simulate"], []):
                with self.subTest(number=number, group=group, words=words):
                    open(self.log, "w").close()
                    command = subprocess.Popen([sys.executable, "-m", "popscope", "sweep", "-o", self.database, "-j", "2"] + words +
                                               ["--set", "exchange.bytesPerCycle=1,2,4,8", "--set", "env:X=1,2", "--metric", "cycles", "--", program],
                                               env=dict(os.environ, TMPDIR=temporary), start_new_session=True, stderr=subprocess.PIPE)
                    while len(self.logged()) < 2:  # both workers are in a point
                        time.sleep(0.05)
                    time.sleep(0.5)  # Python kills the program at a signal only when its Popen is complete
                    (os.killpg if group else os.kill)(command.pid, number)
                    try:
                        _, errors = command.communicate(timeout=20)
                    except subprocess.TimeoutExpired:
                        os.killpg(command.pid, signal.SIGKILL)
                        raise
                    self.assertEqual(command.returncode, -number)
                    self.assertEqual(errors, b"")
                    self.assertEqual([name for name in os.listdir(self.folder) if "profiles" in name], [])
                    self.assertEqual(os.listdir(temporary), [])
                    for process in self.logged():
                        self.assertFalse(isRunning(process))

    def cyclesAndSeconds(self, over, metrics=("cycles",), **environment):
        """Sweeps first_steps in this environment, and returns the cycles and the times of its points."""
        rows = None
        with concurrent.futures.ThreadPoolExecutor(1) as pool, mock.patch.dict(os.environ, environment):
            rows = popscope.sweep(popscope.Command([os.path.join(BIN, "first_steps")], resimulate=True), over, metrics, pool, self.database).rows()
        self.assertEqual([r["message"] for r in rows], [""] * len(rows))
        return [r["cycles"] for r in rows], [r["seconds"] for r in rows]

    def machineFile(self, name="m.json", **fields):
        path = os.path.join(self.folder, name)
        with open(path, "w") as file:
            json.dump(dict({"base": "ipu1", "name": "mine"}, **fields), file)
        return path

    @unittest.skipUnless(BIN, "POPSCOPE_BIN names no folder")
    def testAnEditedMachineFileRunsAgain(self):
        for over in ({}, {"exchange.bytesPerCycle": [2]}):  # compiled and re-simulated
            with self.subTest(over):
                over["machine"] = [self.machineFile(), "ipu1"]
                first, seconds = self.cyclesAndSeconds(over)
                self.assertEqual(self.cyclesAndSeconds(over), (first, seconds))  # nothing ran again
                self.machineFile(sync={"minDelayCycles": 5, "maxDelayCycles": 50})
                second, after = self.cyclesAndSeconds(over)
                self.assertLess(second[0], first[0])
                self.assertEqual((second[1], after[1]), (first[1], seconds[1]))
                self.machineFile()
                self.assertEqual(self.cyclesAndSeconds(over), (first, seconds))

    @unittest.skipUnless(BIN, "POPSCOPE_BIN names no folder")
    def testAnotherEnvironmentRunsAgain(self):
        over = {"option:debug.allowOutOfMemory": ["true"]}
        first = self.cyclesAndSeconds(over)
        second = self.cyclesAndSeconds(over, POPSCOPE_MACHINE=self.machineFile(sync={"minDelayCycles": 5, "maxDelayCycles": 50}))
        third = self.cyclesAndSeconds(over, POPSCOPE_MACHINE=self.machineFile(sync={"minDelayCycles": 1, "maxDelayCycles": 20}))
        self.assertGreater(first[0], second[0])
        self.assertGreater(second[0], third[0])
        self.assertEqual(self.cyclesAndSeconds(over, POPSCOPE_LOG="warn"), first)
        self.assertEqual(self.cyclesAndSeconds({"exchange.bytesPerCycle": [4], "machine": ["ipu1"]}, POPSCOPE_MACHINE=self.machineFile())[0], first[0])

    @unittest.skipUnless(BIN, "POPSCOPE_BIN names no folder")
    def testFieldsThatTheProgramDoesNotTakeAreCompiled(self):
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            command = popscope.Command([os.path.join(BIN, "first_steps")], resimulate=True)  # its model is an ipu1
            rows = popscope.sweep(command, {"machine": ["ipu2", "ipu1"], "exchange.bytesPerCycle": [1, 4]}, ["cycles"], pool, self.database).rows()
        self.assertEqual([r["how"] for r in rows], ["compiled"] * 2 + ["re-simulated"] * 2)
        self.assertEqual([rows[0]["cycles"], rows[1]["cycles"]], [rows[3]["cycles"]] * 2)

    @unittest.skipUnless(BIN, "POPSCOPE_BIN names no folder")
    def testAPointThatWhatifCannotAnswerIsCompiled(self):
        command = popscope.Command([os.path.join(BIN, "first_steps")], resimulate=True)
        point = {"machine": "ipu1", "exchange.bytesPerCycle": 2}
        command.kept = self.folder
        self.assertIsNotNone(command.resimulated(point, ["cycles"]))
        for error in (ValueError("whatif: the profile has no recorded run"), RuntimeError("the profile is corrupt")):
            with mock.patch.object(popscope._sweep._cpp, "view", side_effect=error):
                self.assertIsNone(command.resimulated(point, ["cycles"]))


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

    def testATypoInMetricsLeavesTheStoredPointDone(self):
        over = {"amount": [1.0]}
        first = self.sweep(compiled, over, ["cycles"]).rows()[0]
        wrong = self.sweep(compiled, over, ["cyclez"])
        self.assertEqual((wrong.failed[0]["cyclez"], len(wrong.failed)), (None, 1))
        self.assertIn("no number 'cyclez'", wrong.failed[0]["message"])
        self.assertEqual(self.sweep(compiled, over, ["cycles"]).rows(), [first])  # did not run again: the seconds are equal
        self.assertEqual(self.sweep(compiled, over, ["bytes.fullestTile"]).rows()[0]["message"], "")


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


class Identities(Case):
    """Which builds continue the points of another one; counted are the calls of each build."""

    def calls(self, first, second):
        """Sweeps `first` and then `second` over one point, in one file. Returns whether `second` ran, after a check of its result."""
        database = os.path.join(self.folder, "%d.db" % len(os.listdir(self.folder)))
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            popscope.sweep(first, {"x": [5]}, ["y"], pool, database)
            before = self.seconds(database)
            row = popscope.sweep(second, {"x": [5]}, ["y"], pool, database).rows()[0]
        self.assertEqual((row["message"], row["y"]), ("", second(5)["y"]))
        return self.seconds(database) != before

    def seconds(self, database):
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


class Archives(Case):
    def testProfilesAreIndexedOnceAndWhatIsNoProfileIsARow(self):
        for name in ("a", "b"):
            device, engine = adder()
            engine.loadAndRun(device)
            os.makedirs(os.path.join(self.folder, name))
            engine.getReport().popscope.save(os.path.join(self.folder, name, "profile.pop"))
        with open(os.path.join(self.folder, "broken.pop"), "w") as file:
            file.write("no profile")
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            archive = popscope.archive(self.folder, executor=pool)
            rows = {os.path.basename(os.path.dirname(r["path"])) if not r["message"] else "broken": r for r in archive.frame(kind="rows")}
            self.assertEqual(set(rows), {"a", "b", "broken"})
            self.assertEqual(rows["a"]["program"], "a")
            self.assertEqual(rows["a"]["cycles"], popscope.open(rows["a"]["path"]).numbers()["cycles"])
            self.assertIn("not a SQLite database", rows["broken"]["message"])
            self.assertEqual(archive.baseline("a"), rows["a"]["path"])
            self.assertEqual([v for _, _, v in archive.trend("cycles", "b")], [rows["b"]["cycles"]])
            with self.assertRaisesRegex(LookupError, "no complete profile of the program 'c'"):
                archive.baseline("c")
            with self.assertRaisesRegex(LookupError, "no number 'cycle' of the program 'a'"):
                archive.trend("cycle", "a")
            self.assertEqual(repr(archive), "Archive(%r: 2 profiles, 1 unreadable file)" % os.path.join(self.folder, "archive.db"))
            self.assertEqual(len(archive), 2)
            self.assertEqual([os.path.basename(path) for path, _ in archive.unreadable()], ["broken.pop"])
            self.assertRegex(archive.unreadable()[0][1], "broken.pop: ")
            self.assertIsNone(rows["a"]["commit"])
            shutil.rmtree(os.path.join(self.folder, "b"))
            self.assertEqual(len(popscope.archive(self.folder, executor=pool)), 1)


    def testARegionSaysItsProgramAndCommit(self):
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(self.folder)
        for words in (["init", "-q"], ["-c", "user.name=n", "-c", "user.email=e", "commit", "-q", "--allow-empty", "-m", "one"]):
            subprocess.run(["git"] + words, check=True)
        commit = subprocess.run(["git", "rev-parse", "HEAD"], stdout=subprocess.PIPE, check=True).stdout.decode().strip()
        with open("train.py", "w") as file:
            file.write("import popscope\nfrom BuildTest import adder\nwith popscope.profile('report'):\n    device, engine = adder()\n    engine.loadAndRun(device)\n")
        subprocess.run([sys.executable, "train.py"], check=True)
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            (row,) = popscope.archive("report", executor=pool).frame(kind="rows")
        self.assertEqual((row["program"], row["commit"]), ("train", commit))

    @unittest.skipUnless(BIN, "POPSCOPE_BIN names no folder")
    def testABaselineFeedsCheck(self):
        for name in ("old", "new"):
            device, engine = adder()
            engine.loadAndRun(device)
            os.makedirs(os.path.join(self.folder, name))
            engine.getReport().popscope.save(os.path.join(self.folder, name, "profile.pop"))
        popscope_ = os.path.join(BIN, "popscope")
        with open(os.path.join(self.folder, "broken.pop"), "w", encoding="utf-8") as file:
            file.write("no profile")
        indexed = subprocess.run([popscope_, "archive", self.folder], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True)
        self.assertRegex(indexed.stdout.decode(), "^2 profiles, 1 unreadable file in ")
        self.assertRegex(indexed.stderr.decode(), "^popscope archive: .*broken.pop: is not a profile")
        path = subprocess.run([popscope_, "archive", self.folder, "--baseline", "old"], stdout=subprocess.PIPE, check=True).stdout.decode().strip()
        self.assertEqual(path, os.path.join(self.folder, "old", "profile.pop"))
        budget = os.path.join(self.folder, "budget.json")
        with open(budget, "w") as file:
            json.dump({"limits": {"cycles": {"maxIncrease": 0}}}, file)
        done = subprocess.run([popscope_, "check", os.path.join(self.folder, "new", "profile.pop"), "--budget", budget, "--baseline", path], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        self.assertEqual(done.returncode, 0, done.stdout)


@unittest.skipUnless(importlib.util.find_spec("distributed"), "needs Dask's distributed")
class Dask(Case):
    over = Sweeps.over
    check = Sweeps.check

    def testEveryCombinationOnceAndResumed(self):
        from distributed import Client, LocalCluster

        with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None) as cluster, Client(cluster) as client:
            self.check(popscope.sweep(squares, self.over, ["sum", "product"], client.get_executor(), self.database))

    def testAKilledWorkerLosesNothing(self):
        """Kills one of two workers during the sweep: every point occurs exactly once."""
        from distributed import Client, LocalCluster

        with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None) as cluster, Client(cluster) as client:
            pid = client.run(os.getpid)
            result = popscope.sweep(killing, {"x": range(12), "pid": [sorted(pid.values())[0]]}, ["cycles"], client.get_executor(), self.database)
        self.assertEqual(sorted(r["x"] for r in result.rows()), list(range(12)))
        self.assertEqual(result.failed, [])


def killing(x, pid):
    import time

    time.sleep(0.2)
    if os.getpid() == pid and x >= 4:
        os._exit(9)
    return {"cycles": x}


@unittest.skipUnless(importlib.util.find_spec("mpi4py") and shutil.which("mpiexec"), "needs mpi4py and mpiexec")
class Mpi(Case):
    def testAPoolOfMpi(self):
        program = ("from mpi4py.futures import MPIPoolExecutor\nimport popscope, SweepTest, sys\n"
                   "if __name__ == '__main__':\n"
                   "    with MPIPoolExecutor() as pool:\n"
                   "        print(len(popscope.sweep(SweepTest.squares, {'x': range(4), 'y': [1, 5]}, ['sum'], pool, sys.argv[1])))\n")
        path = os.path.join(self.folder, "program.py")
        with open(path, "w") as file:
            file.write(program)
        environment = dict(os.environ, PYTHONPATH=os.pathsep.join([os.path.dirname(os.path.abspath(__file__)), os.environ.get("PYTHONPATH", "")]))
        out = subprocess.run(["mpiexec", "--allow-run-as-root", "--oversubscribe", "-n", "3", sys.executable, "-m", "mpi4py.futures", path, self.database],
                             env=environment, stdout=subprocess.PIPE, check=True, timeout=120).stdout
        self.assertEqual(out.split()[-1], b"8")
        self.assertEqual(len(self.logged()), 7)


if __name__ == "__main__":
    unittest.main()
