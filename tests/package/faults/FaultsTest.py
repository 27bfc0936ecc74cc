"""Programs and tools under faults: written files stay valid, and the message names the fault."""

import json
import os
import re
import resource
import shutil
import signal
import socket
import sqlite3
import struct
import subprocess
import time
import unittest

import Support


def limit(what, value):
    return lambda: resource.setrlimit(what, (value, value))


class DeepJson(Support.FaultCase):
    OBJECTS = '{"a":' * 100000 + "1" + "}" * 100000
    ARRAYS = "[" * 100000 + "]" * 100000
    SHORT = '{"a":' * 10000 + "1" + "}" * 10000  # for the environment, which limits the length

    def testTheMachineOfAProfile(self):
        self.profile()
        database = sqlite3.connect(self.path("profile.pop"))
        database.execute("UPDATE target SET machine = ?", (self.OBJECTS,))
        database.commit()
        database.close()
        self.assertSays(self.tool("whatif", "profile.pop", "--sync-delay", "60"), 2, "no valid JSON at byte",
                        "more than 64 arrays and objects inside each other")
        self.assertSays(self.tool("sensitivity", "profile.pop"), 2, "more than 64 arrays and objects")

    def testABudget(self):
        self.profile()
        for text in (self.OBJECTS, self.ARRAYS, '{"limits": ' + self.ARRAYS + "}"):
            self.write("budget.json", text)
            self.assertSays(self.tool("check", "profile.pop", "--budget", "budget.json"), 2, "budget.json",
                            "more than 64 arrays and objects inside each other")
        self.write("budget.json", '{"limits": {"cycles": }}')
        self.assertSays(self.tool("check", "profile.pop", "--budget", "budget.json"), 2,
                        "no valid JSON at byte 22: '}' is not expected there")

    def testAMachineFile(self):
        self.profile()
        self.write("machine.json", self.OBJECTS)
        self.assertSays(self.tool("whatif", "profile.pop", "--machine", "machine.json"), 2, "machine.json",
                        "more than 64 arrays and objects inside each other")

    def testAConfiguration(self):
        for text in (self.OBJECTS, self.ARRAYS, '{"engine": ' + self.ARRAYS + "}", '{"formats": ' + self.ARRAYS + "}", '{"formats": [["csv"]]}'):
            self.write("config.json", text)
            self.assertSays(self.tool("config", "check", self.path("config.json")), 1, "config.json")

    def testOptions(self):
        for text in (self.SHORT, "[" * 1000 + "]" * 1000):
            done = self.client("run", POPLAR_ENGINE_OPTIONS=text)
            self.assertSays(done, 1, "EXCEPTION", "POPLAR_ENGINE_OPTIONS")
        self.write("advice.json", self.ARRAYS)
        self.assertSays(self.client("run", POPLAR_ENGINE_OPTIONS='{"popscope.applyAdvice": "advice.json"}'), 1,
                        "EXCEPTION", "popscope.applyAdvice", "more than 64 arrays and objects inside each other")

    def testAGraphObject(self):
        index = b'{"objects":' + b"[" * 100000 + b"]" * 100000 + b',"blobs":[]}'
        for version in (4, 5):
            self.write("deep.gp", b"POPSCPGP" + struct.pack("<IQ", version, len(index)) + index)
            self.assertSays(self.client("run", "x", "deep.gp"), 1, "EXCEPTION deep.gp: ")

    def testTracing(self):
        done = self.client("run", PVTI_OPTIONS=self.SHORT)
        self.assertSays(done, 0, "81", "error in PVTI_OPTIONS")


