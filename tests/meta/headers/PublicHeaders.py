"""PublicHeaders.py ROOT STANDARD COMPILER...: checks that each public header compiles alone in a strict program.

For each header, the first compiler compiles a program that includes only this header, twice, as STANDARD (c++11, ...) with the flags in
STRICT. Compilers with the same standard library find the same missing includes. So the other compilers compile only one program with all
headers. If this program fails, they compile each header alone to find the header at fault. Exits with 1 if there are findings, otherwise
with 0.
"""

import concurrent.futures
import os
import re
import subprocess
import sys

ROOMS = ("base", "target-models", "graph", "engine", "report")
STRICT = ("-Wall", "-Wextra", "-Wshadow", "-Wnon-virtual-dtor", "-Wvla", "-Werror", "-pedantic", "-pedantic-errors")
DIAGNOSTIC = re.compile(r"^.*?(?:error|warning): .*$", re.MULTILINE)


def publicHeaders(root):
    """Returns (folder to include from, name in the #include line), sorted."""
    found = []
    for room in ROOMS:
        include = os.path.join(root, room, "include")
        for folder, subfolders, names in os.walk(include):
            subfolders.sort()
            found += [(include, os.path.relpath(os.path.join(folder, name), include)) for name in sorted(names)]
    return found


def compileOne(compiler, standard, folders, *headers):
    """Returns None, or the compiler's messages."""
    command = [compiler, "-x", "c++", "-std=" + standard, *STRICT, "-fsyntax-only", "-"]
    for folder in folders:
        command[1:1] = ["-I", folder]
    source = "".join("#include <%s>\n" % header for header in headers + headers)
    result = subprocess.run(command, input=source, capture_output=True, text=True, errors="replace", check=False)
    if result.returncode == 0 and not result.stderr:
        return None
    first = DIAGNOSTIC.search(result.stderr)
    return first.group(0) if first else result.stderr.strip() or "exit code %d" % result.returncode


def check(root, standard, compilers, jobs=2):
    headers = publicHeaders(root)
    if not headers:
        return ["%s: no public header found" % root]
    folders = sorted({folder for folder, _ in headers}, reverse=True)
    names = [name for _, name in headers]
    apart = compilers[:1] + [other for other in compilers[1:] if compileOne(other, standard, folders, *names)]
    runs = [(compiler, name) for name in names for compiler in apart]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        answers = list(pool.map(lambda run: compileOne(run[0], standard, folders, run[1]), runs))
    return ["<%s> with %s as %s: %s" % (header, os.path.basename(compiler), standard, answer)
            for (compiler, header), answer in zip(runs, answers) if answer]


def main():
    if len(sys.argv) < 4:
        print(__doc__, file=sys.stderr)
        return 2
    findings = check(sys.argv[1], sys.argv[2], sys.argv[3:])
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
