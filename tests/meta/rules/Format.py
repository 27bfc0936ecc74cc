"""Format.py ROOT [CLANG-FORMAT]: every C++ source of the tree is as clang-format 14 writes it, by ROOT/.clang-format.

Other versions break lines elsewhere, so the version is asked for. Exit code 1 with the files that differ (and how to
mend them), 2 where no clang-format 14 is installed, 0 without findings.
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
    """The path of a clang-format 14, or None."""
    for name in (named,) if named else ("clang-format-14", "clang-format"):
        path = shutil.which(name)
        if path and re.search(r"version 14\.", subprocess.run([path, "--version"], capture_output=True, text=True).stdout):
            return path
    return None


def findings(root, tool):
    """[(path, first line that differs)] of the sources below root that the tool would write otherwise."""
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
