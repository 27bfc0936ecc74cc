"""Named frames, SQL on all tables and views, and pictures for notebooks."""

import importlib.util
import json
import pathlib
import re
import sqlite3
import subprocess
import sys
import unittest
from xml.etree import ElementTree

import popscope
import pva

from Profiles import PROFILES, openProfile, pathOf

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Frames(unittest.TestCase):
    def setUp(self):
        self.profile = popscope.open(pathOf("mlp"))
        self.report = self.profile.report

    def rows(self, name):
        return self.profile.frame(name, "rows")

    def testColumnsOfOneNameKeepTheirValues(self):
        self.assertEqual(self.profile.sql("SELECT 1 a, 2 a, 3 b"), [{"a": 1, "a:1": 2, "b": 3}])

    def testFiguresAreThoseOfTheReport(self):
        runs = self.report.execution.runs
        self.assertEqual([(r["name"], r["cycles"]) for r in self.rows("runs")], [(r.name, r.totalCycles.total) for r in runs])
        self.assertEqual([r["compute"] for r in self.rows("device")], [r.totalCycles.compute for r in runs])
        clock = self.report.compilation.target.clockFrequency
        for row, run in zip(self.rows("inferences"), runs):
            self.assertAlmostEqual(row["microseconds"], 1e6 * run.totalCycles.total / clock)
        steps = self.report.execution.steps
        self.assertEqual([(r["type"], r["cycles"]) for r in self.rows("steps")], [(s.program.type.name, max(i.cycles for i in s.ipus)) for s in steps])
        self.assertEqual([r["bytes"] for r in self.rows("tiles")], [t.memory.total.excludingGaps for t in self.report.compilation.tiles])
        self.assertEqual(sorted(r["name"] for r in self.rows("variables")), sorted(v.name for v in self.report.compilation.variables))
        whole = sum(r["cycles"] for r in self.rows("runs"))
        for row in self.rows("operators"):
            self.assertAlmostEqual(row["percent"], 100 * row["cycles"] / whole)
        self.assertEqual({r["type"][:10] for r in self.rows("host")}, {"StreamCopy"})
        self.assertEqual([r for r in self.rows("host") if not (r["cycles"] or r["bytes_to_device"] or r["bytes_to_host"])], [])
        moved = sum(i.dataIn + i.dataOut for s in steps if s.program.type.name.startswith("StreamCopy") for i in s.ipus)
        self.assertEqual(sum(r["bytes_to_device"] + r["bytes_to_host"] for r in self.rows("host")), moved)

    @unittest.skipUnless(importlib.util.find_spec("pandas"), "needs pandas")
    def testPandasWhereItIsThere(self):
        import pandas

        for name in ("inferences", "device", "operators", "host", "runs", "steps", "variables", "tiles"):
            frame = getattr(self.profile, name)
            self.assertIsInstance(frame, pandas.DataFrame)
            self.assertEqual(len(frame), len(self.rows(name)))
            self.assertTrue(len(frame))

    def testPolarsWherePandasIsNot(self):
        """Replaces polars, which is no package of Debian, by a module that keeps the argument of DataFrame."""
        program = ("import importlib.machinery, sys, types; m = types.ModuleType('polars'); m.__spec__ = importlib.machinery.ModuleSpec('polars', None)\n"
                   "class DataFrame:\n    def __init__(self, columns): self.columns = columns\n"
                   "m.DataFrame = DataFrame; sys.modules['polars'] = m\n"
                   "import importlib.util; find = importlib.util.find_spec; importlib.util.find_spec = lambda n: None if n == 'pandas' else find(n)\n"
                   "import popscope; f = popscope.open(sys.argv[1]).tiles; print(type(f).__name__, len(f.columns['bytes']), 'pandas' in sys.modules)")
        out = subprocess.run([sys.executable, "-c", program, pathOf("mlp")], stdout=subprocess.PIPE, check=True).stdout.decode()
        self.assertEqual(out.split(), ["DataFrame", str(len(self.report.compilation.tiles)), "False"])

    def testReadingWorksWithoutNumpyAndPandas(self):
        program = ("import sys; sys.modules.update(numpy=None, pandas=None, polars=None, matplotlib=None)\n"
                   "import popscope; p = popscope.open(sys.argv[1]); print(len(p.frame('steps', 'rows')), len(p.data('steps')['id']), len(p.report.execution.steps))")
        out = subprocess.run([sys.executable, "-c", program, pathOf("control_flow")], stdout=subprocess.PIPE, check=True).stdout
        self.assertEqual(len(set(out.split())), 1)

    def testALibraryThatIsNotInstalledIsNamed(self):
        for library, package in (("pandas", "python3-pandas or "), ("polars", "")):
            program = "import sys; sys.modules[sys.argv[2]] = None; import popscope; popscope.open(sys.argv[1]).frame('tiles', sys.argv[2])"
            done = subprocess.run([sys.executable, "-c", program, pathOf("mlp"), library], stderr=subprocess.PIPE, check=False)
            self.assertIn('ImportError: popscope.Profile.frame of the kind "%s" needs %s, which is not installed: install it (%s`pip install %s`), '
                          'or use the kind "rows"' % (library, library, package, library), done.stderr.decode())

    def testUnknownNamesAreNamed(self):
        with self.assertRaisesRegex(ValueError, "no frame 'step'"):
            self.profile.frame("step")
        with self.assertRaisesRegex(ValueError, "no kind of frame 'arrow'"):
            self.profile.frame("steps", "arrow")
        with self.assertRaisesRegex(ValueError, 'no view "inf"'):
            self.profile.view("inf")

    def testValuesOfOptionsOfAViewAreCheckedAsOnTheCommandLine(self):
        for view, argument, options, words in (
                ("operators", "", {"aggregate-by": "Layer"}, 'view "operators": aggregate-by: "Layer" is not allowed; give one of operator, type, layer$'),
                ("top", "", {"of": "foo"}, 'of: "foo" is not allowed; give one of compute-sets, steps, '), ("top", "", {"depth": ""}, 'depth: the value is empty'),
                ("info", "", {"compile": "yes"}, 'compile: "yes" is not allowed'), ("top", "", {"runs": "7000"}, "--runs: there is no recorded run 7000; the profile has 0"),
                ("top", "", {"tiles": ""}, "tiles: the value is empty"), ("operators", "", {"ipu": "0"}, 'no option "ipu"; there are: .*, steps, runs, name$'),
                ("info", "foo", {}, 'takes no argument, not "foo"'), ("diff", "", {}, "compares several profiles"), ("x", "", {}, 'no view "x"; there are: (?!.*(diff|history))')):
            with self.subTest(view=view, options=options), self.assertRaisesRegex(ValueError, words):
                self.profile.view(view, argument, **options)

    def testAViewSelectsAsTheProgramDoes(self):
        from popscope.__main__ import tool

        for options in ({"runs": "0"}, {"steps": "0-20"}, {"tiles": "worst:1", "of": "variables"}, {"ipu": "0"}, {"name": "*a*"}):
            flags = [text for key, value in options.items() for text in ("--" + key, value)]
            theirs = subprocess.run([tool("popscope"), "top", pathOf("mlp"), "--json"] + flags, stdout=subprocess.PIPE, check=True).stdout
            self.assertEqual(self.profile.view("top", **options), json.loads(theirs))

    def testOptionsOfAViewAreWordsNumbersAndFlags(self):
        from popscope.__main__ import tool

        for arguments, options, flags in (
                (("stats",), {"report": "variables", "aggregate_by": "none", "count": 0}, ["--report", "variables", "--aggregate-by", "none", "-n", "0"]),
                (("top",), {"of": "variables", "count": 0}, ["--of", "variables", "-n", "0"]),
                (("tile", 5), {"count": 3}, ["5", "-n", "3"]), (("live",), {"tiles": 2}, ["--tiles", "2"]),
                (("stats",), {"list_reports": True}, ["--list-reports"]), (("info",), {"compile": False}, [])):
            with self.subTest(arguments, **options):
                theirs = subprocess.run([tool("popscope"), arguments[0], pathOf("mlp"), "--json"] + flags, stdout=subprocess.PIPE, check=True).stdout
                self.assertEqual(self.profile.view(*arguments, **options), json.loads(theirs))
        with self.assertRaisesRegex(ValueError, 'the view "top" has no option "n"; there are: count, of, '):
            self.profile.view("top", n=0)

    def testViewsAndNumbersAreThoseOfTheProgram(self):
        from popscope.__main__ import tool

        program = tool("popscope")
        self.assertIsNotNone(program)
        theirs = json.loads(subprocess.run([program, "info", pathOf("mlp"), "--json"], stdout=subprocess.PIPE, check=True).stdout)
        self.assertEqual(self.profile.view("info"), theirs)
        self.assertEqual(self.profile.numbers()["cycles"], self.report.execution.totalCycles.total)
        self.assertEqual(subprocess.run([sys.executable, "-m", "popscope", "--version"], stdout=subprocess.PIPE, check=True).stdout,
                         subprocess.run([program, "--version"], stdout=subprocess.PIPE, check=True).stdout)


