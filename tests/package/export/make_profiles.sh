#!/usr/bin/env bash
# make_profiles.sh BIN FOLDER: writes the profiles for the tests of exports as FOLDER/NAME.pop.
set -euo pipefail

bin=$1
folder=$2
rm -rf "$folder"
mkdir -p "$folder"
profile() { # NAME OPTIONS COMMAND...
  local name=$1 options=$2
  shift 2
  POPLAR_ENGINE_OPTIONS="{\"autoReport.all\":\"true\",\"autoReport.directory\":\"$folder/$name\"$options}" \
    PVTI_OPTIONS="{\"enable\":\"true\",\"directory\":\"$folder/$name\"}" "$@" >"$folder/$name.txt" 2>&1 ||
    { cat "$folder/$name.txt" >&2; echo "make_profiles: $name failed" >&2; exit 1; }
  mv "$folder/$name/profile.pop" "$folder/$name.pop"
  mv "$folder/$name"/*.pvti "$folder/$name.pvti"
}
profile control_flow "" "$bin/control_flow"
profile small ',"autoReport.outputExecutionProfile":"false","autoReport.outputLivenessExplanation":"false"' "$bin/first_steps" # compiled only
profile hostile "" "$bin/export_programs" # names that need quoting, two IPUs
