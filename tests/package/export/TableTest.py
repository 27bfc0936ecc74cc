"""Tables, stacks and lines, read by Python's csv and json modules and checked by speedscope's rules; also the places of files."""

import collections
import csv
import io
import json
import os

from Exports import BOTH, ExportCase, PROFILES, profile, query


class Csv(ExportCase):
    def tables(self, name, *arguments):
        self.export(name, "csv", "-o", name, *arguments)
        result = {}
        for file in os.listdir(self.path(name + "/csv")):
            if file.endswith(".csv"):
                with open(self.path(name + "/csv/" + file), encoding="utf-8", newline="") as text:
                    rows = list(csv.reader(text, strict=True))
                self.assertTrue(all(len(row) == len(rows[0]) for row in rows), file)
                result[file] = [dict(zip(rows[0], row)) for row in rows[1:]]
        return result

    def test_every_table_has_its_line_in_the_readme(self):
        tables = self.tables("hostile")
        readme = self.text("hostile/csv/README.txt")
        for file in tables:
            self.assertIn(file + ": ", readme)
        self.assertGreaterEqual(len(tables), 12)

    def test_figures_are_those_of_the_profile(self):
        for name in BOTH:
            tables = self.tables(name)
            cycles = query(name, "SELECT SUM(cycles), SUM(busy_cycles), SUM(data_in), SUM(data_out), COUNT(*) FROM steps_by_ipu")[0]
            rows = tables["op_summary.csv"]
            self.assertEqual(tuple(sum(int(r[c] or 0) for r in rows) for c in ("total_cycles", "busy_tile_cycles", "bytes_in", "bytes_out")) + (len(rows),), cycles)
            self.assertEqual(sum(int(r["total_cycles"] or 0) for r in tables["op_statistic.csv"]), cycles[0])
            ipus = len({r["Device_id"] for r in rows})
            elsewhere = query(name, "SELECT COUNT(*) FROM steps_by_ipu i JOIN steps s ON s.id = i.step_id JOIN programs p ON p.id = s.program "
                              "WHERE p.compute_set >= 0 AND i.active_tiles = 0")[0][0] if ipus > 1 else 0  # compute sets without vertices there
            self.assertEqual(sum(int(r["Count"]) for r in tables["op_statistic.csv"]), cycles[4] - elsewhere)
            by_kind = collections.Counter()
            for r in tables["op_statistic.csv"]:
                by_kind[r["Device_id"], r["Core Type"]] += int(r["Count"])
            kinds = collections.Counter((r["Device_id"], r["Task Type"]) for r in rows)
            self.assertEqual({k: n for k, n in by_kind.items() if k[1] != "compute"}, {k: n for k, n in kinds.items() if k[1] != "compute"})
            totals = query(name, "SELECT total_cycles, compute, exchange, sync FROM execution_cycle_totals ORDER BY run")
            self.assertEqual([tuple(int(r[c]) for c in ("cycles", "compute_tile_cycles", "exchange_tile_cycles", "sync_tile_cycles")) for r in tables["step_trace.csv"]], totals)
            variables = query(name, "SELECT SUM(size_bytes) FROM liveness_variables")[0][0]
            self.assertEqual(int(tables["static_op_mem.csv"][-1]["bytes"]), variables)
            self.assertEqual(tables["static_op_mem.csv"][-1]["Op Name"], "TOTAL")
            live = {int(r["step"]): 0 for r in tables["npu_mem.csv"]}
            for r in tables["npu_mem.csv"]:
                live[int(r["step"])] += int(r["bytes"])
            recorded = collections.Counter()
            for r in tables["memory_record.csv"]:
                recorded[int(r["Timestamp(step)"])] += int(r["bytes"]) if r["Component"] != "always live" else 0
            self.assertEqual([live[s] for s in sorted(live)], [recorded[s] for s in sorted(live)])

    def test_operands_are_those_of_the_executed_compute_sets(self):
        for name in BOTH:
            tables = self.tables(name)
            moved = query(name, "SELECT s.run, s.program, SUM(o.size_bytes * o.is_read), SUM(o.size_bytes * o.is_written) FROM steps s "
                                "JOIN programs p ON p.id = s.program JOIN compute_set_operands o ON o.compute_set = p.compute_set GROUP BY s.id ORDER BY s.id")
            self.assertTrue(moved)
            rows = tables["memory_rate.csv"]
            self.assertEqual([(int(r["Infer ID"]), int(r["Task ID"]), int(r["bytes_read"]), int(r["bytes_written"])) for r in rows], moved)
            for r in rows:
                self.assertAlmostEqual(float(r["bytes_read_per_cycle"]), int(r["bytes_read"]) / int(r["cycles"]), places=3)
            sets = {row[0] for row in query(name, "SELECT p.id FROM programs p JOIN compute_set_operands o ON o.compute_set = p.compute_set")}
            for r in tables["op_summary.csv"]:
                self.assertEqual(bool(r["Output Shapes"]), int(r["Task ID"]) in sets)
                self.assertEqual(r["Input Shapes"].count(";"), r["Input Data Types"].count(";"))

    def test_steps_without_working_tiles_have_no_cycles(self):
        for name in BOTH:
            tables = self.tables(name)
            idle = query(name, "SELECT COUNT(*) FROM steps_by_ipu WHERE active_tiles = 0")[0][0]
            self.assertGreater(idle, 0)
            rows = tables["op_summary.csv"]
            self.assertEqual(sum(r["total_cycles"] == "" for r in rows), idle)
            for r in rows:
                self.assertEqual([r[c] == "" for c in ("total_cycles", "Task Duration(us)", "tile_balance", "active_tile_balance")], [r["Block Num"] == "0"] * 4, r)
                self.assertNotEqual(r["part_cycles"], "")
            ofType = lambda type_: {r["total_cycles"] for r in tables["op_statistic.csv"] if r["OP Type"] == type_}
            self.assertEqual(ofType("Sync"), {""})
            self.assertNotIn("0", ofType("DoExchange"))
            self.assertNotEqual(ofType("DoExchange"), {""})

    def test_forward_and_backward_points(self):
        train = self.tables("hostile")["step_trace.csv"]
        self.assertTrue(train[0]["FP Start(us)"] and train[0]["BP End(us)"])
        span = float(train[0]["BP End(us)"]) - float(train[0]["FP Start(us)"])
        self.assertAlmostEqual(span, float(train[0]["FP to BP Time(us)"]), places=2)
        self.assertEqual(train[0]["label"], 'epoch "1", first')
        self.assertEqual(train[1]["FP Start(us)"], "")  # the second run has no such step: unknown, not 0
        none = self.tables("control_flow", "--fp-point", "nothing*")["step_trace.csv"]
        self.assertEqual({r["FP Start(us)"] for r in none}, {""})

    def test_choosing_runs(self):
        self.assertEqual({r["Infer ID"] for r in self.tables("hostile", "--runs", "2")["op_summary.csv"]}, {"2"})


