"""A profile as tables: as lists, as frames of pandas and polars, as arrays of numpy, and by SQL."""

from __future__ import annotations

import builtins
import html
import json
import operator
import os
import pathlib
import sqlite3
import subprocess
import tempfile
from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Sequence, Union

from popscope import _frames
from popscope._paths import Path, given
import pva
from pva import Report, openReport
from pva._native import pva as _cpp

if TYPE_CHECKING:
    import numpy
    import pandas


class Column(NamedTuple):
    """A column of a table: its name, its SQL type, the unit of its numbers ("" = none) and its meaning."""

    name: str
    sqlType: str
    unit: str
    meaning: str


_SCHEMA: Dict[str, List[Column]] = {name: [Column(*c) for c in columns] for name, _, columns in _cpp.schema()}
_PACKED = {name for name, packed, _ in _cpp.schema() if packed}


class Viewer:
    """An HTML page that a notebook shows in a frame with a height of `height` pixels."""

    def __init__(self, page: str, height: int) -> None:
        self.page, self.height = page, height

    def _repr_html_(self) -> str:
        return '<iframe srcdoc="%s" width="100%%" height="%d" style="border:0"></iframe>' % (html.escape(self.page, quote=True), self.height)


def _frameOf(name: str) -> property:
    def get(self: "Profile") -> Any:
        return self.frame(name)
    return property(get, doc=_frames.QUERIES[name][0] + " See frame().")


