"""Signatures.py ROOT COMPILER [FILE]: checks that every name of FILE exists in the public host headers, with the given signature.

FILE (PoplarSignatures.txt) lists names and signatures that public programs compile against, and the overloads that the published pages
of the 3.x releases list, one per line:
  T type   S function or static member : type   M member function : type   C class : constructor's arguments
  F data member   E enumerator   V variable   U an expression that compiles, for templates and lists in braces
One program that uses them all is compiled as C++17. Exits with 1 if there are findings, otherwise with 0.
"""

import os
import re
import subprocess
import sys

import PublicHeaders

# Headers of codelets, whose names would clash with those of a host program.
DEVICE = {"Vertex", "HalfFloat", "IeeeHalf", "VectorTypes", "VectorListTypes", "InOutTypes", "FieldTypes", "Alignment",
          "Loops", "StackSizeDefs", "TileConstants", "TileRegisters", "QuarterFloat"}
FOUND = re.compile(r"^SIGNATURES:(\d+):.*?error: (.*)$", re.MULTILINE)


def splitType(signature):
    """Splits "R (A) const" into ("R", "(A) const") at the first parenthesis outside <>."""
    depth = 0
    for at, c in enumerate(signature):
        depth += (c == "<") - (c == ">")
        if c == "(" and depth == 0:
            return signature[:at].strip(), signature[at:].replace(" noexcept", "")
    raise ValueError("no parameter list in " + signature)


def statement(line):
    kind, rest = line.split(" ", 1)
    name, _, signature = rest.partition(" : ")
    name = name.strip()
    if kind == "U":
        return "(void)sizeof(((void)(%s), 0));" % rest
    if kind == "T":
        return "using Use = %s;" % name
    if kind in "FEV":
        return "(void)&%s;" % name if kind != "E" else "(void)%s;" % name
    if kind == "C":
        arguments = ", " + signature if signature.strip() else ""
        return 'static_assert(std::is_constructible<%s%s>::value, "");' % (name, arguments)
    result, parameters = splitType(signature)
    scope = name.rsplit("::", 1)[0] + "::" if kind == "M" else ""
    return "auto use = static_cast<%s (%s*)%s>(&%s); (void)use;" % (result, scope, parameters, name)


def program(root, lines):
    names = [name for _, name in PublicHeaders.publicHeaders(root) if name.startswith("poplar/") and name.endswith(".hpp")]
    text = ["#include <%s>" % n for n in names if os.path.basename(n)[:-len(".hpp")] not in DEVICE]
    text.append("namespace poplar { using namespace program;")
    for number, line in enumerate(lines, 1):
        text.append("inline void use%d() {\n#line %d \"SIGNATURES\"\n%s }" % (number, number, statement(line)))
    return "\n".join(text + ["}", ""])


def check(root, compiler, lines):
    command = [compiler, "-x", "c++", "-std=c++17", "-fsyntax-only", "-w", "-"]
    command += ["-fmax-errors=0"] if "clang" not in os.path.basename(compiler) else ["-ferror-limit=0"]
    for folder in sorted({folder for folder, _ in PublicHeaders.publicHeaders(root)}):
        command += ["-I", folder]
    result = subprocess.run(command, input=program(root, lines), capture_output=True, text=True, errors="replace", check=False)
    findings = {}
    for number, message in FOUND.findall(result.stderr):
        findings.setdefault(int(number), message)
    if result.returncode != 0 and not findings:
        return ["the headers do not compile together: " + result.stderr[:1000]]
    return ["%s: %s" % (lines[number - 1], message) for number, message in sorted(findings.items())]


def main():
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    path = sys.argv[3] if len(sys.argv) > 3 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "PoplarSignatures.txt")
    with open(path, encoding="utf-8") as file:
        lines = [line for line in file.read().splitlines() if line.strip()]
    findings = check(sys.argv[1], sys.argv[2], lines)
    for finding in findings:
        print(finding)
    print("%d signatures, %d findings" % (len(lines), len(findings)))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
