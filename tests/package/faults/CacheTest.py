"""The cache of compiled codelets: damaged, shared, or owned by another user."""

import glob
import os
import random
import shutil
import unittest

import Support


class Cache(Support.FaultCase):
    def setUp(self):
        super().setUp()
        self.own = self.path("cache")

    def once(self):
        done = self.client("run", XDG_CACHE_HOME=self.own)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(done.stdout, "81\n")

    def figures(self):
        return self.tool("sql", "profile.pop", "SELECT tile, total, non_interleaved FROM memory_by_tile").stdout

    def testDamagedFilesAreMadeAgain(self):
        self.once()
        right = self.figures()
        self.assertIn("total", right)
        self.assertGreater(len(right.splitlines()), 8)
        files = [f for f in glob.glob(self.own + "/popscope/*") if os.path.isfile(f) and not f.endswith("pruned")]
        self.assertGreaterEqual(len(files), 4)
        chance = random.Random(1)
        for file in files:
            with open(file, "rb") as f:
                whole = f.read()
            for cut in (0, 64, 200, len(whole) // 2, len(whole) - 1):
                with open(file, "wb") as f:
                    f.write(whole[:cut])
                self.once()
                self.assertEqual(self.figures(), right, (file, cut))
            for _ in range(4):
                damaged = bytearray(whole)
                damaged[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
                with open(file, "wb") as f:
                    f.write(damaged)
                self.once()
                self.assertEqual(self.figures(), right, file)

    def testFoldersAndPipesInPlaceOfFiles(self):
        self.once()
        right = self.figures()
        files = [f for f in glob.glob(self.own + "/popscope/*") if os.path.isfile(f) and not f.endswith("pruned")]
        self.assertGreaterEqual(len(files), 4)
        for file in files:
            for make in (os.mkfifo, os.mkdir, lambda name: os.makedirs(name + "/inner")):
                if os.path.isdir(file):  # an entry that this program does not need
                    shutil.rmtree(file)
                elif os.path.exists(file):
                    os.remove(file)
                make(file)
                self.once()
                self.assertEqual(self.figures(), right, file)

    def testItsFolderIsPrivate(self):
        self.once()
        self.assertEqual(os.stat(self.own + "/popscope").st_mode & 0o777, 0o700)

    def testAFolderThatOthersCanWriteIsNotUsed(self):
        os.makedirs(self.own + "/popscope")
        os.chmod(self.own + "/popscope", 0o770)
        self.once()
        self.assertEqual(os.listdir(self.own + "/popscope"), [])

    @unittest.skipUnless(os.geteuid() == 0, "only root can give a folder to another user")
    def testAFolderOfAnotherUserDoesNotStopPrograms(self):
        os.makedirs(self.path("tmp/popscope-cache-0"))
        os.chown(self.path("tmp/popscope-cache-0"), 65534, 65534)
        os.makedirs(self.own + "/popscope")
        os.chown(self.own + "/popscope", 65534, 65534)
        done = self.client("run", XDG_CACHE_HOME=self.own, TMPDIR=self.path("tmp"))
        self.assertEqual(done.stdout, "81\n", done.stderr)
        self.assertEqual(os.listdir(self.path("tmp")), ["popscope-cache-0"])  # the process has removed its own folder
        self.assertEqual(os.listdir(self.path("tmp/popscope-cache-0")), [])


if __name__ == "__main__":
    unittest.main()
