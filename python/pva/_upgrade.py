"""A profile of an older format, made new in a temporary database. The C++ counterpart is report/pop/Upgrade.cpp."""

from __future__ import annotations

import sqlite3
from typing import List

from pva import _blob, _schema


def _defaultOfOldRows(sqlType: str) -> str:
    """What an added column says of rows that were written before it: NULL where it may, else nothing."""
    if "NOT NULL" not in sqlType:
        return ""
    return " DEFAULT " + {"BLOB": "x''", "TEXT": "''"}.get(sqlType.split()[0], "0")


def _addMissing(db: sqlite3.Connection) -> None:
    """The tables and columns that came after the file was written, empty."""
    for name, table in _schema.TABLES.items():
        known = {row[1] for row in db.execute("PRAGMA table_info(%s)" % name)}
        if not known:
            db.execute("CREATE TABLE %s (%s)" % (name, ", ".join('"%s" %s' % (c.name, c.sqlType) for c in table.columns)))
        else:
            for c in table.columns:
                if c.name not in known:
                    db.execute('ALTER TABLE %s ADD COLUMN "%s" %s%s' % (name, c.name, c.sqlType, _defaultOfOldRows(c.sqlType)))


def _narrow(blob: bytes, tiles: int) -> List[int]:
    """A short vector says that the other tiles were not involved."""
    wide = _blob.decodeDense(blob, tiles)
    if any(cycles >> 32 for cycles in wide):
        raise _blob.BlobError("a step takes more cycles than 32 bits hold")
    return wide + [0] * (tiles - len(wide))


def _upgradeFrom1(db: sqlite3.Connection, maxTiles: int) -> None:
    """Format 1 kept cycles by tile in steps, as one compressed vector a step, and found the steps of a run by reading."""
    ipus, perIpu, replicas = db.execute("SELECT num_ipus, tiles_per_ipu, num_replicas FROM target").fetchone() or (0, 0, 1)
    if not 0 < ipus * perIpu <= maxTiles or replicas < 1:
        raise _blob.BlobError("its target has impossible sizes")
    tiles = ipus * perIpu // replicas
    for step, blob in db.execute("SELECT id, cycles_by_tile FROM steps WHERE cycles_by_tile IS NOT NULL ORDER BY id").fetchall():
        db.execute("INSERT INTO steps_by_tile (step_id, cycles) VALUES (?, ?)", (step, _blob.packed(_narrow(blob, tiles))))
    db.execute("INSERT INTO run_vertex_types SELECT s.run, v.vertex_type, SUM(v.instances), SUM(v.cycles) FROM steps s "
               "JOIN step_vertex_types v ON v.step_id = s.id GROUP BY s.run, v.vertex_type")
    db.execute("UPDATE runs SET first_step = COALESCE((SELECT MIN(id) FROM steps WHERE steps.run >= runs.id), "
               "(SELECT MAX(id) + 1 FROM steps), 0)")


def upgradedCopy(file: sqlite3.Connection, version: int, maxTiles: int) -> sqlite3.Connection:
    """What `file` of format `version` holds, in today's format, in a database that SQLite removes. The caller has refused
    foreign schemas. sqlite3.Error or BlobError for a file that is not what its format says."""
    copy = sqlite3.connect("", check_same_thread=False, isolation_level=None)
    try:
        file.backup(copy)
        copy.execute("PRAGMA trusted_schema = OFF")
        copy.execute("BEGIN")
        _addMissing(copy)
        if version == 1:
            _upgradeFrom1(copy, maxTiles)  # later formats only added
        copy.execute("UPDATE meta SET value = ? WHERE key = 'formatVersion'", ("%d.0.0" % _schema.USER_VERSION,))
        copy.execute("COMMIT")
    except BaseException:
        copy.close()
        raise
    return copy
