"""The plain records of package pva: named tuples, enumerations, and a list that creates its elements on access.

The compiled module pva._native makes the records, and properties of its objects return the records."""

from __future__ import annotations

import enum
import operator
import os
import sys
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, List as ListOf, NamedTuple, Optional, Sequence, Tuple, TypeVar, Union, overload

if TYPE_CHECKING:
    from pva.pva_core import ComputeSet, Program, Variable, VertexType

T = TypeVar("T")
_printLength = 10


def outside() -> int:
    """Returns the stacklevel for warnings.warn of the nearest caller outside the packages pva and popscope."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] in ("pva", "popscope"):
        level, frame = level + 1, frame.f_back
    return level


def names(what: str, values: Any) -> ListOf[str]:
    """Returns `values` as a list of names; `what` names the list in messages.

    Raises TypeError for a single text, because its letters would count as names, and for values that are no texts.
    """
    if isinstance(values, (str, bytes)):
        raise TypeError("%s is a list of names, not the text %r: give [%r]" % (what, values, values))
    found = list(values) if isinstance(values, Iterable) else [None]
    if not all(isinstance(name, str) for name in found):
        raise TypeError("%s is a list of names, not %.100r" % (what, values))
    return found


def path(what: str, value: Any) -> str:
    """Returns a path as str; `what` names the path in messages. Raises TypeError if `value` is no path."""
    if not isinstance(value, (str, bytes, os.PathLike)):
        raise TypeError("%s is a str, bytes or os.PathLike, not %.100r" % (what, value))
    return os.fsdecode(value)


def setListPrintLength(newLength: int) -> None:
    global _printLength
    length = operator.index(newLength)
    if length < 0:
        raise ValueError("listPrintLength: the length must be 0 or more, not %d" % length)
    _printLength = length


class List(Sequence[T]):
    """A read-only sequence that creates its elements on access. A slice is a List, too; list(x) returns an ordinary list."""

    __slots__ = ("_range", "_make")

    def __init__(self, size: Union[int, range], make: Callable[[int], T]) -> None:
        self._range = size if isinstance(size, range) else range(size)
        self._make = make

    def __len__(self) -> int:
        return len(self._range)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> "List[T]": ...

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return List(self._range[index], self._make)
        try:
            return self._make(self._range[index])
        except IndexError:
            if not -len(self) <= index < len(self):
                raise IndexError("list index %s out of range: it has %d elements" % (index, len(self))) from None
            raise

    def __iter__(self) -> Iterator[T]:
        return map(self._make, self._range)

    def __add__(self, other: Any) -> ListOf[Any]:
        return list(self) + list(other)

    def __radd__(self, other: Any) -> ListOf[Any]:
        return list(other) + list(self)

    def __eq__(self, other: Any) -> bool:
        if not isinstance(other, (List, list, tuple)):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shown = [repr(self[i]) for i in range(min(len(self), _printLength))]
        if len(self) > len(shown):
            shown.append("... %d in all" % len(self))
        return "[%s]" % ", ".join(shown)


class ProfileError(RuntimeError):
    """The error for a file that is not a profile or is damaged. The message is one line that names the path."""


class IncompleteProfileWarning(UserWarning):
    """The warning for an incomplete profile, whose figures cover only the recorded part of the program."""


class _Numbered(enum.Enum):
    """An enumeration whose values convert to int, as the enumerations of pybind11 do."""

    def __int__(self) -> int:
        return int(self.value)

    __index__ = __int__


class ProgramType(_Numbered):
    """The type of a program. `Program.Type.__members__` lists the types by name."""

    DoExchange = 0
    GlobalExchange = 1
    OnTileExecute = 2
    StreamCopyBegin = 3
    StreamCopyMid = 4
    StreamCopyEnd = 5
    Sync = 6
    SyncAns = 7
    Sans = 8
    Repeat = 9
    Sequence = 10
    OnEveryTileSwitch = 11
    Call = 12
    Copy = 13
    CopySharedStructure = 14
    CrossReplicaCopy = 15
    Execute = 16
    OnTileCopy = 17
    OnTileSwitch = 18
    RepeatWhile = 19
    SetLocalConsensus = 20
    SetLocalConsensusFromVar = 21
    GetGlobalConsensus = 22
    WriteUndef = 23
    AssumeEqualAcrossReplicas = 24
    Switch = 25
    While = 26
    Block = 27
    If = 28
    Abort = 29
    AbortOnCondition = 30
    ErrorProgram = 31
    PrintTensor = 32
    WhileTest = 33
    TileRegister = 34
    Unknown = 35


class Architecture(_Numbered):
    """The architecture of a machine: a version of the IPU, or a CPU. Unknown stands for any other architecture; its
    name is Target.architectureName."""

    Ipu1 = 0
    Ipu2 = 1
    Ipu21 = 2
    Cpu = 3
    Unknown = 4


class TargetType(_Numbered):
    """The kind of a target: a simulated IPU, an IPU Model, or a CPU. Unknown stands for any other kind."""

    Ipu = 0
    IpuModel = 1
    Cpu = 2
    Unknown = 3


class ComputeInstrumentationLevel(_Numbered):
    """The unit whose cycles each counter of computation counts (engine option debug.computeInstrumentationLevel).

    Off = debug.instrumentCompute is off. Unknown = the profile does not contain the setting."""

    Off = 0
    Vertex = 1
    Tile = 2
    Ipu = 3
    Device = 4
    Unknown = 5


class ExternalExchangeInstrumentationLevel(_Numbered):
    """The objects whose cycles of exchanges with the host and other IPUs are counted.

    The value is Tile if the engine option debug.instrumentExternalExchange is true, and Off if the option is false.
    Unknown = the profile does not contain the option."""

    Off = 0
    Tile = 1
    Unknown = 2


class SyncDelay(NamedTuple):
    """Extension: the delays of one kind of sync.

    kind: "internal" (within an IPU), "external" (with the host), "global" (between IPUs), "host request" or "host
    answer". The last two kinds exist only if host copies wait for the host, for example on a device.
    acrossIpus: True if all tiles wait for each other, False if a tile waits only for the other tiles of its IPU.
    toControllerByTile: cycles that a tile's signal takes to the controller.
    fromControllerByTile: cycles from the arrival of the last signal at the controller to the release of the tile. Both
    lists have one value per tile of one replica."""

    kind: str
    acrossIpus: bool
    toControllerByTile: ListOf[int]
    fromControllerByTile: ListOf[int]


class Option(NamedTuple):
    """Extension: an option with its value. scope: "engine" or "target"."""

    scope: str
    key: str
    value: str
    isDefault: bool


class Optimization(NamedTuple):
    """Extension: the effect of a compiler pass; `unit` is the unit of `before` and `after`."""

    name: str
    unit: str
    before: int
    after: int


class MachineCost(NamedTuple):
    """Extension: a constant of the machine, for example a cost on which estimates of cycles are based; `unit` is the
    unit of `value`.

    For example, the key "exchange.bytesPerCycle" has the unit "bytes per cycle". docs/MACHINES.md describes the keys.
    The machine files in target-models/data name the source of each value of the built-in machines."""

    key: str
    value: float
    unit: str


class MessageSizes(NamedTuple):
    """Extension: the sizes of the messages that a tile receives in a DoExchange.

    buses: number of neighbouring tiles that receive the same data; the buses of all these tiles carry the messages. 1 =
    only the tile's own bus.
    bytes: the sizes in bytes, ascending.
    messages: the number of messages of each size."""

    buses: int
    bytes: ListOf[int]
    messages: ListOf[int]


class SettingWarning(NamedTuple):
    """Extension: a setting without an effect, a vertex type whose code has an unknown size, or a change by
    popscope.applyAdvice.

    about: the name of the option, or the vertex type. text: the reason, or the change.
    """

    about: str
    text: str


class CompilePhase(NamedTuple):
    """Extension: a phase of the compilation, or the writing of the profile.

    The clocks of the process measure the times, so the figures differ from one compilation to the next. Times are in
    microseconds and include the parts of the phase.
    parent: the position of the phase of which this phase is a part; None = not a part.
    startMicroseconds: time from the beginning of the first phase.
    cpuMicroseconds: processor time of all threads of the process.
    bytesBefore, bytesAfter: memory of the process at the beginning and at the end of the phase.
    peakBytes: maximum memory of the process up to the end of the phase. The three sizes are None if the system did not
    report them."""

    name: str
    parent: Optional[int]
    startMicroseconds: float
    wallMicroseconds: float
    cpuMicroseconds: float
    bytesBefore: Optional[int]
    bytesAfter: Optional[int]
    peakBytes: Optional[int]


class HostSample(NamedTuple):
    """Extension: the host resources that the program's process used up to one moment.

    A figure is None if it was not sampled or the system does not report it.
    microseconds: time of the sample, in microseconds since 1970.
    userMicroseconds, systemMicroseconds: processor time of all threads since the process began.
    threads: number of threads now.
    residentBytes, peakBytes: resident memory now, and its maximum so far.
    readBytes, writtenBytes: bytes read from and written to disks so far."""

    microseconds: int
    userMicroseconds: Optional[int]
    systemMicroseconds: Optional[int]
    threads: Optional[int]
    residentBytes: Optional[int]
    peakBytes: Optional[int]
    readBytes: Optional[int]
    writtenBytes: Optional[int]


class MemorySize(NamedTuple):
    """Two measures of used memory, in bytes. includingGaps: end of the highest used address. excludingGaps: number of
    occupied bytes."""

    includingGaps: int
    excludingGaps: int


class CategoryRegion(NamedTuple):
    """Bytes of one storage category in one region of a tile's memory.

    overlapped: bytes of allocations that share addresses with other allocations at other times. nonOverlapped: bytes of
    all other allocations."""

    nonOverlapped: int
    overlapped: int


class Category(NamedTuple):
    """Bytes of one storage category of a tile, by region of the tile's memory."""

    nonInterleaved: CategoryRegion
    interleaved: CategoryRegion
    overflowed: CategoryRegion

    @property
    def total(self) -> int:
        """The sum of the overlapped and the other bytes of all regions."""
        return sum(sum(region) for region in self)


