"""Sweeps: run one program with many machines, options or arguments, on any executor."""

from __future__ import annotations

import concurrent.futures
import datetime
import functools
import hashlib
import itertools
import json
import multiprocessing
import os
import pathlib
import pickle
import platform
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import uuid
import warnings
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Set, Tuple, Union

from popscope import _frames
from popscope import _identity as _identities
from popscope._paths import Path, given
from popscope._profiling import _commit
from pva import _records
from pva._native import pva as _cpp

METRICS = ("cycles", "bytes.fullestTile")
_COSTS = ("exchange.", "sync.", "exchange/", "sync/")  # prefixes of the machine's fields that do not affect a program's bytes
_DEVICE_COSTS = ("exchange.minLatencyCycles", "exchange.maxLatencyCycles")  # on a device, the section "device" of the machine replaces these fields
_VARIABLES = ("POPLAR_", "POPSCOPE_")  # prefixes of the environment variables that Popscope reads
_FILES = {"POPSCOPE_MACHINE", "POPSCOPE_CONFIG"}  # variables that name a file, whose content matters
_WITHOUT_EFFECT = {"POPLAR_LOG_LEVEL", "POPSCOPE_LOG", "POPSCOPE_CACHE_DIR", "POPSCOPE_COMPILE_SECONDS"}  # variables that change no metric
_OUTCOME = ("state", "message", "seconds", "worker", "how")  # the columns of a row after its settings and metrics
_ATTEMPTS = 3  # maximum number of attempts for a point whose worker dies
_ended: List[int] = []  # the signal that ends this process, see endAtSignals()
_SCHEMA = """
CREATE TABLE IF NOT EXISTS sweeps (id INTEGER PRIMARY KEY, began TEXT NOT NULL, program TEXT NOT NULL, over TEXT NOT NULL, metrics TEXT NOT NULL,
  commit_id TEXT, version TEXT NOT NULL, host TEXT NOT NULL, executor TEXT NOT NULL, machines TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS points (id INTEGER PRIMARY KEY, sweep INTEGER NOT NULL REFERENCES sweeps, program TEXT NOT NULL, point TEXT NOT NULL,
  state TEXT NOT NULL, message TEXT NOT NULL, seconds REAL NOT NULL, worker TEXT NOT NULL, how TEXT NOT NULL, UNIQUE (program, point));
CREATE TABLE IF NOT EXISTS metrics (point INTEGER NOT NULL REFERENCES points ON DELETE CASCADE, name TEXT NOT NULL, value NUMERIC, PRIMARY KEY (point, name));
"""


class Outcome(NamedTuple):
    """The outcome of one point, which a worker returns."""

    metrics: Dict[str, Optional[float]]
    message: str  # "" = done
    seconds: float
    worker: str
    how: str  # "compiled" or "re-simulated"


def opened(path: str, schema: str) -> sqlite3.Connection:
    """Opens the SQLite file `path`, and executes `schema` in it.

    Raises OSError, which names the path, if the file cannot be opened or is not a database.
    """
    try:
        db = sqlite3.connect(path)
        db.executescript(schema)
        return db
    except sqlite3.Error as error:
        raise OSError("the database %s cannot be used: %s" % (path, error)) from None


def _readOnly(path: str) -> sqlite3.Connection:
    return sqlite3.connect(pathlib.Path(path).absolute().as_uri() + "?mode=ro", uri=True)


