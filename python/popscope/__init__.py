"""Tables of a profile for pandas, and the report of package pva.

    import popscope
    profile = popscope.open("profile.pop")
    steps = profile.df("steps")

docs/FORMAT-pop.md describes the tables. pandas is imported when df() is called, not before.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Dict, List, Union

from pva import ProfileError, Report, _schema, openReport

if TYPE_CHECKING:
    import pandas

__all__ = ["Profile", "ProfileError", "open"]


def _schemaTable(table: str) -> Any:
    if table not in _schema.TABLES:
        raise ValueError("a profile has no table %r; it has %s" % (table, ", ".join(_schema.TABLES)))
    return _schema.TABLES[table]


class Profile:
    """A profile opened for reading."""

    def __init__(self, path: Union[str, "os.PathLike[str]"]) -> None:
        self.report: Report = openReport(path)
        self._model = self.report._model

    @property
    def tables(self) -> List[str]:
        return list(_schema.TABLES)

    def columns(self, table: str) -> List[Any]:
        """The columns with name, sqlType, unit and meaning."""
        return list(_schemaTable(table).columns)

    def data(self, table: str) -> Dict[str, List[Any]]:
        """The columns of a table as lists, in the order of its first column. Values by tile and packed lists become one list of
        int per row; what is not known is None. Blocks of packed_rows stay bytes."""
        columns = _schemaTable(table).columns
        order = 'ORDER BY "%s"' % columns[0].name
        values = {c.name: list(v) for c, v in zip(columns, zip(*self._model.file.rows(table, order)))}
        for c in columns:
            found = values.setdefault(c.name, [])
            if c.sqlType.startswith("BLOB") and table != "packed_rows":
                values[c.name] = [None if blob is None else self._numbers(blob) for blob in found]
        return values

    def _numbers(self, blob: bytes) -> List[int]:
        return self._model.file.numbers(blob, self._model.tiles, self._model.stepTiles)

    def cycles(self) -> Any:
        """Cycles of every step on every tile: a numpy array of uint32, [step, tile of one replica]; 0 where they are
        not known."""
        try:
            import numpy
        except ImportError:
            raise ImportError("popscope.Profile.cycles needs numpy, which is not installed: install it (python3-numpy "
                              "or `pip install numpy`), or use report.execution.steps") from None
        steps = self._model.execution().steps
        out = numpy.zeros((len(steps), self._model.stepTiles), dtype=numpy.uint32)
        for row in self._model.file.rows("steps_by_tile", "ORDER BY step_id"):
            if row.step_id not in steps:
                self._model.file.corrupt("it has cycles of a step that it does not have")
            out[row.step_id - steps.start] = self._model.file.packed(row.cycles, self._model.stepTiles).array()
        return out

    def df(self, table: str) -> "pandas.DataFrame":
        """A table as a DataFrame, see data()."""
        _schemaTable(table)
        try:
            import pandas
        except ImportError:
            raise ImportError("popscope.df needs pandas, which is not installed: install it (python3-pandas or "
                              "`pip install pandas`), or use popscope.Profile.data, which does without") from None
        return pandas.DataFrame(self.data(table))

    def __repr__(self) -> str:
        return "Profile(%r)" % self._model.file.path


def open(path: Union[str, "os.PathLike[str]"]) -> Profile:
    """Opens a profile for reading; ProfileError if it cannot be used."""
    return Profile(path)