class LinkTransfer(NamedTuple):
    """Extension: data that goes from one IPU to another, also between replicas, in a GlobalExchange.

    A tile takes at least as long as the slowest transfer with data from or for this tile. The tile takes longer if its
    own data needs more time to leave or enter the tile.
    fromIpu, toIpu: numbers over the IPUs of all replicas.
    tiles: one value per tile: 1 if the tile sends or receives a part of the data, else 0."""

    fromIpu: int
    toIpu: int
    bytes: int
    tiles: ListOf[int]


class TileTraffic(NamedTuple):
    """Extension: bytes that an exchange moves between groups of neighbouring tiles in one execution.

    Group g has the tiles [g * tilesPerGroup, (g + 1) * tilesPerGroup) of a replica. Data for several tiles counts once
    for each receiving tile, so the bytes to a group are the bytes that its tiles receive. The three lists have the same
    length and are sorted by sender, then receiver."""

    tilesPerGroup: int
    fromGroups: ListOf[int]
    toGroups: ListOf[int]
    bytes: ListOf[int]


class Flops(NamedTuple):
    """Extension: floating-point operations of some vertices, for one execution of each vertex.

    The numbers come from the program's estimates (setPerfEstimate). For a vertex without an estimate, the number comes
    from the last count of the substitute instruction set.
    recorded: False if the profile has no operations.
    vertices: number of all vertices.
    estimatedVertices: vertices with an estimate, including copy vertices, which have 0 operations.
    operations: operations of the estimated and the counted vertices, a lower bound for all vertices.
    countedVertices: vertices without an estimate whose operations were counted.
    countedOperations: the part of `operations` that comes from counts."""

    recorded: bool
    vertices: int
    estimatedVertices: int
    operations: int
    countedVertices: int = 0
    countedOperations: int = 0

    @property
    def complete(self) -> bool:
        """Whether the operations of all vertices are known."""
        return self.recorded and self.vertices == self.estimatedVertices + self.countedVertices

    @property
    def known(self) -> bool:
        """Whether some operations, or the operations of all vertices, are known."""
        return self.recorded and (self.operations != 0 or self.complete)


