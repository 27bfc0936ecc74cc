"""PvaFields.py [--update] ROOT LIST_SYMBOLS PYTHON: checks that docs/PVA.md states, for every member of pva, the evidence and whether it
works.

pva.tsv is written by hand: the members that the public evidence about libpva names, each with its evidence and its name in C++ and in
Python ("-" = absent, and the note says why). LIST_SYMBOLS (ListSymbols.cpp) lists the declarations of the headers; dir() of the classes of
package pva lists those of Python. A declared member that is not in pva.tsv is an extension and must exist in both languages. A member that
a public client uses must be read by the two programs that compare the languages line by line, or by the tests of traces (COMPARED). With
--update, writes the document; without it, the document must be up to date. Exits with 1 if there are findings, otherwise with 0.
"""

import enum
import importlib
import inspect
import os
import re
import subprocess
import sys

from Compatibility import HINT, rows

HERE = os.path.dirname(os.path.abspath(__file__))
DOCUMENT = "docs/PVA.md"
EVIDENCE = {"C": "client", "D": "documented", "J": "older format", "K": "name only"}
COMPARED = (("tests/package/python/PvaDump.cpp", "tests/unit/report/TraceTest.cpp"),
            ("python/tests/AgreementTest.py", "python/tests/TraceTest.py"))
# General differences between C++ and Python: containers, construction, operators, C++ names that Python spells differently.
CPP_ONLY = {"List", "Values", "ProgramList", "detail", "programTypeName", "Variable::operator==", "Variable::operator!="}
PYTHON_ONLY = {"ProfileError", "pva_core"}


def headers(folder):
    return ["pva/" + name for name in sorted(os.listdir(os.path.join(folder, "pva"))) if name.endswith(".hpp")]


def declared(root, listSymbols):
    """Returns the names in namespace pva -> kind, including those that classes inherit."""
    folder = os.path.join(root, "report", "include")
    text = subprocess.run([listSymbols, folder] + headers(folder) + ["--", "-x", "c++", "-std=c++17", "-I" + folder], check=True,
                          stdout=subprocess.PIPE, universal_newlines=True).stdout
    names, bases = {}, []
    for line in text.splitlines():
        _, kind, name, rest = line.split("\t")
        if kind == "base":
            bases.append((name, rest))
        elif name.startswith("pva::"):
            names[name[len("pva::"):]] = kind
    for _ in bases:  # at most as often as the deepest chain of bases
        for derived, base in ((d.replace("pva::", ""), b.replace("pva::", "")) for d, b in bases):
            for name, kind in list(names.items()):
                if name.startswith(base + "::") and kind != "constructor" and not name.startswith(base + "::Type"):
                    names.setdefault(derived + name[len(base):], kind)
    return names


def pythonNames(package):
    """Returns the classes, functions and members of the package, including inherited ones."""
    names = set()

    def addClass(name, class_):
        names.add(name)
        for member in dir(class_):
            value = inspect.getattr_static(class_, member, None)
            if member.startswith("_") and member != "_id":
                continue
            if inspect.isclass(value):
                if member in vars(class_):
                    addClass(name + "." + member, value)
            elif not (issubclass(class_, tuple) and hasattr(tuple, member)) and not hasattr(enum.Enum, member):
                names.add(name + "." + member)

    for name in package.__all__:
        value = getattr(package, name)
        if inspect.isclass(value) and not issubclass(value, Exception):
            addClass(name, value)
        elif callable(value):
            names.add(name)
    return names


def readTable(path):
    table, findings = [], []
    for row in rows(path):
        cells = row.split("\t")
        if len(cells) != 5 or cells[1] not in EVIDENCE:
            findings.append("pva.tsv: a row is NAME, EVIDENCE (%s), C++, PYTHON, NOTE: %s" % (", ".join(EVIDENCE), row))
        elif any(cells[0] == known[0] for known in table):
            findings.append("pva.tsv: %s has two rows" % cells[0])
        else:
            table.append(cells)
    return table, findings


def compared(texts, cpp, python):
    """Returns whether the programs that compare the languages read the member."""
    last = cpp.rsplit("::", 1)[-1], python.rsplit(".", 1)[-1]
    if last[0][:1].isupper() or "::" not in cpp:  # a class, an enumerator or a function of the module
        return True
    return all(re.search(r"\b%s\b" % re.escape(name), text) for name, text in zip(last, texts))


def check(table, cppNames, pyNames, texts):
    findings = []
    for name, evidence, cpp, python, note in table:
        for language, there, known in (("C++", cpp, cppNames), ("Python", python, pyNames)):
            if there == "-" and not note:
                findings.append("pva.tsv: %s is absent in %s and the note does not say why" % (name, language))
            elif there == "-" and (name.replace(".", "::") if language == "C++" else name) in known:
                findings.append("pva.tsv: %s is said to be absent in %s, and is there" % (name, language))
            elif there != "-" and there not in known:
                findings.append("pva.tsv: %s is said to be %s in %s, which is not there" % (name, there, language))
        if evidence == "C" and cpp != "-" and python != "-" and not compared(texts, cpp, python):
            findings.append("%s is used by public clients, and %s do not both read it" % (name, " and ".join("/".join(paths) for paths in COMPARED)))
    return findings


