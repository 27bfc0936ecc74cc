"""reference.py ROOT OUT [PACKAGES]: generates the reference of the API. OUT/cpp has the public headers, by Doxygen. OUT/python has the
Python packages in the folder PACKAGES, by Sphinx. Each part has its own search.

A warning of either program is a finding. If a program is not installed, its part is left out, with one line. Exits with 1 if there are
findings, otherwise with 0.
"""

import os
import shutil
import subprocess
import sys

HEADERS = ("base/include", "target-models/include", "graph/include", "engine/include", "report/include")
DOXYFILE = """PROJECT_NAME = "Popscope: C++"
OUTPUT_DIRECTORY = "{out}"
INPUT = {inputs}
STRIP_FROM_PATH = {inputs} "{root}"
STRIP_FROM_INC_PATH = {inputs}
USE_MDFILE_AS_MAINPAGE = "{main}"
INPUT_FILTER = "{filter}"
RECURSIVE = YES
FILE_PATTERNS = *.hpp *.h
EXTRACT_ALL = YES
EXTRACT_STATIC = YES
JAVADOC_AUTOBRIEF = YES
SORT_MEMBER_DOCS = NO
HIDE_UNDOC_RELATIONS = YES
VERBATIM_HEADERS = NO
WARN_NO_PARAMDOC = NO
WARN_IF_INCOMPLETE_DOC = NO
GENERATE_LATEX = NO
HTML_OUTPUT = .
HAVE_DOT = NO
CLASS_GRAPH = TEXT
SEARCHENGINE = YES
QUIET = YES
"""


def run(command, folder, environment=None):
    """Returns the lines that a program prints to stderr and stdout."""
    done = subprocess.run(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          universal_newlines=True)
    lines = [line for line in done.stdout.splitlines() if line.strip()]
    return lines or ([] if done.returncode == 0 else ["%s ends with %d" % (command[0], done.returncode)])


def cpp(root, out, doxygen):
    folders = [os.path.join(root, folder) for folder in HEADERS if os.path.isdir(os.path.join(root, folder))]
    here = os.path.dirname(os.path.abspath(__file__))
    main = os.path.join(here, "cpp.md")
    os.makedirs(out)
    text = DOXYFILE.format(out=out, root=root, main=main, filter="sed -f '%s'" % os.path.join(here, "header.sed"),
                           inputs=" ".join('"%s"' % path for path in folders + [main]))
    with open(os.path.join(out, "Doxyfile"), "w", encoding="utf-8") as file:
        file.write(text)
    findings = run([doxygen, "Doxyfile"], out)
    os.remove(os.path.join(out, "Doxyfile"))
    return findings


def python(out, packages, sphinx):
    environment = dict(os.environ, PYTHONPATH=packages, PYTHONDONTWRITEBYTECODE="1",
                       LD_LIBRARY_PATH=os.path.join(os.path.dirname(packages), "lib"), LC_ALL="C.UTF-8")
    sources = os.path.join(os.path.dirname(os.path.abspath(__file__)), "python")
    findings = run([sphinx, "-q", "-b", "html", "-d", out + ".doctrees", sources, out], sources, environment)
    shutil.rmtree(out + ".doctrees", ignore_errors=True)
    return findings


def main(arguments):
    if len(arguments) not in (3, 4) or not os.path.isdir(arguments[1]):
        print("usage: reference.py ROOT OUT [PACKAGES]", file=sys.stderr)
        return 2
    root, out = os.path.abspath(arguments[1]), os.path.abspath(arguments[2])
    packages = os.path.abspath(arguments[3]) if len(arguments) == 4 else None
    findings = []
    for name, program, package, wanted in (("cpp", "doxygen", "doxygen", True), ("python", "sphinx-build", "python3-sphinx", packages)):
        found = shutil.which(program)
        if not wanted:
            continue
        if not found:
            print("reference: no part of %s: there is no %s (Debian: %s)" % (name, program, package))
            continue
        folder = os.path.join(out, name)
        shutil.rmtree(folder, ignore_errors=True)
        findings += cpp(root, folder, found) if name == "cpp" else python(folder, packages, found)
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
