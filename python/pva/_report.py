"""The report, its target, graph and compilation."""

from __future__ import annotations

import enum
import os
import re
import warnings
from typing import Any, List as ListOf, NamedTuple, Optional, Union

from pva import _debug
from pva._execution import ComputeSet, ExecutionReport, VertexTypeFlops, flopsOf
from pva._list import Handle, List, checkIndex, listOf, setListPrintLength
from pva._advice import (AdviceTrial, LivenessAdvice, VariableAccess, hasVariableAccesses, readAdvice, readAdviceTrials,
                         readVariableAccesses)
from pva._liveness import (LivenessProgramStep, LoweredVariables, Variable, alwaysLiveOnTile, variableList)
from pva._memory import Tile, VertexType
from pva._model import Model
from pva._programs import Program, makeProgram, programList


class IPU(Handle):
    __slots__ = ("_model", "_ipu")
    _shown = ("tiles",)

    class Architecture(enum.Enum):
        Ipu1 = 0
        Ipu2 = 1
        Ipu21 = 2
        Cpu = 3
        Unknown = 4

    def __init__(self, model: Model, ipu: int) -> None:
        self._model, self._ipu = model, ipu

    @property
    def tiles(self) -> List[Tile]:
        perIpu = self._model.target.tiles_per_ipu
        return List(range(self._ipu * perIpu, (self._ipu + 1) * perIpu), lambda i: Tile(self._model, i))


class SyncDelay(NamedTuple):
    """Extension: one way to sync, "internal" to an IPU, "external" (with the host) or "global" (between IPUs). A tile's
    signal takes toController cycles; from the last arrival there it is fromController cycles to the release of a tile. By tile
    of one replica. acrossIpus: all tiles meet; else those of each IPU."""

    kind: str
    acrossIpus: bool
    toControllerByTile: ListOf[int]
    fromControllerByTile: ListOf[int]


class Target(Handle):
    """Sizes in bytes; counts over all IPUs and replicas unless the name says otherwise."""

    __slots__ = ("_model", "_row")
    _shown = ("type", "architecture", "numIPUs", "tilesPerIpu", "numReplicas")

    class Type(enum.Enum):
        Ipu = 0
        IpuModel = 1
        Cpu = 2
        Unknown = 3

    def __init__(self, model: Model) -> None:
        self._model, self._row = model, model.target

    @property
    def type(self) -> "Target.Type":
        types = {"IPU": Target.Type.Ipu, "IPU_MODEL": Target.Type.IpuModel, "CPU": Target.Type.Cpu}
        return types.get(self._row.type, Target.Type.Unknown)

    @property
    def architecture(self) -> IPU.Architecture:
        known = {a.name.lower(): a for a in IPU.Architecture}
        return known.get(self._row.architecture, IPU.Architecture.Unknown)

    @property
    def numIPUs(self) -> int:
        return self._row.num_ipus

    @property
    def tilesPerIpu(self) -> int:
        return self._row.tiles_per_ipu

    @property
    def numTiles(self) -> int:
        return self.numIPUs * self.tilesPerIpu

    @property
    def numReplicas(self) -> int:
        return self._row.num_replicas

    @property
    def ipusPerReplica(self) -> int:
        return self.numIPUs // self.numReplicas

    @property
    def tilesPerReplica(self) -> int:
        return self.numTiles // self.numReplicas

    @property
    def memoryPerReplica(self) -> int:
        """Bytes."""
        return self.tilesPerReplica * self.bytesPerTile

    @property
    def bytesPerTile(self) -> int:
        """Bytes."""
        return self._row.bytes_per_tile

    @property
    def bytesPerIPU(self) -> int:
        """Bytes."""
        return self.tilesPerIpu * self.bytesPerTile

    @property
    def totalMemory(self) -> int:
        """Bytes."""
        return self.numTiles * self.bytesPerTile

    @property
    def clockFrequency(self) -> float:
        """Hz."""
        return self._row.clock_hz

    @property
    def architectureName(self) -> str:
        """Extension: ipu1, ipu2, ipu21, cpu or a model's name."""
        return self._row.architecture

    @property
    def workerContexts(self) -> int:
        """Extension: worker threads of a tile."""
        return self._row.worker_contexts

    @property
    def interleavedOffset(self) -> int:
        """Extension: start of the interleaved region from the base, bytes; 0 = no such region."""
        return self._row.interleaved_offset

    @property
    def machine(self) -> str:
        """Extension: all fields of the machine as JSON (docs/MACHINES.md); empty in a profile of format 5 or older."""
        return self._row.machine

    @property
    def syncDelays(self) -> List[SyncDelay]:
        """Extension: by kind; empty in a profile of format 3 or older."""
        return listOf([SyncDelay(kind, across, list(to), list(back)) for kind, across, to, back in self._model.syncDelays])

    @property
    def minSyncDelay(self) -> int:
        """Extension: the least release delay of a sync within an IPU, cycles; 0 in a profile of format 3 or older."""
        return min((min(d.fromControllerByTile) for d in self.syncDelays if not d.acrossIpus), default=0)

    @property
    def relativeSyncDelayByTile(self) -> ListOf[int]:
        """Extension: the same by tile, less minSyncDelay; empty in a profile of format 3 or older."""
        least = self.minSyncDelay
        return [d - least for sync in self.syncDelays if not sync.acrossIpus for d in sync.fromControllerByTile]