class Connect(unittest.TestCase):
    def testEveryTableAndViewOfTheFormatsPage(self):
        text = (ROOT / "docs/FORMAT-pop.md").read_text(encoding="utf-8")
        tables, views = re.findall(r"^## (\w+)$", text, re.MULTILINE), re.findall(r"^### (\w+)$", text, re.MULTILINE)
        self.assertGreater(len(views), 20)
        for name in PROFILES:
            db = popscope.connect(pathOf(name))
            for table in tables + views:
                db.execute("SELECT * FROM %s LIMIT 3" % table).fetchall()
            with self.assertRaises(sqlite3.OperationalError):
                db.execute("DELETE FROM runs")
            db.close()

    def testRowsAreThoseOfTheReport(self):
        report, db = openProfile("mlp"), popscope.connect(pathOf("mlp"))
        self.assertEqual(db.execute("SELECT name FROM named_steps ORDER BY id").fetchone()[0], report.execution.steps[0].program.name)
        self.assertEqual(db.execute("SELECT SUM(size_bytes) FROM vars_info").fetchone()[0],
                         sum(v.bytes for v in report.compilation.loweredVariables.allBriefVars))
        cycles = [json.loads(n) for n, in db.execute("SELECT numbers(cycles) FROM steps_by_tile ORDER BY step_id")]
        self.assertEqual(cycles, [s.cyclesByTile for s in report.execution.steps if s.cyclesByTile])

    def testWhatIsNoProfileIsRefused(self):
        with self.assertRaises(pva.ProfileError):
            popscope.connect(__file__)


