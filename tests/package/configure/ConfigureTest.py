"""Unmodified programs that are profiled from outside: the precedence of configuration layers, and the files that exist after each way in
which a program can end."""

import json
import os
import pty
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import unittest

TOOL = os.environ["POPSCOPE_TOOL"]
PROGRAM = os.environ["POPSCOPE_PROGRAM"]
NAME = os.path.basename(PROGRAM)
COUNT = "autoReport.executionProfileProgramRunCount"
OURS = ("POPSCOPE_PROFILE", "POPSCOPE_CONFIG", "POPSCOPE_RUN_OPTIONS", "POPSCOPE_RUN_ID", "POPLAR_ENGINE_OPTIONS", "POPLAR_RUNTIME_OPTIONS", "XDG_CONFIG_HOME")
LONG = 120  # seconds; never reached without a fault


class ConfigureCase(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="popscope-configure-")
        self.addCleanup(shutil.rmtree, self.folder)

    def environment(self, **variables):
        clean = {k: v for k, v in os.environ.items() if k not in OURS}
        clean["HOME"] = self.folder
        return dict(clean, **variables)

    def run_(self, words, **variables):
        return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder, env=self.environment(**variables), timeout=LONG)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def files(self, folder="popscope-profiles/" + NAME):
        return sorted(os.listdir(self.path(folder))) if os.path.isdir(self.path(folder)) else []

    def session(self, folder="popscope-profiles/" + NAME):
        with open(self.path(folder, "session.json"), encoding="utf-8") as file:
            return json.load(file)

    def options(self, profile="popscope-profiles/%s/profile.pop" % NAME):
        with sqlite3.connect("file:%s?mode=ro" % self.path(profile), uri=True) as database:
            return dict(database.execute("SELECT key, value FROM options WHERE scope = 'engine'").fetchall())

    def runs(self, profile="popscope-profiles/%s/profile.pop" % NAME):
        with sqlite3.connect("file:%s?mode=ro" % self.path(profile), uri=True) as database:
            return database.execute("SELECT COUNT(*) FROM runs WHERE complete").fetchone()[0]


class Writing(ConfigureCase):
    def config(self, *words, **variables):
        return self.run_([TOOL, "config"] + list(words), **variables)

    def test_check_lists_all_mistakes_with_those_in_formats(self):
        path = self.write("c.json", '{"formats": ["svgg",\n"csv", "chrom"],\n"tempalte": "ci"}')
        for words, of in ((("check", path), path), (("check", path, "--json"), path), (("set", "summary=true", "--file", path), path)):
            done = self.config(*words)
            told = done.stdout + done.stderr
            for said in (b"svgg", b"chrom", b"tempalte"):
                self.assertIn(said, told, words)
        shown = self.config("check", path).stdout.decode().splitlines()
        self.assertEqual([line.split("Did")[0] for line in shown], [path + ':1: "formats": there is no format "svgg". ', path + ':1: "formats": there is no format "chrom". ',
                                                                    path + ':3: there is no key "tempalte". '])

    def test_set_names_the_nearest_key_and_no_line_of_a_file_that_does_not_exist(self):
        for words, said in ((["tempalte=cycles"], 'popscope config: config set: there is no key "tempalte". Did you mean "template"?'),
                            (["autoReport.al=true"], 'popscope config: config set: unknown engine option "autoReport.al". Did you mean "autoReport.all"?'),
                            (["formats=svgg,chrom"], 'popscope config: config set: "formats": there is no format "svgg".')):
            done = self.config("set", *words)
            self.assertEqual(done.returncode, 2, words)
            self.assertTrue(done.stderr.decode().startswith(said), done.stderr)
            self.assertNotIn(b"as it would be", done.stderr)

    def test_set_and_unset_change_what_they_name(self):
        done = self.config("set", "template=memory", "summary=true", COUNT + "=5", "2:debug.instrument=false", "formats=svg,csv")
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        path = self.path(".config", "popscope", "config.json")
        self.assertEqual(done.stdout.decode(), path + ": written\n")
        with open(path, encoding="utf-8") as file:
            written = json.load(file)
        self.assertEqual(written, {"template": "memory", "summary": True, "engine": {COUNT: 5}, "engines": {"2": {"debug.instrument": False}}, "formats": "svg,csv"})
        self.assertEqual(self.config("check").returncode, 0)
        self.assertEqual(self.config("set", 'formats=["csv", "chrome"]').returncode, 0)
        with open(path, encoding="utf-8") as file:
            self.assertEqual(json.load(file)["formats"], ["csv", "chrome"])
        self.config("unset", "formats", "2:debug.instrument")
        self.config("set", COUNT + "=1")
        self.run_([PROGRAM], POPSCOPE_PROFILE="1")
        self.assertEqual(self.options()[COUNT], "1")
        self.assertEqual(self.session()["template"], "memory")
        self.config("set", "--fresh", "directory=elsewhere")
        with open(path, encoding="utf-8") as file:
            self.assertEqual(json.load(file), {"directory": "elsewhere"})

    def test_a_mistake_leaves_the_file_as_it_is(self):
        path = self.write("c.json", '{"template": "memory"}')
        for words, said in ((("set", "templat=full"), b'there is no key "templat"'), (("set", "debug.instrumen=true"), b'"debug.instrument"'),
                            (("set", "template=fulll"), b'"full"'), (("set", "formats=cvs"), b'"csv"'), (("set", "template"), b"KEY=VALUE"),
                            (("set", "formats=[csv]"), b"formats=csv,svg"), (("set", 'formats=["cvs"]'), b'"csv"'), (("set", "formats=[1]"), b'"formats"'),
                            (("unset", "directory"), b'has no "directory"'), (("set",), b"give KEY=VALUE")):
            done = self.config(*words, "--file", path)
            self.assertEqual((done.returncode, done.stdout), (2, b""), words)
            self.assertIn(said, done.stderr)
        with open(path, encoding="utf-8") as file:
            self.assertEqual(file.read(), '{"template": "memory"}')
        commented = self.write("d.json", '{"template": "memory"} // mine')
        done = self.config("set", "template=full", "--file", commented)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"comments", done.stderr)
        self.assertEqual(sorted(f for f in os.listdir(self.folder) if f.endswith((".json", ".part"))), ["c.json", "d.json"])


