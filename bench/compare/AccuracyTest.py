"""AccuracyTest.py ROOT COMPARE: checks that docs/ACCURACY.md equals the output of popscope_compare, and that its marks are right.

The program takes its marks from the profile. This test derives the marks from an experiment with every cycle estimate doubled. A figure
that is input doubles, a figure with a part of input grows by that part, and a figure without a mark stays the same (within 3 %, because
waits shift a little). Rows of bytes do not depend on cycles. The rows marked as calibrated must be those that `chosenBy` names in the
sources of target-models/data. The test recomputes errors and medians of the recorded rows. Exits with 1 if there are findings, otherwise
with 0.
"""

import glob
import json
import os
import re
import statistics
import subprocess
import sys

TOLERANCE = 0.03


def tables(text):
    """Returns (title, quantity) -> (ours, mark)."""
    rows, title = {}, ""
    for line in text.splitlines():
        if line.startswith("## "):
            title = line[3:]
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| ") and len(cells) == 5 and cells[0] not in ("Figure", "looked at", "held back", "Median error, without sign"):
            rows[title, cells[0]] = (float(cells[2].replace(",", "")), cells[4])
    return rows


def part(mark):
    """Returns the part of a figure that its mark calls input."""
    found = re.fullmatch(r"\*(?:(\d+) % )?input\*", mark)
    return 0 if not found else 1 if found[1] is None else int(found[1]) / 100


def check(once, twice):
    findings = [] if set(once) == set(twice) else ["the two pages have different rows"]
    for key in sorted(set(once) & set(twice)):
        (before, mark), (after, _) = once[key], twice[key]
        grows = (after - before) / before if before else after
        wanted = 0 if key[1].endswith("total data") else part(mark)
        if round(abs(grows - wanted), 2) > TOLERANCE:  # whole percents, as marks are
            findings.append("%s, %s: grows by %.0f %% with the estimates, its mark is '%s'" % (key + (grows * 100, mark)))
    return findings


def chosen(root):
    """Returns the rows by which constants of machines were chosen."""
    rows = set()
    for path in glob.glob(os.path.join(root, "target-models", "data", "*.json")):
        with open(path, encoding="utf-8") as data:
            for source in json.load(data)["sources"].values():
                rows |= set(source.get("chosenBy", []))
    return rows


def checkCalibrated(once, chosenRows):
    marked = {quantity for (_, quantity), (_, mark) in once.items() if mark == "*calibrated*"}
    return ["%s: marked as calibrated, and no source of a machine says so" % row for row in sorted(marked - chosenRows)] + \
           ["%s: a constant was chosen by it, and it has no mark" % row for row in sorted(chosenRows - marked)]


def recorded(text):
    """Returns the recorded rows: (name, group, [(published, ours, error)] * 3), and group -> (rows, [median] * 3)."""
    rows, medians = [], {}
    for line in text.splitlines():
        cells = [cell.strip().replace(",", "") for cell in line.strip("|").split("|")]
        if line.startswith("| ") and len(cells) == 11 and cells[0] != "Row":
            values = [tuple(float(cell.rstrip(" %")) for cell in cells[i:i + 3]) for i in (2, 5, 8)]
            rows.append((cells[0], cells[1], values))
        elif line.startswith("| ") and len(cells) == 5 and cells[0] in ("looked at", "held back"):
            medians[cells[0]] = (int(cells[1]), [float(cell.rstrip(" %")) for cell in cells[2:]])
    return rows, medians


