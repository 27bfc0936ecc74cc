"""Documents.py ROOT: checks that the documents exist, that their links work, and that no file names the place where it was written.

Checks: LICENSE, README.md, CHANGELOG.md and docs/DESIGN.md exist; relative links in README.md, CHANGELOG.md and docs/ lead to files of
the tree (and #anchors to headings); README's program is a part of examples/first_steps/first_steps.cpp; no text file contains an
absolute path into a home or work folder; no handwritten page of docs/ has over 300 lines. Exits with 1 if there are findings, otherwise
with 0.
"""

import os
import re
import sys

import IncludeRules

REQUIRED = ("LICENSE", "README.md", "CHANGELOG.md", "docs/DESIGN.md", "docs/GLOSSARY.md")
MAX_LINES = 300
# Generated pages.
GENERATED = ("docs/ACCURACY.md", "docs/COMPATIBILITY.md", "docs/FORMAT-pop.md", "docs/OPTIONS.md", "docs/PVA.md")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)")
FENCE = re.compile(r"^```.*?^```\s*?$", re.DOTALL | re.MULTILINE)
HEADING = re.compile(r"^#+\s+(.*?)\s*$", re.MULTILINE)
# Concatenated, so that this file does not contain the searched text.
ABSOLUTE = re.compile(r"(?<![\w.$}/])/(?:%s)/[\w.]" % "|".join(("ho" + "me", "wo" + "rk", "ro" + "ot", "Us" + "ers")))
BINARY = (".gp", ".pop", ".o", ".a", ".so", ".png", ".gz", ".pyc")


def allFiles(root):
    for folder, subfolders, names in os.walk(root):
        inside = os.path.relpath(folder, root)
        subfolders[:] = sorted(s for s in subfolders
                               if not IncludeRules.SKIPPED_FOLDERS.search(os.path.normpath(inside + "/" + s)))
        for name in sorted(names):
            if not name.endswith(BINARY) and name != ".git":  # in a linked checkout, .git is a file with the place of the repository
                yield os.path.normpath(os.path.join(inside, name))


def anchorOf(heading):
    """Returns the anchor of a heading in a browser."""
    text = re.sub(r"[`*]", "", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
        return file.read()


def checkLinks(root, path, findings):
    text = read(root, path)
    prose = FENCE.sub(lambda m: re.sub(r"[^\n]", " ", m.group(0)), text)
    for match in LINK.finditer(prose):
        link = match.group(1)
        if re.match(r"[a-z]+:", link):
            continue
        target, _, anchor = link.partition("#")
        full = os.path.normpath(os.path.join(os.path.dirname(path), target)) if target else path
        line = prose.count("\n", 0, match.start()) + 1
        if target.startswith("/") or full.startswith("..") or not os.path.exists(os.path.join(root, full)):
            findings.append("%s:%d: the link %s leads nowhere" % (path, line, link))
        elif anchor and full.endswith(".md"):
            headings = {anchorOf(h) for h in HEADING.findall(FENCE.sub("", read(root, full)))}
            if anchor not in headings:
                findings.append("%s:%d: %s has no heading for %s" % (path, line, full, link))


def check(root):
    findings = ["%s: missing" % path for path in REQUIRED if not os.path.isfile(os.path.join(root, path))]
    for path in allFiles(root):
        if path.endswith(".md") and (path in REQUIRED or path.startswith("docs/")):
            checkLinks(root, path, findings)
            lines = read(root, path).count("\n")
            if lines > MAX_LINES and path not in GENERATED:
                findings.append("%s: has %d lines; split pages over %d by goal" % (path, lines, MAX_LINES))
        for number, line in enumerate(read(root, path).split("\n"), 1):
            if ABSOLUTE.search(line):
                findings.append("%s:%d: names an absolute path: %s" % (path, number, line.strip()[:80]))
    program = os.path.join(root, "examples/first_steps/first_steps.cpp")
    if os.path.isfile(os.path.join(root, "README.md")) and os.path.isfile(program):
        for shown in re.findall(r"^```cpp\n(.*?)^```$", read(root, "README.md"), re.DOTALL | re.MULTILINE) or ["(no program)"]:
            if shown not in read(root, program):
                findings.append("README.md: its program is no part of examples/first_steps/first_steps.cpp")
    return findings


def main(arguments):
    if len(arguments) != 2 or not os.path.isdir(arguments[1]):
        print("usage: Documents.py ROOT", file=sys.stderr)
        return 2
    findings = check(arguments[1])
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
