#!/usr/bin/env bash
# sanitize.sh [asan|tsan]...: builds test programs with clang's sanitizers in build/asan and build/tsan, and runs them. Both without an
# argument. asan: addresses, leaks and undefined behaviour, in the modules from base to lowering and liveness; fuzz.sh does
# so for the readers of files and texts from strangers. tsan: races, in what runs on several threads, with std::jthread in place of TBB.
# Exit code: 0, 1 where a build or a test fails, 2 for an unknown argument.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
declare -A tests=(
  [asan]="base_unit target_models_unit steps lowering liveness_unit liveness_property"
  [tsan]="base_unit lowering liveness_unit liveness_property instrument"
)
unset CLICOLOR CLICOLOR_FORCE NO_COLOR POPLAR_ENGINE_OPTIONS
for package in clang-14 libclang-rt-14-dev; do
  if ! dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed; then
    echo "sanitize: the Debian package $package is missing; install it with apt-get install $package" >&2
    exit 1
  fi
done

[ $# -gt 0 ] || set -- asan tsan
status=0
for preset in "$@"; do
  if [ -z "${tests[$preset]:-}" ]; then
    echo "sanitize: '$preset' is neither asan nor tsan" >&2
    exit 2
  fi
  build=$root/build/$preset begin=$SECONDS passed=0
  read -ra names <<<"${tests[$preset]}"
  "$root/scripts/build.sh" "$build" --preset "$preset" --target "${names[@]/#/test_}"
  for test in "${names[@]}"; do
    echo "== $preset: test_$test"
    if (cd "$root/tests" && "$build/bin/test_$test" --minimal); then
      passed=$((passed + 1))
    else
      status=1
    fi
  done
  echo "sanitize: $preset: $passed of ${#names[@]} test programs pass, $((SECONDS - begin)) s"
done
exit $status
