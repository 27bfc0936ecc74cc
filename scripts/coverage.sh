#!/usr/bin/env bash
# coverage.sh [TEST]...: builds the unit, property and golden tests, or those named (base_unit, lowering, ...), with the counters of gcov
# (preset coverage), runs them, and prints a table: the lines and branches of each room, and how many of them ran. program_values and
# liveness_oracle run 60 random programs (POPSCOPE_RANDOM_PROGRAMS, POPSCOPE_LIVENESS_PROGRAMS), and two cases of engine do not run, because
# they compile a program a thousand times. Branches that only an exception takes do not count, because the compiler adds one to nearly every
# call. Writes to build/coverage: lines.json (all lines, in gcovr's format) and functions.txt (functions that did not run). Exits with 1 if a
# build or a test fails, with 2 for wrong usage or without gcovr, otherwise with 0.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build/coverage
command -v gcovr >/dev/null || { echo "coverage: there is no gcovr; install it with apt-get install gcovr" >&2; exit 2; }
declare -A folders=()
for file in "$root"/tests/{unit,property,golden}/*/CMakeLists.txt; do
  grep -q 'POPSCOPE_EXAMPLES' "$file" && continue # the preset builds no examples
  while read -r name; do folders[$name]=$(dirname "$file"); done < <(sed -n 's/^ *room_test(\([a-z_]*\).*/\1/p' "$file")
done
names=("$@")
((${#names[@]})) || mapfile -t names < <(printf '%s\n' "${!folders[@]}" | sort)
for name in "${names[@]}"; do
  [ -n "${folders[$name]:-}" ] || { echo "coverage: there is no test '$name'; there are ${!folders[*]}" >&2; exit 2; }
done

mkdir -p "$build"
(cd "$root" && "$root/scripts/build.sh" "$build" --preset coverage --target "${names[@]/#/test_}") >"$build/build.log" 2>&1 ||
  { tail -30 "$build/build.log" >&2; exit 1; }
find "$build" -name '*.gcda' -delete
unset CLICOLOR CLICOLOR_FORCE NO_COLOR POPLAR_ENGINE_OPTIONS
export POPSCOPE_RANDOM_PROGRAMS=${POPSCOPE_RANDOM_PROGRAMS:-60} POPSCOPE_LIVENESS_PROGRAMS=${POPSCOPE_LIVENESS_PROGRAMS:-60}
dear='a program that does not fit gets the least*,the set that is found is the smallest*'
status=0
for name in "${names[@]}"; do
  (cd "${folders[$name]}" && "$build/bin/test_$name" --minimal --test-case-exclude="$dear" >&2) || { echo "coverage: test_$name fails" >&2; status=1; }
done
gcovr --root "$root" "$build" --exclude "$root/build/" --exclude "$root/tests/" --exclude-directories ".*/CompilerIdCXX" --exclude-throw-branches \
  --json "$build/lines.json" 2>"$build/gcovr.log" || { tail "$build/gcovr.log" >&2; exit 1; }
python3 -B - "$root" "$build" <<'END'
import collections
import json
import pathlib
import sys

root, build = map(pathlib.Path, sys.argv[1:])
sys.path.insert(0, str(root / "tests/meta/rules"))
from RoomTable import ROOMS

sums = collections.defaultdict(collections.Counter)
with open(build / "functions.txt", "w") as missed:
    for file in json.load(open(build / "lines.json"))["files"]:
        room = max((r for r in ROOMS if file["file"].startswith(r + "/")), key=len, default=None)
        if room is None:
            continue
        lines = [line for line in file["lines"] if not line["gcovr/noncode"]]
        branches = [branch for line in lines for branch in line["branches"]]
        for key in (room, "all"):
            sums[key].update(lines=len(lines), run=sum(line["count"] > 0 for line in lines), branches=len(branches),
                             taken=sum(branch["count"] > 0 for branch in branches))
        for function in file["functions"]:
            if not function["execution_count"]:
                missed.write(f"{file['file']}:{function['lineno']}: {function['name']}\n")
print("| Room | Lines | of them run | Branches | of them taken |\n|---|--:|--:|--:|--:|")
for room, s in sorted(sums.items(), key=lambda item: (item[0] == "all", item[0])):
    print(f"| {room if room == 'all' else f'`{room}`'} | {s['lines']:,} | {100 * s['run'] / max(1, s['lines']):.1f} % | {s['branches']:,} | "
          f"{100 * s['taken'] / max(1, s['branches']):.1f} % |")
END
exit $status
