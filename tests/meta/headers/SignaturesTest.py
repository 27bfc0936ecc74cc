"""SignaturesTest.py ROOT COMPILER: Signatures.py reports names and signatures that do not exist, and no others."""

import sys
import unittest

import Signatures

ARGUMENTS = []

GOOD = ["T poplar::Tensor", "M poplar::Tensor::rank : unsigned int () const", "E poplar::SyncType::GLOBAL",
        "S poplar::concat : poplar::Tensor (const poplar::Tensor &, const poplar::Tensor &, unsigned int)",
        "C poplar::Interval : size_t, size_t", "V poplar::FLOAT", "F poplar::VariableRef::id"]
BAD = ["T poplar::Tenser", "M poplar::Tensor::rank : size_t () const", "E poplar::SyncType::LOCAL",
       "S poplar::concat : poplar::Tensor (int)", "C poplar::Interval : size_t, size_t, size_t", "V poplar::DOUBLE",
       "F poplar::VariableRef::name"]


class SignaturesTest(unittest.TestCase):
    def testFindsExactlyTheBadOnes(self):
        mixed = [line for pair in zip(GOOD, BAD) for line in pair]
        findings = Signatures.check(ARGUMENTS[0], ARGUMENTS[1], mixed)
        self.assertEqual(len(findings), len(BAD), findings)
        for line, finding in zip(BAD, findings):
            self.assertTrue(finding.startswith(line + ": "), finding)


if __name__ == "__main__":
    ARGUMENTS = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
