"""OnePlace.py ROOT: checks operations that only one file may contain.

Only base/WholeFile.cpp creates files: with an unpredictable name, never through a link, and either complete or not at all. Only
base/JsonText.cpp parses JSON: it limits the nesting, and no text of the library's exceptions reaches a user. The rules hold for the
product, not for its tests and examples. An allowance that nothing uses is a finding, too. Prints one line per finding: file:line, the
line. Exits with 1 if there are findings, otherwise with 0.
"""

import re
import sys

import Allowances
from MachineFacts import withoutComments

# (pattern, the one place, what to do)
RULES = (
    (re.compile(r"\bo?fstream\s+\w+\s*[({;=]|\bofstream\s*\(|\bfopen\s*\(|\bO_CREAT\b|\bcreat\s*\(|\bmkstemp\b"
                r"|\bfilebuf\b"),
     "base/WholeFile.cpp", "makes a file; base/WholeFile.hpp does that"),
    (re.compile(r"\b(?:std|fs|filesystem)::rename\s*\(|::rename\s*\(|(?<![\w.>])renameat2?\s*\("),
     "base/WholeFile.cpp", "renames a file; base/WholeFile.hpp puts a file in its place"),
    (re.compile(r"\b(?:[jJ]son|ordered_json|basic_json)::(?:sax_)?parse\s*\(|\b[jJ]son::accept\s*\("),
     "base/JsonText.cpp", "parses JSON; base/JsonText.hpp does that"),
    (re.compile(r"catch \(const (?:\w+::)*(?:[jJ]son|ordered_json|nlohmann|detail)::\w+ &\w+\)"),
     None, "the words of the JSON library are not for users: catch it without a name, or use JsonError"),
)
NOT_THE_PRODUCT = ("tests/", "bench/", "examples/")
# (file, part of the line, why)
ALLOWED = ()


def findingsIn(path):
    def ofText(text):
        text = withoutComments(text)
        found = []
        for pattern, place, what in RULES:
            if path != place:
                found += [(text.count("\n", 0, match.start()) + 1, what) for match in pattern.finditer(text)]
        return sorted(found)
    return ofText


def check(root, allowed=ALLOWED):
    current = [""]

    def holds(path):
        current[0] = path
        return not path.startswith(NOT_THE_PRODUCT)
    return Allowances.check(root, holds, lambda text: findingsIn(current[0])(text), allowed)


def main(arguments):
    return Allowances.report(*check(arguments[1]))


if __name__ == "__main__":
    sys.exit(main(sys.argv))
