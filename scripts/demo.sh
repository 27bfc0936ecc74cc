#!/usr/bin/env bash
# Trains a small perceptron on a modelled IPU, prints its profile summary, and shows that the profile file of the run
# gives the same summary. The first call takes a few minutes, to install and build.
#
# Exits with 0 if both summaries are equal, and with 1 if they differ or the training failed.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build/quick
work=$root/build/demo
shown=200 # lines of the summary to print

"$root/scripts/setup.sh" --build-only
configure=(--preset quick)
# A new folder is configured without the tests and the page, because this script does not install their packages.
[ -f "$build/CMakeCache.txt" ] || configure+=(-DPOPSCOPE_TESTS=OFF -DPOPSCOPE_VIEWER=OFF)
"$root/scripts/build.sh" "$build" "${configure[@]}" --target mlp profile_summary

rm -rf "$work"
mkdir -p "$work"
cd "$work"
# The summaries are compared as text.
unset CLICOLOR CLICOLOR_FORCE
export POPLAR_ENGINE_OPTIONS='{"autoReport.all":"true","autoReport.directory":"report"}'

echo
echo "== Training (examples/mlp, with POPLAR_ENGINE_OPTIONS=$POPLAR_ENGINE_OPTIONS)"
status=0
# The program prints a line for each epoch, then the summary, which begins with a line "Target:". Only the first part is
# shown here.
/usr/bin/time -f '%e s, %M KiB at most' -o time.txt "$build/bin/mlp" | tee output.txt | sed -u '/^Target:$/,$d' || status=$?
if [ "$status" -ne 0 ]; then
  echo "demo: mlp ended with exit code $status" >&2
  exit 1
fi
echo "Time and memory of the whole run, compilation and profile included: $(cat time.txt)"
sed -n '/^Target:$/,$p' output.txt >summary.txt

echo
echo "== Its profile summary: the first $shown of $(wc -l <summary.txt) lines (all of them: $work/summary.txt)"
echo
sed -n "1,${shown}p" summary.txt

echo
echo "== The same from the file: profile_summary --profile report/profile.pop --show-var-storage --show-execution-steps"
"$build/bin/profile_summary" --profile report/profile.pop --show-var-storage --show-execution-steps >from_file.txt
if [ -s summary.txt ] && cmp -s summary.txt from_file.txt; then
  echo "Equal: the $(wc -l <summary.txt) lines that the program printed and those made from report/profile.pop" \
       "($(stat -c %s report/profile.pop) bytes)."
else
  echo "demo: the two summaries differ (<: printed by the program, >: made from the file)" >&2
  # At most 60 lines; sed reads to the end, so that a closed pipe does not stop diff.
  { diff summary.txt from_file.txt || true; } | sed -n '1,60p' >&2
  exit 1
fi

cat <<EOF

== What next
1. Build the other tools and the programs of the tutorial (a few minutes more), and ask about this profile:
     scripts/build.sh build/quick --target tutorial
     build/quick/bin/popscope build/demo/report/profile.pop          # the verdict on one screen
     build/quick/bin/popscope loss build/demo/report/profile.pop     # where the cycles went
2. Follow the tutorial: docs/start/README.md.
3. Profile a program of your own: docs/howto/profile-a-program.md.
EOF
