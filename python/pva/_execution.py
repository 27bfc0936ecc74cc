"""Compute sets and the execution part of a report. Times in tile clock cycles, data in bytes."""

from __future__ import annotations

from typing import Any, List as ListOf, NamedTuple, Optional

from pva._list import Handle, List, checkIndex, listOf
from pva._memory import VertexType
from pva._model import Model
from pva._programs import Program, makeProgram


class Flops(NamedTuple):
    """Extension: floating-point operations of vertices in one execution, as estimates of the program say.

    recorded: False in a profile of format 7 or older, which says nothing; vertices: all of them; estimatedVertices: whose
    operations are known, copies of the runtime among them, with none; operations: of these, the least that all of them do."""

    recorded: bool
    vertices: int
    estimatedVertices: int
    operations: int

    @property
    def complete(self) -> bool:
        return self.recorded and self.vertices == self.estimatedVertices

    @property
    def known(self) -> bool:
        """Something is: all of them, or operations of some."""
        return self.recorded and (self.operations != 0 or self.complete)

    def _plus(self, other: Flops) -> Flops:
        """Of both together; of no vertices nothing is recorded, and they change nothing."""
        if not (self.vertices and other.vertices):
            return self if self.vertices else other
        return Flops(self.recorded and other.recorded, self.vertices + other.vertices,
                     self.estimatedVertices + other.estimatedVertices, self.operations + other.operations)


NO_FLOPS = Flops(False, 0, 0, 0)


def flopsOf(row: Any) -> Flops:
    """Of a row of compute_set_vertices."""
    return Flops(row.flop_vertices is not None, row.instances, row.flop_vertices or 0, row.flops or 0)


class VertexInstances(NamedTuple):
    """Vertices of one type in a compute set; countByTile: instances on each tile; flops: extension, of these vertices."""

    type: VertexType
    countByTile: ListOf[int]
    flops: Flops = NO_FLOPS


class CycleSource(NamedTuple):
    """Extension: where the cycles of vertices of one type came from in a compute set; source from the most direct to the
    least: estimate, estimator, codelet, stand-in, last known, runtime; "" = their cycles are not known. vertices: the most
    in one execution; reason of "" and "last known": why."""

    type: VertexType
    source: str
    vertices: int
    reason: str


class VertexOperand(NamedTuple):
    """Extension: what the vertices of one type in a compute set read and write through one field. field: "from" or "to" of a
    copy, "" = not known; elementType: "float", "" of copies, whose elements are bytes; edges and elements: over all these
    vertices; leastElements and mostElements: of one edge; bytes: of the elements, each counted once."""

    type: VertexType
    field: str
    elementType: str
    read: bool
    written: bool
    edges: int
    elements: int
    leastElements: int
    mostElements: int
    bytes: int


class ComputeSet(Handle):
    __slots__ = ("_model", "_id")
    _shown = ("name",)

    def __init__(self, model: Model, id: int) -> None:
        self._model, self._id = model, id

    @property
    def name(self) -> str:
        return self._model.computeSetNames[self._id]

    @property
    def vertices(self) -> List[VertexInstances]:
        """One entry per vertex type."""
        rows = self._model.computeSetVertices(self._id)
        return listOf([VertexInstances(VertexType(self._model, row.vertex_type), counts, flopsOf(row)) for row, counts in rows])

    @property
    def operands(self) -> List[VertexOperand]:
        """Extension: by vertex type, then field; empty in a profile of format 7 or older."""
        rows = self._model.file.positions("compute_set_operands", "WHERE compute_set = ? ORDER BY position", self._id,
                                          key="position")
        self._model.file.ids((r.vertex_type for r in rows), len(self._model.vertexTypes))
        return listOf([VertexOperand(VertexType(self._model, r.vertex_type), r.field, r.element_type, bool(r.is_read),
                                     bool(r.is_written), r.edges, r.elements, r.least_elements, r.most_elements, r.size_bytes)
                       for r in rows])

    @property
    def flops(self) -> Flops:
        """Extension: of all its vertices, the sum over their types."""
        total = NO_FLOPS
        for row in self._model.flops(self._id):
            total = total._plus(flopsOf(row))
        return total

    @property
    def estimatedCyclesByTile(self) -> ListOf[int]:
        """Cycles by tile; empty if there is no estimate."""
        return self._model.values("computeSetEstimate", self._id)

    @property
    def cycleSources(self) -> List[CycleSource]:
        """Extension: of the recorded runs, by vertex type and source; empty before the first."""
        rows = self._model.file.rows("vertex_cycle_sources", "WHERE compute_set = ? ORDER BY vertex_type, source", self._id)
        self._model.file.ids((r.vertex_type for r in rows), len(self._model.vertexTypes))
        return listOf([CycleSource(VertexType(self._model, r.vertex_type), r.source, r.vertices, r.reason) for r in rows])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ComputeSet):
            return NotImplemented
        return self._id == other._id and self._model is other._model

    def __hash__(self) -> int:
        return hash((ComputeSet, self._id))


