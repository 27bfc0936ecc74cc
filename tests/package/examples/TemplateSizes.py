"""Runs the example mlp with every template, and compares the size of its files with the size that the template states.

Arguments: the program popscope, and the program mlp.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

popscope, mlp = sys.argv[1:3]
TOLERANCE = 0.1  # sizes are stated with two digits, and samples of the host depend on the time
environment = {k: v for k, v in os.environ.items() if not k.startswith(("POPLAR_", "POPSCOPE_"))}
stated = subprocess.run([popscope, "config", "templates"], env=environment, stdout=subprocess.PIPE, check=True, text=True).stdout
sizes = {name: float(size) for name, size in re.findall(r"^(\w+)\n(?:    .*\n)*?    time x .*; ([\d.]+) MB", stated, re.MULTILINE)}
assert len(sizes) > 5, stated
wrong = []
for name, size in sizes.items():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([popscope, "run", "-q", "--template", name, "--directory", folder, "--", mlp, "--epochs", "1", "--no-summary"],
                       env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)  # ends with 1: one epoch is too few
        megabytes = sum(file.stat().st_size for file in pathlib.Path(folder).rglob("*") if file.is_file()) / 1e6
    print("%-8s states %4.1f MB and writes %5.2f MB" % (name, size, megabytes))
    if abs(megabytes - size) > TOLERANCE * size:
        wrong.append(name)
sys.exit("other sizes: %s" % ", ".join(wrong) if wrong else 0)
