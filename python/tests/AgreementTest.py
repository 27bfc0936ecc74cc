"""The Python package and libpva read the same values: both print the lines of tests/package/python/PvaDump.cpp."""

import os
import subprocess
import unittest

import pva

from Profiles import OPERATIONS, PROFILES, debugInfoOf, pathOf

DUMP = os.environ.get("POPSCOPE_PVA_DUMP")
AGREEING = PROFILES + OPERATIONS


def checksum(numbers):
    size = value = 0
    for number in numbers:
        value = (value * 1099511628211 + number) % 2**64
        size += 1
    return "%d:%d" % (size, value)


def sizes(variables):
    return checksum(n for v in variables for n in (v._id, v.size))


def line(what, numbers):
    return " ".join([what] + [str(int(n)) for n in numbers])


def real(value):
    return "%.17g" % value


def targetLines(report):
    t, g, v = report.compilation.target, report.compilation.graph, report.version
    p = report.poplarVersion
    yield "%s %s %s %s" % (p.string, p.packageHash, t.architectureName, real(t.clockFrequency))
    yield line("version", [v.major, v.minor, v.point, p.major])
    yield line("target", [t.type.value, t.architecture.value, t.numIPUs, t.tilesPerIpu, t.numTiles, t.numReplicas,
                          t.ipusPerReplica, t.tilesPerReplica, t.memoryPerReplica, t.bytesPerTile, t.bytesPerIPU,
                          t.totalMemory, t.workerContexts, t.interleavedOffset])
    yield line("graph", [g.numComputeSets, g.numVertices, g.numEdges, g.numVars, g.numVariables])
    settings = report.instrumentationSettings
    yield line("settings", [settings.compute.value, settings.externalExchange.value, v.isUnstableFormat, p.minor, p.point])
    for ipu in report.compilation.ipus:
        yield "ipu " + checksum(tile.memory.total.includingGaps for tile in ipu.tiles)
    for d in t.syncDelays:
        yield "%s %d %s %s" % (d.kind, d.acrossIpus, checksum(d.toControllerByTile), checksum(d.fromControllerByTile))
    yield "sync %d %s" % (t.minSyncDelay, checksum(t.relativeSyncDelayByTile))
    for c in report.compilation.machineCosts:
        yield "%s %s %s" % (c.key, real(c.value), c.unit)
    yield "machine " + t.machine
    for f in report.compilation.flops:
        yield "flops %d %d %d%d%d %d %d %d %d %d" % (f.computeSet._id, f.type._id, f.flops.recorded, f.flops.known, f.flops.complete,
                                                     f.flops.vertices, f.flops.estimatedVertices, f.flops.operations,
                                                     f.flops.countedVertices, f.flops.countedOperations)
    for i, set_ in enumerate(report.compilation.computeSets):
        for o in set_.operands:
            yield "operand %d %d %s %s %d%d %d %d %d %d %d" % (i, o.type._id, o.field, o.elementType, o.read, o.written, o.edges, o.elements,
                                                               o.leastElements, o.mostElements, o.bytes)
    for s in report.compilation.messageSizes:
        yield "sizes %d %s %s" % (s.buses, checksum(s.bytes), checksum(s.messages))
    for o in report.compilation.optimizations:
        yield "%s %s %d %d" % o
    for o in report.compilation.engineOptions + report.compilation.targetOptions:
        yield "%s %s=%s%s" % (o.scope, o.key, o.value, " default" if o.isDefault else "")


def tileLine(compilation, tile):
    m = compilation.tiles[tile].memory
    numbers = [n for size in (m.total, m.nonInterleaved, m.interleaved, m.overflowed) for n in size]
    for i in range(len(pva.storageCategoryNames())):
        numbers += [n for region in m.category.byIndex(i) for n in (region.nonOverlapped, region.overlapped)]
    c = m.category
    numbers += [of.total for of in (c.constant, c.controlCode, c.copyDescriptor, c.globalExchangeCode, c.hostExchangeCode,
                                    c.internalExchangeCode, c.vectorListDescriptor, c.vertexCode, c.vertexFieldData,
                                    c.vertexInstanceState)]
    for v in m.vertices:
        numbers += [v.type._id, v.count, v.codeBytes, v.vertexDataBytes, v.edgePtrBytes, v.copyPtrBytes, v.paddingBytes,
                    v.descriptorBytes]
    numbers += m.occupiedByCategory
    return "%s %s %s %s" % (
        line("tile", [tile, m.total.excludingGaps, m.alwaysLiveBytes, m.notAlwaysLiveBytes, m.afterOverlappingBytes,
                      m.lowerBoundOverlappedBytes]),
        checksum(numbers), sizes(compilation.alwaysLiveVariablesForTile(tile)),
        checksum(v._id for v in compilation.loweredVariables.forTile(tile)))


