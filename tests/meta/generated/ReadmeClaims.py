"""ReadmeClaims.py ROOT [BIN]: checks the claims of README.md, docs/COMMANDS.md and docs/ENVIRONMENT.md about tools, options, variables,
presets, examples and documents.

Compares sub-commands of `popscope` and flags in the table of tools with their --help; engine options and defaults with `popscope options
--json`; environment variables with those that sources read; presets with CMakePresets.json; folders of examples/ and pages of docs/ with
those that exist. Without BIN it runs no tool. Exits with 1 if there are findings, otherwise with 0.
"""

import glob
import json
import os
import re
import subprocess
import sys

ROOMS = ["base", "target-models", "graph", "engine", "report", "instrument", "liveness"]
READS = re.compile(r'"((?:POPLAR|POPSCOPE|PVTI)_[A-Z_]+|NO_COLOR|CLICOLOR(?:_FORCE)?)"')
TOOLS = ("popscope", "profile_summary", "popc")
PAGES = ("README.md", "docs/COMMANDS.md", "docs/ENVIRONMENT.md")


def differences(what, readme, program):
    return ["%s: %s is in none of %s" % (what, name, ", ".join(PAGES)) for name in sorted(set(program) - set(readme))] + \
           ["%s: a page has %s, which does not exist" % (what, name) for name in sorted(set(readme) - set(program))]


def table(text, head):
    """Returns the rows of the table whose first heading is `head`, as lists of cells."""
    rows = re.search(r"^\| %s \|.*\n\|-.*\n((?:\|.*\n)+)" % head, text, re.MULTILINE)
    return [re.split(r"\s*\|\s*", row[1:].strip()) for row in rows[1].splitlines()] if rows else []


def flagTable(text):
    """Returns the flags of the table "Flags of each command", and {command: cells}."""
    found = re.search(r"^\| \| (`-n` .*)\|\n\|-.*\n((?:\| `.*\n)+)", text, re.MULTILINE) or ["", "", ""]
    cells = [[cell.strip(" `") for cell in row.strip("|").split("|")] for row in found[2].splitlines()]
    return [flag.strip(" `") for flag in found[1].split("|")], {row[0]: row[1:] for row in cells}


def files(root, text):
    """Returns findings that need no tool."""
    variables = {name for row in table(text, "Variable") for name in re.findall(r"`([A-Z_]+)`", row[0])}
    variables |= set(re.findall(r"^export ([A-Z_]+)=", text, re.MULTILINE))
    read = set()
    for room in ROOMS:
        for path in glob.glob(os.path.join(root, room, "**", "*.[ch]pp"), recursive=True):
            with open(path, encoding="utf-8") as source:
                read |= set(READS.findall(source.read()))
    findings = differences("variable", variables, read)
    with open(os.path.join(root, "CMakePresets.json"), encoding="utf-8") as presets:
        names = [preset["name"] for preset in json.load(presets)["workflowPresets"]]
    sentence = re.search(r"The presets are ([^.]*)\.", text)
    findings += differences("preset", re.findall(r"`([\w-]+)`", sentence[1]) if sentence else [], names)
    folders = [os.path.basename(path) for path in glob.glob(os.path.join(root, "examples", "*")) if os.path.isdir(path)]
    findings += differences("example", re.findall(r"\]\(examples/(\w+)\)", text), folders)
    pages = [os.path.basename(path) for path in glob.glob(os.path.join(root, "docs", "*.md"))]
    return findings + differences("page", re.findall(r"\]\(docs/([\w-]+\.md)\)", text), pages)


def shown(value):
    """Returns a default as the pages write it: true, 2, or the text itself."""
    return value if isinstance(value, str) else json.dumps(value)


def flagsOf(help):
    return set(re.findall(r"(?<![\w-])--[a-z][\w-]*", help)) | {"--help"}


def tools(text, ask):
    """Returns findings that need a tool. ask(words) returns the output of a tool."""
    rows = table(text, "Program")
    named = {name for row in rows for name in re.findall(r"`popscope ([a-z][a-z-]*)", row[0])}
    subcommands = set(re.findall(r"^  ([\w-]+) {2,}\S", ask(["popscope", "--help"]).split("Subcommands:")[-1], re.MULTILINE))
    findings = differences("sub-command", named, subcommands)
    for row in rows:
        for name in re.findall(r"`((?:popscope [a-z][a-z-]*)|profile_summary|popc)", row[0]):
            asked = name.split()
            if asked[-1] not in subcommands | set(TOOLS):
                continue
            missing = flagsOf(" ".join(row)) - flagsOf(ask(asked + ["--help"]))
            findings += ["%s has no option %s" % (name, flag) for flag in sorted(missing)]
    flags, marks = flagTable(text)
    json_ = [name for name in subcommands if "--json" in flagsOf(ask(["popscope", name, "--help"]))]
    described = {name for row in rows if "--json" in row[1] for name in re.findall(r"`popscope ([a-z][a-z-]*)", row[0])}
    described |= {name for name, row in marks.items() if "--json" in flags and row[flags.index("--json")] == "x"}
    findings += differences("--json of", described, json_)
    for tool in TOOLS:
        if ("`%s`" % tool in (re.search(r"([^.\n]*) prints? (?:its|their) manual page", text) or [""])[0]) != (".TH " in ask([tool, "--man"])):
            findings.append("--man of %s: not as the page says" % tool)
    known = {option["key"]: option["default"] for option in json.loads(ask(["popscope", "options", "--json"]))["tables"]["options"]["rows"]}
    for cells in table(text, "Option"):
        key, default = cells[0].strip("`"), cells[1].strip("`")
        if key not in known or shown(known[key]) != default:
            findings.append("option %s: the page says default '%s', the program '%s'" % (key, default, known.get(key)))
    return findings


def main(root, binaries=None):
    text = ""
    for page in PAGES:
        with open(os.path.join(root, page), encoding="utf-8") as file:
            text += file.read() + "\n"
    findings = files(root, text)
    if binaries:
        findings += tools(text, lambda words: subprocess.run([os.path.join(binaries, words[0])] + words[1:], stdout=subprocess.PIPE,
                                                             stderr=subprocess.DEVNULL, universal_newlines=True).stdout)
    for finding in findings:
        print("readme: " + finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
