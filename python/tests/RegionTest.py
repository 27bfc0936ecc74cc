"""Profiles of a region: labels, pauses, nesting, exceptions, asyncio, and engines that are created in C++."""

import asyncio
import contextvars
import io
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest
import warnings
from unittest import mock

import popscope
import pva
from BuildTest import BIN, adder, overfull
from popscope import poplar
from popscope._statistics import COLUMNS
from popscope.poplar import program


class Region(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.join(folder.name, "report")
        self.before = os.environ.get("POPLAR_ENGINE_OPTIONS")

    def tearDown(self):
        self.assertEqual(os.environ.get("POPLAR_ENGINE_OPTIONS"), self.before)

    def runs(self, p, number=0):
        return [(run.name, run.label) for run in pva.openReport(p.paths[number]).execution.runs]

    def leftOut(self, p):
        return [(span.firstRun, span.runs, span.reason) for span in pva.openReport(p.path).execution.pausedSpans]

    def testRecordsPausesAndFormats(self):
        with popscope.profile(self.folder, template="cycles", formats=["chrome", "memory_flow.svg"], label="all") as p:
            device, engine = adder()
            engine.load(device)
            engine.run(0, "first")
            with p.record("epoch 3"):
                engine.run(0, "second")
            p.pause()
            engine.run(0, "third")
            p.resume()
            engine.run(0, "fourth")
        self.assertEqual(self.runs(p), [("first", "all"), ("second", "all/epoch 3"), ("fourth", "all")])
        self.assertEqual(self.leftOut(p), [(2, 1, "paused")])
        self.assertEqual(p.path, os.path.join(self.folder, "profile.pop"))
        names = {os.path.basename(f) for f in p.files}
        self.assertLessEqual({"chrome_timeline.json", "memory_flow.svg"}, names)
        for file in p.files:
            self.assertGreater(os.path.getsize(file), 0, file)
        self.assertTrue(pva.openReport(p.path).popscope.complete)

    def testALaterRegionOfTheFolderReplacesTheProfileWithoutAWarning(self):
        script = ("import sys, popscope, pva\nfrom BuildTest import adder\nengines = []\nfor name in ('A', 'B'):\n"
                  "    with popscope.profile(sys.argv[1]) as p:\n        device, engine = adder()\n        engine.load(device)\n        engine.run(0, name)\n"
                  "    engines.append(engine)\ndel engine, engines\nprint([run.name for run in pva.openReport(p.path).execution.runs])")
        done = subprocess.run([sys.executable, "-c", script, self.folder], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"['B']\n", b""))

    def testARegionAfterAGraphThatDoesNotFitReplacesItsProfileWithoutAWarning(self):
        script = ("import sys, popscope, pva\nfrom BuildTest import adder, overfull\nfrom popscope import poplar\nfrom popscope.poplar import program\n"
                  "try:\n    with popscope.profile(sys.argv[1]):\n        graph, x = overfull()\n        poplar.Engine(graph, program.WriteUndef(x))\n"
                  "except poplar.graph_memory_allocation_error:\n    pass\n"
                  "with popscope.profile(sys.argv[1]) as p:\n    device, engine = adder()\n    engine.load(device)\n    engine.run(0, 'B')\n"
                  "print([run.name for run in pva.openReport(p.path).execution.runs])")
        done = subprocess.run([sys.executable, "-c", script, self.folder], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"['B']\n", b""))

    def testATildeIsTheHomeFolder(self):
        home = os.path.dirname(self.folder)
        with mock.patch.dict(os.environ, HOME=home), popscope.profile("~/report") as p:
            device, engine = adder()
            engine.load(device)
            engine.run(0, "first")
        self.assertEqual(p.paths, [os.path.join(self.folder, "profile.pop")])
        self.assertEqual(self.runs(p), [("first", "")])
        self.assertFalse(os.path.exists("~"))

    def testEveryFunctionTakesATildeForTheHomeFolder(self):
        home = os.path.dirname(self.folder)
        with popscope.profile(self.folder):
            device, engine = adder()
            engine.load(device)
            engine.run(0, "first")
        with open(os.path.join(home, "codelet.cpp"), "w") as file:
            file.write("#include <poplar/Vertex.hpp>\nstruct Nothing : poplar::Vertex { bool compute() { return true; } };\n")
        with mock.patch.dict(os.environ, HOME=home):
            profile = popscope.open("~/report/profile.pop")
            self.assertTrue(profile.report.popscope.complete)
            popscope.connect(pathlib.Path("~/report/profile.pop")).close()
            files = profile.export("folded", "~/exported")
            self.assertTrue(files and all(os.path.dirname(file) == os.path.join(home, "exported") for file in files), files)
            archive = popscope.archive("~/report", "~/archive.db")
            self.assertEqual((archive.database, len(archive)), (os.path.join(home, "archive.db"), 1))
            graph = poplar.Graph(device)
            graph.addCodelets("~/codelet.cpp")
            self.assertTrue(graph.hasCodelet("Nothing"))
            self.assertRaisesRegex(OSError, os.path.join(home, "none.db"), popscope.openSweep, "~/none.db")
        self.assertFalse(os.path.exists("~"))

    def testFilesReplaceLinks(self):
        os.makedirs(self.folder)
        outside = os.path.join(os.path.dirname(self.folder), "outside")
        with open(outside, "w") as file:
            file.write("kept")
        names = ("region.json", "summary.txt", "memory_flow.svg", "profile.pop", "chrome_timeline.json")
        for name in names:
            os.symlink(outside, os.path.join(self.folder, name))
        with popscope.profile(self.folder, template="full", formats=["chrome", "memory_flow.svg"]):
            device, engine = adder()
            engine.load(device)
            engine.run()
        with open(outside) as file:
            self.assertEqual(file.read(), "kept")
        for name in names:
            self.assertFalse(os.path.islink(os.path.join(self.folder, name)), name)
            self.assertGreater(os.path.getsize(os.path.join(self.folder, name)), 0, name)

    def testAFileThatCannotBeWrittenIsAnOSErrorAndLeavesNothingElse(self):
        device, engine = adder()
        engine.load(device)
        blocked = os.path.join(self.folder, "region.json")
        os.makedirs(blocked)
        with self.assertRaises(IsADirectoryError) as caught:
            with popscope.profile(self.folder):
                engine.run()
        self.assertEqual(caught.exception.filename, blocked)
        self.assertEqual(sorted(os.listdir(self.folder)), ["profile.pop", "region.json"])

    def testALabelWithoutWithEndsAtTheNext(self):
        device, engine = adder()
        engine.load(device)
        with popscope.profile(self.folder) as p:
            for name in ("a", "b"):
                p.record(name)
                engine.run()
                with p.record("inner"):
                    engine.run()
                engine.run()
        engine.run()
        self.assertEqual([label for _, label in self.runs(p)], ["a", "inner", "", "b", "inner", ""])
        self.assertEqual([(row["name"], row["count"]) for row in p.summary() if row["unit"] == "seconds"], [("a", 1), ("inner", 2), ("b", 1)])

    def testALabelEndsWithItsRegion(self):
        """Checks the label of later regions: in the same context, and in a context that was copied while the label held."""
        device, engine = adder()
        engine.load(device)
        p = popscope.profile(self.folder)
        for state in ("before", "after"):
            with self.assertRaisesRegex(RuntimeError, "profile.record: the region of .* is not open, so no run can get the label 'eval'"):
                p.record("eval")
            if state == "before":
                with p:
                    with p.record("a"):
                        p.record("b")
                        engine.run()
                        copied = contextvars.copy_context()
                    engine.run()
        self.assertEqual([label for _, label in self.runs(p)], ["a/b", "b"])

        def later(name):
            with popscope.profile(self.folder + name, label=name) as q:
                engine.run()
            return [label for _, label in self.runs(q)]
        self.assertEqual((later("here"), copied.run(later, "there")), (["here"], ["there"]))

    def testSampleRateAndCategories(self):
        device, engine = adder()
        engine.load(device)
        with popscope.profile(self.folder, sample_rate=3, categories=["compute"]) as p:
            for i in range(7):
                engine.run(0, "run %d" % i)
        self.assertEqual([name for name, _ in self.runs(p)], ["run 0", "run 3", "run 6"])
        self.assertEqual({tuple(run.categories) for run in pva.openReport(p.path).execution.runs}, {("compute",)})
        self.assertEqual(self.leftOut(p), [(1, 2, "sample rate"), (4, 2, "sample rate")])

    def testSampleRateCountsTheRunsOfEachEngine(self):
        engines = {}
        for name in ("train", "test"):
            device, engines[name] = adder()
            engines[name].load(device)
        with popscope.profile(self.folder, sample_rate=3) as p:
            for i in range(4):
                for name, engine in engines.items():
                    engine.run(0, "%s %d" % (name, i))
        for position, name in enumerate(engines):
            self.assertEqual([found for found, _ in self.runs(p, position)], [name + " 0", name + " 3"])

    def testRunsBeyondTheCountOfATemplateAreListedWithThisReason(self):
        device, engine = adder()
        engine.load(device)
        with popscope.profile(self.folder, template="light") as p:  # it records one run of each program
            for _ in range(3):
                engine.run()
        self.assertEqual(self.leftOut(p), [(1, 2, "run count")])
        with self.assertRaisesRegex(ValueError, "no reason 'why'.*scope, sample rate, run count"):
            poplar.Scope(engine, record=False, reason="why")

    def testAnExceptionLeavesAValidFileAndIsRaised(self):
        device, engine = adder()
        engine.load(device)
        with self.assertRaisesRegex(KeyError, "mine"):
            with popscope.profile(self.folder) as p:
                engine.run(0, "before")
                raise KeyError("mine")
        self.assertEqual(self.runs(p), [("before", "")])

    def testProfilesNestAndEachHasItsEngines(self):
        with popscope.profile(self.folder, label="outer") as outer:
            device, first = adder()
            first.load(device)
            first.run(0, "a")
            with popscope.profile(self.folder + "/inner", label="inner") as inner:
                otherDevice, second = adder(1.0)
                second.load(otherDevice)
                second.run(0, "b")
            first.run(0, "c")
        self.assertEqual(self.runs(inner), [("b", "outer/inner")])
        self.assertEqual([self.runs(outer, i) for i in range(2)], [[("a", "outer"), ("c", "outer")], [("b", "outer/inner")]])
        self.assertEqual(outer.paths[1], os.path.join(self.folder, "engine-2", "profile.pop"))

    def testAProfileHasOnlyTheRunsWithinItsBlock(self):
        for template in ("default", "full"):
            with self.subTest(template):
                device, engine = adder()
                engine.load(device)
                engine.run(0, "outside")
                engine.disableExecutionProfiling()
                engine.run(0, "not recorded")
                engine.run(0, "not recorded")
                engine.enableExecutionProfiling()
                found = []
                for epoch in range(3):
                    with popscope.profile(self.folder + template, template=template) as p:
                        engine.run(0, "epoch %d" % epoch)
                    report = pva.openReport(p.path)
                    run = report.execution.runs[0]
                    found.append((self.runs(p)[0][0], len(self.runs(p)), run.number, len(report.execution.pausedSpans)))
                    self.assertEqual(report.execution.totalCycles.total, run.totalCycles.total)
                    self.assertEqual(len(report.execution.steps), len(run.steps))
                    self.assertGreater(sum(row["cycles"] or 0 for row in popscope.open(p.path).frame("steps", "rows")), 0)
                    self.assertEqual([row["count"] for row in p.summary()], [1])
                self.assertEqual(found, [("epoch %d" % i, 1, i + 3, 0) for i in range(3)])
                with popscope.profile(self.folder) as outer:
                    engine.run(0, "a")
                    outer.pause()
                    engine.run(0, "b")
                    with popscope.profile(self.folder + "/inner") as inner:
                        engine.run(0, "c")
                    outer.resume()
                    with popscope.profile(self.folder + "/inner2") as second:
                        engine.run(0, "d")
                self.assertEqual([name for name, _ in self.runs(outer)], ["a", "d"])
                self.assertEqual(self.leftOut(outer), [(7, 2, "paused")])
                self.assertEqual((self.runs(inner), self.leftOut(inner)), ([], [(8, 1, "paused")]))
                self.assertEqual([name for name, _ in self.runs(second)], ["d"])
                self.assertEqual(len(engine.getReport().execution.runs), 6)

    def testTheReasonOfAProfileWithoutRunsNamesTheMissingCall(self):
        with popscope.profile(self.folder) as p:
            adder()
        self.assertRegex(popscope.open(p.path).view("runs")["facts"]["whyNoRun"], "the program did not call Engine::run")

    def testAnInnerProfileHasItsOwnSettingsAndTheOuterOnesComeBack(self):
        device, engine = adder()
        engine.load(device)

        def run(name, times):
            for i in range(times):
                engine.run(0, name + str(i))

        with popscope.profile(self.folder, sample_rate=2, categories=["compute"]) as outer:
            run("a", 1)
            with popscope.profile(self.folder + "/every") as every:
                run("b", 3)
                late_device, late = adder(2.0)  # this engine also runs after the block
                late.load(late_device)
            run("c", 2)
            with popscope.profile(self.folder + "/third", sample_rate=3, categories=["exchange", "sync"]):
                run("d", 4)
                with popscope.profile(self.folder + "/light", template="light"):
                    run("e", 4)  # this template records one run of each program
            run("f", 1)
            late.run(0, "late")
            late.run(0, "later")
        found = [(run.name, ",".join(run.categories)) for path in outer.paths for run in pva.openReport(path).execution.runs]
        whole = "compute,exchange,globalExchange,host,sync,controlFlow"
        self.assertEqual(found, [("a0", "compute"), ("b0", whole), ("b1", whole), ("b2", whole), ("c1", "compute"), ("d0", "exchange,sync"),
                                 ("d3", "exchange,sync"), ("e0", whole), ("late", "compute")])
        self.assertEqual([name for name, _ in self.runs(every)], ["b0", "b1", "b2"])

    def testAnEngineOfAnInnerProfileFollowsTheOuterOneAfterIt(self):
        with popscope.profile(self.folder) as outer:
            with popscope.profile(self.folder + "/inner", sample_rate=2, categories=["compute"]):
                device, engine = adder()
                engine.load(device)
                engine.run(0, "a")
            engine.run(0, "b")
            engine.run(0, "c")
            outer.pause()
            with popscope.profile(self.folder + "/paused"):
                engine.run(0, "d")  # not recorded: the pause of the outer profile applies here, too
        found = [(run.name, len(run.categories)) for run in pva.openReport(outer.path).execution.runs]
        self.assertEqual(found, [("a", 1), ("b", 6), ("c", 6)])

    def testNothingIsWrittenBesideTheRegion(self):
        """Runs in an empty working directory, with two engines that end after the region and one that ends within it."""
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        for template in ("default", "memory", "full", "light"):
            with tempfile.TemporaryDirectory() as work:
                os.chdir(work)
                with popscope.profile("here", template=template) as p:
                    engines = [adder(amount) for amount in (1.0, 2.0)]
                    for device, engine in engines + [adder(3.0)]:
                        engine.loadAndRun(device)
                    del device, engine
                del engines
                self.assertEqual(os.listdir(work), ["here"], template)
                self.assertEqual([os.path.relpath(path, "here") for path in p.paths], ["profile.pop", "engine-2/profile.pop", "engine-3/profile.pop"], template)
                self.assertEqual([len(self.runs(p, i)) for i in range(3)], [0 if template == "memory" else 1] * 3, template)
                os.chdir(before)

    def testAGraphThatDoesNotFitLeavesItsCompilation(self):
        graph, x = overfull()
        with self.assertRaises(poplar.graph_memory_allocation_error) as caught:
            with popscope.profile(self.folder) as p:
                poplar.Engine(graph, program.WriteUndef(x))
        self.assertEqual(p.paths, [os.path.join(self.folder, "profile.pop")])
        self.assertEqual(os.path.realpath(caught.exception.profilePath), os.path.realpath(p.path))
        self.assertGreater(pva.openReport(p.path).compilation.tiles[0].memory.total.excludingGaps, 4 * 10**6)

    def testAGraphThatDoesNotFitLeavesItsCompilationInEachRegionWithAFileOfItsOwn(self):
        own = os.path.join(self.folder, "own")
        for options in ({"autoReport.all": True, "autoReport.directory": own}, {"autoReport.all": True, "autoReport.directory": self.folder}, {}):
            graph, x = overfull()
            with popscope.profile(self.folder) as outer, popscope.profile(self.folder + "-inner") as p:
                with self.assertRaises(poplar.graph_memory_allocation_error):
                    poplar.Engine(graph, program.WriteUndef(x), options)
            self.assertEqual([len(outer.paths), len(p.paths)], [1, 1], options)
            for path in (outer.path, p.path):
                self.assertGreater(pva.openReport(path).compilation.tiles[0].memory.total.excludingGaps, 4 * 10**6, options)
        self.assertTrue(os.path.exists(os.path.join(own, "profile.pop")))

    def testAnEngineFromBeforeTheRegionLacksAPicture(self):
        device, engine = adder()
        engine.load(device)
        with self.assertWarnsRegex(UserWarning, "no memory_flow.svg: it needs autoReport.outputLoweredVars, which an engine that was created before the region lacks"):
            with popscope.profile(self.folder, template="cycles", formats=["memory_flow.svg"]):
                engine.run()

    def testAKilledProcessLeavesAnEarlierProfile(self):
        with popscope.profile(self.folder) as p:
            device, engine = adder()
            engine.loadAndRun(device)
        killed = """
import os, signal, sys
sys.path.insert(0, %r)
import popscope
from BuildTest import adder
with popscope.profile(%r):
    device, engine = adder()
    engine.loadAndRun(device)
    os.kill(os.getpid(), signal.SIGKILL)
""" % (os.path.dirname(os.path.abspath(__file__)), self.folder)
        done = subprocess.run([sys.executable, "-c", killed])
        self.assertEqual(done.returncode, -signal.SIGKILL)
        self.assertEqual(len(pva.openReport(p.path).execution.runs), 1)

    def testAFileThatTheProgramAskedForIsItsOwn(self):
        own = os.path.join(self.folder, "own")
        with popscope.profile(self.folder) as p:
            device, engine = adder(options={"autoReport.all": True, "autoReport.directory": own})
            engine.loadAndRun(device)
            del engine
        for path in (os.path.join(own, "profile.pop"), p.path):
            self.assertEqual(len(pva.openReport(path).execution.runs), 1, path)

    def testTheNumberOfRunsOfEachProgramIsKept(self):
        """Sets the number by the engine, the environment and the template. None of them makes a file outside the region's folder."""
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        count = "autoReport.executionProfileProgramRunCount"
        early = adder(options={count: 1})
        for options, variable, template, expected in (({count: 1}, None, "default", 1), ({count: "3"}, None, "light", 3), ({}, None, "ci", 1), ({}, None, "default", 4),
                                                      ({}, '{"%s": "2"}' % count, "default", 2), ({"autoReport.outputLoweredVars": True}, None, "default", 4), (None, None, "default", 1)):
            with self.subTest(options=options, template=template, variable=variable), tempfile.TemporaryDirectory() as work:
                os.chdir(work)
                with mock.patch.dict(os.environ, {"POPLAR_ENGINE_OPTIONS": variable} if variable else {}):
                    with popscope.profile("here", template=template) as p:
                        device, engine = early if options is None else adder(options=options)
                        engine.load(device)
                        for i in range(4):
                            engine.run(0, "run %d" % i)
                del engine
                self.assertEqual([name for name, _ in self.runs(p)], ["run %d" % i for i in range(expected)])
                self.assertEqual(os.listdir(work), ["here"])
                self.assertEqual([f for f in os.listdir("here") if f.startswith("profile")], ["profile.pop"])
                os.chdir(before)
        device, engine = adder(options={count: 1})
        engine.load(device)
        with popscope.profile(self.folder, sample_rate=2) as p:
            for i in range(4):
                engine.run(0, "run %d" % i)
        self.assertEqual([name for name, _ in self.runs(p)], ["run 0", "run 2"])

    def testTheTemplateMemoryRecordsNoRun(self):
        """The same holds for popscope run --template memory. Options of the program or the environment take precedence, as everywhere."""
        execution = "autoReport.outputExecutionProfile"
        early = adder()
        for engine_, variable, expected in ((lambda: adder(), None, 0), (lambda: early, None, 0), (lambda: adder(options={execution: True}), None, 1),
                                            (lambda: adder(options={"autoReport.all": "true", execution: "false"}), None, 0),
                                            (lambda: adder(), '{"%s": "true"}' % execution, 1), (lambda: adder(), '{"autoReport.all": true}', 1)):
            with self.subTest(variable=variable, expected=expected), mock.patch.dict(os.environ, {"POPLAR_ENGINE_OPTIONS": variable} if variable else {}), \
                    tempfile.TemporaryDirectory() as folder:
                with popscope.profile(folder + "/memory", template="memory") as p:
                    device, engine = engine_()
                    engine.loadAndRun(device)
                    with popscope.profile(folder + "/inner"):
                        engine.run(0, "inner")
                self.assertEqual([name for name, _ in self.runs(p)], [""] * expected + ["inner"])
                del engine
        with popscope.profile(self.folder, template="memory") as p:
            device, engine = adder()
            engine.loadAndRun(device)
        self.assertEqual(len(pva.openReport(p.path).execution.steps), 0)
        self.assertGreater(pva.openReport(p.path).compilation.tiles[0].memory.total.excludingGaps, 0)

    def testTasksOfAsyncioDoNotSeeEachOther(self):
        async def task(name):
            async with popscope.profile(os.path.join(self.folder, name), label=name) as p:
                device, engine = adder()
                engine.load(device)
                await asyncio.sleep(0.01)
                engine.run(0, name)
                await asyncio.sleep(0.01)
                engine.run(0, name)
            return self.runs(p)

        async def both():
            return await asyncio.gather(task("a"), task("b"))
        self.assertEqual(asyncio.run(both()), [[("a", "a")] * 2, [("b", "b")] * 2])

    def testDecorators(self):
        device, engine = adder()
        engine.load(device)

        @popscope.profile(self.folder)
        def train(name):
            """Trains."""
            engine.run(0, name)
            return name
        self.assertEqual([train("x"), train("y")], ["x", "y"])
        self.assertEqual(train.__doc__, "Trains.")
        self.assertEqual([(r.name, r.label) for r in pva.openReport(self.folder + "-2/profile.pop").execution.runs][-1], ("y", "train"))
        self.assertTrue(callable(popscope.profile(train)))

    def testSummaryHasThePercentiles(self):
        device, engine = adder()
        engine.load(device)
        with popscope.profile(self.folder) as p:
            for i in range(4):
                with p.record("epoch"):
                    engine.run()
        cycles, seconds = p.summary()
        run = pva.openReport(p.path).execution.runs[0].totalCycles.total
        self.assertEqual((cycles["name"], cycles["unit"], cycles["count"], cycles["min"], cycles["p99.9"]), ("epoch", "cycles", 4, run, run))
        self.assertEqual((seconds["unit"], seconds["count"]), ("seconds", 4))
        self.assertLessEqual(seconds["min"], seconds["median"])
        text = io.StringIO()
        p.print_summary(text)
        self.assertEqual(text.getvalue().split("\n")[0].split(), ["name", "unit", "count", "min", "mean", "median", "max", "p90", "p95", "p97", "p99", "p99.9"])

    def testSummaryHasTheSameLabelForCyclesAndSeconds(self):
        device, engine = adder()
        engine.load(device)
        with popscope.profile(self.folder, label="L") as outer:
            with outer.record("epoch"):
                engine.run()
                with popscope.profile(self.folder + "/inner", label="M") as inner, inner.record("step"):
                    engine.run()
        self.assertEqual([(row["name"], row["unit"]) for row in outer.summary()],
                         [("L/epoch", "cycles"), ("L/M/epoch/step", "cycles"), ("L/epoch", "seconds")])
        self.assertEqual([(row["name"], row["unit"]) for row in inner.summary()], [("L/M/epoch/step", "cycles"), ("L/M/epoch/step", "seconds")])

    def testSummaryPrintsLargeCyclesInFull(self):
        p = popscope.profile(self.folder)
        text = io.StringIO()
        row = dict.fromkeys(COLUMNS, 8737316.4)
        with mock.patch.object(p, "summary", lambda: [{"name": "a", "unit": "cycles", **row, "count": 8737316}]):
            p.print_summary(text)
        self.assertEqual(set(text.getvalue().splitlines()[1].split()), {"a", "cycles", "8737316"})

    def testMistakesAreNamed(self):
        for wrong, words in (({"template": "cycle"}, "no template 'cycle'"), ({"formats": ["chrom"]}, "no format 'chrom'"), ({"sample_rate": 0}, "sample_rate is 0"),
                             ({"categories": ["sync", "compte"]}, "no category \"compte\"; the categories are: compute, "),
                             ({"categories": []}, "categories is empty")):
            with self.assertRaisesRegex(ValueError, words):
                popscope.profile(self.folder, **wrong)
        for name in ("formats", "categories"):
            with self.assertRaisesRegex(TypeError, "%s is a list of names, not the text 'host'" % name):
                popscope.profile(self.folder, **{name: "host"})
        with self.assertRaisesRegex(TypeError, "label is a str, not 3"):
            popscope.profile(self.folder, label=3)

        def steps():
            yield 1

        async def later():
            yield 1
        for function in (steps, later):
            for decorate in (popscope.profile, popscope.profile(self.folder)):
                with self.assertRaisesRegex(TypeError, "%s is a generator function" % function.__name__):
                    decorate(function)
        with popscope.profile(self.folder) as p:
            with self.assertRaisesRegex(TypeError, "label is a str, not 3"):
                p.record(3)
        with self.assertRaisesRegex(RuntimeError, "no engine"):
            p.path
        self.assertEqual(repr(p), "profile(%r, template='default', no profile yet)" % self.folder)

    def testAFileThatNoFormatWritesIsAWarningOfItsCaller(self):
        with self.assertWarnsRegex(UserWarning, "there is no nothing.svg: .* of svg there are .*memory_flow.svg") as caught:
            with popscope.profile(self.folder, formats=["nothing.svg"]):
                device, engine = adder()
                engine.loadAndRun(device)
        self.assertEqual(caught.filename, __file__)

    def testTheFormatMsprofIsAFolder(self):
        with popscope.profile(self.folder, formats=["msprof", "folded"]) as p:
            device, engine = adder()
            engine.loadAndRun(device)
        for files in (p.files, popscope.open(p.path).export(["folded", "msprof"], self.folder + "-2")):
            names = [file for file in files if "/mindstudio_profiler_output/op_summary_" in file]
            self.assertRegex(names[0], "/PROF_000001_[0-9]*_POPSCOPE/")
            self.assertTrue(all(os.path.getsize(file) for file in files))
            self.assertIn("cycles.folded", map(os.path.basename, files))

    def testTheRegionHasTheNameOfItsProgram(self):
        """Runs a script, a module, a package, `python -c`, and -c with the names that notebooks give to the main module."""
        work = os.path.dirname(self.folder)
        text = ("import sys, popscope\nfrom BuildTest import adder\nwith popscope.profile('out'):\n    device, engine = adder()\n    engine.loadAndRun(device)\n")
        os.mkdir(os.path.join(work, "package"))
        for name in ("script.py", "package/__main__.py", "package/inner.py"):
            with open(os.path.join(work, name), "w") as file:
                file.write(text)
        for words, name in ((["script.py"], "script"), (["-m", "package"], "package"), (["-m", "package.inner"], "inner"), (["-c", text], "out"),
                            (["-c", "__vsc_ipynb_file__ = '/a/lesson.ipynb'\n" + text], "lesson"), (["-c", "__session__ = '/a/unit.ipynb'\n" + text], "unit")):
            with self.subTest(words):
                subprocess.run([sys.executable, *words], cwd=work, check=True)
                with open(os.path.join(work, "out", "region.json")) as file:
                    self.assertEqual(json.load(file)["program"], name)
        with mock.patch.dict(os.environ, JPY_SESSION_NAME="/a/other.ipynb"):
            for words, name in ((["script.py"], "script"), (["-c", text], "other")):
                subprocess.run([sys.executable, *words], cwd=work, check=True)
                with open(os.path.join(work, "out", "region.json")) as file:
                    self.assertEqual(json.load(file)["program"], name)

    def testAFormatThatNeedsRunsIsAWarningAndTheOtherFilesAreWritten(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            with popscope.profile(self.folder, formats=["chrome", "svg", "perfetto", "histogram.svg"], template="cycles") as p:
                adder(2.0)  # only compiled
                device, engine = adder()
                engine.loadAndRun(device)
        idle, ran = (sorted(os.path.relpath(file, self.folder) for file in p.files if os.path.dirname(file) == os.path.dirname(path)) for path in p.paths)
        every = ["bytes.folded", "histogram.svg", "histogram.svg", "liveness.svg", "memory_flow.svg", "summary.txt", "tile_map.svg"]
        self.assertEqual(idle, every)
        self.assertEqual(ran, sorted("engine-2/" + name for name in every + ["chrome_timeline.json", "cycles.folded", "timeline.pftrace", "timeline.svg"]))
        self.assertEqual({warning.filename for warning in caught}, {__file__})
        for warning, name in zip(caught, ["chrome", "perfetto"]):
            self.assertRegex(str(warning.message), "^popscope.profile: %s: %s: the profile has no recorded run. .*the program did not call Engine::run" % (p.paths[0], name))
        self.assertEqual(len(caught), 2)

    def testAFormatThatNeedsRunsHidesNoErrorOfTheEngine(self):
        graph, x = overfull()
        for template in ("trace", "full"):
            with self.subTest(template), self.assertRaises(poplar.graph_memory_allocation_error), self.assertWarnsRegex(UserWarning, "pop: chrome.*It does not fit"):
                with popscope.profile(self.folder, template=template) as p:
                    poplar.Engine(graph, program.WriteUndef(x))
            self.assertEqual(os.path.exists(os.path.join(self.folder, "tile_map.svg")), template == "full")

    @unittest.skipUnless(BIN, "POPSCOPE_BIN names no folder")
    def testAnEngineMadeInCppTakesPart(self):
        with popscope.profile(self.folder, template="light") as p:
            subprocess.run([os.path.join(BIN, "first_steps")], check=True, stdout=subprocess.DEVNULL)
        self.assertEqual(p.paths, [os.path.join(self.folder, "profile.pop")])
        self.assertEqual(len(self.runs(p)), 1)


class Statistics(unittest.TestCase):
    def testPercentilesAreThoseOfTheStandardLibrary(self):
        import statistics

        from popscope._statistics import describe

        values = [float(i * i % 97) for i in range(1000)]
        found = describe(values)
        cuts = statistics.quantiles(values, n=1000, method="inclusive")
        for name, cut in (("p90", 899), ("p95", 949), ("p97", 969), ("p99", 989), ("p99.9", 998), ("median", 499)):
            self.assertAlmostEqual(found[name], cuts[cut])
        self.assertEqual((found["count"], found["min"], found["max"]), (1000, min(values), max(values)))
        self.assertAlmostEqual(found["mean"], statistics.fmean(values))


if __name__ == "__main__":
    unittest.main()
