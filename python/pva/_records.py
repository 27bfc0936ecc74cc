"""The plain records of package pva: named tuples, enumerations, and the list that creates its elements on access.

The compiled module pva._native fills them; properties of its objects return them."""

from __future__ import annotations

import enum
import operator
import sys
from typing import TYPE_CHECKING, Any, Callable, Iterator, List as ListOf, NamedTuple, Optional, Sequence, Tuple, TypeVar, Union, overload

if TYPE_CHECKING:
    from pva.pva_core import ComputeSet, Program, Variable, VertexType

T = TypeVar("T")
_printLength = 10


def outside() -> int:
    """Returns the stack level, as warnings count it, of the nearest caller outside the packages."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] in ("pva", "popscope"):
        level, frame = level + 1, frame.f_back
    return level


def names(what: str, values: Any) -> ListOf[str]:
    """Returns the names of a list. Raises TypeError for a single text, whose letters would be taken as names."""
    if isinstance(values, (str, bytes)):
        raise TypeError("%s is a list of names, not the text %r: give [%r]" % (what, values, values))
    return list(values)


def setListPrintLength(newLength: int) -> None:
    global _printLength
    length = operator.index(newLength)
    if length < 0:
        raise ValueError("listPrintLength: the length must be 0 or more, not %d" % length)
    _printLength = length


class List(Sequence[T]):
    """A read-only sequence. Slices are sequences, too; list(x) returns a list."""

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
    """The file is not a profile, or is damaged. The message is one line that names the path."""


class IncompleteProfileWarning(UserWarning):
    """The opened profile is incomplete: its figures cover only the recorded part of the program."""


class ProgramType(enum.Enum):
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

    def __int__(self) -> int:
        return self.value


class Architecture(enum.Enum):
    """The version of an IPU, or a CPU."""

    Ipu1 = 0
    Ipu2 = 1
    Ipu21 = 2
    Cpu = 3
    Unknown = 4


class TargetType(enum.Enum):
    """An IPU, a model of one, or a CPU."""

    Ipu = 0
    IpuModel = 1
    Cpu = 2
    Unknown = 3


class ComputeInstrumentationLevel(enum.Enum):
    """The objects for which the engine counted cycles of compute sets (debug.computeInstrumentationLevel)."""

    Off = 0
    Vertex = 1
    Tile = 2
    Ipu = 3
    Device = 4
    Unknown = 5


class ExternalExchangeInstrumentationLevel(enum.Enum):
    """The objects for which the engine counted cycles of exchanges with the host and other IPUs."""

    Off = 0
    Tile = 1
    Unknown = 2


class SyncDelay(NamedTuple):
    """Extension: the delays of one kind of sync: "internal" to an IPU, "external" (with the host) or "global" (between IPUs). A tile's
    signal takes toController cycles. The release reaches the tile fromController cycles after the last signal arrived. Both are by tile
    of one replica. acrossIpus: whether the tiles of all IPUs meet, or those of each IPU separately."""

    kind: str
    acrossIpus: bool
    toControllerByTile: ListOf[int]
    fromControllerByTile: ListOf[int]


class Option(NamedTuple):
    """Extension: an option. scope: "engine" or "target"."""

    scope: str
    key: str
    value: str
    isDefault: bool


class Optimization(NamedTuple):
    """Extension: the change that a compiler pass made; `unit` is the unit of before and after."""

    name: str
    unit: str
    before: int
    after: int


class MachineCost(NamedTuple):
    """Extension: a cost of the machine from which cycles were estimated, for example "exchange.bytesPerCycle", 4.0, "bytes per cycle"."""

    key: str
    value: float
    unit: str


class MessageSizes(NamedTuple):
    """Extension: the sizes of the messages that a tile receives in a DoExchange, ascending, and the number of messages of each size. buses:
    the number of neighbouring tiles whose buses carry the messages, because they receive the same data; 1 = only its own bus."""

    buses: int
    bytes: ListOf[int]
    messages: ListOf[int]


class SettingWarning(NamedTuple):
    """Extension: a setting that has no effect, and the reason. about: the option's name."""
    about: str
    text: str


