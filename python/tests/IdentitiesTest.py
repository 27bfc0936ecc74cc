"""Equations and inequalities that hold between the figures of every profile."""

import unittest

from Profiles import PROFILES, openProfile


def total(variables):
    return sum(v.size for v in variables)


class Identities(unittest.TestCase):
    def forEach(self):
        for name in PROFILES:
            report = openProfile(name)
            yield report, report.compilation

    def testSizesOfTheTarget(self):
        for _, c in self.forEach():
            t = c.target
            self.assertEqual(t.bytesPerIPU, t.bytesPerTile * t.tilesPerIpu)
            self.assertEqual(t.totalMemory, t.bytesPerIPU * t.numIPUs)
            self.assertEqual(len(c.tiles), t.numTiles)
            self.assertEqual(len(c.ipus), t.numIPUs)
            byIpu = [tile.memory.total for ipu in c.ipus for tile in ipu.tiles]
            self.assertEqual(byIpu, [tile.memory.total for tile in c.tiles])
            self.assertEqual(c.graph.numComputeSets, len(c.computeSets))
            self.assertEqual(c.graph.numVertices, sum(v.instances for v in c.vertexTypes))

    def testLiveBytesOfATileAreThoseOfItsVariables(self):
        for _, c in self.forEach():
            used = [tile.memory.total.excludingGaps for tile in c.tiles]
            for t in {0, used.index(max(used)), len(used) - 1}:
                m = c.tiles[t].memory
                always = total(c.alwaysLiveVariablesForTile(t))
                self.assertEqual(always, m.alwaysLiveBytes)
                live = [step.notAlwaysLiveMemoryForTile(t) for step in c.livenessProgramSteps]
                self.assertEqual([total(l.variables) for l in live], [l.bytes for l in live])
                self.assertEqual(max((l.bytes for l in live), default=0), m.notAlwaysLiveBytes)

    def testLiveBytesOfAStepAreThoseOfItsVariablesAndIpus(self):
        for report, c in self.forEach():
            for step in c.livenessProgramSteps:
                m = step.notAlwaysLiveMemory
                self.assertEqual(total(m.variables), m.bytes)
                byIpu = [step.notAlwaysLiveMemoryForIpu(i) for i in range(len(c.ipus))]
                self.assertEqual(sum(i.bytes for i in byIpu), m.bytes)
                for i in byIpu:
                    self.assertEqual(total(i.variables), i.bytes)
            always = total(c.alwaysLiveVariables)
            self.assertEqual(always, report.popscope.alwaysLiveBytes)
            peak = max(s.notAlwaysLiveMemory.bytes for s in c.livenessProgramSteps)
            self.assertEqual(always + peak, report.popscope.maxLiveBytes)

    def testLoweredVariablesHaveTheSizeAndTimesOfTheirVariables(self):
        for _, c in self.forEach():
            lowered = c.loweredVariables
            self.assertTrue(lowered.allBriefVars)
            seen = 0
            for tile in range(0, len(c.tiles), max(1, len(c.tiles) // 8)):
                ids = {v._id for v in lowered.forTile(tile)}
                brief = [v for v in lowered.allBriefVars if v.tileId == tile]
                self.assertEqual({v.id for v in brief}, ids)
                for k in range(0, len(c.livenessProgramSteps), 7):
                    sizes = {v: v.size for v in c.livenessProgramSteps[k].notAlwaysLiveMemoryForTile(tile).variables}
                    parts = {}
                    for v in lowered.forTile(tile):
                        occupied = any(i.start <= k < i.end for i in v.equivalenceClass.steps)
                        if v.hasUnloweredVar and v.unloweredVar in sizes:
                            self.assertTrue(occupied, v.name)
                            parts[v.unloweredVar] = parts.get(v.unloweredVar, 0) + v.bytes
                    self.assertEqual(parts, sizes)
                    seen += len(parts)
            self.assertGreater(seen, 0)

    def testVarsOfAProgramAreTheLoweredVariablesLiveThere(self):
        for _, c in self.forEach():
            steps = c.livenessProgramSteps
            always = {v._id for t in range(len(c.tiles)) for v in c.loweredVariables.forTile(t) if v.alwaysLive}
            for k in range(0, len(steps), max(1, len(steps) // 6)):
                expected = {v.id for v in c.loweredVariables.allBriefVars if v.equivalenceClass.id >= 0 and
                            any(i.start <= k < i.end for i in v.equivalenceClass.steps)}
                self.assertTrue({v._id for v in steps[k].program.vars} == expected - always, "step %d" % k)

    def testCodeAndVertexStateFitTheirCategories(self):
        self.sharing = 0
        self.codeFits()
        self.assertGreater(self.sharing, 0)  # otherwise no profile tests shared code

    def codeFits(self):
        for report, c in self.forEach():
            control, exchange = ([0] * len(c.tiles) for _ in range(2))
            for p in c.programs:
                if not p.children:
                    control = [a + b for a, b in zip(control, p.controlCodeByTile)]
            shared = 0
            for p in c.programs:  # if several programs execute the same exchange code, it belongs to the first of them
                if p.type.name == "DoExchange":
                    exchange = [a + b for a, b in zip(exchange, p.codeBytesByTile)]
                    if p.codeSharedWith is not None:
                        shared += 1
                        self.assertLess(p.codeSharedWith._id, p._id)
                        self.assertEqual(sum(p.codeBytesByTile), 0)
                        self.assertEqual(p.estimatedCyclesByTile, p.codeSharedWith.estimatedCyclesByTile)
            self.assertGreater(sum(exchange), 0)
            self.sharing += shared
            if not report.popscope.codeIncluded:  # the sizes of code are known, but code takes no memory
                continue
            for t, tile in enumerate(c.tiles):
                category = tile.memory.category
                self.assertLessEqual(control[t], category.controlCode.total)
                self.assertEqual(exchange[t], category.internalExchangeCode.total)
                self.assertLessEqual(sum(v.codeBytes for v in tile.memory.vertices), category.vertexCode.total)
                self.assertEqual(sum(c_.total - c_.overflowed.overlapped - c_.interleaved.overlapped -
                                     c_.nonInterleaved.overlapped for _, c_ in category) +
                                 tile.memory.afterOverlappingBytes, tile.memory.total.excludingGaps)
                self.assertEqual(sum(tile.memory.occupiedByCategory), tile.memory.total.excludingGaps)
                self.assertGreaterEqual(tile.memory.total.includingGaps, tile.memory.total.excludingGaps)

    def testStateOfInstancesFitsTheTile(self):
        for _, c in self.forEach():
            state = [0] * len(c.tiles)
            for computeSet in {p.computeset for p in c.programs if p.type.name == "OnTileExecute"}:
                for v in computeSet.vertices:
                    state = [s + n * v.type.size for s, n in zip(state, v.countByTile)]
            self.assertGreater(sum(state), 0)
            for s, tile in zip(state, c.tiles):
                category = tile.memory.category
                self.assertLessEqual(s, category.vertexInstanceState.total + category.vectorListDescriptor.total)

    def testStepsOfRunsAreTheSteps(self):
        for report, c in self.forEach():
            e = report.execution
            self.assertGreater(e.totalCycles.total, 0)
            self.assertEqual(sum(r.totalCycles.total for r in e.runs), e.totalCycles.total)
            self.assertEqual([s.program for r in e.runs for s in r.steps], [s.program for s in e.steps])
            for run in e.runs:
                self.assertGreaterEqual(run.microseconds.end, run.microseconds.start)
            for step in e.steps[::5]:
                self.assertEqual(len(step.ipus), c.target.numIPUs)
                cycles = step.cyclesByTile
                for i, ipu in enumerate(step.ipus):
                    self.assertTrue(0 <= ipu.tileBalance <= ipu.activeTileBalance <= 1)
                    self.assertLessEqual(ipu.allCycles.cyclesFrom.min, ipu.activeCycles.cyclesFrom.min or 2**63)
                    self.assertLessEqual(ipu.activeCycles.cyclesFrom.max, ipu.activeCycles.cyclesTo.max)
                    self.assertGreaterEqual(min(ipu.dataIn, ipu.dataOut), 0)
                    if cycles:
                        own = cycles[i * ipu.tiles:(i + 1) * ipu.tiles]
                        self.assertEqual(sum(own), ipu.busyCycles)


if __name__ == "__main__":
    unittest.main()