class Switch(ConfigureCase):
    def test_nothing_is_written_without_it(self):
        for variables in ({}, {"POPSCOPE_PROFILE": "0"}, {"POPSCOPE_PROFILE": ""}):
            self.assertEqual(self.run_([PROGRAM], **variables).stderr, b"")
            self.assertEqual(os.listdir(self.folder), [])

    def test_a_trace_without_a_profile_writes_nothing(self):
        path = self.write("trace.json", '{"trace": "run.json"}')
        done = self.run_([PROGRAM], POPSCOPE_CONFIG=path)
        self.assertIn(b"no profile is written", done.stderr)
        self.assertEqual(os.listdir(self.folder), ["trace.json"])
        self.run_([PROGRAM], POPSCOPE_CONFIG=self.write("both.json", '{"template": "trace", "trace": "run.json"}'))
        self.assertEqual(sorted(os.listdir(self.folder)), ["both.json", "popscope-profiles", "run.json", "trace.json"])

    def test_a_program_is_profiled_and_otherwise_the_same(self):
        plain, profiled = self.run_([PROGRAM, "status"]), self.run_([PROGRAM, "status"], POPSCOPE_PROFILE="1")
        self.assertEqual((profiled.returncode, profiled.stdout), (plain.returncode, plain.stdout))
        self.assertEqual(plain.returncode, 3)
        self.assertEqual(self.files(), ["debug.cbor", "profile.pop", "session.json", "summary.txt"])
        self.assertEqual(self.session()["engines"], [{"profile": "profile.pop", "state": "complete", "files": ["summary.txt"]}])
        self.assertEqual(self.session()["template"], "default")
        self.assertIn(b"popscope info", profiled.stderr)

    def test_never_over_an_older_one(self):
        for _ in range(3):
            self.run_([PROGRAM], POPSCOPE_PROFILE="light")
        self.assertEqual(sorted(os.listdir(self.path("popscope-profiles"))), [NAME, NAME + "-2", NAME + "-3"])

    def test_templates_write_what_they_say(self):
        told = json.loads(self.run_([TOOL, "config", "templates", "--json"]).stdout)["tables"]["templates"]["rows"]
        known = {"chrome": "chrome_timeline.json", "perfetto": "timeline.pftrace", "csv": "csv", "jsonl": "profile.jsonl", "folded": "bytes.folded", "speedscope": "speedscope.json",
                 "dot": "programs.dot", "svg": "tile_map.svg", "md": "tables.md", "summary.txt": "summary.txt"}
        self.assertGreaterEqual({t["name"] for t in told}, {"default", "memory", "cycles", "trace", "full", "light", "ci"})
        for one in told:
            self.run_([PROGRAM], POPSCOPE_PROFILE=one["name"])
            files = self.files()
            for name, file in known.items():
                self.assertEqual(file in files, name in one["formats"].split(",") , (one["name"], name))
            shutil.rmtree(self.path("popscope-profiles"))

    def test_an_unknown_template_names_the_nearest(self):
        done = self.run_([PROGRAM], POPSCOPE_PROFILE="memori")
        self.assertIn(b'Did you mean "memory"?', done.stderr)
        self.assertEqual(os.listdir(self.folder), [])

    def test_several_engines_have_their_own_files_and_one_index(self):
        self.run_([PROGRAM, "two"], POPSCOPE_PROFILE="memory")
        self.assertEqual([e["profile"] for e in self.session()["engines"]], ["profile.pop", "engine-2/profile.pop"])
        self.assertIn("memory_flow.svg", self.files("popscope-profiles/%s/engine-2" % NAME))
        self.assertEqual({e["state"] for e in self.session()["engines"]}, {"complete"})


