"""Profiles of a region: `with popscope.profile(...) as p` and `@popscope.profile`."""

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
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple, Union

from popscope import _statistics
from pva import _records
from pva._native import pva as _cpp

if TYPE_CHECKING:
    from popscope._tables import Profile

_VARIABLE = "POPLAR_ENGINE_OPTIONS"
_active: "contextvars.ContextVar[Tuple[profile, ...]]" = contextvars.ContextVar("popscope_profiles", default=())
_labels: "contextvars.ContextVar[Tuple[str, ...]]" = contextvars.ContextVar("popscope_labels", default=())
_environment = threading.RLock()  # protects the variable, which belongs to the whole process
_entered: List["profile"] = []
_original: List[Optional[str]] = []
_DAY = 86400.0  # seconds
_COUNT = "autoReport.executionProfileProgramRunCount"
_FILES = ("autoReport.all", "autoReport.outputGraphProfile", "autoReport.outputExecutionProfile")  # options that request profile.pop


class profile:
    """Records the engines of a region, and writes the profile when the region ends, even by an exception.

        with popscope.profile("report", template="cycles", formats=["chrome", "memory_flow.svg"]) as p:
            engine = poplar.Engine(graph, programs)  # memory_flow.svg needs an engine that is created here
            engine.loadAndRun(device)
            with p.record("epoch 3"):
                engine.run()
        p.print_summary()

        @popscope.profile
        def train(): ...

    directory: the folder of profile.pop (a second engine's profile is in engine-2, and so on). template: see `popscope config
    templates`. formats: those of `popscope export`, or names of single files that they write. categories: the kinds of steps whose time
    is recorded (compute, exchange, globalExchange, host, sync, controlFlow). sample_rate: one run in every sample_rate runs is recorded. If
    sample_rate is 1, and the engine, the environment or the template sets autoReport.executionProfileProgramRunCount, only this number of
    runs of each program is recorded.

    The region records engines of popscope.poplar that are created or run within it. It also records engines that other libraries create
    in C++ within it: these get the options from the environment, and write into the directory when they end. Profiles nest: a run
    belongs to all open profiles around it. The innermost one decides by its own template, sample_rate and categories whether the run is
    recorded, and with which steps; only pause() of an outer profile applies within it, too. Runs of an inner profile do not count for the
    sample_rate of an outer one. Each task of asyncio and each thread has its own profiles."""

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
            raise ValueError("sample_rate is %d; it is 1 or more" % sample_rate)
        formats = _records.names("formats", formats)
        for format_ in formats:
            if format_ not in _cpp.formats() and os.path.splitext(format_)[1][1:] not in _cpp.formats() and "." not in format_:
                raise ValueError("there is no format %r; there are: %s" % (format_, ", ".join(_cpp.formats())))
        self.directory = os.fsdecode(directory)
        self.template, self.formats, self.label, self.sample_rate = template, formats, label, sample_rate
        self.categories = None if categories is None else _records.names("categories", categories)
        if self.categories == []:
            raise ValueError("categories is empty; name the steps whose time is recorded, or leave it out for all")
        self.paths: List[str] = []  # paths of the profiles, once the region has ended
        self.files: List[str] = []  # paths of the exported files
        self._options, more, self._summary = known[template]
        self.formats += [f for f in more if f not in self.formats]
        if any(f.endswith("svg") for f in self.formats):  # the picture of addresses needs them
            self._options["autoReport.outputLoweredVars"] = "true"
        # each engine with the place of its profile if it was created here; None: its graph did not fit
        self._engines: List[Tuple[Any, Optional[str]]] = []
        self._reserved: List[str] = []
        self._compiled: Dict[str, str] = {}  # by reserved place, the hidden folder of the compilation's files
        self._tokens: List[Any] = []
        self._paused = False
        self._runs = 0
        self._recorded: Dict[Tuple[int, Any], int] = {}  # by id of the engine (_engines keeps it alive) and program
        self._spans: Dict[str, List[float]] = {}  # seconds on the host, by label
        self._again = 0
        self._open: Optional[Record] = None  # the latest label

    def __repr__(self) -> str:
        return "profile(%r, template=%r, %s)" % (self.directory, self.template, "%d profiles" % len(self.paths) if self.paths else "no profile yet")

    # ---- the region

    def __enter__(self) -> "profile":
        os.makedirs(self.directory, exist_ok=True)
        for hidden in glob.glob(os.path.join(glob.escape(self.directory), ".compilation-*")):  # of killed processes
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
        with contextlib.suppress(ValueError):  # the region ended in another context than it began in, which no longer exists
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
        """As a decorator: each call is a separate profile, in the directory, then in <directory>-2 and so on."""
        def again() -> "profile":
            self._again += 1
            return profile(self.directory + ("" if self._again == 1 else "-%d" % self._again), template=self.template, formats=self.formats,
                           categories=self.categories, sample_rate=self.sample_rate, label=self.label or getattr(function, "__name__", ""))

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

    # ---- within it

    def record(self, label: str) -> "Record":
        """Labels runs in the profile: within `with p.record("epoch 3"):` or, without `with`, until the next such call or the end of the
        region. print_summary() prints the labels' times on the host."""
        if self._open is not None and not self._open.entered:
            self._open.end()
        self._open = Record(self, label)
        return self._open

    def pause(self) -> None:
        """Stops recording runs of engines of popscope.poplar until resume()."""
        self._paused = True

    def resume(self) -> None:
        """Records runs again after pause()."""
        self._paused = False

    def _wants(self, engine: Any, program: Any) -> bool:
        """Returns whether this profile, if it is the innermost one, records the run of the program that begins now."""
        self._runs += 1
        if (self._runs - 1) % self.sample_rate != 0:
            return False
        most, key = engine._runsOfEach, (id(engine), program)
        if most is None and _COUNT in self._options:
            most = int(self._options[_COUNT])
        if most is not None and self.sample_rate == 1 and self._recorded.get(key, 0) >= most:  # a sample_rate replaces the number
            return False
        self._recorded[key] = self._recorded.get(key, 0) + 1
        return True

    def _note(self, engine: Any, path: Optional[str] = None) -> None:
        if engine is None or not any(engine is known for known, _ in self._engines):
            self._engines.append((engine, path))

    def _reserve(self) -> str:
        """Returns the place for the profile of an engine that is being created."""
        path = self._nextPath(self._reserved)
        self._reserved.append(path)
        return path

    @contextlib.contextmanager
    def _aside(self, path: str) -> Iterator[None]:
        """Moves the files that the compilation of an engine writes at `path` to a hidden folder, so that an earlier profile stays there
        until the region ends. If the graph does not fit, the new files stay."""
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
            raise
        for name in names:
            place, earlier = os.path.join(folder, name), os.path.join(hidden, "earlier-" + name)
            if os.path.exists(earlier) and os.path.samefile(earlier, place):
                os.unlink(earlier)  # nothing was written
                continue
            with contextlib.suppress(FileNotFoundError):
                os.replace(place, os.path.join(hidden, name))
            with contextlib.suppress(FileNotFoundError):
                os.replace(earlier, place)
        self._compiled[path] = hidden

    def _copyOf(self, written: str) -> str:
        """Copies the profile of a graph that does not fit to a reserved place. Returns this place."""
        path = self._reserve()
        for name in (os.path.basename(path), "debug.cbor"):
            source = written if name != "debug.cbor" else os.path.join(os.path.dirname(written), name)
            with contextlib.suppress(FileNotFoundError, shutil.SameFileError):
                shutil.copyfile(source, os.path.join(os.path.dirname(path), name))
        self._before[path] = os.stat(path).st_mtime_ns
        return path

    def _place(self, path: str) -> None:
        """Moves the compilation's files back."""
        hidden = self._compiled.pop(path, None)
        if hidden is not None:
            for file in os.listdir(hidden):
                os.replace(os.path.join(hidden, file), os.path.join(os.path.dirname(path), file))
            os.rmdir(hidden)

    def _environmentOptions(self) -> str:
        """Returns the options for engines that are created in C++: the variable's previous value overrides the template's options."""
        options = dict(self._options, **{"autoReport.directory": self.directory})
        if self.sample_rate != 1:
            options["popscope.profileRuns"] = "0-/%d" % self.sample_rate
        if self.categories:
            options["popscope.profileCategories"] = ",".join(self.categories)
        with contextlib.suppress(ValueError):
            options.update(json.loads(_original[0] or "{}"))
        return json.dumps(options)

    # ---- after it

    def _write(self) -> None:
        mine: List[str] = []
        now, here = self._files(), os.path.join(self.directory, "profile.pop")
        if here in now and now[here] != self._before.get(here):
            mine.append(here)  # an engine in C++ that has ended
        for partial in sorted(set(now) - set(self._before) - {here}):
            self._recover(partial, mine)  # an engine in C++ that still exists
        for engine, reserved in self._engines:
            path = reserved if reserved and reserved not in mine else self._nextPath(mine + self._reserved)
            self._place(path)
            if engine is not None:
                try:
                    report = engine.getReport()
                except RuntimeError:  # a CPU target has no profile
                    continue
                os.makedirs(os.path.dirname(path), exist_ok=True)
                report.popscope.save(path)
            mine.append(path)
        self._engines, self._reserved = [], []
        self.paths = mine
        if mine:
            with open(os.path.join(self.directory, "region.json"), "w", encoding="utf-8") as file:
                json.dump({"program": os.path.splitext(os.path.basename(sys.argv[0]))[0] or "python", "commit": _commit(), "label": self.label}, file)
        for path in mine:
            self._export(path)

    def _files(self) -> Dict[str, int]:
        """Returns the files in the folder, with the times of their last changes."""
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
        except RuntimeError:  # its graph is not compiled yet
            pass

    def _export(self, path: str) -> None:
        report, folder = _cpp.openReport(path, ""), os.path.dirname(path) or "."
        if self._summary:
            self.files.append(os.path.join(folder, "summary.txt"))
            with open(self.files[-1], "w", encoding="utf-8") as file:
                file.write(_cpp.summary(report))
        whole = [f for f in self.formats if f in _cpp.formats()]
        if whole:
            self.files += _cpp.exportProfile(report, whole, folder)
        for name in [f for f in self.formats if f not in whole]:
            file_ = self._exportOne(report, folder, name)
            self.files += [file_] if file_ else []

    @staticmethod
    def _exportOne(report: Any, folder: str, name: str) -> Optional[str]:
        """Returns the path of one exported file by its name: "memory_flow.svg"."""
        format_ = os.path.splitext(name)[1][1:]
        with tempfile.TemporaryDirectory() as scratch:
            written = _cpp.exportProfile(report, [format_], scratch) if format_ in _cpp.formats() else []
            for path in written:
                if os.path.basename(path) == name:
                    return str(shutil.move(path, os.path.join(folder, name)))
        why = "it needs autoReport.outputLoweredVars, which an engine that was created before the region lacks" if name == "memory_flow.svg" \
            else "the profile lacks what it needs, or no format writes it"
        warnings.warn("popscope.profile: there is no %s: %s; of %s there are %s" % (
            name, why, format_, ", ".join(sorted(map(os.path.basename, written))) or "no files"), stacklevel=_records.outside())
        return None

    @property
    def path(self) -> str:
        """The path of the first profile. Raises RuntimeError before the end of the region, and if no engine took part."""
        if not self.paths:
            raise RuntimeError("popscope.profile: there is no profile: the region goes on, or no engine with a profile took part in it")
        return self.paths[0]

    @property
    def profile(self) -> "Profile":
        """The first profile, opened."""
        from popscope._tables import open as openProfile

        return openProfile(self.path)

    def summary(self) -> List[Dict[str, Any]]:
        """Returns count, min, mean, median, max and the 90th to 99.9th percentiles of the cycles of recorded runs that ended, by label
        or name, and of the seconds of record()."""
        found: Dict[Tuple[str, str], List[float]] = {}
        for path in self.paths:
            for run in _cpp.openReport(path, "").execution.runs:
                if not run.complete:  # its length is unknown
                    continue
                found.setdefault((run.label or run.name or "run", "cycles"), []).append(run.totalCycles.total)
        for label, seconds in self._spans.items():
            found[label, "seconds"] = seconds
        return [{"name": name, "unit": unit, **_statistics.describe(values)} for (name, unit), values in found.items()]

    def print_summary(self, file: Any = None) -> None:
        """Prints summary() as a table."""
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
    """A label that holds from its creation to end(), or to the end of its `with` block."""

    def __init__(self, profile_: profile, label: str) -> None:
        self._profile, self._label, self.entered = profile_, label, False
        self._token: Optional["contextvars.Token[Tuple[str, ...]]"] = _labels.set(_labels.get() + (label,))
        self._begin = time.perf_counter()

    def __enter__(self) -> None:
        self.entered = True

    def __exit__(self, *exception: Any) -> None:
        self.end()

    def end(self) -> None:
        """Ends the label. Further calls have no effect."""
        if self._token is None:
            return
        self._profile._spans.setdefault(self._label, []).append(time.perf_counter() - self._begin)
        with contextlib.suppress(ValueError):  # ended in another task, which keeps its labels
            _labels.reset(self._token)
        self._token = None


