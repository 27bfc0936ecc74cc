"""TestsPage.py ROOT: checks tests/README.md.

Each case that the page names is in the named file; each numbered invariant of docs/inside has a row; each kind of test that exists has a
row; a test reads each environment variable that the page names. Exits with 1 if there are findings, otherwise with 0.
"""

import glob
import os
import re
import sys

CASE = re.compile(r"`([\w/.]+\.cpp)`: \"([^\"]+)\"")
TEST_CASE = re.compile(r"\bTEST_CASE\(\s*((?:\"(?:[^\"\\]|\\.)*\"\s*)+)")
INVARIANT = re.compile(r"^\| ([A-Z]\d+) \|", re.MULTILINE)


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def casesOf(text):
    return {"".join(re.findall(r"\"((?:[^\"\\]|\\.)*)\"", case)) for case in TEST_CASE.findall(text)}


def check(root):
    page = read(root, "tests", "README.md")
    findings = []
    for path, case in CASE.findall(page):
        if not os.path.exists(os.path.join(root, "tests", path)):
            findings.append("tests/README.md names tests/%s, which is not there" % path)
        elif case not in casesOf(read(root, "tests", path)):
            findings.append("tests/%s has no case \"%s\", which tests/README.md names" % (path, case))
    invariants = {number for path in glob.glob(os.path.join(root, "docs", "inside", "*.md")) for number in INVARIANT.findall(read(path))}
    if not invariants:
        findings.append("docs/inside has no invariant")
    for number in sorted(invariants - set(INVARIANT.findall(page))):
        findings.append("tests/README.md has no case for invariant %s of docs/inside" % number)
    for folder in sorted(glob.glob(os.path.join(root, "tests", "*", "*", "CMakeLists.txt"))):
        kind = os.path.relpath(folder, os.path.join(root, "tests")).split(os.sep)[0]
        if not re.search(r"^\| `%s/" % kind, page, re.MULTILINE):
            findings.append("tests/README.md does not say what tests/%s holds" % kind)
    sources = "".join(read(path) for path in glob.glob(os.path.join(root, "tests", "*", "*", "*.cpp")))
    for name in re.findall(r"`(POPSCOPE_\w+)`", page.partition("## Variables")[2]):
        if name not in sources:
            findings.append("no test reads %s, which tests/README.md names" % name)
    return sorted(set(findings))


if __name__ == "__main__":
    found = check(sys.argv[1])
    print("\n".join(found + ["tests page: %d findings" % len(found)]))
    sys.exit(1 if found else 0)
