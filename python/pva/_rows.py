"""Tables that are kept as columns in packed_rows: docs/FORMAT-pop.md. Nothing in a blob is trusted."""

from __future__ import annotations

import itertools
import sqlite3
from typing import Any, Dict, Iterator, List, Tuple

from pva import _blob, _schema

_CODEC, _HEADER_BYTES, _MOST_BYTES, MOST_ROWS = 6, 5, 1 << 28, 1 << 16
MOST_ROWS_OF_BYTE = 256
_RUNS = 4  # of a column: each difference stands there once, with how often it follows itself
_FIRST = 8  # the first row's number stands before the differences


def isTable(db: sqlite3.Connection, name: str) -> bool:
    """Whether the file, or this connection, has a table of this name."""
    sql = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ? UNION SELECT 1 FROM sqlite_temp_schema WHERE name = ?"
    return db.execute(sql, (name, name)).fetchone() is not None


def _differences(raw: bytes, at: int, rows: int) -> Tuple[List[int], bool, int]:
    """Of a column at `at`: from row to row, whether all rows are known to have one number, and where the column ends."""
    code = raw[at] if at < len(raw) else 16
    log, runs, at = code & 3, 0, at + 1
    before: List[int] = []
    if code & _FIRST:
        before = [int.from_bytes(raw[at:at + 8], "little", signed=True)]
        at += 8
    if code & _RUNS:
        runs = int.from_bytes(raw[at:at + 2], "little") + 1
        at += 2
    end = at + ((runs or rows - len(before)) << log)
    if code >= 2 * _FIRST or end + 2 * runs > len(raw):
        raise _blob.BlobError("a block of rows ends inside a column")
    numbers = _blob.signedNumbers(raw[at:end], log).tolist()
    if not runs:
        return before + numbers, False, end
    lengths = [length + 1 for length in _blob.numbersOf(raw[end:end + 2 * runs], 1)]
    if sum(lengths) != rows - len(before):
        raise _blob.BlobError("the runs of a column are not the rows of its block")
    constant = not any(numbers[1:]) and (numbers[0] == 0 or (not before and lengths[0] == 1))
    repeated = itertools.chain.from_iterable(map(itertools.repeat, numbers, lengths))
    return before + list(repeated), constant, end + 2 * runs


def _decode(table: _schema.Table, blob: bytes, rows: int, rawSize: int) -> List[List[Any]]:
    """The columns but `id`."""
    if not isinstance(blob, bytes) or len(blob) < _HEADER_BYTES or blob[0] != _CODEC or not 0 < rows <= MOST_ROWS:
        raise _blob.BlobError("a block of rows has an unknown header or an impossible number of rows")
    if rows > len(blob) * MOST_ROWS_OF_BYTE:
        raise _blob.BlobError("a block has more rows than its bytes can say")
    size = int.from_bytes(blob[1:_HEADER_BYTES], "little")
    if size != rawSize or size > _MOST_BYTES:
        raise _blob.BlobError("a block of rows has not the stated size")
    raw = _blob.inflateExactly(blob[_HEADER_BYTES:], size)
    columns: List[List[Any]] = []
    constant: Dict[str, bool] = {}
    at = 0
    for column in table.columns[1:]:
        differences, constant[column.name], at = _differences(raw, at, rows)
        stored = list(itertools.accumulate(differences))
        if min(stored) < 0:
            raise _blob.BlobError("a number in a block of rows is negative")
        if "NOT NULL" not in column.sqlType:
            columns.append([value - 1 if value else None for value in stored])
        else:
            columns.append(stored)
    for number, column in enumerate(table.columns[1:]):
        if column.sqlType.startswith("BLOB"):
            lengths = columns[number]
            values: List[Any] = []
            if constant[column.name] and lengths[0]:
                end = at + rows * lengths[0]
                values = [raw[at + row:end:rows] for row in range(rows)]  # the first byte of each, the second, ...
                at = end
            else:
                for length in lengths:
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
