# The session of docs/TOOLS.md: finds, explains, repairs and guards the fault of examples/overfull. Argument: the folder
# of binaries. Prints each command after "$ ", followed by its output.
set -eu
binaries=$1
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"
PATH=$binaries:$PATH
COLUMNS=100
export PATH COLUMNS
session() {
  echo "\$ $1"
  sh -c "$1" 2>&1 || echo "(ends with $?)"
  echo
}
session 'POPLAR_ENGINE_OPTIONS='"'"'{"autoReport.all":"true","autoReport.directory":"v1"}'"'"' overfull'
session 'popscope v1/profile.pop | sed 1d'
session 'popscope oom v1/profile.pop -n 8'
session 'popscope gap v1/profile.pop --tiles 0'
session 'popscope live v1/profile.pop --tiles 0 --at 11 --vs 17 -n 4'
session 'POPLAR_ENGINE_OPTIONS='"'"'{"autoReport.all":"true","autoReport.directory":"tried","popscope.tryAdvice":"256"}'"'"' overfull'
session 'popscope advise tried/profile.pop -n 4'
session 'popscope fit tried/profile.pop --write changes.json'
session 'POPLAR_ENGINE_OPTIONS='"'"'{"autoReport.all":"true","autoReport.directory":"fitted","popscope.applyAdvice":"changes.json"}'"'"' overfull'
session 'popscope loss fitted/profile.pop -n 1 | sed -n 1,12p'
session 'POPLAR_ENGINE_OPTIONS='"'"'{"autoReport.all":"true","autoReport.directory":"v2"}'"'"' overfull --spread'
session 'popscope diff v1/profile.pop v2/profile.pop --name '"'"'bytes.*'"'"
session 'popscope stats v2/profile.pop --report tiles --of free --aggregate-by all'
session 'popscope loss v2/profile.pop -n 3'
session 'popscope whatif v2/profile.pop --workers 4 --tile-memory 512K -n 3'
session 'popscope sensitivity v2/profile.pop'
cat > budget.json <<'END'
{
  "limits": {
    "tilesOutOfMemory": {"max": 0},
    "bytes.headroom": {"min": 131072},
    "cycles": {"maxIncrease": "2%"}
  }
}
END
session 'cat budget.json'
session 'popscope check v2/profile.pop --budget budget.json --baseline v2/profile.pop'
sed 's/131072/163840/' budget.json > stricter.json
session 'popscope check v2/profile.pop --budget stricter.json --baseline v2/profile.pop --markdown'
session 'popscope history . bytes.fullestTile,tilesOutOfMemory'