class Ending(ConfigureCase):
    def profile_is_whole(self, state, least=1):
        self.assertEqual(self.session()["engines"][0]["state"], state)
        self.assertIn("chrome_timeline.json", self.files())
        self.assertGreaterEqual(self.runs(), least)
        with open(self.path("popscope-profiles", NAME, "chrome_timeline.json"), encoding="utf-8") as trace:
            self.assertTrue(json.load(trace)["traceEvents"])
        left = [f for f in self.files() if ".part" in f]
        self.assertEqual(left, [])

    def test_exit_without_destroying_the_engine(self):
        self.assertEqual(self.run_([PROGRAM, "exit"], POPSCOPE_PROFILE="trace").returncode, 7)
        self.profile_is_whole("exit")

    def test_an_exception_that_nobody_catches(self):
        done = self.run_([PROGRAM, "throw"], POPSCOPE_PROFILE="trace")
        self.assertEqual(done.returncode, -signal.SIGABRT)
        self.assertIn(b"nobody catches this", done.stderr)
        self.profile_is_whole("exception")

    def stopped(self, words, number, **variables):
        child = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder, env=self.environment(**variables))
        self.assertEqual(child.stdout.readline(), b"ready\n")
        child.send_signal(number)
        _, said = child.communicate(timeout=LONG)
        return child.returncode, said

    def test_signals(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            code, said = self.stopped([PROGRAM, "loop"], number, POPSCOPE_PROFILE="trace")
            self.assertEqual(code, -number, said)
            self.profile_is_whole(number.name)
            shutil.rmtree(self.path("popscope-profiles"))

    def test_a_program_that_handles_the_signal_goes_on_handling_it(self):
        code, said = self.stopped([PROGRAM, "handler"], signal.SIGTERM, POPSCOPE_PROFILE="trace")
        self.assertEqual(code, 0, said)
        self.profile_is_whole("complete")

    def test_run_passes_signals_on(self):
        code, said = self.stopped([TOOL, "run", "--template", "trace", "-q", "--", PROGRAM, "loop"], signal.SIGTERM)
        self.assertEqual(code, 128 + signal.SIGTERM, said)
        self.profile_is_whole("SIGTERM")

    def test_the_program_receives_each_signal_once(self):
        """Ctrl-C in a terminal, which the kernel sends to popscope run and to the program, and a signal to popscope run alone."""
        program = ("import signal, time; got = []; signal.signal(signal.SIGINT, lambda *_: got.append(1)); print('ready', flush=True); "
                   "start = time.monotonic()\nwhile time.monotonic() < start + 60 and not got: time.sleep(0.01)\ntime.sleep(0.5); print('got', len(got), flush=True)")
        for from_terminal in (True, False):
            with self.subTest(from_terminal=from_terminal):
                child, terminal = pty.fork()
                if child == 0:
                    os.chdir(self.folder)
                    os.execve(TOOL, [TOOL, "run", "-q", "--", sys.executable, "-c", program], self.environment())
                said = b""
                while b"ready" not in said:
                    said += os.read(terminal, 4096)
                if from_terminal:
                    os.write(terminal, b"\x03")
                else:
                    os.kill(child, signal.SIGINT)
                while b"got" not in said or not said.endswith(b"\n"):
                    said += os.read(terminal, 4096)
                os.waitpid(child, 0)
                os.close(terminal)
                self.assertIn(b"got 1", said)

    def test_the_program_receives_the_hangup_of_its_terminal(self):
        """A terminal that is closed, such as the window of xterm -e popscope run."""
        program = ("import os, signal, time; signal.signal(signal.SIGHUP, lambda *_: open('hangup', 'a').write('1')); print('ready', flush=True); "
                   "start = time.monotonic()\nwhile time.monotonic() < start + 20 and not os.path.exists('hangup'): time.sleep(0.01)\ntime.sleep(0.5)")
        child, terminal = pty.fork()  # the child leads the session of the terminal
        if child == 0:
            os.chdir(self.folder)
            os.execve(TOOL, [TOOL, "run", "-q", "--", sys.executable, "-c", program], self.environment())
        said = b""
        while not said.endswith(b"ready\r\n"):
            said += os.read(terminal, 4096)
        os.close(terminal)
        os.waitpid(child, 0)
        with open(self.path("hangup")) as file:
            self.assertEqual(file.read(), "1")


class Layers(ConfigureCase):
    def test_each_wins_over_the_one_before(self):
        user = {"XDG_CONFIG_HOME": self.path("xdg")}
        self.write("xdg/popscope/config.json", '{"engine": {"%s": 11}}' % COUNT)
        named = {"POPSCOPE_CONFIG": self.write("named.json", '{ // comments are allowed\n  "engine": {"%s": 12} /* here, too */\n}' % COUNT)}
        runtime, engine = {"POPLAR_RUNTIME_OPTIONS": '{"%s":"14"}' % COUNT}, {"POPLAR_ENGINE_OPTIONS": '{"%s":"15"}' % COUNT}
        variables, program, expected = {"POPSCOPE_PROFILE": "light"}, [PROGRAM, "return"], []
        for more, words, value in (({}, program, "1"), (user, program, "11"), (named, program, "12"), ({}, program + [COUNT + "=13"], "13"), (runtime, program + [COUNT + "=13"], "14"),
                                   (engine, program + [COUNT + "=13"], "15")):
            variables.update(more)
            done = self.run_(words, **variables)
            self.assertEqual(self.options()[COUNT], value, done.stderr)
            shutil.rmtree(self.path("popscope-profiles"))
        self.run_([TOOL, "run", "-q", "--set", COUNT + "=16", "--"] + program + [COUNT + "=13"], **variables)
        self.assertEqual(self.options()[COUNT], "16")

    def test_a_file_alone_means_what_it_says_and_nothing_else(self):
        self.write("xdg/popscope/config.json", '{"engine": {"debug.allowOutOfMemory": true}}')
        named = self.write("named.json", '{"engine": "{\\"autoReport.outputGraphProfile\\": true}", "directory": "here", "formats": ["md", "folded"]}')
        self.run_([PROGRAM], POPSCOPE_CONFIG=named, XDG_CONFIG_HOME=self.path("xdg"))
        options = self.options("here/%s/profile.pop" % NAME)
        self.assertEqual((options["autoReport.outputGraphProfile"], options["autoReport.outputExecutionProfile"], options["debug.allowOutOfMemory"]), ("true", "false", "false"))
        self.assertIn("tables.md", self.files("here/" + NAME))

    def test_options_of_one_engine(self):
        named = self.write("named.json", '{"template": "light", "engines": {"2": {"%s": 9}}}' % COUNT)
        self.run_([PROGRAM, "two"], POPSCOPE_CONFIG=named)
        self.assertEqual(self.options()[COUNT], "1")
        self.assertEqual(self.options("popscope-profiles/%s/engine-2/profile.pop" % NAME)[COUNT], "9")

    def test_show_says_where_each_value_is_from(self):
        named = self.write("named.json", '{\n  "formats": "svg",\n  "engine": {\n    "%s": 12\n  }\n}' % COUNT)
        done = self.run_([TOOL, "config", "show", "--json"], POPSCOPE_PROFILE="ci", POPSCOPE_CONFIG=named, POPLAR_ENGINE_OPTIONS='{"debug.instrument":"false"}')
        tables = json.loads(done.stdout)["tables"]
        engine = {r["key"]: (r["value"], r["origin"]) for r in tables["engine"]["rows"]}
        self.assertEqual(engine[COUNT], ("12", named + ":4"))
        self.assertEqual(engine["autoReport.outputGraphProfile"], ("true", "template ci"))
        self.assertEqual(engine["debug.instrument"], ("false", "POPLAR_ENGINE_OPTIONS"))
        session = {r["key"]: (r["value"], r["origin"]) for r in tables["session"]["rows"]}
        self.assertEqual(session["formats"], ("svg", named + ":2"))
        self.assertEqual(session["directory"], ("popscope-profiles", "default"))
        self.run_([PROGRAM], POPSCOPE_PROFILE="ci", POPSCOPE_CONFIG=named, POPLAR_ENGINE_OPTIONS='{"debug.instrument":"false"}')
        for key, (value, _) in engine.items():
            self.assertEqual(self.options()[key], value)  # the shown value is the effective one

    def test_show_says_when_the_users_file_is_read(self):
        says = b"is read only by popscope run, or if POPSCOPE_PROFILE is set"
        self.assertNotIn(says, self.run_([TOOL, "config", "show"]).stdout)
        self.run_([TOOL, "config", "set", "template=cycles"])
        shown = self.run_([TOOL, "config", "show"]).stdout
        self.assertIn(says, b" ".join(shown.split()))

    def test_show_names_the_users_file_as_read_only_if_it_is(self):
        def shown(**variables):
            text = self.run_([TOOL, "config", "show"], **variables).stdout.decode().split("\n")[0]
            return text, json.loads(self.run_([TOOL, "config", "show", "--json"], **variables).stdout)["facts"]["userFileRead"]

        home = self.path("home")
        named = self.write("named.json", '{"template": "light"}')
        missing, read = shown(POPSCOPE_PROFILE="ci", XDG_CONFIG_HOME=home)
        self.assertTrue(missing.endswith("config.json does not exist."), missing)
        self.assertFalse(read)
        os.makedirs(os.path.join(home, "popscope"))
        with open(os.path.join(home, "popscope", "config.json"), "w") as file:
            file.write('{"summary": true}')
        there, read = shown(POPSCOPE_PROFILE="ci", XDG_CONFIG_HOME=home)
        self.assertTrue(there.endswith("config.json is read."), there)
        self.assertTrue(read)
        unread, read = shown(POPSCOPE_CONFIG=named, XDG_CONFIG_HOME=home)
        self.assertTrue(unread.endswith("config.json is not read, because POPSCOPE_PROFILE is not set."), unread)
        self.assertFalse(read)

    def test_check_names_line_and_nearest_key(self):
        for text, said in (('{\n"templat": "ci"}', ':2: there is no key "templat". Did you mean "template"?'), ('{"engine": {\n\n"autoReport.al": 1}}', ':3: unknown engine option "autoReport.al". Did you mean "autoReport.all"?'),
                           ('{\n"engine": {"autoReport.all": "perhaps"\n}}', ":2: "), ('{"template": "ci"\n"x": 1}', ":2: no valid JSON"), ('{"formats": ["svgg"]}', 'Did you mean "svg"?'),
                           ('{"debug.instrument": true}', 'belongs into "engine"'), ('{"engines": {"first": {}}}', "by their number"), ('{"engines": {"1": {}, "01": {}}}', 'by their number, from 1, not "01"'),
                           ('{"engine": "{\\"debug.verify\\": true, \\"debug.verify\\": false}"}', 'option "debug.verify" is given twice'), ("[]", "is an object"), ('{"summary": 1}', "true or false")):
            done = self.run_([TOOL, "config", "check", self.write("c.json", text)])
            self.assertEqual(done.returncode, 1, text)
            self.assertIn(said, done.stdout.decode(), text)
            program = self.run_([PROGRAM], POPSCOPE_CONFIG=self.path("c.json"))
            self.assertNotEqual(program.returncode, 0, text)
        good = self.write("good.json", '{"template": "ci", "engine": {"debug.instrument": true}} // done')
        self.assertEqual(self.run_([TOOL, "config", "check", good]).returncode, 0)

    def test_a_missing_file_is_an_error(self):
        done = self.run_([PROGRAM], POPSCOPE_CONFIG=self.path("nowhere.json"))
        self.assertIn(b"nowhere.json: cannot be read", done.stderr)


class Run(ConfigureCase):
    def test_it_ends_as_the_program_does_and_shows_the_verdict(self):
        done = self.run_([TOOL, "run", "--", PROGRAM, "status"])
        self.assertEqual(done.returncode, 3)
        self.assertTrue(done.stdout.startswith(b"ready\n"), done.stdout)
        self.assertIn(b"Fits: the fullest tile is", done.stdout)
        self.assertIn("popscope-profiles/%s/summary.txt" % NAME, done.stdout.decode())

    def test_it_shows_no_session_of_another_program(self):
        other = {"program": "other", "engines": [{"profile": "other.pop", "state": "running", "files": []}], "run": "1-2"}
        self.write("other.json", json.dumps(other))
        done = self.run_([TOOL, "run", "--", "sh", "-c", "mkdir popscope-profiles/other; cp other.json popscope-profiles/other/session.json; '%s'" % PROGRAM])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.count(b"Fits: the fullest tile is"), 1)
        self.assertNotIn(b"other", done.stdout + done.stderr)

    def test_it_shows_the_verdict_of_a_profile_in_another_folder(self):
        for folder in ("own", self.path("elsewhere")):
            options = '{"autoReport.directory":"%s"}' % folder
            done = self.run_([TOOL, "run", "--", PROGRAM], POPLAR_ENGINE_OPTIONS=options)
            self.assertEqual(done.stdout.count(b"Fits: the fullest tile is"), 1, folder)
            shutil.rmtree(self.path("popscope-profiles"))

    def test_formats_and_folder(self):
        self.run_([TOOL, "run", "--format", "folded,md", "--directory", "out", "--", PROGRAM])
        self.assertIn("bytes.folded", self.files("out/" + NAME))

    def test_without_a_template_the_settings_choose_it(self):
        config = self.write("light.json", '{"template": "light"}')
        for variables, template in (({}, "default"), ({"POPSCOPE_CONFIG": config}, "light"), ({"POPSCOPE_PROFILE": "memory"}, "memory"), ({"POPSCOPE_PROFILE": "0"}, "default")):
            self.run_([TOOL, "run", "-q", "--directory", "out", "--", PROGRAM], **variables)
            self.assertEqual(self.session("out/" + NAME)["template"], template)
            shutil.rmtree(self.path("out"))

    def test_mistakes_are_said_before_the_program_starts(self):
        for words, said in ((["--template", "memori"], 'Did you mean "memory"?'), (["--set", "autoReport.al=true"], 'Did you mean "autoReport.all"?'), (["--format", "svgg"], 'Did you mean "svg"?'),
                            (["--set", "nothing"], "OPTION=VALUE")):
            done = self.run_([TOOL, "run"] + words + ["--", PROGRAM])
            self.assertEqual((done.returncode, done.stdout), (2, b""))
            self.assertIn(said, done.stderr.decode())
        done = self.run_([TOOL, "run", "--", "/nowhere/program"])
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"/nowhere/program: cannot be started", done.stderr)

    def test_a_program_without_profile_is_said(self):
        done = self.run_([TOOL, "run", "--", "true"])
        self.assertEqual(done.returncode, 0)
        self.assertIn(b"wrote no profile", done.stderr)

    def test_a_program_that_the_loader_cannot_start_is_told_the_next_step(self):
        library, program = self.path("libgone.so"), self.path("program")
        subprocess.run(["g++", "-shared", "-x", "c++", "-", "-o", library], input=b"int gone() { return 0; }", check=True, timeout=LONG)
        subprocess.run(["g++", "-x", "c++", "-", "-o", program, "-x", "none", library, "-Wl,-soname,libgone.so"],
                       input=b"int gone(); int main() { return gone(); }", check=True, timeout=LONG)
        os.remove(library)
        done = self.run_([TOOL, "run", "--", program])
        self.assertEqual(done.returncode, 127)
        self.assertIn(b"probably did not start", done.stderr)
        self.assertIn(b"enable.sh", done.stderr)
