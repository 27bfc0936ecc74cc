"""Programs of a compiled graph and the visitor over them."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, List as ListOf, NamedTuple, Optional

from pva._list import Handle, List, listOf
from pva._model import Model

if TYPE_CHECKING:
    from pva._debug import DebugContext
    from pva._execution import ComputeSet
    from pva._liveness import LoweredVariable


class Program(Handle):
    """One lowered program. Equality and hash are by program, whatever list it came from."""

    __slots__ = ("_model", "_id")

    class Type(enum.Enum):
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

    def __init__(self, model: Model, id: int) -> None:
        self._model, self._id = model, id

    @property
    def name(self) -> str:
        """Debug name, or ""."""
        return self._model.programs.rows[self._id].name

    @property
    def type(self) -> "Program.Type":
        return typeFromName(self._model.programs.rows[self._id].type)

    @property
    def children(self) -> "List[Program]":
        return programList(self._model, self._model.programs.children[self._id])

    @property
    def vars(self) -> "List[LoweredVariable]":
        """Lowered variables that are not always live and whose memory is occupied at this program. Empty without
        autoReport.outputLoweredVars."""
        from pva._liveness import LoweredVariable
        ids = self._model.liveIn(self._model.lowered.byClass, self._id)
        return List(len(ids), lambda i: LoweredVariable(self._model, ids[i]))

    @property
    def controlCodeByTile(self) -> ListOf[int]:
        """Bytes of control code by tile, children included."""
        return self._model.values("controlCodeByTile", self._id)

    @property
    def debugContextId(self) -> int:
        """Extension: id of the DebugInfo that it was made in, or around it; 0 = none or not known."""
        return self._model.programs.rows[self._id].debug_context or 0

    @property
    def debugContext(self) -> "DebugContext":
        """Extension: that DebugInfo as debug.cbor tells it; a context whose id is 0 where there is none, or the report has no
        debug information. ProfileError, naming the path, for debug information that cannot be read."""
        from pva._debug import contextOf
        return contextOf(self._model.debugRecords, self.debugContextId)

    @property
    def moreDebugContextIds(self) -> ListOf[int]:
        """Extension: ids of the DebugInfos of what the compiler merged into it, in program order, beside debugContextId."""
        return self._model.moreContexts(self._id)

    @property
    def moreDebugContexts(self) -> ListOf["DebugContext"]:
        """Extension: those of them that debug.cbor tells. ProfileError as for debugContext."""
        from pva._debug import contextOf
        contexts = (contextOf(self._model.debugRecords, id) for id in self.moreDebugContextIds)
        return [context for context in contexts if context.id]

    @property
    def barriers(self) -> ListOf[str]:
        """Extension: that all tiles pass, one after the other: "internal", "external", "global", see Target.syncDelays."""
        return [name for name in self._model.programs.rows[self._id].barriers.split(",") if name]

    @property
    def counterCyclesByTile(self) -> ListOf[int]:
        """Extension: cycles by tile of reading the counters of instrumentation after its work."""
        return self._model.values("counterCyclesByTile", self._id)

    @property
    def counterStoresByTile(self) -> ListOf[int]:
        """Extension: how many rounds of the workers are in counterCyclesByTile; 0 in a profile of format 5 or older."""
        return self._model.values("counterStoresByTile", self._id)

    def accept(self, visitor: "ProgramVisitor") -> None:
        """Calls the one method of `visitor` for this program's type; does not descend into children."""
        if not isinstance(visitor, ProgramVisitor):
            raise TypeError("accept: needs a pva.ProgramVisitor, not %s" % type(visitor).__name__)
        type_ = self.type
        if type_ is not Program.Type.Unknown:
            getattr(visitor, "visit" + type_.name)(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Program):
            return NotImplemented
        return self._id == other._id and self._model is other._model

    def __hash__(self) -> int:
        return hash((Program, self._id))

    def __repr__(self) -> str:
        return "<%s %d %s %r>" % (type(self).__name__, self._id, self.type.name, self.name)


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


