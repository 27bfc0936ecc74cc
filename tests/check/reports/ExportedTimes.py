"""Compares the times of a compute set in exports with SQLite's figures.

Usage: ExportedTimes.py LEVEL. Reads LEVEL/profile.pop and its exports in the folder x_LEVEL (csv, chrome). The compute set Layer1/scale
works only on IPU 1, once in each of two runs. At level "ipu", its begin on IPU 0 is unknown. At level "device", IPU 0 has the times of the
device.
"""

import csv
import json
import sqlite3
import sys

level = sys.argv[1]
own = 0 if level == "device" else 1  # the IPU that has the times
database = sqlite3.connect(level + "/profile.pop")


def rows(file):
    with open("x_%s/csv/%s" % (level, file), encoding="utf-8", newline="") as text:
        return list(csv.DictReader(text))


def expect(what, found, wanted):
    if found != wanted:
        sys.exit("%s: %r instead of %r" % (what, found, wanted))


wanted = database.execute(
    "SELECT i.cycles_base + i.active_cycles_from_min, i.cycles_base + i.active_cycles_to_max, i.cycles FROM steps_by_ipu i "
    "JOIN steps s ON s.id = i.step_id WHERE s.type = 'OnTileExecute' AND i.ipu = ? ORDER BY s.run", (own,)).fetchall()
expect("runs whose times are known", len([w for w in wanted if w[0] > 0 and w[2] > 0]), 2)

for row in rows("op_summary.csv"):
    if row["Op Name"] != "Layer1/scale":
        continue
    begin, _, cycles = wanted[int(row["Infer ID"])]
    times = [row[c] for c in ("Task Start Time(us)", "Task Wait Time(us)", "Task Duration(us)")]
    if int(row["Device_id"]) == own:
        expect("op_summary.csv", (row["start_cycle"], row["total_cycles"], "" in times), (str(begin), str(cycles), False))
    elif level != "tile":
        expect("op_summary.csv on the other IPU", [row["start_cycle"], row["total_cycles"]] + times, [""] * 5)

ends = database.execute("SELECT SUM(t) FROM (SELECT MAX(i.cycles_base + MAX(COALESCE(i.all_cycles_to_max, 0), COALESCE(i.active_cycles_to_max, 0))) "
                        "AS t FROM steps s JOIN steps_by_ipu i ON i.step_id = s.id GROUP BY s.run)").fetchone()[0]
for ipu in "01":  # up to the reads of counters at the end of a run
    expect("part_cycles of IPU " + ipu, sum(int(r["part_cycles"]) for r in rows("op_summary.csv") if r["Device_id"] == ipu), ends)

tasks = [r for r in rows("task_time.csv") if r["kernel_name"] == "OnTileExecute: Layer1/scale"]
run = rows("step_trace.csv")[0]
clock = int(run["cycles"]) / float(run["Iteration Time(us)"])
expect("task_time.csv", [round(float(r["task_time(us)"]) * clock / 10) for r in tasks if int(r["Device_id"]) == own],
       [round((end - begin) / 10) for begin, end, _ in wanted])
if level != "tile":
    expect("IPUs of task_time.csv", {int(r["Device_id"]) for r in tasks}, {own})

statistic = [r for r in rows("op_statistic.csv") if r["Core Type"] == "compute" and int(r["Device_id"]) == own]
expect("op_statistic.csv", [int(r["total_cycles"]) for r in statistic], [sum(w[2] for w in wanted)])

with open("x_%s/chrome_timeline.json" % level, encoding="utf-8") as text:
    events = json.load(text)["traceEvents"]
lanes = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
expect("compute lanes", [name for name in lanes.values() if name.startswith("Compute")], ["Compute"])
runs = {e["args"]["run"]: e["ts"] for e in events if e["ph"] == "B" and e["cat"] == "run"}
begins = [e["ts"] for e in events if e["ph"] == "B" and lanes.get((e["pid"], e["tid"])) == "Compute"]
expect("begins in the trace", [round(1000 * (at - runs[run])) for run, at in enumerate(begins)], [w[0] for w in wanted])
