"""IncludeRules.py ROOT: checks the includes of every room against the table in RoomTable.py, and finds code outside the permitted files
that reads the environment.

Prints one line per finding: file:line, the included file, the rule's reason. Exits with 1 if there are findings, otherwise with 0.
"""

import os
import re
import sys

import RoomTable

SOURCES = (".cpp", ".hpp", ".h", ".c", ".cc")
GETENV = re.compile(r"\bgetenv\s*\(")
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:<([^>]+)>|"([^"]+)")')
RAW_STRING = re.compile(r'R"([^()\\ ]*)\(.*?\)\1"', re.DOTALL)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
SKIPPED_FOLDERS = re.compile(r"(^|/)(build[^/]*|\.git|\.cache|__pycache__|node_modules)(/|$)")


def sourceFiles(root):
    for folder, subfolders, names in os.walk(root):
        inside = os.path.relpath(folder, root)
        subfolders[:] = sorted(s for s in subfolders if not SKIPPED_FOLDERS.search(os.path.normpath(inside + "/" + s)))
        for name in sorted(names):
            if name.endswith(SOURCES):
                yield os.path.normpath(os.path.join(inside, name))


def includesOf(text):
    """Yields (line number, name, quoted) of every include, except in comments and raw strings."""
    blank = lambda match: re.sub(r"[^\n]", " ", match.group(0))
    text = COMMENT.sub(blank, RAW_STRING.sub(blank, text))
    for number, line in enumerate(text.split("\n"), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1) or match.group(2), match.group(1) is None


def longestFolder(path, folders):
    best = None
    for folder in folders:
        if (path == folder or path.startswith(folder + "/")) and (best is None or len(folder) > len(best)):
            best = folder
    return best


class Checker:
    def __init__(self, root):
        self.root = root
        self.files = list(sourceFiles(root))
        known = set(self.files)
        self.known = known
        # Maps <poplar/X.hpp> to the room's file. Device headers without an extension are found on disk.
        self.publicFolders = sorted({f[: f.index("/include/") + 8] for f in known if "/include/" in f and
                                     not f.startswith("tests/")})
        self.usedExceptions = set()
        self.findings = []

    def resolve(self, file, name):
        """Returns the path, from the root, of an included header of this tree; None for other headers."""
        beside = os.path.normpath(os.path.join(os.path.dirname(file), name))
        for path in [beside, os.path.normpath(name)] + [os.path.join(d, name) for d in self.publicFolders]:
            if path in self.known or os.path.isfile(os.path.join(self.root, path)):
                return path
        return None

    def find(self, file, line, name, reason):
        self.findings.append("%s:%d: includes %s: %s" % (file, line, name, reason))

    def checkOwn(self, file, room, line, name, target):
        if any(longestFolder(file, [r]) for r in RoomTable.PUBLIC_ONLY):
            top = file.split("/")[0]
            if not target.startswith(top + "/") and "/include/" not in target:
                self.find(file, line, name, RoomTable.PUBLIC_ONLY[top])
            return
        toRoom = longestFolder(target, RoomTable.ROOMS)
        if toRoom is None:
            self.find(file, line, name, "%s belongs to no room of the table" % target)
            return
        if room == toRoom:
            return
        if toRoom == "engine" and room not in RoomTable.MAY_INCLUDE_ENGINE:
            self.find(file, line, name, "the engine is included by nobody but tests, bench and examples")
            return
        allowed = RoomTable.ROOMS[room].may
        if "*" in allowed or longestFolder(target, allowed):
            return
        if (room, toRoom) in RoomTable.EXCEPTIONS:
            self.usedExceptions.add((room, toRoom))
            return
        self.find(file, line, name, RoomTable.ROOMS[room].reason)

    def checkThirdParty(self, file, line, name):
        if file.split("/")[0] in RoomTable.ANY_THIRD_PARTY:
            return
        rows = [row for row in RoomTable.THIRD_PARTY if re.match(row.pattern, name)]
        permits = lambda row: longestFolder(file, row.where) and (row.headers or file.endswith(".cpp"))
        if rows and not any(permits(row) for row in rows):
            self.find(file, line, name, rows[-1].reason)

    def checkEnvironment(self, file, room, text):
        if room is None or room in RoomTable.ANY_THIRD_PARTY or file.split("/")[0] in ("tests", "bench") or file in RoomTable.READS_ENVIRONMENT:
            return
        for number, line in enumerate(text.split("\n"), 1):
            if GETENV.search(line):
                self.findings.append("%s:%d: reads the environment: rooms call environmentVariable() of base/Environment.hpp" % (file, number))

    def run(self):
        for file in self.files:
            room = longestFolder(file, RoomTable.ROOMS)
            public = longestFolder(file, RoomTable.PUBLIC_ONLY)
            if room is None and public is None:
                if file.split("/")[0] not in ("python", "docs", "cmake", "scripts"):
                    self.findings.append("%s:1: belongs to no room of the table" % file)
                continue
            with open(os.path.join(self.root, file), encoding="utf-8") as source:
                text = source.read()
            self.checkEnvironment(file, room, text)
            for line, name, quoted in includesOf(text):
                target = self.resolve(file, name)
                if target is not None:
                    self.checkOwn(file, room, line, name, target)
                elif quoted and not longestFolder(file, ["tests/package"]):
                    self.find(file, line, name, "there is no such file in the tree; other libraries go in <>")
                else:
                    self.checkThirdParty(file, line, name)
        for pair in sorted(set(RoomTable.EXCEPTIONS) - self.usedExceptions):
            self.findings.append("RoomTable.py:1: the exception %s -> %s is not needed any more; remove it" % pair)
        return self.findings


def main(arguments):
    if len(arguments) != 2 or not os.path.isdir(arguments[1]):
        print("usage: IncludeRules.py ROOT", file=sys.stderr)
        return 2
    checker = Checker(arguments[1])
    if not checker.files:
        print("IncludeRules: no source files below %s" % arguments[1], file=sys.stderr)
        return 2
    findings = checker.run()
    for finding in findings:
        print(finding)
    print("%d files, %d findings" % (len(checker.files), len(findings)))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
