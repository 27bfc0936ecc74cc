"""Pictures, graphs and tables for papers, checked by xmllint, Graphviz and lacheck."""

import json
import math
import os
import re
import statistics
import subprocess
import xml.etree.ElementTree as tree

from Exports import BOTH, ExportCase, need, profile, query, traffic

SVG = "{http://www.w3.org/2000/svg}"


def check(tool, *arguments):
    done = subprocess.run([need(tool)] + list(arguments), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
    return done.returncode, done.stdout.decode("utf-8", "replace")


def number(text):
    return int(text.replace(",", ""))


class Svg(ExportCase):
    def pictures(self, name, *arguments):
        self.export(name, "svg", "-o", name, "--overwrite", *arguments)
        result = {}
        for file in os.listdir(self.path(name)):
            self.assertEqual(check("xmllint", "--noout", self.path(name + "/" + file)), (0, ""))
            result[file] = tree.parse(self.path(name + "/" + file)).getroot()
        return result

    @staticmethod
    def tips(picture):
        return [e.find(SVG + "title").text for e in picture.iter() if e.tag in (SVG + "rect", SVG + "path") and e.find(SVG + "title") is not None]

    def test_each_has_a_title_and_axes_with_units(self):
        asked = {"memory_flow.svg": ("address (bytes)", "step, by the id"), "liveness.svg": ("live (bytes)", "step, by the id"), "timeline.svg": ("cycles since the run began",),
                 "histogram.svg": ("bytes used on a tile", "tiles"), "tile_map.svg": ("IPU 0",)}
        for name in BOTH:
            pictures = self.pictures(name)
            self.assertEqual(set(pictures), set(asked))
            for file, labels in asked.items():
                texts = [e.text or "" for e in pictures[file].iter(SVG + "text")]
                self.assertTrue(pictures[file].find(SVG + "title").text)
                self.assertEqual(texts[0], pictures[file].find(SVG + "title").text)
                for label in labels:
                    self.assertTrue(any(label in t for t in texts), (file, label))
                width = float(pictures[file].get("width"))
                self.assertTrue(all(-0.5 <= float(r.get("x", 0)) <= width and float(r.get("height").rstrip("%")) >= 0 for r in pictures[file].iter(SVG + "rect")))

    def test_tile_map_and_histogram_have_every_tile_with_its_bytes(self):
        for name in BOTH:
            pictures = self.pictures(name)
            told = json.loads(self.run_tool("top", profile(name), "--of", "tiles", "-n", "0", "--json").stdout)
            rows = [rows for rows in told["tables"].values()][0]["rows"]
            bytes_ = {row["tile"]: row["bytes"] for row in rows}
            shown = dict(re.match(r"tile (\d+): ([\d,]+) B", tip).groups() for tip in self.tips(pictures["tile_map.svg"]))
            self.assertEqual({int(t): number(b) for t, b in shown.items()}, bytes_)
            bars = [re.match(r"([\d,]+) to ([\d,]+) B: ([\d,]+) tiles?$", tip).groups() for tip in self.tips(pictures["histogram.svg"])]
            for first, last, count in bars:
                self.assertEqual(number(count), sum(number(first) <= b <= number(last) for b in bytes_.values()))

    def test_histogram_has_the_median_of_its_tiles(self):
        for name, tiles, count in (("hostile", "0-3", "4 tiles"), ("hostile", "0-4", "5 tiles"), ("hostile", "7", "1 tile"), ("small", "0-1", "2 tiles")):
            told = json.loads(self.run_tool("top", profile(name), "--of", "tiles", "--tiles", tiles, "-n", "0", "--json").stdout)
            used = [row["bytes"] for row in [rows for rows in told["tables"].values()][0]["rows"]]
            middle = math.floor(statistics.median(used) + 0.5)
            texts = [e.text or "" for e in self.pictures(name, "--tiles", tiles)["histogram.svg"].iter(SVG + "text")]
            subtitle = "{}; least {:,} B, median {:,} B, most {:,} B;".format(count, min(used), middle, max(used))
            self.assertTrue(any(t.startswith(subtitle) for t in texts), (subtitle, texts[:3]))

    def test_no_two_allocations_of_a_picture_overlap(self):
        for name in BOTH:
            picture = self.pictures(name)["memory_flow.svg"]
            placed = []
            for tip in self.tips(picture):
                size, address, first, last = re.search(r", ([\d,]+) B at ([\d,]+), steps (\d+)(?: to (\d+))?$", tip, re.DOTALL).groups()
                placed.append((number(address), number(address) + number(size), int(first), int(last or first)))
            tile = int(re.match(r"Memory of tile (\d+)", picture.find(SVG + "title").text)[1])
            stored = query(name, "SELECT COUNT(*) FROM vars_info WHERE tile = %d" % tile)[0][0]
            self.assertGreaterEqual(len(placed), stored * 0.5)
            for i, a in enumerate(placed):
                for b in placed[:i]:
                    self.assertFalse(a[0] < b[1] and b[0] < a[1] and a[2] <= b[3] and b[2] <= a[3], (a, b))

    def test_most_live_is_that_of_the_profile(self):
        for name in BOTH:
            always = query(name, "SELECT SUM(size_bytes) FROM liveness_variables WHERE always_live")[0][0]
            most = query(name, "SELECT MAX(size_bytes) FROM liveness_steps")[0][0]
            texts = [e.text for e in self.pictures(name)["liveness.svg"].iter(SVG + "text")]
            self.assertIn("most live: {:,} B".format(always + most), texts)

    def test_a_tile_can_be_chosen(self):
        self.assertEqual(self.pictures("hostile", "--tiles", "7")["memory_flow.svg"].find(SVG + "title").text, "Memory of tile 7 over the program")

    def test_a_profile_without_runs_has_the_pictures_of_memory(self):
        self.assertIn("tile_map.svg", self.pictures("small"))
        self.assertNotIn("timeline.svg", self.pictures("small"))


class Graphs(ExportCase):
    def graph(self, name, file):
        code, drawn = check("dot", "-Tplain", self.path(name + "/" + file))
        self.assertEqual(code, 0, drawn)
        self.assertNotIn("Warning", drawn)
        lines = drawn.splitlines()
        return {l.split()[1] for l in lines if l.startswith("node ")}, [tuple(l.split()[1:3]) for l in lines if l.startswith("edge ")]

    def test_programs_in_programs(self):
        for name in BOTH:
            self.export(name, "dot", "-o", name)
            nodes, edges = self.graph(name, "programs.dot")
            self.assertEqual(nodes, {"p%d" % row[0] for row in query(name, "SELECT id FROM programs")})
            self.assertEqual(set(edges), {("p%d" % row[1], "p%d" % row[0]) for row in query(name, "SELECT id, parent FROM programs WHERE parent IS NOT NULL")})

    def test_exchanges_and_data(self):
        self.export("hostile", "dot", "-o", "hostile")
        nodes, edges = self.graph("hostile", "exchanges.dot")
        told = 0
        for program, _, senders, receivers, size in traffic("hostile"):
            pairs = sorted(zip(size, senders, receivers), key=lambda p: -p[0])
            own = [e for e in edges if e[0].startswith("p%d_" % program)]
            self.assertEqual(len(own), min(len(pairs), 16))
            self.assertLessEqual(set(own), {("p%d_%d" % (program, a), "p%d_%d" % (program, b)) for _, a, b in pairs})
            told += len(own)
        self.assertGreater(told, 0)
        self.assertTrue(any(n.startswith("from") for n in nodes) or any(n.startswith("to") for n in nodes))  # of host copies
        nodes, edges = self.graph("hostile", "data.dot")
        writer = "p%d" % query("hostile", "SELECT id FROM programs WHERE name = 'net/layer1/Fwd' AND type = 'OnTileExecute'")[0][0]
        self.assertTrue(any(writer in edge for edge in edges) or nodes)


class Papers(ExportCase):
    def test_latex(self):
        for name in BOTH:
            self.export(name, "latex", "-o", name + ".tex")
            code, said = check("lacheck", self.path(name + ".tex"))
            self.assertEqual([line for line in said.splitlines() if "unmatched" in line or "<- " in line], [])
            text = self.text(name + ".tex")
            self.assertEqual(text.count("\\begin{tabular}"), text.count("\\end{tabular}"))
            for table in re.findall(r"\\begin\{tabular\}\{([lr]+)\}(.*?)\\end\{tabular\}", text, re.DOTALL):
                for row in re.findall(r"^    ([^\\].*) \\\\$", table[1], re.MULTILINE):
                    self.assertEqual(len(re.split(r"(?<!\\)&", row)), len(table[0]), row)

    def test_markdown(self):
        for name in BOTH:
            self.export(name, "md", "-o", name + ".md")
            lines = self.text(name + ".md").splitlines()
            for line, rule in zip(lines, lines[1:]):
                if re.fullmatch(r"\|(-+:?\|)+", rule):
                    self.assertEqual(len(re.split(r"(?<!\\)\|", line)), len(rule.split("|")))
            self.assertGreater(sum(line.startswith("|") for line in lines), 10)
