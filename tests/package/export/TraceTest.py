"""Traces, checked with the rules of their readers: Chrome's JSON by those of Perfetto's importer, Perfetto's protobuf by protoc."""

import collections
import json
import os
import re
import subprocess

from Exports import BOTH, ExportCase, PROFILES, need, profile, query, traffic

HERE = os.path.dirname(os.path.abspath(__file__))


def runs_of(name):
    """Returns the cycles of the recorded runs."""
    return [row[0] for row in query(name, "SELECT total_cycles FROM execution_cycle_totals ORDER BY run")]


class Chrome(ExportCase):
    def events(self, name, *arguments):
        self.export(name, "chrome", "-o", "t.json", *arguments)
        text = self.text("t.json")
        self.assertNotIn("\\u", text)  # Perfetto does not decode such escapes
        trace = json.loads(text, parse_float=str)
        self.assertEqual(trace["displayTimeUnit"], "ns")
        os.remove(self.path("t.json"))
        return self.joined(trace["traceEvents"]), trace["metadata"]

    def joined(self, events):
        """Joins the begin and the end of each step, tile and span of the host to one event with a length. Runs and programs keep two
        events. Checks that every end names its event, because speedscope requires it."""
        found, open_ = [], collections.defaultdict(list)
        for e in events:
            if e["ph"] == "B":
                open_[e["tid"]].append(e)
                found.append(e)
            elif e["ph"] == "E":
                begin = open_[e["tid"]].pop()
                self.assertEqual(e["name"], begin["name"])
                if begin["cat"] in ("run", "program"):
                    found.append(e)
                else:
                    length = Chrome.ns(e["ts"]) - Chrome.ns(begin["ts"])
                    if length == 0:
                        self.assertEqual(e["args"], begin["args"])
                    begin["ph"] = "X"
                    begin["dur"] = "%d.%03d" % divmod(length, 1000)
            else:
                self.assertNotEqual(e["ph"], "X")
                found.append(e)
        self.assertFalse([stack for stack in open_.values() if stack])
        return found

    @staticmethod
    def ns(value):
        whole, _, rest = str(value).partition(".")
        assert len(rest) == 3, value
        return int(whole) * 1000 + int(rest)

    def slices(self, events):
        """Returns (begin, end, name) by lane; checks that they nest and are in order."""
        lanes, open_ = collections.defaultdict(list), collections.defaultdict(list)
        for e in events:
            if e["ph"] == "B":
                open_[e["tid"]].append((self.ns(e["ts"]), e["name"]))
            elif e["ph"] == "E":
                begin, name = open_[e["tid"]].pop()
                lanes[e["tid"]].append((begin, self.ns(e["ts"]), name))
            elif e["ph"] == "X":
                begin = self.ns(e["ts"])
                lanes[e["tid"]].append((begin, begin + self.ns(e["dur"]), e["name"]))
        self.assertFalse([stack for stack in open_.values() if stack])
        for slices in lanes.values():
            stack = []
            for begin, end, _ in sorted(slices, key=lambda s: (s[0], -s[1])):
                while stack and stack[-1] <= begin:
                    stack.pop()
                self.assertTrue(not stack or end <= stack[-1], "a slice of a lane overlaps another")
                self.assertLessEqual(begin, end)
                stack.append(end)
        return lanes

    def test_it_has_what_the_importer_asks_for(self):
        for name in BOTH:
            events, metadata = self.events(name, "--tiles", "worst:2")
            lanes, processes, flows = {}, set(), collections.defaultdict(list)
            for e in events:
                self.assertIn(e["ph"], "MBEXCsf")
                self.assertTrue(e["pid"] > 0 and e["tid"] > 0)
                if "args" in e:
                    self.assertIsInstance(e["args"], dict)
                    self.assertTrue(e["args"])
                if e["ph"] != "E":
                    self.assertTrue(e["name"])
                if e["ph"] == "M" and e["name"] == "thread_name":
                    self.assertNotIn(e["tid"], lanes)  # lanes are unique over processes
                    lanes[e["tid"]] = e["pid"]
                elif e["ph"] == "M" and e["name"] == "process_name":
                    processes.add(e["pid"])
                elif e["ph"] in "BEX":
                    self.assertEqual(lanes[e["tid"]], e["pid"])  # the lane is announced before its first event
                elif e["ph"] == "C":
                    self.assertIn(e["pid"], processes)
                    self.assertTrue(all(isinstance(v, int) and v >= 0 for v in e["args"].values()))
                elif e["ph"] in "sf":
                    flows[e["id"]].append(e)
                    self.assertEqual(e.get("bp"), "e" if e["ph"] == "f" else None)
            self.assertTrue(flows)
            for pair in flows.values():
                self.assertEqual([e["ph"] for e in pair], ["s", "f"])
                self.assertLessEqual(self.ns(pair[0]["ts"]), self.ns(pair[1]["ts"]))
                starts = {(e["tid"], self.ns(e["ts"])) for e in events if e["ph"] == "X"}
                self.assertTrue(all((e["tid"], self.ns(e["ts"])) in starts for e in pair))  # inside a slice
            self.assertIsNone(metadata["cut"])
            self.slices(events)

    def test_a_counter_of_live_bytes_has_an_event_only_where_its_value_changes(self):
        for name in BOTH:
            last = {}
            for e in self.events(name)[0]:
                if e["ph"] == "C" and e["name"] in ("live bytes", "live bytes, all categories"):
                    for key, value in e["args"].items():
                        self.assertNotEqual(last.get((e["name"], key)), value)
                        last[e["name"], key] = value
            self.assertIn(("live bytes, all categories", "bytes"), last)

    def test_arrows_lead_from_the_tile_that_sends_to_the_one_that_receives(self):
        for name in BOTH:
            events, metadata = self.events(name, "--tiles", "all")
            tiles = {e["tid"]: int(e["args"]["name"].split()[1]) for e in events
                     if e["ph"] == "M" and e["name"] == "thread_name" and e["args"]["name"].startswith("Tile ")}
            begins = {(e["tid"], self.ns(e["ts"])): e["args"]["program"] for e in events if e["ph"] == "X" and e["tid"] in tiles}
            arrows = collections.defaultdict(dict)
            for e in events:
                if e["ph"] in "sf" and e["tid"] in tiles:
                    arrows[e["id"]][e["ph"]] = e
            drawn = {(begins[a["s"]["tid"], self.ns(a["s"]["ts"])], tiles[a["s"]["tid"]], tiles[a["f"]["tid"]]) for a in arrows.values()}
            known = set()
            executed = {row[0] for row in query(name, "SELECT program FROM steps")}
            for program, per, senders, receivers, _ in traffic(name):
                self.assertEqual(per, 1)
                if program in executed:
                    known |= {(program, a, b) for a, b in zip(senders, receivers) if a != b}
            self.assertTrue(drawn)
            self.assertLessEqual(drawn, known)
            lanes, runs = collections.defaultdict(list), sorted({self.ns(e["ts"]) for e in events if e["ph"] == "B" and e["cat"] == "run"})
            for (lane, start), of in sorted(begins.items()):
                lanes[tiles[lane]].append((start, of))
            for program, _, receiver in known - drawn:  # exchanges after which the receiver does nothing in the run
                for (start, of), (after, _) in zip(lanes[receiver], lanes[receiver][1:]):
                    self.assertTrue(of != program or any(start < run <= after for run in runs), (program, receiver))
            self.assertEqual(metadata["exchangesByGroups"], 0)
            none, _ = self.events(name)
            self.assertFalse([e for e in none if e["ph"] in "sf" and e["tid"] in tiles])

    def test_the_parts_of_steps_add_up_to_the_runs(self):
        for name in BOTH:
            events, _ = self.events(name)
            program = {e["tid"]: e["pid"] for e in events if e["ph"] == "M" and e["name"] == "thread_name" and e["args"]["name"] == "Program"}
            lanes = self.slices(events)
            for lane, process in program.items():
                names = {e["name"] for e in events if e["ph"] == "B" and e["cat"] == "run"} # a label, where the run has one
                runs = [s for s in lanes[lane] if s[2] in names]
                self.assertEqual([end - begin for begin, end, _ in runs], runs_of(name))
                steps = sum(self.ns(e["dur"]) for e in events if e["ph"] == "X" and e["tid"] == lane)
                self.assertLessEqual(steps, sum(runs_of(name)))
                self.assertGreaterEqual(steps, sum(runs_of(name)) * 0.9)

    def test_an_ipu_of_which_no_tile_works_in_a_step_has_no_slice_of_it(self):
        work = re.compile("(Compute|Exchange|Exchange between IPUs|Host I/O)( [0-9]+)?$")
        for name in BOTH:
            events, _ = self.events(name)
            lanes = {e["tid"] for e in events if e["ph"] == "M" and e["name"] == "thread_name" and work.match(e["args"]["name"])}
            for e in events:
                if e["ph"] == "X" and e["tid"] in lanes:
                    self.assertGreater(e["args"]["activeTiles"], 0, (name, e))

    def test_programs_in_programs_and_iterations(self):
        events, _ = self.events("hostile", "--runs", "0")
        repeats = [e for e in events if e["ph"] == "B" and e["name"].startswith("Repeat") and e["pid"] == 1]
        self.assertEqual(len(repeats), 1)
        forward = [e for e in events if e["ph"] == "X" and e["name"] == "net/layer1/Fwd" and e["pid"] == 1]
        executed = query("hostile", "SELECT COUNT(*) FROM steps s JOIN programs p ON p.id = s.program WHERE s.run = 0 AND p.name = 'net/layer1/Fwd' AND p.type = 'OnTileExecute'")[0][0]
        self.assertEqual(len(forward), executed)
        self.assertEqual(repeats[0]["args"]["program"], query("hostile", "SELECT MIN(id) FROM programs WHERE type = 'Repeat'")[0][0])

    def test_cycles_of_a_tile_are_those_of_the_profile(self):
        events, _ = self.events("control_flow", "--tiles", "0")
        lane = [e["tid"] for e in events if e["ph"] == "M" and e["args"].get("name") == "Tile 0"]
        shown = sum(self.ns(e["dur"]) for e in events if e["ph"] == "X" and e["tid"] == lane[0])
        done = self.run_tool("sql", profile("control_flow"), "--json", "--expand", "SELECT cycles FROM steps_by_tile")
        steps = json.loads(done.stdout)
        values = [list(row.values())[0] for row in steps]
        self.assertEqual(shown, sum(v[0] for v in values if isinstance(v, list) and v))

    def test_choosing_and_cutting(self):
        everything, _ = self.events("control_flow")
        one, _ = self.events("control_flow", "--runs", "1")
        self.assertTrue(0 < len(one) < len(everything))
        self.assertTrue(all(e["args"].get("run") != 0 for e in one if e.get("cat") == "run"))
        some, metadata = self.events("control_flow", "--max-events", "100")
        self.assertRegex(metadata["cut"], r"run \d+, step \d+")
        self.assertLessEqual(metadata["events"], 100)
        self.assertGreater(metadata["events"], 60)
        self.slices(some)
        steps, _ = self.events("control_flow", "--steps", "8-10")
        self.assertEqual({e["args"]["program"] for e in steps if e["ph"] == "X"}, {8, 9, 10})

    def test_real_time(self):
        hz = query("hostile", "SELECT clock_hz FROM target")[0][0]
        events, metadata = self.events("hostile", "--time", "clock")
        first = next(e["name"] for e in events if e["ph"] == "B" and e["cat"] == "run")
        ends = [s for slices in self.slices(events).values() for s in slices if s[2] == first]
        self.assertAlmostEqual(ends[0][1] - ends[0][0], runs_of("hostile")[0] * 1e9 / hz, delta=1)
        self.assertEqual(metadata["timeUnit"], "ns by the clock")

    def test_spans_of_the_host_stand_beside_the_device(self):
        trace = os.path.join(PROFILES, "hostile.pvti")
        events, _ = self.events("hostile", "--pvti", trace)
        host = sorted((self.ns(e["ts"]), e["name"]) for e in events if e.get("cat") == "host")
        runs = [at for at, label in host if re.match(r"run \d", label)]
        device = [self.ns(e["ts"]) for e in events if e["ph"] == "B" and e["cat"] == "run" and e["pid"] == 1]
        self.assertIn("compile", [label for _, label in host])
        self.assertEqual(len(runs), len(device))
        for call, begun, after in zip(runs, device, runs[1:] + [float("inf")]):  # each run begins inside its call
            self.assertTrue(call <= begun < after, (call, begun, after))

    def test_a_profile_without_runs_is_refused_in_words(self):
        done = self.run_tool("export", profile("small"), "--format", "chrome", "-o", "x.json")
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"no recorded run", done.stderr)
        self.assertEqual(self.files(), [])


