"""Units.py ROOT: bytes and cycles have their unit in the type, from the lowered program to the records.

In the headers of the rooms below no plain integer, and no list or span of them, is called bytes or cycles: it is Bytes,
Cycles or one of the narrow ones of base/Units.hpp. Facts of machines (target-models), options and the file's columns
are plain numbers; a pass or a writer converts at its border. An allowance that nothing needs any more is a finding, too.
One line a finding: file:line, the line. Exit code 1 with findings, 0 without.
"""

import re
import sys

import Allowances
import IncludeRules
from MachineFacts import withoutComments

ROOMS = ("graph/steps", "liveness", "instrument", "engine/collect", "engine/advice")

# An integer, in a list or not, and then names of fields, parameters or functions of which one says bytes or cycles.
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
    ("instrument/profile/Records.hpp", "cycles; // slowest tile's", "a list as a file packs it"),
    ("liveness/layout/FirstFit.hpp", "bytes", "the packer: addresses and sizes are one kind of number"),
    ("liveness/layout/PackHeap.hpp", "bytes", "the packer"),
    ("liveness/layout/PackProblem.hpp", "bytes", "the packer"),
    ("liveness/layout/TileHeap.hpp", "bytes", "the packer"),
)


def findingsIn(text):
    """(line number, what to do) of each plain integer that is called bytes or cycles."""
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
