"""Evidence.py [--update] ROOT LIST_USES [FILE...]: determines which test uses each public name, and which arguments definitions ignore.

For each overload in the public headers that a test or example uses, evidence.tsv has one file that uses it. The compiler resolves the
overloads (ListUses.cpp), also in codelets that tests keep in raw strings. --update parses all tests and examples and writes the table
again, with as few files as a greedy choice finds. With FILEs (new tests), --update parses only these files and adds their uses. Without
--update, parses only the files in the table: each file must still use its declarations. In the same way, leaves_out.tsv lists the functions
that ignore a parameter or do nothing; it comes from the sources of the rooms. Exits with 1 if there are findings, otherwise with 0.
Compatibility.py generates the page from both tables.
"""

import concurrent.futures
import glob
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOMS = ["base", "target-models", "graph", "engine"]
SOURCES = ["base/*.cpp", "target-models/*/*.cpp", "graph/api/*.cpp", "engine/*.cpp"]
TESTS = ["tests/unit/" + room for room in ("base", "codelets", "engine", "graph_api", "instrument", "lowering", "target-models")] + [
    "tests/property", "tests/check", "tests/golden", "tests/package", "examples"]
CODELET = re.compile(r'R"([A-Za-z]*)\((.*?)\)\1"', re.DOTALL)
CODELET_HEADERS = re.compile(r"#include [<\"](poplar/(Vertex|HalfFloat|QuarterFloat|VectorTypes|FieldTypes|Loops|InOutTypes)|ipudef|ipu_|print\.h|arch/)")
HINT = "; run scripts/update-docs.sh"
TOGETHER = 7  # number of files that are parsed as one, like in the build of tests (cmake/PopscopeRooms.cmake)


def flags(root):
    return ["-I%s" % root] + ["-I%s/%s/include" % (root, room) for room in ROOMS + ["report"]]


def listUses(listUsesTool, root, paths, extra):
    """Returns path -> its uses, and what definitions ignore. Files that do not parse together are parsed one by one."""
    prefixes = ["%s/%s/include" % (root, room) for room in ROOMS]
    text = subprocess.run([listUsesTool] + prefixes + ["--"] + paths + ["--"] + extra + flags(root), check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, universal_newlines=True).stdout
    uses, leavesOut = {path: set() for path in paths}, set()
    for line in text.splitlines():
        cells = line.split("\t")
        if cells[0] == "use":
            uses[cells[4]].add((cells[1], cells[2]))
        elif cells[0] == "ignores":
            leavesOut.add((cells[1], cells[2], cells[3]))
        elif len(paths) > 1:  # errors
            single = [listUses(listUsesTool, root, [path], extra) for path in paths]
            return {path: names for each, _ in single for path, names in each.items()}, set().union(*[left for _, left in single])
    return uses, leavesOut


def together(paths):
    """Returns lists of up to TOGETHER paths of one folder, whose headers are then parsed once for all of them."""
    folders = {}
    for path in sorted(paths):
        folders.setdefault(os.path.dirname(path), []).append(path)
    return [tuple(files[i:i + TOGETHER]) for files in folders.values() for i in range(0, len(files), TOGETHER)]


def codeletsIn(text):
    return [body for _, body in CODELET.findall(text) if CODELET_HEADERS.search(body)]


CODELET_FLAGS = ["-x", "c++", "-std=c++17", "-D__POPC__", "-include", "stdint.h", "-Wno-everything"]


def plainFlags():
    return ["-std=c++20", "-I%s/doctest_plain" % HERE, '-DPOPSCOPE_SOURCE_DIR=""', '-DPOPSCOPE_BINARY_DIR=""', '-DPOPSCOPE_POPC=""',
            '-DPOPSCOPE_TOOLS=""', '-DPOPSCOPE_LOCATOR=""', '-DIDENTITIES_MLP_CODELETS=""', "-Wno-everything"]


def isCodeletFile(text):
    return CODELET_HEADERS.search(text) and not re.search(r"poplar/(Engine|Graph|Tensor)\.hpp|doctest", text)


def usesOf(tool, root, files, wanted=None):
    """Returns file -> its uses, with those of its codelets; with `wanted`, parses codelets only while some of these are not found."""
    texts = {}
    for file in files:
        with open(os.path.join(root, file), encoding="utf-8") as source:
            texts[file] = source.read()
    uses = {}
    for chosen, extra in ((True, CODELET_FLAGS), (False, plainFlags())):
        group = {os.path.join(root, file): file for file in files if bool(isCodeletFile(texts[file])) == chosen}
        if group:
            uses.update((group[path], names) for path, names in listUses(tool, root, list(group), extra)[0].items())
    for file in files:
        for body in codeletsIn(texts[file]) if not isCodeletFile(texts[file]) else []:
            if wanted is not None and wanted[file] <= uses[file]:
                break
            with tempfile.NamedTemporaryFile("w", suffix=".cpp", encoding="utf-8") as unit:
                unit.write(body)
                unit.flush()
                uses[file] |= listUses(tool, root, [unit.name], CODELET_FLAGS)[0][unit.name]
    return uses


