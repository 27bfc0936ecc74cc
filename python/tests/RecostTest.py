"""The cycles of every step follow from the recorded worker slots, messages and barriers and from the machine's costs."""

import unittest

from Profiles import PROFILES, openProfile

EXCHANGES = ("DoExchange", "GlobalExchange", "StreamCopyMid")


def computeCycles(step):
    slots = step.workerSlots
    byslot = [slots.threadCyclesByTile(s) for s in range(slots.count)]
    return [slots.count * max(load) + own for load, own in zip(zip(*byslot), slots.supervisorCyclesByTile)]


def exchangeCycles(program, costs):
    """Returns the cycles of an exchange on each tile, computed from bytes and messages."""
    width, control = costs["exchange.bytesPerCycle"], costs["exchange.controlCycles"]
    return [int(max(-(-sent // width), latency + max(transfer, controls * control))) for sent, latency, transfer, controls in
            zip(program.bytesSentByTile, program.receiveLatencyByTile, program.receiveTransferByTile,
                program.receiveControlsByTile)]


class Machine:
    """The clock of each tile, in cycles since the start of the run."""

    def __init__(self, report):
        target = report.compilation.target
        self.perIpu = target.tilesPerIpu
        self.clock = [0] * target.tilesPerReplica
        self.delays = {d.kind: d for d in target.syncDelays}

    def groups(self, across):
        width = len(self.clock) if across else self.perIpu
        return [range(first, first + width) for first in range(0, len(self.clock), width)]

    def barrier(self, kind):
        delay = self.delays[kind]
        to, back = delay.toControllerByTile, delay.fromControllerByTile
        for tiles in self.groups(delay.acrossIpus):
            last = max(self.clock[t] + to[t] for t in tiles)
            for t in tiles:
                self.clock[t] = last + back[t]

    def exchange(self, busy, across):
        """Advances the clocks by an exchange, and returns when each tile starts.

        All tiles that take part start together, when the last of them arrives, and end together.
        """
        start = list(self.clock)
        for tiles in self.groups(across):
            taking = [t for t in tiles if busy[t]]
            begin = max((self.clock[t] for t in taking), default=0)
            for t in taking:
                start[t], self.clock[t] = begin, begin + max(busy[u] for u in taking)
        return start


class Recost(unittest.TestCase):
    def recost(self, report, run, costs):
        machine = Machine(report)
        kinds = set()
        for step in run.steps:
            program, entered = step.program, list(machine.clock)
            type_ = program.type.name
            busy, start = [0] * len(entered), entered
            kinds.add(type_)
            if program.barriers:
                for kind in program.barriers:
                    machine.barrier(kind)
                start = list(machine.clock)
            elif type_ in EXCHANGES:
                busy = program.estimatedCyclesByTile[:len(entered)]
                if type_ == "DoExchange":
                    self.assertEqual(exchangeCycles(program, costs)[:len(entered)], busy)
                start = machine.exchange(busy, type_ == "GlobalExchange")
            else:
                self.assertEqual(type_, "OnTileExecute")
                self.assertTrue(step.workerSlots.known)
                busy = computeCycles(step)
                machine.clock = [a + b for a, b in zip(entered, busy)]
            machine.clock = [a + b for a, b in zip(machine.clock, program.counterCyclesByTile)]
            if not program.barriers:
                self.assertEqual(step.cyclesByTile, busy)
            self.same(step, entered, start, busy, machine)
        self.assertEqual(max(machine.clock), run.totalCycles.total)
        return kinds

    def same(self, step, entered, start, busy, machine):
        for ipu, tiles in zip(step.ipus, machine.groups(False)):
            active = [t for t in tiles if busy[t]]
            self.assertEqual(tuple(ipu.allCycles.cyclesFrom), (min(entered[t] for t in tiles), max(entered[t] for t in tiles)))
            self.assertEqual(tuple(ipu.allCycles.cyclesTo),
                             (min(machine.clock[t] for t in tiles), max(machine.clock[t] for t in tiles)))
            self.assertEqual(ipu.activeTiles, len(active))
            if active:
                self.assertEqual(ipu.cycles, max(start[t] + busy[t] for t in active) - min(start[t] for t in active))

    def testEveryStepFollowsFromTheTables(self):
        kinds = set()
        for name in PROFILES:
            report = openProfile(name)
            costs = {c.key: c.value for c in report.compilation.machineCosts}
            for run in report.execution.runs:
                with self.subTest("%s, run %s" % (name, run.name)):
                    kinds |= self.recost(report, run, costs)
        self.assertTrue({"OnTileExecute", "DoExchange", "StreamCopyMid", "Sync", "StreamCopyBegin"} <= kinds, kinds)

    def testAnotherMachineTakesAnotherTime(self):
        report = openProfile("mlp")
        costs = {c.key: c.value for c in report.compilation.machineCosts}
        with self.assertRaises(AssertionError):
            self.recost(report, report.execution.runs[0], dict(costs, **{"exchange.bytesPerCycle": 2}))

    def testSlotsHoldTheThreadCyclesOfTheStep(self):
        for name in PROFILES:
            report = openProfile(name)
            seen = 0
            for step in report.execution.steps:
                slots = step.workerSlots
                if not slots.known or not step.threadCyclesKnown:
                    continue
                work = sum(sum(slots.threadCyclesByTile(s)) for s in range(slots.count)) + sum(slots.supervisorCyclesByTile)
                self.assertEqual(work, step.threadCycles)
                seen += 1
            self.assertGreater(seen, 0)


if __name__ == "__main__":
    unittest.main()
