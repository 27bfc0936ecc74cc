"""Switches.py ROOT: checks that no switch over an enum of this tree has a `default`.

Without a default the compiler names every value that a switch leaves out (-Wswitch, an error in developer builds), so every switch must
handle a new kind of step or category. Switches over numbers, characters, constants (kName) and enums of libclang (CXName_) may have one.
Prints one line per finding: file:line. Exits with 1 if there are findings, otherwise with 0.
"""

import os
import re
import sys

import IncludeRules

# Text without code, which is blanked so that line numbers stay the same.
BLANKED = re.compile(r'R"([^()\\ ]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|//[^\n]*|/\*.*?\*/', re.DOTALL)
TOKEN = re.compile(r"\bswitch\b|\bcase\b(?P<label>(?:[^:]|::)*):(?!:)|\bdefault\s*:(?!:)|[(){}]")
NO_ENUM = re.compile(r"-?[0-9]|'|k[A-Z]|sizeof\b|CX[A-Z]\w*_")


def blank(match):
    text = match.group(0)
    if text.startswith("'"):
        return "'" + "x" * (len(text) - 2) + "'"
    return re.sub(r"[^\n]", " ", text)


def defaultsIn(text):
    """Returns the lines of each `default` of a switch with a case that names an enumerator of this tree."""
    text = BLANKED.sub(blank, text)
    scopes, found = [], []  # a scope: None, or the switch's [enumerators, lines of defaults]
    parentheses, pending = 0, None  # pending: number of open parentheses around the switch whose body comes next
    for match in TOKEN.finditer(text):
        token = match.group(0)
        switch = next((s for s in reversed(scopes) if s is not None), None)
        if token == "switch":
            pending = parentheses
        elif token in "()":
            parentheses += 1 if token == "(" else -1
        elif token == "{":
            opens = parentheses == pending  # otherwise it is an initialiser in the condition
            scopes.append([[], []] if opens else None)
            pending = None if opens else pending
        elif token == "}":
            closed = scopes.pop() if scopes else None
            if closed is not None and closed[0]:
                found += closed[1]
        elif token.startswith("case") and switch is not None:
            label = match.group("label").strip()
            if not NO_ENUM.match(label):
                switch[0].append(label)
        elif token.startswith("default") and switch is not None:
            switch[1].append(text.count("\n", 0, match.start()) + 1)
    return sorted(found)


def check(root):
    findings, files = [], list(IncludeRules.sourceFiles(root))
    for path in files:
        with open(os.path.join(root, path), encoding="utf-8") as source:
            findings += ["%s:%d: default in a switch over an enum: name each value, so that a new one is not forgotten"
                         % (path, line) for line in defaultsIn(source.read())]
    return len(files), findings


def main(arguments):
    count, findings = check(arguments[1])
    print(*findings, sep="\n", end="\n" if findings else "")
    print("%d files, %d findings" % (count, len(findings)))
    return 1 if findings or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
