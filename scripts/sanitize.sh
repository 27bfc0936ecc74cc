#!/usr/bin/env bash
# sanitize.sh [--fast] [asan|tsan]...: builds test programs with clang's sanitizers and runs them: asan (addresses,
# leaks and undefined behaviour) and tsan (races, with std::jthread in place of TBB); without an argument both. fuzz.sh
# runs asan on the readers of untrusted files and texts. --fast, which .ci/run uses, selects one program per sanitizer:
# random programs on engines under asan, and the simulated machine under tsan. The program for asan is then built
# without optimisation, because the build takes most of the time. Builds in build/asan, build/tsan and, with --fast,
# build/asan-fast and build/tsan-fast. Exits with 1 if a build or a test fails, with 2 for an unknown argument,
# otherwise with 0.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
declare -A tests=(
  [asan]="base_unit target_models_unit steps lowering liveness_unit liveness_property program_values"
  [tsan]="base_unit graph_api lowering liveness_unit liveness_property instrument program_values"
  [asan-fast]="program_values"
  [tsan-fast]="instrument"
)
declare -A flags=([asan-fast]="-O0 -gline-tables-only")
unset CLICOLOR CLICOLOR_FORCE NO_COLOR POPLAR_ENGINE_OPTIONS
# libpoplar and libpva both contain base; a difference in size is still a finding.
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_odr_violation=1}
export POPSCOPE_RANDOM_PROGRAMS=${POPSCOPE_RANDOM_PROGRAMS:-20} # for program_values
for package in clang-14 libclang-rt-14-dev; do
  if ! dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed; then
    echo "sanitize: the Debian package $package is missing; install it with apt-get install $package" >&2
    exit 1
  fi
done

fast=""
if [ "${1:-}" = --fast ]; then
  fast=-fast
  shift
fi
[ $# -gt 0 ] || set -- asan tsan
status=0
for preset in "$@"; do
  run=$preset$fast
  if [ -z "${tests[$run]:-}" ]; then
    echo "sanitize: '$preset' is neither asan nor tsan" >&2
    exit 2
  fi
  build=$root/build/$run begin=$SECONDS passed=0 options=()
  read -ra names <<<"${tests[$run]}"
  [ -z "${flags[$run]:-}" ] || options=("-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=${flags[$run]}")
  "$root/scripts/build.sh" "$build" --preset "$preset" "${options[@]}" --target "${names[@]/#/test_}"
  # If the folder was configured for another compiler, CMake may drop the preset's flags without an error.
  if ! grep -q '^CMAKE_CXX_FLAGS:.*-fsanitize=' "$build/CMakeCache.txt"; then
    echo "sanitize: $build is configured without sanitizers; remove the folder and run again" >&2
    exit 1
  fi
  for test in "${names[@]}"; do
    echo "== $run: test_$test"
    if (cd "$root/tests" && "$build/bin/test_$test" --minimal); then
      passed=$((passed + 1))
    else
      status=1
    fi
  done
  echo "sanitize: $run: $passed of ${#names[@]} test programs pass, $((SECONDS - begin)) s"
done
exit $status
