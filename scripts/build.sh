#!/usr/bin/env bash
# build.sh FOLDER [CMake argument...] [--target NAME...]: configures the project in FOLDER (with Ninja) and builds it,
# or only the named targets. demo.sh and test.sh call it; they share a folder and its objects. Ninja shows its progress
# line only on terminals, and with CI set no status line at all.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=$1
shift
configure=()
while [ $# -gt 0 ] && [ "$1" != --target ]; do
  configure+=("$1")
  shift
done
if [ "${CI:-}" = true ]; then
  export NINJA_STATUS=""
  quiet=(-- --quiet)
else
  quiet=()
fi
cmake -S "$root" -B "$folder" -G Ninja -Wno-dev --log-level=NOTICE "${configure[@]}"
cmake --build "$folder" "$@" "${quiet[@]}"
