"""Debug information (debug.cbor) and the operations it names. The C++ counterpart is report/pva/Operations.cpp."""

from __future__ import annotations

import json
import struct
from typing import Any, Dict, List as ListOf, NamedTuple, NoReturn, Optional, Tuple

from pva._execution import NO_FLOPS, ComputeSet, Flops
from pva._file import ProfileError
from pva._list import Handle, List, listOf
from pva._liveness import LoweredVariable
from pva._model import Model
from pva._programs import Program, programList

_MAX_DEPTH = 64


class _Cbor:
    """The part of CBOR that the streamer writes: lengths are stated. ValueError for anything else."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def take(self, size: int) -> bytes:
        if size > len(self.data) - self.at:
            raise ValueError("it ends too early")
        self.at += size
        return self.data[self.at - size:self.at]

    def item(self, depth: int = 0) -> Any:
        if depth > _MAX_DEPTH:
            raise ValueError("it nests too deeply")
        head = self.take(1)[0]
        major, extra = head >> 5, head & 31
        if major == 7:
            return self._simple(extra)
        if extra > 27:
            raise ValueError("it states no lengths")
        value = extra if extra < 24 else int.from_bytes(self.take(1 << extra - 24), "big")
        if major == 0:
            return value
        if major == 1:
            return -1 - value
        if major == 2:
            return self.take(value).hex()
        if major == 3:
            return self.take(value).decode("utf-8", "replace")
        if value > len(self.data):  # each element takes a byte at least
            raise ValueError("it ends too early")
        if major == 4:
            return [self.item(depth + 1) for _ in range(value)]
        if major == 5:
            return {str(self.item(depth + 1)): self.item(depth + 1) for _ in range(value)}
        raise ValueError("it has a tag")

    def _simple(self, extra: int) -> Any:
        if extra in (20, 21, 22):
            return (False, True, None)[extra - 20]
        if extra in (25, 26, 27):
            return struct.unpack(">" + "efd"[extra - 25], self.take(1 << extra - 24))[0]
        raise ValueError("it has an unknown simple value")


class _Record(NamedTuple):
    id: int
    parent: int
    layer: str
    name: str
    file: str
    function: str
    line: int
    json: str


class _Records(NamedTuple):
    rows: ListOf[_Record]
    byId: Dict[int, int]


def _text(values: Dict[str, Any], key: str) -> str:
    found = values.get(key)
    return found if isinstance(found, str) else ""


def _number(values: Dict[str, Any], key: str) -> int:
    found = values.get(key)
    return found if isinstance(found, int) and found >= 0 else 0


def _record(values: Dict[str, Any]) -> _Record:
    place = values.get("location")
    place = place if isinstance(place, dict) else {}
    return _Record(_number(values, "id"), _number(values, "parentId"), _text(values, "layer"), _text(values, "name"),
                   _text(place, "fileName"), _text(place, "functionName"), _number(place, "lineNumber"),
                   json.dumps(values, separators=(",", ":"), sort_keys=True, ensure_ascii=False))


def _refuse(path: str, what: str) -> NoReturn:
    raise ProfileError("%s: %s" % (path, what))


def readRecords(path: str) -> _Records:
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError:
        _refuse(path, "the debug information cannot be opened")
    try:
        parser = _Cbor(data)
        root = parser.item()
        if parser.at != len(data) or not isinstance(root, dict) or not isinstance(root.get("contexts"), list):
            raise ValueError('no CBOR map with an array "contexts"')
    except ValueError as error:
        _refuse(path, "is not debug information: %s" % error)
    records = _Records([], {})
    for values in root["contexts"]:
        if not isinstance(values, dict):
            _refuse(path, "is corrupt: a context is no map")
        record = _record(values)
        if record.parent >= record.id or record.id in records.byId:
            _refuse(path, "is corrupt: context %d comes twice or before the one that it was made in" % record.id)
        records.byId[record.id] = len(records.rows)
        records.rows.append(record)
    return records


class DebugLocation(NamedTuple):
    fileName: str
    functionName: str
    lineNumber: int


_NONE = _Records([_Record(0, 0, "", "", "", "", 0, "")], {})


class DebugContext(Handle):
    """One recorded DebugInfo; one of id 0 and empty text stands for none."""

    __slots__ = ("_records", "_index")
    _shown = ("id", "name")

    def __init__(self, records: _Records, index: int) -> None:
        self._records, self._index = records, index

    @property
    def id(self) -> int:
        return self._records.rows[self._index].id

    @property
    def json(self) -> str:
        """The record as JSON."""
        return self._records.rows[self._index].json

    @property
    def layer(self) -> str:
        """A JSON object with the one key "layer"."""
        return json.dumps({"layer": self._records.rows[self._index].layer}, separators=(",", ":"), ensure_ascii=False)

    @property
    def parents(self) -> "List[DebugContext]":
        """The context that this one was made in, if it was recorded."""
        found = self._records.byId.get(self._records.rows[self._index].parent)
        return listOf([] if found is None else [DebugContext(self._records, found)])

    @property
    def location(self) -> DebugLocation:
        row = self._records.rows[self._index]
        return DebugLocation(row.file, row.function, row.line)

    @property
    def name(self) -> str:
        """Extension: the debug name with those of the contexts around it."""
        return self._records.rows[self._index].name

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DebugContext):
            return NotImplemented
        return self._records is other._records and self._index == other._index

    def __hash__(self) -> int:
        return hash((DebugContext, self._index))


class Operation(Handle):
    """What one debug context became: the programs that were made in it, and in none inside of it. In a profile whose programs
    do not know their context (of format 3 or older, or of an executable that was loaded): the programs whose name is the
    context's or lies below it, and below no longer one."""

    __slots__ = ("_model", "_context", "_programs")
    _shown = ("name",)

    def __init__(self, model: Model, context: DebugContext, programs: ListOf[int]) -> None:
        self._model, self._context, self._programs = model, context, programs

    @property
    def name(self) -> str:
        return self._context.name

    def programs(self) -> List[Program]:
        return programList(self._model, self._programs)

    @property
    def vars(self) -> List[LoweredVariable]:
        """Lowered variables that its programs occupy, each once."""
        byClass = self._model.lowered.byClass
        ids = sorted({v for p in self._programs for v in self._model.liveIn(byClass, p)})
        return listOf([LoweredVariable(self._model, v) for v in ids])

    @property
    def flops(self) -> Flops:
        """Extension: of one execution of each of its programs."""
        total, rows = NO_FLOPS, self._model.programs.rows
        for program in self._programs:
            if rows[program].compute_set is not None:
                total = total._plus(ComputeSet(self._model, rows[program].compute_set).flops)
        return total

    def _steps(self) -> Tuple[int, int]:
        steps = self._model.livenessSteps
        found = [i for p in self._programs for i in [self._model.livenessStepFrom(p)]
                 if i < len(steps) and steps[i].program == p]
        return (found[0], found[-1]) if found else (0, 0)

    @property
    def firstStepIndex(self) -> int:
        """Of livenessProgramSteps; 0 for an operation without programs there."""
        return self._steps()[0]

    @property
    def lastStepIndex(self) -> int:
        """Inclusive."""
        return self._steps()[1]

    @property
    def debugContext(self) -> DebugContext:
        return self._context

    @property
    def replacedDebugContext(self) -> List[DebugContext]:
        """Always empty: nothing replaces contexts."""
        return listOf([])


