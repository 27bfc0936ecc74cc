#!/usr/bin/env python3
"""Rewrites the golden texts of the examples and of the views' answers from a build.

    tests/golden/update.py BUILD_FOLDER [EXAMPLE ...]       (without EXAMPLE: all)

Each text is the standard output of BUILD_FOLDER/bin/EXAMPLE or, if there is a script examples/EXAMPLE.sh, of that script on
BUILD_FOLDER/bin. It contains no path, time or version of Popscope. If an example fails, prints a path of this machine, or prints a
different text when run again, its golden text does not change. Review the difference before you commit it.
"""
import os
import pathlib
import subprocess
import sys

TEXTS = pathlib.Path(__file__).resolve().parent / "examples"
EXAMPLES = ("answers", "commands", "control_flow", "liveness", "mlp_liveness", "pages", "tools")
# Variables that would change the output of a program.
IGNORED = ("POPLAR_ENGINE_OPTIONS", "POPLAR_TARGET_OPTIONS", "CLICOLOR", "CLICOLOR_FORCE")


def command_of(build, example):
    script = TEXTS / f"{example}.sh"
    return ["sh", script, build / "bin"] if script.exists() else [build / "bin" / example]


def output_of(command):
    environment = {k: v for k, v in os.environ.items() if k not in IGNORED}
    result = subprocess.run(command, stdout=subprocess.PIPE, env=environment, check=False)
    if result.returncode != 0:
        raise ValueError(f"{command[-1]} ended with {result.returncode}")
    return result.stdout


def golden_text(build, example):
    command = command_of(build, example)
    text = output_of(command)
    if output_of(command) != text:
        raise ValueError(f"{example} prints something else each time")
    for path in (build, TEXTS.parents[2]):
        if str(path).encode() in text:
            raise ValueError(f"{example} prints the path {path}")
    return text


def update_answers(build):
    """Updates report/answers.txt through the test that compares it."""
    text = TEXTS.parent / "report" / "answers.txt"
    before = text.read_bytes() if text.exists() else b""
    environment = dict(os.environ, POPSCOPE_WRITE_GOLDEN=str(text))
    subprocess.run([build / "bin" / "test_golden_report", "-ts=report.golden answers"], stdout=subprocess.DEVNULL, env=environment, check=True)
    print(f"report/answers: {'rewritten' if text.read_bytes() != before else 'unchanged'}")


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
    if not arguments[1:] and (build / "bin" / "test_golden_report").exists():
        update_answers(build)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
