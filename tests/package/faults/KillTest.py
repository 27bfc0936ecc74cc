"""Programs that are killed at random moments: while they compile codelets, run, write files or rename them.

POPSCOPE_KILLS sets the number of kills (60; 1,000 in ctest -C Nightly). Half of the programs run next to the profile of an earlier
program, half in an empty folder, and one in ten starts with an empty cache of codelets. After each kill, `profile.pop` is the unchanged
earlier file or a complete new one; its debug information belongs to it or is refused; an unfinished profile can be recovered or is
refused with a message. After every tenth kill, an undisturbed program must leave its usual files.
"""

import collections
import hashlib
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import unittest

import Support

KILLS = int(os.environ.get("POPSCOPE_KILLS", "60"))
# A program that writes its profile in place, for the test of these tests.
IN_PLACE = """import os, sys, time
whole = open(os.environ["WHOLE"], "rb").read()
with open("profile.pop", "wb", buffering=0) as out:
    for i in range(0, len(whole), len(whole) // 40):
        out.write(whole[i:i + len(whole) // 40])
        time.sleep(0.005)
print(81)
"""


class Kills(Support.FaultCase):
    program = [Support.CLIENT, "run", "second"]

    def start(self, cache, **variables):
        environment = self.environment(XDG_CACHE_HOME=cache, **variables)
        return subprocess.Popen(self.program, cwd=self.place, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def seconds(self, cache, **variables):
        """Returns how long the program takes when nobody kills it, and fails if it does not work."""
        begin = time.monotonic()
        process = self.start(cache, **variables)
        self.assertEqual(process.communicate(timeout=Support.LONG)[0], b"81\n")
        return time.monotonic() - begin

    def empty(self):
        shutil.rmtree(self.place, True)
        os.mkdir(self.place)

    def rows(self, path):
        """Returns the variables and names of a complete profile, or None if it is not complete."""
        try:
            database = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
            try:
                if database.execute("PRAGMA integrity_check").fetchone() != ("ok",):
                    return None
                return [database.execute("SELECT COUNT(*) FROM runs WHERE complete").fetchone(),
                        database.execute("SELECT * FROM memory_by_tile").fetchall()]
            finally:
                database.close()
        except sqlite3.DatabaseError:
            return None

    def state(self, older):
        """Returns the state of the folder after a kill: "older", "new" or "none", or a text that names the fault."""
        path = os.path.join(self.place, "profile.pop")
        if not os.path.exists(path):
            return "lost" if older else "none"
        with open(path, "rb") as file:
            content = file.read()
        if older and hashlib.sha256(content).digest() == older:
            found, name = "older", "first"
        else:
            found, name = "new", "second"
            if self.rows(path) != self.whole:
                return f"broken: {len(content)} bytes"
        done = self.tool("info", path)
        if done.returncode != 0:
            return "refused: " + done.stderr
        if os.path.exists(os.path.join(self.place, "debug.cbor")):
            done = self.client("pva", "profile.pop", "debug.cbor", cwd=self.place)
            other = "first" if name == "second" else "second"
            if done.returncode != 0 and "debug information of another profile" not in done.stdout + done.stderr:
                return "debug information: " + done.stdout + done.stderr
            if done.returncode == 0 and other in done.stdout:
                return "names of another program"
        return found

    def unfinished(self):
        """Returns how many unfinished profiles could be recovered, and fails for one that is neither recovered nor refused in words."""
        count = 0
        for name in os.listdir(self.place):
            if name.startswith("profile_") and name.endswith(".pop"):
                done = self.tool("recover", name, "-o", "recovered.pop", cwd=self.place)
                self.assertIn(done.returncode, (0, 2), done.stderr)
                self.assertNotEqual((done.stdout + done.stderr).strip(), "")
                if done.returncode == 0:
                    self.assertEqual(self.tool("info", "recovered.pop", cwd=self.place).returncode, 0)
                    os.remove(os.path.join(self.place, "recovered.pop"))
                    count += 1
                os.remove(os.path.join(self.place, name))
        return count

    def prepare(self):
        self.place = self.path("place")
        self.first = self.path("first")
        os.mkdir(self.first)
        self.assertEqual(self.client("run", "first", cwd=self.first).returncode, 0)
        with open(os.path.join(self.first, "profile.pop"), "rb") as file:
            self.older = hashlib.sha256(file.read()).digest()
        self.empty()
        self.assertEqual(self.client("run", "second", cwd=self.place).returncode, 0)
        self.whole = self.rows(os.path.join(self.place, "profile.pop"))
        self.assertEqual(self.whole[0], (1,))
        shutil.copy(os.path.join(self.place, "profile.pop"), self.path("whole.pop"))

    def kills(self, count, seed, cold=10, **variables):
        """Kills `count` programs and returns how often each state was found."""
        chance, states = random.Random(seed), collections.Counter()
        coldCache = self.path("cold")
        warm = self.seconds(self.cache, **variables)
        slow = self.seconds(coldCache, **variables) if cold else warm
        for i in range(count):
            self.empty()
            older = None
            if i % 2 == 0:
                shutil.copytree(self.first, self.place, dirs_exist_ok=True)
                older = self.older
            isCold = cold and i % cold == 3
            if isCold:
                shutil.rmtree(coldCache, True)
            moment = chance.random() * (slow if isCold else warm) * 1.1
            process = self.start(coldCache if isCold else self.cache, **variables)
            try:
                process.wait(moment)
                states["ended before"] += 1
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
            process.communicate()
            states[self.state(older)] += 1
            states["recovered"] += self.unfinished()
            if i % 10 == 3:
                self.empty()
                if isCold:
                    slow = min(slow, 2 * self.seconds(coldCache, **variables) + slow / 2)
                else:
                    warm = self.seconds(self.cache, **variables)
                self.assertIn(self.state(None), ("new", "none"))
        return states

    def testFilesAreWholeAfterAKill(self):
        self.prepare()
        seed = int(os.environ.get("POPSCOPE_KILLS_SEED", "1"))
        states = self.kills(KILLS, seed, POPLAR_ENGINE_OPTIONS='{"autoReport.all": "true", "autoReport.streamAtEachRun": "true"}')
        print(f"kills: {KILLS} from seed {seed}: " + ", ".join(f"{n} {what}" for what, n in sorted(states.items())), file=sys.stderr)
        broken = {what: n for what, n in states.items() if what not in ("older", "new", "none", "ended before", "recovered")}
        self.assertEqual(broken, {})
        self.assertGreater(states["older"], KILLS // 10)
        self.assertGreater(states["none"], KILLS // 10)
        if KILLS >= 500:
            self.assertGreater(states["recovered"], 0)
            self.assertGreater(states["new"], 0)

    def testAProgramThatWritesInPlaceIsFound(self):
        self.prepare()
        self.program = [sys.executable, self.write("in_place.py", IN_PLACE)]
        states = self.kills(20, 1, cold=0, WHOLE=self.path("whole.pop"))
        self.assertTrue([what for what in states if what.startswith("broken")], states)


if __name__ == "__main__":
    unittest.main()