class Stacks(ExportCase):
    def folded(self, name):
        self.export(name, "folded", "-o", name + "/")
        stacks = {}
        for file in ("cycles", "bytes"):
            for line in self.text("%s/%s.folded" % (name, file)).splitlines():
                stack, _, weight = line.rpartition(" ")
                self.assertNotIn((file, stack), stacks)
                stacks[file, stack] = int(weight)
        return stacks

    def test_cycles_add_up_to_the_runs(self):
        for name in BOTH:
            total = query(name, "SELECT SUM(total_cycles) FROM execution_cycle_totals")[0][0]
            self.assertEqual(sum(n for (file, _), n in self.folded(name).items() if file == "cycles"), total)

    def test_chosen_steps_alone_have_cycles(self):
        for name in BOTH:
            self.export(name, "csv", "-o", name + "-all/")
            rows = [r for r in csv.DictReader(io.StringIO(self.text(name + "-all/csv/op_summary.csv"))) if r["Device_id"] == "0"]
            step = max(rows, key=lambda r: int(r["part_cycles"] or 0))["Task ID"]
            self.export(name, "folded", "-o", name + "-one/", "--steps", step)
            stacks = [line.rpartition(" ") for line in self.text(name + "-one/cycles.folded").splitlines()]
            self.assertEqual(sum(int(weight) for _, _, weight in stacks), sum(int(r["part_cycles"] or 0) for r in rows if r["Task ID"] == step))

    def test_bytes_hold_every_variable(self):
        for name in BOTH:
            stacks = self.folded(name)
            variables = query(name, "SELECT SUM(size_bytes) FROM liveness_variables")[0][0]
            self.assertEqual(sum(n for (file, stack), n in stacks.items() if file == "bytes" and not stack.endswith(";(others)")), variables)

    def test_speedscope(self):
        for name in BOTH:
            self.export(name, "speedscope", "-o", name + ".json")
            file = json.loads(self.text(name + ".json"))
            self.assertEqual(file["$schema"], "https://www.speedscope.app/file-format-schema.json")
            frames = len(file["shared"]["frames"])
            self.assertTrue(all(set(f) == {"name"} and f["name"] for f in file["shared"]["frames"]))
            evented, sampled = file["profiles"]
            self.assertEqual((evented["type"], sampled["type"], sampled["unit"]), ("evented", "sampled", "bytes"))
            stack, at = [], 0
            for event in evented["events"]:  # speedscope's importer throws if one of these rules is broken
                self.assertGreaterEqual(event["at"], at)
                at = event["at"]
                self.assertLess(event["frame"], frames)
                if event["type"] == "O":
                    stack.append(event["frame"])
                else:
                    self.assertEqual(event["type"], "C")
                    self.assertEqual(stack.pop(), event["frame"])
            self.assertEqual(stack, [])
            self.assertEqual(evented["endValue"], query(name, "SELECT SUM(total_cycles) FROM execution_cycle_totals")[0][0])
            self.assertEqual(len(sampled["samples"]), len(sampled["weights"]))
            self.assertEqual(sum(sampled["weights"]), sampled["endValue"])
            self.assertTrue(all(i < frames for s in sampled["samples"] for i in s))


