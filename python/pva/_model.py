"""What the objects of a report share: the open profile and the parts of it read so far. A part is read when first asked
for. The recorded execution is read again when the file has changed, so that a report opened during a run shows what
came later. The C++ counterpart is report/pva/Model.cpp."""

from __future__ import annotations

import bisect
import collections
import threading
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

from pva._file import _MAX_TILES, PopFile

_RECENT_VECTORS = 256
_STEPS_OF_PAGE, _STEP_PAGES = 128, 1024
# Column of each per-tile vector of a program or compute set, and whether no entry at all means "not estimated".
_VECTORS = {"controlCodeByTile": ("programs", "control_code", False),
            "codeBytesByTile": ("programs", "exchange_code", False),
            "bytesSentByTile": ("programs", "bytes_sent", False),
            "bytesReceivedByTile": ("programs", "bytes_received", False),
            "programEstimate": ("programs", "estimated_cycles", True),
            "counterCyclesByTile": ("programs", "counter_cycles", False),
            "messagesReceivedByTile": ("programs", "messages_received", False),
            "receiveLatencyByTile": ("programs", "receive_latency", False),
            "receiveTransferByTile": ("programs", "receive_transfer", False),
            "receiveControlsByTile": ("programs", "receive_controls", False),
            "counterStoresByTile": ("programs", "counter_stores", False),
            "receiveDistanceByTile": ("programs", "receive_distance", False),
            "messageSizesByTile": ("programs", "message_sizes", False),
            "computeSetEstimate": ("compute_sets", "estimated_cycles", True)}


class section:
    """A property computed once per model, under the model's lock."""

    def __init__(self, read: Any) -> None:
        self.read, self.name = read, read.__name__

    def __get__(self, model: "Model", owner: Any = None) -> Any:
        with model.lock:
            if self.name not in model.__dict__:
                model.__dict__[self.name] = self.read(model)
            return model.__dict__[self.name]


class Programs(NamedTuple):
    rows: list
    children: List[List[int]]
    control: List[int]
    functions: List[int]


class Tiles(NamedTuple):
    rows: list
    category: List[Dict[Tuple[int, int, int], int]]  # by tile: (category, region, overlapped) -> bytes


class Variables(NamedTuple):
    rows: list
    names: List[str]
    bytesByTile: List[List[Tuple[int, int]]]
    onTile: List[List[Tuple[int, int]]]  # by tile: (variable, bytes)
    byClass: Dict[int, List[int]]  # those that are not always live


class Lowered(NamedTuple):
    rows: list
    names: List[str]
    onTile: Dict[int, List[int]]
    byClass: Dict[int, List[int]]  # those that are not always live


class Execution(NamedTuple):
    runs: list
    totals: List[Optional[Any]]  # by run
    steps: range  # ids, of all runs
    stepsOfRun: List[range]


