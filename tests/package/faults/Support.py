"""Shared by the tests of faults: a folder for each test, the client, the tool, and one cache of codelets for all."""

import os
import shutil
import sqlite3
import subprocess
import tempfile
import unittest

TOOL = os.environ["POPSCOPE_TOOL"]
CLIENT = os.environ["POPSCOPE_CLIENT"]
OURS = ("POPSCOPE_PROFILE", "POPSCOPE_CONFIG", "POPSCOPE_RUN_OPTIONS", "POPSCOPE_RUN_ID", "POPLAR_ENGINE_OPTIONS", "POPSCOPE_CACHE_DIR",
        "XDG_CONFIG_HOME", "PVTI_OPTIONS")
ALL = '{"autoReport.all": "true"}'
LONG = 300  # seconds; never reached without a fault


class FaultCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cache = tempfile.mkdtemp(prefix="popscope-faults-")
        cls.addClassCleanup(shutil.rmtree, cls.cache, True)

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="popscope-faults-")
        self.addCleanup(shutil.rmtree, self.folder, True)

    def environment(self, **variables):
        clean = {k: v for k, v in os.environ.items() if k not in OURS}
        clean.update(HOME=self.folder, XDG_CACHE_HOME=self.cache, POPLAR_ENGINE_OPTIONS=ALL)
        clean.update(variables)
        return clean

    def run_(self, words, before=None, stdout=subprocess.PIPE, cwd=None, **variables):
        return subprocess.run(words, stdout=stdout, stderr=subprocess.PIPE, cwd=cwd or self.folder, timeout=LONG,
                              env=self.environment(**variables), preexec_fn=before, errors="replace", text=True)

    def client(self, *words, **more):
        return self.run_([CLIENT] + list(words), **more)

    def tool(self, *words, **more):
        return self.run_([TOOL] + list(words), **more)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, content):
        with open(self.path(name), "wb" if isinstance(content, bytes) else "w") as file:
            file.write(content)
        return self.path(name)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def sql(self, name, text):
        database = sqlite3.connect(self.path(name))
        try:
            rows = database.execute(text).fetchall()
            database.commit()
            return rows
        finally:
            database.close()

    def profile(self):
        """Writes profile.pop of a small program into the folder."""
        done = self.client("run")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return self.path("profile.pop")

    def assertSays(self, done, code, *parts):
        text = done.stdout + done.stderr
        self.assertEqual(done.returncode, code, text)
        for part in parts:
            self.assertIn(part, text)
        self.assertNotIn("json.exception", text)  # a message of the JSON library