class VertexInstances(NamedTuple):
    """Vertices of one type in a compute set.

    countByTile: number of instances on each tile.
    flops: extension: floating-point operations of these vertices."""

    type: VertexType
    countByTile: ListOf[int]
    flops: Flops


class CycleSource(NamedTuple):
    """Extension: the source of the cycles that vertices of one type in a compute set take.

    source: from the most direct to the least direct: "estimate" (setPerfEstimate), "estimator" (registered in C++),
    "codelet" (its getCycleEstimate), "stand-in" (instructions counted by the substitute instruction set), "last known"
    (the last count of the same vertex, or else of a vertex with the same type and operand sizes) or "runtime" (copy
    vertices). "" = the cycles are unknown.
    vertices: maximum number of vertices with this source in one execution.
    reason: for the sources "" and "last known", why no more direct source applies. For the sources "estimate",
    "estimator" and "codelet" on an IPU device, why the substitute instruction set did not count the vertices. "" in all
    other cases."""

    type: VertexType
    source: str
    vertices: int
    reason: str


class VertexOperand(NamedTuple):
    """Extension: the accesses of a compute set through one field of one vertex type.

    field: name of the field; "from" or "to" for a copy; "" = unknown.
    elementType: for example "float"; "" for copies, whose elements are bytes, and for edges without elements.
    edges, elements: sums over the vertices of the type. Each inner vector of a vector of vectors is an edge.
    leastElements, mostElements: minimum and maximum number of elements of an edge.
    bytes: bytes of the connected elements; an element counts once for each edge that contains it."""

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


