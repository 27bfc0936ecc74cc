"""DeadCode.py ROOT BUILD: checks that the product calls every function that one of its headers declares.

A function is dead if no object file of the product refers to it; references from tests and benchmarks do not count. Functions in public
headers (ROOT/*/include) are exempt, because programs call them, and so are defaulted special members. TESTED lists functions that only
tests and benchmarks call, with the reason. If the product calls such a function, the entry is a finding, too. The objects must be those
of the whole product. At high optimisation a function that is inlined into all its callers looks dead, so the check is for builds with little
optimisation. Prints one line per finding. Exits with 1 if there are findings, otherwise with 0.
"""

import os
import re
import subprocess
import sys

NAMESPACE = "popscope::"
NO_PRODUCT = re.compile(r"/(tests|bench|examples|docs)/")
# Gives for each function (by its name without arguments) the reason why the product has it although no object refers to it.
TESTED = {
    "Machine::cycleProvenance": "tests ask for the source of a vertex type's cycles without a profile",
    "PopWriter::append": "runs added to a finished profile: tested, and no command does it yet",
    "VertexTable::bytes": "tests state how much memory a vertex takes",
    "ViewRuns::tableBytes": "tests state how much memory a view takes",
    "readGraph": "reads back what writeGraph wrote, in tests and fuzzing",
}


def lines(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def objectsOf(build):
    for folder, _, names in os.walk(build):
        for name in names:
            path = os.path.join(folder, name)
            if name.endswith(".o") and not NO_PRODUCT.search(path[len(build):]):
                yield path


def symbolsOf(objects):
    """Returns the symbols of functions that the objects define, and all symbols that they refer to."""
    defined, used = set(), set()
    for path in objects:
        for line in lines("nm", path):
            words = line.split()
            if len(words) == 3 and words[1] == "T":
                defined.add(words[2])
            elif len(words) == 2 and words[0] == "U":
                used.add(words[1])
        for line in lines("readelf", "-rW", path):
            words = line.split()
            if len(words) >= 5 and re.match(r"[0-9a-f]{12,16}$", words[0]):
                used.add(words[4])
    return defined, used


def variants(symbol):
    """Returns one name for the up to three symbols of a constructor or destructor."""
    return {symbol} | {symbol.replace(a + "E", b + "E", 1) for a, b in (("C2", "C1"), ("C1", "C2"), ("D2", "D1"),
                                                                       ("D1", "D2"), ("D0", "D1"), ("D2", "D0"))}


def plainName(demangled):
    """Returns A::f for popscope::A::f(int) const."""
    name = re.sub(r"\[abi:\w+\]", "", demangled)[len(NAMESPACE):]
    return name.split("(")[0]


def isSpecialMember(name):
    parts = name.split("::")
    return len(parts) > 1 and parts[-1].lstrip("~") == parts[-2]


def publicWords(root):
    words = set()
    for room in sorted(os.listdir(root)):
        for folder, _, names in os.walk(os.path.join(root, room, "include")):
            for name in names:
                with open(os.path.join(folder, name), encoding="utf-8") as header:
                    words.update(re.findall(r"\w+", header.read()))
    return words


def deadNames(objects, public):
    defined, used = symbolsOf(objects)
    dead = sorted(symbol for symbol in defined if not variants(symbol) & used)
    names = subprocess.run(["c++filt"], input="\n".join(dead), capture_output=True, text=True, check=True).stdout
    plain = {plainName(name) for name in names.splitlines() if name.startswith(NAMESPACE)}
    return {name for name in plain if not isSpecialMember(name) and not set(name.split("::")) <= public}


def check(root, build):
    objects = list(objectsOf(build))
    if not objects:
        return ["%s holds no object file: build everything first" % build]
    dead = deadNames(objects, publicWords(root))
    return ["%s: the product never calls it: remove it, or give the reason in TESTED" % name
            for name in sorted(dead - set(TESTED))] + [
                "%s: the product calls it: take it out of TESTED" % name for name in sorted(set(TESTED) - dead)]


if __name__ == "__main__":
    found = check(sys.argv[1], sys.argv[2])
    print("\n".join(found))
    sys.exit(1 if found else 0)