def extensions(table, cppNames, pyNames):
    """Returns (name, C++, Python) of the members that are not in the table."""
    usedCpp, usedPy = {row[2] for row in table}, {row[3] for row in table}

    def dotted(name):
        return name.replace("::", ".")

    cpp = {dotted(n): n for n, kind in cppNames.items() if n not in usedCpp and kind not in ("constructor", "type") and
           n.split("::")[0] not in CPP_ONLY and n not in CPP_ONLY and "operator" not in n and "~" not in n}
    python = {n: n for n in pyNames if n not in usedPy and n.split(".")[0] not in PYTHON_ONLY}
    holders = {row[0].rsplit(".", 1)[0] for row in table}  # classes are listed for their members
    return [(n, cpp.get(n, "-"), python.get(n, "-")) for n in sorted((set(cpp) | set(python)) - holders)]


def inherited(name, all_):
    """Returns whether the class of the member inherits it from another class of the list."""
    head, _, member = name.rpartition(".")
    return head.endswith("Program") and head != "Program" and any(base + "." + member in all_ for base in ("ExchangeProgram", "Program")
                                                                  if base != head)


def document(table, extra):
    both = sum(1 for row in table if row[2] != "-" and row[3] != "-")
    clients = [row for row in table if row[1] == "C"]
    used = sum(1 for row in clients if row[2] != "-" and row[3] != "-")
    text = ("# pva: every member and its state\n\n<!-- generated by: tests/meta/compat/PvaFields.py -->\n\n"
            "This page lists every member of libpva that a public source names.\n\n"
            "| Evidence | Meaning |\n|---|---|\n| client | a public program uses the member |\n| documented | public documentation describes the member |\n"
            "| older format | the JSON profiles of SDK 1 have a field of this name |\n| name only | only the name of the member is public |\n\n"
            "The columns *C++* and *Python* contain *yes* if the member exists in the language, *no* if it is absent, or the name of the member in this language.\n"
            "A test compares the table with the C++ headers and with the Python package. Another test reads whole profiles in C++ and in Python, and\n"
            "compares the values of every member that a client uses.\n\n"
            "The table has %d members, and %d of these members exist in both languages. Public clients use %d members; Popscope has %d of the members that clients\n"
            "use. Popscope also has %d extensions.\n\n"
            "| Member | Evidence | C++ | Python | Note |\n|---|---|---|---|---|\n" % (len(table), both, len(clients), used, len(extra)))
    for name, evidence, cpp, python, note in table:
        shown = ["no" if there == "-" else "yes" if there in (name, name.replace(".", "::")) else "`%s`" % there.rsplit(sep, 1)[-1]
                 for there, sep in ((cpp, "::"), (python, "."))]
        text += "| `%s` | %s | %s | %s | %s |\n" % (name, EVIDENCE[evidence], *shown, note)
    text += "\n## Extensions\n\nOnly Popscope has these members.\n\n| Name | C++ | Python |\n|---|---|---|\n"
    for name, cpp, python in extra:
        text += "| `%s` | %s | %s |\n" % (name, *("no" if there == "-" else "yes" for there in (cpp, python)))
    return text


def main(arguments):
    update = arguments[0] == "--update"
    root, listSymbols, packages = arguments[1:] if update else arguments
    sys.path.insert(0, packages)
    table, findings = readTable(os.path.join(HERE, "pva.tsv"))
    cppNames, pyNames = declared(root, listSymbols), pythonNames(importlib.import_module("pva"))
    texts = ["".join(open(os.path.join(root, path), encoding="utf-8").read() for path in paths) for paths in COMPARED]
    findings += check(table, cppNames, pyNames, texts)
    extra = extensions(table, cppNames, pyNames)
    names = {row[0] for row in extra} | {row[0] for row in table}
    extra = [row for row in extra if not inherited(row[0], names)]
    oneSided = {row for row in rows(os.path.join(HERE, "pva_one_language.txt"))}
    findings += ["%s is an extension in %s alone; add it to the other language or to pva_one_language.txt" %
                 (n, "Python" if cpp == "-" else "C++") for n, cpp, py in extra if "-" in (cpp, py) and n not in oneSided]
    findings += ["pva_one_language.txt: %s is in both languages or in none" % n for n in sorted(oneSided)
                 if not any(n == row[0] and "-" in row for row in extra)]
    text, path = document(table, extra), os.path.join(root, DOCUMENT)
    if update:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    elif not os.path.isfile(path) or open(path, encoding="utf-8").read() != text:
        findings.append("%s is not what the headers and the package say%s" % (DOCUMENT, HINT))
    for finding in findings:
        print("pva fields: " + finding)
    print("pva fields: %d members, %d extensions, %d findings" % (len(table), len(extra), len(findings)))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
