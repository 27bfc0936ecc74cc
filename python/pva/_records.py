"""The plain records of package pva: named tuples and enumerations, and the list that makes its elements when they are asked for.

The compiled module pva._native fills them; its objects have properties that return them."""

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
    """The stack level, as warnings count it, of the nearest caller outside of the packages."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] in ("pva", "popscope"):
        level, frame = level + 1, frame.f_back
    return level


def names(what: str, values: Any) -> ListOf[str]:
    """The names of a list. TypeError for one text, whose letters would be taken for names."""
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
    """A read-only sequence. Slices are sequences too; list(x) makes a list of it."""

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
    """A file that is no profile, or one that is damaged: one line that names the path."""


class IncompleteProfileWarning(UserWarning):
    """A profile was opened that is not complete: figures of a part look like those of the whole."""


class ProgramType(enum.Enum):
    """What a program does. `Program.Type.__members__` lists them by name."""

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
    """For what the engine counted cycles of compute sets (debug.computeInstrumentationLevel)."""

    Off = 0
    Vertex = 1
    Tile = 2
    Ipu = 3
    Device = 4
    Unknown = 5


class ExternalExchangeInstrumentationLevel(enum.Enum):
    """For what the engine counted cycles of exchanges with the host and other IPUs."""

    Off = 0
    Tile = 1
    Unknown = 2


class SyncDelay(NamedTuple):
    """Extension: one way to sync, "internal" to an IPU, "external" (with the host) or "global" (between IPUs). A tile's
    signal takes toController cycles; from the last arrival there it is fromController cycles to the release of a tile. By tile
    of one replica. acrossIpus: all tiles meet; else those of each IPU."""

    kind: str
    acrossIpus: bool
    toControllerByTile: ListOf[int]
    fromControllerByTile: ListOf[int]


class Option(NamedTuple):
    """Extension. scope: "engine" or "target"."""

    scope: str
    key: str
    value: str
    isDefault: bool


class Optimization(NamedTuple):
    """Extension: what a compiler pass changed; unit of before and after."""

    name: str
    unit: str
    before: int
    after: int


class MachineCost(NamedTuple):
    """Extension: a cost of the machine that cycles were estimated with: "exchange.bytesPerCycle", 4.0, "bytes per cycle"."""

    key: str
    value: float
    unit: str


class MessageSizes(NamedTuple):
    """Extension: sizes of the messages that a tile receives in a DoExchange, ascending, and how many there are of each.
    buses: of how many neighbours that receive the same the buses carry them; 1 = its own only."""

    buses: int
    bytes: ListOf[int]
    messages: ListOf[int]


class SettingWarning(NamedTuple):
    """Extension: a setting that has no effect, and why. about: the option's name."""
    about: str
    text: str


class CompilePhase(NamedTuple):
    """Extension: a part of the compile, by the clocks of its process: figures that differ each time. parent: position of the
    phase that it is a part of, or None; times in microseconds, of CPU over all threads of the process; bytes of the process in
    memory, None where the system did not say; peakBytes: the most that it ever had, until the end of the phase."""

    name: str
    parent: Optional[int]
    startMicroseconds: float
    wallMicroseconds: float
    cpuMicroseconds: float
    bytesBefore: Optional[int]
    bytesAfter: Optional[int]
    peakBytes: Optional[int]


class HostSample(NamedTuple):
    """Extension: what the process of the program used of its host at one moment, which is given in microseconds since 1970. Processor
    times are sums over all threads so far; peakBytes is the most memory so far; disk bytes are sums so far. None where a figure was not
    sampled, or the system does not report it."""

    microseconds: int
    userMicroseconds: Optional[int]
    systemMicroseconds: Optional[int]
    threads: Optional[int]
    residentBytes: Optional[int]
    peakBytes: Optional[int]
    readBytes: Optional[int]
    writtenBytes: Optional[int]


class MemorySize(NamedTuple):
    """includingGaps: end of the highest used address. excludingGaps: occupied bytes."""

    includingGaps: int
    excludingGaps: int


