#!/usr/bin/env python3
"""Rewrites the golden texts of the examples from a build.

    tests/golden/update.py BUILD_FOLDER [EXAMPLE ...]       (without EXAMPLE: all)

Each text is the standard output of BUILD_FOLDER/bin/EXAMPLE and nothing else: no path, no time, no version of ours. An
example that fails, prints a path of this machine, or prints something else when run again leaves its text as it was.
Read the difference before you keep it.
"""
import os
import pathlib
import subprocess
import sys

TEXTS = pathlib.Path(__file__).resolve().parent / "examples"
EXAMPLES = ("control_flow", "liveness")
# What would change the output of a program.
IGNORED = ("POPLAR_ENGINE_OPTIONS", "POPLAR_TARGET_OPTIONS", "CLICOLOR", "CLICOLOR_FORCE")


def output_of(binary):
    environment = {k: v for k, v in os.environ.items() if k not in IGNORED}
    result = subprocess.run([binary], stdout=subprocess.PIPE, env=environment, check=False)
    if result.returncode != 0:
        raise ValueError(f"{binary} ended with {result.returncode}")
    return result.stdout


def golden_text(build, example):
    binary = build / "bin" / example
    text = output_of(binary)
    if output_of(binary) != text:
        raise ValueError(f"{binary} prints something else each time")
    for path in (build, TEXTS.parents[2]):
        if str(path).encode() in text:
            raise ValueError(f"{binary} prints the path {path}")
    return text


def main(arguments):
    if not arguments or arguments[0].startswith("-"):
        print(__doc__)
        return 0 if arguments[:1] in (["-h"], ["--help"]) else 2
    build = pathlib.Path(arguments[0]).resolve()
    failed = False
    for example in arguments[1:] or EXAMPLES:
        file = TEXTS / f"{example}.txt"
        try:
            text = golden_text(build, example)
        except (OSError, ValueError) as error:
            print(f"update.py: {error}", file=sys.stderr)
            failed = True
            continue
        changed = not file.exists() or file.read_bytes() != text
        if changed:
            file.write_bytes(text)
        print(f"{example}: {'rewritten' if changed else 'unchanged'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