class Files(Support.FaultCase):
    def testDebugInformationOfAnotherProfile(self):
        self.assertEqual(self.client("run", "first").returncode, 0)
        shutil.copy(self.path("profile.pop"), self.path("first.pop"))
        self.assertEqual(self.client("run", "other").returncode, 0)
        self.assertEqual(self.client("callback", "standard").returncode, 1)  # a different program
        self.assertSays(self.client("pva", "profile.pop", "debug.cbor"), 0)
        shutil.copy(self.path("first.pop"), self.path("profile.pop"))
        self.assertSays(self.client("pva", "profile.pop", "debug.cbor"), 1,
                        "debug.cbor: is the debug information of another profile")
        done = self.tool("html", "profile.pop", "-o", "page.html")
        if "has no viewer" in str(done.stderr):
            self.skipTest("this build has no viewer")
        self.assertSays(done, 0, "debug.cbor belongs to another profile than profile.pop")
        whole = self.read("debug.cbor")
        for damaged in (b"", b"garbage", whole[:-1], whole[:60], whole + b"x"):
            self.write("debug.cbor", damaged)
            for command in (["info", "profile.pop"], ["top", "profile.pop", "--of", "operations"],
                            ["html", "profile.pop", "-o", "page.html"]):
                done = self.tool(*command)
                self.assertSays(done, 0, "debug.cbor: is damaged")
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def testNoLinkIsFollowed(self):
        victim = self.write("victim", "mine")
        os.mkdir(self.path("report"))
        for name in ("debug.cbor", "profile.pop"):
            os.symlink(victim, self.path("report", name))
        done = self.client("run", POPLAR_ENGINE_OPTIONS='{"autoReport.all": "true", "autoReport.directory": "report"}')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.read("victim"), b"mine")
        self.assertEqual(sorted(os.listdir(self.path("report"))), ["debug.cbor", "profile.pop"])
        self.assertFalse(any(os.path.islink(self.path("report", n)) for n in ("debug.cbor", "profile.pop")))

    @unittest.skipUnless(os.geteuid() == 0, "only root can give a file to another user")
    def testAFileOfAnotherUserInASharedFolderStays(self):
        os.mkdir(self.path("shared"))
        os.chmod(self.path("shared"), 0o1777)
        for name in ("debug.cbor", "profile.pop"):
            self.write("shared/" + name, "theirs")
            os.chown(self.path("shared", name), 65534, 65534)
        done = self.client("run", POPLAR_ENGINE_OPTIONS='{"autoReport.all": "true", "autoReport.directory": "shared"}')
        self.assertSays(done, 0, "81", "shared/profile.pop", "shared/debug.cbor", "belongs to another user")
        for name in ("debug.cbor", "profile.pop"):
            self.assertEqual(self.read("shared/" + name), b"theirs")
        self.assertEqual(sorted(os.listdir(self.path("shared"))), ["debug.cbor", "profile.pop"])

    def testTheHomeFolder(self):
        os.mkdir(self.path("work"))
        options = ('{"autoReport.all": "true", "autoReport.directory": "~/reports", '
                   '"debug.loweredVarDumpFile": "~/vars.csv", "target.saveOutputVertexGraph": "~/graph.dot"}')
        done = self.client("run", cwd=self.path("work"), POPLAR_ENGINE_OPTIONS=options)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(os.listdir(self.path("reports"))), ["debug.cbor", "profile.pop"])
        self.assertEqual(os.listdir(self.path("work")), [])
        for name in ("vars.csv", "graph.dot"):
            self.assertTrue(os.path.getsize(self.path(name)) > 0)
        self.write("machine.json", "no machine")
        done = self.tool("whatif", "reports/profile.pop", "--machine", "~/machine.json")
        self.assertSays(done, 2, "machine.json")
        self.assertNotIn("cannot read", done.stderr)
        done = self.client("run", cwd=self.path("work"), POPSCOPE_CONFIG=self.write(
            "config.json", '{"directory": "~/sessions"}'))
        self.assertTrue(os.path.isdir(self.path("sessions")), done.stderr)
        done = self.client("run", cwd=self.path("work"), POPSCOPE_TRACE="~/traces/t.json",
                           POPSCOPE_INCLUDE_DIR="~/include")
        self.assertIn(self.path("include"), done.stdout + done.stderr)  # where no header is
        done = self.client("run", cwd=self.path("work"), POPSCOPE_TRACE="~/traces/t.json")
        self.assertEqual((os.listdir(self.path("traces")), os.path.exists(self.path("work/~"))), (["t.json"], False), done.stderr)

    def testASecondEngineInTheFolderSaysSo(self):
        done = self.client("two")
        self.assertSays(done, 0, "profile.pop, and the profile of the engine that ends last stays")
        self.assertEqual(done.stderr.count("ends last"), 1)

    @unittest.skipIf(os.geteuid() == 0, "root writes everywhere")
    def testAFolderThatMayNotBeWritten(self):
        os.mkdir(self.path("locked"), 0o500)
        done = self.client("run", POPLAR_ENGINE_OPTIONS='{"autoReport.all": "true", "autoReport.directory": "locked"}')
        self.assertSays(done, 0, "81", "Permission denied", "the program goes on.")

    def testAReadOnlyFileSystem(self):
        os.mkdir(self.path("fixed"))
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", self.path("fixed")], stderr=subprocess.DEVNULL).returncode != 0:
            self.skipTest("no tmpfs can be mounted here")
        try:
            self.write("fixed/profile.pop", "older")
            subprocess.run(["mount", "-o", "remount,ro", self.path("fixed")], check=True)
            done = self.client("run", POPLAR_ENGINE_OPTIONS='{"autoReport.all": "true", "autoReport.directory": "fixed"}')
            self.assertSays(done, 0, "81", "Read-only file system", "the program goes on.")
            self.assertEqual(self.read("fixed/profile.pop"), b"older")
        finally:
            subprocess.run(["umount", self.path("fixed")], check=True)

    def testAFullDisk(self):
        os.mkdir(self.path("small"))
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=160k", "tmpfs", self.path("small")],
                          stderr=subprocess.DEVNULL).returncode != 0:
            self.skipTest("no tmpfs can be mounted here")
        try:
            self.write("small/profile.pop", "older")
            fill = os.open(self.path("small/fill"), os.O_WRONLY | os.O_CREAT)
            try:
                while True:
                    os.write(fill, b"x" * 4096)
            except OSError:
                pass
            os.close(fill)
            done = self.client("run", POPLAR_ENGINE_OPTIONS='{"autoReport.all": "true", "autoReport.directory": "small"}')
            self.assertSays(done, 0, "81", "No space left on device", "A file that had this name stays")
            self.assertEqual(self.read("small/profile.pop"), b"older")
            self.assertEqual(sorted(os.listdir(self.path("small"))), ["fill", "profile.pop"])
        finally:
            subprocess.run(["umount", self.path("small")], check=True)

    def testALimitOfTheFileSize(self):
        self.profile()
        before = self.read("profile.pop")
        done = self.client("run", before=limit(resource.RLIMIT_FSIZE, 20000))
        self.assertSays(done, 0, "81", "File too large")
        self.assertEqual(self.read("profile.pop"), before)
        # The parser and the compilers of codelets write files, too.
        done = self.client("run", before=limit(resource.RLIMIT_FSIZE, 500), XDG_CACHE_HOME=self.path("cache"))
        self.assertGreaterEqual(done.returncode, 0, done.stderr)  # no signal
        self.assertIn("EXCEPTION", done.stdout)