def checkRecorded(rows, medians, text=""):
    findings = []
    told = re.search(r"(\d+) of the first 64\s+rows and (\d+) of the next", text)
    if text and (not told or int(told[1]) + int(told[2]) != len(rows)):
        findings.append("%d rows are listed; the page tells of %s" % (len(rows), told and told[0]))
    for name, _, values in rows:
        findings += ["%s: error %.2f" % (name, error) for published, ours, error in values
                     if abs((ours - published) / published * 100 - error) > 0.006]
    for group, (count, shown) in sorted(medians.items()):
        of = [values for _, rowGroup, values in rows if rowGroup == group]
        exact = [statistics.median(abs(v[i][1] - v[i][0]) / v[i][0] * 100 for v in of) for i in range(3)] if of else [0, 0, 0]
        if count != len(of) or any(abs(a - b) > 0.006 for a, b in zip(exact, shown)):
            findings.append("%s: %d rows with medians %s" % (group, len(of), exact))
    if len({name for name, _, _ in rows}) != len(rows):
        findings.append("a row is listed twice")
    return findings


def rules(text):
    """Returns the table of rules: group -> [medians], and name -> (group, published, [(ours, error)] * 3) for rows that differ."""
    medians, rows = {}, {}
    for line in text.splitlines():
        cells = [cell.strip().replace(",", "") for cell in line.strip("|").split("|")]
        if line.startswith("| ") and len(cells) == 7 and cells[0] in ("looked at", "held back"):
            medians[cells[0]] = [float(cell.rstrip(" %")) for cell in cells[2:5]]
        elif line.startswith("| ") and len(cells) == 9 and cells[0] != "Row where they differ" and not cells[0].startswith("-"):
            values = [float(cell.rstrip(" %")) for cell in cells[2:]]
            rows[cells[0]] = (cells[1], values[0], list(zip(values[1::2], values[2::2])))
    return medians, rows


def checkRules(recordedRows, medians, rows):
    findings = []
    errors = {}
    for name, group, values in recordedRows:
        published, ours, error = values[0]
        _, other, under = rows.get(name, (group, published, [(ours, error)] * 3))
        if other != published or under[0][0] != ours:
            findings.append("%s: not as in the table of rows" % name)
        for k, (cycles, shown) in enumerate(under):
            exact = (cycles - published) / published * 100
            errors.setdefault((group, k), []).append(abs(exact))
            if abs(exact - shown) > 0.006:
                findings.append("%s: error %.2f" % (name, shown))
    for group, shown in sorted(medians.items()):
        findings += ["%s: median %.2f under rules %d" % (group, a, k) for k, a in enumerate(shown)
                     if abs(a - statistics.median(errors.get((group, k), [-1]))) > 0.006]
    return findings + (["the table of rules is missing"] if not medians else [])


def today(text):
    """Returns the rows with the current costs: name -> (family, published, (release, error), (today, error)), family -> (rows, release's
    median, today's), and the medians of absolute errors of all rows (rows, today, release)."""
    rows, families = {}, {}
    text = text.partition("### The rows with today's costs")[2].partition("\n## ")[0]
    for line in text.splitlines():
        cells = [cell.strip().replace(",", "") for cell in line.strip("|").split("|")]
        if line.startswith("| ") and len(cells) == 8 and cells[0] != "Row today's costs":
            values = [float(cell.rstrip(" %")) for cell in cells[2:7]]
            rows[cells[0]] = (cells[1], values[0], (values[1], values[2]), (values[3], values[4]))
        elif line.startswith("| ") and len(cells) == 4 and re.fullmatch(r"\d+", cells[1]):
            families[cells[0]] = (int(cells[1]), float(cells[2].split(" ")[0]), float(cells[3].split(" ")[0]))
    whole = re.search(r"(\d+) of the 207 rows ran again.*?The median error of the cycles of these rows is ([\d.]+) %\.\s+With the machine\s+file of the "
                      r"release,\s+this\s+error\s+is\s+([\d.]+) %", text, re.DOTALL)
    return rows, families, whole and (int(whole[1]), float(whole[2]), float(whole[3]))


