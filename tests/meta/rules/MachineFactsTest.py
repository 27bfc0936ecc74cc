"""Plants each form of a machine's fact in a pass, and checks that similar lines are not reported."""

import os
import tempfile
import unittest

import MachineFacts

PLANTED = (
    ("a count of instructions", ("row.instructions += 2;", "++row.instructions;", "r.instructions += other ? 1 : 2;",
                                 "n = 2 * code.syncInstr;", "n = 2 * edgeInstr_;", "n = (packets + 3) * m.code.instructionBytes;",
                                 "n = syncInstr + 1;")),
    ("the size of a word", ("if (m.srcOffset % 4 == 0)", "w = (bytes + 3) / 4;", "x = home.bytes() / 8;", "a = shape.align % 8;")),
    ("an alignment", ("a = std::max<std::uint32_t>(alignment, 8);", "a = std::min(4, var.alignment);", "a = commonAlignment(m, n, 8);")),
    ("a size of the machine", ("f(Bytes(4));", "f(Bytes32(16));", "f(Bytes(20));", "constexpr std::uint64_t kPacketWord = 4;", "constexpr int kWorkersOfVertex = 6;")),
    ("a field of the machine", ("stack.workerBytes = 512;", "m.tilesPerSharedBus = 2;", "std::uint32_t alignment = 4;")),
    ("controls of an exchange", ("n = costs.exchangeControls(2);",)),
    ("the name of an architecture", ('if (machine.name == "ipu2")',)),
)
NONE = (
    "row.instructions += code.exchangeFrameInstr;", "n = packets * code.hostSendInstr + code.hostFrameInstr;",
    "if (m.srcOffset % kWordBytes == 0)", "std::uint64_t instructions = 0;", "std::uint32_t alignment = 1;",
    "task.reserve(2 * rows.size());", "word = bit / 64;", "f(Bytes(0));", "f(Bytes(1));", "constexpr std::size_t kVerticesPerTask = 1024;",
    "n = 0; // 2 * syncInstr", "/* stack.workerBytes = 512; */", "text = 0; // kPacketWord = 4",
)


class MachineFactsTest(unittest.TestCase):
    def found(self, text, room="graph/lowering", allowed=()):
        with tempfile.TemporaryDirectory() as root:
            os.makedirs(os.path.join(root, room))
            with open(os.path.join(root, room, "Pass.cpp"), "w", encoding="utf-8") as file:
                file.write(text)
            return MachineFacts.check(root, allowed)

    def testEachForm(self):
        for what, lines in PLANTED:
            for line in lines:
                with self.subTest(line):
                    _, findings = self.found("// first\n%s\n" % line)
                    self.assertEqual(len(findings), 1, findings)
                    self.assertTrue(findings[0].startswith("graph/lowering/Pass.cpp:2: " + what), findings[0])

    def testWhatIsNone(self):
        for line in NONE:
            with self.subTest(line):
                self.assertEqual(self.found(line), (1, []))

    def testEachPatternIsSeenToFind(self):
        lines = [line for _, some in PLANTED for line in some]
        for what, pattern in MachineFacts.PATTERNS:
            self.assertTrue(any(MachineFacts.re.search(pattern, line) for line in lines), pattern)

    def testRooms(self):
        for room in MachineFacts.ROOMS:
            self.assertEqual(len(self.found("row.instructions += 2;", room)[1]), 1, room)
        for room in ("target-models/costs", "report/answers"):
            self.assertEqual(self.found("row.instructions += 2;", room), (0, []))

    def testAnAllowance(self):
        row = ("graph/lowering/Pass.cpp", "2 * syncInstr", "two syncs")
        self.assertEqual(self.found("n = 2 * syncInstr;", allowed=(row,)), (1, []))
        self.assertIn("not needed any more", self.found("n = syncInstr;", allowed=(row,))[1][0])
        self.assertEqual(len(self.found("n = 3 * syncInstr;", allowed=(row,))[1]), 2)

    def testExitCodes(self):
        with tempfile.TemporaryDirectory() as root:
            self.assertEqual(MachineFacts.main(["", root]), 1)


if __name__ == "__main__":
    unittest.main()
