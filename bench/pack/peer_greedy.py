#!/usr/bin/env python3
"""A peer for popscope_pack_bench --peer: greedy packing by decreasing size, in the CSV of MiniMalloc.

    peer_greedy.py --capacity=BYTES --input=FILE --output=FILE

The input has the columns id, lower, upper and size in any order; times are half-open. The output repeats these columns and adds offset.
Exits with 1, without output, if the packing does not fit below the capacity. This script shows the interface; its packings are worse than
those of a search.
"""
import argparse
import csv
import sys


def first_fit(rows):
    """Sets the offset of each row, and returns the highest end. Places the largest row first, each row at the lowest address where it
    overlaps no row that exists at the same time."""
    placed = []
    for row in sorted(rows, key=lambda r: (-r["size"], r["lower"], r["id"])):
        at = 0
        for begin, end, lower, upper in sorted(placed):
            if lower < row["upper"] and row["lower"] < upper:
                if begin >= at + row["size"]:
                    break
                at = max(at, end)
        placed.append((at, at + row["size"], row["lower"], row["upper"]))
        row["offset"] = at
    return max((end for _, end, _, _ in placed), default=0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--capacity", type=int, required=True)
    parser.add_argument("--input", required=True)
    parser.add_argument("--output", required=True)
    options = parser.parse_args()
    names = ["id", "lower", "upper", "size"]
    with open(options.input, newline="") as f:
        rows = [{n: int(r[n]) if n != "id" else r[n] for n in names} for r in csv.DictReader(f)]
    if first_fit(rows) > options.capacity:
        return 1
    with open(options.output, "w", newline="") as f:
        writer = csv.DictWriter(f, names + ["offset"], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
