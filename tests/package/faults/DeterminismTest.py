"""Eleven programs and all their outputs have the same bytes for any number of threads, in any run, in any folder."""

import hashlib
import os
import shlex
import sqlite3
import unittest

import Support

with open(os.environ["POPSCOPE_PROGRAMS"]) as lines:
    PROGRAMS = [shlex.split(line) for line in lines if line.strip()]
# Times of the host, which differ from run to run: columns by table.
TIMES = {"runs": ("start_us", "end_us"), "compile_phases": ("*",)}
# Options that differ between runs here, and their stored values.
OPTIONS = ("autoReport.directory", "opt.maxCompilationThreads", "debug.cpuMultiThreadExecution")


def rowsOf(path):
    """Returns every row of every table, without the times. Packed values are as the file stores them."""
    database = sqlite3.connect("file:%s?mode=ro" % path, uri=True)
    try:
        tables = [name for name, in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
        result = {}
        for table in tables:
            cursor = database.execute('SELECT * FROM "%s"' % table)
            columns = [c[0] for c in cursor.description]
            left = TIMES.get(table, ())
            kept = [i for i, c in enumerate(columns) if c not in left and "*" not in left]
            rows = [tuple(row[i] for i in kept) for row in cursor]
            if table == "options":
                rows = [row for row in rows if not any(option in row for option in OPTIONS)]
            result[table] = rows
        return result
    finally:
        database.close()


# Formats of popscope export; none contains the name of its folder.
FORMATS = "chrome,perfetto,csv,jsonl,folded,speedscope,dot,svg,md,latex"


def filesIn(folder):
    """Returns the contents of each file below the folder, by its path there."""
    found = {}
    for at, _, files in os.walk(folder):
        for name in files:
            path = os.path.join(at, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, folder)] = hashlib.sha256(file.read()).hexdigest()
    return found


class Determinism(Support.FaultCase):
    def record(self, command, threads, folder):
        os.makedirs(folder)
        options = ('{"autoReport.all": "true", "opt.maxCompilationThreads": "%d", "debug.cpuMultiThreadExecution": "%s", '
                   '"autoReport.directory": "."}' % (threads, "false" if threads == 1 else "true"))
        done = self.run_(command, cwd=folder, POPLAR_ENGINE_OPTIONS=options)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return done.stdout

    def testProfilesAndWhatIsMadeOfThem(self):
        self.assertGreaterEqual(len(PROGRAMS), 10)
        for number, command in enumerate(PROGRAMS):
            with self.subTest(" ".join(command)):
                first = None
                for run, threads in enumerate((1, 2, 7, 7)):
                    folder = self.path("%d-%d" % (number, run), *(["deeper"] * run))
                    printed = self.record(command, threads, folder)
                    summary = self.run_([os.environ["POPSCOPE_SUMMARY"], "--profile", "profile.pop"], cwd=folder).stdout
                    rows = rowsOf(os.path.join(folder, "profile.pop"))
                    self.assertIn("programs", rows)
                    self.tool("export", "profile.pop", "--format", FORMATS, "-o", "exported", "--tiles", "0", cwd=folder)
                    exported = filesIn(os.path.join(folder, "exported"))  # none for a profile without a run
                    if number == 0:
                        self.assertGreaterEqual(len(exported), 30)
                    page = None
                    if run < 2:  # exports one profile to two folders, because a page contains the profile with its times
                        self.tool("html", self.path("%d-0" % number, "profile.pop"), "-o", "page.html", cwd=folder)
                        if os.path.exists(os.path.join(folder, "page.html")):
                            with open(os.path.join(folder, "page.html"), "rb") as file:
                                page = hashlib.sha256(file.read()).hexdigest()
                    if first is None:
                        first = (printed, summary, rows, page, exported)
                        continue
                    self.assertEqual(printed, first[0])
                    self.assertEqual(summary, first[1])
                    self.assertEqual(sorted(rows), sorted(first[2]))
                    for table in rows:
                        self.assertEqual(rows[table], first[2][table], table)
                    self.assertEqual(exported, first[4])
                    if page is not None:
                        self.assertEqual(page, first[3])


if __name__ == "__main__":
    unittest.main()
