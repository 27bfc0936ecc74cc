"""A .pop file opened for reading. Every refusal is a ProfileError of one line that names the path."""

from __future__ import annotations

import collections
import contextlib
import operator
import os
import pathlib
import sqlite3
import tempfile
import threading
from typing import Any, Callable, Dict, Iterator, List, NoReturn, Optional, Tuple

from pva import _blob, _rows, _schema, _upgrade

_MAGIC = b"SQLite format 3\0"
_SQLITE_HEADER_BYTES = 100
_MAX_VALUE_BYTES = 1 << 28
_MAX_TILES = 1 << 22  # bounds what a corrupt target can make us allocate


class ProfileError(RuntimeError):
    """A file that is missing or cannot be used as a profile."""


class _TableReader:
    """Makes named rows of one table and checks that each value has its column's type."""

    def __init__(self, name: str, vectors: bool = True) -> None:
        columns = [c for c in _schema.TABLES[name].columns if vectors or not c.sqlType.startswith("BLOB")]
        self.name = name
        self.names = [c.name for c in columns]
        self.allowed = [self._types(c.sqlType) for c in columns]
        self.Row = collections.namedtuple(name, self.names, rename=True)  # type: ignore[misc]
        self.columnList = ", ".join('"%s"' % n for n in self.names)
        self.good: set = set()  # combinations of types already checked
        ints = [i for i, types in enumerate(self.allowed) if types == (int,)]
        pick = operator.itemgetter(*ints, ints[0]) if ints else None  # one twice, so that it is a tuple
        self.smallest: Callable[[tuple], int] = (lambda row: min(pick(row))) if pick else (lambda row: 0)

    @staticmethod
    def _types(sqlType: str) -> Tuple[type, ...]:
        kind = {"INTEGER": int, "REAL": float, "TEXT": str, "BLOB": bytes}[sqlType.split()[0]]
        known = "NOT NULL" in sqlType or "PRIMARY KEY" in sqlType
        return (kind,) if known else (kind, type(None))

    def row(self, values: tuple) -> Any:
        """The row, or a ValueError."""
        types = tuple(map(type, values))
        if types not in self.good:
            for name, kind, allowed in zip(self.names, types, self.allowed):
                if kind not in allowed:
                    raise ValueError("%s.%s holds a value of another type" % (self.name, name))
            self.good.add(types)
        if self.smallest(values) < 0:
            raise ValueError("%s has a negative value" % self.name)
        return self.Row._make(values)


_readers: Dict[str, _TableReader] = {name: _TableReader(name) for name in _schema.TABLES}
_slimReaders: Dict[str, _TableReader] = {name: _TableReader(name, vectors=False) for name in _schema.TABLES}


def _refuse(path: str, what: str) -> NoReturn:
    raise ProfileError("%s: %s" % (path, what))


def _checkHeader(path: str) -> None:
    if not os.path.exists(path):
        _refuse(path, "no such file")
    if not os.path.isfile(path):
        _refuse(path, "is not a file")
    try:
        size = os.path.getsize(path)
        with open(path, "rb") as file:
            header = file.read(_SQLITE_HEADER_BYTES)
    except OSError as error:
        _refuse(path, "cannot be opened: %s" % error.strerror)
    if size == 0:
        _refuse(path, "is empty")
    if header[:len(_MAGIC)] != _MAGIC[:len(header)]:
        _refuse(path, "is not a profile (it is not a SQLite database)")
    if len(header) < _SQLITE_HEADER_BYTES:
        _refuse(path, "is truncated (%d bytes)" % len(header))

    def big(offset: int, count: int) -> int:
        return int.from_bytes(header[offset:offset + count], "big")

    # The page count is valid only if the change counters agree (SQLite file format, 1.3.7 and 1.3.8).
    expected = big(28, 4) * (65536 if big(16, 2) == 1 else big(16, 2))
    if big(24, 4) == big(92, 4) and size < expected:
        _refuse(path, "is truncated (%d of %d bytes)" % (size, expected))


