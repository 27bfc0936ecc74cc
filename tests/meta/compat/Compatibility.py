"""Compatibility.py [--update] ROOT LIST_SYMBOLS: checks that docs/COMPATIBILITY.md agrees with headers, tests and sources for every public
name.

LIST_SYMBOLS (ListSymbols.cpp) lists the names that the headers declare. A name is done if tests use every overload of it (evidence.tsv) and
its note does not have the status `differs`. A name is done in part if tests use some of its overloads, and untested if tests use none.
Functions that ignore an argument (leaves_out.tsv), and exceptions that nothing throws, need a note. Evidence.py generates and checks both
tables. Two files are written by hand: expected.txt has the names that programs written for Poplar may use (one qualified name per line);
notes.tsv (name, status, how) has the status `differs`, `not applicable` or `same`. `same` means that the function leaves something out; the
note states why no user can notice this. A name that is expected, not declared and without a note is missing. With --update, writes the
document; without it, the document must be up to date. Exits with 1 if there are findings, otherwise with 0.
"""

import glob
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOMS = ["base", "target-models", "graph", "engine"]
DOCUMENT = "docs/COMPATIBILITY.md"
STATES = ("differs", "not applicable", "same")
WITH_PARAMETERS = ("function", "member", "constructor", "conversion")
HINT = "; run scripts/update-docs.sh"


def rows(path):
    with open(path, encoding="utf-8") as file:
        return [line.rstrip("\n") for line in file if line.strip() and not line.startswith("#")]


def headers(folder):
    """Returns the public headers of a room's include folder: those of <poplar/...>, and those that only codelets include."""
    return [os.path.relpath(path, folder) for pattern in ("/*", "/poplar/*", "/arch/*")
            for path in sorted(glob.glob(folder + pattern)) if os.path.isfile(path)]


def declared(root, listSymbols):
    """Returns header -> {name: (kind, parameters of each overload)}, and class -> its public bases."""
    flags = ["-x", "c++", "-std=c++17"] + ["-I%s/%s/include" % (root, room) for room in ROOMS]
    result, bases = {}, {}
    for room in ROOMS:
        folder = os.path.join(root, room, "include")
        result.update({header: {} for header in headers(folder)})
        text = subprocess.run([listSymbols, folder] + headers(folder) + ["--"] + flags, check=True,
                              stdout=subprocess.PIPE, universal_newlines=True).stdout
        for line in text.splitlines():
            header, kind, name, rest = line.split("\t")
            if kind == "base":
                bases.setdefault(name, []).append(rest)
                continue
            first, overloads = result[header].get(name, (kind, ()))
            result[header][name] = (first, overloads + (rest if kind in WITH_PARAMETERS else "",))
    return result, bases


def withInherited(names, bases):
    """Returns the names, and the names that classes inherit from their public bases."""
    def ancestors(name):
        return {found for base in bases.get(name, []) for found in {base} | ancestors(base)}

    return set(names) | {derived + name[len(base):] for derived in bases for base in ancestors(derived)
                         for name in names if name.startswith(base + "::")}


def readNotes(path):
    notes, findings = {}, []
    for row in rows(path):
        cells = row.split("\t")
        if len(cells) != 3 or cells[1] not in STATES or not cells[2].strip():
            findings.append("notes.tsv: a row is NAME, STATUS (%s) and HOW: %s" % (" or ".join(STATES), row))
        elif cells[0] in notes:
            findings.append("notes.tsv: %s has two rows" % cells[0])
        else:
            notes[cells[0]] = (cells[1], cells[2])
    return notes, findings


def check(names, expected, notes):
    """Returns findings about names alone. names: every declared name."""
    findings = ["%s is expected (expected.txt), no header declares it and notes.tsv does not say why" % name
                for name in expected if name not in names and notes.get(name, ("",))[0] != "not applicable"]
    findings += ["notes.tsv: %s is in no header and not in expected.txt" % name
                 for name in notes if name not in names and name not in expected]
    findings += ["notes.tsv: %s is said to differ and no header declares it" % name
                 for name, (status, _) in notes.items() if status == "differs" and name not in names]
    return findings


def silent(names, leavesOut, thrown, notes):
    """Returns findings about functions that ignore an argument, and about exceptions. leavesOut: rows of leaves_out.tsv; thrown: exception
    class -> whether a source mentions it."""
    left = {name for name, _, _ in leavesOut if name in names}
    findings = ["%s leaves out what it takes (leaves_out.tsv) and notes.tsv does not say so" % name for name in sorted(left) if name not in notes]
    findings += ["notes.tsv: %s is said to leave something out and does not" % name
                 for name, (status, _) in notes.items() if status == "same" and name not in left]
    findings += ["no source throws %s and notes.tsv does not say so" % name
                 for name, does in sorted(thrown.items()) if not does and name not in notes]
    findings += ["notes.tsv says that nothing throws %s, and a source does" % name
                 for name, does in sorted(thrown.items()) if does and "nothing throws" in notes.get(name, ("", ""))[1]]
    return findings


