"""TutorialPages.py [--update] ROOT BIN: checks that the pages of docs/start show the output of their commands.

Each ```console block has commands (lines that begin with "$ "), each followed by its output. All commands of a page run in one new folder,
in order, with BIN first in PATH and 90 columns. A command that must fail ends with "; echo $?". A block of any language that follows a line
"File `NAME`:" is saved as NAME in that folder. With --update, fills in the blocks again. Exits with 1 if there are findings.
"""

import glob
import os
import re
import subprocess
import sys
import tempfile

CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PARTS = re.compile(r"^File `([\w./-]+)`:\n\n```\w+\n(.*?)^```$|^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CLEARED = ("CLICOLOR", "CLICOLOR_FORCE", "NO_COLOR", "POPLAR_ENGINE_OPTIONS", "POPSCOPE_MACHINE", "POPSCOPE_CONFIG")


def commandsOf(block):
    """Returns the command lines of a console block."""
    return [line[2:] for line in block.split("\n") if line.startswith("$ ")]


def environmentFor(root, binaries):
    environment = {name: value for name, value in os.environ.items() if name not in CLEARED}
    library = os.path.join(os.path.dirname(os.path.abspath(binaries)), "lib")
    environment.update(PATH=os.pathsep.join([os.path.abspath(binaries), os.path.dirname(sys.executable), os.environ["PATH"]]), COLUMNS="90", LC_ALL="C.UTF-8",
                       PYTHONPATH=os.path.join(os.path.dirname(library), "python"), PYTHONDONTWRITEBYTECODE="1", LD_LIBRARY_PATH=library, EXAMPLES=os.path.join(os.path.abspath(root), "examples"))
    return environment


def rerun(page, environment):
    """Returns the text of a page with the current output of the commands in every console block."""
    with tempfile.TemporaryDirectory() as folder:
        def part(match):
            name, contents, block = match.groups()
            if name:
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(contents)
                return match[0]
            text = ""
            for command in commandsOf(block):
                done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True, timeout=600)
                if done.returncode:
                    raise ValueError("`%s` ends with %d: %s" % (command, done.returncode, done.stdout[-500:]))
                text += "$ %s\n%s" % (command, re.sub(r"[ \t]+$", "", done.stdout, flags=re.MULTILINE))
                text += "" if text.endswith("\n") else "\n"
            return "```console\n%s```" % text
        return PARTS.sub(part, page)


def firstDifference(old, new):
    pairs = zip(old.split("\n") + ["(end)"], new.split("\n") + ["(end)"])
    return next((pair for pair in pairs if pair[0] != pair[1]), ("(end)", "(end)"))


def check(root, binaries, update):
    environment, findings = environmentFor(root, binaries), []
    pages = sorted(glob.glob(os.path.join(root, "docs", "start", "*.md")))
    if not pages:
        findings.append("docs/start: no pages")
    for path in pages:
        name = os.path.relpath(path, root)
        with open(path, encoding="utf-8") as file:
            old = file.read()
        try:
            new = rerun(old, environment)
        except (ValueError, subprocess.TimeoutExpired) as error:
            findings.append("%s: %s" % (name, error))
            continue
        if update and new != old:
            with open(path, "w", encoding="utf-8") as file:
                file.write(new)
        elif new != old:
            findings.append("%s: has the line '%s' where the program prints '%s'; run scripts/update-docs.sh"
                            % ((name,) + firstDifference(old, new)))
    return findings


def main(arguments):
    update = arguments[1:2] == ["--update"]
    places = arguments[2:] if update else arguments[1:]
    if len(places) != 2 or not all(os.path.isdir(place) for place in places):
        print("usage: TutorialPages.py [--update] ROOT BIN", file=sys.stderr)
        return 2
    findings = check(places[0], places[1], update)
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