class CompilePhase(NamedTuple):
    """Extension: a phase of the compilation, measured by the clocks of its process, so the figures vary. parent: position of the enclosing
    phase, or None. Times are in microseconds; CPU time covers all threads of the process. Bytes are the process's memory; None if the
    system did not report them. peakBytes: the maximum up to the end of the phase."""

    name: str
    parent: Optional[int]
    startMicroseconds: float
    wallMicroseconds: float
    cpuMicroseconds: float
    bytesBefore: Optional[int]
    bytesAfter: Optional[int]
    peakBytes: Optional[int]


class HostSample(NamedTuple):
    """Extension: the resources that the program's process used on its host at one moment, in microseconds since 1970. Processor times are
    sums over all threads so far; peakBytes is the maximum memory so far; disk bytes are sums so far. None if a figure was not sampled,
    or the system does not report it."""

    microseconds: int
    userMicroseconds: Optional[int]
    systemMicroseconds: Optional[int]
    threads: Optional[int]
    residentBytes: Optional[int]
    peakBytes: Optional[int]
    readBytes: Optional[int]
    writtenBytes: Optional[int]


class MemorySize(NamedTuple):
    """Sizes of memory. includingGaps: end of the highest used address. excludingGaps: occupied bytes."""

    includingGaps: int
    excludingGaps: int


class CategoryRegion(NamedTuple):
    """Bytes of one category in one region. overlapped: sum over allocations that share addresses with others at other times."""

    nonOverlapped: int
    overlapped: int


class Category(NamedTuple):
    """Bytes of one storage category of a tile, by region of its memory."""

    nonInterleaved: CategoryRegion
    interleaved: CategoryRegion
    overflowed: CategoryRegion

    @property
    def total(self) -> int:
        """The sum over regions, overlapped or not."""
        return sum(sum(region) for region in self)


class LinkTransfer(NamedTuple):
    """Extension: the transfer from one IPU to another in a GlobalExchange, including transfers between replicas; IPUs are numbered over all
    replicas. tiles: has a 1 for each tile that sends or receives a part of it. A tile takes as long as the slowest of its transfers."""

    fromIpu: int
    toIpu: int
    bytes: int
    tiles: ListOf[int]


class TileTraffic(NamedTuple):
    """Extension: the traffic of an exchange in one execution, between groups of neighbouring tiles: group g has the tiles [g *
    tilesPerGroup, (g + 1) * tilesPerGroup) of a replica. Data that several tiles receive counts for each of them, so the bytes to a
    group are the bytes that its tiles receive. All lists have the same length and are sorted by sender, then receiver."""

    tilesPerGroup: int
    fromGroups: ListOf[int]
    toGroups: ListOf[int]
    bytes: ListOf[int]


class Flops(NamedTuple):
    """Extension: floating-point operations of vertices in one execution, from the program's estimates, or else from the stand-in's counts
    in the last recorded execution.

    recorded: False if the profile has no operations. vertices: number of all vertices. estimatedVertices: those with an estimate; this
    includes copies of the runtime, which have no operations. countedVertices: other vertices, whose operations were counted. operations:
    the sum of both, a lower bound for all vertices. countedOperations: the counted part."""

    recorded: bool
    vertices: int
    estimatedVertices: int
    operations: int
    countedVertices: int = 0
    countedOperations: int = 0

    @property
    def complete(self) -> bool:
        """Whether the operations of every vertex are known."""
        return self.recorded and self.vertices == self.estimatedVertices + self.countedVertices

    @property
    def known(self) -> bool:
        """Whether the operations of some vertices are known."""
        return self.recorded and (self.operations != 0 or self.complete)


class VertexInstances(NamedTuple):
    """Vertices of one type in a compute set. countByTile: instances on each tile. flops: extension, operations of these vertices."""

    type: VertexType
    countByTile: ListOf[int]
    flops: Flops


class CycleSource(NamedTuple):
    """Extension: the source of the cycles of vertices of one type in a compute set. source, from the most direct to the least: estimate,
    estimator, codelet, stand-in, last known, runtime; "" = their cycles are unknown. vertices: the maximum in one execution. reason: why
    the source is "" or "last known"."""

    type: VertexType
    source: str
    vertices: int
    reason: str


class VertexOperand(NamedTuple):
    """Extension: the data that the vertices of one type in a compute set read and write through one field. field: "from" or "to" for a
    copy, "" = unknown. elementType: for example "float"; "" for copies, whose elements are bytes. edges and elements: sums over all
    these vertices. leastElements and mostElements: of one edge. bytes: of the elements, each counted once."""

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
    """Extension: floating-point operations of the vertices of one type in a compute set."""

    computeSet: ComputeSet
    type: VertexType
    flops: Flops