def _textOf(what: str, value: Union[str, int]) -> str:
    """Returns the value of an option or argument of a view as the command line has it. A flag is "true" or ""."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else ""
    try:
        return str(operator.index(value))
    except TypeError:
        raise TypeError("view: %s is a str or a whole number, not %r; give each option of the view by its name, as in of=\"steps\"" % (what, value)) from None


class Profile:
    """A profile opened for reading; `report` is its pva.Report.

    Raises ProfileError if the file cannot be used. If the profile is incomplete, issues an IncompleteProfileWarning. The
    methods read the file, and raise ProfileError for a damaged part."""

    def __init__(self, path: Path) -> None:
        self._path = given("open: path", path)
        self._absolute = os.path.abspath(self._path)  # the working directory can change
        self.report: Report = openReport(self._path)
        self._file = _cpp.File(os.fsencode(self._path))

    @property
    def tables(self) -> List[str]:
        """The names of the tables that docs/FORMAT-pop.md describes and that data() reads."""
        return list(_SCHEMA)

    def columns(self, table: str) -> List[Column]:
        """Returns the columns of a table, in order. Raises ValueError for an unknown table."""
        if table not in _SCHEMA:
            raise ValueError("a profile has no table %r; it has %s" % (table, ", ".join(_SCHEMA)))
        return list(_SCHEMA[table])

    def frame(self, name: str, kind: Optional[str] = None) -> Any:
        """Returns a named table: inferences, device, operators, host, runs, steps, variables or tiles.

        The property with the name of a table describes the table. kind: "pandas" or "polars" for a DataFrame, "rows" for
        a list of dicts; None = the first of these that is installed. Raises ValueError for an unknown name or kind, and
        ImportError for a library that is not installed.
        """
        if name not in _frames.QUERIES:
            raise ValueError("there is no frame %r; there are: %s" % (name, ", ".join(_frames.QUERIES)))
        names, rows = self._file.query(_frames.QUERIES[name][1])
        return _frames.make(names, rows, kind)

    inferences, device = _frameOf("inferences"), _frameOf("device")
    operators, host = _frameOf("operators"), _frameOf("host")
    runs, steps = _frameOf("runs"), _frameOf("steps")
    variables, tiles = _frameOf("variables"), _frameOf("tiles")

    def view(self, name: str, /, argument: Union[str, int] = "", count: Optional[int] = None, **options: Union[str, int]) -> Dict[str, Any]:
        """Returns the output of `popscope NAME PROFILE ARGUMENT --json` as a dict.

        The dict has the keys view, facts, units, tables, notes and next. argument: the command's argument after the profile.
        count: the number of rows of each table (-n); 0 = all; None = the default of the command. options: other options
        of the view, with _ for each - of the name and without the leading dashes; also runs, steps, tiles, ipu and name.
        The value of a flag is True. Raises ValueError for an unknown view or option, for a value that the command
        refuses, for a view that compares several profiles, and if the profile lacks what the view needs. Raises
        TypeError for an option or argument that is neither a str nor a whole number.
        """
        texts = {option.replace("_", "-"): _textOf("the option " + option, value) for option, value in options.items()}
        result: Dict[str, Any] = json.loads(_cpp.view(self.report, name, _textOf("the argument", argument), texts, count)[0])
        return result

    def numbers(self) -> Dict[str, Optional[int]]:
        """Returns all numbers of `popscope numbers` by name; None = unknown.

        These are the numbers that `popscope diff` compares and `popscope check` limits. `popscope numbers` prints the
        unit of each number.
        """
        return {name: value for name, (value, _) in _cpp.numbers(self.report).items()}

    def export(self, formats: Union[str, Sequence[str]], folder: Path) -> List[str]:
        """Writes one or several formats of `popscope export` into a folder, and returns the paths of the files.

        Creates the folder if necessary, and overwrites existing files. Raises ValueError for an unknown format.
        """
        names = [formats] if isinstance(formats, str) else list(formats)
        for name in names:
            if name not in _cpp.formats():
                raise ValueError("there is no format %r; there are: %s" % (name, ", ".join(_cpp.formats())))
        path = given("export: folder", folder)
        os.makedirs(path, exist_ok=True)
        return list(_cpp.exportProfile(self.report, names, path))

    def html(self, path: Path) -> str:
        """Writes the page of `popscope html`, which any browser shows without a network. Returns the path of the page.

        Raises RuntimeError if the program popscope is missing or fails. If the program fails, the error has the message
        of the program.
        """
        from popscope.__main__ import tool

        program = tool("popscope")
        if program is None:
            raise RuntimeError("the program popscope is neither in this installation nor in PATH")
        page = given("html: path", path)
        done = subprocess.run([program, "html", self._absolute, "-o", page], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
        if done.returncode != 0:
            raise RuntimeError(done.stderr.decode("utf-8", "replace").strip() or "popscope html: exit code %d" % done.returncode)
        return page

    def viewer(self, height: int = 700) -> "Viewer":
        """Returns the viewer for a cell of a notebook, with a height of `height` pixels. Raises RuntimeError as html() does.

        The notebook then contains the whole page, which takes some megabytes.
        """
        with tempfile.TemporaryDirectory() as folder:
            with builtins.open(self.html(os.path.join(folder, "profile.html")), encoding="utf-8") as file:
                return Viewer(file.read(), height)

    def summary(self) -> str:
        """Returns the text that Engine.printProfileSummary prints."""
        return str(_cpp.summary(self.report))

    def sql(self, query: str) -> List[Dict[str, Any]]:
        """Returns the rows of one SELECT on tables and views as dicts, in the order of the query.

        Values per tile and lists become lists of int. If several columns have the name "a", the second has the key
        "a:1". Raises ProfileError for a wrong statement (with SQLite's message), for several statements, and for a
        statement that does more than read.
        """
        names, rows = self._file.query(query)
        return [dict(zip(names, row)) for row in rows]

    def data(self, table: str) -> Dict[str, List[Any]]:
        """Returns the columns of a table by name: lists with one entry per row, sorted by the first column.

        Values per tile and packed lists become one list of int per row; unknown values are None. A block of packed_rows
        becomes a text with its length. A table that the file lacks has no rows. Raises ValueError for an unknown table.
        """
        names = [c.name for c in self.columns(table)]
        # a file has a table on demand only if the program requested the table or a user imported it (docs/FORMAT-pop.md)
        if table not in _PACKED and not self._file.query("SELECT 1 FROM sqlite_schema WHERE name = '%s'" % table)[1]:
            return {name: [] for name in names}
        _, rows = self._file.query('SELECT %s FROM %s ORDER BY "%s"' % (", ".join('"%s"' % n for n in names), table, names[0]))
        return {name: [row[i] for row in rows] for i, name in enumerate(names)}

    def cycles(self) -> "numpy.ndarray[Any, Any]":
        """Returns the cycles of every step on every tile of one replica; 0 = unknown, or not part of the step.

        The array has the type uint32 and the shape (number of executed steps, tiles of one replica). Raises ImportError
        without numpy.
        """
        library = _frames.needs("numpy", "popscope.Profile.cycles", "report.execution.steps")
        execution = self.report.execution
        shape = len(execution.steps), self.report.compilation.target.tilesPerReplica
        flat = library.zeros(shape[0] * shape[1], dtype=library.uint32)
        _cpp.cyclesOfSteps(execution, flat)
        cycles: "numpy.ndarray[Any, Any]" = flat.reshape(shape)
        return cycles

    def df(self, table: str) -> "pandas.DataFrame":
        """Returns data(table) as a DataFrame of pandas. Raises ValueError for an unknown table, and ImportError without
        pandas."""
        self.columns(table)
        pandas = _frames.needs("pandas", "popscope.df", "popscope.Profile.data, which needs none")
        return pandas.DataFrame(self.data(table))

    def connect(self) -> sqlite3.Connection:
        """Returns popscope.connect(path) for the file of this profile."""
        return connect(self._absolute)

    def __repr__(self) -> str:
        return "Profile(%r)" % self._path


def open(path: Path) -> Profile:
    """Opens a profile for reading.

    Raises ProfileError if the file cannot be used. If the profile is incomplete, issues an IncompleteProfileWarning.
    """
    return Profile(path)


def _extension() -> str:
    """Returns the path of popscope.so without its extension, next to the libraries that package pva uses; "" if there is none."""
    folder = pathlib.Path(pva.__file__).absolute().parent
    for place in (folder.parent / "popscope" / "_sdk" / "lib", folder.parent.parent, folder.parent.parent / "lib"):
        if (place / "popscope.so").is_file():
            return str(place / "popscope")
    return ""


def _unchanged(array: Optional[str]) -> Optional[str]:
    """The SQL function numbers() for a plain database, whose arrays are JSON already."""
    return array


def connect(path: Path) -> sqlite3.Connection:
    """Opens a profile as a read-only SQLite database with every table and view.

    docs/FORMAT-pop.md describes the tables and their units. The SQL function numbers(blob) returns values per tile and
    lists as a JSON array. The connection uses the extension popscope.so if this Python can load extensions. Otherwise
    the database is a copy, which exists until the connection closes. Raises ProfileError if the file is not a profile.
    """
    name = given("connect: path", path)
    file = _cpp.File(os.fsencode(name))
    extension = _extension()
    if extension and hasattr(sqlite3.Connection, "enable_load_extension"):
        database = sqlite3.connect("%s?mode=ro" % pathlib.Path(name).absolute().as_uri(), uri=True)
        database.enable_load_extension(True)
        database.execute("SELECT load_extension(?)", (extension,))
        database.enable_load_extension(False)
        return database
    with tempfile.TemporaryDirectory(prefix="popscope_") as folder:
        plain = os.path.join(folder, "plain.db")
        file.writePlain(plain)
        database = sqlite3.connect("file:%s?mode=ro&immutable=1" % plain, uri=True)
        database.execute("SELECT COUNT(*) FROM sqlite_schema").fetchone()  # opens the file before its name is removed
    database.create_function("numbers", 1, _unchanged, deterministic=True)
    return database
