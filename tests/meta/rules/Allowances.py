"""Rules with exceptions: a table of allowances, each with its reason. An allowance that nothing uses is a finding."""

import os

import IncludeRules


def check(root, holds, findingsIn, allowed):
    """Returns (number of files, findings). `holds(path)`: whether the rule applies to a file; `findingsIn(text)` returns line numbers and
    violations; `allowed` has rows (file, part of the line, reason)."""
    findings, used, count = [], set(), 0
    for path in IncludeRules.sourceFiles(root):
        if not holds(path):
            continue
        count += 1
        with open(os.path.join(root, path), encoding="utf-8") as source:
            text = source.read()
        lines = text.split("\n")
        for number, what in findingsIn(text):
            line = lines[number - 1]
            row = next((r for r in allowed if r[0] == path and r[1] in line), None)
            if row is None:
                findings.append("%s:%d: %s: %s" % (path, number, what, line.strip()))
            used.add(row)
    findings += ["%s: the allowance of \"%s\" is not needed any more; remove it" % row[:2]
                 for row in allowed if row not in used]
    return count, findings


def report(count, findings):
    """Prints the findings, one per line; returns the exit code."""
    print(*findings, sep="\n", end="\n" if findings else "")
    print("%d files, %d findings" % (count, len(findings)))
    return 1 if findings or count == 0 else 0