class CycleLimits(NamedTuple):
    """The times of the first and the last tile, in cycles since the start of the run."""

    min: int
    max: int


class CycleRange(NamedTuple):
    """Times of a step on all tiles. cyclesFrom: when the first and the last tile enter. cyclesTo: when the first and the last tile leave."""

    cyclesFrom: CycleLimits
    cyclesTo: CycleLimits


class VertexTypeCycles(NamedTuple):
    """Extension: cycles of one vertex type in a step. known: False if the cycles are unknown."""

    type: VertexType
    instances: int
    known: bool
    cycles: int


class VertexExecution(NamedTuple):
    """Extension: an executed vertex of a compute set, or a copy of the runtime. operands: fields and the variables that they are connected
    to, for example "in: a, out: b". known: False if the cycles are unknown. cycles: thread cycles of workers in the last recorded
    execution."""

    computeSet: ComputeSet
    type: VertexType
    tile: int
    operands: str
    known: bool
    cycles: int


class DealtRun(NamedTuple):
    """Extension: consecutive vertices, in the order of dealing, that take equally long. threadCycles: of one of them."""

    threadCycles: int
    vertices: int


class DealtVertices(NamedTuple):
    """Extension: worker vertices in the order in which they were dealt to slots, each to the least loaded slot. Vertices that take no time
    are left out. patternByTile: a position in patterns plus 1; 0 = none; empty = no tile has one."""

    patternByTile: ListOf[int]
    patterns: ListOf[ListOf[DealtRun]]


class Microseconds(NamedTuple):
    """Times by the host's clock; both are 0 if the clock was not read."""

    start: float
    end: float


class CycleTotals(NamedTuple):
    """Cycles of a run, or of everything that was recorded. total is the elapsed time, 0 if nothing was recorded; the others are sums over
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
        """Whether the sync cycles are known: they are the rest of the total, so all other sums must be known."""
        return self.computeKnown and self.externalExchangeKnown


class ControlFlow(NamedTuple):
    """Extension: the last execution of a loop or conditional in a run. cycles: of the tile that records it, from entry to exit. taken:
    iterations of a loop, or position of the executed child of a conditional; None if no child was executed."""

    program: Program
    cycles: int
    taken: Optional[int]


class MemorySample(NamedTuple):
    """Extension of the simulator: live memory in the middle of a run. position: number of earlier steps of the run that have a liveness
    step. cycle: when the step's first active tile starts, since the start of the run. bytes: over all tiles of one replica,
    always-live bytes included."""

    program: Program
    position: int
    cycle: int
    bytes: int


class ProgramExecutions(NamedTuple):
    """Extension of the simulator: every execution of one program in a run, in order. starts: when the first active tile starts to work, in
    cycles since the start of the run. cycles: work of the slowest tile."""

    program: Program
    starts: ListOf[int]
    cycles: ListOf[int]


class Block(NamedTuple):
    """A block of lightweight profiling. It is exactly one of: a Block of the program (isCommon), a phase of a host copy (isStreamCopy), a
    phase of a copy that empties the buffer (isBlockFlush), or a period in which blocks were lost because the buffer was full
    (isOverflow; program: the first lost block). Cycles are those of the tile's own counter, which continues from run to run.

    Extensions: isClosed is False if the run stopped before the end of the block (cyclesTo then equals cyclesFrom). runNumber is the
    number of the call of Engine.run, recorded or not."""

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
    """Extension: consecutive calls of Engine.run that were not recorded. reason: run count, profileRuns, profileNames, profileSeconds,
    disabled or scope. cyclesKnown: False if the time was not measured; cycles is 0 then."""

    firstRun: int
    runs: int
    reason: str
    cyclesKnown: bool
    cycles: int


class StepInterval(NamedTuple):
    """A half-open interval of indices into livenessProgramSteps."""

    start: int
    end: int


class VariablePart(NamedTuple):
    """Extension: the tiles of one replica on which a variable is live at the same steps."""

    liveSteps: "List[StepInterval]"
    tiles: "list[tuple[int, int]]"  # with the bytes on each tile, ascending
    bytes: int  # on all of these tiles
    isWhole: bool  # whether Variable.liveSteps has the same steps


class LiveExplanation(NamedTuple):
    """Explains why a variable is live at the programs [firstProgram, endProgram)."""

    variable: Variable
    firstProgram: int
    endProgram: int
    born: Optional[Program]  # the program that last replaced every element; None: none since the engine started
    read: Program  # the nearest program that reads it
    failedKill: Optional[Program]  # the last program before `read` that wrote only a part; None: none
    missed: ListOf[Tuple[int, int]]  # the first (at most 8) ranges of elements that failedKill did not write
    missedElements: int  # number of all such elements
    carrier: str  # "loop", "call", "next run" or ""
    carriedBy: Optional[Program]  # the loop or call, or None


class FalseLive(NamedTuple):
    """Bytes that are live by the rule for whole variables but that no path reads, at the programs [firstProgram, endProgram)."""

    variable: Variable
    firstProgram: int
    endProgram: int
    bytes: int
    bytesOnWorstTile: int


class VariableAccess(NamedTuple):
    """The accesses of one program to a variable: numbers of elements, each counted once; 0 = no such access."""

    program: Program
    elements: int  # elements that the variable has
    read: int
    written: int
    undefined: int


class UndefPlacement(NamedTuple):
    """A WriteUndef(variable) right before a program, with the bytes that applying it saved."""

    variable: Variable
    before: Program
    savedOnWorstTile: int
    savedOnDevice: int


class LivenessAdvice(NamedTuple):
    """The engine's analysis of lives. `present` is False if the profile explains no liveness; the rest is empty then."""

    present: bool = False
    explanations: ListOf[LiveExplanation] = []
    falseLive: ListOf[FalseLive] = []
    placements: ListOf[UndefPlacement] = []  # best first
    worstTile: int = 0  # the tile with the highest peak of live variable bytes
    worstProgram: Optional[Program] = None  # the first program with that peak
    worstPeak: int = 0
    falseLiveAtPeak: int = 0
    worstPeakAfterAll: int = 0
    candidates: int = 0  # number of possible placements
    tried: int = 0  # number of placements that were applied and measured