class CategoryRegion(NamedTuple):
    """Bytes of one category in one region. overlapped: sum over allocations that share addresses with others at other
    times."""

    nonOverlapped: int
    overlapped: int


class Category(NamedTuple):
    """Bytes of one storage category of a tile, by region of its memory."""

    nonInterleaved: CategoryRegion
    interleaved: CategoryRegion
    overflowed: CategoryRegion

    @property
    def total(self) -> int:
        """Sum over regions, overlapped and not."""
        return sum(sum(region) for region in self)


class LinkTransfer(NamedTuple):
    """Extension: what goes from one IPU to another in a GlobalExchange, of one replica to another too; IPUs over all
    replicas. tiles: 1 for each that sends or receives a part of it. A tile takes as long as the slowest that it is in."""

    fromIpu: int
    toIpu: int
    bytes: int
    tiles: ListOf[int]


class TileTraffic(NamedTuple):
    """Extension: from which tiles to which an exchange moves how much in one execution, in groups of neighbouring tiles:
    group g has the tiles [g * tilesPerGroup, (g + 1) * tilesPerGroup) of a replica. What goes to several tiles counts for
    each, so the bytes to a group are what its tiles receive. The lists are as long as each other; by sender, then receiver."""

    tilesPerGroup: int
    fromGroups: ListOf[int]
    toGroups: ListOf[int]
    bytes: ListOf[int]


class Flops(NamedTuple):
    """Extension: floating-point operations of vertices in one execution: what estimates of the program say, else what the
    stand-in counted in the last recorded execution.

    recorded: False where the profile says nothing; vertices: all of them; estimatedVertices: whose
    operations an estimate says, copies of the runtime among them, with none; countedVertices: of the others, whose
    operations were counted; operations: of both, the least that all of them do; countedOperations: those that were
    counted."""

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
        """Something is: all of them, or operations of some."""
        return self.recorded and (self.operations != 0 or self.complete)


class VertexInstances(NamedTuple):
    """Vertices of one type in a compute set; countByTile: instances on each tile; flops: extension, of these vertices."""

    type: VertexType
    countByTile: ListOf[int]
    flops: Flops


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


class VertexTypeCycles(NamedTuple):
    """Extension: cycles of one vertex type in a step; known False: the cycles are not known."""

    type: VertexType
    instances: int
    known: bool
    cycles: int


class VertexExecution(NamedTuple):
    """Extension: a vertex of a compute set that was executed, or a copy of the runtime. operands: "in: a, out: b", fields and the
    variables that they are connected to; known False: the cycles are not known; cycles: of its last recorded execution, thread
    cycles of workers."""

    computeSet: ComputeSet
    type: VertexType
    tile: int
    operands: str
    known: bool
    cycles: int


class DealtRun(NamedTuple):
    """Extension: vertices that follow each other in the order of dealing and take as long; threadCycles: of one of them."""

    threadCycles: int
    vertices: int


class DealtVertices(NamedTuple):
    """Extension: worker vertices in the order in which they were dealt to slots, each to the least loaded one. Vertices that
    take no time are left out. patternByTile: a position in patterns plus 1; 0 = none; empty = no tile has one."""

    patternByTile: ListOf[int]
    patterns: ListOf[ListOf[DealtRun]]


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


class ControlFlow(NamedTuple):
    """Extension: the last execution of a loop or conditional in a run. cycles of the tile that records it, from entry to
    exit; taken: iterations of a loop, position of the child of a conditional, None where no child was taken."""

    program: Program
    cycles: int
    taken: Optional[int]


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


class StepInterval(NamedTuple):
    """Half-open interval of indices into livenessProgramSteps."""

    start: int
    end: int


class VariablePart(NamedTuple):
    """Extension: the tiles of one replica on which a variable is live at the same steps."""

    liveSteps: "List[StepInterval]"
    tiles: "list[tuple[int, int]]"  # and the bytes there, ascending
    bytes: int  # of all of them
    isWhole: bool  # as Variable.liveSteps says


