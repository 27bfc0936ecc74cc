#!/usr/bin/env bash
# update-docs.sh [BUILD]: rewrites the generated parts of the documents: docs/OPTIONS.md, docs/FORMAT-pop.md,
# docs/COMPATIBILITY.md, docs/PVA.md, the stubs of the Python packages, the session in docs/TOOLS.md, the output in
# docs/start and the summary in README.md. If the build has benchmarks, rewrites docs/ACCURACY.md, too. BUILD is a folder
# with a build of the tree, default build/release.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${1:-$root/build/release}
if [ ! -x "$build/bin/list_symbols" ] || [ ! -x "$build/bin/popscope" ] || [ ! -x "$build/bin/first_steps" ]; then
  echo "update-docs: $build/bin has no popscope and first_steps, or $build no list_symbols; build there first: scripts/build.sh $build" >&2
  exit 2
fi
status=0
if [ -x "$build/bin/list_uses" ]; then # parses all tests, which takes some minutes
  python3 -B "$root/tests/meta/compat/Evidence.py" --update "$root" "$build/bin/list_uses" || status=$?
fi
python3 -B "$root/tests/meta/compat/Compatibility.py" --update "$root" "$build/bin/list_symbols" || status=$?
python3 -B "$root/tests/meta/compat/PvaFields.py" --update "$root" "$build/bin/list_symbols" "$build/python" || status=$?
python3 -B "$root/tests/meta/generated/PythonStubs.py" --update "$root" "$build/python" || status=$?
python3 -B "$root/tests/meta/generated/GeneratedDocuments.py" --update "$root" "$build/bin" || status=$?
python3 -B "$root/tests/meta/generated/TutorialPages.py" --update "$root" "$build/bin" || status=$?
python3 -B "$root/tests/meta/generated/ToolsPage.py" --update "$root" || status=$? # from the golden text, see tests/golden/update.py
if [ -x "$build/bin/popscope_compare" ]; then # a build with benchmarks
  "$build/bin/popscope_compare" > "$build/ACCURACY.md" && mv "$build/ACCURACY.md" "$root/docs/ACCURACY.md" || status=1
else
  echo "update-docs: docs/ACCURACY.md is as it was: $build has no popscope_compare (-DPOPSCOPE_BENCH=ON)"
fi
exit $status