class VertexTypeFlops(NamedTuple):
    """Extension: floating-point operations of the vertices of one type in a compute set, in one execution."""

    computeSet: ComputeSet
    type: VertexType
    flops: Flops


class CycleLimits(NamedTuple):
    """The earliest and the latest time of a tile, in cycles since the start of the run."""

    min: int
    max: int


class CycleRange(NamedTuple):
    """Times of a step over several tiles.

    cyclesFrom: when the first and the last tile enter the step. cyclesTo: when the first and the last tile leave the step."""

    cyclesFrom: CycleLimits
    cyclesTo: CycleLimits


class VertexTypeCycles(NamedTuple):
    """Extension: the cycles of the vertices of one type in a step or in several steps.

    instances: number of executed vertices. known: False if the cycles are unknown, and `cycles` is then 0.
    cycles: thread cycles for worker vertices, tile cycles for supervisor vertices."""

    type: VertexType
    instances: int
    known: bool
    cycles: int


class VertexExecution(NamedTuple):
    """Extension: an executed vertex of a compute set: a vertex of the program, or a copy vertex.

    operands: fields and the variables connected to them, for example "in: a, out: b".
    known: False if the cycles are unknown.
    cycles: cycles of the vertex's last recorded execution; for a worker vertex, thread cycles."""

    computeSet: ComputeSet
    type: VertexType
    tile: int
    operands: str
    known: bool
    cycles: int


class DealtRun(NamedTuple):
    """Extension: consecutive vertices with equal cycles. The order is that in which the vertices were assigned to the
    worker slots.

    threadCycles: thread cycles of one vertex. A thread cycle is one issue slot of a worker, and takes as many tile
    cycles as the tile has worker slots.
    vertices: number of vertices."""

    threadCycles: int
    vertices: int


