#!/usr/bin/env bash
# build.sh FOLDER [CMake argument...] [--target NAME...]: configures the project in FOLDER (with Ninja) and builds it, or
# the targets named. Called by demo.sh and test.sh, which share a folder and so their objects. Ninja shows its progress
# line on terminals only; with CI set, no status line at all.
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
# The viewer's libraries come from the npm registry. Where it is out of reach, all else is built and tested.
if [[ " ${*:-popscope_viewer} " == *" popscope_viewer "* && " ${configure[*]:-} " != *-DPOPSCOPE_VIEWER=* && ! -e $folder/viewer/libraries.stamp ]] &&
  command -v npm >/dev/null 2>&1; then
  if (cd "$root/report/viewer" && timeout 60 npm view typescript version --fetch-retries=0 --fetch-timeout=20000 >/dev/null 2>&1); then
    configure+=(-DPOPSCOPE_VIEWER=AUTO)
  else
    echo "build: the npm registry is out of reach: the viewer and its tests are skipped"
    configure+=(-DPOPSCOPE_VIEWER=OFF)
  fi
fi
cmake -S "$root" -B "$folder" -G Ninja -Wno-dev --log-level=WARNING "${configure[@]}"
cmake --build "$folder" "$@" "${quiet[@]}"