class VertexTypeFlops(NamedTuple):
    """Extension: floating-point operations of the vertices of one type in a compute set."""

    computeSet: ComputeSet
    type: VertexType
    flops: Flops


class CycleLimits(NamedTuple):
    """The first and the last tile, in cycles since the start of the run."""

    min: int
    max: int


class CycleRange(NamedTuple):
    """cyclesFrom: first and last tile to enter. cyclesTo: first and last to leave."""

    cyclesFrom: CycleLimits
    cyclesTo: CycleLimits


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


class ExecutionStepIpu(Handle):
    """What a step did on one IPU. Balances are between 0 and 1; 0 where nothing was done."""

    __slots__ = ("_row", "_tiles")
    _shown = ("cycles", "activeTiles", "dataIn", "dataOut")

    def __init__(self, row: Any, tiles: int) -> None:
        self._row, self._tiles = row, tiles

    def _range(self, kind: str) -> CycleRange:
        row, base = self._row, self._row.cycles_base
        edges = ("from_min", "from_max", "to_min", "to_max")
        offsets = [getattr(row, "%s_cycles_%s" % (kind, edge)) for edge in edges]
        at = [0 if base is None or offset is None else base + offset for offset in offsets]
        return CycleRange(CycleLimits(at[0], at[1]), CycleLimits(at[2], at[3]))

    @property
    def cycles(self) -> int:
        """Cycles from the first active tile's start to the last one's end."""
        return self._row.cycles or 0

    @property
    def allCycles(self) -> CycleRange:
        """Of all tiles, waiting included."""
        return self._range("all")

    @property
    def activeCycles(self) -> CycleRange:
        """Of the tiles with work in the step."""
        return self._range("active")

    @property
    def activeTiles(self) -> int:
        """Tiles with work in the step."""
        return self._row.active_tiles

    @property
    def tileBalance(self) -> float:
        """Mean over all tiles of busy cycles / cycles."""
        return _ratio(self.busyCycles, self._tiles * self.cycles)

    @property
    def activeTileBalance(self) -> float:
        """Mean over active tiles of busy cycles / cycles."""
        return _ratio(self.busyCycles, self._row.active_tiles * self.cycles)

    @property
    def dataBalance(self) -> float:
        """Mean over tiles of their data / the largest of a tile."""
        return _ratio(self._row.data_in + self._row.data_out, self._tiles * self._row.max_tile_data)

    @property
    def dataIn(self) -> int:
        """Bytes received."""
        return self._row.data_in

    @property
    def dataOut(self) -> int:
        """Bytes sent."""
        return self._row.data_out

    @property
    def busyCycles(self) -> int:
        """Extension: sum over tiles of cycles in the step's work."""
        return self._row.busy_cycles or 0

    @property
    def cyclesKnown(self) -> bool:
        """Extension: False where the instrumentation of the device did not record the cycles; they say 0."""
        return self._row.cycles is not None

    @property
    def busyCyclesKnown(self) -> bool:
        """Extension: the same of busy cycles, and so of both tile balances."""
        return self._row.busy_cycles is not None

    @property
    def timeKnown(self) -> bool:
        """Extension: the same of the ranges."""
        return self._row.cycles_base is not None

    @property
    def maxTileData(self) -> int:
        """Extension: largest sent + received of a tile, bytes."""
        return self._row.max_tile_data

    @property
    def tiles(self) -> int:
        """Extension: tiles of the IPU."""
        return self._tiles


