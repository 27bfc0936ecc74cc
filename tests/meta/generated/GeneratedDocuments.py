"""GeneratedDocuments.py [--update] ROOT BIN: checks that the generated parts of documents are what the programs print now.

docs/OPTIONS.md is `popscope options --markdown`, docs/FORMAT-pop.md is `popscope schema --markdown`, and the viewer's tables are
`popscope schema --typescript`. The summary in README.md is the abridged output of the program of README.md (BIN/first_steps): the
sections of SHOWN, with a line "..." for omitted lines between two sections. With --update, writes the documents. Exits with 1 if
there are findings, otherwise with 0.
"""

import os
import subprocess
import sys

MADE = {"docs/OPTIONS.md": ["popscope", "options", "--markdown"],
        "docs/FORMAT-pop.md": ["popscope", "schema", "--markdown"],
        "report/viewer/src/data/schema.ts": ["popscope", "schema", "--typescript"]}
BEGIN, END = "<!-- summary:begin -->\n", "<!-- summary:end -->"
# First line of each section that README.md shows, and the first line after it (None: the end).
SHOWN = [("    Maximum (Including Gaps)", "Execution:"),
         ("Execution:", "Steps")]  # the last such lines
HINT = "; run scripts/update-docs.sh"


def run(binaries, command):
    environment = {k: v for k, v in os.environ.items()
                   if k not in ("CLICOLOR", "CLICOLOR_FORCE", "POPLAR_ENGINE_OPTIONS")}
    path = os.path.join(binaries, command[0])
    return subprocess.run([path] + command[1:], check=True, stdout=subprocess.PIPE, env=environment,
                          universal_newlines=True).stdout


def read(path):
    if not os.path.isfile(path):
        return ""
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def starts(lines, start):
    return [i for i, line in enumerate(lines) if line.startswith(start)]


def abridge(output):
    """Returns the sections of SHOWN; "..." precedes a section if lines were omitted."""
    lines = output.rstrip("\n").split("\n")
    result, shownTo = [], 0
    for first, after in SHOWN:
        begins = starts(lines, first)
        if not begins:
            raise ValueError("the summary has no line that starts with '%s'" % first)
        begin = begins[-1]
        ends = [i for i in starts(lines, after) if i > begin] if after else []
        end = ends[0] if ends else len(lines)
        if begin > shownTo:
            result.append("...")
        result += lines[begin:end]
        shownTo = end
    return result + (["..."] if shownTo < len(lines) else [])


def splitReadme(text):
    """Returns the text before, inside and after the summary's markers."""
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(BEGIN) > text.index(END):
        raise ValueError("README.md: needs one %s before one %s" % (BEGIN.strip(), END))
    begin, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    return text[:begin], text[begin:end], text[end:]


def block(lines):
    return "```text\n" + "\n".join(lines) + "\n```\n"


def summaryFindings(shown, output):
    """Returns the first line of README.md's summary that the program does not print."""
    real = block(abridge(output))
    if shown == real:
        return []
    pairs = zip(shown.split("\n") + ["(end)"], real.split("\n") + ["(end)"])
    old, new = next((pair for pair in pairs if pair[0] != pair[1]), ("(end)", "(end)"))
    return ["README.md: the summary has the line '%s' where the program's has '%s'%s" % (old, new, HINT)]


def check(root, binaries, update):
    findings = []
    for path, command in MADE.items():
        text = run(binaries, command)
        full = os.path.join(root, path)
        if update:
            write(full, text)
        elif read(full) != text:
            findings.append("%s: does not say what `%s` prints%s" % (path, " ".join(command), HINT))
    output = run(binaries, ["first_steps"])
    readme = os.path.join(root, "README.md")
    before, shown, after = splitReadme(read(readme))
    if update:
        shown = block(abridge(output))
        write(readme, before + shown + after)
    return findings + summaryFindings(shown, output)


def main(arguments):
    update = arguments[1:2] == ["--update"]
    places = arguments[2:] if update else arguments[1:]
    if len(places) != 2 or not all(os.path.isdir(p) for p in places):
        print("usage: GeneratedDocuments.py [--update] ROOT BIN", file=sys.stderr)
        return 2
    try:
        findings = check(places[0], places[1], update)
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        findings = [str(error)]
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