class LiveExplanation(NamedTuple):
    """Why a variable is live at the programs [firstProgram, endProgram)."""

    variable: Variable
    firstProgram: int
    endProgram: int
    born: Optional[Program]  # last replaced every element; None: none since the engine started
    read: Program  # the nearest that reads it
    failedKill: Optional[Program]  # the nearest before that read that wrote in part; None: none
    missed: ListOf[Tuple[int, int]]  # the first (at most 8) ranges of elements it left out
    missedElements: int  # all of them
    carrier: str  # "loop", "call", "next run" or ""
    carriedBy: Optional[Program]  # the loop or call, or None


class FalseLive(NamedTuple):
    """Bytes live by the array rule that no path reads, at the programs [firstProgram, endProgram)."""

    variable: Variable
    firstProgram: int
    endProgram: int
    bytes: int
    bytesOnWorstTile: int


class VariableAccess(NamedTuple):
    """What one program does to a variable: so many of its elements, each counted once; 0: nothing of the kind."""

    program: Program
    elements: int  # of the variable
    read: int
    written: int
    undefined: int


class UndefPlacement(NamedTuple):
    """WriteUndef(variable) right before a program, with the bytes that applying it saved."""

    variable: Variable
    before: Program
    savedOnWorstTile: int
    savedOnDevice: int


class LivenessAdvice(NamedTuple):
    """What the engine found out about lives. `present` False: the profile explains nothing, and the rest is empty."""

    present: bool = False
    explanations: ListOf[LiveExplanation] = []
    falseLive: ListOf[FalseLive] = []
    placements: ListOf[UndefPlacement] = []  # best first
    worstTile: int = 0  # with the highest peak of live variable bytes
    worstProgram: Optional[Program] = None  # the first with that peak
    worstPeak: int = 0
    falseLiveAtPeak: int = 0
    worstPeakAfterAll: int = 0
    candidates: int = 0  # placements possible
    tried: int = 0  # applied and measured


class AdviceTrial(NamedTuple):
    """The program compiled again with some changes (engine option popscope.tryAdvice)."""

    purpose: str  # "unchanged", "alone", "together", "search", "smallest", "fit" or "fits"
    changes: str  # a JSON array, as popscope.applyAdvice takes it
    description: str  # the same in words, a line for each change
    numChanges: int
    tilesOutOfMemory: int
    fullestTile: int
    fullestBytes: int
    pastEndBytes: int
    allTilesBytes: int
    exchangeCodeBytes: int
    exchangeCycles: int  # of exchanges within IPUs, each step once


class DebugLocation(NamedTuple):
    """Where in the source a DebugContext was made."""

    fileName: str
    functionName: str
    lineNumber: int


class MeasuredCycles(NamedTuple):
    """Of one execution. of: "step" (id is that of its program), "compute set" or "vertex type" (one vertex of it); tile: None =
    the slowest; source and line: where they come from."""

    of: str
    id: int
    name: str
    tile: Optional[int]
    cycles: int
    source: str
    line: int


class ProgramVisitor:
    """Derive from it and override visitSync, visitDoExchange, ...: Program.accept calls the one method of the program's type.
    Every method does nothing by default."""


def _visit(self: ProgramVisitor, program: Program) -> None:
    """Does nothing: override it."""


for _type in ProgramType:
    if _type.name != "Unknown":
        setattr(ProgramVisitor, "visit" + _type.name, _visit)

SHOWN = {  # fields of the repr
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
    """The repr of an object of C++."""
    kind = type(thing).__name__
    if isinstance(getattr(thing, "type", None), ProgramType):
        return "<%s %d %s %r>" % (kind, thing._id, thing.type.name, thing.name)
    if kind == "Categories":
        return "Categories(%s)" % ", ".join("%s=%d" % (name, category.total) for name, category in thing if category.total)
    if kind == "Report":
        return "Report(%r)" % (thing.popscope.path or "in memory")
    return "%s(%s)" % (kind, ", ".join("%s=%r" % (field, getattr(thing, field)) for field in SHOWN.get(kind, ())))
