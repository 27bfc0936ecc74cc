"""Units.py ROOT: checks that bytes and cycles have their unit in the type, from the lowered program to the records.

In the headers of the rooms below, an integer, list or span whose name contains bytes or cycles has the type Bytes, Cycles or a narrow type of
base/Units.hpp, not a plain one. Facts of machines (target-models), options and the file's columns are plain numbers, which a pass or
a writer converts. An allowance that nothing uses is a finding, too. Prints one line per finding: file:line, the line. Exits with 1 if
there are findings, otherwise with 0.
"""

import re
import sys

import Allowances
import IncludeRules
from MachineFacts import withoutComments

ROOMS = ("graph/steps", "liveness", "instrument", "engine/collect", "engine/advice")

# An integer or a list of them, followed by the names of fields, parameters or functions, one of which contains bytes or cycles.
INTEGER = r"\b(?:u?int(?:8|16|32|64)_t|size_t|unsigned|long|int)\b"
NAMED = re.compile(INTEGER + r"[\s>&*]+(?:\w+(?:\{\}| = [\w.]+)?, )*(?:[a-z]\w*(?:[bB]ytes|[cC]ycles)|bytes|cycles)\w*")

# (file, part of the line, why it is a plain number)
ALLOWED = (
    ("instrument/machine/Clocks.hpp", "keptBytes_", "of the host's memory"),
    ("instrument/machine/Machine.hpp", "std::size_t bytes", "of the host's memory, whose sizes are std::size_t"),
    ("instrument/machine/OperandGuards.hpp", "ytes", "of the host's memory"),
    ("instrument/machine/VertexObjects.hpp", "std::size_t bytes", "of the host's memory"),
    ("instrument/profile/Records.hpp", "fromGroups, toGroups, bytes", "a list as a file packs it"),
    ("instrument/profile/Records.hpp", "bytes, messages;", "a list as a file packs it"),
    ("instrument/profile/Records.hpp", "cyclesByTile", "a list as a file packs it"),
    ("instrument/profile/Records.hpp", "cycles; // cycles of work of the slowest tile", "a list as a file packs it"),
    ("liveness/layout/FirstFit.hpp", "bytes", "the packer: addresses and sizes are one kind of number"),
    ("liveness/layout/PackHeap.hpp", "bytes", "the packer"),
    ("liveness/layout/PackProblem.hpp", "bytes", "the packer"),
    ("liveness/layout/TileHeap.hpp", "bytes", "the packer"),
)


def findingsIn(text):
    """Yields (line number, what to do) of each plain integer whose name contains bytes or cycles."""
    text = withoutComments(text)
    for match in NAMED.finditer(text):
        yield text.count("\n", 0, match.end()) + 1, "a plain number; give it the unit of base/Units.hpp"


def check(root, allowed=ALLOWED):
    return Allowances.check(root, lambda path: path.endswith(".hpp") and IncludeRules.longestFolder(path, ROOMS),
                            findingsIn, allowed)


def main(arguments):
    return Allowances.report(*check(arguments[1]))


if __name__ == "__main__":
    sys.exit(main(sys.argv))
