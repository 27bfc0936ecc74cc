# Runs the commands that are not views of one profile, on examples/mlp. Argument: the folder of binaries.
set -eu
binaries=$1
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"
export HOME=home COLUMNS=100
unset XDG_CONFIG_HOME POPSCOPE_PROFILE POPSCOPE_CONFIG 2> /dev/null || true
POPLAR_ENGINE_OPTIONS='{"autoReport.directory":".","autoReport.all":"true"}' "$binaries/mlp" --epochs 1 --no-summary > /dev/null 2>&1 || test $? -eq 1 # 1: one epoch teaches it too little
printf 'compute_set,cycles\nLayer1/Fwd/Multiply,11000\nLayer1/Fwd/Multiply,11200\nLayer1/Wu/Update,9900\n' > cycles.csv
printf '{\n  "templat": "light"\n}\n' > config.json
# Prints the command and its output, and its exit code if that is not 0.
say() {
  echo "\$ popscope $*"
  status=0
  "$binaries/popscope" "$@" 2>&1 || status=$?
  test $status -eq 0 || echo "(ends with $status)"
  echo
}
# the sizes depend on the writer's version
sizes() { sed -E 's/  (about )?[0-9.]+ ([KMG]i)?B/  N B/; s/about [0-9.]+ ([KMG]i)?B/about N B/'; }

say import-cycles profile.pop cycles.csv --source 'board 7' -o measured.pop
say measured measured.pop
say top measured.pop -n 3
say sql profile.pop 'SELECT name, instances, memory_bytes FROM vertex_types ORDER BY memory_bytes DESC LIMIT 3'
say sql profile.pop 'SELECT name FROM vertex_typs'
say schema 2> /dev/null | head -n 2 | cut -c1-80
echo
say options --name 'debug.instrument*' -n 2
say config show --template light
say config templates
say config check config.json
say config set template=ci directory=reports --file new.json
say config path
say export profile.pop --format folded,md,dot --runs 0 -o out | sizes
say export profile.pop --format folded,md,dot --runs 0 -o out
say export profile.pop --format chrome --estimate -o out | sizes
say export profile.pop --format chrom
say recover profile.pop -o whole.pop
say run -q --template light --directory runs -- "$binaries/control_flow" | sed -n "s|$binaries/||; 1p; /^Popscope/p"
say run --template ligth -- true
