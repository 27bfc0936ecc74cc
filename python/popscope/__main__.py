"""python -m popscope COMMAND ...: runs a command written in Python (sweep, archive), or else the program popscope."""

from __future__ import annotations

import os
import pathlib
import shutil
import sys
from typing import List, Optional

_PYTHON_COMMANDS = ("sweep", "archive")


def tool(name: str) -> Optional[str]:
    """Returns the path of a program of this installation, or None if the program is missing.

    Looks in the wheel, then in the folder bin of the installation or build with this package, then in PATH.
    """
    here = pathlib.Path(__file__).absolute().parent
    for folder in (here / "_sdk" / "bin", here.parents[2] / "bin", here.parents[1] / "bin"):
        if os.access(folder / name, os.X_OK):
            return str(folder / name)
    return shutil.which(name)


def _become(name: str, words: List[str], otherwise: str = "") -> int:
    """Replaces this process by a program of the installation. Returns 2 if the program is missing."""
    program = tool(name)
    if program is None:
        print("%s: the program %s is neither in this installation nor in PATH%s" % (name, name, otherwise), file=sys.stderr)
        return 2
    sys.stdout.flush()
    os.execv(program, [program] + words)


def popc() -> int:
    """Becomes the program popc, with the command line of this process."""
    return _become("popc", sys.argv[1:])


def profile_summary() -> int:
    """Becomes the program profile_summary, with the command line of this process."""
    return _become("profile_summary", sys.argv[1:])


def main(arguments: Optional[List[str]] = None) -> int:
    """Runs a command; `arguments` replaces the command line of this process.

    Returns the exit code of `sweep` and `archive`: 0 done, 1 a point failed, 2 wrong usage or unusable input. For any
    other command, the program popscope replaces this process, so that the function does not return. Returns 2 if the
    program is missing. docs/COMMANDS.md lists the exit codes of the program.
    """
    words = sys.argv[1:] if arguments is None else arguments
    if words and words[0] in _PYTHON_COMMANDS:
        from popscope import _commands

        return _commands.main(words)
    return _become("popscope", words, "; of the commands only %s work" % " and ".join(_PYTHON_COMMANDS))


if __name__ == "__main__":
    sys.exit(main())