class Graph(Handle):
    """Counts after lowering: what the compiler added is included."""

    __slots__ = ("_row",)
    _shown = ("numComputeSets", "numVertices", "numEdges", "numVars")

    def __init__(self, model: Model) -> None:
        self._row = model.file.one("graph")

    @property
    def numComputeSets(self) -> int:
        return self._row.num_compute_sets

    @property
    def numVertices(self) -> int:
        return self._row.num_vertices

    @property
    def numEdges(self) -> int:
        """Connections of vertex fields."""
        return self._row.num_edges

    @property
    def numVars(self) -> int:
        return self._row.num_variables

    @property
    def numVariables(self) -> int:
        """The same as numVars."""
        return self._row.num_variables


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


class CompilationReport(Handle):
    __slots__ = ("_model",)
    _shown = ("target", "graph")

    def __init__(self, model: Model) -> None:
        self._model = model

    @property
    def graph(self) -> Graph:
        return Graph(self._model)

    @property
    def target(self) -> Target:
        return Target(self._model)

    @property
    def tiles(self) -> List[Tile]:
        """By IPU: tile = ipu * tilesPerIpu + i."""
        return List(self._model.tiles, lambda i: Tile(self._model, i))

    @property
    def ipus(self) -> List[IPU]:
        return List(self._model.target.num_ipus, lambda i: IPU(self._model, i))

    @property
    def programs(self) -> List[Program]:
        """All programs, sub-programs included; index = _id."""
        return List(self._model.numPrograms, lambda i: makeProgram(self._model, i))

    @property
    def controlPrograms(self) -> List[Program]:
        """Those given to the engine."""
        return programList(self._model, self._model.programs.control)

    @property
    def functionPrograms(self) -> List[Program]:
        """Roots of function bodies."""
        return programList(self._model, self._model.programs.functions)

    @property
    def computeSets(self) -> List[ComputeSet]:
        return List(self._model.numComputeSets, lambda i: ComputeSet(self._model, i))

    @property
    def variables(self) -> List[Variable]:
        """Extension: all variables of the liveness lists, with their bytes over all tiles of one replica."""
        return variableList(self._model, [(r.id, r.size_bytes) for r in self._model.variables.rows])

    @property
    def alwaysLiveVariables(self) -> List[Variable]:
        """Sizes over all tiles of one replica, bytes. Code and system data have the names of their categories."""
        rows = self._model.variables.rows
        return variableList(self._model, [(r.id, r.size_bytes) for r in rows if r.always_live])

    def alwaysLiveVariablesForTile(self, tile: int) -> List[Variable]:
        """Sizes on this tile, bytes."""
        return variableList(self._model, alwaysLiveOnTile(self._model, tile))

    @property
    def livenessProgramSteps(self) -> List[LivenessProgramStep]:
        """Program positions in compile-time order."""
        return List(len(self._model.livenessSteps), lambda i: LivenessProgramStep(self._model, i))

    @property
    def loweredVariables(self) -> LoweredVariables:
        return LoweredVariables(self._model)

    @property
    def vertexTypes(self) -> List[VertexType]:
        """Extension."""
        return List(len(self._model.vertexTypes), lambda i: VertexType(self._model, i))

    def _options(self, scope: str) -> List[Option]:
        rows = self._model.file.positions("options")
        return listOf([Option(r.scope, r.key, r.value, bool(r.is_default)) for r in rows if r.scope == scope])

    @property
    def engineOptions(self) -> List[Option]:
        """Extension."""
        return self._options("engine")

    @property
    def targetOptions(self) -> List[Option]:
        """Extension."""
        return self._options("target")

    @property
    def optimizations(self) -> List[Optimization]:
        """Extension."""
        rows = self._model.file.positions("optimisations")
        return listOf([Optimization(r.name, r.unit, r.before, r.after) for r in rows])

    @property
    def machineCosts(self) -> List[MachineCost]:
        """Extension: by key; empty in a profile of format 3 or older."""
        return listOf([MachineCost(*row) for row in self._model.file.rows("machine_costs", "ORDER BY key")])

    @property
    def flops(self) -> List[VertexTypeFlops]:
        """Extension: floating-point operations of all compute sets, by compute set, then vertex type."""
        rows = [r for _, found in sorted(self._model.flopRows.items()) for r in found]
        return listOf([VertexTypeFlops(ComputeSet(self._model, r.compute_set), VertexType(self._model, r.vertex_type),
                                       flopsOf(r)) for r in rows])

    @property
    def messageSizes(self) -> List[MessageSizes]:
        """Extension: each combination once; empty in a profile of format 5 or older."""
        file = self._model.file
        result = []
        for row in file.positions("message_sizes"):
            sizes, messages = file.numberList(row.bytes), file.numberList(row.messages)
            if len(sizes) != len(messages):
                file.corrupt("lists that belong together are not as long")
            result.append(MessageSizes(row.buses, sizes, messages))
        return listOf(result)


