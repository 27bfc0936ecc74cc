"""Tables that are kept as columns in packed_rows: docs/FORMAT-pop.md. Nothing in a blob is trusted."""

from __future__ import annotations

import itertools
import sqlite3
from typing import Any, Iterator, List, Tuple

from pva import _blob, _schema

_CODEC, _HEADER_BYTES, _MOST_BYTES, MOST_ROWS = 6, 5, 1 << 28, 1 << 16


def isTable(db: sqlite3.Connection, name: str) -> bool:
    """Whether the file, or this connection, has a table of this name."""
    sql = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ? UNION SELECT 1 FROM sqlite_temp_schema WHERE name = ?"
    return db.execute(sql, (name, name)).fetchone() is not None


def _decode(table: _schema.Table, blob: bytes, rows: int, rawSize: int) -> List[List[Any]]:
    """The columns but `id`."""
    if not isinstance(blob, bytes) or len(blob) < _HEADER_BYTES or blob[0] != _CODEC or not 0 < rows <= MOST_ROWS:
        raise _blob.BlobError("a block of rows has an unknown header or an impossible number of rows")
    size = int.from_bytes(blob[1:_HEADER_BYTES], "little")
    if size != rawSize or size > _MOST_BYTES:
        raise _blob.BlobError("a block of rows has not the stated size")
    raw = _blob.inflateExactly(blob[_HEADER_BYTES:], size)
    columns: List[List[Any]] = []
    at = 0
    for column in table.columns[1:]:
        log = raw[at] if at < size else 4
        end = at + 1 + (rows << log)
        if log > 3 or end > size:
            raise _blob.BlobError("a block of rows ends inside a column")
        stored = list(itertools.accumulate(_blob.signedNumbers(raw[at + 1:end], log)))
        if min(stored) < 0:
            raise _blob.BlobError("a number in a block of rows is negative")
        if "NOT NULL" not in column.sqlType:
            columns.append([value - 1 if value else None for value in stored])
        else:
            columns.append(stored)
        at = end
    for number, column in enumerate(table.columns[1:]):
        if column.sqlType.startswith("BLOB"):
            values: List[Any] = []
            for length in columns[number]:
                values.append(None if length is None else raw[at:at + length])
                at += length or 0
            columns[number] = values
    if at != size:
        raise _blob.BlobError("a block of rows has more or fewer bytes than its columns")
    return columns


def rowsOf(db: sqlite3.Connection, name: str) -> Iterator[Tuple[Any, ...]]:
    """The rows of a packed table, by id. BlobError for blocks that are not what the format says."""
    blocks = db.execute("SELECT first, count, raw_size, columns FROM packed_rows WHERE table_name = ? ORDER BY first", (name,))
    for first, rows, rawSize, blob in blocks.fetchall():
        yield from zip(range(first, first + rows), *_decode(_schema.TABLES[name], blob, rows, rawSize))


def unpack(db: sqlite3.Connection, name: str, where: str = "temp.") -> None:
    """Makes a table of the name with its rows, of this connection alone or (where="") in the file."""
    table = _schema.TABLES[name]
    db.execute("CREATE TABLE %s%s (%s)" % (where, name, ", ".join('"%s" %s' % (c.name, c.sqlType) for c in table.columns)))
    marks = ", ".join("?" * len(table.columns))
    db.executemany("INSERT INTO %s%s VALUES (%s)" % (where, name, marks), rowsOf(db, name))
