#!/usr/bin/env bash
# tidy.sh [FILE...]: runs clang-tidy 14 with the checks of .clang-tidy on the sources of all rooms (a quarter of an hour
# on two cores), or on the named files. Configures build/tidy for their compile commands; builds nothing. Exits with 1
# if there are findings, and with 2 if a tool is missing or a file is not a source of a room.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build/tidy
rooms='base|target-models|graph|liveness|instrument|report|engine'

for tool in clang-tidy-14 run-clang-tidy-14 clang++-14; do
  command -v "$tool" >/dev/null || { echo "tidy: there is no $tool; scripts/setup.sh installs it" >&2; exit 2; }
done
patterns=("^$root/($rooms)/")
if [ $# -gt 0 ]; then
  patterns=()
  for file in "$@"; do
    path=$(realpath "$file")
    [[ -f $path && $path =~ ^"$root"/($rooms)/.*\.cpp$ ]] || { echo "tidy: '$file' is no .cpp file of a room" >&2; exit 2; }
    patterns+=("^$path\$")
  done
fi
cmake -S "$root" -B "$build" -G Ninja -Wno-dev --log-level=WARNING -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=clang++-14 \
  -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DPOPSCOPE_TESTS=OFF -DPOPSCOPE_EXAMPLES=OFF -DPOPSCOPE_BENCH=OFF
# clang-tidy prints the name of each file, and colours even if its output is not a terminal.
status=0
run-clang-tidy-14 -p "$build" -quiet "${patterns[@]}" 2>/dev/null | sed -e 's/\x1b\[[0-9;]*m//g' -e '/^clang-tidy-14 /d' || status=1
[ $status -ne 0 ] || echo "tidy: no findings"
exit $status