def thrownIn(root, classes):
    """Returns exception class -> whether a source of the rooms mentions it, other than the definition of exceptions."""
    text = ""
    for room in ROOMS + ["instrument", "liveness", "report"]:
        for path in glob.glob(os.path.join(root, room, "**", "*.[ch]pp"), recursive=True):
            if os.path.basename(path).lower() not in ("exceptions.hpp", "exceptions.cpp"):
                with open(path, encoding="utf-8") as source:
                    text += source.read()
    words = set(re.findall(r"\w+", text))
    return {name: name.split("::")[-1] in words for name in classes}


def stateOf(name, overloads, evidence, notes):
    """Returns (state, how) of a declared name. evidence: (name, parameters) -> file."""
    files = [evidence.get((name, parameters)) for parameters in overloads]
    shown = ", ".join(sorted({file for file in files if file}))
    status, how = notes.get(name, ("", ""))
    if status == "differs":
        return status, how
    tested = sum(file is not None for file in files)
    state = "done" if tested == len(files) else "in part" if tested else "untested"
    if state == "in part":
        shown = "%d of %d in %s" % (tested, len(files), shown)
    return state, "; ".join(filter(None, (how, shown)))


def document(symbols, every, expected, notes, evidence):
    absent = sorted(name for name in expected if name not in every)
    count = {"done": 0, "in part": 0, "untested": 0, "differs": 0, "not applicable": len(absent)}
    sections = ""
    for header, names in symbols.items():
        if not names:
            continue
        sections += "\n## `<%s>`\n\n| Name | Kind | Overloads | State | Notes and tests |\n|---|---|---:|---|---|\n" % header
        for name in sorted(names):
            kind, overloads = names[name]
            state, how = stateOf(name, overloads, evidence, notes)
            count[state] += 1
            number = str(len(overloads)) if kind in ("function", "member", "constructor") else ""
            sections += "| `%s` | %s | %s | %s | %s |\n" % (name.replace("|", "\\|"), kind, number, state, how)
    if absent:
        sections += "\n## Names that are not declared\n\n| Name | State | Why |\n|---|---|---|\n"
        for name in absent:
            sections += "| `%s` | %s | %s |\n" % ((name,) + notes.get(name, ("missing", "")))
    return ("# Compatibility with Poplar\n\n<!-- generated by: tests/meta/compat/Compatibility.py -->\n\n"
            "This page lists every public name of the headers with its state. The last section lists names of Poplar that the headers do not declare. [PVA.md](PVA.md) lists\n"
            "the names of the profile library.\n\n"
            "| State | Meaning |\n|---|---|\n"
            "| done | Tests call each overload, and no difference from Poplar is known. The page names one test for each overload. These tests may not cover every behaviour. |\n"
            "| in part | Tests call some of the overloads, but not all. The note states the numbers. |\n"
            "| untested | A header declares the name, but no test uses the name. |\n"
            "| differs | The name behaves differently than in Poplar; for example, a function ignores an argument. The note describes the difference. |\n"
            "| not applicable | No header of Popscope declares the name. The note states the reason. |\n\n"
            "A test compares this page with the headers, with the list of names that programs for Poplar may use, and with the calls that tests make. The test requires a\n"
            "note for each function that ignores a parameter or has an empty body, and for each exception class that no source file mentions.\n\n"
            "%d done, %d in part, %d untested, %d differ, %d not applicable.\n" %
            (count["done"], count["in part"], count["untested"], count["differs"], count["not applicable"]) + sections)


def main(arguments):
    update = arguments[0] == "--update"
    root, listSymbols = arguments[1:] if update else arguments
    notes, findings = readNotes(os.path.join(HERE, "notes.tsv"))
    expected = sorted(set(rows(os.path.join(HERE, "expected.txt"))))
    symbols, bases = declared(root, listSymbols)
    every = withInherited({name for names in symbols.values() for name in names}, bases)
    evidence = {tuple(row.split("\t")[1:]): row.split("\t")[0] for row in rows(os.path.join(HERE, "evidence.tsv"))}
    leavesOut = [tuple(row.split("\t")) for row in rows(os.path.join(HERE, "leaves_out.tsv"))]
    exceptions = [name for name, (kind, _) in symbols["poplar/exceptions.hpp"].items() if kind == "class"]
    findings += check(every, expected, notes) + silent(every, leavesOut, thrownIn(root, exceptions), notes)
    text, path = document(symbols, every, expected, notes, evidence), os.path.join(root, DOCUMENT)
    if update:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    elif not os.path.isfile(path) or open(path, encoding="utf-8").read() != text:
        findings.append("%s is not what the headers say%s" % (DOCUMENT, HINT))
    for finding in findings:
        print("compatibility: " + finding)
    print("compatibility: %d names declared, %d expected, %d findings" %
          (sum(map(len, symbols.values())), len(expected), len(findings)))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