class Result:
    """The points of a sweep that have run so far; `database` is the path of the SQLite file."""

    def __init__(self, database: str, programs: _Programs, over: Mapping[str, Sequence[Any]], metrics: Sequence[str]) -> None:
        self.database, self._programs, self._over, self._metrics = database, programs, over, metrics
        self._absolute = os.path.abspath(database)  # the working directory can change

    def rows(self) -> _frames.Rows:
        """Returns one dict per point that has run, in the order of the sweep.

        A dict has the settings and the metrics of the point by name, and the keys state ("done" or "failed"), message
        (the error; "" if done), seconds (of the host), worker ("host:process") and how ("compiled" or "re-simulated").
        All dicts have the same metrics; a metric that a point lacks is None.
        """
        place = {(self._programs.of(point), _key(point)): i for i, point in enumerate(pointsOf(self._over))}
        found = {}
        db = _readOnly(self._absolute)
        for id_, program, point, asked, *outcome in db.execute(
                "SELECT p.id, p.program, point, s.metrics, state, message, seconds, worker, how FROM points p JOIN sweeps s ON s.id = p.sweep "
                "WHERE p.program IN (SELECT value FROM json_each(?))", (self._programs.json(),)):
            if (program, point) in place:
                metrics = dict(db.execute("SELECT name, value FROM metrics WHERE point = ? ORDER BY rowid", (id_,)))
                ending = dict(zip(_OUTCOME, outcome))
                if ending["state"] == "done" and ending["message"]:  # a later call failed: its message matters only if the point lacks a metric of this sweep
                    lacks = any(name not in metrics for name in self._metrics) if self._metrics else json.loads(asked)
                    ending.update({"state": "failed"} if lacks else {"message": ""})
                found[place[program, point]] = json.loads(point), metrics, ending
        db.close()
        names = dict.fromkeys([*self._metrics, *(name for i in sorted(found) for name in found[i][1])] or METRICS)
        rows = _frames.Rows()
        for _, (settings, metrics, ending) in sorted(found.items()):
            rows.append({**settings, **{name: None for name in names if name not in settings}, **metrics, **ending})
        return rows

    def frame(self, kind: Optional[str] = None) -> Any:
        """Returns rows() as a frame of the kind `kind`; see Profile.frame for kinds and errors."""
        rows = self.rows()
        names = list(dict.fromkeys(name for row in rows for name in row))
        return _frames.make(names, [[row.get(name) for name in names] for row in rows], kind)

    @property
    def failed(self) -> _frames.Rows:
        """The rows of the points that failed."""
        return _frames.Rows(row for row in self.rows() if row["state"] == "failed")

    def __len__(self) -> int:
        return len(self.rows())

    def __repr__(self) -> str:
        return "Result(%r: %d points, %d failed)" % (self.database, len(self), len(self.failed))

    def _repr_html_(self) -> str:
        return self.rows()._repr_html_()


def pointsOf(over: Mapping[str, Iterable[Any]]) -> Iterator[Dict[str, Any]]:
    """Yields every combination of one value per name, as a dict. The value of the last name changes fastest."""
    lists = {name: list(values) for name, values in over.items()}
    for values in itertools.product(*lists.values()):
        yield dict(zip(lists, values))


def _chosen(numbers: Mapping[str, Any], wanted: Sequence[str]) -> Dict[str, Optional[float]]:
    missing = [name for name in wanted if name not in numbers]
    if missing:
        raise LookupError("the profile has no number %s; popscope numbers PROFILE lists them" % ", ".join(map(repr, missing)))
    return {name: numbers[name] for name in wanted}


@functools.lru_cache(4)
def _keptProfile(path: str) -> Tuple[Any, Dict[str, Optional[float]]]:
    """Returns the report and the numbers of a profile. Each worker keeps the four profiles that it used last."""
    report = _cpp.openReport(path, "")
    return report, {name: value for name, (value, _) in _cpp.numbers(report).items()}


def _isScalar(value: Any) -> bool:
    """Returns whether a value is a scalar of numpy, or of a library with the same interface."""
    return hasattr(value, "dtype") and getattr(value, "shape", None) == () and hasattr(value, "item")


def _number(name: str, value: Any) -> Optional[float]:
    """Returns the value of a metric as an int or a float, which SQLite can store. Raises TypeError for no number."""
    if _isScalar(value):
        value = value.item()
    try:
        if value is None or isinstance(value, float):
            return value
        number = int(value.__index__()) if hasattr(value, "__index__") else float(value.__float__())
        return number if abs(number) < 1 << 63 else float(number)
    except (AttributeError, TypeError, ValueError):
        raise TypeError("the metric '%s' is a number or None, not %.100r" % (name, value)) from None


def _metricsOf(result: Any, wanted: Sequence[str]) -> Dict[str, Optional[float]]:
    """Returns the wanted numbers of a dict, an engine, a report, a Profile or the path of a profile.

    No `wanted` means all numbers of a dict, or METRICS of anything else. Raises LookupError for a number that the dict or
    the profile does not have, and TypeError for any other result.
    """
    if isinstance(result, Mapping):
        missing = [name for name in wanted if name not in result]
        if missing:
            raise LookupError("build returned a dict without the metric %s; for an unknown number, the value is None" % ", ".join(map(repr, missing)))
        return {name: _number(name, result[name]) for name in wanted or result}
    report = result
    if hasattr(result, "getReport"):
        report = result.getReport()
    elif hasattr(result, "report"):
        report = result.report
    elif isinstance(result, (str, os.PathLike)):
        report = _cpp.openReport(os.fsencode(given("sweep: the path of a profile", result)), "")
    if not isinstance(report, _cpp.Report):
        raise TypeError("build returned %.100r; it returns an engine, a report, an open profile, the path of a profile, or a dict of numbers" % (result,))
    return _chosen({name: value for name, (value, _) in _cpp.numbers(report).items()}, wanted or METRICS)