class PoplarVersion(Handle):
    """Version of the library that wrote the profile: "3.1.0 (a027fa0bd5)"."""

    __slots__ = ("string", "major", "minor", "point", "packageHash")
    _shown = ("string",)

    def __init__(self, text: str) -> None:
        numbers = re.match(r"(\d{1,5})\.(\d{1,5})\.(\d{1,5})", text)
        package = re.search(r"\((.*?)\)", text)
        self.string = text
        self.major, self.minor, self.point = map(int, numbers.groups()) if numbers else (0, 0, 0)
        self.packageHash = package.group(1) if package else ""


class ProfileReportVersion(Handle):
    """Version of the file format."""

    __slots__ = ("major", "minor", "point", "isUnstableFormat")
    _shown = ("major", "minor", "point")

    def __init__(self, text: str) -> None:
        version = PoplarVersion(text)
        self.major, self.minor, self.point = version.major, version.minor, version.point
        self.isUnstableFormat = False


class ComputeInstrumentationLevel(enum.Enum):
    Off = 0
    Vertex = 1
    Tile = 2
    Ipu = 3
    Device = 4
    Unknown = 5


class ExternalExchangeInstrumentationLevel(enum.Enum):
    Off = 0
    Tile = 1
    Unknown = 2


class InstrumentationSettings(Handle):
    """What the engine was asked to count. Unknown: the profile does not say."""

    __slots__ = ("_model",)
    _shown = ("compute", "externalExchange")

    def __init__(self, model: Model) -> None:
        self._model = model

    def _counted(self, key: str) -> str:
        """Whether counters of a kind are on: their own option, and debug.instrument where that is not set."""
        options = {r.key: r for r in self._model.file.rows("options") if r.scope == "engine"}
        own = options.get(key)
        if own is not None and not own.is_default:
            return own.value
        return options["debug.instrument"].value if "debug.instrument" in options else ""

    @property
    def compute(self) -> ComputeInstrumentationLevel:
        on = self._counted("debug.instrumentCompute")
        if on != "true":
            return ComputeInstrumentationLevel.Off if on else ComputeInstrumentationLevel.Unknown
        levels = [r.value for r in self._model.file.rows("options")
                  if r.scope == "engine" and r.key == "debug.computeInstrumentationLevel"]
        name = levels[0].capitalize() if levels else ""
        return ComputeInstrumentationLevel.__members__.get(name, ComputeInstrumentationLevel.Unknown)

    @property
    def externalExchange(self) -> ExternalExchangeInstrumentationLevel:
        on = self._counted("debug.instrumentExternalExchange")
        level = ExternalExchangeInstrumentationLevel
        return level.Tile if on == "true" else level.Off if on else level.Unknown

    @property
    def controlFlow(self) -> bool:
        """Extension: branches and iterations were asked for."""
        return self._counted("debug.instrumentControlFlow") == "true"


