"""Tidy.py ROOT [CLANG-TIDY]: runs the checks of ROOT/.clang-tidy by clang-tidy 14 on one source of each room.

scripts/tidy.sh checks all sources, which takes a quarter of an hour. Exits with 1 if there are findings, with 2 if clang-tidy 14 is not
installed, otherwise with 0.
"""

import concurrent.futures
import glob
import os
import re
import shutil
import subprocess
import sys

# Sources that move, share or pass on elements, and that compile quickly.
FEW = (
    "base/settings/Configuration.cpp", "target-models/costs/CostModel.cpp", "graph/codelets/TileLayout.cpp", "graph/lowering/CollectUses.cpp",
    "liveness/explain/ExplainVariable.cpp", "instrument/machine/VertexCycles.cpp", "report/pop/TileBlob.cpp",
    "report/answers/GapAnswer.cpp", "engine/collect/CollectPrograms.cpp",
)
FINDING = re.compile(r"^(.*?):(\d+):\d+: (?:warning|error): (.*)$", re.MULTILINE)


def linter(named=None):
    """Returns the path of a clang-tidy 14, or None."""
    for name in (named,) if named else ("clang-tidy-14", "clang-tidy"):
        path = shutil.which(name)
        if path and re.search(r"version 14\.", subprocess.run([path, "--version"], capture_output=True, text=True).stdout):
            return path
    return None


def findings(root, tool, files):
    """Returns [(path, line, text with the check's name)] of the files, compiled with the flags of the rooms."""
    flags = ["-std=c++20", "-I" + root] + ["-I" + folder for folder in sorted(glob.glob(os.path.join(root, "*", "include")))]

    def check(path):
        run = subprocess.run([tool, "--quiet", path, "--"] + flags, cwd=root, capture_output=True, text=True, errors="replace")
        found = [(os.path.relpath(os.path.join(root, file), root), int(line), text) for file, line, text in FINDING.findall(run.stdout)]
        if run.returncode != 0 and not found:
            raise RuntimeError(run.stdout + run.stderr)
        return found

    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        return sorted({finding for found in pool.map(check, files) for finding in found})


def main(root, named=None, files=FEW):
    tool = linter(named)
    if tool is None:
        print("tidy: there is no clang-tidy 14; scripts/setup.sh installs it")
        return 2
    found = findings(os.path.abspath(root), tool, files)
    for finding in found:
        print("%s:%d: %s" % finding)
    print("tidy: %d sources, %d findings" % (len(files), len(found)))
    return 1 if found or not files else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