def _commit() -> Optional[str]:
    """Returns the commit of the working directory; None if there is none."""
    try:
        done = subprocess.run(["git", "rev-parse", "HEAD"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    except OSError:
        return None
    return done.stdout.decode().strip() or None if done.returncode == 0 else None


def _setVariable(value: Optional[str]) -> None:
    """Sets the environment variable; None restores its value from before the first profile."""
    value = _original[0] if value is None else value
    if value is None:
        os.environ.pop(_VARIABLE, None)
    else:
        os.environ[_VARIABLE] = value


def _noteCount(engine: Any, options: Dict[str, Any]) -> None:
    """Stores in the engine the number of runs of each program that its options or the environment set; None if neither does."""
    isSet = _COUNT in options or _COUNT in (os.environ.get(_VARIABLE) or "")
    engine._runsOfEach = int(engine.getEngineOptions()[_COUNT]) if isSet else None


@contextlib.contextmanager
def making(options: Dict[str, Any]) -> Iterator[Tuple[Dict[str, Any], Callable[[Any], None]]]:
    """Prepares the creation of an engine in Python: yields its options (the program's options override those of the surrounding templates)
    and a function to call with the engine. Meanwhile the variable has the user's value. The compilation's files wait in a hidden folder.
    They go to the place of the innermost profile when that ends, or at once if the graph does not fit, so that a killed process leaves
    an earlier profile as it is."""
    profiles = _active.get()
    if not profiles:
        yield options, lambda engine: _noteCount(engine, options)
        return
    merged = {k: v for p in profiles for k, v in p._options.items()}
    path: Optional[str] = None
    ownFile = "autoReport.directory" in options or any(str(options.get(key)).lower() in ("true", "1") for key in _FILES)
    if not ownFile:
        path = profiles[-1]._reserve()
        if "true" in (merged.get("autoReport.all"), merged.get("autoReport.outputExecutionProfile")):
            merged.setdefault("debug.instrument", "true")
        merged.update({"autoReport.directory": os.path.dirname(path), "autoReport.outputGraphProfile": "true", "autoReport.outputExecutionProfile": "false"})

    def made(engine: Any) -> None:
        _noteCount(engine, options)
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
            if path and os.path.exists(path):  # false for engines in C++
                profiles[-1]._before[path] = os.stat(path).st_mtime_ns


@contextlib.contextmanager
def running(engine: Any, program: Any, scope: Callable[..., Any]) -> Iterator[None]:
    """Decides, while an engine in Python runs, whether the run is recorded (the innermost profile decides) and under which label."""
    profiles = _active.get()
    if not profiles:
        yield
        return
    for p in profiles:
        p._note(engine)
    label = "/".join([p.label for p in profiles if p.label] + list(_labels.get()))
    index = operator.index(program) if hasattr(program, "__index__") else None
    if not any(p._paused for p in profiles) and profiles[-1]._wants(engine, index):
        inner = scope(engine, label, profiles[-1].categories or None)
    else:
        inner = scope(engine, label, None, False)
    try:
        yield
    finally:
        del inner