class Perfetto(ExportCase):
    def packets(self, name, *arguments):
        self.export(name, "perfetto", "-o", "t.pftrace", *arguments)
        with open(self.path("t.pftrace"), "rb") as trace:
            done = subprocess.run([need("protoc"), "--proto_path=" + HERE, "--decode=perfetto.protos.Trace", "perfetto_trace.proto"], stdin=trace,
                                  stdout=subprocess.PIPE, check=True)
        os.remove(self.path("t.pftrace"))
        text = done.stdout.decode()
        self.assertIsNone(re.search(r"^\s*\d+[:{ ]", text, re.MULTILINE), "a field that the format does not have")
        return [block.strip() for block in re.split(r"^packet \{$", text, flags=re.MULTILINE)[1:]]

    def test_it_tells_the_same_story_as_the_json(self):
        for name in BOTH:
            packets = self.packets(name, "--tiles", "worst:2")
            count = lambda what: sum(what in p for p in packets)
            self.export(name, "chrome", "-o", "t.json", "--tiles", "worst:2", "--overwrite")
            trace = json.loads(self.text("t.json"), parse_float=str)
            told = dict(re.findall(r'metadata \{\s*name: "(\w+)"\s*\w+: "?([^"\n]*)"?\s*\}', packets[-1]))
            self.assertEqual(told, {key: str(value) for key, value in trace["metadata"].items() if value is not None})
            self.assertIn("exchangesByGroups", told)
            events = Chrome.joined(self, trace["traceEvents"])
            phases = collections.Counter(e["ph"] for e in events)
            self.assertEqual(count("TYPE_SLICE_BEGIN"), phases["B"] + phases["X"])
            self.assertEqual(count("TYPE_SLICE_END"), phases["B"] + phases["X"])
            self.assertEqual(count("TYPE_COUNTER"), sum(len(e["args"]) for e in events if e["ph"] == "C"))
            self.assertEqual(count("terminating_flow_ids"), phases["f"])
            names = {m for p in packets for m in re.findall(r"event_names \{\s*iid: \d+\s*name: \"((?:[^\"\\]|\\.)*)\"", p)}
            self.assertEqual(len(names), len({e["name"] for e in events if e["ph"] in "BX"}))
            self.assertEqual(count("first_packet_on_sequence: true"), 1)

    def test_tracks_and_names_are_told_before_they_are_used(self):
        tracks, names, depth = set(), set(), collections.Counter()
        for p in self.packets("hostile"):
            uuid = re.search(r"track_descriptor \{\s*uuid: (\d+)", p)
            if uuid:
                tracks.add(uuid[1])
                parent = re.search(r"parent_uuid: (\d+)", p)
                self.assertTrue(parent is None or parent[1] in tracks)
            names |= set(re.findall(r"event_names \{\s*iid: (\d+)", p))
            used = re.search(r"track_uuid: (\d+)", p)
            if used:
                self.assertIn(used[1], tracks)
                depth[used[1]] += ("TYPE_SLICE_BEGIN" in p) - ("TYPE_SLICE_END" in p)
                self.assertGreaterEqual(depth[used[1]], 0)
            if "TYPE_SLICE_BEGIN" in p:
                self.assertIn(re.search(r"^    name_iid: (\d+)$", p, re.MULTILINE)[1], names)
        self.assertEqual(set(depth.values()), {0})

    def test_bytes_have_their_unit(self):
        self.assertTrue(any("UNIT_SIZE_BYTES" in p and "live bytes" in p for p in self.packets("hostile")))