def _mustDiffer(settings: Iterable[str], metrics: Iterable[str]) -> None:
    """Raises ValueError if two columns of a row would have the same name."""
    for kind, names, others, other in (("setting", settings, _OUTCOME, "column"), ("metric", metrics, _OUTCOME, "column"),
                                       ("metric", metrics, settings, "setting")):
        for name in names:
            if name in others:
                raise ValueError("sweep: the %s %r has the name of a %s of each row; give it another name" % (kind, name, other))


def endAtSignals() -> None:
    """Makes SIGHUP, SIGINT and SIGTERM raise SystemExit, so that a sweep and its workers remove their temporary folders.

    Only the main function of a command may call this function: a library must leave the handlers of a program as they
    are. Workers that start later have the same handlers, and receive SIGTERM if this process is ended. Signals that are
    ignored stay ignored.
    """
    def end(number: int, _: Any) -> None:
        if _ended:
            return  # the folders are being removed
        _ended.append(number)
        for worker in multiprocessing.active_children():
            worker.terminate()
        raise SystemExit(128 + number)

    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, end)


def signalThatEnds() -> Optional[int]:
    """Returns the signal for which endAtSignals() raised SystemExit; None if there was none."""
    return _ended[0] if _ended else None


def _callPoint(build: Callable[..., Any], point: Dict[str, Any], metrics: Sequence[str]) -> Outcome:
    """Runs build(**point) in a worker. An Exception does not leave the function: the text of the Exception becomes the message of the outcome."""
    if _ended:  # a signal ended the worker's last point
        os._exit(128 + _ended[0])
    begin = time.perf_counter()
    worker = "%s:%d" % (platform.node(), os.getpid())
    try:
        found, message = _metricsOf(build(**point), metrics), ""
        _mustDiffer(point, found)
    except Exception as error:
        lines = str(error).strip().split("\n")
        found, message = {}, "%s: %s" % (type(error).__name__, " ".join(map(str.strip, lines))[:400] if lines[0].endswith(":") else lines[0])
    return Outcome(found, message, time.perf_counter() - begin, worker, "compiled")


def _nested(base: Any, settings: Mapping[str, Any]) -> Dict[str, Any]:
    """Returns a copy of the machine `base` with changed fields: {"exchange.bytesPerCycle": 4} sets one nested field."""
    result: Dict[str, Any] = json.loads(json.dumps(base))
    for name, value in settings.items():
        keys = name.replace("/", ".").split(".")
        at = result
        for key in keys[:-1]:
            at = at.setdefault(key, {})
        at[keys[-1]] = value
    return result


def _nameOfMachine(point: Mapping[str, Any]) -> str:
    machine = point.get("machine")
    return "ipu2" if machine is None else str(machine)


