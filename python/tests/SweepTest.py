"""Sweeps and archives: on any executor, every point runs once, failed points are rows, and interrupted sweeps resume."""

import concurrent.futures
import functools
import importlib.util
import json
import os
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
                                      (ValueError, "the setting 'state' has the name of a column of each row", {"state": [1]}),
                                      (ValueError, "the metric 'sum' has the name of a setting of each row", {"sum": [1]}),
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
                (TypeError, "arguments is a list of names, not the text 'ls -l': give \\['ls', '-l'\\]", lambda: popscope.Command("ls -l")),
                (ValueError, "the metric 'worker' has the name of a column", lambda: popscope.sweep(squares, {"x": [1]}, ["worker"], database=self.database)),
                (OSError, "the database .*none/s.db cannot be used", lambda: popscope.sweep(squares, {"x": [1]}, ["sum"], database=self.folder + "/none/s.db")),
                (ValueError, "workers is 0; give 1 or more", lambda: popscope.sweep(squares, {"x": [1]}, ["sum"], database=self.database, workers=0)),
                (ValueError, "workers is 0; give 1 or more", lambda: popscope.archive(self.folder, workers=0)),
                (OSError, "there is no folder .*none", lambda: popscope.archive(self.folder + "/none"))):
            with self.subTest(text), self.assertRaisesRegex(error, text):
                call()

    @unittest.skipUnless(BIN, "POPSCOPE_BIN names no folder")
    def testABuildThatNoProcessCanReceiveGetsNoWarningThatPointsRun(self):
        with warnings.catch_warnings(record=True) as caught, self.assertRaisesRegex(TypeError, "build cannot be sent to another process"):
            warnings.simplefilter("always")
            popscope.sweep(functools.partial(squares, lock=threading.Lock()), {"x": [1]}, ["sum"], database=self.database)
        self.assertEqual(caught, [])
        self.assertFalse(os.path.exists(self.database))

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

    def testAWrongSettingIsRefusedBeforeAPointRuns(self):
        names = {"broken.json": '{"base": "ipu2",}', "list.json": "[]", "good.json": '{"base": "ipu2"}', "wrong.json": '{"base": "ipu2", "tilesPerIPU": 3}'}
        for name, text in names.items():
            with open(os.path.join(self.folder, name), "w") as file:
                file.write(text)
        touch = os.path.join(self.folder, "ran")

        def run(*words):
            done = subprocess.run([sys.executable, "-m", "popscope", "sweep", *words, "-o", self.database, "--", "touch", touch], cwd=self.folder, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE)
            self.assertFalse(os.path.exists(touch), words)
            return done.returncode, (done.stderr + done.stdout).decode()
        for words, message in ((["--machine", "none.json"], "popscope sweep: cannot read the machine 'none.json': there is no such file, and no built-in machine has this name"),
                               (["--machine", "none*.json"], "popscope sweep: cannot read the machine 'none[*].json'"),
                               (["--machine", "good.json,broken.json"], "popscope sweep: broken.json: no valid JSON at byte 16"),
                               (["--machine", "list.json"], "popscope sweep: list.json: /: expected an object"),
                               (["--machine", "."], "popscope sweep: .: the machine description cannot be read: Is a directory"),
                               (["--set", "env:X=1", "--set", "env:X=2"], "--set env:X is given twice; give one list of its values: --set env:X=V1,V2"),
                               (["--machine", "ipu1", "--set", "machine=ipu2"], "the machine is given by --machine and by --set machine"),
                               (["--set", "exchange.bytesPerCycle=4", "--set", "exchange/bytesPerCycle=8"],
                                "'exchange.bytesPerCycle' and 'exchange/bytesPerCycle' are the same field of the machine"),
                               (["--machine", "ipu1", "-j", "0"], "argument -j/--workers: give a whole number of 1 or more, not '0'")):
            with self.subTest(words):
                code, said = run(*words)
                self.assertEqual(code, 2)
                self.assertRegex(said, message)
                self.assertFalse(os.path.exists(self.database))
        for words, message in ((["--machine", "wrong.json"], "invalid_machine_model: wrong.json: /tilesPerIPU: unknown field"),
                               (["--set", "sync.globalCycles=x"], "invalid_machine_model: ipu2 with sync.globalCycles=x: /sync/globalCycles: expected a whole number")):
            with self.subTest(words):
                code, said = run(*words)
                self.assertEqual(code, 1)
                self.assertRegex(said, message)

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

    @unittest.skipUnless(BIN, "POPSCOPE_BIN names no folder")
    def testAFieldThatChangesTheCodeIsCompiled(self):
        over = {"exchange.maxSendWords": [1, 64], "sync.globalCycles": [100, 300]}
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            command = popscope.Command([os.path.join(BIN, "first_steps")], resimulate=True)
            rows = popscope.sweep(command, over, ["cycles", "bytes.allTiles"], pool, self.database).rows()
        self.assertEqual({r["how"] for r in rows}, {"compiled"})

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
            # Only names of unfinished files are left out, as popscope history does.
            for name in ("profile_old.pop", "profile_0123abcd.pop", "profile_0123abcd9.pop"):
                shutil.copy(rows["a"]["path"], os.path.join(self.folder, "a", name))
            names = {os.path.basename(r["path"]) for r in popscope.archive(self.folder, executor=pool).frame(kind="rows")}
            self.assertEqual(names, {"broken.pop", "profile.pop", "profile_old.pop", "profile_0123abcd9.pop"})

    def testEverythingReadsProfilesThatTheIndexHasWithoutIt(self):
        device, engine = adder()
        engine.loadAndRun(device)
        os.makedirs(os.path.join(self.folder, "a"))
        engine.getReport().popscope.save(os.path.join(self.folder, "a", "profile.pop"))
        (metric,) = [name for name in popscope.open(os.path.join(self.folder, "a", "profile.pop")).numbers() if re.fullmatch(r"computeSet\..*\.cycles", name)]
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            archive = popscope.archive(self.folder, executor=pool, commit="c1")
            with self.assertRaisesRegex(LookupError, r"no number '%s' .*, and popscope.archive\(folder, everything=True\) indexes" % re.escape(metric)):
                archive.trend(metric, "a")
            with sqlite3.connect(archive.database) as db:  # as an older version wrote it
                db.execute("ALTER TABLE profiles DROP COLUMN everything")
            found = []
            for everything in (True, False):  # the second call reads nothing, and keeps the numbers
                archive = popscope.archive(self.folder, executor=pool, everything=everything, commit="c2")
                found += archive.trend(metric, "a")
                self.assertEqual([row["commit"] for row in archive.frame(kind="rows")], ["c1"])  # the profile is not new
        self.assertGreater(found[0][2], 0)
        self.assertEqual(found[1], found[0])

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "needs matplotlib")
    def testThePictureOfATrendHasOneTickForEachProfile(self):
        import matplotlib

        matplotlib.use("svg")
        from matplotlib import pyplot

        device, engine = adder()
        engine.loadAndRun(device)
        for place in ("a/program", "b/program"):
            os.makedirs(os.path.join(self.folder, place))
            engine.getReport().popscope.save(os.path.join(self.folder, place, "profile.pop"))
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            archive = popscope.archive(self.folder, executor=pool)
        axes = archive.plot("cycles", "program")
        self.assertEqual([tick for tick in axes.get_xticks() if 0 <= tick <= 1], [0, 1])
        fixed = pyplot.subplots()[1]
        fixed.set_xticks([0.5])
        self.assertEqual(list(archive.plot("cycles", "program", fixed).get_xticks()), [0.5])  # the caller's ticks
        figures = pyplot.get_fignums()
        self.assertRaises(LookupError, archive.plot, "cycle", "program")
        self.assertEqual(pyplot.get_fignums(), figures)

    def testNamesThatAreNotUtf8AndLinksToNothingAreRows(self):
        device, engine = adder()
        engine.loadAndRun(device)
        engine.getReport().popscope.save(os.path.join(self.folder, "good.pop"))
        odd = os.path.join(os.fsencode(self.folder), b"fold\xff")
        os.mkdir(odd)
        shutil.copy(os.path.join(self.folder, "good.pop"), os.path.join(odd, b"na\xfeme.pop"))
        os.symlink("nowhere", os.path.join(self.folder, "link.pop"))
        for _ in range(2):  # the second time, no file has changed
            with concurrent.futures.ThreadPoolExecutor(1) as pool:
                rows = {os.path.basename(r["path"]): r for r in popscope.archive(self.folder, executor=pool).frame(kind="rows")}
            self.assertEqual(set(rows), {"good.pop", "na\\xfeme.pop", "link.pop"})
            self.assertIn("link.pop: ", rows["link.pop"]["message"])
            self.assertEqual(rows["na\\xfeme.pop"]["program"], "fold\\xff")
            self.assertRegex(rows["na\\xfeme.pop"]["message"], r"na\\xfeme.pop: a path that is not valid UTF-8 cannot be indexed; rename")
            self.assertEqual((rows["good.pop"]["message"], rows["good.pop"]["cycles"] > 0), ("", True))

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