class ExecutionComputeSet(Handle):
    """A compute set as executed by a step."""

    __slots__ = ("_computeSet", "_cycles")
    _shown = ("name",)

    def __init__(self, computeSet: ComputeSet, cyclesByTile: ListOf[int]) -> None:
        self._computeSet, self._cycles = computeSet, cyclesByTile

    @property
    def name(self) -> str:
        return self._computeSet.name

    @property
    def vertices(self) -> List[VertexInstances]:
        return self._computeSet.vertices

    @property
    def cyclesByTile(self) -> ListOf[int]:
        """Cycles by tile; empty where not known."""
        return list(self._cycles)

    @property
    def estimatedCyclesByTile(self) -> ListOf[int]:
        """Compile-time estimate, cycles by tile; empty if there is none."""
        return self._computeSet.estimatedCyclesByTile


class VertexTypeCycles(NamedTuple):
    """Extension: cycles of one vertex type in a step; known False: the cycles are not known."""

    type: VertexType
    instances: int
    known: bool
    cycles: int


class DealtRun(NamedTuple):
    """Extension: vertices that follow each other in the order of dealing and take as long; threadCycles: of one of them."""

    threadCycles: int
    vertices: int


class DealtVertices(NamedTuple):
    """Extension: worker vertices in the order in which they were dealt to slots, each to the least loaded one. Vertices that
    take no time are left out. patternByTile: a position in patterns plus 1; 0 = none; empty = no tile has one, or a profile of
    format 5 or older."""

    patternByTile: ListOf[int]
    patterns: ListOf[ListOf[DealtRun]]


class WorkerSlots(Handle):
    """Extension: what the worker slots of each tile did in a step with a compute set. On each tile

        cyclesByTile = count * (the most of threadCyclesByTile over slots) + supervisorCyclesByTile
    """

    __slots__ = ("_model", "_slots")
    _shown = ("known", "count")

    def __init__(self, model: Model, id: Optional[int]) -> None:
        self._model, self._slots = model, id

    @property
    def known(self) -> bool:
        """False: there is no compute set, or its slots were not recorded. Then count is 0."""
        return self._slots is not None

    @property
    def _id(self) -> int:
        """The same for steps whose slots did the same; 0 if not known."""
        return self._slots or 0

    @property
    def count(self) -> int:
        """Worker slots of a tile."""
        return self._model.target.worker_contexts if self.known else 0

    def threadCyclesByTile(self, slot: int) -> ListOf[int]:
        """Thread cycles of one slot by tile. IndexError for a slot that a tile has not."""
        checkIndex("worker slot", slot, self.count)
        assert self._slots is not None
        fullest, less = (self._model.slotCycles(self._slots, part) for part in (0, slot + 1))
        cycles = [a - b for a, b in zip(fullest, less)]
        if cycles and min(cycles) < 0:
            self._model.file.corrupt("a worker slot has more cycles than the fullest one")
        return cycles

    @property
    def supervisorCyclesByTile(self) -> ListOf[int]:
        """Tile cycles of supervisor vertices by tile; empty if not known."""
        return [] if self._slots is None else self._model.slotCycles(self._slots, self.count + 1)

    @property
    def dealtVertices(self) -> DealtVertices:
        """Worker vertices where a tile has more of them than slots; elsewhere each slot has one, in order."""
        if self._slots is None:
            return DealtVertices([], [])
        byTile, patterns = self._model.dealtVertices(self._slots)
        return DealtVertices(byTile, [[DealtRun(*run) for run in pattern] for pattern in patterns])