class PopFile:
    """Rows of the tables of a profile. Safe to use from several threads."""

    def __init__(self, path: str) -> None:
        self.path = path
        _checkHeader(path)
        self._lock = threading.RLock()
        try:
            self._db = sqlite3.connect(pathlib.Path(path).absolute().as_uri() + "?mode=ro", uri=True, timeout=2,
                                       check_same_thread=False, isolation_level=None)
            self._harden()
            self._checkSchema()
        except sqlite3.Error as error:
            self.fail(str(error))

    def __del__(self) -> None:
        if hasattr(self, "_db"):  # else it was refused before it was opened
            self._db.close()

    def fail(self, what: str) -> NoReturn:
        _refuse(self.path, what)

    def corrupt(self, what: str) -> NoReturn:
        self.fail("the profile is corrupt: " + what)

    def _harden(self) -> None:
        """A profile may come from anywhere: its schema must not run code, and nothing may be written."""
        for pragma in ("trusted_schema = OFF", "cell_size_check = ON", "query_only = ON"):
            self._db.execute("PRAGMA " + pragma)
        self._db.text_factory = lambda text: text.decode("utf-8", "replace")
        if hasattr(self._db, "setlimit"):  # Python 3.11
            self._db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MAX_VALUE_BYTES)

    def _pragma(self, name: str) -> int:
        return self._db.execute("PRAGMA " + name).fetchone()[0]

    def _checkSchema(self) -> None:
        if self._pragma("application_id") != _schema.APPLICATION_ID:
            self.fail("is a SQLite database but not a profile of popscope")
        version = self._pragma("user_version")
        if version > _schema.USER_VERSION:
            self.fail("was written by a newer popscope (format %d, this one reads up to %d): update popscope" %
                      (version, _schema.USER_VERSION))
        if version < 1:
            self.fail("has the unknown format %d" % version)
        self._refuseForeignSchema()
        if version < _schema.USER_VERSION:
            self._useUpgradedCopy(version)
        for name, reader in _readers.items():
            known = {row[1] for row in self._db.execute("PRAGMA table_info(%s)" % name)}
            missing = ", ".join(c for c in reader.names if c not in known)
            if missing and (known or not (_schema.TABLES[name].onDemand or _schema.TABLES[name].packed)):
                self.corrupt("the table %s has no column %s" % (name, missing) if known else "it has no table " + name)

    def _useUpgradedCopy(self, version: int) -> None:
        """Reads an older format from a copy of today's, once for each opening; `popscope upgrade` makes that last."""
        try:
            copy = _upgrade.upgradedCopy(self._db, version, _MAX_TILES)
        except _blob.BlobError as error:
            self.corrupt(str(error))
        self._db.close()
        self._db = copy
        self._harden()

    def _refuseForeignSchema(self) -> None:
        """Views, triggers, virtual tables and computed columns can make reading run code or never end."""
        for kind, name, sql in self._db.execute("SELECT type, name, sql FROM sqlite_schema"):
            if kind not in ("table", "index"):
                self.fail("is refused: it has a %s named %s, and a profile has none" % (kind, name))
            if kind == "table" and not str(sql).startswith("CREATE TABLE"):
                self.fail("is refused: its table %s is virtual" % name)
        for table, column in self._db.execute("SELECT t.name, c.name FROM sqlite_schema t, pragma_table_xinfo(t.name) c "
                                              "WHERE c.hidden <> 0"):
            self.fail("is refused: its table %s has the computed column %s" % (table, column))

    def revision(self) -> int:
        """Changes when another connection has written to the file."""
        return self.guarded(lambda: self._pragma("data_version"))

    def guarded(self, read: Callable[[], Any]) -> Any:
        """read() with the file's lock held and SQLite's errors as ProfileError."""
        with self._lock:
            try:
                return read()
            except sqlite3.Error as error:
                self.fail(str(error))
            except _blob.BlobError as error:
                self.corrupt(str(error))

    def save(self, path: str) -> None:
        """A copy of the file."""
        try:
            handle, temporary = tempfile.mkstemp(".pop", "profile_", os.path.dirname(path) or ".")
        except OSError as error:
            _refuse(path, "cannot be written: %s" % error.strerror)
        os.close(handle)
        try:
            with contextlib.closing(sqlite3.connect(temporary)) as copy:
                self.guarded(lambda: self._db.backup(copy))
                copy.execute("PRAGMA journal_mode = DELETE")
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise

    def _isPacked(self, table: str) -> bool:
        """Whether the rows are in packed_rows alone; files of older formats have the table."""
        return _schema.TABLES[table].packed and not _rows.isTable(self._db, table)

    def _unpack(self, table: str) -> None:
        """Makes a packed table readable for SQL."""
        if not self._isPacked(table):
            return
        self._db.execute("PRAGMA query_only = OFF")  # only this connection's own tables are written
        try:
            self._db.execute("BEGIN")
            try:
                _rows.unpack(self._db, table)
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")
        finally:
            self._db.execute("PRAGMA query_only = ON")

    def rows(self, table: str, tail: str = "", *values: Any, vectors: bool = True) -> List[Any]:
        """Rows with one attribute per column. `tail` is trusted SQL after FROM, `values` fill its marks. vectors=False
        leaves out the per-tile vectors."""
        reader = (_readers if vectors else _slimReaders)[table]
        sql = "SELECT %s FROM %s %s" % (reader.columnList, table, tail)

        def read() -> List[Any]:
            if _schema.TABLES[table].onDemand and not _schema.TABLES[table].packed and not self._has(table):
                return []
            if vectors and tail in ("", "ORDER BY id", 'ORDER BY "id"') and self._isPacked(table):
                return [reader.row(found) for found in _rows.rowsOf(self._db, table)]
            self._unpack(table)
            with contextlib.closing(self._db.execute(sql, values)) as cursor:  # an open one would lock the file
                return [reader.row(found) for found in cursor]

        try:
            return self.guarded(read)
        except ValueError as error:
            self.corrupt(str(error))

    def _has(self, table: str) -> bool:
        return self._db.execute("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", (table,)).fetchone() is not None

    def value(self, table: str, column: str, row: int, key: str = "id") -> Any:
        """One column of the row with this id; None if NULL or if there is no such row."""
        sql = "SELECT %s FROM %s WHERE %s = ?" % (column, table, key)

        def read() -> Any:
            self._unpack(table)
            return self._db.execute(sql, (row,)).fetchone()

        found = self.guarded(read)
        return found[0] if found else None

    def one(self, table: str) -> Any:
        rows = self.rows(table, "LIMIT 1")
        if not rows:
            self.fail("the profile has no " + table.replace("_", " "))
        return rows[0]

    def count(self, table: str) -> int:
        """Rows of a table whose ids are positions; readers of the rows check that they are."""

        def read() -> Any:
            if self._isPacked(table):
                sql = "SELECT SUM(count) FROM packed_rows WHERE count > 0 AND table_name = ?"
                return self._db.execute(sql, (table,)).fetchone()[0]
            return self._db.execute("SELECT MAX(id) + 1 FROM " + table).fetchone()[0]

        rows = self.guarded(read) or 0
        if rows > self._maxRows():
            self.corrupt("%s has more rows than the file has room for" % table)
        return rows

    def _maxRows(self) -> int:
        packed = self._db.execute("SELECT TOTAL(MIN(count, %d, %d * LENGTH(columns))) FROM packed_rows WHERE count > 0" % (
            _rows.MOST_ROWS, _rows.MOST_ROWS_OF_BYTE)).fetchone()[0]
        return self._pragma("page_count") * self._pragma("page_size") // 4 + int(packed)  # no other row takes less

    def tileCycles(self, tile: int, tiles: int, first: int, end: int) -> List[int]:
        """Cycles of one tile in the steps [first, end); 0 where they are not known."""
        cycles = [0] * (end - first)
        sql = "SELECT step_id, cycles FROM steps_by_tile WHERE step_id >= ? AND step_id < ? ORDER BY step_id"

        def read() -> None:
            with contextlib.closing(self._db.execute(sql, (first, end))) as cursor:
                for step, blob in cursor:
                    cycles[step - first] = self._decode(_blob.Packed, blob, tiles).one(tile)

        self.guarded(read)
        return cycles

    def positions(self, table: str, tail: str = "ORDER BY id", *values: Any, key: str = "id",
                  vectors: bool = True) -> List[Any]:
        """rows(), whose `key` must be 0, 1, 2, ..."""
        rows = self.rows(table, tail, *values, vectors=vectors)
        for position, row in enumerate(rows):
            if getattr(row, key) != position:
                self.corrupt("row %d has the id %s" % (position, getattr(row, key)))
        return rows

    def ids(self, values: Iterator[Any], limit: int) -> None:
        """Checks references; None is allowed."""
        for value in values:
            if value is not None and not 0 <= value < limit:
                self.corrupt("a reference points to row %d of %d" % (value, limit))

    def tileValues(self, blob: Any, tiles: int) -> List[Tuple[int, int]]:
        return self._decode(_blob.decodeTileValues, blob, tiles)

    def dense(self, blob: Any, tiles: int, stepTiles: Optional[int] = None) -> List[int]:
        """A vector by tile; a packed one has stepTiles of them, if given."""
        if isinstance(blob, bytes) and _blob.isPacked(blob):
            return self._decode(_blob.decodePacked, blob, tiles if stepTiles is None else stepTiles)
        return self._decode(_blob.decodeDense, blob, tiles)

    def numbers(self, blob: Any, tiles: int, stepTiles: Optional[int] = None) -> List[int]:
        """A packed list, or else a vector by tile as dense() reads it."""
        if isinstance(blob, bytes) and _blob.isPackedList(blob):
            return list(self._decode(lambda b, _: _blob.decodePackedList(b), blob, 0))
        return self.dense(blob, tiles, stepTiles)

    def numberList(self, blob: Any, count: Optional[int] = None) -> List[int]:
        """A packed list, of `count` numbers if that is given."""
        numbers: List[int] = self._decode(lambda b, _: _blob.decodePackedList(b), blob, 0)
        if count is not None and len(numbers) != count:
            self.corrupt("a list of executions has not as many as it says")
        return numbers

    def packed(self, blob: Any, tiles: int) -> _blob.Packed:
        return self._decode(_blob.Packed, blob, tiles)

    def _decode(self, decode: Callable[[bytes, int], Any], blob: Any, tiles: int) -> Any:
        if blob is None:
            return []
        try:
            return decode(blob, tiles)
        except (_blob.BlobError, TypeError) as error:
            self.fail("corrupt per-tile data: %s" % error)
