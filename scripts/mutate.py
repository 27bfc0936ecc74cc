#!/usr/bin/env python3
"""mutate.py [--build FOLDER] [--count N] [--skip N] [--seed S] [--module M]...: plants small mistakes, one at a time, and counts those that
tests find.

A mutant changes one place of a source of liveness, layout (liveness/layout), lowering or the machine (target-models): a comparison, a sign,
a constant 0 or 1, `&&` and `||`, or `std::min` and `std::max`. The script draws N places from seed S, from each module in turn, builds the
programs of the module's tests in FOLDER (build/mutate: each source alone, so that a mutant is soon built) and runs them until one fails: unit
and property tests, and 40 random programs that independent checkers examine. A mutant that does not compile does not count, and another place
is drawn. Each line of the output says where the mutant was, what it changed, and which test found it. The last lines count. --skip leaves out
the first N drawn places, which an earlier run tried. Exit code: 0, or 1 if the tests fail unchanged.

It changes sources in the tree and puts them back; run it in a clean checkout of its own.
"""
import argparse
import collections
import os
import pathlib
import random
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The folder of sources, and the test programs that must detect its mutants, fastest first.
MODULES = {
    "liveness": ["liveness_unit", "liveness_check", "liveness_oracle", "liveness_property"],
    "liveness/layout": ["liveness_unit", "liveness_check", "liveness_oracle", "liveness_property"],
    "graph/lowering": ["lowering", "liveness_oracle"],
    "target-models": ["target_models_unit"],
}
PROGRAMS = {"POPSCOPE_LIVENESS_PROGRAMS": "40"}  # number of programs of liveness_oracle
CHANGES = [(r" < ", " <= "), (r" <= ", " < "), (r" > ", " >= "), (r" >= ", " > "), (r" == ", " != "), (r" != ", " == "), (r" \+ ", " - "),
           (r" - ", " + "), (r" && ", " || "), (r" \|\| ", " && "), (r"std::min\b", "std::max"), (r"std::max\b", "std::min"),
           (r"(?<=[ (])0(?=[;,) ])", "1"), (r"(?<=[ (])1(?=[;,) ])", "0"), (r"\breturn true;", "return false;"),
           (r"\breturn false;", "return true;"), (r"\bcontinue;", "break;")]
NO_CODE = re.compile(r'^\s*(//|/\*|\*|#|template|static_assert|POPSCOPE_D?CHECK|using|namespace)|"')


def places(module):
    """Yields (file, line number, begin, end, new text) for all mutants of a module, in a fixed order."""
    inner = [ROOT / other for other in MODULES if other.startswith(module + "/")]
    for file in sorted((ROOT / module).rglob("*.cpp")):
        if any(folder in file.parents for folder in inner):
            continue
        for number, line in enumerate(file.read_text().split("\n")):
            if NO_CODE.search(line):
                continue
            code = line.split("//")[0]
            for pattern, text in CHANGES:
                for match in re.finditer(pattern, code):
                    yield file, number, match.start(), match.end(), text


def run(command, seconds, folder=ROOT):
    """Returns whether the command ends with 0 in time."""
    try:
        return subprocess.run(command, cwd=folder, env=os.environ | PROGRAMS, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              timeout=seconds).returncode == 0
    except subprocess.TimeoutExpired:
        return False


class DoesNotCompile(Exception):
    pass


def finder(build, tests, limits):
    """Returns the first test program that fails or takes too long, or None. Builds each program only when its turn comes."""
    for test in tests:
        if not run(["ninja", "-C", build, "-j1", f"test_{test}"], 7200):
            raise DoesNotCompile(f"ninja -C {build} test_{test} fails")
        folder = next(f.parent for f in sorted(ROOT.glob("tests/*/*/CMakeLists.txt")) if re.search(rf"room_test\({test}\b", f.read_text()))
        begin = time.monotonic()
        if not run([f"{build}/bin/test_{test}", "--abort-after=1"], limits.get(test, 1200), folder):
            return test
        limits.setdefault(test, 20 + 10 * (time.monotonic() - begin)) # a mutant may loop for ever
    return None


def configure(build):
    command = ["cmake", "-S", ROOT, "-B", build, "-G", "Ninja", "-Wno-dev", "-DCMAKE_BUILD_TYPE=None", "-DCMAKE_CXX_FLAGS=-O1", "-DPOPSCOPE_TESTS=ON",
               "-DPOPSCOPE_PYTHON=OFF", "-DPOPSCOPE_VIEWER=OFF", "-DPOPSCOPE_EXAMPLES=OFF", "-DPOPSCOPE_TEST_FILTER=tests/(unit|property|check)/"]
    if not (pathlib.Path(build) / "build.ninja").exists() and not run(command, 600):
        sys.exit(f"mutate: {build} cannot be configured")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", default=str(ROOT / "build/mutate"))
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--skip", type=int, default=0)
    parser.add_argument("--seed", type=int, default=47)
    parser.add_argument("--module", choices=list(MODULES), action="append")
    arguments = parser.parse_args()
    draw = random.Random(arguments.seed)
    modules = arguments.module or list(MODULES)
    everything = {module: list(places(module)) for module in modules}
    limits = {}
    configure(arguments.build)
    for module in modules:
        try:
            if finder(arguments.build, MODULES[module], limits):
                sys.exit(f"mutate: the tests of {module} fail without a mutant")
        except DoesNotCompile as e:
            sys.exit(f"mutate: without a mutant, {e}")
    found, survived = collections.Counter(), collections.Counter()
    drawn = 0
    while sum((found + survived).values()) < arguments.count:
        module = modules[drawn % len(modules)]
        file, number, begin, end, text = draw.choice(everything[module])
        drawn += 1
        if drawn <= arguments.skip:
            continue
        original = file.read_text()
        lines = original.split("\n")
        before = lines[number].strip()
        lines[number] = lines[number][:begin] + text + lines[number][end:]
        file.write_text("\n".join(lines))
        start = time.monotonic()
        try:
            test = finder(arguments.build, MODULES[module], limits)
            verdict = f"found by {test}" if test else "SURVIVES"
            (found if test else survived)[module] += 1
        except DoesNotCompile:
            verdict = "does not compile"
        finally:
            file.write_text(original)
        print(f"{drawn}: {file.relative_to(ROOT)}:{number + 1}: {before} -> {lines[number].strip()}: {verdict} ({time.monotonic() - start:.0f} s)", flush=True)
    for module in modules:
        print(f"mutate: {module}: {found[module] + survived[module]} mutants, {found[module]} found, {survived[module]} survive")


main()