def usesOfAll(tool, root, files, wanted=None):
    found = inParallel(lambda group: usesOf(tool, root, group, wanted), together(files))
    return {file: names for uses in found.values() for file, names in uses.items()}


def testFiles(root):
    return sorted(os.path.relpath(path, root) for folder in TESTS for path in glob.glob(os.path.join(root, folder, "**", "*.cpp"), recursive=True))


def inParallel(function, items):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip(items, pool.map(function, items)))


def choose(uses):
    """Returns a few of the files that together use everything: file -> the uses for which it is chosen."""
    left, chosen = set().union(*uses.values()) if uses else set(), {}
    while left:
        best = min(uses, key=lambda file: (-len(uses[file] & left), file))
        chosen[best] = uses[best] & left
        left -= chosen[best]
    return chosen


def readTable(path, width):
    with open(path, encoding="utf-8") as file:
        rows = [tuple(line.rstrip("\n").split("\t")) for line in file if line.strip() and not line.startswith("#")]
    assert all(len(row) == width for row in rows), path
    return rows


def writeTable(path, head, rows):
    with open(path, "w", encoding="utf-8") as file:
        file.write("# generated by: tests/meta/compat/Evidence.py\n# %s\n" % head)
        file.writelines("\t".join(row) + "\n" for row in sorted(rows))


def definesPublicNames(path):
    """Returns whether a source can define a public name: the source opens namespace poplar, or defines a member with its poplar:: name."""
    with open(path, encoding="utf-8") as source:
        return re.search(r"^(namespace poplar\b|[^ ].*\bpoplar::\w+::)", source.read(), re.MULTILINE) is not None


def leftOut(tool, root):
    files = [path for pattern in SOURCES for path in sorted(glob.glob(os.path.join(root, pattern))) if definesPublicNames(path)]
    found = inParallel(lambda paths: listUses(tool, root, list(paths), ["-std=c++20", "-Wno-everything"])[1], together(files))
    return set().union(*found.values())


def check(evidence, uses):
    """Returns the rows of evidence.tsv whose file does not use its declaration. uses: file -> its uses, absent = no such file."""
    return ["%s does not use %s%s any more%s" % (file, name, parameters, HINT)
            for file, name, parameters in evidence if (name, parameters) not in uses.get(file, ())]


def update(root, tool, files):
    """Writes both tables; with files, adds only uses that evidence.tsv does not have yet."""
    evidencePath, leavesOutPath = os.path.join(HERE, "evidence.tsv"), os.path.join(HERE, "leaves_out.tsv")
    uses = usesOfAll(tool, root, files or testFiles(root))
    if files:
        for file, name, parameters in readTable(evidencePath, 3):
            uses.setdefault(file, set()).update([(name, parameters)] if file not in files else [])
    else:
        writeTable(leavesOutPath, "NAME\tPARAMETERS\tPOSITIONS (nothing = the body has no statement)", leftOut(tool, root))
    writeTable(evidencePath, "FILE\tNAME\tPARAMETERS", [(file,) + use for file, names in choose(uses).items() for use in names])


def main(arguments):
    if arguments[0] == "--update":
        update(arguments[1], arguments[2], arguments[3:])
        return 0
    root, tool = arguments
    evidencePath, leavesOutPath = os.path.join(HERE, "evidence.tsv"), os.path.join(HERE, "leaves_out.tsv")
    evidence = readTable(evidencePath, 3)
    wanted = {}
    for file, name, parameters in evidence:
        if os.path.isfile(os.path.join(root, file)):
            wanted.setdefault(file, set()).add((name, parameters))
    findings = check(evidence, usesOfAll(tool, root, wanted, wanted))
    stored, today = set(readTable(leavesOutPath, 3)), leftOut(tool, root)
    findings += ["%s%s leaves out %s, which leaves_out.tsv does not say%s" % (row + (HINT,)) for row in sorted(today - stored)]
    findings += ["%s%s does not leave out %s any more%s" % (row + (HINT,)) for row in sorted(stored - today)]
    for finding in findings:
        print("evidence: " + finding)
    print("evidence: %d declarations used, in %d files, %d findings" % (len(evidence), len(wanted), len(findings)))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
