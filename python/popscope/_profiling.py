"""Profiles of a region of a program: `with popscope.profile(...) as p` and `@popscope.profile`."""

from __future__ import annotations

import contextlib
import contextvars
import functools
import glob
import inspect
import json
import operator
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from popscope import _statistics
from popscope._paths import given
from pva import _records
from pva._native import poplar as _poplar
from pva._native import pva as _cpp

if TYPE_CHECKING:
    from popscope._tables import Profile

_VARIABLE = "POPLAR_ENGINE_OPTIONS"
_active: "contextvars.ContextVar[Tuple[profile, ...]]" = contextvars.ContextVar("popscope_profiles", default=())
_openRecords: "contextvars.ContextVar[Tuple[Record, ...]]" = contextvars.ContextVar("popscope_records", default=())
_environment = threading.RLock()  # protects POPLAR_ENGINE_OPTIONS, _entered and _original, which belong to the whole process
_entered: List["profile"] = []
_original: List[Optional[str]] = []
_DAY = 86400.0  # seconds
_COUNT = "autoReport.executionProfileProgramRunCount"
_FILES = ("autoReport.all", "autoReport.outputGraphProfile", "autoReport.outputExecutionProfile")  # options that request profile.pop


class profile:
    """Records the engines of a region, and writes their profiles when the region ends, even if an exception ends the
    region.

        with popscope.profile("report", template="cycles", formats=["chrome", "memory_flow.svg"]) as p:
            engine = poplar.Engine(graph, programs)  # memory_flow.svg needs an engine that is created here
            engine.loadAndRun(device)
            with p.record("epoch 3"):
                engine.run()
        p.print_summary()

        @popscope.profile
        def train(): ...

    directory: the folder of profile.pop. The profile of a second engine is in the subfolder engine-2, and so on.
    template: the name of a template; `popscope config templates` lists them. "memory" records no runs, unless the
    engine's options or the environment request autoReport.outputExecutionProfile.
    formats: formats of `popscope export`, or names of single files that these formats write.
    categories: the kinds of steps whose time is recorded: compute, exchange, globalExchange, host, sync and
    controlFlow. None = the kinds of the engine option popscope.profileCategories, which selects all by default.
    sample_rate: of every sample_rate runs of an engine, the first is recorded.
    label: the label of the runs in the profile.

    If the engine's options, the environment or the template set autoReport.executionProfileProgramRunCount, this option
    limits the number of recorded runs of each program. The limit holds only if sample_rate is 1.

    The region records engines of popscope.poplar that are created or run within the region. The region also records
    engines that other libraries create in C++ within the region. These engines of C++ get their options from the
    environment, and write into the directory when the engines end. pause() and record() do not affect these engines.

    Profiles nest: a run belongs to all open profiles around it. The innermost profile decides, by its template,
    sample_rate and categories, whether the run is recorded and which steps have times. pause() of an outer profile also
    applies in the inner profiles. Runs of an inner profile do not count for the sample_rate of an outer profile. Each
    task of asyncio and each thread has its own profiles.

    After the region, `paths` has the paths of the profiles, and `files` the paths of the exported files.

    Raises ValueError for an unknown template, format or category, for empty categories, and for a sample_rate below 1.
    Raises TypeError if sample_rate is no int, if label is no str, if formats or categories is a single text, and for a
    generator function. The end of the region issues a warning for each format that a profile has no data for, and for
    each single file in `formats` that the export does not have. If a file cannot be written, the end of the region
    raises the error."""

    def __new__(cls, directory: Any = "popscope-report", **settings: Any) -> Any:
        made = super().__new__(cls)
        if not callable(directory):
            return made
        made.__init__()  # type: ignore[misc]
        return made(directory)  # @popscope.profile without brackets

    def __init__(self, directory: Union[str, "os.PathLike[str]"] = "popscope-report", *, template: str = "default", formats: Sequence[str] = (),
                 categories: Optional[Sequence[str]] = None, sample_rate: int = 1, label: str = "") -> None:
        known = _cpp.templates()
        if template not in known:
            raise ValueError("there is no template %r; there are: %s" % (template, ", ".join(known)))
        if not isinstance(sample_rate, int):
            raise TypeError("profile: sample_rate is an int, not %r" % (sample_rate,))
        if sample_rate < 1:
            raise ValueError("sample_rate is %d; give 1 or more" % sample_rate)
        formats = _records.names("formats", formats)
        for format_ in formats:
            if format_ not in _cpp.formats() and os.path.splitext(format_)[1][1:] not in _cpp.formats() and "." not in format_:
                raise ValueError("there is no format %r; there are: %s" % (format_, ", ".join(_cpp.formats())))
        if not isinstance(label, str):
            raise TypeError("profile: label is a str, not %r" % (label,))
        self.directory = given("profile: directory", directory)
        self.template, self.formats, self.label, self.sample_rate = template, formats, label, sample_rate
        self.categories = None if categories is None else _records.names("categories", categories)
        if self.categories == []:
            raise ValueError("categories is empty; name the steps whose time is recorded, or leave it out for all")
        _poplar._checkCategories(self.categories or [])
        self.paths: List[str] = []  # paths of the profiles; empty until the region ends
        self.files: List[str] = []  # paths of the exported files
        self._options, more, self._summary = known[template]
        self.formats += [f for f in more if f not in self.formats]
        if any(f.endswith("svg") for f in self.formats):  # the picture of addresses needs the lowered variables
            self._options["autoReport.outputLoweredVars"] = "true"
        # (engine, reserved path of its profile). The engine is None if its graph did not fit. The path is None if the end of
        # the region chooses it: the engine is older than the region, was created within an inner profile, or has a file of
        # its own.
        self._engines: List[Tuple[Any, Optional[str]]] = []
        self._firstRuns: Dict[int, int] = {}  # by id of the engine: number of its first run within the region; absent = the engine was created in the region
        self._reserved: List[str] = []
        self._compiled: Dict[str, str] = {}  # by reserved path: the hidden folder with the compilation's files
        self._tokens: List[Any] = []
        self._paused = False
        self._runs: Dict[int, int] = {}  # by id of the engine: its runs that this profile counts
        self._recorded: Dict[Tuple[int, Any], int] = {}  # recorded runs, by id of the engine (_engines keeps the engine alive) and program
        self._spans: Dict[str, List[float]] = {}  # seconds on the host, by label
        self._again = 0
        self._open: Optional[Record] = None  # the record() that began last

    def __repr__(self) -> str:
        return "profile(%r, template=%r, %s)" % (self.directory, self.template, "%d profiles" % len(self.paths) if self.paths else "no profile yet")

    # ---- the region

    def __enter__(self) -> "profile":
        os.makedirs(self.directory, exist_ok=True)
        for hidden in glob.glob(os.path.join(glob.escape(self.directory), ".compilation-*")):  # left by killed processes
            if os.stat(hidden).st_mtime < time.time() - _DAY:
                shutil.rmtree(hidden, ignore_errors=True)
        self._before = self._files()
        self._tokens.append(_active.set(_active.get() + (self,)))
        with _environment:
            if not _entered:
                _original[:] = [os.environ.get(_VARIABLE)]
            _entered.append(self)
            _setVariable(self._environmentOptions())
        return self

    def __exit__(self, *exception: Any) -> None:
        if self._open is not None:
            self._open.end()
        with _environment:
            _entered.remove(self)
            if _entered:
                _setVariable(_entered[-1]._environmentOptions())
            else:
                _setVariable(None)
        with contextlib.suppress(ValueError):  # the region ends in another context than the one that it began in
            _active.reset(self._tokens.pop())
        try:
            self._write()
        except Exception:
            if exception[0] is None:
                raise

    async def __aenter__(self) -> "profile":
        return self.__enter__()

    async def __aexit__(self, *exception: Any) -> None:
        self.__exit__(*exception)

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Decorates a function or a coroutine: each call makes a separate profile, in the folders <directory>, <directory>-2, ..."""
        def again() -> "profile":
            self._again += 1
            return profile(self.directory + ("" if self._again == 1 else "-%d" % self._again), template=self.template, formats=self.formats,
                           categories=self.categories, sample_rate=self.sample_rate, label=self.label or getattr(function, "__name__", ""))

        if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
            raise TypeError("popscope.profile: %s is a generator function, whose body runs after the call has returned; write `with popscope.profile(...)` "
                            "in its body or around the loop over it" % getattr(function, "__name__", function))
        if inspect.iscoroutinefunction(function):
            @functools.wraps(function)
            async def asynchronous(*arguments: Any, **named: Any) -> Any:
                async with again():
                    return await function(*arguments, **named)
            return asynchronous

        @functools.wraps(function)
        def wrapped(*arguments: Any, **named: Any) -> Any:
            with again():
                return function(*arguments, **named)
        return wrapped

    # ---- within the region

    def record(self, label: str) -> "Record":
        """Labels runs in the profile, and measures the time of the label on the host.

        In `with p.record("epoch 3"):`, the label holds to the end of the block. Without `with`, the label holds until
        the next call of record() or the end of the region. summary() has the times in seconds, each under the label of
        its runs. The label of a run consists of the labels of all profiles and records around the run, with "/" between
        them. Raises RuntimeError before the region begins and after it ends.
        """
        if not isinstance(label, str):
            raise TypeError("profile.record: label is a str, not %r" % (label,))
        if not self._tokens:
            raise RuntimeError("profile.record: the region of %r is not open, so no run can get the label %r; call record() within the `with` block" % (self.directory, label))
        if self._open is not None and not self._open.entered:
            self._open.end()
        self._open = Record(self, label)
        return self._open

    def pause(self) -> None:
        """Stops recording runs of engines of popscope.poplar until resume(), also in profiles within this one."""
        self._paused = True

    def resume(self) -> None:
        """Records runs again after pause()."""
        self._paused = False

    def _whyNot(self, engine: Any, program: Any) -> Optional[str]:
        """Counts a run that begins now, and returns the reason for which the run is not recorded; None = the run is recorded.

        Called only for the innermost profile.
        """
        if not (engine._asksForRuns or _asksForRuns(self._options)):
            return "scope"
        number = self._runs.get(id(engine), 0)
        self._runs[id(engine)] = number + 1
        if number % self.sample_rate != 0:
            return "sample rate"
        most, key = engine._runsOfEach, (id(engine), program)
        if most is None and _COUNT in self._options:
            most = int(self._options[_COUNT])
        if most is not None and self.sample_rate == 1 and self._recorded.get(key, 0) >= most:  # the limit holds only for a sample_rate of 1
            return "run count"
        self._recorded[key] = self._recorded.get(key, 0) + 1
        return None

    def _note(self, engine: Any, path: Optional[str] = None) -> bool:
        """Adds an engine to the region. Returns False if the region already has the engine."""
        isNew = engine is None or not any(engine is known for known, _ in self._engines)
        if isNew:
            self._engines.append((engine, path))
        return isNew

    def _reserve(self) -> str:
        """Reserves and returns the path for the profile of an engine that is being created."""
        path = self._nextPath(self._reserved)
        self._reserved.append(path)
        return path

    @contextlib.contextmanager
    def _aside(self, path: str) -> Iterator[None]:
        """Moves the files that the compilation of an engine writes at `path` to a hidden folder.

        Problem: an engine writes its profile at `path` during its creation, but a killed process must leave an earlier
        profile there as it is. Idea: hard links keep the earlier files during the creation. Afterwards the new files move
        to the hidden folder, and the earlier files move back. _place moves the new files to `path` when the region ends.
        If the creation fails (the graph does not fit), the new files stay at `path`.
        """
        folder = os.path.dirname(path) or "."
        hidden = tempfile.mkdtemp(prefix=".compilation-", dir=folder)
        names = (os.path.basename(path), "debug.cbor")
        for name in names:
            with contextlib.suppress(FileNotFoundError):
                os.link(os.path.join(folder, name), os.path.join(hidden, "earlier-" + name))
        try:
            yield
        except BaseException:
            shutil.rmtree(hidden, ignore_errors=True)
            _cpp.forgetProfile(os.fsencode(path))  # the engine of a later region replaces no file of this engine
            raise
        for name in names:
            place, earlier = os.path.join(folder, name), os.path.join(hidden, "earlier-" + name)
            if os.path.exists(earlier) and os.path.samefile(earlier, place):
                os.unlink(earlier)  # the compilation wrote nothing
                continue
            with contextlib.suppress(FileNotFoundError):
                os.replace(place, os.path.join(hidden, name))
            with contextlib.suppress(FileNotFoundError):
                os.replace(earlier, place)
        self._compiled[path] = hidden
        _cpp.forgetProfile(os.fsencode(path))

    def _copyOf(self, written: str) -> str:
        """Reserves a path, and copies to this path the profile of a graph that does not fit. Returns the path."""
        path = self._reserve()
        for name in (os.path.basename(path), "debug.cbor"):
            source = written if name != "debug.cbor" else os.path.join(os.path.dirname(written), name)
            target = os.path.join(os.path.dirname(path), name)
            with contextlib.suppress(FileNotFoundError), open(source, "rb") as file:
                if os.path.realpath(source) != os.path.realpath(target):
                    _cpp.writeWholeFile(target, file.read())
        self._before[path] = os.stat(path).st_mtime_ns
        return path

    def _place(self, path: str) -> None:
        """Moves the files that _aside hid to the folder of `path`."""
        hidden = self._compiled.pop(path, None)
        if hidden is not None:
            for file in os.listdir(hidden):
                os.replace(os.path.join(hidden, file), os.path.join(os.path.dirname(path), file))
            os.rmdir(hidden)

    def _environmentOptions(self) -> str:
        """Returns the value of POPLAR_ENGINE_OPTIONS for engines that are created in C++.

        Options that the variable had before the first profile override those of this profile.
        """
        options = dict(self._options, **{"autoReport.directory": self.directory})
        if self.sample_rate != 1:
            options["popscope.profileRuns"] = "0-/%d" % self.sample_rate
        if self.categories:
            options["popscope.profileCategories"] = ",".join(self.categories)
        with contextlib.suppress(ValueError):
            options.update(json.loads(_original[0] or "{}"))
        return json.dumps(options)

    # ---- the end of the region

    def _write(self) -> None:
        mine: List[str] = []
        now, here = self._files(), os.path.join(self.directory, "profile.pop")
        if here in now and now[here] != self._before.get(here):
            mine.append(here)  # the profile of an engine in C++ that has ended
        for partial in sorted(set(now) - set(self._before) - {here}):
            self._recover(partial, mine)  # the profile of an engine in C++ that still exists
        for engine, reserved in self._engines:
            path = reserved if reserved and reserved not in mine else self._nextPath(mine + self._reserved)
            self._place(path)
            if engine is not None:
                try:
                    report = engine.getReport()
                except RuntimeError:  # a CPU target has no profile
                    continue
                os.makedirs(os.path.dirname(path), exist_ok=True)
                report.popscope.save(path, self._firstRuns.get(id(engine), 0))
            mine.append(path)
        self._engines, self._reserved, self._firstRuns, self._runs, self._recorded = [], [], {}, {}, {}
        self.paths = mine
        if mine:
            region = {"program": _program() or os.path.basename(os.path.abspath(self.directory)), "commit": _commit(), "label": self.label}
            _cpp.writeWholeFile(os.path.join(self.directory, "region.json"), json.dumps(region).encode())
        for path in mine:
            self._export(path)

    def _files(self) -> Dict[str, int]:
        """Returns the complete and unfinished profiles in the folder, with the times of their last changes (ns)."""
        folder = glob.escape(self.directory)
        return {path: os.stat(path).st_mtime_ns for pattern in ("profile.pop", "profile_*.pop") for path in glob.glob(os.path.join(folder, pattern))}

    def _nextPath(self, taken: Sequence[str]) -> str:
        number = 1
        while True:
            folder = self.directory if number == 1 else os.path.join(self.directory, "engine-%d" % number)
            path = os.path.join(folder, "profile.pop")
            if path not in taken:
                os.makedirs(folder, exist_ok=True)
                return path
            number += 1

    def _recover(self, partial: str, mine: List[str]) -> None:
        try:
            path = self._nextPath(mine)
            _cpp.recover(partial, path)
            mine.append(path)
        except RuntimeError:  # the engine has not compiled its graph yet
            pass

    def _export(self, path: str) -> None:
        report, folder = _cpp.openReport(path, ""), os.path.dirname(path) or "."
        if self._summary:
            self.files.append(os.path.join(folder, "summary.txt"))
            _cpp.writeWholeFile(self.files[-1], _cpp.summary(report).encode())
        for name in self.formats:
            try:
                self.files += _cpp.exportProfile(report, [name], folder) if name in _cpp.formats() else self._exportOne(report, folder, name)
            except ValueError as error:  # this profile lacks the data of the format, for example because no run was recorded
                warnings.warn("popscope.profile: %s: %s" % (path, error), stacklevel=_records.outside())

    @staticmethod
    def _exportOne(report: Any, folder: str, name: str) -> List[str]:
        """Writes one file of an export, for example memory_flow.svg, and returns its path.

        If the export has no such file, issues a warning and returns no path.
        """
        format_ = os.path.splitext(name)[1][1:]
        with tempfile.TemporaryDirectory() as scratch:
            written = _cpp.exportProfile(report, [format_], scratch) if format_ in _cpp.formats() else []
            for path in written:
                if os.path.basename(path) == name:
                    with open(path, "rb") as file:
                        _cpp.writeWholeFile(os.path.join(folder, name), file.read())
                    return [os.path.join(folder, name)]
        why = "it needs autoReport.outputLoweredVars, which an engine that was created before the region lacks" if name == "memory_flow.svg" \
            else "the profile does not contain the data for the file, or no format writes the file"
        warnings.warn("popscope.profile: there is no %s: %s; of %s there are %s" % (
            name, why, format_, ", ".join(sorted(map(os.path.basename, written))) or "no files"), stacklevel=_records.outside())
        return []

    @property
    def path(self) -> str:
        """The path of the first profile. Raises RuntimeError before the region ends, and if the region has no profile."""
        if not self.paths:
            raise RuntimeError("popscope.profile: there is no profile: the region goes on, or no engine with a profile took part in it")
        return self.paths[0]

    @property
    def profile(self) -> "Profile":
        """The first profile, opened by popscope.open. Raises RuntimeError as `path` does."""
        from popscope._tables import open as openProfile

        return openProfile(self.path)

    def summary(self) -> List[Dict[str, Any]]:
        """Returns statistics of runs and labels: a list of dicts.

        Each dict has the keys name, unit, count, min, mean, median, max, p90, p95, p97, p99 and p99.9. The rows with
        the unit "cycles" cover the tile clock cycles of the recorded runs of known length, grouped by label or, without
        a label, by name. The rows with the unit "seconds" cover the times of record() on the host. Before the region
        ends, there are only the rows in seconds. Reads the profiles of the region; raises ProfileError if one cannot be
        read.
        """
        found: Dict[Tuple[str, str], List[float]] = {}
        for path in self.paths:
            for run in _cpp.openReport(path, "").execution.runs:
                totals = run.totalCycles
                if not totals.totalKnown:
                    continue
                found.setdefault((run.label or run.name or "run", "cycles"), []).append(totals.total)
        for label, seconds in self._spans.items():
            found[label, "seconds"] = seconds
        return [{"name": name, "unit": unit, **_statistics.describe(values)} for (name, unit), values in found.items()]

    def print_summary(self, file: Any = None) -> None:
        """Prints summary() as a table to `file`; None = standard output."""
        rows = self.summary()
        columns = ["name", "unit"] + list(_statistics.COLUMNS)

        def shownValue(value: Any) -> str:
            if isinstance(value, (str, int)):
                return str(value)
            return f"{value:.0f}" if abs(value) >= 1e5 else f"{value:.6g}"

        shown = [columns] + [[shownValue(row[c]) for c in columns] for row in rows]
        widths = [max(len(line[i]) for line in shown) for i in range(len(columns))]
        for line in shown:
            print("  ".join(text.ljust(w) if i < 2 else text.rjust(w) for i, (text, w) in enumerate(zip(line, widths))).rstrip(), file=file)


class Record:
    """A label that profile.record() makes. The label holds until end(), or until the end of its `with` block."""

    def __init__(self, profile_: profile, label: str) -> None:
        self._profile, self.label, self.entered, self.ended = profile_, label, False, False
        _openRecords.set(_openRecords.get() + (self,))
        self._labelOfRuns = _labelOfRuns()
        self._begin = time.perf_counter()

    def __enter__(self) -> None:
        self.entered = True

    def __exit__(self, *exception: Any) -> None:
        self.end()

    def end(self) -> None:
        """Ends the label, and notes its time. Further calls have no effect."""
        if self.ended:
            return
        self._profile._spans.setdefault(self._labelOfRuns, []).append(time.perf_counter() - self._begin)
        self.ended = True  # other tasks and threads can still have the record, but not its label
        _openRecords.set(tuple(record for record in _openRecords.get() if not record.ended))


def _labelOfRuns() -> str:
    """Returns the label of a run that begins now: the labels of all profiles and records around the run, with "/" between them."""
    return "/".join([p.label for p in _active.get() if p.label] + [record.label for record in _openRecords.get() if not record.ended])


def _program() -> Optional[str]:
    """Returns the name of the script, module or notebook that runs; None for `python -c`, a prompt, and a notebook whose
    name Python does not know."""
    main = sys.modules.get("__main__")
    if hasattr(main, "__file__"):
        path = sys.argv[0]
        if os.path.basename(path) == "__main__.py":  # python -m PACKAGE
            path = os.path.dirname(os.path.abspath(path))
    else:  # each of the programs that show notebooks has its own place for the path of the notebook
        path = getattr(main, "__vsc_ipynb_file__", None) or getattr(main, "__session__", None) or os.environ.get("JPY_SESSION_NAME") or ""
    return os.path.splitext(os.path.basename(path))[0] or None


def _commit() -> Optional[str]:
    """Returns the commit of the Git repository with the working directory; None if there is none."""
    try:
        done = subprocess.run(["git", "rev-parse", "HEAD"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    except OSError:
        return None
    return done.stdout.decode().strip() or None if done.returncode == 0 else None


def _setVariable(value: Optional[str]) -> None:
    """Sets POPLAR_ENGINE_OPTIONS; None restores its value from before the first profile."""
    value = _original[0] if value is None else value
    if value is None:
        os.environ.pop(_VARIABLE, None)
    else:
        os.environ[_VARIABLE] = value


def _isTrue(value: Any) -> bool:
    return str(value).lower() in ("true", "1")


def _asksForRuns(options: Mapping[str, Any]) -> bool:
    """Returns whether engine options request the profile of runs."""
    return _isTrue(options.get("autoReport.outputExecutionProfile", options.get("autoReport.all")))


def _noteOptions(engine: Any, options: Dict[str, Any]) -> None:
    """Stores two facts in the engine: whether the engine's options or the environment request the profile of runs, and the limit of runs per program.

    The limit is None if neither the options nor the environment set a limit. The environment takes precedence.
    """
    asked = dict(options)
    with contextlib.suppress(ValueError):
        asked.update(json.loads(os.environ.get(_VARIABLE) or "{}"))
    engine._asksForRuns = _asksForRuns(asked)
    isSet = _COUNT in options or _COUNT in (os.environ.get(_VARIABLE) or "")
    engine._runsOfEach = int(engine.getEngineOptions()[_COUNT]) if isSet else None


def _runsSoFar(engine: Any) -> int:
    """Returns the number that the next run of the engine has in its profile."""
    try:
        execution = engine.getReport().execution
    except RuntimeError:  # a CPU target has no profile
        return 0
    return max([run.number + 1 for run in execution.runs[-1:]] + [span.firstRun + span.runs for span in execution.pausedSpans[-1:]], default=0)


@contextlib.contextmanager
def making(options: Dict[str, Any]) -> Iterator[Tuple[Dict[str, Any], Callable[[Any], None]]]:
    """Prepares the creation of an engine in Python.

    Yields the options of the engine, and a function that the caller calls with the engine. `options` override those of
    the templates of the surrounding profiles. During the creation, POPLAR_ENGINE_OPTIONS has its value from before the
    first profile. The files of the compilation go to the innermost profile: when its region ends (see _aside), or at once
    if the graph does not fit.
    """
    profiles = _active.get()
    if not profiles:
        yield options, lambda engine: _noteOptions(engine, options)
        return
    merged = {k: v for p in profiles for k, v in p._options.items()}
    path: Optional[str] = None
    ownFile = "autoReport.directory" in options or any(_isTrue(options.get(key)) for key in _FILES)
    if not ownFile:
        path = profiles[-1]._reserve()
        if "true" in (merged.get("autoReport.all"), merged.get("autoReport.outputExecutionProfile")):
            merged.setdefault("debug.instrument", "true")
        merged.update({"autoReport.directory": os.path.dirname(path), "autoReport.outputGraphProfile": "true", "autoReport.outputExecutionProfile": "false"})

    def made(engine: Any) -> None:
        _noteOptions(engine, options)
        for p in profiles:
            p._note(engine, path if p is profiles[-1] else None)

    with _environment:
        _setVariable(None)
        try:
            with profiles[-1]._aside(path) if path else contextlib.nullcontext():
                yield dict(merged, **options), made
        except RuntimeError as error:
            written = getattr(error, "profilePath", "")
            for p in profiles if written else ():
                p._note(None, path if path and p is profiles[-1] else p._copyOf(written))
            raise
        finally:
            _setVariable(_entered[-1]._environmentOptions() if _entered else None)
            if path and os.path.exists(path):  # so that _write does not take the file for the profile of an engine in C++
                profiles[-1]._before[path] = os.stat(path).st_mtime_ns


@contextlib.contextmanager
def running(engine: Any, program: Any, scope: Callable[..., Any]) -> Iterator[None]:
    """Opens a Scope while an engine in Python runs. The innermost profile decides whether the run is recorded."""
    profiles = _active.get()
    if not profiles:
        yield
        return
    for p in profiles:
        if p._note(engine):
            p._firstRuns[id(engine)] = _runsSoFar(engine)
    label = _labelOfRuns()
    index = operator.index(program) if hasattr(program, "__index__") else None
    if any(p._paused for p in profiles):
        inner = scope(engine, label)
        inner.pause()  # the profile lists the run with the reason "paused"
    elif reason := profiles[-1]._whyNot(engine, index):
        inner = scope(engine, label, None, False, reason)
    else:
        inner = scope(engine, label, profiles[-1].categories or None)
    try:
        yield
    finally:
        del inner
