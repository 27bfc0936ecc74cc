"""Explained liveness, on the profile of examples/liveness (with autoReport.outputLivenessExplanation) and on a profile without it."""

import unittest

import pva

from Profiles import openProfile


class Advice(unittest.TestCase):
    def setUp(self):
        self.advice = openProfile("liveness").popscope.livenessAdvice

    def explained(self, name):
        return [e for e in self.advice.explanations if e.variable.name == name]

    def testProfileWithoutIt(self):
        advice = openProfile("control_flow").popscope.livenessAdvice
        self.assertFalse(advice.present)
        self.assertEqual((advice.explanations, advice.falseLive, advice.placements), ([], [], []))

    def testTrialsBeginWithTheProgramAsItIs(self):
        self.assertEqual(openProfile("control_flow").popscope.adviceTrials, [])
        report = openProfile("liveness")
        trials = report.popscope.adviceTrials
        self.assertIn(len(trials), range(2, 6))
        self.assertEqual((trials[0].purpose, trials[0].changes, trials[0].numChanges), ("unchanged", "[]", 0))
        self.assertEqual(trials[0].allTilesBytes, sum(tile.memory.total.excludingGaps for tile in report.compilation.tiles))
        self.assertEqual({trial.purpose for trial in trials[1:]} - {"alone", "together"}, set())

    def testPartialWriteFailsToKill(self):
        first, last = self.explained("partial")
        self.assertEqual((first.born.name, first.failedKill.name, first.read.name),
                         ("partial/write both", "partial/write first", "partial/read"))
        self.assertEqual((first.missed, first.missedElements), ([(1, 2)], 1))  # failedKill wrote only the first of two elements
        self.assertEqual(first.endProgram, last.firstProgram)
        self.assertIsNone(last.failedKill)
        self.assertEqual(first.born._id, first.firstProgram)

    def testEachOfTwoSeparateWritesFails(self):
        found = self.explained("separate")
        self.assertEqual([e.missed for e in found], [[(1, 2)], [(0, 1)], []])

    def testWriteUndefIsABirth(self):
        self.assertEqual({type(e.born) for e in self.explained("undefined")}, {pva.WriteUndefProgram})

    def testIntervalsLieInOrderAndWithinTheProgram(self):
        for e in self.advice.explanations + self.advice.falseLive:
            self.assertLess(e.firstProgram, e.endProgram)
        self.assertTrue(all(0 < f.bytesOnWorstTile <= f.bytes <= f.variable.size for f in self.advice.falseLive))

    def accessesOf(self, name):
        report = openProfile("liveness")
        (variable,) = [v for v in report.compilation.variables if v.name == name]
        return report.popscope.variableAccesses(variable)

    def testEveryAccessOfAVariable(self):
        self.assertTrue(openProfile("liveness").popscope.hasVariableAccesses)
        self.assertFalse(openProfile("control_flow").popscope.hasVariableAccesses)
        accesses = self.accessesOf("partial")
        self.assertEqual([(a.program.name.rpartition("/")[2], a.read, a.written, a.elements) for a in accesses],
                         [("write both", 0, 2, 2), ("write first", 0, 1, 2), ("read", 2, 0, 2)])
        self.assertEqual([a.undefined for a in self.accessesOf("undefined") if a.undefined], [2])

    def testAccessesAgreeWithExplanations(self):
        found = {}
        for e in self.advice.explanations:
            accesses = found.setdefault(e.variable.name, {a.program._id: a for a in self.accessesOf(e.variable.name)})
            self.assertGreater(accesses[e.read._id].read, 0)
            if e.failedKill:
                part = accesses[e.failedKill._id]
                self.assertEqual(part.elements - part.written, e.missedElements)

    def testTotals(self):
        self.assertTrue(self.advice.present)
        self.assertLessEqual(self.advice.falseLiveAtPeak, self.advice.worstPeak)
        self.assertLessEqual(self.advice.worstPeakAfterAll, self.advice.worstPeak)
        self.assertLessEqual(self.advice.tried, self.advice.candidates)


if __name__ == "__main__":
    unittest.main()
