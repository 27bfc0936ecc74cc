#!/usr/bin/env bash
# Installs the required packages, builds everything and runs all tests. The last line and the exit code are ctest's.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build/quick

"$root/scripts/setup.sh"
"$root/scripts/build.sh" "$build" --preset quick -DPOPSCOPE_VIEWER=AUTO -DPOPSCOPE_TESTS=ON -DPOPSCOPE_EXAMPLES=ON -DPOPSCOPE_BENCH=ON
# Tests must not depend on the caller's colours or engine options.
unset CLICOLOR CLICOLOR_FORCE NO_COLOR POPLAR_ENGINE_OPTIONS
exec ctest --test-dir "$build" --output-on-failure --no-tests=error -j2
