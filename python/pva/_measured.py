"""Extension: cycles that a real machine took, which popscope import-cycles brought into a profile."""

from __future__ import annotations

import os
from typing import List, NamedTuple, Optional, Union

from pva._report import Report, openReport


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


def openMeasured(path: Union[str, "os.PathLike[str]"]) -> List[MeasuredCycles]:
    """Those of a profile, in the order in which they came in; empty where nothing was brought in."""
    return measuredCycles(openReport(path))


def measuredCycles(report: Report) -> List[MeasuredCycles]:
    """Those of an open profile."""
    model = report._model
    rows = model.file.rows("measured_cycles", "ORDER BY id")
    names = {"program": [r.name for r in model.programs.rows], "compute_set": model.computeSetNames,
             "vertex_type": [r.name for r in model.vertexTypes]}
    kinds = {"program": "step", "compute_set": "compute set", "vertex_type": "vertex type"}
    for column, known in names.items():
        model.file.ids((getattr(r, column) for r in rows), len(known))
    model.file.ids((r.tile for r in rows), model.tiles)
    found = []
    for r in rows:
        of = [column for column in names if getattr(r, column) is not None]
        if len(of) != 1:
            model.file.corrupt("measured cycles are not of one thing")
        id = getattr(r, of[0])
        found.append(MeasuredCycles(kinds[of[0]], id, names[of[0]][id], r.tile, r.cycles, r.source, r.line))
    return found
