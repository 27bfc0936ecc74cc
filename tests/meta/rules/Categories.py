"""Categories.py ROOT: checks that each row of the table of storage categories has its counterparts.

The table is in base/StorageCategory.hpp. For each row: the named producer is a file that mentions the category; pva has an accessor in
C++ and Python, in the table's order; the viewer and docs/CATEGORIES.md name the key; the viewer and the exported pictures have a colour
for it. Exits with 1 if there are findings, otherwise with 0.
"""

import os
import re
import sys

TABLE = "base/StorageCategory.hpp"
ROW = re.compile(r'\{StorageCategory::(\w+),\s*"(\w+)",\s*"([^"]+)",\s*CategoryHolds::\w+,\s*"([^"]+)"\}')
ACCESSORS = re.compile(r"^  Category (\w+)\(\) const;$", re.MULTILINE)
COLOUR_LISTS = ("report/viewer/src/theme.ts", "report/export/Svg.cpp")
VIEWER = re.compile(r"kCategoryLabels.*?= new Map\(\[(.*?)^\]\);", re.MULTILINE | re.DOTALL)


def read(root, path):
    try:
        with open(os.path.join(root, path), encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def part(pattern, text):
    found = pattern.search(text)
    return found.group(1) if found else ""


def check(root):
    rows = ROW.findall(read(root, TABLE))
    findings = [] if rows else ["%s has no row" % TABLE]
    keys = [key for _, key, _, _ in rows]
    for name, key, _, producer in rows:
        if key != name[0].lower() + name[1:]:
            findings.append("the key of %s is %s" % (name, key))
        if not re.search(r"\b(StorageCategory|C)::%s\b" % name, read(root, producer)):
            findings.append("%s: %s does not produce it" % (key, producer))
        if not re.search(r"\b%s\b" % key, read(root, "docs/CATEGORIES.md")):
            findings.append("%s: docs/CATEGORIES.md does not name it" % key)
        for colours in COLOUR_LISTS:
            if not re.search(r"""['"]%s['"], ['"]#""" % key, read(root, colours)):
                findings.append("%s: %s has no colour for it" % (key, colours))
    if ACCESSORS.findall(read(root, "report/include/pva/Memory.hpp")) != keys:
        findings.append("the accessors of pva::Categories are others than the table's, or in another order")
    if sorted(re.findall(r"^  \['(\w+)',", part(VIEWER, read(root, "report/viewer/src/derived/names.ts")), re.M)) != sorted(keys):
        findings.append("the viewer names other categories than the table")
    return findings


def main(arguments):
    findings = check(arguments[1])
    print(*findings, sep="\n")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