class DealtVertices(NamedTuple):
    """Extension: the worker vertices of tiles that have more vertices than slots.

    The order is the order in which the vertices were assigned to the slots. Each vertex goes to the least loaded slot. On
    other tiles, vertex i is alone in slot i. Vertices that take no time are left out. A pattern contains the vertices of
    a tile; tiles with equal lists of vertices share one pattern.
    patternByTile: per tile, the index into `patterns` plus 1; 0 means that the tile has no pattern. The list is empty if
    no tile has a pattern."""

    patternByTile: ListOf[int]
    patterns: ListOf[ListOf[DealtRun]]


class Microseconds(NamedTuple):
    """Times by the host's clock, in microseconds; both are 0 if the clock was not read."""

    start: float
    end: float


class CycleTotals(NamedTuple):
    """Cycles of one run, or of all recorded runs that ended.

    total: the elapsed cycles. All other figures are sums over tiles (extensions).
    compute: includes idle threads; computeWithoutIdle does not.
    unattributed: the sum of counterReads and controlFlowReads, the cycles of reading the counters of the
    instrumentation. A figure that the device's instrumentation did not record is 0. computeKnown,
    computeWithoutIdleKnown and externalExchangeKnown (for globalExchange and hostExchange) are False if the figure was
    not recorded.
    totalKnown: False if the cycles of some executed vertices are unknown. total, compute, computeWithoutIdle and sync are
    then unknown and 0.
    known: False if no run ended, for example because every recorded run was cut short. All figures are then unknown."""

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
    known: bool = True
    totalKnown: bool = True

    @property
    def syncKnown(self) -> bool:
        """Whether `sync` is known: True if compute, globalExchange and hostExchange are known."""
        return self.computeKnown and self.externalExchangeKnown


class ControlFlow(NamedTuple):
    """Extension: the last execution of a loop or conditional in a run.

    cycles: cycles from entry to exit, on the tile that records them.
    taken: for a loop, the number of iterations; for a conditional, the position of the executed child. None = a Switch
    executed no child."""

    program: Program
    cycles: int
    taken: Optional[int]


class MemorySample(NamedTuple):
    """Extension, which only the simulator records: live memory at one moment of a run.

    position: number of steps that the run executed earlier and whose program is a liveness step. Loops, conditionals
    and recorded blocks do not count.
    cycle: when the first active tile starts the step of the sample, in cycles since the start of the run; at least the
    `cycle` of the previous sample.
    bytes: live bytes over all tiles of one replica, including always-live bytes."""

    program: Program
    position: int
    cycle: int
    bytes: int


class ProgramExecutions(NamedTuple):
    """Extension of the simulator: all executions of one program in a run, in the order of time.

    starts: for each execution, the start of the first active tile's work, in cycles since the start of the run.
    cycles: for each execution, the cycles of the slowest tile's work."""

    program: Program
    starts: ListOf[int]
    cycles: ListOf[int]


class Block(NamedTuple):
    """A block of lightweight profiling.

    Exactly one of four members is True. isCommon: a Block of the program. isStreamCopy: a phase of a host copy.
    isBlockFlush: a phase of a copy that empties the buffer. isOverflow: a period in which blocks were lost because the
    buffer was full; `program` is then that of the first lost block.
    cyclesFrom, cyclesTo: cycles of the tile's own counter, which continues from run to run.
    isClosed: extension: False if the run stopped before the end of the block; cyclesTo then equals cyclesFrom.
    runNumber: extension: number of the call of Engine.run; unrecorded runs count, too."""

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
    """Extension: consecutive calls of Engine.run that were not recorded.

    firstRun: number of the first of these calls, as in Run.number.
    reason: "run count", "sample rate", "profileRuns", "profileNames", "profileSeconds", "disabled", "scope" or "paused".
    cyclesKnown: False if the time was not measured; `cycles` is then 0."""

    firstRun: int
    runs: int
    reason: str
    cyclesKnown: bool
    cycles: int


class StepInterval(NamedTuple):
    """A half-open interval [start, end) of indices into livenessProgramSteps."""

    start: int
    end: int


