#!/usr/bin/env bash
# fuzz.sh [--seconds N] [--keep] [READER]...: builds the fuzzers in build/fuzz (preset fuzz: clang 14, ASan, UBSan) and
# runs each reader for N seconds (3600): `pop` (profiles) and the readers of tests/fuzz/readers/Readers.cpp; without
# READER all of them. Prints a line for each reader: executions, seconds of processor time, reached edges, kept inputs.
# On a busy machine, only the processor time makes runs comparable. --keep adds inputs that reach more edges and have at
# most 512 bytes to tests/fuzz/corpus, at most 12 per reader. Exits with 1 if an input is a finding (its path is
# printed), with 2 for wrong usage, otherwise with 0.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build/fuzz work=$root/build/fuzz/work
all=(pop options environment configuration machine budget advice blob archive tensors graph executable debugInformation trace flags commandLine)
seconds=3600 keep=false readers=()
while (($#)); do
  case $1 in
  --seconds) seconds=${2:?--seconds needs a number}; shift ;;
  --keep) keep=true ;;
  -*) echo "fuzz: there is no option '$1'" >&2; exit 2 ;;
  *) [[ " ${all[*]} " == *" $1 "* ]] || { echo "fuzz: there is no reader '$1'; there are ${all[*]}" >&2; exit 2; }
     readers+=("$1") ;;
  esac
  shift
done
((${#readers[@]})) || readers=("${all[@]}")

targets=()
[[ " ${readers[*]} " == *" pop "* ]] && targets+=(fuzz_pop fuzz_pop_corpus)
[[ ${readers[*]} != pop ]] && targets+=(fuzz_reader fuzz_readers_seeds)
[ -f "$build/build.ninja" ] || (cd "$root" && cmake --preset fuzz > /dev/null)
ninja -C "$build" "${targets[@]}" > "$build/build.log" || { cat "$build/build.log" >&2; exit 1; }

export ASAN_OPTIONS=allocator_may_return_null=0:detect_leaks=1
status=0
for reader in "${readers[@]}"; do
  inputs=$work/inputs/$reader found=$work/found/$reader log=$work/$reader.log corpus=$root/tests/fuzz/corpus/$reader
  mkdir -p "$inputs" "$found"
  if [ "$reader" = pop ]; then
    program=$build/bin/fuzz_pop
    "$build/bin/fuzz_pop_corpus" "$inputs" > /dev/null
    find "$inputs" -size +1023k -delete # the smallest valid profile has 630,784 bytes
    longest=1048576
  else
    program=$build/bin/fuzz_reader longest=65536
    "$build/bin/fuzz_readers_seeds" "$work/inputs" > /dev/null
    cp "$corpus"/* "$inputs"
  fi
  TIMEFORMAT=%U
  { time POPSCOPE_READER=$reader nice -n 10 "$program" "$inputs" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=3072 -max_len="$longest" \
    -print_final_stats=1 -artifact_prefix="$found/" > "$log" 2>&1; } 2> "$work/$reader.seconds" ||
    { status=1; echo "fuzz: $reader: finding, see $log and $found" >&2; }
  executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  edges=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -1)
  echo "fuzz: $reader: ${executions:-?} executions in $(< "$work/$reader.seconds") s of processor time, ${edges:-?} edges, $(find "$inputs" -type f | wc -l) inputs kept"
  if $keep && [ "$reader" != pop ]; then
    find "$inputs" -type f -size -513c -printf '%s %p\n' | sort -R --random-source=<(yes) | sed -n 1,12p | while read -r _ path; do
      cp "$path" "$corpus/$(sha1sum "$path" | cut -c1-12)"
    done
  fi
done
exit $status