class Processes(Support.FaultCase):
    def runs(self, name):
        return (self.sql(name, "SELECT COUNT(*) FROM runs WHERE complete")[0][0],
                self.sql(name, "SELECT COALESCE(SUM(runs), 0) FROM paused_spans")[0][0])

    def unfinished(self):
        return [f for f in os.listdir(self.folder) if f.startswith("profile_") and f.endswith(".pop")]

    def testAKilledProgramKeepsRunsThatEnded(self):
        done = self.client("often", "10", "kill", POPLAR_ENGINE_OPTIONS='{"autoReport.all": "true", '
                           '"autoReport.streamAtEachRun": "true", "autoReport.executionProfileProgramRunCount": "100"}')
        self.assertEqual(done.returncode, -signal.SIGKILL)
        left = self.unfinished()
        self.assertEqual(len(left), 1)
        self.assertSays(self.tool("info", "profile.pop"), 2, "no such file", left[0],
                        "popscope recover ")
        self.assertSays(self.tool("recover", left[0], "-o", "profile.pop"), 0)
        self.assertEqual(self.runs("profile.pop")[0], 10)

    def testAnUnfinishedProfileNextToAnotherIsNamed(self):
        for before in ("", "earlier"):
            with self.subTest(before):
                for name in os.listdir(self.folder):
                    os.remove(self.path(name))
                if before:
                    self.profile()
                done = self.client("often", "2", "kill") if before else self.client("compiled", "2")
                self.assertEqual(done.returncode, -signal.SIGKILL, done.stderr)
                left = self.unfinished()
                self.assertEqual(len(left), 1)
                done = self.tool("info", "profile.pop")
                self.assertSays(done, 0, left[0] + ", which its program has not finished", "popscope recover " + left[0])
                self.assertNotIn("without a call", done.stdout)
                self.assertSays(self.tool("recover", left[0], "-o", "whole.pop"), 0)
                self.assertNotIn("has not finished", self.tool("info", "whole.pop").stdout)

    def testRunsThatWereNotRecordedAreCountedHoweverTheProgramEnds(self):
        for end, code in (("exit", 7), ("term", -signal.SIGTERM)):
            with self.subTest(end):
                done = self.client("often", "3000", end, POPSCOPE_PROFILE="1")
                self.assertEqual(done.returncode, code, done.stderr)
                folder = "popscope-profiles/fault_client" + ("" if end == "exit" else "-2")
                self.assertEqual(self.runs(folder + "/profile.pop"), (2, 2998))
                self.assertEqual([name for name in os.listdir(self.path(folder)) if name.startswith("profile_")], [])
        ends = (("exit", 7), ("quick", 7), ("throw", -signal.SIGABRT), ("term", -signal.SIGTERM),
                ("int", -signal.SIGINT), ("hup", -signal.SIGHUP), ("idle", -signal.SIGKILL))
        for end, code in ends:
            with self.subTest(end + " without a session"):
                for old in self.unfinished():
                    os.remove(self.path(old))
                done = self.client("often", "3000", end)
                self.assertEqual(done.returncode, code, done.stderr)
                if code == 7:  # the profile is complete
                    self.assertEqual((self.runs("profile.pop"), self.unfinished()), ((2, 2998), []))
                else:
                    self.assertEqual(self.runs(self.unfinished()[0]), (2, 2998))
        for attempt in range(6):
            with self.subTest("a signal while the engine ends", attempt=attempt):
                for old in self.unfinished() + ["profile.pop"] * os.path.exists(self.path("profile.pop")):
                    os.remove(self.path(old))
                self.assertEqual(self.client("leave", "3000").returncode, -signal.SIGTERM)
                left = self.unfinished() or ["profile.pop"]  # the engine may be faster than the signal
                self.assertEqual(self.runs(left[0]), (2, 2998))
        with self.subTest("a kill right after the last run"):
            for old in self.unfinished():
                os.remove(self.path(old))
            self.client("often", "1000", "busy")  # longer than the time after which runs reach the file
            recorded, left = self.runs(self.unfinished()[0])
            self.assertEqual(recorded, 2)
            self.assertGreater(left, 0)

    def testASignalWhileEnginesBeginAndEnd(self):
        for attempt in range(12):
            with self.subTest(attempt=attempt):
                self.client("end", POPSCOPE_PROFILE="1")
                folder = "popscope-profiles/fault_client" + ("" if attempt == 0 else "-%d" % (attempt + 1))
                self.assertEqual(self.runs(folder + "/profile.pop")[0], 1)
                for engine in json.loads(self.read(folder + "/session.json"))["engines"]:
                    exists = os.path.exists(self.path(folder + "/" + engine["profile"]))
                    self.assertEqual(exists and engine["profile"] != "", engine["state"] != "no profile", engine)
                left = [name for _, _, names in os.walk(self.path(folder)) for name in names if name.startswith("profile_")]
                self.assertEqual(left, [])

    def testASignalToAForkedChildEndsTheChildAlone(self):
        done = self.client("fork", "signal")
        self.assertEqual((done.returncode, done.stdout), (0, "15 6561 0\n"), done.stderr)
        self.assertEqual(self.runs("profile.pop"), (2, 0))

    def testOldLeftoversGo(self):
        self.profile()
        self.client("often", "1", "kill")
        self.client("often", "1", "kill")
        old, young = self.unfinished()[0], self.unfinished()[1]
        self.write("debug.cbor.0123abcd.part", "x")
        self.write("profile_notours.pop", "x")
        shutil.copy(self.path("profile.pop"), self.path("profile_0123abcd.pop"))  # a complete profile to which a user gave such a name
        for name in (old, "debug.cbor.0123abcd.part", "profile_notours.pop", "profile_0123abcd.pop"):
            os.utime(self.path(name), (1, 1))
        self.profile()
        left = os.listdir(self.folder)
        self.assertNotIn(old, left)
        self.assertNotIn("debug.cbor.0123abcd.part", left)
        for name in (young, "profile_notours.pop", "profile_0123abcd.pop", "profile.pop"):
            self.assertIn(name, left)

    def testACallbackThatThrows(self):
        self.assertSays(self.client("callback", "standard"), 1, "EXCEPTION from the callback")
        self.assertSays(self.client("callback", "int"), 1, "EXCEPTION int 42")
        self.assertEqual(self.runs("profile.pop")[0], 2)  # the third run was cut

    def testAnExitWithinARecordedRun(self):
        every = dict(POPLAR_ENGINE_OPTIONS='{"autoReport.all": "true", "autoReport.executionProfileProgramRunCount": "9"}')
        for end in ("exit", "thread"):  # also an exit on another thread
            for atOnce in ("true", "false"):
                with self.subTest(end=end, atOnce=atOnce):
                    options = json.dumps({**json.loads(every["POPLAR_ENGINE_OPTIONS"]), "autoReport.streamAtEachRun": atOnce})
                    done = self.client("callback", end, POPLAR_ENGINE_OPTIONS=options)
                    self.assertEqual((done.returncode, self.unfinished()), (7, []), done.stderr)
                    self.assertEqual(self.sql("profile.pop", "SELECT complete FROM runs ORDER BY id"), [(1,), (1,), (0,)])
                    self.assertEqual(self.sql("profile.pop", "SELECT value FROM meta WHERE key = 'complete'"), [("1",)])
        done = self.client("callback", "exit", POPSCOPE_PROFILE="1", **every)
        self.assertEqual(done.returncode, 7, done.stderr)
        folder = "popscope-profiles/fault_client"
        self.assertEqual([name for name in os.listdir(self.path(folder)) if name.startswith("profile_")], [])
        self.assertEqual(self.sql(folder + "/profile.pop", "SELECT complete FROM runs ORDER BY id"), [(1,), (1,), (0,)])

    def testNamesOfFilesInMessages(self):
        name = "e\x1b[31m\n.json"
        for content in ("{}", "junk", '{"template": "non\\u001be", "x\\n": 1}'):
            self.write(name, content)
            done = self.tool("config", "check", name)
            self.assertIn("e\\x1b[31m\\x0a.json:", done.stdout + done.stderr)
            self.assertNotIn("\x1b", done.stdout + done.stderr)
            done = self.client("run", POPSCOPE_CONFIG=name)
            self.assertNotIn("\x1b", done.stdout + done.stderr)
        self.assertSays(done, 1, "; e\\x1b[31m\\x0a.json")  # two mistakes in one line

    def testALoadedExecutableKeepsTheDebugInfoOfItsCompilation(self):
        names = "SELECT value FROM meta WHERE key = 'debugInfo'"
        contexts = "SELECT COUNT(debug_context) FROM programs WHERE debug_context <> 0"
        self.assertEqual(self.client("save", self.folder).returncode, 0)
        compiled = [self.sql("profile.pop", query) for query in (names, contexts)]
        before = self.read("debug.cbor")
        self.assertSays(self.client("read", "executable", "executable.bin"), 0, "81")  # in another process
        self.assertEqual(self.runs("profile.pop")[0], 1)
        self.assertEqual([self.sql("profile.pop", query) for query in (names, contexts)], compiled)
        self.assertEqual(self.read("debug.cbor"), before)
        self.assertNotEqual(compiled[1], [(0,)])
        done = self.tool("top", "profile.pop")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def testFewFileDescriptors(self):
        self.profile()
        before = self.read("profile.pop")
        for count in (4, 6, 8, 10, 14, 20):
            done = self.client("run", before=limit(resource.RLIMIT_NOFILE, count))
            self.assertIn(done.returncode, (0, 1), (count, done.stdout, done.stderr))
            if done.returncode == 1 and "EXCEPTION" in done.stdout:
                self.assertEqual(self.read("profile.pop"), before)

    def testAServerWithoutDescriptorsWaits(self):
        self.profile()
        server = subprocess.Popen([Support.TOOL, "view", "--follow", "profile.pop"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=self.folder,
                                  env=self.environment(BROWSER="", DISPLAY=""), preexec_fn=limit(resource.RLIMIT_NOFILE, 24), text=True)
        self.addCleanup(server.stdout.close)
        self.addCleanup(server.wait)
        self.addCleanup(server.terminate)
        line = server.stdout.readline()
        if "has no viewer" in line:
            self.skipTest("this build has no viewer")
        port = int(re.search(r"127.0.0.1:(\d+)/", line).group(1))

        def waits():  # how often the server has waited; a server that tries again at once never waits
            with open("/proc/%d/status" % server.pid) as status:
                return int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)", status.read(), re.MULTILINE).group(1))
        idle = [socket.create_connection(("127.0.0.1", port)) for _ in range(30)]
        for connection in idle:
            self.addCleanup(connection.close)
        time.sleep(1)
        before = waits()
        time.sleep(3)
        self.assertGreater(waits() - before, 3)

    def testAReaderThatGoesAway(self):
        self.profile()
        for command in ("info", "vars", "stats", "tree"):
            reader, writer = os.pipe()
            os.close(reader)
            with os.fdopen(writer, "w") as stdout:
                done = self.tool(command, "profile.pop", stdout=stdout)
            self.assertIn(done.returncode, (0, 2, 3, -signal.SIGPIPE), (command, done.stderr))
            self.assertNotIn("terminate", done.stderr)

    def testAForkBetweenRuns(self):
        # Objects that end with the child: a session, the thread that samples the host, the engine, a cache of this process.
        sampled = '{"autoReport.all": "true", "popscope.sampleHost": "1"}'
        surroundings = {"plain": {}, "session": {"POPSCOPE_PROFILE": "1"}, "sampled": {"POPLAR_ENGINE_OPTIONS": sampled},
                        "own cache": {"XDG_CACHE_HOME": "/proc/self", "TMPDIR": self.path()}}
        for engine in ("ends first", "outlives"):
            for name, variables in surroundings.items():
                with self.subTest(f"{name}, engine {engine}"):
                    os.mkdir(self.path("here"))
                    done = self.client("fork", engine, cwd=self.path("here"), **variables)
                    self.assertEqual((done.returncode, done.stdout), (0, "0 6561 0\n"), done.stderr)
                    profile = "here/popscope-profiles/fault_client/profile.pop" if name == "session" else "here/profile.pop"
                    self.assertEqual(self.runs(profile), (2, 0))
                    self.assertEqual([f for f in os.listdir(self.path("here")) if f.startswith("profile_")], [])
                shutil.rmtree(self.path("here"))

    def testEnginesOfForkedChildren(self):
        done = self.client("children", POPSCOPE_PROFILE="1")
        self.assertEqual((done.returncode, done.stdout), (0, "0\n15\n"), done.stderr)
        for folder, state in (("", "exit"), ("-2", "exit"), ("-3", "SIGTERM")):
            folder = "popscope-profiles/fault_client" + folder
            self.assertEqual(self.runs(folder + "/profile.pop"), (1, 0))
            engines = json.loads(self.read(folder + "/session.json"))["engines"]
            self.assertEqual([(e["profile"], e["state"]) for e in engines], [("profile.pop", state)], folder)
            self.assertEqual([f for f in os.listdir(self.path(folder)) if f.startswith("profile_")], [])
        done = self.client("children", "own", POPLAR_ENGINE_OPTIONS='{"autoReport.all": "true"}')
        self.assertEqual((done.returncode, done.stdout), (0, "0\n15\n"), done.stderr)
        for folder in ("own0", "own1"):  # ended by exit
            self.assertEqual(self.runs(folder + "/profile.pop"), (1, 0))
            self.assertEqual([f for f in os.listdir(self.path(folder)) if f.startswith("profile_")], [])

    def testProcessesThatWriteToOneFolder(self):
        for _ in range(3):
            started = [subprocess.Popen([Support.CLIENT, "run", name], cwd=self.folder, env=self.environment(), stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True) for name in ("one", "two", "three", "four")]
            for process in started:
                self.assertEqual(process.communicate(timeout=Support.LONG)[0], "81\n")
            self.assertEqual(self.runs("profile.pop")[0], 1)
            self.assertEqual(sorted(os.listdir(self.folder)), ["debug.cbor", "profile.pop"])
            done = self.client("pva", "profile.pop", "debug.cbor")
            if done.returncode != 0:
                self.assertSays(done, 1, "debug.cbor: is the debug information of another profile")

    def testAClockThatWasSetBack(self):
        own, late = self.path("cache"), time.time() + 10 * 365 * 86400
        for _ in range(2):
            self.assertEqual(self.client("run", XDG_CACHE_HOME=own).stdout, "81\n")
            files = sorted(os.path.join(folder, name) for folder, _, names in os.walk(own) for name in names)
            self.assertGreater(len(files), 3)
            for file in files + [self.path("profile.pop"), self.path("debug.cbor")]:
                os.utime(file, (late, late))
        self.assertEqual(sorted(os.path.join(folder, name) for folder, _, names in os.walk(own) for name in names), files)
        self.assertEqual(self.runs("profile.pop")[0], 1)
        # The next program that compiles also removes old files, although the time of the last pruning is in the future.
        os.mkdir(os.path.join(own, "popscope", "work-old"))
        os.utime(os.path.join(own, "popscope", "work-old"), (1, 1))
        other = self.write("other.cpp", "#include <poplar/Vertex.hpp>\nusing namespace poplar;\nclass Square : public Vertex { public: "
                           "Input<Vector<float>> in; Output<Vector<float>> out; bool compute() { for (unsigned i = 0; i < out.size(); ++i) "
                           "out[i] = in[i] * in[i]; return true; } };\n")
        self.assertEqual(self.client("run", "x", other, XDG_CACHE_HOME=own).stdout, "81\n")
        self.assertFalse(os.path.exists(os.path.join(own, "popscope", "work-old")))
        for file in files:
            self.assertTrue(os.path.exists(file), file)

    def testANewerFormat(self):
        self.profile()
        self.sql("profile.pop", "PRAGMA user_version = 99")
        self.assertSays(self.tool("info", "profile.pop"), 2, "profile.pop", "99")