def _machineOf(point: Mapping[str, Any]) -> Dict[str, Any]:
    """Returns the machine that a point names, as the content of a machine file; without "machine", ipu2.

    Raises poplar_error, which names the file, if the file is not a JSON object, or if there is neither such a file nor
    such a built-in machine.
    """
    from popscope import poplar

    machine = _nameOfMachine(point)
    result: Any = {"base": machine}
    if not os.path.exists(machine):
        try:
            poplar.Target.fromJson(json.dumps(result))
        except poplar.invalid_machine_model:
            raise poplar.file_load_error("cannot read the machine %r: there is no such file, and no built-in machine has this name" % machine) from None
        return dict(result)
    try:
        result = json.loads(pathlib.Path(machine).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        result = None
    if not isinstance(result, dict):  # the error of fromFile has the place of the mistake
        result = json.loads(poplar.Target.fromFile(machine).machineAsJson())
    return dict(result)


def _writeMachine(path: str, point: Mapping[str, Any], fields: Mapping[str, Any]) -> None:
    """Writes the machine of a point with changed fields as a machine file. Raises poplar_error if it is no machine; the
    message names the machine of the point."""
    from popscope import poplar

    pathlib.Path(path).write_text(json.dumps(_nested(_machineOf(point), fields)), encoding="utf-8")
    try:
        poplar.Target.fromFile(path)
    except poplar.poplar_error as error:
        name = " with ".join([_nameOfMachine(point)] + [", ".join("%s=%s" % field for field in fields.items())] * bool(fields))
        raise type(error)(str(error).replace(path, name)) from None


def _text(value: Any) -> str:
    """Returns a value as the text of an engine option or of an environment variable."""
    return str(value).lower() if isinstance(value, bool) else str(value)


class Command:
    """An unmodified program as the `build` of a sweep. Each point runs the program in a separate process.

    arguments: the command line, a list of str.
    timeout: the limit in seconds for one point; None = no limit. A point that takes longer fails.
    resimulate: True compiles and runs the program once for all points that differ only in fields exchange.* and sync.*.
    This run leaves out these fields. Each of the points gets the bytes of this run, and gets cycles from `popscope
    whatif`. Such a run serves several points only if all metrics are "cycles" or "bytes.*"; otherwise every point is
    compiled. A point that whatif cannot answer is compiled, too. The bytes and cycles are those of the program as it
    was compiled. The compiler decides by exchange.bytesPerCycle and exchange.perMessageCycles whether a tile receives
    words from itself, or copies the words by a vertex (docs/inside/cost-model.md). For other values of these fields,
    the compiler may decide otherwise. Use False to get these decisions, and for a program that reads exchange.* or
    sync.* from its target, or sets these fields itself.

    Names in a point: "machine" selects a built-in machine or the path of a machine file (docs/MACHINES.md).
    "option:NAME" sets an engine option, and "env:NAME" an environment variable; a bool becomes "true" or "false". Every
    other name is a field of the machine, such as exchange.bytesPerCycle. Without "machine", a field changes the machine
    ipu2."""

    def __init__(self, arguments: Sequence[str], timeout: Optional[float] = None, resimulate: bool = False) -> None:
        if isinstance(arguments, str):
            raise TypeError("Command: arguments is a list of names, not the text %r: give %r" % (arguments, arguments.split()))
        self.arguments, self.timeout, self.resimulate = _records.names("arguments", arguments), timeout, resimulate
        self.kept = ""  # folder of the profiles for re-simulation, which all workers share during a sweep

    def resimulated(self, point: Dict[str, Any], metrics: Sequence[str]) -> Optional[Dict[str, Optional[float]]]:
        """Computes the metrics of a point without running it, or returns None if the point must be compiled.

        The bytes are those of a reduced point: this point without its fields exchange.* and sync.*. The first call runs
        the reduced point. The cycles are those of `popscope whatif` for the profile of the reduced point. Returns None
        if whatif cannot compute all of them again, or if the program's machine does not take a field from the point's
        machine. Raises
        LookupError for a metric that the profile lacks, and RuntimeError as measured() does.
        """
        costs = {name: value for name, value in point.items() if name.startswith(_COSTS)}
        if not (self.resimulate and costs and all(name == "cycles" or name.startswith("bytes.") for name in metrics)):
            return None
        base = dict({"machine": "ipu2"}, **{name: value for name, value in point.items() if name not in costs})
        kept = os.path.join(self.kept, hashlib.sha256(_key(base).encode()).hexdigest()[:24] + ".pop")
        if not os.path.exists(kept):
            with tempfile.TemporaryDirectory(prefix="popscope_point_", dir=os.path.dirname(kept)) as folder:
                os.replace(self._profile(folder, base), kept)
        report, found = _keptProfile(kept)
        target = report.compilation.target
        machine = _machineOf(point)
        isOther = machine.get("architecture", machine.get("base")) != json.loads(target.machine or "{}").get("architecture")
        if isOther or (target.type.name == "IPU" and any(name.replace("/", ".") in _DEVICE_COSTS for name in costs)):
            return None
        fields = ",".join("%s=%s" % (name.replace(".", "/"), value) for name, value in costs.items())
        try:
            answer = json.loads(_cpp.view(report, "whatif", "", {"set": fields})[0])
        except (RuntimeError, ValueError):  # the kept profile cannot be read, or whatif cannot answer
            return None
        if any(note.startswith("not computed again") for note in answer["notes"]):
            return None  # a field that changes the code of exchanges, such as exchange.maxSendWords
        return _chosen({**found, "cycles": answer["facts"]["cycles"]}, metrics)

    def __repr__(self) -> str:
        return " ".join(self.arguments)

    def measured(self, point: Dict[str, Any], metrics: Sequence[str]) -> Dict[str, Optional[float]]:
        """Runs the program for one point, and returns the metrics of the point.

        Raises RuntimeError, with the program's last line on stderr, if the program fails or writes no profile. Raises
        subprocess.TimeoutExpired after `timeout` seconds, and LookupError for a metric that the profile lacks.
        """
        folder = tempfile.mkdtemp(prefix="popscope_point_")
        try:
            return _metricsOf(self._profile(folder, point), metrics)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _profile(self, folder: str, point: Dict[str, Any]) -> str:
        environment = dict(os.environ)
        options = {"autoReport.outputGraphProfile": "true", "autoReport.outputExecutionProfile": "true", "autoReport.directory": folder}
        options.update({name[7:]: _text(value) for name, value in point.items() if name.startswith("option:")})
        options = dict(json.loads(environment.get("POPLAR_ENGINE_OPTIONS") or "{}"), **options)
        environment["POPLAR_ENGINE_OPTIONS"] = json.dumps(options)
        environment.update({name[4:]: _text(value) for name, value in point.items() if name.startswith("env:")})
        fields = {name: value for name, value in point.items() if ":" not in name and name != "machine"}
        if "machine" in point or fields:
            path = os.path.join(folder, "machine.json")
            _writeMachine(path, point, fields)
            environment["POPSCOPE_MACHINE"] = path
        done = subprocess.run(self.arguments, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=self.timeout, check=False)
        profile = os.path.join(folder, "profile.pop")
        if done.returncode != 0 or not os.path.exists(profile):
            lines = [line for line in done.stderr.decode("utf-8", "replace").split("\n") if line.strip()]
            raise RuntimeError("%s ended with %d and %s profile: %s" % (self.arguments[0], done.returncode, "a" if os.path.exists(profile) else "no",
                                                                       lines[-1] if lines else "it said nothing"))
        return profile


def _commandPoint(command: Command, point: Dict[str, Any], metrics: Sequence[str]) -> Outcome:
    """Re-simulates or runs one point of a command in a worker. Never raises an Exception, as _callPoint."""
    how = "compiled"

    def measure(**settings: Any) -> Dict[str, Optional[float]]:
        nonlocal how
        found = command.resimulated(settings, metrics)
        how = "compiled" if found is None else "re-simulated"
        return command.measured(settings, metrics) if found is None else found
    return _callPoint(measure, point, metrics)._replace(how=how)


def _digest(path: str) -> str:
    """Returns a hash of the content of a file; "missing" if there is no file of this name."""
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()[:16] if os.path.isfile(path) else "missing"


def _identity(build: Any) -> str:
    """Returns the text by which a resumed sweep finds the points of the same program in the same environment.

    For a command, the text consists of the words of the command and a hash of the program's file. For a callable, the
    text consists of the name of the callable and the hash of _identity.digestOf. If a part of the callable has no known
    value, the text is new in each call, and a warning says so. A hash of the environment variables of Popscope follows
    if there are such variables; for a machine file and a configuration file, the hash includes the content.
    """
    variables = {name: (value, _digest(os.path.expanduser(value)) if name in _FILES else "") for name, value in sorted(os.environ.items())
                 if name.startswith(_VARIABLES) and name not in _WITHOUT_EFFECT}
    environment = " environment " + hashlib.sha256(json.dumps(variables).encode()).hexdigest()[:16] if variables else ""
    if isinstance(build, Command):
        program = shutil.which(build.arguments[0]) or build.arguments[0]
        return "%s %s%s" % (shlex.join(build.arguments), _digest(program), environment)
    try:
        digest = _identities.digestOf(build)
    except _identities.Unidentified as error:
        warnings.warn("sweep: build has %s, whose value is unknown: no stored point can be recognised, so every point runs" % error, stacklevel=_records.outside())
        digest = "unknown " + uuid.uuid4().hex
    return "%s %s%s" % (getattr(build, "__qualname__", type(build).__qualname__), digest, environment)


class _Programs:
    """The texts by which the database finds points: the identity of the program, and a hash of a point's machine file."""

    def __init__(self, identity: str, machines: Mapping[str, str]) -> None:
        self.identity, self.machines = identity, machines  # the text of a machine file, by the file's name

    def of(self, point: Mapping[str, Any]) -> str:
        return self.identity + self.machines.get(str(point.get("machine")), "")

    def json(self) -> str:
        """Returns the texts of all points as a JSON array."""
        return json.dumps([self.identity] + [self.identity + machine for machine in self.machines.values()])


def _programsOf(build: Any, over: Mapping[str, Sequence[Any]]) -> _Programs:
    names = {str(machine) for machine in over.get("machine", [])}
    return _Programs(_identity(build), {name: " machine " + _digest(name) for name in sorted(names) if os.path.isfile(name)})


def outcomes(function: Callable[..., Any], tasks: Iterator[Tuple[Any, ...]], executor: Optional[concurrent.futures.Executor], lost: Callable[[str], Any],
             workers: Optional[int] = None) -> Iterator[Tuple[Tuple[Any, ...], Any]]:
    """Yields (task, function(*task)) in the order in which tasks end. A task that is lost three times yields lost(message).

    Problem: if one worker dies, a pool of processes breaks and loses all its tasks, not only the task that killed the
    worker. Idea: the lost tasks run again one at a time in a new pool, so that a deadly task uses up only its own
    attempts. At most four tasks per worker are submitted at a time, so memory stays constant. Raises RuntimeError if the
    pool that breaks is the caller's `executor`, which cannot be replaced.
    """
    own = executor is None
    pool: Any = executor or concurrent.futures.ProcessPoolExecutor(workers, initializer=_drawNoBars)
    running: Dict[Any, Tuple[Tuple[Any, ...], int]] = {}
    again: List[Tuple[Tuple[Any, ...], int]] = []  # lost tasks with their attempts; each runs alone
    try:
        while True:
            while len(running) < (1 if again or any(attempt > 1 for _, attempt in running.values()) else 4 * (workers or os.cpu_count() or 1)):
                fresh = None if again else next(tasks, None)
                if not again and fresh is None:
                    break
                following = again.pop() if again else (fresh or (), 1)
                try:
                    running[pool.submit(function, *following[0])] = following
                except concurrent.futures.BrokenExecutor:
                    again.append(following)
                    break
            if not running and not again:
                return
            done, _ = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
            broken = not running
            for future in done:
                task, attempt = running.pop(future)
                error = future.exception()
                if error is None:
                    yield task, future.result()
                    continue
                broken = broken or isinstance(error, concurrent.futures.BrokenExecutor)
                if attempt < _ATTEMPTS:
                    again.append((task, attempt + 1))
                else:
                    yield task, lost("the worker was lost %d times: %s" % (attempt, error))
            if broken and own:
                again += list(running.values())
                running.clear()
                pool.shutdown(wait=False)
                pool = concurrent.futures.ProcessPoolExecutor(workers, initializer=_drawNoBars)
            elif broken:
                raise RuntimeError("sweep: the executor %s is broken; the finished points are kept: start the sweep again with a new executor" % type(executor).__name__)
    finally:
        if own:
            pool.shutdown(wait=True, cancel_futures=True)


def _drawNoBars() -> None:
    """Makes the engines of a worker process draw no bars: the terminal belongs to the sweep."""
    os.environ["TERM"] = "dumb"


def _left(done: int, all_: int, began: float, out: Any) -> None:
    spent = time.monotonic() - began
    print("\r%d of %d points, %s left " % (done, all_, datetime.timedelta(seconds=round(spent / max(done, 1) * (all_ - done)))), end="" if done < all_ else "\n",
          file=out, flush=True)


def _key(point: Mapping[str, Any]) -> str:
    return json.dumps(point, default=str)


def _skipped(db: sqlite3.Connection, programs: _Programs, metrics: Sequence[str], retry: bool) -> Set[Tuple[str, str]]:
    """Returns the points in the file that need not run, each with the text of its program.

    A done point need not run if it has all these metrics. A failed point need not run if it failed in a sweep with at
    least these metrics, and `retry` is False. No `metrics` means all keys of a dict. Because the names of the keys are
    unknown, a point then need not run if its sweep (see _store) named no metrics either.
    """
    found = set()
    for program, point, state, measured, asked in db.execute(
            "SELECT p.program, point, state, (SELECT COUNT(*) FROM metrics m WHERE m.point = p.id AND m.name IN (SELECT value FROM json_each(?))), s.metrics "
            "FROM points p JOIN sweeps s ON s.id = p.sweep WHERE p.program IN (SELECT value FROM json_each(?))", (json.dumps(metrics), programs.json())):
        names = json.loads(asked)
        if not metrics:
            isStored = not names
        else:
            isStored = measured == len(set(metrics)) if state == "done" else set(metrics) <= set(names or METRICS)
        if isStored and not (retry and state == "failed"):
            found.add((program, point))
    return found


def _listsOf(over: Mapping[str, Iterable[Any]]) -> Dict[str, List[Any]]:
    """Returns the list of values of each name. Raises TypeError if `over` is no dict of names to lists, and ValueError
    if there is no point."""
    if not isinstance(over, Mapping):
        raise TypeError("sweep: over is a dict of names to lists of values, as in {\"tiles\": [64, 128]}, not %r" % (over,))
    lists = {}
    for name, values in over.items():
        if not isinstance(name, str):
            raise TypeError("sweep: a name in over is a str, not %r" % (name,))
        if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
            raise TypeError("over: the values of %r are a list, not %r" % (name, values))
        lists[name] = [value.item() if _isScalar(value) else value for value in values]
        if not lists[name]:
            raise ValueError("sweep: there is no point: the list of %r in over is empty" % name)
    if not lists:
        raise ValueError("sweep: there is no point: over is empty; give at least one name and a list of its values")
    return lists


def _mustPickle(build: Any) -> None:
    """Raises TypeError if `build` cannot be sent to another process."""
    try:
        pickle.dumps(build)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise TypeError("sweep: build cannot be sent to another process (%s): define it at the top of a module, or give "
                        "executor=concurrent.futures.ThreadPoolExecutor()" % error) from None


def _mustBeSettings(lists: Mapping[str, Sequence[Any]]) -> None:
    """Raises an error for settings of a Command that no point can have: two names of one field, and a machine that
    cannot be read (see _machineOf)."""
    fields: Dict[str, str] = {}
    for name in lists:
        field = name if ":" in name else name.replace("/", ".")
        if field in fields:
            raise ValueError("sweep: %r and %r are the same field of the machine; give one list of its values" % (fields[field], name))
        fields[field] = name
    for machine in lists.get("machine", []):
        _machineOf({"machine": machine})


def mustBePositive(workers: Optional[int]) -> None:
    """Raises ValueError for a number of processes below 1."""
    if workers is not None and workers < 1:
        raise ValueError("workers is %d; give 1 or more, or leave it out for one per core" % workers)


def _store(db: sqlite3.Connection, sweepId: Optional[int], key: Tuple[str, str], outcome: Outcome) -> None:
    """Stores a point and its metrics. The sweep of the point is the last one that stored the point.

    A done point of a sweep without `metrics` keeps that sweep, because the point has all keys of a dict.
    """
    db.execute("INSERT INTO points (sweep, program, point, state, message, seconds, worker, how) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (program, point) DO "
               "UPDATE SET sweep = CASE WHEN state = 'done' AND (SELECT metrics FROM sweeps s WHERE s.id = points.sweep) = '[]' THEN points.sweep ELSE excluded.sweep END, "
               "state = excluded.state, message = excluded.message, seconds = excluded.seconds, worker = excluded.worker, "
               "how = excluded.how", (sweepId, *key, "failed" if outcome.message else "done", outcome.message, outcome.seconds, outcome.worker, outcome.how))
    (id_,) = db.execute("SELECT id FROM points WHERE program = ? AND point = ?", key).fetchone()
    db.executemany("INSERT OR REPLACE INTO metrics VALUES (?, ?, ?)", [(id_, name, value) for name, value in outcome.metrics.items()])


def _lost(message: str) -> Outcome:
    return Outcome({}, message, 0.0, "", "compiled")


def sweep(build: Union[Callable[..., Any], Command], over: Mapping[str, Iterable[Any]], metrics: Optional[Sequence[str]] = None,
          executor: Optional[concurrent.futures.Executor] = None, database: Path = "sweep.db", workers: Optional[int] = None, retry: bool = False,
          progress: Optional[bool] = None) -> Result:
    """Runs build(**point) for every combination of `over`, and stores the metrics of the points in one SQLite file.

    build: a Command, or a function that returns an engine, a pva.Report, a Profile, the path of a profile or a dict of
    numbers.
    over: a dict of names to lists of values. A point has one value of each list.
    metrics: names that `popscope numbers` prints, or keys of the dict; None = cycles and bytes.fullestTile of a
    profile, and every key of a dict.
    executor: any concurrent.futures.Executor, such as Dask's client.get_executor() or
    mpi4py.futures.MPIPoolExecutor(). None = a pool of processes on this machine.
    database: the path of the SQLite file. A point does not run again if the file has the point with these metrics. The
    program, the machine file and the environment variables POPLAR_* and POPSCOPE_* (except variables that change no
    metric) must be unchanged. During a sweep of a Command with `resimulate`, a folder next to the file contains the
    profiles of compiled points. The sweep removes this folder at its end.
    workers: the number of processes; None = one per core.
    retry: True also runs the failed points in the file again.
    progress: True shows the number of points and the time left on stderr; None = only on a terminal.

    If a point fails, its row has the error message, and the sweep continues. Only a few points are in memory at a time.
    If `build` has a part whose value is unknown, such as a lock, the sweep issues a warning and runs all points. A lock
    in an attribute or an argument of `build` needs an executor of threads. Returns the points as a Result.

    Raises TypeError if `over` is no dict of lists, if `metrics` is a single text, or if `build` cannot be sent to another
    process and there is no executor. Raises ValueError if `over` or one of its lists is empty, if a setting or a metric
    has the name of another column of the rows, if two settings of a Command are the same field of the machine, or if
    `workers` is below 1. Raises poplar_error if the machine of a Command cannot be read. If a key of the dict that `build` returns has such a name, the
    point fails. Raises OSError if the database cannot be used. Raises RuntimeError if `executor` breaks; the file keeps the points so far."""
    path = given("sweep: database", database)
    lists = _listsOf(over)
    metrics = _records.names("metrics", metrics or ()) or (list(METRICS) if isinstance(build, Command) else [])
    _mustDiffer(lists, metrics)
    mustBePositive(workers)
    if isinstance(build, Command):
        _mustBeSettings(lists)
    if executor is None:
        _mustPickle(build)
    programs = _programsOf(build, lists)
    db = opened(path, _SCHEMA)
    if "machines" not in {column for _, column, *_ in db.execute("PRAGMA table_info(sweeps)")}:  # an older version, without openSweep, wrote the file
        db.execute("ALTER TABLE sweeps ADD COLUMN machines TEXT NOT NULL DEFAULT '{}'")
    skipped = _skipped(db, programs, metrics, retry)
    function: Callable[..., Outcome] = _callPoint
    kept = None
    if isinstance(build, Command):
        function = _commandPoint
        if build.resimulate:  # next to the database, where workers on other machines reach it, too
            kept = tempfile.TemporaryDirectory(prefix=os.path.basename(path) + ".profiles-", dir=os.path.dirname(os.path.abspath(path)))
            build.kept = kept.name
    with db:
        sweepId = db.execute("INSERT INTO sweeps (began, program, over, metrics, commit_id, version, host, executor, machines) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (
            datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"), programs.identity, json.dumps(lists, default=str), json.dumps(metrics), _commit(),
            _version(), platform.node(), type(executor).__name__ if executor else "processes", json.dumps(programs.machines))).lastrowid
    tasks = ((build, point, metrics) for point in pointsOf(lists) if (programs.of(point), _key(point)) not in skipped)
    all_ = 1
    for values in lists.values():
        all_ *= len(values)
    todo = all_ - sum(1 if (programs.of(point), _key(point)) in skipped else 0 for point in pointsOf(lists))
    began, shows = time.monotonic(), sys.stderr.isatty() if progress is None else progress
    committed = began  # time of the last commit; a commit takes longer than many points, so the sweep does not commit after each short point
    pending: List[Tuple[Tuple[str, str], Outcome]] = []  # not yet in the database, which is not locked while points run

    def commit() -> None:
        with db:
            for key, outcome in pending:
                # A done point stays done if a later call fails for other metrics, such as a misspelt one; Result reports the message.
                if not (outcome.message and db.execute("UPDATE points SET message = ? WHERE program = ? AND point = ? AND state = 'done'", (outcome.message, *key)).rowcount):
                    _store(db, sweepId, key, outcome)
        pending.clear()
    try:
        for done, ((_, point, _), outcome) in enumerate(outcomes(function, tasks, executor, _lost, workers), 1):
            pending.append(((programs.of(point), _key(point)), outcome))
            if time.monotonic() - committed > 0.5 or outcome.seconds > 0.05 or done == todo:
                commit()
                committed = time.monotonic()
            if shows:
                _left(done, todo, began, sys.stderr)
    finally:
        commit()
        db.close()
        if kept is not None:
            kept.cleanup()
    return Result(path, programs, lists, metrics)


