"""Analyses of a profile as named tables. A query makes each table; a row states what happened, when, how long and how much."""

from __future__ import annotations

import importlib.util
from typing import Any, Dict, Iterable, List, Optional

_CLOCK = "(SELECT clock_hz FROM target)"

# Each entry has the meaning of the table, which is also the docstring of a property of Profile, and the query.
# docs/PYTHON.md lists the tables.
QUERIES: Dict[str, Any] = {
    "inferences": ("One row per recorded run: cycles, microseconds by the tile clock, and begin and end in microseconds by the host's clock.",
                   "SELECT r.id AS run, r.name, r.label, t.total_cycles AS cycles, 1e6 * t.total_cycles / %s AS microseconds, "
                   "r.start_us AS host_start_us, r.end_us AS host_end_us FROM runs r LEFT JOIN execution_cycle_totals t ON t.run = r.id ORDER BY r.id" % _CLOCK),
    "device": ("One row per recorded run: cycles, and the cycles of all tiles by cause, which add up to tiles * cycles.",
               "SELECT r.id AS run, r.name, r.label, t.total_cycles AS cycles, t.compute, t.thread_cycles AS compute_without_idle, t.exchange, "
               "t.global_exchange, t.host_exchange, t.sync, t.unattributed FROM runs r JOIN execution_cycle_totals t ON t.run = r.id ORDER BY r.id"),
    "operators": ("One row per compute set, slowest first: executions, the cycles that they add to the runs, the cycles of the longest "
                  "execution, busy and thread cycles summed over tiles, and the percentage of the cycles of all runs.",
                  # Problem: which part of the length of the runs comes from each compute set?
                  # Idea: a step adds the cycles by which it ends after all earlier steps of its run. If the end of the
                  # previous step is unknown, these cycles count at most from the arrival of the last tile. In a run
                  # with the times of only some categories, a step adds at most its own cycles. If a step has no times,
                  # the cycles that it adds are unknown. Every sum that includes this step is then unknown, too.
                  # Runs that were cut short count only if no run ended. With debug.computeInstrumentationLevel ipu or
                  # device, only the active cycles are known.
                  "WITH counted AS (SELECT id FROM runs WHERE complete OR NOT EXISTS (SELECT 1 FROM runs WHERE complete)), "
                  "ends AS (SELECT s.id, s.run, max(i.cycles_base + coalesce(max(i.all_cycles_to_max, i.active_cycles_to_max), "
                  "i.all_cycles_to_max, i.active_cycles_to_max)) AS t, max(i.cycles_base + i.all_cycles_from_max) AS f, max(i.cycles) AS c "
                  "FROM steps s JOIN steps_by_ipu i ON i.step_id = s.id WHERE s.run IN (SELECT id FROM counted) GROUP BY s.id), "
                  "length AS (SELECT CASE WHEN EXISTS (SELECT 1 FROM execution_cycle_totals) "
                  "THEN (SELECT CASE WHEN COUNT(total_cycles) = COUNT(*) THEN SUM(total_cycles) END FROM execution_cycle_totals) "
                  "ELSE (SELECT SUM(e) FROM (SELECT max(t) AS e FROM ends GROUP BY run)) END AS cycles), "
                  "whole AS (SELECT id, run, c, max(0, t - max(coalesce(max(t) OVER (PARTITION BY run ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND "
                  "1 PRECEDING), 0), CASE WHEN lag(t IS NULL, 1, 0) OVER (PARTITION BY run ORDER BY id) THEN coalesce(f, 0) ELSE 0 END)) AS adds "
                  "FROM ends), "
                  "parts AS (SELECT id, CASE WHEN c > 0 AND run IN (SELECT run FROM run_categories) THEN min(adds, c) ELSE adds END AS adds "
                  "FROM whole) "
                  "SELECT c.name, COUNT(*) AS executions, CASE WHEN COUNT(p.adds) = COUNT(*) THEN SUM(p.adds) END AS cycles, "
                  "CASE WHEN COUNT(n.cycles) = COUNT(*) THEN MAX(n.cycles) END AS max_cycles, "
                  "CASE WHEN COUNT(n.busy_cycles) = COUNT(*) THEN SUM(n.busy_cycles) END AS busy_cycles, "
                  "CASE WHEN COUNT(n.thread_cycles) = COUNT(*) THEN SUM(n.thread_cycles) END AS thread_cycles, 100.0 * CASE WHEN COUNT(p.adds) = COUNT(*) THEN SUM(p.adds) END / (SELECT cycles FROM length) AS percent "
                  "FROM named_steps n JOIN parts p ON p.id = n.id JOIN compute_sets c ON c.id = n.compute_set GROUP BY n.compute_set "
                  "ORDER BY cycles DESC, c.name"),
    "host": ("One row per stream copy with bytes or cycles: the bytes to the device and to the host, and the cycles of the device.",
             "SELECT run, name, type, cycles, data_in AS bytes_to_device, data_out AS bytes_to_host, start FROM named_steps WHERE type LIKE 'StreamCopy%' "
             "AND (cycles > 0 OR data_in > 0 OR data_out > 0) ORDER BY id"),
    "runs": ("One row per recorded run: name, label, program, number, whether it is complete, cycles, and microseconds by the tile clock.",
             "SELECT r.id AS run, r.name, r.label, r.program, r.number, r.complete, t.total_cycles AS cycles, 1e6 * t.total_cycles / %s AS microseconds "
             "FROM runs r LEFT JOIN execution_cycle_totals t ON t.run = r.id ORDER BY r.id" % _CLOCK),
    "steps": ("One row per executed step: run, type, name, start and length in cycles, tiles with work, busy and thread cycles summed over tiles, bytes.",
              "SELECT id AS step, run, type, name, start, cycles, active_tiles, busy_cycles, thread_cycles, data_in AS bytes_in, data_out AS bytes_out "
              "FROM named_steps ORDER BY id"),
    "variables": ("One row per variable, largest first: storage category, bytes over all tiles of one replica, and whether it is always live.",
                  "SELECT name, category, size_bytes AS bytes, always_live FROM named_liveness_variables ORDER BY size_bytes DESC, id"),
    "tiles": ("One row per tile of one replica: bytes excluding gaps, including gaps and past the end, always-live bytes, and the peak of the other live bytes.",
              "SELECT tile, total AS bytes, total_including_gaps AS bytes_with_gaps, overflowed AS bytes_past_end, always_live AS always_live_bytes, "
              "max_not_always_live AS most_live_bytes FROM memory_by_tile ORDER BY tile"),
}