def _operationOf(program: str, names: Dict[str, int]) -> int:
    """The deepest context whose name is `program` or lies above it; -1 = none."""
    path = program
    while path:
        if path in names:
            return names[path]
        path = path.rpartition("/")[0]
    return -1


def contextOf(records: Optional[_Records], id: int) -> DebugContext:
    found = None if records is None else records.byId.get(id)
    return DebugContext(_NONE, 0) if records is None or found is None else DebugContext(records, found)


def _byId(records: _Records, model: Model) -> Tuple[ListOf[int], ListOf[ListOf[int]]]:
    programs: ListOf[ListOf[int]] = [[] for _ in records.rows]
    for row in model.programs.rows:
        if row.debug_context in records.byId:
            programs[records.byId[row.debug_context]].append(row.id)
    return list(range(len(records.rows))), programs


def _byName(records: _Records, model: Model) -> Tuple[ListOf[int], ListOf[ListOf[int]]]:
    names: Dict[str, int] = {}
    contexts = []
    for index, record in enumerate(records.rows):
        if record.name and record.name not in names:
            names[record.name] = len(contexts)
            contexts.append(index)
    programs: ListOf[ListOf[int]] = [[] for _ in contexts]
    for row in model.programs.rows:
        operation = _operationOf(row.name, names)
        if operation >= 0:
            programs[operation].append(row.id)
    return contexts, programs


def _operations(model: Model) -> List[Operation]:
    records = model.debugRecords
    if records is None:
        return listOf([])
    contexts, programs = (_byId if model.meta().get("debugContexts") == "1" else _byName)(records, model)
    return listOf([Operation(model, DebugContext(records, c), p) for c, p in zip(contexts, programs)])


class OperationAnalysis(Handle):
    """One operation for each context, or, in a profile that matches by name, for each name; in the order in which contexts
    were made. None for a report without debug information. ProfileError, naming the path, for a debug file that cannot be
    read."""

    __slots__ = ("operations",)
    _shown = ("operations",)

    def __init__(self, report: Any) -> None:
        self.operations: List[Operation] = _operations(report._model)