class VariablePart(NamedTuple):
    """Extension: the tiles of one replica on which a variable is live at the same steps."""

    liveSteps: "List[StepInterval]"
    tiles: "list[tuple[int, int]]"  # (tile, bytes on the tile), in ascending order of tiles
    bytes: int  # sum over these tiles
    isWhole: bool  # True if liveSteps equals Variable.liveSteps


class LiveExplanation(NamedTuple):
    """Extension: the reason why a variable is live at the programs with the ids [firstProgram, endProgram)."""

    variable: Variable
    firstProgram: int
    endProgram: int
    # the last program up to firstProgram, in the order of execution, that replaced every element; None = none since the
    # engine was created
    born: Optional[Program]
    read: Program  # the nearest later program that reads the variable
    failedKill: Optional[Program]  # the first program at or after firstProgram, on the way to `read`, that wrote only a part of the variable
    missed: ListOf[Tuple[int, int]]  # the first ranges [begin, end) of elements (at most 8) that failedKill did not write
    missedElements: int  # number of all elements that failedKill did not write
    carrier: str  # the first construct that carries the value to the read: "loop", "call", "next run" or "" for none
    carriedBy: Optional[Program]  # the program of the loop or call; None = none


class FalseLive(NamedTuple):
    """Extension: bytes that are false-live at the programs with the ids [firstProgram, endProgram).

    These bytes count as live because liveness treats each variable as a whole, although no later program reads the bytes."""

    variable: Variable
    firstProgram: int
    endProgram: int
    bytes: int
    bytesOnWorstTile: int


class VariableAccess(NamedTuple):
    """Extension: the accesses of one program to a variable, in numbers of elements.

    Each element counts once. 0 = the program has no access of this kind."""

    program: Program
    elements: int  # number of the variable's elements
    read: int
    written: int
    undefined: int


class UndefPlacement(NamedTuple):
    """Extension: a WriteUndef of a variable right before a program, and the bytes that it saved in a trial.

    savedOnWorstTile: reduction of the peak of live variable bytes on LivenessAdvice.worstTile, in bytes.
    savedOnDevice: reduction of the peak of the live variable bytes of all tiles together, in bytes.
    together: True if the placement belongs to a minimal set of placements that lowers a peak as far as all tried
    placements. The peak is that of the worst tile (LivenessAdvice.worstPeakAfterAll). If one placement alone lowers
    this peak as far, the peak is that of all tiles together. If one placement alone suffices for each of the two peaks,
    `together` is False for all placements."""

    variable: Variable
    before: Program
    savedOnWorstTile: int
    savedOnDevice: int
    together: bool


class LivenessAdvice(NamedTuple):
    """Extension: explained liveness (engine option autoReport.outputLivenessExplanation).

    present: False if the profile has no explanations; the other members are then empty or 0.
    worstPeak, falseLiveAtPeak, worstPeakAfterAll: bytes on worstTile: its peak, the false-live bytes at the peak, and the
    peak with all tried placements applied."""

    present: bool = False
    explanations: ListOf[LiveExplanation] = []
    falseLive: ListOf[FalseLive] = []
    placements: ListOf[UndefPlacement] = []  # sorted by bytes saved alone on the worst tile, then on the device, most first
    worstTile: int = 0  # the tile with the highest peak of live variable bytes
    worstProgram: Optional[Program] = None  # the first program at which worstTile has this peak
    worstPeak: int = 0
    falseLiveAtPeak: int = 0
    worstPeakAfterAll: int = 0
    candidates: int = 0  # number of possible placements
    tried: int = 0  # number of possible placements that were applied and measured


class AdviceTrial(NamedTuple):
    """Extension: a trial compilation of the program with some changes (engine option popscope.tryAdvice).

    docs/FORMAT-pop.md (advice_trials) describes each purpose. Members with Bytes in their name are in bytes."""

    purpose: str  # "unchanged", "alone", "together", "search", "smallest", "fit" or "fits"
    changes: str  # the changes as a JSON array, in the form of the engine option popscope.applyAdvice
    description: str  # the same changes in words, one line per change
    numChanges: int
    tilesOutOfMemory: int
    fullestTile: int
    fullestBytes: int
    pastEndBytes: int
    allTilesBytes: int
    exchangeCodeBytes: int  # code of exchanges within IPUs
    exchangeCycles: int  # cycles of exchanges within IPUs; each step counts once, not once per execution


