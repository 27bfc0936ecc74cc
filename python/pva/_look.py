"""The view of a report in a notebook, and pictures that matplotlib draws."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any, List, Sequence, Tuple

from pva._native import pva as _cpp

if TYPE_CHECKING:
    from pva.pva_core import Report

_COLOURS = {"OnTileExecute": "#c0392b", "DoExchange": "#2471a3", "GlobalExchange": "#8e44ad", "Sync": "#b7950b"}  # all other types have the colour _HOST
_HOST = "#1e8449"


def _axes(axes: Any) -> Any:
    if axes is not None:
        return axes
    try:
        from matplotlib import pyplot
    except ImportError:
        raise ImportError("plot needs matplotlib, which is not installed: install it (python3-matplotlib or `pip install matplotlib`), or use "
                          "popscope export --format svg") from None
    return pyplot.subplots(figsize=(9, 3.2), constrained_layout=True)[1]


def wholeNumbers(axes: Any) -> None:
    """Places the ticks of the x axis at whole numbers, unless the caller chose other ticks for these axes."""
    from matplotlib.ticker import MaxNLocator

    locator = axes.xaxis.get_major_locator()
    if isinstance(locator, MaxNLocator):  # the default
        locator.set_params(integer=True)


def _legend(axes: Any) -> None:
    """Places the legend next to the picture, so that the legend covers nothing."""
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1))


class _Part:
    """A picture of a report: plot() draws it with matplotlib, and a notebook shows a small form as SVG."""

    def __init__(self, report: "Report") -> None:
        self._report = report

    def __repr__(self) -> str:
        return "%s(%r)" % (type(self).__name__, self._report)


class MemoryPicture(_Part):
    """A picture of the occupied bytes of each tile."""

    def data(self) -> Tuple[List[int], int]:
        """Returns (occupied bytes of each tile of all replicas, bytes of memory that a tile has)."""
        compilation = self._report.compilation
        return [tile.memory.total.excludingGaps for tile in compilation.tiles], compilation.target.bytesPerTile

    def plot(self, axes: Any = None) -> Any:
        """Draws the bytes per tile, and a line at the bytes of memory that a tile has. Returns the matplotlib axes.

        axes: the axes to draw on; None = new axes. Raises ImportError without matplotlib.
        """
        used, limit = self.data()
        axes = _axes(axes)
        axes.fill_between(range(len(used)), used, step="mid", color="#2471a3")
        axes.axhline(limit, color="#c0392b", linewidth=1)
        wholeNumbers(axes)
        axes.set(xlabel="tile", ylabel="bytes", title="Memory by tile; line: %d bytes of a tile" % limit)
        return axes

    def _repr_html_(self) -> str:
        used, limit = self.data()
        return bars(used, limit, "bytes by tile; the line is the %d bytes of a tile" % limit)


class LivenessPicture(_Part):
    """A picture of the live bytes at each liveness step of the compiled program."""

    def data(self) -> Tuple[List[int], int]:
        """Returns (live bytes at each step without the always-live bytes, always-live bytes).

        Both figures cover all tiles of one replica. The steps are those of livenessProgramSteps.
        """
        steps = self._report.compilation.livenessProgramSteps
        return [step.notAlwaysLiveMemory.bytes for step in steps], self._report.popscope.alwaysLiveBytes

    def plot(self, axes: Any = None) -> Any:
        """Draws the live bytes per step on top of the always-live bytes. Returns and raises as MemoryPicture.plot."""
        live, always = self.data()
        axes = _axes(axes)
        steps = [step.program._id for step in self._report.compilation.livenessProgramSteps]  # the numbers that commands take
        axes.stackplot(steps, [always] * len(live), live, step="mid", labels=["always live", "live at the step"], colors=["#aab7b8", "#1e8449"])
        wholeNumbers(axes)
        axes.set(xlabel="step", ylabel="bytes", title="Live memory by step")
        _legend(axes)
        return axes

    def _repr_html_(self) -> str:
        live, always = self.data()
        return bars([always + n for n in live], 0, "live bytes by step")


class TimelinePicture(_Part):
    """A picture of the steps of one run over time."""

    def data(self, run: int = 0) -> List[Tuple[str, str, int, int, int]]:
        """Returns (type, name, IPU, first cycle, cycles) for each step of a run and each IPU on which the step has a time.

        run: the position of the run in execution.runs. The first cycle counts from the start of the run. A Sync takes
        from the last tile's arrival to the last tile's release, as in traces; any other step takes the time of its tiles
        with work.
        Raises IndexError for a run that was not recorded.
        """
        found = []
        runs = self._report.execution.runs
        if not -len(runs) <= run < len(runs):
            raise IndexError("timeline: there is no recorded run %d; the profile has %s" % (
                run, "no recorded run" if not runs else "0 alone" if len(runs) == 1 else "0 to %d" % (len(runs) - 1)))
        for step in runs[run].steps:
            program = step.program
            for number, ipu in enumerate(step.ipus):
                begin, end = ipu.activeCycles.cyclesFrom.min, ipu.activeCycles.cyclesTo.max
                if program.type.name == "Sync":
                    begin, end = ipu.allCycles.cyclesFrom.max, ipu.allCycles.cyclesTo.max
                if end > begin:
                    found.append((program.type.name, program.name, number, begin, end - begin))
        return found

    def plot(self, axes: Any = None, run: int = 0) -> Any:
        """Draws the steps of a run over cycles, with a lane for each IPU. Returns and raises as MemoryPicture.plot.

        run: as for data(). Raises IndexError for a run that was not recorded.
        """
        steps = self.data(run)  # before the axes: after an error, a notebook would show empty axes
        axes = _axes(axes)
        for kind in sorted({s[0] for s in steps}, key=lambda kind: (kind != "Sync", kind)):  # work is drawn over barriers
            for ipu in sorted({s[2] for s in steps}):
                axes.broken_barh([(s[3], s[4]) for s in steps if s[0] == kind and s[2] == ipu], (ipu - 0.4, 0.8),
                                 color=_COLOURS.get(kind, _HOST), label=kind if ipu == 0 else None)
        axes.set(xlabel="cycles", ylabel="IPU", title="Steps of run %d" % run, yticks=sorted({s[2] for s in steps}))
        _legend(axes)
        return axes


def bars(values: Sequence[int], limit: int, what: str) -> str:
    """Returns a small picture as SVG, or "" without values.

    The picture has at most 240 bars; each shows the maximum of consecutive values. A `limit` above 0 is a line. `what` is
    the description for screen readers.
    """
    if not values:
        return ""
    width, height = 480, 60
    count = min(len(values), 240)
    most = max([limit, *values, 1])
    parts = []
    for i in range(count):
        value = max(values[i * len(values) // count:max((i + 1) * len(values) // count, i * len(values) // count + 1)])
        tall = height * value / most
        parts.append('<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f"/>' % (i * width / count, height - tall, max(width / count - 0.3, 0.5), tall))
    line = '<line x1="0" x2="%d" y1="%.1f" y2="%.1f" stroke="#c0392b"/>' % (width, height - height * limit / most, height - height * limit / most) if limit else ""
    return '<svg viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-label="%s"><g fill="#2471a3">%s</g>%s</svg>' % (
        width, height, width, height, html.escape(what, quote=True), "".join(parts), line)


def table(title: str, rows: Sequence[Tuple[str, Any]]) -> str:
    return "<b>%s</b><table>%s</table>" % (html.escape(title), "".join(
        "<tr><th>%s</th><td>%s</td></tr>" % (html.escape(name), html.escape(str(value))) for name, value in rows))


def reportHtml(report: "Report") -> str:
    """Returns the verdict of popscope info and the picture of memory per tile as HTML."""
    return "<pre>%s</pre>%s" % (html.escape(_cpp.view(report, "info")[1]), MemoryPicture(report)._repr_html_())


def stepHtml(step: Any) -> str:
    program = step.program
    rows = [("cycles of IPU %d" % i, ipu.cycles if ipu.cyclesKnown else "unknown") for i, ipu in enumerate(step.ipus)]
    rows += [("tiles with work", sum(ipu.activeTiles for ipu in step.ipus)), ("bytes in", sum(ipu.dataIn for ipu in step.ipus)),
             ("bytes out", sum(ipu.dataOut for ipu in step.ipus))]
    return table(("%s %s" % (program.type.name, program.name)).strip(), rows) + bars(step.cyclesByTile, 0, "cycles by tile")


def tileHtml(tile: Any) -> str:
    memory = tile.memory
    rows = [("bytes", memory.total.excludingGaps), ("with gaps", memory.total.includingGaps), ("always live", memory.alwaysLiveBytes)]
    categories = [(name, category.total) for name, category in memory.category if category.total]
    return table("Tile memory", rows + categories) + bars([n for _, n in categories], 0, "bytes by category, in the order of the table")


def variableHtml(variable: Any) -> str:
    spans = [(span.start, span.end - 1) for span in variable.liveSteps]
    live = ", ".join("%d" % first if first == last else "%d to %d" % (first, last) for first, last in spans[:8])
    live += ", and %d more spans" % (len(spans) - 8) if len(spans) > 8 else ""
    return table("Variable " + variable.name, [("bytes", variable.size), ("category", variable.category), ("live at steps", live or "all")]) + \
        bars(variable.bytesByTile, 0, "bytes by tile")


def attach(classes: Any) -> None:
    """Adds the pictures to Report as properties, and adds HTML for notebooks to four classes."""
    def memory(self: "Report") -> MemoryPicture:
        """Extension: a picture of the bytes per tile; memory.plot() draws it, and memory.data() returns the numbers."""
        return MemoryPicture(self)

    def liveness(self: "Report") -> LivenessPicture:
        """Extension: a picture of the live bytes per step; liveness.plot() draws it, liveness.data() returns the numbers."""
        return LivenessPicture(self)

    def timeline(self: "Report") -> TimelinePicture:
        """Extension: a picture of the steps of a run over cycles; timeline.plot(run=0) draws it, and timeline.data(run=0)
        returns the numbers."""
        return TimelinePicture(self)

    for get in (memory, liveness, timeline):
        setattr(classes.Report, get.__name__, property(get))
    for name, function in (("Report", reportHtml), ("ExecutionStep", stepHtml), ("Tile", tileHtml), ("Variable", variableHtml)):
        setattr(getattr(classes, name), "_repr_html_", function)
