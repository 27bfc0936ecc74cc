"""Liveness and lowered variables. All figures in bytes."""

from __future__ import annotations

from typing import Any, Callable, List as ListOf, NamedTuple, Tuple

from pva._list import Handle, List, checkIndex, listOf
from pva._model import Model
from pva._programs import Program, makeProgram


class Variable(Handle):
    """A variable of the liveness lists. Equality and hash are by variable, whatever list it came from."""

    __slots__ = ("_model", "_id", "_size")
    _shown = ("name", "size")

    def __init__(self, model: Model, id: int, size: int) -> None:
        self._model, self._id, self._size = model, id, size

    @property
    def name(self) -> str:
        """Its debug name; for code and system data the storage category."""
        return self._model.variables.names[self._id]

    @property
    def size(self) -> int:
        """Bytes over all tiles of a replica, or on the tile or IPU that was asked for."""
        return self._size

    @property
    def category(self) -> str:
        """Extension: storage category, e.g. "variable"."""
        return self._model.categories[self._model.variables.rows[self._id].category]

    @property
    def alwaysLive(self) -> bool:
        """Extension: live at every step."""
        return bool(self._model.variables.rows[self._id].always_live)

    @property
    def bytesByTile(self) -> List[int]:
        """Extension: its bytes on each tile of one replica."""
        dense = [0] * self._model.stepTiles
        for tile, size in self._model.variables.bytesByTile[self._id]:
            if tile < len(dense):
                dense[tile] = size
        return listOf(dense)

    @property
    def tiles(self) -> List[int]:
        """Extension: the tiles of one replica that hold a part of it, ascending."""
        limit = self._model.stepTiles
        return listOf([tile for tile, size in self._model.variables.bytesByTile[self._id] if size and tile < limit])

    def bytesOn(self, tile: int) -> int:
        """Extension: its bytes on one tile, 0 where it has none."""
        return next((size for t, size in self._model.variables.bytesByTile[self._id] if t == tile), 0)

    @property
    def liveSteps(self) -> List["StepInterval"]:
        """Extension: when it is live, of livenessProgramSteps; always-live ones at all steps."""
        row = self._model.variables.rows[self._id]
        if row.always_live:
            return EquivalenceClass(self._model, None).steps
        return listOf([]) if row.equivalence_class is None else EquivalenceClass(self._model, row.equivalence_class).steps

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Variable):
            return NotImplemented
        return self._id == other._id and self._model is other._model

    def __lt__(self, other: "Variable") -> bool:
        return self._id < other._id

    def __hash__(self) -> int:
        return hash((Variable, self._id))


_Sized = ListOf[Tuple[int, int]]  # (variable, bytes in the scope)


def variableList(model: Model, found: _Sized) -> "List[Variable]":
    return List(len(found), lambda i: Variable(model, *found[i]))


def alwaysLiveOnTile(model: Model, tile: int) -> _Sized:
    variables, stored = model.variables, model.storedTile(checkIndex("tile", tile, model.tiles))
    return [entry for entry in variables.onTile[stored] if variables.rows[entry[0]].always_live]


def _liveOnTile(model: Model, program: int, tile: int) -> _Sized:
    variables, live = model.variables, model.liveClasses(program)
    rows = variables.rows
    return [e for e in variables.onTile[model.storedTile(tile)]
            if not rows[e[0]].always_live and rows[e[0]].equivalence_class in live]


def _liveOnIpu(model: Model, program: int, ipu: int) -> _Sized:
    tiles = range(ipu * model.target.tiles_per_ipu, (ipu + 1) * model.target.tiles_per_ipu)
    variables = model.variables
    sized = [(i, sum(size for tile, size in variables.bytesByTile[i] if tile in tiles))
             for i in model.liveIn(variables.byClass, program)]
    return [entry for entry in sized if entry[1]]


def _liveOnAll(model: Model, program: int, _: int) -> _Sized:
    return [(i, model.variables.rows[i].size_bytes) for i in model.liveIn(model.variables.byClass, program)]


class LivenessMemory(Handle):
    """What is live, but not always live, at a step."""

    __slots__ = ("_model", "_step", "_live", "_index")
    _shown = ("bytes",)

    def __init__(self, model: Model, step: int, live: Callable[[Model, int, int], _Sized], index: int) -> None:
        self._model, self._step, self._live, self._index = model, step, live, index

    def _found(self) -> _Sized:
        return self._live(self._model, self._model.livenessSteps[self._step].program, self._index)

    @property
    def bytes(self) -> int:
        if self._live is _liveOnAll:
            return self._model.livenessSteps[self._step].size_bytes
        byIpu = self._model.livenessByIpu[self._step]
        if self._live is _liveOnIpu and self._index < len(byIpu):
            return byIpu[self._index]
        return sum(size for _, size in self._found())

    @property
    def variables(self) -> List[Variable]:
        return variableList(self._model, self._found())


