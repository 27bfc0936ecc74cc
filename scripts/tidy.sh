#!/usr/bin/env bash
# tidy.sh [FILE...]: runs clang-tidy 14 with the checks of .clang-tidy over the sources of all rooms (a quarter of an hour
# on two cores), or over the files named. Configures build/tidy for the commands that they are compiled with; builds
# nothing. Exit code 1 with findings, 2 where a tool is missing or a file is no source of a room.
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
# It names each file that it looks at, and writes colours whatever it writes to.
status=0
run-clang-tidy-14 -p "$build" -quiet "${patterns[@]}" 2>/dev/null | sed -e 's/\x1b\[[0-9;]*m//g' -e '/^clang-tidy-14 /d' || status=1
[ $status -ne 0 ] || echo "tidy: no findings"
exit $status