class SettingWarning(NamedTuple):
    """Extension: a setting that has no effect, and why. about: the option's name."""
    about: str
    text: str


class IncompleteProfileWarning(UserWarning):
    """A profile was opened that is not complete: figures of a part look like those of the whole."""


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


class PopscopeData(Handle):
    """Extension: what only our profiles know."""

    __slots__ = ("_model",)
    _shown = ("codeIncluded", "complete", "maxLiveBytes")

    def __init__(self, model: Model) -> None:
        self._model = model

    @property
    def codeIncluded(self) -> bool:
        """False for an IPU Model without compileIPUCode: code takes no memory in the profile."""
        return self._model.meta().get("codeIncluded") == "1"

    @property
    def complete(self) -> bool:
        """The writer finished the file."""
        return self._model.meta().get("complete") == "1"

    @property
    def compilePhases(self) -> ListOf[CompilePhase]:
        """The parts of the compile, in the order of their begin; empty without popscope.recordCompilePhases."""
        found: ListOf[CompilePhase] = []
        for r in self._model.file.rows("compile_phases", "ORDER BY id"):
            if r.id != len(found) or (r.parent is not None and not 0 <= r.parent < r.id):
                self._model.file.corrupt("phases of the compile are missing")
            found.append(CompilePhase(r.name, r.parent, r.start_us, r.wall_us, r.cpu_us, r.bytes_before, r.bytes_after, r.peak_bytes))
        return found

    @property
    def ending(self) -> str:
        """Where and why a profile stops that is not complete; empty for a complete one."""
        meta = self._model.meta()
        if meta.get("complete") == "1":
            return ""
        if meta.get("ended"):
            return meta["ended"]
        runs = self._model.file.rows("runs", "ORDER BY id")
        if not runs:
            return "before the first run: its program stopped, or goes on"
        last = runs[-1]
        run = "run %d%s" % (last.id if last.number is None else last.number, ' ("%s")' % last.name if last.name else "")
        if last.complete:
            return "after %s: its program stopped, or goes on" % run
        steps = len(self._model.file.rows("steps", "WHERE run = ?", last.id))
        return "in %s, after %d of its steps: its program stopped, or goes on" % (run, steps)

    @property
    def warnings(self) -> "ListOf[SettingWarning]":
        """What the compiler said of the settings; empty in a profile of format 4 or older."""
        return [SettingWarning(r.about, r.text) for r in self._model.file.positions("warnings")]

    @property
    def cycleProvenance(self) -> str:
        """What cycles are: "estimated" (by a model of the machine)."""
        return self._model.meta().get("cycleProvenance", "estimated")

    @property
    def tilesOutOfMemory(self) -> ListOf[int]:
        """Fullest first."""
        tiles = [row.tile for row in self._model.file.positions("tiles_out_of_memory")]
        self._model.file.ids(iter(tiles), self._model.tiles)
        return tiles

    @property
    def alwaysLiveBytes(self) -> int:
        """Bytes of one replica."""
        return self._model.file.one("liveness_totals").always_live

    @property
    def maxLiveBytes(self) -> int:
        """Bytes of one replica, always-live bytes included."""
        return self._model.file.one("liveness_totals").max_live

    @property
    def livenessAdvice(self) -> LivenessAdvice:
        """Why variables are live, what is live for nothing, and where a WriteUndef helps."""
        return readAdvice(self._model)

    @property
    def hasVariableAccesses(self) -> bool:
        """Whether the file says what programs do to variables: where liveness is explained, but for files of before."""
        return hasVariableAccesses(self._model)

    def variableAccesses(self, variable: Variable) -> ListOf[VariableAccess]:
        """What programs do to a variable, by program; empty where the file does not say."""
        return readVariableAccesses(self._model, variable._id)

    @property
    def adviceTrials(self) -> ListOf[AdviceTrial]:
        """What trying changes of the program gave, the unchanged program first; empty where nothing was tried."""
        return readAdviceTrials(self._model)

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes what the profile holds now as the file `path`, which appears at once or not at all."""
        self._model.file.save(os.fspath(path))


class Report(Handle):
    """A profile. The file stays open while the report or anything taken from it is in use."""

    __slots__ = ("_model",)

    def __init__(self, model: Model) -> None:
        self._model = model

    @property
    def poplarVersion(self) -> PoplarVersion:
        return PoplarVersion(self._model.meta().get("poplarVersion", ""))

    @property
    def version(self) -> ProfileReportVersion:
        return ProfileReportVersion(self._model.meta().get("formatVersion", ""))

    @property
    def compilation(self) -> CompilationReport:
        return CompilationReport(self._model)

    @property
    def execution(self) -> ExecutionReport:
        return ExecutionReport(self._model)

    @property
    def instrumentationSettings(self) -> InstrumentationSettings:
        return InstrumentationSettings(self._model)

    @property
    def popscope(self) -> PopscopeData:
        """Extension."""
        return PopscopeData(self._model)

    def listPrintLength(self, newLength: int) -> None:
        """Sets how many elements the repr of a sequence shows, for all reports; 10 at first."""
        setListPrintLength(newLength)

    def __repr__(self) -> str:
        return "Report(%r)" % self._model.file.path


class OperationAnalysis(_debug.OperationAnalysis):
    __doc__ = _debug.OperationAnalysis.__doc__
    __slots__ = ()

    def __init__(self, report: Report) -> None:
        if not isinstance(report, Report):
            raise TypeError("OperationAnalysis: needs a pva.Report, not %s" % type(report).__name__)
        super().__init__(report)


def openReport(profilePath: Union[str, "os.PathLike[str]"],
               debugInfoPath: Optional[Union[str, "os.PathLike[str]"]] = None) -> Report:
    """Opens a profile for reading only. ProfileError, of one line that names the path, if it cannot be used. The second
    file, debug.cbor, is read by OperationAnalysis and Program.debugContext; it may be missing until then. Warns
    (IncompleteProfileWarning) of a profile that is not complete, and says where it ends."""
    report = Report(Model(os.fspath(profilePath), None if debugInfoPath is None else os.fspath(debugInfoPath)))
    ending = report.popscope.ending
    if ending:
        warnings.warn("%s is not complete: it ends %s" % (os.fspath(profilePath), ending), IncompleteProfileWarning, stacklevel=2)
    return report
