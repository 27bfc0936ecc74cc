"""Compatibility.py [--update] ROOT LIST_SYMBOLS: docs/COMPATIBILITY.md says of every public name what the headers say of it.

Two files are kept by hand: expected.txt, the names that programs written for Poplar may use (a line is a qualified name), and
notes.tsv (name, status, how) for those of them that are not simply done: status `differs` or `not applicable`. Which names the
headers declare comes from LIST_SYMBOLS (ListSymbols.cpp). A name that is expected, not declared and without a note is missing.
With --update the document is written; without it the document must be up to date. Exit code 1 with findings, 0 without.
"""

import glob
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOMS = ["base", "target-models", "graph", "engine"]
DOCUMENT = "docs/COMPATIBILITY.md"
STATES = ("differs", "not applicable")
# Sources may not promise what they then refuse.
REFUSALS = ("not supported yet", "not implemented")
HINT = "; run scripts/update-docs.sh"


def rows(path):
    with open(path, encoding="utf-8") as file:
        return [line.rstrip("\n") for line in file if line.strip() and not line.startswith("#")]


def headers(folder):
    """The public headers of a room's include folder: those of <poplar/...>, and what codelets include beside them."""
    return [os.path.relpath(path, folder) for pattern in ("/*", "/poplar/*", "/arch/*")
            for path in sorted(glob.glob(folder + pattern)) if os.path.isfile(path)]


def declared(root, listSymbols):
    """header -> {name: (kind, number of overloads)}, and class -> its public bases."""
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
            first, overloads = result[header].get(name, (kind, 0))
            result[header][name] = (first, overloads + 1)
    return result, bases


def withInherited(names, bases):
    """The names, and those that classes have from their public bases."""
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
    """Findings about names alone. names: every declared name."""
    findings = ["%s is expected (expected.txt), no header declares it and notes.tsv does not say why" % name
                for name in expected if name not in names and notes.get(name, ("",))[0] != "not applicable"]
    findings += ["notes.tsv: %s is in no header and not in expected.txt" % name
                 for name in notes if name not in names and name not in expected]
    findings += ["notes.tsv: %s is said to differ and no header declares it" % name
                 for name, (status, _) in notes.items() if status == "differs" and name not in names]
    return findings


def refusals(root):
    """Sources of the rooms whose messages say that a public function does nothing."""
    findings = []
    for room in ROOMS + ["instrument", "liveness", "report"]:
        for folder, _, files in os.walk(os.path.join(root, room)):
            for file in sorted(files):
                path = os.path.join(folder, file)
                if file.endswith((".cpp", ".hpp")):
                    with open(path, encoding="utf-8") as source:
                        text = source.read()
                    findings += ["%s says \"%s\"" % (os.path.relpath(path, root), words) for words in REFUSALS if words in text]
    return findings


def document(symbols, every, expected, notes):
    absent = sorted(name for name in expected if name not in every)
    count = {"done": 0, "differs": 0, "not applicable": len(absent)}
    sections = ""
    for header, names in symbols.items():
        if not names:
            continue
        sections += "\n## `<%s>`\n\n| Name | Kind | Overloads | State | How |\n|---|---|---:|---|---|\n" % header
        for name in sorted(names):
            kind, overloads = names[name]
            state, how = notes.get(name, ("done", ""))
            count[state] += 1
            number = str(overloads) if kind in ("function", "member", "constructor") else ""
            sections += "| `%s` | %s | %s | %s | %s |\n" % (name.replace("|", "\\|"), kind, number, state, how)
    if absent:
        sections += "\n## Names that are not declared\n\n| Name | State | Why |\n|---|---|---|\n"
        for name in absent:
            sections += "| `%s` | %s | %s |\n" % ((name,) + notes.get(name, ("missing", "")))
    return ("# Compatibility with Poplar\n\n<!-- generated by: tests/meta/compat/Compatibility.py -->\n\n"
            "Every public name of the headers: *done* (it does what a Poplar user expects), *differs* (and how), *not applicable* "
            "(it needs hardware, or no public program uses it; and why). A test compares this table with the headers and with the list of "
            "names that programs may use; a name of that list which is neither declared nor explained fails it. The profile library has its own page: [PVA.md](PVA.md).\n\n"
            "%d done, %d differ, %d not applicable.\n" % (count["done"], count["differs"], count["not applicable"]) + sections)


def main(arguments):
    update = arguments[0] == "--update"
    root, listSymbols = arguments[1:] if update else arguments
    notes, findings = readNotes(os.path.join(HERE, "notes.tsv"))
    expected = sorted(set(rows(os.path.join(HERE, "expected.txt"))))
    symbols, bases = declared(root, listSymbols)
    every = withInherited({name for names in symbols.values() for name in names}, bases)
    findings += check(every, expected, notes) + refusals(root)
    text, path = document(symbols, every, expected, notes), os.path.join(root, DOCUMENT)
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