class Lines(ExportCase):
    def test_every_line_is_an_object(self):
        for name in BOTH:
            self.export(name, "jsonl", "-o", name + ".jsonl")
            lines = [json.loads(line) for line in self.text(name + ".jsonl").split("\n")[:-1]]
            kinds = collections.Counter(line["type"] for line in lines)
            self.assertEqual(kinds["step"], query(name, "SELECT COUNT(*) FROM steps")[0][0])
            self.assertEqual(kinds["variable"], query(name, "SELECT COUNT(*) FROM liveness_variables")[0][0])
            self.assertEqual(kinds["program"], query(name, "SELECT COUNT(*) FROM programs")[0][0])
            self.assertEqual(kinds["profile"], 1)

    def test_a_cut_is_said(self):
        self.export("hostile", "jsonl", "-o", "x.jsonl", "--max-events", "5")
        lines = [json.loads(line) for line in self.text("x.jsonl").splitlines()]
        self.assertEqual(lines[-1], {"type": "cut", "run": 0, "step": 5})


def size_of(text):
    """Returns the bytes of a size such as "1,016.8 KiB"."""
    number, unit = text.split()
    return float(number.replace(",", "")) * {"B": 1, "KiB": 1024, "MiB": 1 << 20}[unit]


class Files(ExportCase):
    def test_several_formats_in_one_call_into_a_folder(self):
        out = self.export("hostile", "chrome,folded,perfetto,jsonl", "-o", "here")
        self.assertEqual(self.files(), ["here/" + n for n in ("bytes.folded", "chrome_timeline.json", "cycles.folded", "profile.jsonl", "timeline.pftrace")])
        for file in self.files():
            self.assertIn(file, out)

    def test_never_over_an_older_result(self):
        self.export("hostile", "folded", "-o", "here")
        old = self.text("here/bytes.folded")
        done = self.run_tool("export", profile("control_flow"), "--format", "jsonl,folded", "-o", "here")
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"exists already", done.stderr)
        self.assertEqual(self.files(), ["here/bytes.folded", "here/cycles.folded"])  # this call wrote nothing
        self.assertEqual(self.text("here/bytes.folded"), old)
        self.export("control_flow", "folded", "-o", "here", "--overwrite")
        self.assertNotEqual(self.text("here/bytes.folded"), old)

    def test_what_cannot_be_written_leaves_nothing(self):
        done = self.run_tool("export", profile("hostile"), "--format", "folded", "-o", "/proc/nowhere")
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"/proc/nowhere", done.stderr)

    def test_sizes_are_told_before(self):
        formats = "chrome,perfetto,csv,jsonl,folded,speedscope,dot,svg,md,latex,sqlite"
        for name in BOTH:
            told = self.export(name, formats, "--estimate", "-o", name).splitlines()
            self.assertFalse(os.path.exists(self.path(name)))
            estimate = size_of(" ".join(told[-1].split()[2:4]).rstrip(";"))
            self.export(name, formats, "-o", name)
            size = sum(os.path.getsize(self.path(f)) for f in self.files() if f.startswith(name))
            self.assertTrue(size / 2 < estimate < size * 2, (name, size, estimate))
            for line in told[:-1]:  # one line per file, except for files with few rows
                path, about = line.split("  about ")
                estimate = size_of(about)
                size = os.path.getsize(self.path(path))
                if not path.endswith((".csv", ".txt")) or size > 4000:
                    self.assertTrue(size / 2 <= estimate + 1000 and estimate <= size * 2 + 1000, (path, size, estimate))
                if path.endswith("memory_record.csv"):  # counts rows without the heading
                    self.assertAlmostEqual(estimate, size, delta=200 + size / 100)
        done = self.run_tool("export", profile("hostile"), "--max-bytes", "1000", "-o", "small")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, rb"the files would take about [0-9,]+ bytes, more than --max-bytes 1000;")
        self.assertFalse(os.path.exists(self.path("small")))

    def test_folders_as_msprof_names_them(self):
        os.environ["SOURCE_DATE_EPOCH"] = "86400"
        self.addCleanup(os.environ.pop, "SOURCE_DATE_EPOCH")
        self.export("hostile", "csv,chrome,folded", "--layout", "msprof", "-o", "all")
        root = "all/PROF_000001_19700102000000_POPSCOPE/"
        self.assertIn(root + "mindstudio_profiler_output/op_summary_19700102000000.csv", self.files())
        self.assertIn(root + "mindstudio_profiler_output/README.txt", self.files())
        self.assertIn(root + "bytes.folded", self.files())
        json.loads(self.text(root + "mindstudio_profiler_output/msprof_19700102000000.json"))
        self.assertTrue(all(f.startswith(root) for f in self.files()))
        self.export("hostile", "chrome", "--layout", "msprof", "-o", "all")
        self.assertIn("all/PROF_000002_19700102000000_POPSCOPE/mindstudio_profiler_output/msprof_19700102000000.json", self.files())
        done = self.run_tool("export", profile("hostile"), "--layout", "msprof", "-o", "-")
        self.assertEqual(done.returncode, 2)

    def test_wrong_words_name_the_nearest(self):
        for arguments, said in ((("--format", "crome"), b'Did you mean "chrome"'), (("--runs", "9"), b"there is no recorded run 9"),
                                (("--tiles", "99999"), b"there is no tile 99999"), (("--time", "hours"), b"hours")):
            done = self.run_tool("export", profile("hostile"), *arguments)
            self.assertEqual(done.returncode, 2)
            self.assertIn(said.lower(), done.stderr.lower())
            self.assertEqual(done.stdout, b"")

    def test_standard_output(self):
        done = self.run_tool("export", profile("hostile"), "--format", "chrome", "-o", "-")
        json.loads(done.stdout)
        self.assertEqual(self.run_tool("export", profile("hostile"), "--format", "folded", "-o", "-").returncode, 2)
        done = self.run_tool("export", profile("hostile"), "--format", "chrome", "-o", "-", "--max-bytes", "10")
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        self.assertIn(b"more than --max-bytes 10", done.stderr)
        self.assertEqual(self.files(), [])

    def test_the_same_bytes_each_time(self):
        self.export("hostile", "chrome,perfetto,csv,jsonl,speedscope,dot,svg,md,latex", "-o", "a")
        self.export("hostile", "chrome,perfetto,csv,jsonl,speedscope,dot,svg,md,latex", "-o", "b")
        for file in self.files():
            if file.startswith("a/"):
                with open(self.path(file), "rb") as a, open(self.path("b/" + file[2:]), "rb") as b:
                    self.assertEqual(a.read(), b.read(), file)
