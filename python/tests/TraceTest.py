"""Traces of the host: pva.openTrace reads the files that libpvti writes, and refuses other files."""

import json
import os
import subprocess
import sys
import tempfile
import textwrap
import unittest

import pva

PYTHON = os.path.dirname(os.path.dirname(os.path.abspath(pva.__file__)))


class Traces(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.path = os.path.join(self.folder, "x.pvti")

    def run_(self, program, options):
        environment = dict(os.environ, PYTHONPATH=PYTHON, PVTI_OPTIONS=json.dumps(options))
        subprocess.run([sys.executable, "-c", textwrap.dedent(program)], check=True, env=environment, cwd=self.folder)

    def files(self, folder="reports"):
        folder = os.path.join(self.folder, folder)
        return sorted(os.path.join(folder, f) for f in os.listdir(folder)) if os.path.isdir(folder) else []

    def testEventsNestAndThreadsAndProcessesStayApart(self):
        self.run_("""
            import libpvti as pvti, os, threading
            channel = pvti.createTraceChannel("app")
            with pvti.Tracepoint(channel, "Epoch:0"):
                with pvti.Tracepoint(channel, "inner \u00e9\\n"):
                    pvti.Tracepoint.event(channel, "now")
                if os.fork() == 0:
                    with pvti.Tracepoint(channel, "child"):
                        pass
                    os._exit(0)
                os.wait()
            def work():
                pvti.Tracepoint.begin(pvti.TraceChannel("other"), "in a thread")
                pvti.Tracepoint.end(channel, "in a thread")
            thread = threading.Thread(target=work)
            thread.start()
            thread.join()
            """, {"enable": "true", "directory": "reports"})
        traces = [pva.openTrace(f) for f in self.files()]
        self.assertEqual(len(traces), 2)
        main = max(traces, key=lambda t: len(t.processes[0].threads))
        process = main.processes[0]
        self.assertEqual(main.process(process.pid).threads[0].tid, process.threads[0].tid)
        self.assertEqual(len(process.threads), 2)
        first = process.threads[0]
        self.assertEqual(process.thread(first.tid).tid, first.tid)
        self.assertEqual([e.label for e in first.events], ["Epoch:0"])
        epoch = first.events[0]
        self.assertIsInstance(epoch, pva.Event)
        inner = epoch.children()[0]
        self.assertEqual(inner.label, "inner \u00e9\n")
        self.assertEqual(inner.channel, "app")
        self.assertLessEqual(epoch.timestamp, inner.timestamp)
        self.assertLessEqual(inner.timestamp + inner.duration, epoch.timestamp + epoch.duration)
        self.assertEqual([(e.label, e.duration) for e in inner.children()], [("now", 0)])
        self.assertEqual([(e.label, e.channel) for e in process.threads[1].events], [("in a thread", "other")])
        child = next(t for t in traces if t is not main)
        self.assertEqual([e.label for e in child.processes[0].threads[0].events], ["child"])

    def testNothingIsWrittenUnlessAskedFor(self):
        program = "import libpvti as p\nwith p.Tracepoint(p.createTraceChannel('c'), 'x'): pass\n"
        self.run_(program, {})
        self.run_(program, {"enable": "false", "directory": "reports"})
        self.assertEqual(self.files(), [])
        self.assertEqual([f for f in self.files(".") if f.endswith(".pvti")], [])

    def testAViewerOfChromeTracesCanReadIt(self):
        self.run_("import libpvti as p\nwith p.Tracepoint(p.createTraceChannel('c'), 'x'): pass\n",
                  {"enable": "true", "directory": "reports"})
        with open(self.files()[0], encoding="utf-8") as file:
            events = json.loads(file.read().rstrip().rstrip(",") + "]")
        self.assertEqual([e["ph"] for e in events], ["M", "B", "E"])

    FIRST = '[{"ph":"M","name":"popscope_pvti","args":{"version":1}},\n'

    def write(self, text):
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(text)
        return self.path

    def testAStoppedProgramLeavesWhatItWrote(self):
        begin = '{"ph":"B","pid":1,"tid":2,"ts":%d,"cat":"c","name":"%s"},\n'
        trace = pva.openTrace(self.write(self.FIRST + begin % (10, "outer") + begin % (15, "inner") + '{"ph":"E","pi'))
        outer = trace.process(1).thread(2).events[0]
        self.assertEqual((outer.duration, outer.isClosed, outer.children()[0].duration), (5, False, 0))
        with self.assertRaises(IndexError):
            trace.process(2)
        with self.assertRaises(IndexError):
            trace.process(1).thread(1)

    def testFilesThatAreNoTraceAreRefusedInOneLine(self):
        record = '{"ph":"B","pid":1,"tid":2,"ts":10,"cat":"c","name":"x"},\n'
        for text, why in (("", "empty"), ("SQLite format 3\n", "no trace"), (self.FIRST.replace(":1}", ":2}"), "format 2"),
                          (self.FIRST + "[1]\n", "no record"), (self.FIRST + record.replace("10", "-1"), "numbers"),
                          (self.FIRST + record + record.replace("10", "9"), "time runs back"),
                          (self.FIRST + '{"ph":"E","pid":1,"tid":2,"ts":10},\n', "did not begin"),
                          (self.FIRST + record.replace('"x"', "7"), "no label"), (self.FIRST + "[" * 100000 + "\n", "no record")):
            with self.subTest(why):
                with self.assertRaises(pva.ProfileError) as raised:
                    pva.openTrace(self.write(text))
                self.assertIn(why, str(raised.exception))
                self.assertIn(self.path, str(raised.exception))
                self.assertNotIn("\n", str(raised.exception))
        with self.assertRaises(pva.ProfileError):
            pva.openTrace(os.path.join(self.folder, "missing.pvti"))


if __name__ == "__main__":
    unittest.main()
