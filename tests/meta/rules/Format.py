"""Format.py ROOT [CLANG-FORMAT]: checks that clang-format 14 would not change any C++ source of the tree, by ROOT/.clang-format.

Other versions break lines differently, so the version is checked. Exits with 1 and the files that differ (and how to repair them), with
2 if clang-format 14 is not installed, and with 0 if there are no findings.
"""

import concurrent.futures
import os
import re
import shutil
import subprocess
import sys

import IncludeRules

SOURCES = (".cpp", ".hpp", ".h")
AT_ONCE = 40


def sourcesOf(root):
    for folder, subfolders, names in os.walk(root):
        inside = os.path.relpath(folder, root)
        subfolders[:] = sorted(s for s in subfolders
                               if not IncludeRules.SKIPPED_FOLDERS.search(os.path.normpath(inside + "/" + s)))
        yield from (os.path.normpath(os.path.join(inside, name)) for name in sorted(names) if name.endswith(SOURCES))


def formatter(named=None):
    """Returns the path of a clang-format 14, or None."""
    for name in (named,) if named else ("clang-format-14", "clang-format"):
        path = shutil.which(name)
        if path and re.search(r"version 14\.", subprocess.run([path, "--version"], capture_output=True, text=True).stdout):
            return path
    return None


def findings(root, tool):
    """Returns [(path, first line that differs)] of the sources below root that the tool would change."""
    paths = list(sourcesOf(root))

    def check(some):
        command = [tool, "--dry-run", "--style=file", "--ferror-limit=0"] + some
        out = subprocess.run(command, cwd=root, capture_output=True, text=True, errors="replace")
        if out.returncode != 0:
            raise RuntimeError(out.stderr)
        return [(path, int(line)) for path, line in re.findall(r"^(.*?):(\d+):\d+: warning:", out.stderr, re.MULTILINE)]

    parts = [paths[i:i + AT_ONCE] for i in range(0, len(paths), AT_ONCE)]
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        first = {}
        for found in pool.map(check, parts):
            for path, line in found:
                first.setdefault(path, line)
    return len(paths), sorted(first.items())


def main(root, named=None):
    tool = formatter(named)
    if tool is None:
        print("format: there is no clang-format 14; scripts/setup.sh installs it")
        return 2
    count, found = findings(root, tool)
    for path, line in found:
        print("%s:%d: clang-format writes this line otherwise; clang-format-14 -i %s" % (path, line, path))
    print("format: %d sources, %d differ" % (count, len(found)))
    return 1 if found or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
