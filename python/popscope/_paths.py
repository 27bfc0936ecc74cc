"""Paths that a caller gives: a leading ~ is the home folder, as in the commands of Popscope."""

from __future__ import annotations

import os
from typing import Union

Path = Union[str, "os.PathLike[str]"]


def given(path: Path) -> str:
    """Returns the path as str, with the home folder in place of a leading ~."""
    return os.path.expanduser(os.fsdecode(path))