class AdviceTrial(NamedTuple):
    """The program compiled again with some changes (engine option popscope.tryAdvice)."""

    purpose: str  # "unchanged", "alone", "together", "search", "smallest", "fit" or "fits"
    changes: str  # a JSON array for popscope.applyAdvice
    description: str  # the changes in words, one line each
    numChanges: int
    tilesOutOfMemory: int
    fullestTile: int
    fullestBytes: int
    pastEndBytes: int
    allTilesBytes: int
    exchangeCodeBytes: int
    exchangeCycles: int  # of exchanges within IPUs, each step counted once


class DebugLocation(NamedTuple):
    """The place in the source where a DebugContext was created."""

    fileName: str
    functionName: str
    lineNumber: int


class MeasuredCycles(NamedTuple):
    """Measured cycles of one execution. of: "step" (id is the program's id), "compute set" or "vertex type" (one vertex of it). tile:
    None = the slowest tile. source and line: the origin of the measurement."""

    of: str
    id: int
    name: str
    tile: Optional[int]
    cycles: int
    source: str
    line: int


class ProgramVisitor:
    """A base class for visitors: override visitSync, visitDoExchange, ...; Program.accept calls the method for the program's type. The
    methods of this class do nothing."""


def _visit(self: ProgramVisitor, program: Program) -> None:
    """Does nothing; override it."""


for _type in ProgramType:
    if _type.name != "Unknown":
        setattr(ProgramVisitor, "visit" + _type.name, _visit)

SHOWN = {  # fields that the repr shows
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
    """Returns the repr of a C++ object."""
    kind = type(thing).__name__
    if isinstance(getattr(thing, "type", None), ProgramType):
        return "<%s %d %s %r>" % (kind, thing._id, thing.type.name, thing.name)
    if kind == "Categories":
        return "Categories(%s)" % ", ".join("%s=%d" % (name, category.total) for name, category in thing if category.total)
    if kind == "Report":
        return "Report(%r)" % (thing.popscope.path or "in memory")
    return "%s(%s)" % (kind, ", ".join("%s=%r" % (field, getattr(thing, field)) for field in SHOWN.get(kind, ())))
