# Compares the views of popscope on the perceptron (examples/mlp) with the tables of its profile. Argument: the folder
# of binaries.
set -eu
binaries=$1
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"
POPLAR_ENGINE_OPTIONS='{"autoReport.directory":".","autoReport.all":"true"}' "$binaries/mlp" --epochs 1 --no-summary > /dev/null 2>&1 || test $? -eq 1 # 1: one epoch teaches it too little
# Prints the same figures from the tables, which the views do not read: $1 what, $2 from the view, $3 by SQL.
same() {
  test -n "$2" && test "$2" = "$3" || { echo "$1: the view says"; echo "$2"; echo "and SQL"; echo "$3"; exit 1; }
}
view() { "$binaries/popscope" "$@" --csv | tail -n +2 | tr -d '\r'; }
sql() { "$binaries/popscope" sql profile.pop "$1" --csv | tail -n +2 | tr -d '\r'; }
same 'compute sets' "$(view top profile.pop -n 0 | sed -E 's/(,[^,]*){10}$//')" \
  "$(sql "SELECT c.name, COUNT(*), SUM(i.cycles) FROM steps s JOIN programs p ON p.id = s.program JOIN compute_sets c ON c.id = p.compute_set JOIN steps_by_ipu i ON i.step_id = s.id GROUP BY c.id ORDER BY 3 DESC, c.id")"
same 'vertex types' "$(view top profile.pop --of vertex-types --by bytes -n 3 | cut -d, -f1,2,5)" \
  "$(sql "SELECT name, instances, memory_bytes FROM vertex_types ORDER BY 3 DESC, id LIMIT 3")"
same 'fullest tiles' "$(view top profile.pop --of tiles -n 20 | cut -d, -f1,2)" "$(sql "SELECT tile, total FROM memory_by_tile ORDER BY total DESC, tile LIMIT 20")"
same 'variables' "$(view top profile.pop --of variables -n 20 | cut -d, -f1,3,4)" \
  "$(sql "SELECT t.string, COUNT(*), SUM(v.size_bytes) FROM liveness_variables v JOIN vars_string_table t ON t.id = v.name GROUP BY v.name, v.category, v.always_live ORDER BY 3 DESC, t.string LIMIT 20")"
same 'peak' "$(view peak profile.pop -n 20 | cut -d, -f1,3,4)" \
  "$(sql "SELECT program, size_bytes + always_live, size_bytes FROM liveness_steps, liveness_totals ORDER BY 3 DESC, id LIMIT 20")"
same 'causes of cycles' "$(view loss profile.pop | cut -d, -f2 | awk '{ sum += $1 } END { print sum }')" "$(sql "SELECT 1216 * SUM(total_cycles) FROM execution_cycle_totals")"
same 'work and waiting' "$(view loss profile.pop | awk -F, '/waiting|barriers/ { wait += $2; next } { work += $2 } END { print work; print wait }')" \
  "$(sql "SELECT SUM(compute + exchange + host_exchange) FROM execution_cycle_totals"; sql "SELECT SUM(sync) FROM execution_cycle_totals")"
same 'runs' "$(view runs profile.pop | cut -d, -f1,7)" "$(sql "SELECT run, total_cycles FROM execution_cycle_totals ORDER BY run")"
same 'operators' "$(view operators profile.pop -n 0 | sed -E 's/"[^"]*"/T/g' | grep -Ev ',(DoExchange|GlobalExchange|StreamCopyMid),' | cut -d, -f1,3,4 | sort)" \
  "$(sql "SELECT c.name, COUNT(*), CAST(ROUND(SUM(i.cycles) * 1e9 / (SELECT clock_hz FROM target)) AS INTEGER) FROM steps s JOIN programs p ON p.id = s.program JOIN compute_sets c ON c.id = p.compute_set JOIN steps_by_ipu i ON i.step_id = s.id GROUP BY c.id" | sed -E 's/"[^"]*"/T/g' | sort)"
same 'what if nothing were different' "$("$binaries/popscope" whatif profile.pop --workers 6 --json | sed -n 's/.*"cycles": \([0-9]*\),/\1/p')" "$(sql "SELECT SUM(total_cycles) FROM execution_cycle_totals")"
same 'the critical path' "$("$binaries/popscope" loss profile.pop -n 0 --json | sed -n '/"path"/,/"tiles": {/p' | sed -n 's/.*"cycles": \([0-9]*\),/\1/p' | awk '{ sum += $1 } END { print sum }')" "$(sql "SELECT SUM(total_cycles) FROM execution_cycle_totals")"
# Loops, branches, a switch, calls and two IPUs, for each path that the values select.
mkdir control_flow
POPLAR_ENGINE_OPTIONS='{"autoReport.directory":"control_flow","autoReport.all":"true"}' "$binaries/control_flow" > /dev/null 2>&1
same 'what if nothing were different, with control flow' "$("$binaries/popscope" whatif control_flow/profile.pop --workers 6 --json | sed -n 's/.*"cycles": \([0-9]*\),/\1/p')" \
  "$("$binaries/popscope" sql control_flow/profile.pop "SELECT SUM(total_cycles) FROM execution_cycle_totals" --csv | tail -n +2 | tr -d '\r')"
"$binaries/popscope" whatif control_flow/profile.pop --workers 1 --json | grep -q '"change": [1-9]' || { echo "another machine changes nothing"; exit 1; }
echo "The tables say the same."
view top profile.pop --of operations -n 4 | cut -d, -f1-3 # operations come from debug.cbor next to the profile
for answer in "loss profile.pop -n 4" "whatif profile.pop --exchange-bytes-per-cycle 8 --sync-delay 30 -n 4" "sensitivity profile.pop"; do
  echo
  COLUMNS=100 "$binaries/popscope" $answer
done
echo
"$binaries/popscope" sources profile.pop | head -n 13
echo
"$binaries/popscope" overhead profile.pop