def openSweep(path: Path, number: Optional[int] = None) -> Result:
    """Opens the results of a sweep that another program stored in the file `path`, and only reads the file.

    number: the number of the sweep in the file, from 1, in the order in which the sweeps began; None = the last sweep.
    Every call of sweep() with this file counts. The result has the points that the file has now, also while the sweep
    runs. Raises OSError, which names the path, if there is no such file or if the file has no sweep. Raises LookupError
    for a number that the file does not have.
    """
    name = given("openSweep: path", path)
    try:
        db = _readOnly(name)
        try:
            found = db.execute("SELECT program, machines, over, metrics FROM sweeps ORDER BY id").fetchall()
        finally:
            db.close()
    except sqlite3.Error as error:
        raise OSError("the sweep %s cannot be read: %s" % (name, error)) from None
    if not found:
        raise OSError("the sweep %s cannot be read: the file has no sweep" % name)
    at = len(found) if number is None else number
    if not 1 <= at <= len(found):
        raise LookupError("%s has no sweep %s: give a number from 1 to %d" % (name, number, len(found)))
    program, machines, over, metrics = found[at - 1]
    return Result(name, _Programs(program, json.loads(machines)), json.loads(over), json.loads(metrics))


def _version() -> str:
    from popscope import __version__

    return __version__