class Look(unittest.TestCase):
    def testEachThingShowsItselfAsHtml(self):
        report = openProfile("mlp")
        step = next(s for s in report.execution.steps if s.cyclesByTile)
        for thing in (report, step, report.compilation.tiles[0], report.compilation.variables[0], report.memory, report.liveness):
            text = thing._repr_html_()
            ElementTree.fromstring("<div>%s</div>" % text)  # raises ParseError unless the HTML is well-formed
            self.assertIn("<svg", text)
            self.assertLess(len(text), 60000)
        self.assertIn("bytes", report._repr_html_())
        sync = next(s for s in report.execution.steps if not s.cyclesByTile)
        self.assertNotIn("<svg", sync._repr_html_())
        spans = {variable.name: list(variable.liveSteps) for variable in report.compilation.variables if not variable.alwaysLive}
        name, spans = next((name, s) for name, s in spans.items() if len(s) > 1)
        text = next(v for v in report.compilation.variables if v.name == name)._repr_html_()
        for span in spans[:2]:  # the last step is one of them
            self.assertIn("%d to %d" % (span.start, span.end - 1) if span.end > span.start + 1 else str(span.start), text)

    def testTheViewerShowsThePageOfTheProgram(self):
        import html

        try:
            text = popscope.open(pathOf("control_flow")).viewer(500)._repr_html_()
        except RuntimeError as error:
            if "has no viewer" in str(error):
                self.skipTest("this build has no viewer")
            raise
        self.assertIn('height="500"', text)
        page = html.unescape(re.search('srcdoc="([^"]*)"', text).group(1))
        self.assertIn("</html>", page.lower())

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "needs matplotlib")
    def testPictures(self):
        import matplotlib

        matplotlib.use("svg")
        from matplotlib import pyplot

        report = openProfile("mlp")
        memory = report.memory.plot()
        self.assertEqual(memory.get_xlabel(), "tile")
        live = report.liveness.plot()
        self.assertEqual(live.get_ylabel(), "bytes")
        fullest = max(report.compilation.livenessProgramSteps, key=lambda step: step.notAlwaysLiveMemory.bytes)
        top = live.collections[-1].get_paths()[0].vertices
        at = max(top, key=lambda point: point[1])[0]  # steps have the numbers that the commands print
        self.assertLessEqual(abs(at - fullest.program._id), 1)
        lanes = report.timeline.plot()
        self.assertGreater(len(lanes.collections), 2)
        self.assertEqual(lanes.collections[0].get_label(), "Sync")  # below the work
        waits = [step for step in report.timeline.data() if step[0] == "Sync"]
        steps = [step for step in report.execution.runs[0].steps if step.program.type.name == "Sync"]
        self.assertEqual([(wait[3], wait[3] + wait[4]) for wait in waits],  # from the last arrival
                         [(i.allCycles.cyclesFrom.max, i.allCycles.cyclesTo.max) for s in steps for i in s.ipus if i.allCycles.cyclesTo.max > i.allCycles.cyclesFrom.max])
        lanes.figure.canvas.draw()
        self.assertGreaterEqual(lanes.xaxis.label.get_window_extent().y0, 0)  # inside the figure
        self.assertGreaterEqual(lanes.get_legend().get_window_extent().x0, lanes.get_window_extent().x1)  # the legend covers nothing
        figures = pyplot.get_fignums()
        with self.assertRaisesRegex(IndexError, "there is no recorded run 1000000; the profile has 0"):
            report.timeline.plot(run=10**6)
        self.assertEqual(pyplot.get_fignums(), figures)  # no empty axes


if __name__ == "__main__":
    unittest.main()
