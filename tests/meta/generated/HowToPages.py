"""HowToPages.py ROOT BIN: checks that the commands of docs/howto work as they are written.

Runs each line of a ```sh block that starts `popscope`, in a folder with the files that the pages assume: ./program (a small program of
the tutorial), its profile under the names that the pages use, budget.json, machine.json and changes.json. A command may exit with 0, or
with 1 if it compares with a limit. Exits with 1 if there are findings.
"""

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

import TutorialPages

BLOCK = re.compile(r"^ *```sh\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
PROFILES = ("profile.pop", "yesterday.pop", "today.pop", "FILE")
MAY_END_WITH_ONE = re.compile(r"--fail-on|popscope check")
OPENS_A_WINDOW = re.compile(r"popscope view")
PROGRAM, PROGRAM_OF = "tutorial_uneven", {"does-not-fit.md": "overfull"}  # overfull exits with 1
FILES = {"budget.json": '{"limits": {"tilesOutOfMemory": {"max": 0}}}\n',
         "machine.json": '{"base": "ipu2", "name": "half the tiles", "tilesPerIpu": 736}\n'}


def commandsOf(page):
    """Returns the lines of a page that run popscope, without comments."""
    lines = [line.strip() for block in BLOCK.findall(page) for line in block.split("\n")]
    commands = [re.sub(r" {2,}#.*| #.*", "", line) for line in lines if re.match(r"(?:[A-Z_]+=\S+ )*popscope ", line)]
    return [command for command in commands if not OPENS_A_WINDOW.search(command)]


def prepare(folder, program, binaries, environment):
    shutil.copy(os.path.join(binaries, program), os.path.join(folder, "program"))
    for name, text in FILES.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    options = dict(environment, POPLAR_ENGINE_OPTIONS='{"autoReport.all":"true","popscope.tryAdvice":"48"}')
    subprocess.run(["./program"], cwd=folder, env=options, check=program == PROGRAM, stdout=subprocess.DEVNULL)
    for name in PROFILES[1:]:
        shutil.copy(os.path.join(folder, PROFILES[0]), os.path.join(folder, name))
    os.mkdir(os.path.join(folder, "folder"))
    shutil.copy(os.path.join(folder, PROFILES[0]), os.path.join(folder, "folder"))


def wrong(command, program, folder, environment):
    """Returns what is wrong with a command; "" if nothing is."""
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, universal_newlines=True, timeout=600)
    allowed = (0, 1) if program != PROGRAM or MAY_END_WITH_ONE.search(command) else (0,)
    return "" if done.returncode in allowed else "`%s` ends with %d: %s" % (command, done.returncode, done.stdout[-300:])


def check(root, binaries):
    findings, environment = [], TutorialPages.environmentFor(root, binaries)
    pages = sorted(glob.glob(os.path.join(root, "docs", "howto", "*.md")))
    for path in pages:
        with open(path, encoding="utf-8") as file:
            commands = commandsOf(file.read())
        if commands:
            program = PROGRAM_OF.get(os.path.basename(path), PROGRAM)
            with tempfile.TemporaryDirectory() as folder:
                prepare(folder, program, binaries, environment)
                found = [wrong(command, program, folder, environment) for command in commands]
            findings += ["%s: %s" % (os.path.relpath(path, root), text) for text in found if text]
    return findings if pages else ["docs/howto: no pages"]


def main(arguments):
    if len(arguments) != 3 or not all(os.path.isdir(place) for place in arguments[1:]):
        print("usage: HowToPages.py ROOT BIN", file=sys.stderr)
        return 2
    findings = check(arguments[1], os.path.abspath(arguments[2]))
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
