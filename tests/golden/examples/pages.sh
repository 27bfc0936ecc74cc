# Prints the output of popscope html and popscope view on examples/liveness, if the viewer is built. Argument: the
# folder of binaries.
set -eu
binaries=$1
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"
unset POPSCOPE_PROFILE POPSCOPE_CONFIG DISPLAY WAYLAND_DISPLAY 2> /dev/null || true
export HOME=home COLUMNS=100 TMPDIR="$place"
POPLAR_ENGINE_OPTIONS='{"autoReport.directory":".","autoReport.all":"true"}' "$binaries/liveness" > /dev/null 2>&1
# Prints the command and its output, and its exit code if that is not 0.
say() {
  echo "\$ popscope $*"
  status=0
  "$binaries/popscope" "$@" > printed 2>&1 || status=$?
  sed "s|$place/popscope-view-......|/tmp/popscope-view-XXXXXX|" printed
  test $status -eq 0 || echo "(ends with $status)"
  echo
}

say html profile.pop
say html profile.pop -o report/page.html
mkdir report
say html profile.pop -o report/page.html
say html
say html missing.pop
BROWSER='head -c 15 %s' say view profile.pop
BROWSER=no-such-browser say view profile.pop
say view missing.pop
