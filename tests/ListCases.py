"""ListCases.py PROGRAM NAME FOLDER LABEL TIMEOUT OUT: writes OUT, which adds a ctest test "NAME:CASE" for each case of a doctest program.

doctest's own CMake script has two faults that this script avoids: here, a name may contain ';', and a filter that matches no case fails.
Exits with 1 if the program lists no case, or one name twice.
"""

import subprocess
import sys


def bracket(text):
    """Returns any text as one argument of CMake."""
    equals = "="
    while "]%s]" % equals in text:
        equals += "="
    return "[%s[%s]%s]" % (equals, text, equals)


def casesOf(listing):
    return [line for line in listing.splitlines() if line and not line.startswith(("[doctest]", "====="))]


def testsOf(cases, program, name, folder, label, timeout):
    lines = []
    for case in cases:
        test = bracket("%s:%s" % (name, case))
        lines.append("add_test(%s %s %s)" % (test, bracket(program), bracket("--test-case=" + case.replace(",", "\\,"))))
        lines.append("set_tests_properties(%s PROPERTIES WORKING_DIRECTORY %s LABELS %s TIMEOUT %s FAIL_REGULAR_EXPRESSION "
                     "\"test cases: *0 \")" % (test, bracket(folder), label, timeout))
    return "\n".join(lines) + "\n"


def main(program, name, folder, label, timeout, out):
    cases = casesOf(subprocess.run([program, "--list-test-cases"], cwd=folder, check=True, capture_output=True,
                                   text=True).stdout)
    if not cases or len(set(cases)) != len(cases):
        twice = sorted(case for case in set(cases) if cases.count(case) > 1)
        print("%s: %s" % (program, "two cases are called \"%s\"" % twice[0] if twice else "no cases"))
        return 1
    with open(out, "w", encoding="utf-8") as file:
        file.write(testsOf(cases, program, name, folder, label, timeout))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