class ExchangeLines(pva.ProgramVisitor):
    def show(self, p):
        self.text = "  " + " ".join(map(checksum, (p.codeBytesByTile, p.estimatedCyclesByTile, p.bytesSentByTile,
                                                    p.bytesReceivedByTile, p.messagesReceivedByTile,
                                                    p.receiveLatencyByTile, p.receiveTransferByTile,
                                                    p.receiveControlsByTile, p.counterStoresByTile,
                                                    p.receiveDistanceByTile, p.messageSizesByTile)))
        for link in p.linkTransfers:
            self.text += " %d-%d %d %s" % (link.fromIpu, link.toIpu, link.bytes, checksum(link.tiles))
        traffic = p.traffic
        self.text += " from %d %s %s %s" % (traffic.tilesPerGroup, checksum(traffic.fromGroups), checksum(traffic.toGroups),
                                            checksum(traffic.bytes))
        self.text += " -" if p.codeSharedWith is None else " %d" % p.codeSharedWith._id
    visitDoExchange = visitGlobalExchange = visitStreamCopyBegin = visitStreamCopyMid = visitStreamCopyEnd = show

    def visitRepeat(self, p):
        self.text = line("  count", [p.count])

    def visitOnTileExecute(self, p):
        self.text = line("  computeset", [p.computeset._id])


def programLines(compilation):
    for p in compilation.programs:
        yield "program %d %s %s %s %s %s" % (p._id, p.type.name, p.name, checksum(c._id for c in p.children),
                                             checksum(v._id for v in p.vars), checksum(p.controlCodeByTile))
        yield " ".join(["  context", str(p.debugContextId), p.debugContext.name, checksum(p.counterCyclesByTile)]
                       + ["+%d" % id for id in p.moreDebugContextIds] + ["+" + more.name for more in p.moreDebugContexts]
                       + p.barriers)
        visitor = ExchangeLines()
        p.accept(visitor)
        if hasattr(visitor, "text"):
            yield visitor.text
    for p in compilation.controlPrograms + compilation.functionPrograms:
        yield line("root", [p._id])
    for cs in compilation.computeSets:
        yield "computeset %s %s" % (cs.name, checksum(cs.estimatedCyclesByTile))
        for v in cs.vertices:
            yield "  %s %d %d %d %s %s" % (v.type.name, v.type.size, v.type.instances, v.type.memoryBytes,
                                           v.type.cycleProvenance, checksum(v.countByTile))
        for s in cs.cycleSources:
            yield "  source %s %s %d %s" % (s.type.name, s.source, s.vertices, s.reason)


def spansText(spans):
    return "".join(" %d-%d" % (s.start, s.end) for s in spans)


def livenessLines(compilation, tile):
    for v in compilation.vertexTypes:
        yield "type %d %s %d" % (v._id, v.name, v.size)
    for v in compilation.variables:
        yield "variable %d %d %d %s %s %d%s" % (v._id, v.size, v.alwaysLive, checksum(v.bytesByTile), checksum(v.tiles), v.bytesOn(0), spansText(v.liveSteps)) + " on tile" + spansText(v.liveStepsOn(tile)) + "".join(
            " part %d %d %d%s" % (p.bytes, p.isWhole, len(p.tiles), spansText(p.liveSteps)) for p in v.parts)
    for v in compilation.alwaysLiveVariables:
        yield "always live %d %s %d %s" % (v._id, v.name, v.size, v.category)
    for step in compilation.livenessProgramSteps:
        text = line("step", [step.program._id])
        for m in (step.notAlwaysLiveMemory, step.notAlwaysLiveMemoryForIpu(0), step.notAlwaysLiveMemoryForTile(tile)):
            text += " %d %s" % (m.bytes, sizes(m.variables))
        yield text
    brief = []
    for v in compilation.loweredVariables.allBriefVars:
        brief += [v.id, v.bytes, v.tileId]
        brief += [n for interval in v.equivalenceClass.steps for n in interval]
    yield "brief " + checksum(brief)
    for v in compilation.loweredVariables.forTile(tile):
        yield "lowered %s %d %d %d %s %d%d%d%d %s" % (
            v.name, v.bytes, v.offset, v.alignment, v.category, v.alwaysLive, v.isConstant, v.overlapped,
            v.inInterleavedMem, v.unloweredVar.name if v.hasUnloweredVar else "-")