class Model:
    def __init__(self, path: str, debugInfoPath: Optional[str] = None) -> None:
        self.lock = threading.RLock()
        self.debugInfoPath = debugInfoPath  # of debug.cbor
        self.file = PopFile(path)
        if self.meta().get("compilation") != "1":
            self.file.fail("the profile holds no compiled graph (its program stopped before it was written)")
        self.target = self.file.one("target")
        t = self.target
        possible = t.num_ipus > 0 and t.num_ipus * t.tiles_per_ipu <= _MAX_TILES
        if not possible or t.num_replicas == 0 or t.num_ipus % t.num_replicas:
            self.file.corrupt("its target has impossible sizes")
        self.tiles = t.num_ipus * t.tiles_per_ipu
        self.stepTiles = self.tiles // t.num_replicas  # a step has the cycles of one replica
        self._execution: Optional[Tuple[int, Execution]] = None
        self._recent: "collections.OrderedDict[Any, tuple]" = collections.OrderedDict()
        self._liveClasses: Dict[int, frozenset] = {}
        self._stepPages: Dict[int, list] = {}

    def meta(self) -> Dict[str, str]:
        return {row.key: row.value for row in self.file.rows("meta")}

    # ---------------------------------------------------------------- programs
    @section
    def numPrograms(self) -> int:
        return self.file.count("programs")

    @section
    def numComputeSets(self) -> int:
        return self.file.count("compute_sets")

    @section
    def programs(self) -> Programs:
        # Without the per-tile vectors: those are read one by one.
        rows = self.file.positions("programs", vectors=False)
        self.file.ids((r.compute_set for r in rows), self.numComputeSets)
        children: List[List[int]] = [[] for _ in rows]
        for r in rows:
            if r.parent is not None:
                self.file.ids(iter([r.parent]), r.id)  # a parent comes before its children, so there is no cycle
                children[r.parent].append(r.id)
            self.file.ids(iter([r.exchange_code_of]), r.id)
        control = [r.program for r in self.file.positions("control_programs")]
        self.file.ids(iter(control), len(rows))
        return Programs(rows, children, control, [r.id for r in rows if r.is_function])

    @section
    def syncDelays(self) -> list:
        """(kind, across IPUs, to the controller by tile, from it by tile), by kind."""
        return [(r.kind, bool(r.across_ipus), self.file.dense(r.to_controller, self.stepTiles),
                 self.file.dense(r.from_controller, self.stepTiles)) for r in self.file.rows("sync_delays", "ORDER BY kind")]

    @section
    def accesses(self) -> Dict[int, list]:
        """Rows of variable_accesses by variable: they come in the order of variables, and programs ascend in each."""
        found: Dict[int, list] = {}
        for a in self.file.rows("variable_accesses", "ORDER BY id"):
            rows = found.setdefault(a.variable, [])
            if max(a.read, a.written, a.undefined) > a.elements or (rows and rows[-1].program >= a.program):
                self.file.corrupt("accesses of a variable are out of order, or beyond its elements")
            rows.append(a)
        return found

    def linkTransfers(self, program: int, make: Any) -> list:
        rows = self.file.rows("link_transfers", "WHERE program = ? ORDER BY position", program)
        result = []
        for position, row in enumerate(rows):
            if row.position != position:
                self.file.corrupt("row %d has the id %d" % (position, row.position))
            self.file.ids(iter((row.from_ipu, row.to_ipu)), self.target.num_ipus)
            tiles = [0] * self.stepTiles
            for tile, part in self.file.tileValues(row.tiles, self.tiles):
                if tile < len(tiles):
                    tiles[tile] = part
            result.append(make(row.from_ipu, row.to_ipu, row.size_bytes, tiles))
        return result

    def traffic(self, program: int) -> Tuple[int, List[int], List[int], List[int]]:
        """Tiles per group, and from, to and bytes of each pair of groups."""
        rows = self.file.rows("traffic", "WHERE program = ?", program)
        if not rows:
            return 1, [], [], []
        row = rows[0]
        senders = self.file.numberList(row.from_groups)
        receivers, sizes = (self.file.numberList(blob, len(senders)) for blob in (row.to_groups, row.size_bytes))
        if row.tiles_per_group <= 0:
            self.file.corrupt("a group of tiles is empty")
        if any(group * row.tiles_per_group >= self.tiles for groups in (senders, receivers) for group in groups):
            self.file.corrupt("traffic is of tiles that the target does not have")
        return row.tiles_per_group, senders, receivers, sizes

    def moreContexts(self, program: int) -> List[int]:
        rows = self.file.rows("more_contexts", "WHERE program = ? ORDER BY position", program)
        for position, row in enumerate(rows):
            if row.position != position:
                self.file.corrupt("row %d has the id %d" % (position, row.position))
        return [row.debug_context for row in rows]

    def dealtVertices(self, id: int) -> Tuple[List[int], List[List[Tuple[int, int]]]]:
        """Pattern by tile, from 1, and the patterns as (thread cycles, vertices): see table dealt_vertices."""
        rows = self.file.rows("dealt_vertices", 'WHERE "first" = ?', id)
        if not rows:
            return [], []
        row = rows[0]
        byTile = self.file.dense(row.pattern, self.stepTiles)
        runs, cycles, vertices = (self.file.numberList(blob) for blob in (row.runs, row.cycles, row.vertices))
        if len(cycles) != len(vertices):
            self.file.corrupt("lists that belong together are not as long")
        patterns: List[List[Tuple[int, int]]] = []
        at = 0
        for count in runs:
            if count > len(cycles) - at:
                self.file.corrupt("patterns of vertices are longer than their list")
            patterns.append(list(zip(cycles[at:at + count], vertices[at:at + count])))
            at += count
        self.file.ids(iter(byTile), len(patterns) + 1)
        return byTile, patterns

    @section
    def debugRecords(self) -> Any:
        """Of debug.cbor; None without a path."""
        from pva._debug import readRecords
        return None if self.debugInfoPath is None else readRecords(self.debugInfoPath)

    def slotCycles(self, id: int, part: int) -> List[int]:
        """One part of what worker slots did, by tile of one replica: see table slot_cycles."""
        rows = self.file.rows("slot_cycles", "WHERE id >= ? AND id <= ? AND first = ? AND part = ?", id,
                              min(id + part, 2**63 - 1), id, part)
        return self.file.dense(rows[0].cycles, self.stepTiles) if rows else [0] * self.stepTiles

    @section
    def computeSetNames(self) -> List[str]:
        return [row.name for row in self.file.positions("compute_sets", vectors=False)]

    @section
    def flopRows(self) -> Dict[int, List[Any]]:
        """Rows of compute_set_vertices by compute set, without their vectors."""
        result: Dict[int, List[Any]] = {}
        rows = self.file.rows("compute_set_vertices", "ORDER BY compute_set, position", vectors=False)
        self.file.ids((r.vertex_type for r in rows), len(self.vertexTypes))
        self.file.ids((r.compute_set for r in rows), self.numComputeSets)
        for r in rows:
            if r.flop_vertices is not None and (r.flop_vertices > r.instances or (r.flop_vertices != 0) != (r.flops is not None)):
                self.file.corrupt("a compute set knows the operations of other vertices than it has")
            result.setdefault(r.compute_set, []).append(r)
        return result

    def flops(self, computeSet: int) -> List[Any]:
        return self.flopRows.get(computeSet, [])

    def computeSetVertices(self, computeSet: int) -> List[Tuple[Any, List[int]]]:
        """(row, count by tile)."""
        rows = self.file.positions("compute_set_vertices", "WHERE compute_set = ? ORDER BY position", computeSet,
                                   key="position")
        self.file.ids((r.vertex_type for r in rows), len(self.vertexTypes))
        result = []
        for r in rows:
            counts = [0] * self.tiles
            for tile, count in self.file.tileValues(r.count_by_tile, self.tiles):
                counts[tile] = count
            result.append((r, counts))
        return result

    def values(self, kind: str, row: int) -> List[int]:
        """A per-tile vector; [] = not known. The latest ones stay in memory."""
        with self.lock:
            found = self._recent.get((kind, row))
            if found is None:
                found = self._recent[kind, row] = tuple(self._readValues(kind, row))
                if len(self._recent) > _RECENT_VECTORS:
                    self._recent.popitem(last=False)
            return list(found)

    def _readValues(self, kind: str, row: int) -> List[int]:
        if kind == "stepCycles":
            return self.file.dense(self.file.value("steps_by_tile", "cycles", row, key="step_id"), self.stepTiles)
        table, column, estimate = _VECTORS[kind]
        sparse = self.file.tileValues(self.file.value(table, column, row), self.tiles)
        if estimate and not sparse:
            return []
        every = self.programs.rows[row].control_code_every_tile if kind == "controlCodeByTile" else 0
        dense = [every] * self.tiles
        for tile, value in sparse:
            dense[tile] += value
        return dense

    # ---------------------------------------------------------------- memory
    @section
    def vertexTypes(self) -> list:
        return self.file.positions("vertex_types")

    @section
    def verticesOnTile(self) -> Dict[int, list]:
        byTile: Dict[int, list] = {}
        rows = self.file.rows("vertices_by_tile", "ORDER BY tile, vertex_type")
        self.file.ids((r.tile for r in rows), self.tiles)
        self.file.ids((r.vertex_type for r in rows), len(self.vertexTypes))
        for row in rows:
            byTile.setdefault(row.tile, []).append(row)
        return byTile

    @section
    def categories(self) -> List[str]:
        return [row.name for row in self.file.positions("var_categories")]

    @section
    def tileMemory(self) -> Tiles:
        rows = self.file.positions("memory_by_tile", "ORDER BY tile", key="tile")
        if len(rows) > self.tiles:
            self.file.corrupt("it has memory of more tiles than its target")
        category: List[Dict[Tuple[int, int, int], int]] = [{} for _ in rows]
        entries = self.file.rows("memory_by_tile_category", "ORDER BY tile")
        for name, limit in (("tile", len(rows)), ("category", len(self.categories)), ("region", 3), ("overlapped", 2)):
            self.file.ids((getattr(e, name) for e in entries), limit)
        for e in entries:
            category[e.tile][e.category, e.region, e.overlapped] = e.size_bytes
        return Tiles(rows, category)

    def storedTile(self, tile: int) -> int:
        """The tile whose rows stand for `tile`: a profile may hold one replica only."""
        stored = len(self.tileMemory.rows)
        return tile if tile < stored or stored != self.tiles // self.target.num_replicas else tile % stored

    # ---------------------------------------------------------------- liveness
    @section
    def strings(self) -> List[str]:
        return [row.string for row in self.file.positions("vars_string_table")]

    @section
    def intervals(self) -> List[List[Tuple[int, int]]]:
        """Half-open intervals of programs by class."""
        byClass: List[List[Tuple[int, int]]] = [[] for _ in range(self.file.count("equivalence_classes"))]
        rows = self.file.rows("equivalence_class_intervals", 'ORDER BY "class", position')
        self.file.ids((row[0] for row in rows), len(byClass))
        for class_, position, first, end in rows:
            self.file.ids(iter((first, end)), self.numPrograms + 1)
            if position != len(byClass[class_]):
                self.file.corrupt("row %d has the id %d" % (len(byClass[class_]), position))
            if first > end:
                self.file.corrupt("a live interval ends before it starts")
            byClass[class_].append((first, end))
        return byClass

    def liveClasses(self, program: int) -> frozenset:
        """Classes that are live at a program."""
        with self.lock:
            if program not in self._liveClasses:
                if len(self._liveClasses) >= _RECENT_VECTORS:
                    self._liveClasses.clear()
                self._liveClasses[program] = frozenset(
                    c for c, intervals in enumerate(self.intervals) if any(a <= program < b for a, b in intervals))
            return self._liveClasses[program]

    @section
    def variables(self) -> Variables:
        rows = self.file.positions("liveness_variables")
        self._checkVariables(rows)
        bytesByTile = [self.file.tileValues(r.bytes_by_tile, self.tiles) for r in rows]
        onTile: List[List[Tuple[int, int]]] = [[] for _ in range(self.tiles)]
        for variable, entries in enumerate(bytesByTile):
            for tile, size in entries:
                onTile[tile].append((variable, size))
        return Variables(rows, self._names(rows), bytesByTile, onTile, self._byClass(rows))

    def _checkVariables(self, rows: list) -> None:
        self.file.ids((r.name for r in rows), len(self.strings))
        self.file.ids((r.category for r in rows), len(self.categories))
        self.file.ids((r.equivalence_class for r in rows), len(self.intervals))

    def _names(self, rows: list) -> List[str]:
        return [self.strings[r.name] for r in rows]

    @staticmethod
    def _byClass(rows: list) -> Dict[int, List[int]]:
        byClass: Dict[int, List[int]] = {}
        for r in rows:
            if not r.always_live and r.equivalence_class is not None:
                byClass.setdefault(r.equivalence_class, []).append(r.id)
        return byClass

    @section
    def lowered(self) -> Lowered:
        rows = self.file.positions("vars_info")
        self._checkVariables(rows)
        self.file.ids((r.tile for r in rows), self.tiles)
        self.file.ids((r.variable for r in rows), self.file.count("liveness_variables"))
        onTile: Dict[int, List[int]] = {}
        for r in rows:
            onTile.setdefault(r.tile, []).append(r.id)
        return Lowered(rows, self._names(rows), onTile, self._byClass(rows))

    def liveIn(self, byClass: Dict[int, List[int]], program: int) -> List[int]:
        """The ids of `byClass` that are live at a program, ascending."""
        return sorted(i for c in self.liveClasses(program) for i in byClass.get(c, ()))

    @section
    def livenessSteps(self) -> list:
        rows = self.file.positions("liveness_steps")
        self.file.ids((r.program for r in rows), self.numPrograms)
        if any(a.program > b.program for a, b in zip(rows, rows[1:])):
            self.file.corrupt("its liveness steps are not in program order")
        return rows

    @section
    def livenessByIpu(self) -> List[List[int]]:
        byStep: List[List[int]] = [[] for _ in self.livenessSteps]
        rows = self.file.rows("liveness_steps_by_ipu", "ORDER BY step, ipu")
        self.file.ids((r.step for r in rows), len(byStep))
        for r in rows:
            if r.ipu != len(byStep[r.step]):
                self.file.corrupt("row %d has the id %d" % (len(byStep[r.step]), r.ipu))
            byStep[r.step].append(r.size_bytes)
        return byStep

    def livenessStepFrom(self, program: int) -> int:
        """Index of the first liveness step whose program is not before `program`."""
        return bisect.bisect_left(self._stepPrograms, program)

    @section
    def _stepPrograms(self) -> List[int]:
        return [row.program for row in self.livenessSteps]

    # ---------------------------------------------------------------- execution
    def execution(self) -> Execution:
        with self.lock:
            revision = self.file.revision()
            if self._execution is None or self._execution[0] != revision:
                self._execution = (revision, self._readExecution())
                self._stepPages.clear()
                for key in [k for k in self._recent if k[0] == "stepCycles"]:
                    del self._recent[key]
            return self._execution[1]

    def _readExecution(self) -> Execution:
        runs = self.file.rows("runs", "ORDER BY id")
        totals = {row.run: row for row in self.file.rows("execution_cycle_totals", "ORDER BY run")}
        steps = self._stepIds()
        if not set(totals) <= {run.id for run in runs}:
            self.file.corrupt("it has totals of a run that it does not have")
        firsts = [run.first_step for run in runs]
        ends = firsts[1:] + [max(firsts[-1:] + [steps.stop])]
        if any(a > b or (steps and b > steps.stop) for a, b in zip(firsts, ends)):
            self.file.corrupt("the steps of its runs are not in order")
        if steps and firsts[:1] != [steps.start]:
            self.file.corrupt("it has steps of a run that it does not have")
        return Execution(runs, [totals.get(run.id) for run in runs], steps, [range(*se) for se in zip(firsts, ends)])

    def runVertexTypes(self) -> Dict[int, Tuple[int, Optional[int]]]:
        """(instances, cycles) by vertex type, over all runs; None where no step's cycles are known."""
        rows = self.file.rows("run_vertex_types", "ORDER BY run, vertex_type")
        self.file.ids((r.vertex_type for r in rows), len(self.vertexTypes))
        sums: Dict[int, Tuple[int, Optional[int]]] = {}
        for r in rows:
            instances, cycles = sums.get(r.vertex_type, (0, None))
            sums[r.vertex_type] = (instances + r.instances, cycles if r.cycles is None else (cycles or 0) + r.cycles)
        return sums

    def _stepIds(self) -> range:
        (first,), (last,) = (self.file.guarded(lambda: self.file._db.execute("SELECT %s(id) FROM steps" % f).fetchone())
                             for f in ("MIN", "MAX"))
        if first is None:
            return range(0)
        if not 0 <= first <= last or last - first >= self.file._maxRows():
            self.file.corrupt("it has more steps than the file has room for")
        return range(first, last + 1)

    def step(self, id: int) -> Any:
        """A row of steps. The latest ones stay in memory."""
        with self.lock:
            page = id // _STEPS_OF_PAGE
            rows = self._stepPages.get(page)
            if not rows or not rows[0].id <= id <= rows[-1].id:
                if len(self._stepPages) >= _STEP_PAGES:
                    self._stepPages.clear()
                first = max(page * _STEPS_OF_PAGE, self.execution().steps.start)
                rows = self._stepPages[page] = self._readSteps(first, (page + 1) * _STEPS_OF_PAGE)
            if not rows or not rows[0].id <= id <= rows[-1].id:
                self.file.fail("step %d is not recorded any more" % id)
            return rows[id - rows[0].id]

    def _readSteps(self, first: int, end: int) -> list:
        rows = self.file.rows("steps", "WHERE id >= ? AND id < ? ORDER BY id", first, end)
        self.file.ids((s.program for s in rows), self.numPrograms)
        self.file.ids((s.compute_set for s in rows), self.numComputeSets)
        for position, row in enumerate(rows):
            if row.id != first + position:
                self.file.corrupt("its steps have no row %d" % (first + position))
        return rows