class ExecutionStep(Handle):
    __slots__ = ("_model", "_row")
    _shown = ("program",)

    def __init__(self, model: Model, row: Any) -> None:
        self._model, self._row = model, row

    @property
    def program(self) -> Program:
        return makeProgram(self._model, self._row.program)

    @property
    def ipus(self) -> List[ExecutionStepIpu]:
        """What the step did on each IPU."""
        rows = self._model.file.positions("steps_by_ipu", "WHERE step_id = ? ORDER BY ipu", self._row.id, key="ipu")
        if len(rows) > self._model.target.num_ipus:
            self._model.file.corrupt("a step has more IPUs than the target")
        return List(len(rows), lambda i: ExecutionStepIpu(rows[i], self._model.target.tiles_per_ipu))

    @property
    def computeSets(self) -> List[ExecutionComputeSet]:
        computeSet = self._row.compute_set
        if computeSet is None:
            return listOf([])
        return listOf([ExecutionComputeSet(ComputeSet(self._model, computeSet), self.cyclesByTile)])

    @property
    def cyclesByTile(self) -> ListOf[int]:
        """Cycles by tile, 0 = tile not involved; empty for a Sync and where not known."""
        return self._model.values("stepCycles", self._row.id)

    @property
    def vertexTypes(self) -> List[VertexTypeCycles]:
        """Extension: cycles by vertex type, most first."""
        rows = self._model.file.positions("step_vertex_types", "WHERE step_id = ? ORDER BY position", self._row.id,
                                          key="position")
        self._model.file.ids((r.vertex_type for r in rows), len(self._model.vertexTypes))
        return listOf([VertexTypeCycles(VertexType(self._model, r.vertex_type), r.instances, r.cycles is not None,
                                        r.cycles or 0) for r in rows])

    @property
    def threadCyclesKnown(self) -> bool:
        """Extension."""
        return self._row.thread_cycles is not None

    @property
    def threadCycles(self) -> int:
        """Extension: busy cycles without idle threads, sum over tiles; 0 where not known."""
        return self._row.thread_cycles or 0

    @property
    def workerSlots(self) -> WorkerSlots:
        """Extension: what the worker slots of each tile did."""
        return WorkerSlots(self._model, self._row.slot_cycles)


class Microseconds(NamedTuple):
    """Host clock; equal for the IPU Model."""

    start: float
    end: float


class CycleTotals(NamedTuple):
    """Cycles of a run or of everything recorded. total is elapsed, 0 if nothing was recorded; the others are sums over
    tiles (extensions)."""

    total: int = 0
    compute: int = 0
    computeWithoutIdle: int = 0
    exchange: int = 0
    globalExchange: int = 0
    hostExchange: int = 0
    sharedStructureCopy: int = 0
    sync: int = 0
    unattributed: int = 0
    counterReads: int = 0
    controlFlowReads: int = 0
    computeWithoutIdleKnown: bool = True
    computeKnown: bool = True
    externalExchangeKnown: bool = True

    @property
    def syncKnown(self) -> bool:
        """Sync is what lies between the others: known when they are."""
        return self.computeKnown and self.externalExchangeKnown


def _totalsOf(row: Optional[Any]) -> CycleTotals:
    if row is None:
        return CycleTotals()
    return CycleTotals(row.total_cycles, row.compute or 0, row.thread_cycles or 0, row.exchange, row.global_exchange or 0,
                       row.host_exchange or 0, row.shared_structure_copy, row.sync or 0, row.unattributed,
                       row.counter_reads, row.control_flow_reads, row.thread_cycles is not None, row.compute is not None,
                       row.global_exchange is not None and row.host_exchange is not None)


def _sum(totals: ListOf[CycleTotals]) -> CycleTotals:
    sums = [sum(field) for field in zip(*(t[:-3] for t in totals))] or [0] * (len(CycleTotals._fields) - 3)
    return CycleTotals(*sums, *(all(flags) for flags in zip(*(t[-3:] for t in totals))))  # type: ignore


def _stepList(model: Model, steps: range) -> List[ExecutionStep]:
    return List(steps, lambda id: ExecutionStep(model, model.step(id)))


class ControlFlow(NamedTuple):
    """Extension: the last execution of a loop or conditional in a run. cycles of the tile that records it, from entry to
    exit; taken: iterations of a loop, position of the child of a conditional, None where no child was taken."""

    program: Program
    cycles: int
    taken: Optional[int]


CATEGORIES = ("compute", "exchange", "globalExchange", "host", "sync", "controlFlow")


