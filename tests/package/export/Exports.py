"""Shared by the tests of exports: the tool, the profiles, and their figures. SQLite alone reads the figures; only packed tables are read
through the tool."""

import json
import os
import shutil
import sqlite3
import subprocess
import tempfile
import unittest

TOOL = os.environ["POPSCOPE_TOOL"]
PROFILES = os.environ["POPSCOPE_PROFILES"]
BOTH = ("control_flow", "hostile")


def profile(name):
    return os.path.join(PROFILES, name + ".pop")


def query(name, sql):
    if "vars_info" in sql or "liveness_variables" in sql:  # these are in packed_rows, so the tool reads them as tables
        done = subprocess.run([TOOL, "sql", profile(name), sql, "--json"], stdout=subprocess.PIPE, check=True, timeout=60)
        return [tuple(row.values()) for row in json.loads(done.stdout.decode())]
    with sqlite3.connect("file:%s?mode=ro" % profile(name), uri=True) as database:
        database.text_factory = lambda raw: raw.decode("utf-8", "replace")
        return database.execute(sql).fetchall()


def traffic(name):
    """Returns (program, tiles of a group, senders, receivers, bytes) of each exchange, decoded by the tool."""
    done = subprocess.run([TOOL, "sql", profile(name), "SELECT program, tiles_per_group, from_groups, to_groups, size_bytes FROM traffic", "--expand", "--json"],
                          stdout=subprocess.PIPE, check=True, timeout=60)
    return [tuple(row.values()) for row in json.loads(done.stdout.decode())]


def need(tool):
    """Returns the path of a tool that scripts/setup.sh installs."""
    path = shutil.which(tool)
    if path is None:
        raise AssertionError("%s is not installed; scripts/setup.sh installs it" % tool)
    return path


class ExportCase(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="popscope-export-")
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def run_tool(self, *arguments):
        return subprocess.run([TOOL] + list(arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder, timeout=120)

    def export(self, name, formats, *arguments):
        done = self.run_tool("export", profile(name), "--format", formats, *arguments)
        self.assertEqual((done.returncode, done.stderr.decode()), (0, ""))
        return done.stdout.decode()

    def text(self, name):
        with open(self.path(name), encoding="utf-8", newline="") as file:
            return file.read()

    def files(self):
        return sorted(os.path.relpath(os.path.join(at, name), self.folder) for at, _, names in os.walk(self.folder) for name in names)