def checkToday(rows, families, whole, known):
    """Returns findings about the rows with the current costs. `known`: name -> (published, the release's cycles), from the other tables."""
    findings = [] if rows else ["the table of rows with today's costs is missing"]
    of, both = {}, []
    for name, (family, published, release, now) in sorted(rows.items()):
        if known.get(name) != (published, release[0]):
            findings.append("%s: not as in the other tables of rows" % name)
        exact = [(cycles - published) / published * 100 for cycles, _ in (release, now)]
        findings += ["%s: error %.2f" % (name, shown) for e, (_, shown) in zip(exact, (release, now)) if abs(e - shown) > 0.006]
        of.setdefault(family, []).append(exact)
        both.append(exact)
    for family in sorted(set(of) | set(families)):
        count, shown = families.get(family, (0, 0, 0))[0], families.get(family, (0, 0, 0))[1:]
        exact = [statistics.median(e[k] for e in of.get(family, [[0, 0]])) for k in (0, 1)]
        if count != len(of.get(family, [])) or any(abs(a - b) > 0.006 for a, b in zip(exact, shown)):
            findings.append("%s: %d rows with medians %s" % (family, len(of.get(family, [])), exact))
    exact = [statistics.median(abs(e[k]) for e in both) for k in (1, 0)] if both else [0, 0]
    if rows and (not whole or whole[0] != len(rows) or any(abs(a - b) > 0.006 for a, b in zip(exact, whole[1:]))):
        findings.append("all rows with today's costs: %d with medians %s" % (len(rows), exact))
    return findings


def known(text):
    """Returns name -> (published, ours) of the cycles of all recorded rows."""
    found = {name: values[0][:2] for name, _, values in recorded(text)[0]}
    for line in text.splitlines():
        cells = [cell.strip().replace(",", "") for cell in line.strip("|").split("|")]
        if line.startswith("| ") and len(cells) == 10 and cells[0] != "Row":
            found[cells[0]] = (float(cells[1]), float(cells[2]))
    return found


def codelets(text):
    """Returns the table of codelets: (group, published, [(ours, error)] * 8), and group -> (rows, [median] * 8)."""
    rows, medians = [], {}
    for line in text.splitlines():
        cells = [cell.strip().strip("*").replace(",", "") for cell in line.strip("|").split("|")]
        if line.startswith("| ") and len(cells) == 12 and cells[0] in ("looked at", "held back"):
            medians[cells[0]] = (int(cells[3]), [float(cell.rstrip(" %")) for cell in cells[4:]])
        elif line.startswith("| ") and len(cells) == 12 and cells[1] in ("looked at", "held back"):
            rows.append((cells[1], float(cells[3]), [tuple(map(float, cell.rstrip(" %").split())) for cell in cells[4:]]))
    return rows, medians


def checkCodelets(rows, medians):
    findings = [] if rows and len(medians) == 2 else ["the table of codelets is missing"]
    for group, published, under in rows:
        findings += ["a codelet of %s: error %.0f" % (published, error) for ours, error in under
                     if abs((ours - published) / published * 100 - error) > 0.51]
    for group, (count, shown) in sorted(medians.items()):
        of = [[abs(ours - published) / published * 100 for ours, _ in under] for rowGroup, published, under in rows if rowGroup == group]
        if count != len(of) or any(abs(statistics.median(column) - a) > 0.51 for column, a in zip(zip(*of), shown)):
            findings.append("%s: %d codelets with other medians" % (group, len(of)))
    return findings