class ExchangeProgram(Program):
    """A program with exchange code."""

    __slots__ = ()

    @property
    def codeBytesByTile(self) -> ListOf[int]:
        """Bytes by tile of exchange code that no program before it has: they add up to what the exchanges of a profile
        take."""
        return self._model.values("codeBytesByTile", self._id)

    @property
    def codeSharedWith(self) -> Optional[Program]:
        """Extension: the program whose exchange code this one executes as well, with no code of its own; None = it has its
        own."""
        shared = self._model.programs.rows[self._id].exchange_code_of
        return None if shared is None else makeProgram(self._model, shared)

    @property
    def estimatedCyclesByTile(self) -> ListOf[int]:
        """Compile-time estimate, cycles by tile; empty if there is none."""
        return self._model.values("programEstimate", self._id)

    @property
    def bytesSentByTile(self) -> ListOf[int]:
        """Bytes by tile."""
        return self._model.values("bytesSentByTile", self._id)

    @property
    def bytesReceivedByTile(self) -> ListOf[int]:
        """Bytes by tile."""
        return self._model.values("bytesReceivedByTile", self._id)

    @property
    def messagesReceivedByTile(self) -> ListOf[int]:
        """Extension: messages by tile, of an exchange."""
        return self._model.values("messagesReceivedByTile", self._id)

    @property
    def receiveLatencyByTile(self) -> ListOf[int]:
        """Extension, of a DoExchange: cycles by tile until the first word of its furthest sender. On each tile

            estimated cycles = max(ceil(bytes sent / width), latency + max(transfer, controls * cycles of a control))

        with width = exchange.bytesPerCycle and exchange.controlCycles of CompilationReport.machineCosts."""
        return self._model.values("receiveLatencyByTile", self._id)

    @property
    def receiveTransferByTile(self) -> ListOf[int]:
        """Extension, of a DoExchange: cycles by tile in which the words that it receives pass."""
        return self._model.values("receiveTransferByTile", self._id)

    @property
    def receiveControlsByTile(self) -> ListOf[int]:
        """Extension, of a DoExchange: 2 for each turn to another sender, 1 for one to another address alone."""
        return self._model.values("receiveControlsByTile", self._id)

    @property
    def receiveDistanceByTile(self) -> ListOf[int]:
        """Extension, of a DoExchange: tiles to the furthest sender; 0 in a profile of format 5 or older."""
        return self._model.values("receiveDistanceByTile", self._id)

    @property
    def messageSizesByTile(self) -> ListOf[int]:
        """Extension, of a DoExchange: the sizes of what a tile receives, a position in CompilationReport.messageSizes plus 1;
        0 = nothing, or a profile of format 5 or older."""
        return self._model.values("messageSizesByTile", self._id)

    @property
    def linkTransfers(self) -> ListOf[LinkTransfer]:
        """Extension, of a GlobalExchange: what goes between IPUs; empty in a profile of format 5 or older."""
        return self._model.linkTransfers(self._id, LinkTransfer)

    @property
    def traffic(self) -> TileTraffic:
        """Extension, of a DoExchange or a GlobalExchange within a replica: who sends to whom. Empty where nothing travels, and
        in a profile of format 6 or older."""
        return TileTraffic(*self._model.traffic(self._id))


class OnTileExecuteProgram(Program):
    __slots__ = ()

    @property
    def computeset(self) -> "ComputeSet":
        """The compute set that is executed."""
        from pva._execution import ComputeSet
        computeSet = self._model.programs.rows[self._id].compute_set
        if computeSet is None:
            self._model.file.corrupt("an OnTileExecute has no compute set")
        return ComputeSet(self._model, computeSet)


class RepeatProgram(Program):
    __slots__ = ()

    @property
    def count(self) -> int:
        """Iterations."""
        return self._model.programs.rows[self._id].count


class ProgramVisitor:
    """Subclass and override; every method does nothing by default. A Sync is a plain Program."""

    def visitSync(self, program: Program) -> None: ...
    def visitOnTileExecute(self, program: OnTileExecuteProgram) -> None: ...
    def visitRepeat(self, program: RepeatProgram) -> None: ...


_EXCHANGES = ("DoExchange", "GlobalExchange", "StreamCopyBegin", "StreamCopyMid", "StreamCopyEnd")
_types = dict(Program.Type.__members__)
_classes = {Program.Type.OnTileExecute: OnTileExecuteProgram, Program.Type.Repeat: RepeatProgram,
            Program.Type.Sync: Program, Program.Type.Unknown: Program}


def _addTypes() -> None:
    """A class and a visitor method for each type that has no fields of its own: CallProgram, visitCall, ..."""
    for name, type_ in _types.items():
        if type_ not in _classes:
            base = ExchangeProgram if name in _EXCHANGES else Program
            doc = "A %s program." % name
            _classes[type_] = type(name + "Program", (base,), {"__slots__": (), "__doc__": doc, "__module__": __name__})
        if type_ is not Program.Type.Unknown and not hasattr(ProgramVisitor, "visit" + name):
            def visit(self: ProgramVisitor, program: Program) -> None: ...
            visit.__name__, visit.__qualname__ = "visit" + name, "ProgramVisitor.visit" + name
            setattr(ProgramVisitor, "visit" + name, visit)


_addTypes()
CLASSES = {c.__name__: c for c in _classes.values()}


def typeFromName(name: str) -> Program.Type:
    return _types.get(name, Program.Type.Unknown)


def makeProgram(model: Model, id: int) -> Program:
    """The program as an object of its type's class."""
    return _classes[typeFromName(model.programs.rows[id].type)](model, id)


def programList(model: Model, ids: ListOf[int]) -> "List[Program]":
    return List(len(ids), lambda i: makeProgram(model, ids[i]))


__all__ = ["ProgramVisitor", "ExchangeProgram", *CLASSES]
