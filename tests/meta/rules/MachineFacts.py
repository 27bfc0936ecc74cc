"""MachineFacts.py ROOT: checks that the rooms that compile, place and run a program contain no facts about machines.

Counts of instructions, sizes of words, packets and stacks, buses and names of architectures belong in target-models: in data/*.json with
their source, or as a named constant next to their model. The check finds the forms that such numbers have had in passes, not every
number. An allowance that nothing uses is a finding, too. Prints one line per finding: file:line, the kind of fact, the line. Exits with
1 if there are findings, otherwise with 0.
"""

import re
import sys

import Allowances
import IncludeRules

ROOMS = ("graph/lowering", "graph/steps", "instrument", "liveness", "engine")

PATTERNS = (
    ("a count of instructions", r"\b[1-9]\d*\)? [*+] [\w.>()-]*(Instr_?|[iI]nstructions|instructionBytes)\b"),
    ("a count of instructions", r"(Instr_?|[iI]nstructions)\b [-+*]?=? ?([^;]*\? )?[1-9]\d*\b|\+\+[\w.>()-]*[iI]nstructions\b"),
    ("a count of instructions", r"[-+] [1-9]\d*\) \* [\w.>()-]*instructionBytes\b"),
    ("the size of a word or of an access", r"([oO]ffset|[bB]ytes|[aA]lign\w*|[aA]ddress|[sS]ize)(\(\))? [%/] (2|4|8|16)\b|"
                                           r"\+ (1|3|7|15)\) / (2|4|8|16)\b"),
    ("an alignment", r"[aA]lign\w*(\(|, |[^;]*[(,] ?)(2|4|8|16|32)\)|\((2|4|8|16|32), [\w.]*[aA]lign"),
    ("a size of the machine", r"\bBytes(32)?\(([2-9]|1\d)"),  # one byte is no size of a machine
    ("a size of the machine", r"\bk\w*(Word|Packet|Header|Request|Align|Stack|Worker|Instr|Bus|Latency|Clock)\w* = [1-9]"),
    ("a field of the machine", r"\b(\w+Instr|\w*[pP]acket\w*Bytes|workerBytes|supervisorBytes|workerContexts|"
                               r"bytesPerCycle|tilesPer\w+|\w*LatencyCycles|alignment) = ([2-9]|1\d)"),
    ("controls of an exchange", r"\bexchangeControls\([1-9]"),
    ("the name of an architecture", r'"(ipu|mk)\d+"'),
)

# (file, part of the line, why it is not a fact about a machine)
ALLOWED = (
    ("graph/lowering/SizeControlCode.cpp", "2 * code_.syncInstr", "two syncs, as the row of its kind says"),
    ("graph/lowering/SizeControlCode.cpp", "2 * blockEdgeInstr_", "a begin and an end"),
    ("instrument/machine/DeviceState.hpp", "kHomeAlignment = 32", "of the host's memory"),
    ("instrument/profile/Records.hpp", "workerContexts = 6", "of records made by hand, in tests"),
)

COMMENT = re.compile(r'("(?:\\.|[^"\\\n])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)


def withoutComments(text):
    return COMMENT.sub(lambda m: m.group(1) or re.sub(r"[^\n]", "", m.group(0)), text)


def findingsIn(text):
    """Yields (line number, kind of fact) of each line with a fact about a machine."""
    for number, line in enumerate(withoutComments(text).split("\n"), 1):
        for what, pattern in PATTERNS:
            if re.search(pattern, line):
                yield number, what + " belongs to target-models"
                break


def check(root, allowed=ALLOWED):
    return Allowances.check(root, lambda path: IncludeRules.longestFolder(path, ROOMS), findingsIn, allowed)


def main(arguments):
    return Allowances.report(*check(arguments[1]))


if __name__ == "__main__":
    sys.exit(main(sys.argv))
