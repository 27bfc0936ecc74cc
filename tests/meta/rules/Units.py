"""Units.py ROOT: bytes and cycles have their unit in the type, from the lowered program to the records.

In the headers of the rooms below no plain integer, and no list or span of them, is called bytes or cycles: it is Bytes,
Cycles or one of the narrow ones of base/Units.hpp. Facts of machines (target-models), options and the file's columns
are plain numbers; a pass or a writer converts at its border. An allowance that nothing needs any more is a finding, too.
One line a finding: file:line, the line. Exit code 1 with findings, 0 without.
"""

import os
import re
import sys

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
    """(line number, the line) of each plain integer that is called bytes or cycles."""
    text = withoutComments(text)
    for match in NAMED.finditer(text):
        number = text.count("\n", 0, match.end()) + 1
        yield number, text.split("\n")[number - 1].strip()


def check(root, allowed=ALLOWED):
    findings, used, count = [], set(), 0
    for path in IncludeRules.sourceFiles(root):
        if not path.endswith(".hpp") or not IncludeRules.longestFolder(path, ROOMS):
            continue
        count += 1
        with open(os.path.join(root, path), encoding="utf-8") as source:
            text = source.read()
        for number, line in findingsIn(text):
            whole = text.split("\n")[number - 1]
            row = next((r for r in allowed if r[0] == path and r[1] in whole), None)
            if row is None:
                findings.append("%s:%d: a plain number; give it the unit of base/Units.hpp: %s" % (path, number, line))
            used.add(row)
    findings += ["%s: the allowance of \"%s\" is not needed any more; remove it" % row[:2]
                 for row in allowed if row not in used]
    return count, findings


def main(arguments):
    count, findings = check(arguments[1])
    print(*findings, sep="\n", end="\n" if findings else "")
    print("%d headers, %d findings" % (count, len(findings)))
    return 1 if findings or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
