"""Plants bytes and cycles without a unit in each form, and checks that similar lines are not reported."""

import os
import tempfile
import unittest

import Units

PLANTED = (
    "std::uint64_t bytes = 0;", "std::uint32_t codeBytes = 0, headerBytes = 0;", "std::uint64_t taken = 0, cycles = 0;",
    "std::vector<std::uint64_t> cyclesOfTiles;", "std::optional<std::uint64_t> threadCycles;", "int bytes_ = 0;",
    "std::span<const std::uint64_t> busyCycles;", "[[nodiscard]] std::uint64_t homeBytes(HomeId h) const;",
    "void addBusy(TileId tile, std::uint64_t cycles);", "const std::vector<std::uint32_t> &bytesOf;",
    "inline constexpr std::uint32_t kPieceBytes = 1024;", "std::size_t liveBytes;",
    "std::vector<std::vector<std::uint64_t>> from, to, bytes{};", "std::vector<std::uint32_t>\n    cycles;",
)
NONE = (
    "Bytes bytes;", "Bytes32 codeBytes, headerBytes;", "std::vector<Cycles> cycles;", "std::uint64_t instances = 0;",
    "// std::uint64_t bytes = 0;", "std::uint32_t tile = 0; Bytes bytes;", "std::uint64_t count(Bytes bytes);",
    "Cycles cyclesOf(std::uint32_t vertex);", "std::function<void(std::uint64_t, Bytes)> useBytes;",
    "void set(std::uint32_t vertex, Cycles cycles, Source source);",
)


class UnitsTest(unittest.TestCase):
    def found(self, text, file="graph/steps/Tables.hpp", allowed=()):
        with tempfile.TemporaryDirectory() as root:
            os.makedirs(os.path.join(root, os.path.dirname(file)))
            with open(os.path.join(root, file), "w", encoding="utf-8") as out:
                out.write(text)
            return Units.check(root, allowed)

    def testEachForm(self):
        for line in PLANTED:
            with self.subTest(line):
                _, findings = self.found("struct Row {\n%s\n};\n" % line)
                self.assertEqual(len(findings), 1, findings)
                self.assertTrue(findings[0].startswith("graph/steps/Tables.hpp:%d: a plain number" % (2 + line.count("\n"))))

    def testWhatIsNone(self):
        for line in NONE:
            with self.subTest(line):
                self.assertEqual(self.found(line), (1, []))

    def testRooms(self):
        line = "std::uint64_t bytes = 0;"
        for room in Units.ROOMS:
            self.assertEqual(len(self.found(line, room + "/A.hpp")[1]), 1, room)
        for file in ("graph/steps/Dump.cpp", "target-models/model/TileMachine.hpp", "report/pop/PopReader.hpp", "engine/settings/Settings.hpp"):
            self.assertEqual(self.found(line, file), (0, []), file)

    def testAnAllowance(self):
        row = ("graph/steps/Tables.hpp", "bytes = 0", "a reason")
        self.assertEqual(self.found("std::uint64_t bytes = 0;", allowed=(row,)), (1, []))
        self.assertIn("not needed any more", self.found("Bytes bytes;", allowed=(row,))[1][0])
        self.assertEqual(len(self.found("std::uint64_t moreBytes = 1;", allowed=(row,))[1]), 2)

    def testExitCodes(self):
        with tempfile.TemporaryDirectory() as root:
            self.assertEqual(Units.main(["", root]), 1)


if __name__ == "__main__":
    unittest.main()