class MemorySample(NamedTuple):
    """Extension of the simulator: live memory in the middle of a run. position: how many steps with a point of liveness came
    before in the run; cycle: when the step's first active tile starts, since the start of the run; bytes: always-live bytes
    included, over all tiles of one replica."""

    program: Program
    position: int
    cycle: int
    bytes: int


class ProgramExecutions(NamedTuple):
    """Extension of the simulator: every execution of one program in a run, in order. starts: when the first active tile
    starts to work, cycles since the start of the run; cycles: work of the slowest tile."""

    program: Program
    starts: ListOf[int]
    cycles: ListOf[int]


class Run(Handle):
    """One recorded call of Engine.run."""

    __slots__ = ("_model", "_run")
    _shown = ("name", "program", "complete")

    def __init__(self, model: Model, run: int) -> None:
        self._model, self._run = model, run

    def _row(self) -> Any:
        return self._model.execution().runs[self._run]

    @property
    def name(self) -> str:
        """The debug name given to the run."""
        return self._row().name

    @property
    def steps(self) -> List[ExecutionStep]:
        return _stepList(self._model, self._model.execution().stepsOfRun[self._run])

    @property
    def microseconds(self) -> Microseconds:
        """Start and end on the host clock, microseconds."""
        return Microseconds(self._row().start_us, self._row().end_us)

    @property
    def program(self) -> int:
        """Extension: index given to Engine.run."""
        return self._row().program

    @property
    def totalCycles(self) -> CycleTotals:
        """Extension: cycles of this run."""
        return _totalsOf(self._model.execution().totals[self._run])

    @property
    def numberKnown(self) -> bool:
        """Extension: False in profiles of older formats, where number says 0."""
        return self._row().number is not None

    @property
    def number(self) -> int:
        """Extension: how many calls of Engine.run came before."""
        return self._row().number or 0

    @property
    def label(self) -> str:
        """Extension: of the popscope::profile::Scope in which it ran, or empty."""
        return self._row().label

    @property
    def controlFlow(self) -> List[ControlFlow]:
        """Extension: loops and conditionals, by program; empty where the device does not record them."""
        rows = self._model.file.rows("control_flow", "WHERE run = ? ORDER BY program", self._row().id)
        self._model.file.ids((r.program for r in rows), self._model.numPrograms)
        return listOf([ControlFlow(makeProgram(self._model, r.program), r.cycles, r.taken) for r in rows])

    @property
    def executions(self) -> List[ProgramExecutions]:
        """Extension: every execution, by program; empty without popscope.recordEveryExecution."""
        rows = self._model.file.rows("simulator_executions", "WHERE run = ? ORDER BY program, first", self._row().id)
        self._model.file.ids((r.program for r in rows), self._model.numPrograms)
        found: ListOf[ProgramExecutions] = []
        for row in rows:
            if not found or found[-1].program._id != row.program:
                found.append(ProgramExecutions(makeProgram(self._model, row.program), [], []))
            if row.first != len(found[-1].starts):
                self._model.file.corrupt("executions of a program are missing")
            offsets = self._model.file.numberList(row.starts, row.executions)
            found[-1].starts.extend(row.start_base + offset for offset in offsets)
            found[-1].cycles.extend(self._model.file.numberList(row.cycles, row.executions))
        return listOf(found)

    @property
    def memorySamples(self) -> List[MemorySample]:
        """Extension: live memory at every n-th step, in order; empty without popscope.sampleMemory."""
        rows = self._model.file.rows("memory_samples", "WHERE run = ? ORDER BY position", self._row().id)
        self._model.file.ids((r.program for r in rows), self._model.numPrograms)
        if any(a.cycle > b.cycle for a, b in zip(rows, rows[1:])):
            self._model.file.corrupt("samples of memory go back in time")
        return listOf([MemorySample(makeProgram(self._model, r.program), r.position, r.cycle, r.size_bytes) for r in rows])

    @property
    def categories(self) -> ListOf[str]:
        """Extension: of which steps the time is recorded: all of compute, exchange, globalExchange, host, sync and
        controlFlow unless popscope.profileCategories or a popscope::profile::Scope chose some."""
        rows = self._model.file.rows("run_categories", "WHERE run = ?", self._row().id)
        return [name for name in CATEGORIES if not rows or name in rows[0].categories.split(",")]

    @property
    def complete(self) -> bool:
        """Extension: False while it is running or if it was cut short."""
        return bool(self._row().complete)


