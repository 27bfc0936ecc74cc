"""ToolsPage.py [--update] ROOT: checks that docs/TOOLS.md and docs/TOOLS-repair.md show the output of tests/golden/examples/tools.sh.

Each block of the two pages that begins with "$ " is a command of tests/golden/examples/tools.txt with its complete output, and the pages
have all commands in their order. With --update, fills in the blocks again. Exits with 1 if there are findings, otherwise with 0.
"""

import os
import re
import sys

PAGES, SESSION = ("docs/TOOLS.md", "docs/TOOLS-repair.md"), "tests/golden/examples/tools.txt"
BLOCK = re.compile(r"^```text\n(\$ .*?)^```$", re.MULTILINE | re.DOTALL)


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


def commandsOf(session):
    """Returns [(command line, the command line with its output)]."""
    parts = re.split(r"^(?=\$ )", session, flags=re.MULTILINE)
    return [(part.split("\n")[0], part.rstrip("\n") + "\n") for part in parts if part]


def findings(page, session):
    commands = commandsOf(session)
    blocks = [match[1] for match in BLOCK.finditer(page)]
    found = []
    for block in blocks:
        line = block.split("\n")[0]
        known = dict(commands).get(line)
        if known is None:
            found.append("no command of the session: %s" % line)
        elif known != block:
            found.append("does not show what is printed by: %s" % line)
    if not found and [block.split("\n")[0] for block in blocks] != [line for line, _ in commands]:
        found.append("has not all commands of the session in their order")
    return found


def updated(page, session):
    texts = dict(commandsOf(session))
    return BLOCK.sub(lambda match: "```text\n" + texts.get(match[1].split("\n")[0], match[1]) + "```", page)


def main(arguments):
    update = arguments[1:2] == ["--update"]
    places = arguments[2:] if update else arguments[1:]
    if len(places) != 1 or not os.path.isdir(places[0]):
        print("usage: ToolsPage.py [--update] ROOT", file=sys.stderr)
        return 2
    pages, session = [read(places[0], page) for page in PAGES], read(places[0], SESSION)
    if update:
        pages = [updated(page, session) for page in pages]
        for place, page in zip(PAGES, pages):
            with open(os.path.join(places[0], place), "w", encoding="utf-8") as file:
                file.write(page)
    found = findings("".join(pages), session)
    for finding in found:
        print("%s: %s; run tests/golden/update.py and scripts/update-docs.sh" % (" and ".join(PAGES), finding))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