def stepLines(step):
    yield "%s %s" % (line("executed", [step.program._id, step.threadCyclesKnown, step.threadCycles]),
                     checksum(step.cyclesByTile))
    for cs in step.computeSets:
        yield "  %s %s %s %d" % (cs.name, checksum(cs.cyclesByTile), checksum(cs.estimatedCyclesByTile), len(cs.vertices))
    slots = step.workerSlots
    yield line("  slots", [slots.known, slots.count]) + "".join(
        " " + checksum(c) for c in [slots.threadCyclesByTile(s) for s in range(slots.count)] + [slots.supervisorCyclesByTile])
    yield "  dealt " + checksum(slots.dealtVertices.patternByTile) + "".join(
        " %dx%d" % (run.vertices, run.threadCycles) for pattern in slots.dealtVertices.patterns for run in pattern)
    for i in step.ipus:
        ranges = [n for r in (i.allCycles, i.activeCycles)
                  for n in (r.cyclesFrom.min, r.cyclesFrom.max, r.cyclesTo.min, r.cyclesTo.max)]
        yield "%s %s %s %s %s" % (
            line("  ipu", [i.cycles, i.activeTiles, i.busyCycles, i.dataIn, i.dataOut, i.maxTileData]),
            real(i.tileBalance), real(i.activeTileBalance), real(i.dataBalance), checksum(ranges))
    for v in step.vertexTypes:
        yield "  %s %d %d %d" % (v.type.name, v.instances, v.known, v.cycles)


def totalsLine(t):
    return line("totals", [t.total, t.totalKnown, t.compute, t.computeWithoutIdle, t.computeWithoutIdleKnown, t.exchange,
                           t.globalExchange, t.hostExchange, t.sharedStructureCopy, t.sync, t.unattributed, t.counterReads, t.controlFlowReads])


def typeLines(what, types):
    for v in types:
        yield "%s %s %d %d %d" % (what, v.type.name, v.instances, v.known, v.cycles)


def executionLines(execution):
    yield from typeLines("all", execution.vertexTypes)
    yield from typeLines("last", execution.lastVertexTypes)
    for v in execution.vertices:
        yield "vertex %s %s %d %s %d %d" % (v.computeSet.name, v.type.name, v.tile, v.operands, v.known, v.cycles)
    for run in execution.runs:
        yield "run %s %d %d %d %s %s" % (run.name, run.program, run.complete, len(run.steps),
                                         real(run.microseconds.start), real(run.microseconds.end))
        yield totalsLine(run.totalCycles)
        yield from typeLines("last of run", run.lastVertexTypes)
        for c in run.controlFlow:
            yield line("control", [c.program._id, c.cycles, c.taken is not None, c.taken or 0])
        for e in run.executions:
            yield "every %d %s %s" % (e.program._id, checksum(e.starts), checksum(e.cycles))
    yield totalsLine(execution.totalCycles)
    for b in execution.blocks(0):
        yield "block %s %s" % (b.program.name, line("of", [b.tile, b.cyclesFrom, b.cyclesTo, b.isCommon, b.isOverflow,
                                                            b.isBlockFlush, b.isStreamCopy]))
    for step in execution.steps:
        yield from stepLines(step)


def contextLine(context):
    place = context.location
    return "  %d %s %s %d %s %d %d" % (context.id, context.name, context.layer, place.lineNumber, place.functionName,
                                       len(place.fileName), len(context.json.encode()))


def operationLines(report):
    for o in pva.OperationAnalysis(report).operations:
        yield "operation %s %s %s %d %d %d" % (o.name, checksum(p._id for p in o.programs()), checksum(v._id for v in o.vars),
                                               o.firstStepIndex, o.lastStepIndex, len(o.replacedDebugContext))
        yield contextLine(o.debugContext)
        for parent in o.debugContext.parents:
            yield contextLine(parent)


def dump(report):
    compilation = report.compilation
    used = [tile.memory.total.excludingGaps for tile in compilation.tiles]
    yield from targetLines(report)
    for tile in range(len(used)):
        yield tileLine(compilation, tile)
    yield from programLines(compilation)
    yield from livenessLines(compilation, used.index(max(used)))
    yield from executionLines(report.execution)
    yield from operationLines(report)
    own = report.popscope
    yield line("popscope", [own.codeIncluded, own.complete, own.alwaysLiveBytes, own.maxLiveBytes])
    yield "out of memory " + checksum(own.tilesOutOfMemory)
    for variable in compilation.variables:
        for a in own.variableAccesses(variable):
            yield line("access", [variable._id, a.program._id, a.elements, a.read, a.written, a.undefined])


@unittest.skipUnless(DUMP, "POPSCOPE_PVA_DUMP names no program")
class Agreement(unittest.TestCase):
    def testPythonReadsWhatLibpvaReads(self):
        for name in AGREEING:
            with self.subTest(name):
                paths = [pathOf(name)] + ([debugInfoOf(name)] if name in OPERATIONS else [])
                theirs = subprocess.run([DUMP] + paths, check=True, stdout=subprocess.PIPE).stdout
                theirs = theirs.decode("utf-8").split("\n")[:-1]
                ours = list(dump(pva.openReport(*paths)))
                self.assertGreater(len(ours), 50)
                for number, (a, b) in enumerate(zip(ours, theirs)):
                    self.assertEqual(a, b, "line %d" % number)
                self.assertEqual(len(ours), len(theirs))


if __name__ == "__main__":
    unittest.main()
