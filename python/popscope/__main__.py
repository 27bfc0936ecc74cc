"""python -m popscope COMMAND ...: runs the program popscope, or a command that only Python has (sweep, archive)."""

from __future__ import annotations

import os
import pathlib
import shutil
import sys
from typing import List, Optional

_PYTHON_COMMANDS = ("sweep", "archive")


def tool(name: str) -> Optional[str]:
    """Returns the path of a program of the installation: from the wheel, next to an installed or built package, or from PATH."""
    here = pathlib.Path(__file__).absolute().parent
    for folder in (here / "_sdk" / "bin", here.parents[2] / "bin", here.parents[1] / "bin"):
        if os.access(folder / name, os.X_OK):
            return str(folder / name)
    return shutil.which(name)


def main(arguments: Optional[List[str]] = None) -> int:
    """Runs a command. Returns the exit code of the program: 0 done, 1 a finding, 2 wrong usage or unusable input, 3 an internal fault."""
    words = sys.argv[1:] if arguments is None else arguments
    if words and words[0] in _PYTHON_COMMANDS:
        from popscope import _commands

        return _commands.main(words)
    program = tool("popscope")
    if program is None:
        print("popscope: the program popscope is neither in this installation nor in PATH; of the commands only %s work" %
              " and ".join(_PYTHON_COMMANDS), file=sys.stderr)
        return 2
    sys.stdout.flush()
    os.execv(program, [program] + words)


if __name__ == "__main__":
    sys.exit(main())
