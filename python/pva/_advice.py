"""Extension: explained liveness (engine option autoReport.all, or autoReport.outputLivenessExplanation). Figures in bytes.

Program ids are those of Program._id; intervals of them are half-open.
"""

from __future__ import annotations

import re
from typing import Any, Dict, List as ListOf, NamedTuple, Optional, Tuple

from pva._liveness import Variable
from pva._model import Model
from pva._programs import Program, makeProgram


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


class _Translate:
    """Ids of the tables to objects; an id out of range is a corrupt profile."""

    def __init__(self, model: Model) -> None:
        self.model, self.file = model, model.file

    def variable(self, id: int) -> Variable:
        rows = self.model.variables.rows
        self.file.ids(iter([id]), len(rows))
        return Variable(self.model, id, rows[id].size_bytes)

    def program(self, id: Optional[int]) -> Optional[Program]:
        if id is None:
            return None
        self.file.ids(iter([id]), self.model.numPrograms)
        return makeProgram(self.model, id)

    def ranges(self, text: str) -> ListOf[Tuple[int, int]]:
        if not re.fullmatch(r"(\[\d+,\d+\))*", text):
            self.file.corrupt("liveness_explanations.missed is no list of ranges")
        return [(int(begin), int(end)) for begin, end in re.findall(r"\[(\d+),(\d+)\)", text)]


def _explanations(model: Model, to: _Translate) -> ListOf[LiveExplanation]:
    """By variable, then program, with the plain lives, which the file leaves out: born at their first program, read by their last."""
    byVariable: Dict[int, ListOf[LiveExplanation]] = {}
    for e in model.file.positions("liveness_explanations"):
        byVariable.setdefault(e.variable, []).append(LiveExplanation(
            to.variable(e.variable), e.first_program, e.end_program, to.program(e.born), to.program(e.read),
            to.program(e.failed_kill), to.ranges(e.missed), e.missed_elements, e.carrier, to.program(e.carried_by)))
    for v in model.variables.rows:
        if v.always_live or v.equivalence_class is None:
            continue
        stored = byVariable.get(v.id, [])
        plain = [LiveExplanation(to.variable(v.id), first, end, to.program(first), to.program(end - 1), None, [], 0, "", None)
                 for first, end in model.intervals[v.equivalence_class]
                 if first < end and not any(first <= e.firstProgram < end for e in stored)]
        if plain:
            byVariable[v.id] = sorted(stored + plain, key=lambda e: e.firstProgram)
    return [e for v in sorted(byVariable) for e in byVariable[v]]


def readAdvice(model: Model) -> LivenessAdvice:
    rows: ListOf[Any] = model.file.rows("liveness_advice")
    if not rows:
        return LivenessAdvice()
    to, total = _Translate(model), rows[0]
    return LivenessAdvice(
        True,
        _explanations(model, to),
        [FalseLive(to.variable(f.variable), f.first_program, f.end_program, f.size_bytes, f.worst_tile_bytes)
         for f in model.file.positions("false_live")],
        [UndefPlacement(to.variable(p.variable), to.program(p.before), p.saved_on_worst_tile, p.saved_on_device)
         for p in model.file.positions("undef_placements")],
        total.worst_tile, to.program(total.worst_program), total.worst_peak, total.false_live_at_peak,
        total.worst_peak_after_all, total.candidates, total.tried)


def hasVariableAccesses(model: Model) -> bool:
    return bool(model.accesses)


def readVariableAccesses(model: Model, variable: int) -> ListOf[VariableAccess]:
    to, rows = _Translate(model), model.accesses.get(variable, [])
    return [VariableAccess(to.program(a.program), a.elements, a.read, a.written, a.undefined) for a in rows]


def readAdviceTrials(model: Model) -> ListOf[AdviceTrial]:
    return [AdviceTrial(t.purpose, t.changes, t.description, t.num_changes, t.tiles_out_of_memory, t.fullest_tile,
                        t.fullest_bytes, t.past_end_bytes, t.all_tiles_bytes, t.exchange_code_bytes, t.exchange_cycles)
            for t in model.file.rows("advice_trials", "ORDER BY id")]