class LivenessProgramStep(Handle):
    """One program position of the compiled graph; loops are not unrolled."""

    __slots__ = ("_model", "_step")
    _shown = ("program", "notAlwaysLiveMemory")

    def __init__(self, model: Model, step: int) -> None:
        self._model, self._step = model, step

    @property
    def program(self) -> Program:
        return makeProgram(self._model, self._model.livenessSteps[self._step].program)

    @property
    def notAlwaysLiveMemory(self) -> LivenessMemory:
        """Over the tiles of one replica."""
        return LivenessMemory(self._model, self._step, _liveOnAll, 0)

    def notAlwaysLiveMemoryForIpu(self, ipu: int) -> LivenessMemory:
        """Over the tiles of one IPU."""
        return LivenessMemory(self._model, self._step, _liveOnIpu, checkIndex("IPU", ipu, self._model.target.num_ipus))

    def notAlwaysLiveMemoryForTile(self, tile: int) -> LivenessMemory:
        """On one tile."""
        return LivenessMemory(self._model, self._step, _liveOnTile, checkIndex("tile", tile, self._model.tiles))


class StepInterval(NamedTuple):
    """Half-open interval of indices into livenessProgramSteps."""

    start: int
    end: int


class EquivalenceClass(Handle):
    """Lowered variables with the same live intervals."""

    __slots__ = ("_model", "_class")
    _shown = ("id", "steps")

    def __init__(self, model: Model, class_: Any) -> None:
        self._model, self._class = model, class_

    @property
    def id(self) -> int:
        """-1: live at every step."""
        return -1 if self._class is None else self._class

    @property
    def steps(self) -> List[StepInterval]:
        if self._class is None:
            return listOf([StepInterval(0, len(self._model.livenessSteps))])
        found = [StepInterval(*map(self._model.livenessStepFrom, i)) for i in self._model.intervals[self._class]]
        return listOf([i for i in found if i.start < i.end])  # else it lies between two liveness steps


class BriefVar(Handle):
    """The facts of a lowered variable that memory over time needs."""

    __slots__ = ("_model", "_row")
    _shown = ("id", "bytes", "tileId")

    def __init__(self, model: Model, id: int) -> None:
        self._model, self._row = model, model.lowered.rows[id]

    @property
    def id(self) -> int:
        """The _id of the LoweredVariable."""
        return self._row.id

    @property
    def bytes(self) -> int:
        return self._row.size_bytes

    @property
    def tileId(self) -> int:
        return self._row.tile

    @property
    def equivalenceClass(self) -> EquivalenceClass:
        return EquivalenceClass(self._model, self._row.equivalence_class)


class LoweredVariable(Handle):
    """One allocation on one tile. Equality and hash are by allocation."""

    __slots__ = ("_model", "_id", "_row")
    _shown = ("name", "bytes", "tile", "offset")

    def __init__(self, model: Model, id: int) -> None:
        self._model, self._id, self._row = model, id, model.lowered.rows[id]

    @property
    def name(self) -> str:
        return self._model.lowered.names[self._id]

    @property
    def bytes(self) -> int:
        return self._row.size_bytes

    @property
    def hasUnloweredVar(self) -> bool:
        """False for code and system data."""
        return self._row.variable is not None

    @property
    def unloweredVar(self) -> Variable:
        """Its part on this tile; LookupError without one."""
        if self._row.variable is None:
            raise LookupError("lowered variable '%s' has no unlowered variable: ask hasUnloweredVar first" % self.name)
        return Variable(self._model, self._row.variable, self._row.size_bytes)

    @property
    def alwaysLive(self) -> bool:
        return bool(self._row.always_live)

    @property
    def offset(self) -> int:
        """Address from the base of tile memory, bytes."""
        return self._row.offset

    @property
    def alignment(self) -> int:
        """What its address is a multiple of, bytes."""
        return self._row.alignment

    @property
    def category(self) -> str:
        """Storage category, e.g. "variable"."""
        return self._model.categories[self._row.category]

    @property
    def isConstant(self) -> bool:
        return bool(self._row.is_constant)

    @property
    def tile(self) -> int:
        return self._row.tile

    @property
    def equivalenceClass(self) -> EquivalenceClass:
        """When its addresses are occupied."""
        return EquivalenceClass(self._model, self._row.equivalence_class)

    @property
    def inInterleavedMem(self) -> bool:
        start = self._model.target.interleaved_offset
        return start != 0 and self._row.offset >= start

    @property
    def overlapped(self) -> bool:
        """Extension: shares its addresses with others over time."""
        return bool(self._row.overlapped)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LoweredVariable):
            return NotImplemented
        return self._id == other._id and self._model is other._model

    def __hash__(self) -> int:
        return hash((LoweredVariable, self._id))


class LoweredVariables(Handle):
    """Empty without autoReport.outputLoweredVars."""

    __slots__ = ("_model",)
    _shown = ("allBriefVars",)

    def __init__(self, model: Model) -> None:
        self._model = model

    @property
    def allBriefVars(self) -> List[BriefVar]:
        return List(len(self._model.lowered.rows), lambda i: BriefVar(self._model, i))

    def forTile(self, tile: int) -> List[LoweredVariable]:
        stored = self._model.storedTile(checkIndex("tile", tile, self._model.tiles))
        ids = self._model.lowered.onTile.get(stored, [])
        return List(len(ids), lambda i: LoweredVariable(self._model, ids[i]))