class Rows(List[Dict[str, Any]]):
    """A table as a list of dicts, one per row. It needs neither pandas nor polars. A notebook shows at most 60 rows."""

    def _repr_html_(self) -> str:
        import html

        if not self:
            return "<i>no rows</i>"
        def cells(tag: str, values: Iterable[Any]) -> str:
            return "".join("<%s>%s</%s>" % (tag, "" if v is None else html.escape(str(v)), tag) for v in values)
        shown = "".join("<tr>%s</tr>" % cells("td", row.values()) for row in self[:60])
        more = "<p>%d more rows</p>" % (len(self) - 60) if len(self) > 60 else ""
        return "<table><tr>%s</tr>%s</table>%s" % (cells("th", self[0]), shown, more)


def needs(module: str, what: str, instead: str) -> Any:
    """Imports and returns the module.

    If the module is not installed, raises an ImportError with an installation command and an alternative.
    """
    try:
        return __import__(module)
    except ImportError:
        package = "" if module == "polars" else "python3-%s or " % module  # Debian has no package of polars
        raise ImportError("%s needs %s, which is not installed: install it (%s`pip install %s`), or use %s" %
                          (what, module, package, module, instead)) from None


def make(names: List[str], rows: List[Any], kind: Optional[str]) -> Any:
    """Returns a DataFrame of pandas or polars, or Rows.

    kind: "pandas", "polars" or "rows"; None = the first of them that is installed. Raises ValueError for another kind,
    and ImportError for a library that is not installed.
    """
    if kind is None:
        kind = next((k for k in ("pandas", "polars") if importlib.util.find_spec(k)), "rows")
    if kind == "rows":
        return Rows(dict(zip(names, row)) for row in rows)
    if kind not in ("pandas", "polars"):
        raise ValueError("there is no kind of frame %r; there are pandas, polars and rows" % kind)
    return needs(kind, 'popscope.Profile.frame of the kind "%s"' % kind, 'the kind "rows"').DataFrame({name: [row[i] for row in rows] for i, name in enumerate(names)})
