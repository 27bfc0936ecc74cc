"""Paths that a caller gives: a leading ~ is the home folder, as in the commands of Popscope."""

from __future__ import annotations

import os
from typing import Union

from pva import _records

Path = Union[str, "os.PathLike[str]"]


def given(what: str, path: Path) -> str:
    """Returns the path as str, with the home folder in place of a leading ~; `what` names the path in messages.

    Raises TypeError if `path` is no path.
    """
    return os.path.expanduser(_records.path(what, path))
