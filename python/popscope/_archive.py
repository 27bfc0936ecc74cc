"""An index of many profiles in one SQLite file: the program, commit, version, options and numbers of each profile."""

from __future__ import annotations

import concurrent.futures
import json
import os
import pathlib
import sqlite3
from typing import Any, Dict, List, Optional, Sequence, Tuple

from popscope import _frames, _sweep
from popscope._paths import Path, given
from pva import _records
from pva._native import pva as _cpp

_SCHEMA = """
CREATE TABLE IF NOT EXISTS profiles (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, modified REAL NOT NULL, bytes INTEGER NOT NULL, program TEXT NOT NULL,
  commit_id TEXT, version TEXT NOT NULL, options TEXT NOT NULL, target TEXT NOT NULL, complete INTEGER, message TEXT NOT NULL, everything INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS numbers (profile INTEGER NOT NULL REFERENCES profiles, name TEXT NOT NULL, value INTEGER, unit TEXT NOT NULL, PRIMARY KEY (profile, name)) WITHOUT ROWID;
"""
_PREFIXES = ("computeSet.", "variable.", "vertexType.", "step.")  # numbers named after the program's own objects: many, and not comparable; see `everything`


def _text(path: str) -> str:
    """Returns a path as text that SQLite can store: each byte that is not valid UTF-8 is shown as an escape (\\xff)."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _stateOf(path: pathlib.Path) -> Tuple[float, int]:
    """Returns the time of the last change and the size in bytes of a file; (0, 0) for a link that leads to no file."""
    try:
        state = path.stat()
        return state.st_mtime, state.st_size
    except OSError:
        return 0.0, 0


def _originOf(path: pathlib.Path, commit: Optional[str]) -> Tuple[str, Optional[str]]:
    """Returns the program and the commit of a profile.

    The program and the commit come from region.json or session.json, in the folder of the profile or in the parent of
    this folder. Without such a file, the program is the name of the profile's folder. If there is no such file, or the
    file has no commit, the commit is `commit`.
    """
    for folder in (path.parent, path.parent.parent):
        for name in ("region.json", "session.json"):
            try:
                found = json.loads((folder / name).read_text(encoding="utf-8"))
                return str(found["program"]), found.get("commit") or commit
            except (OSError, ValueError, KeyError, TypeError, AttributeError):
                continue
    return _text(path.parent.name), commit


def _read(path: str, everything: bool) -> Dict[str, Any]:
    """Returns the index entry of one profile. Runs in a worker. An exception does not leave the function: "message" in the entry is then the text of the exception."""
    try:
        if _text(path) != path:
            raise _records.ProfileError("%s: a path that is not valid UTF-8 cannot be indexed; rename the file or the folder" % _text(path))
        report = _cpp.openReport(path, "")
        target = report.compilation.target
        numbers = {name: found for name, found in _cpp.numbers(report).items() if everything or not name.startswith(_PREFIXES)}
        options = {o.key: o.value for o in report.compilation.engineOptions if not o.isDefault}
        return {"version": report.poplarVersion.string, "options": options, "complete": report.popscope.complete, "numbers": numbers, "message": "",
                "target": "%s, %d %s of %d tiles" % (target.architectureName, target.numIPUs, "IPU" if target.numIPUs == 1 else "IPUs", target.tilesPerIpu)}
    except Exception as error:
        return _nothing(str(error))


def _nothing(message: str) -> Dict[str, Any]:
    return {"version": "", "options": {}, "complete": None, "numbers": {}, "target": "", "message": message}


class Archive:
    """The index of the profiles below a folder; `database` is the path of its SQLite file."""

    def __init__(self, database: str) -> None:
        self.database = database
        self._absolute = os.path.abspath(database)  # the working directory can change

    def _query(self, sql: str, *arguments: Any) -> Tuple[List[str], List[Any]]:
        db = sqlite3.connect(self._absolute)
        cursor = db.execute(sql, arguments)
        result = [d[0] for d in cursor.description], cursor.fetchall()
        db.close()
        return result

    def frame(self, metrics: Sequence[str] = _sweep.METRICS, kind: Optional[str] = None) -> Any:
        """Returns one row per indexed file, oldest first, as a frame of the kind `kind` (see Profile.frame).

        The columns are path, program, commit, version, target, options (JSON), complete and message, then the metrics.
        For a file that is not a profile, `message` contains the error. An unknown metric is None. metrics: names of
        numbers; `popscope numbers` prints these names and the units of the numbers. Default: cycles and
        bytes.fullestTile. Raises TypeError if `metrics` is a single text.
        """
        metrics = _records.names("metrics", metrics)
        columns = "".join(", (SELECT value FROM numbers n WHERE n.profile = p.id AND n.name = ?)" for _ in metrics)
        names, rows = self._query("SELECT path, program, commit_id AS \"commit\", version, target, options, complete, message%s FROM profiles p ORDER BY modified, path" % columns, *metrics)
        return _frames.make(names[:8] + metrics, rows, kind)

    def trend(self, metric: str, program: str) -> List[Tuple[float, str, Optional[int]]]:
        """Returns (time, path, value) for the complete profiles of a program, oldest first. Leaves out profiles without
        the metric.

        The time is the time of the file's last change, in seconds since 1970. The value is in the unit of the metric; None
        = the value is unknown. Raises LookupError if no complete profile of the program has the metric.
        """
        found = self._query("SELECT modified, path, value FROM profiles p JOIN numbers n ON n.profile = p.id WHERE n.name = ? AND program = ? AND complete "
                            "ORDER BY modified, path", metric, program)[1]
        if not found:
            self.baseline(program)  # raises an error that lists the programs
            raise LookupError("%s has no number %r of the program %r; popscope numbers PROFILE lists them%s" % (
                self.database, metric, program, ", and popscope.archive(folder, everything=True) indexes those of single objects" if metric.startswith(_PREFIXES) else ""))
        return found

    def baseline(self, program: str) -> str:
        """Returns the path of the latest complete profile of a program, for `popscope check --baseline`.

        Raises LookupError, whose message lists the known programs, if there is no such profile.
        """
        found = self._query("SELECT path FROM profiles WHERE program = ? AND complete ORDER BY modified DESC, path LIMIT 1", program)[1]
        if not found:
            raise LookupError("%s has no complete profile of the program %r; it has: %s" % (
                self.database, program, ", ".join(row[0] for row in self._query("SELECT DISTINCT program FROM profiles ORDER BY 1")[1]) or "none"))
        return str(found[0][0])

    def plot(self, metric: str, program: str, axes: Any = None) -> Any:
        """Draws the values of trend(metric, program) in order, and returns the matplotlib axes.

        axes: the axes to draw on; None = new axes. Raises LookupError as trend() does, and ImportError without
        matplotlib.
        """
        from pva._look import _axes, wholeNumbers

        points = self.trend(metric, program)
        axes = _axes(axes)
        axes.plot([p[2] for p in points], marker="o")
        wholeNumbers(axes)
        axes.set(xlabel="profile, oldest first", ylabel=metric, title=program)
        return axes

    def unreadable(self) -> List[Tuple[str, str]]:
        """Returns (path, message) of each file *.pop that cannot be read as a profile, sorted by path."""
        return [(row[0], row[1]) for row in self._query("SELECT path, message FROM profiles WHERE message != '' ORDER BY path")[1]]

    def __repr__(self) -> str:
        return "Archive(%r: %s)" % (self.database, self._counted())

    def __len__(self) -> int:
        """Returns the number of profiles, without unreadable files."""
        return int(self._query("SELECT COUNT(*) FROM profiles WHERE message = ''")[1][0][0])

    def _counted(self) -> str:
        """Returns "2 profiles", or "2 profiles, 1 unreadable file" if there are unreadable files."""
        profiles, files = len(self), len(self.unreadable())
        text = "1 profile" if profiles == 1 else "%d profiles" % profiles
        return text + ("" if files == 0 else ", 1 unreadable file" if files == 1 else ", %d unreadable files" % files)


def _remove(db: sqlite3.Connection, path: str) -> None:
    db.execute("DELETE FROM numbers WHERE profile = (SELECT id FROM profiles WHERE path = ?)", (path,))
    db.execute("DELETE FROM profiles WHERE path = ?", (path,))


def archive(folder: Path, database: Optional[Path] = None, executor: Optional[concurrent.futures.Executor] = None, workers: Optional[int] = None,
            everything: bool = False, commit: Optional[str] = None) -> Archive:
    """Indexes the profiles (*.pop) below a folder, and returns the index.

    Reads only files that are new or have changed, and with `everything` also files that the index has without it. Removes
    the entries of files that no longer exist. Leaves out the unfinished files profile_<8 hexadecimal digits>.pop, to
    which programs may still write. A file that is not a profile gets a row with its error message (Archive.unreadable),
    and does not count as a profile.

    database: the path of the SQLite file; default: archive.db in the folder.
    executor, workers: as for sweep.
    everything: True also indexes the numbers of single compute sets, variables, vertex types and steps.
    commit: the commit of new profiles for which neither region.json nor session.json contains one.

    Raises NotADirectoryError if the folder does not exist, ValueError if `workers` is below 1, and OSError, which names
    the path, if the database cannot be used.
    """
    below = given("archive: folder", folder)
    if not os.path.isdir(below):
        raise NotADirectoryError("archive: there is no folder %s" % below)
    _sweep.mustBePositive(workers)
    path = os.path.join(below, "archive.db") if database is None else given("archive: database", database)
    db = _sweep.opened(path, _SCHEMA)
    if "everything" not in {column for _, column, *_ in db.execute("PRAGMA table_info(profiles)")}:  # an older version wrote the file
        db.execute("ALTER TABLE profiles ADD COLUMN everything INTEGER NOT NULL DEFAULT 0")
    known = {row[0]: (row[1:3], row[3], row[4]) for row in db.execute("SELECT path, modified, bytes, everything, commit_id FROM profiles")}
    found = {_text(str(p)): (str(p), _stateOf(p)) for p in sorted(pathlib.Path(below).rglob("*.pop")) if not _cpp.isTemporaryName(os.fsencode(p.name))}
    same = {p for p, (state, *_) in known.items() if p in found and found[p][1] == state}
    new = {p: known[p][2] if p in same else commit for p in found if p not in same or everything > known[p][1]}  # path -> commit
    with db:
        for p in known:
            if p not in found or p in new:
                _remove(db, p)
    for (real, _), facts in _sweep.outcomes(_read, ((found[p][0], everything) for p in new), executor, _nothing, workers):
        shown = _text(real)
        with db:
            _remove(db, shown)  # another process may have indexed the file in the meantime
            id_ = db.execute("INSERT INTO profiles (path, modified, bytes, program, commit_id, version, options, target, complete, message, everything) VALUES "
                             "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (
                shown, *found[shown][1], *_originOf(pathlib.Path(real), new[shown]), facts["version"], json.dumps(facts["options"]), facts["target"],
                facts["complete"], facts["message"], everything)).lastrowid
            db.executemany("INSERT INTO numbers VALUES (?, ?, ?, ?)", [(id_, name, value, unit) for name, (value, unit) in facts["numbers"].items()])
    db.close()
    return Archive(path)