class DebugLocation(NamedTuple):
    """The place in the source code where a DebugContext was created."""

    fileName: str
    functionName: str
    lineNumber: int


class MeasuredCycles(NamedTuple):
    """Extension: cycles of one execution that were measured on a real machine; `popscope import-cycles` adds them.

    of: "step", "compute set" or "vertex type". For a vertex type, the cycles are those of one vertex.
    id, name: _id and name of the program, the compute set or the vertex type.
    tile: None = the cycles are those of the slowest tile.
    source: name of the source of the measurement. line: line in the imported file."""

    of: str
    id: int
    name: str
    tile: Optional[int]
    cycles: int
    source: str
    line: int


class ProgramVisitor:
    """A base class for visitors: override visitSync, visitDoExchange, ...

    Program.accept calls the method for the program's type. The methods of this class do nothing."""


def _visit(self: ProgramVisitor, program: Program) -> None:
    """Does nothing. A subclass overrides this method to visit programs of this type."""


for _type in ProgramType:
    if _type.name != "Unknown":
        setattr(ProgramVisitor, "visit" + _type.name, _visit)

SHOWN = {  # the fields that the repr of a class shows
    "IPU": ('tiles',),
    "Target": ('type', 'architecture', 'numIPUs', 'tilesPerIpu', 'numReplicas'),
    "Graph": ('numComputeSets', 'numVertices', 'numEdges', 'numVars'),
    "CompilationReport": ('target', 'graph'),
    "PoplarVersion": ('string',),
    "ProfileReportVersion": ('major', 'minor', 'point'),
    "InstrumentationSettings": ('compute', 'externalExchange'),
    "PopscopeData": ('codeIncluded', 'complete', 'maxLiveBytes'),
    "VertexType": ('name', 'size'),
    "VertexOnTile": ('type', 'count', 'codeBytes'),
    "TileMemory": ('total', 'alwaysLiveBytes', 'notAlwaysLiveBytes'),
    "Tile": ('memory',),
    "ComputeSet": ('name',),
    "ExecutionStepIpu": ('cycles', 'activeTiles', 'dataIn', 'dataOut'),
    "ExecutionComputeSet": ('name',),
    "WorkerSlots": ('known', 'count'),
    "ExecutionStep": ('program',),
    "Run": ('name', 'program', 'complete'),
    "ExecutionReport": ('runs', 'totalCycles'),
    "Variable": ('name', 'size'),
    "LivenessMemory": ('bytes',),
    "LivenessProgramStep": ('program', 'notAlwaysLiveMemory'),
    "EquivalenceClass": ('id', 'steps'),
    "BriefVar": ('id', 'bytes', 'tileId'),
    "LoweredVariable": ('name', 'bytes', 'tile', 'offset'),
    "LoweredVariables": ('allBriefVars',),
    "DebugContext": ('id', 'name'),
    "Operation": ('name',),
    "OperationAnalysis": ('operations',),
    "Event": ('label', 'duration'),
    "Thread": ('tid',),
    "Process": ('pid',),
    "Trace": ('processes',),
}


def showHandle(thing: Any) -> str:
    """Returns the repr of an object of a C++ class, with the fields that SHOWN lists."""
    kind = type(thing).__name__
    if isinstance(getattr(thing, "type", None), ProgramType):
        return "<%s %d %s %r>" % (kind, thing._id, thing.type.name, thing.name)
    if kind == "Categories":
        return "Categories(%s)" % ", ".join("%s=%d" % (name, category.total) for name, category in thing if category.total)
    if kind == "Report":
        return "Report(%r)" % (thing.popscope.path or "in memory")
    return "%s(%s)" % (kind, ", ".join("%s=%r" % (field, getattr(thing, field)) for field in SHOWN.get(kind, ())))