def selfTest():
    codelet = ("held back", 10.0, [(12.0, 20.0)] * 8)
    assert checkCodelets([codelet], {"held back": (1, [20.0] * 8), "looked at": (0, [])}) == []
    assert len(checkCodelets([codelet], {"held back": (1, [21.0] * 8), "looked at": (0, [])})) == 1 and len(checkCodelets([], {})) == 1
    assert len(checkCodelets([("held back", 10.0, [(12.0, 22.0)] * 8)], {"held back": (1, [20.0] * 8), "looked at": (0, [])})) == 8
    row = ("r", "looked at", [(100.0, 110.0, 10.0), (100.0, 100.0, 0.0), (200.0, 100.0, -50.0)])
    assert checkRecorded([row], {"looked at": (1, [10.0, 0.0, 50.0])}) == []
    assert len(checkRecorded([row], {"looked at": (2, [10.0, 0.0, 50.0])})) == 1
    assert len(checkRecorded([("r", "looked at", [(100.0, 110.0, 9.0)] + row[2][1:])], {})) == 1
    assert checkRecorded([row], {}, "ran: 1 of the first 64\nrows and 0 of the next") == []
    assert len(checkRecorded([row], {}, "ran: 1 of the first 64 rows and 1 of the next")) == 1 and len(checkRecorded([row], {}, "none")) == 1
    under = {"r": ("looked at", 100.0, [(110.0, 10.0), (120.0, 20.0), (130.0, 30.0)])}
    assert checkRules([row], {"looked at": [10.0, 20.0, 30.0]}, under) == []
    assert len(checkRules([row], {"looked at": [10.0, 21.0, 30.0]}, under)) == 1
    assert len(checkRules([row], {"looked at": [10.0, 20.0, 30.0]}, {"r": ("looked at", 100.0, [(110.0, 10.0), (120.0, 20.0), (130.0, 33.0)])})) == 1
    assert len(checkRules([row], {"looked at": [10.0, 10.0, 10.0]}, {})) == 0 and len(checkRules([row], {}, {})) == 1
    now = ({"r": ("f", 100.0, (110.0, 10.0), (90.0, -10.0))}, {"f": (1, 10.0, -10.0)}, (1, 10.0, 10.0))
    assert checkToday(*now, {"r": (100.0, 110.0)}) == [] and len(checkToday({}, {}, None, {})) == 1
    assert len(checkToday(*now, {"r": (100.0, 111.0)})) == 1 and len(checkToday(*now, {})) == 1
    assert len(checkToday({"r": ("f", 100.0, (110.0, 10.0), (90.0, -11.0))}, *now[1:], {"r": (100.0, 110.0)})) == 1
    assert len(checkToday(now[0], {"f": (2, 10.0, -10.0)}, now[2], {"r": (100.0, 110.0)})) == 1
    assert len(checkToday(*now[:2], (1, 10.0, 11.0), {"r": (100.0, 110.0)})) == 1
    assert len(checkCalibrated({("t", "a"): (1.0, "*calibrated*"), ("t", "b"): (1.0, "")}, {"b"})) == 2
    good = {("t", "compute"): (100.0, "*input*"), ("t", "total"): (200.0, "*50 % input*"), ("t", "sync"): (7.0, "")}
    doubled = {("t", "compute"): (200.0, ""), ("t", "total"): (300.0, ""), ("t", "sync"): (7.0, "")}
    assert check(good, doubled) == []
    for key in good:
        wrong = dict(good)
        wrong[key] = (good[key][0], "" if good[key][1] else "*input*")
        assert len(check(wrong, doubled)) == 1, key


def main(root, compare):
    selfTest()
    texts = [subprocess.run([compare, factor], check=True, stdout=subprocess.PIPE, universal_newlines=True).stdout for factor in ("1", "2")]
    findings = check(tables(texts[0]), tables(texts[1])) + checkCalibrated(tables(texts[0]), chosen(root))
    findings += checkRecorded(*recorded(texts[0]), texts[0]) + checkRules(recorded(texts[0])[0], *rules(texts[0]))
    findings += checkCodelets(*codelets(texts[0])) + checkToday(*today(texts[0]), known(texts[0]))
    with open(os.path.join(root, "docs", "ACCURACY.md"), encoding="utf-8") as page:
        if page.read() != texts[0]:
            findings.append("docs/ACCURACY.md is not what the programs give; run scripts/update-docs.sh")
    for finding in findings:
        print("accuracy: " + finding)
    print("accuracy: %d rows, %d findings" % (len(tables(texts[0])), len(findings)))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
