#!/usr/bin/env bash
# make_profiles.sh BIN FOLDER: writes the profiles for the viewer's tests as FOLDER/NAME/NAME.pop, with debug.cbor next
# to each.
set -euo pipefail

bin=$1
folder=$2
rm -rf "$folder"
mkdir -p "$folder"

profile() { # NAME COMMAND...
  local name=$1
  shift
  POPLAR_ENGINE_OPTIONS="{\"autoReport.all\":\"true\",\"autoReport.directory\":\"$folder/$name\"}" "$@" >"$folder/$name.txt" 2>&1 ||
    { cat "$folder/$name.txt" >&2; echo "make_profiles: $name failed" >&2; exit 1; }
  mv "$folder/$name/profile.pop" "$folder/$name/$name.pop"
}
profile mlp "$bin/mlp" --no-summary
profile control_flow "$bin/control_flow"
profile overfull "$bin/viewer_programs" overfull
profile overfull_twice "$bin/viewer_programs" overfull_twice
profile hostile "$bin/viewer_programs" hostile
profile properties "$bin/viewer_programs" properties
profile pod "$bin/viewer_programs" pod
profile layers "$bin/viewer_programs" layers
profile blocks "$bin/viewer_programs" blocks
profile waits "$bin/viewer_programs" waits
profile two "$bin/viewer_programs" two
profile replicas "$bin/viewer_programs" replicas
profile many "$bin/viewer_programs" many
profile late "$bin/viewer_programs" late
profile liveness "$bin/liveness"
# The program does not fit, and its profile contains the changes that make it fit; it exits with 1.
mkdir "$folder/cure"
POPLAR_ENGINE_OPTIONS="{\"autoReport.all\":\"true\",\"popscope.tryAdvice\":\"64\",\"autoReport.directory\":\"$folder/cure\"}" \
  "$bin/overfull" >"$folder/cure.txt" 2>&1 || true
mv "$folder/cure/profile.pop" "$folder/cure/cure.pop"
# Only compute sets have a time.
mkdir "$folder/some"
POPLAR_ENGINE_OPTIONS="{\"autoReport.all\":\"true\",\"popscope.profileCategories\":\"compute\",\"autoReport.directory\":\"$folder/some\"}" \
  "$bin/viewer_programs" layers >"$folder/some.txt" 2>&1
mv "$folder/some/profile.pop" "$folder/some/some.pop"
mkdir "$folder/incomplete"
cp "$folder/control_flow/control_flow.pop" "$folder/incomplete/incomplete.pop"
sqlite3 "$folder/incomplete/incomplete.pop" "UPDATE meta SET value = '0' WHERE key = 'complete'"
# The first of two runs was cut short, and the second has a long name.
mkdir "$folder/cut"
cp "$folder/layers/layers.pop" "$folder/cut/cut.pop"
sqlite3 "$folder/cut/cut.pop" "UPDATE runs SET complete = 0 WHERE id = 0; DELETE FROM execution_cycle_totals WHERE run = 0;
  UPDATE runs SET name = printf('%.300c', 'n') WHERE id = 1"
