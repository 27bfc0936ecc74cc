#!/usr/bin/env bash
# build.sh FOLDER [CMake argument...]: configures the project in FOLDER (with Ninja) and builds it. Called by demo.sh
# and test.sh. Ninja shows its progress line on terminals only; with CI set, no status line at all.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=$1
shift
if [ "${CI:-}" = true ]; then
  export NINJA_STATUS=""
  quiet=(-- --quiet)
else
  quiet=()
fi
cmake -S "$root" -B "$folder" -G Ninja -Wno-dev --log-level=WARNING "$@"
cmake --build "$folder" "${quiet[@]}"