class Surroundings(Support.FaultCase):
    def testALocaleThatWritesNumbersInAnotherWay(self):
        plain = self.client("summary")
        self.assertEqual(plain.returncode, 0, plain.stderr)
        before = self.sql("profile.pop", "SELECT * FROM memory_by_tile")
        grouped = self.client("summary", "grouped")
        self.assertEqual(grouped.stdout, plain.stdout)
        self.assertEqual(self.sql("profile.pop", "SELECT * FROM memory_by_tile"), before)
        self.assertSays(self.tool("info", "profile.pop"), 0)

    def testTimeZonesAndLocalesOfTheEnvironment(self):
        plain = self.client("summary").stdout
        self.assertIn("Memory Usage", plain)
        for variables in ({"TZ": "Pacific/Auckland"}, {"TZ": "no such zone"}, {"LC_ALL": "de_DE.UTF-8"}, {"LC_ALL": "no-locale"}, {"LANG": "tr_TR"}):
            self.assertEqual(self.client("summary", **variables).stdout, plain, variables)

    def testNoHome(self):
        environment = self.environment(TMPDIR=self.path())
        for name in ("HOME", "XDG_CACHE_HOME"):
            del environment[name]
        done = subprocess.run([Support.CLIENT, "run"], cwd=self.folder, env=environment, capture_output=True, text=True, timeout=Support.LONG)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "81\n", ""))
        self.assertTrue([name for name in os.listdir(self.folder) if name.startswith("popscope-cache")], os.listdir(self.folder))

    def testACacheThatCannotBeMade(self):
        for place in ("/proc/self", self.write("file", "")):
            done = self.client("run", XDG_CACHE_HOME=place, TMPDIR=self.path())
            self.assertEqual((done.returncode, done.stdout), (0, "81\n"), done.stderr)

    def testACompilerThatIsMissingOrCrashes(self):
        crashing = self.write("crashing", "#!/bin/sh\nkill -SEGV $$\n")
        os.chmod(crashing, 0o755)
        self.assertSays(self.client("run", POPSCOPE_CXX="/no/compiler"), 1, "EXCEPTION", "/no/compiler")
        self.assertSays(self.client("run", POPSCOPE_CXX=crashing), 1, "EXCEPTION", crashing, "was ended by signal 11 (Segmentation fault)")

    def testASmallAddressSpace(self):
        self.profile()
        before, ends = self.read("profile.pop"), set()
        for megabytes in (12, 16, 20, 24, 28, 32, 40, 48, 64, 128, 512, 4096):
            done = self.client("run", before=limit(resource.RLIMIT_AS, megabytes << 20))
            ends.add(done.returncode)
            self.assertIn(done.returncode, (0, 1, 127), (megabytes, done.stdout, done.stderr))
            if done.returncode != 0:
                self.assertIn("EXCEPTION" if done.returncode == 1 else "shared librar", done.stdout + done.stderr)
            if self.read("profile.pop") != before:  # the new file is complete, though the program may have failed later
                self.assertEqual(self.sql("profile.pop", "PRAGMA integrity_check"), [("ok",)])
                self.assertSays(self.tool("info", "profile.pop"), 0)
        self.assertIn(0, ends)
        self.assertGreater(len(ends), 1)

    def testASmallStack(self):
        for kilobytes in (128, 256, 1024):
            done = self.client("summary", before=limit(resource.RLIMIT_STACK, kilobytes << 10))
            self.assertEqual(done.returncode, 0, (kilobytes, done.stdout[-300:], done.stderr))


class Sizes(Support.FaultCase):
    def testNames(self):
        done = self.client("names")
        self.assertSays(done, 0, "81")
        for command in ("info", "vars", "stats", "tree"):
            done = self.tool(command, "profile.pop")
            self.assertIn(done.returncode, (0, 1), (command, done.stderr[-300:]))

    def testMoreElementsThanATileHolds(self):
        self.assertSays(self.client("elements"), 1, "EXCEPTION", "large", "4294967296")

    def testAStreamOf4GB(self):
        self.assertSays(self.client("stream"), 1, "EXCEPTION")

    def testSavedFilesThatAreCutShort(self):
        self.assertEqual(self.client("save", self.folder).returncode, 0)
        self.assertSays(self.client("read", "executable", "executable.bin"), 0, "81")
        for kind in ("executable", "tensors"):
            whole = self.read(kind + ".bin")
            for cut in (0, 7, 100, len(whole) // 2, len(whole) - 1):
                self.write("cut.bin", whole[:cut])
                self.assertSays(self.client("read", kind, "cut.bin"), 1, "EXCEPTION")


if __name__ == "__main__":
    unittest.main()