class Block(NamedTuple):
    """A block of lightweight profiling: exactly one of a Block of the program (isCommon), a phase of a host copy
    (isStreamCopy), the same of a copy that empties the buffer (isBlockFlush), a period in which blocks were lost because the
    buffer was full (isOverflow; program: the first of them). Cycles of the tile's own counter, which goes on from run to run.

    Extensions: isClosed False where the run stopped before the end (cyclesTo is cyclesFrom then); runNumber of the call of
    Engine.run, recorded or not."""

    program: Program
    cyclesFrom: int
    cyclesTo: int
    tile: int
    isCommon: bool
    isOverflow: bool
    isBlockFlush: bool
    isStreamCopy: bool
    isClosed: bool
    runNumber: int


class PausedSpan(NamedTuple):
    """Extension: calls of Engine.run, one after the other, that were not recorded; reason: run count, profileRuns, profileNames, profileSeconds, disabled or
    scope; cyclesKnown False: no time was kept, and cycles says 0."""

    firstRun: int
    runs: int
    reason: str
    cyclesKnown: bool
    cycles: int


_BLOCK_KINDS = ("common", "overflow", "block flush", "stream copy")  # in the order of Block's flags


class ExecutionReport(Handle):
    """The recorded execution. Without one: no runs, no steps, a total of 0."""

    __slots__ = ("_model",)
    _shown = ("runs", "totalCycles")

    def __init__(self, model: Model) -> None:
        self._model = model

    @property
    def steps(self) -> List[ExecutionStep]:
        """The steps of all runs, in order."""
        return _stepList(self._model, self._model.execution().steps)

    @property
    def runs(self) -> List[Run]:
        return List(len(self._model.execution().runs), lambda i: Run(self._model, i))

    @property
    def totalCycles(self) -> CycleTotals:
        """Sum over the recorded runs."""
        totals = self._model.execution().totals
        return _sum([_totalsOf(t) for t in totals])

    def cyclesOfTile(self, tile: int) -> ListOf[int]:
        """Extension: cyclesByTile[tile] of all steps, in order, in one reading; 0 where a step has none. Empty
        for a tile of another replica than the first."""
        if checkIndex("tile", tile, self._model.tiles) >= self._model.stepTiles:
            return []
        steps = self._model.execution().steps
        return self._model.file.tileCycles(tile, self._model.stepTiles, steps.start, steps.stop)

    @property
    def vertexTypes(self) -> List[VertexTypeCycles]:
        """Extension: sums over the steps of all runs, by vertex type."""
        return listOf([VertexTypeCycles(VertexType(self._model, type_), instances, cycles is not None, cycles or 0)
                       for type_, (instances, cycles) in sorted(self._model.runVertexTypes().items())])

    def blocks(self, tile: int) -> List[Block]:
        """Blocks of lightweight profiling on a tile, by their begin, an outer one before those in it; empty for a tile that
        recorded none."""
        checkIndex("tile", tile, self._model.tiles)
        rows = self._model.file.positions("blocks", "WHERE tile = ? ORDER BY position", tile, key="position")
        self._model.file.ids((r.program for r in rows), self._model.numPrograms)
        return listOf([self._block(r) for r in rows])

    def _block(self, row: Any) -> Block:
        if row.kind not in _BLOCK_KINDS:
            self._model.file.corrupt("it has a block of kind %r" % row.kind)
        closed = row.to_cycles is not None
        if closed and row.to_cycles < row.from_cycles:
            self._model.file.corrupt("a block ends before it begins")
        return Block(makeProgram(self._model, row.program), row.from_cycles, row.to_cycles if closed else row.from_cycles, row.tile,
                     *(row.kind == kind for kind in _BLOCK_KINDS), closed, row.run_number)

    @property
    def pausedSpans(self) -> List[PausedSpan]:
        """Extension: which runs were left out, by number."""
        rows = self._model.file.rows("paused_spans", "ORDER BY first_run")
        return listOf([PausedSpan(r.first_run, r.runs, r.reason, r.cycles is not None, r.cycles or 0) for r in rows])
