"""The commands `sweep` and `archive` of `python -m popscope`."""

from __future__ import annotations

import argparse
import glob
import itertools
import json
import os
import signal
import sys
from typing import Any, Dict, List

from popscope._archive import archive
from popscope._sweep import METRICS, Command, endAtSignals, signalThatEnds, sweep


def _value(text: str) -> Any:
    """Returns the value of a machine's field: JSON, or else the text itself."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _workers(text: str) -> int:
    """Returns the value of --workers. Raises ArgumentTypeError if it is no whole number of 1 or more."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError("give a whole number of 1 or more, not '%s'" % text)
    return int(text)


def _sweep(words: List[str]) -> int:
    parser = argparse.ArgumentParser(prog="popscope sweep", usage="%(prog)s [options] -- PROGRAM [ARGUMENTS]", description="Runs an unmodified program for every combination of settings, each in a process of "
                                     "its own, and stores the metrics in one SQLite file. A point that the file already has does not run again. A point that fails also gets a row.")
    parser.add_argument("--machine", action="append", default=[], metavar="MACHINE", help="built-in machines, files or patterns of files, separated by commas")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=V1,V2", help="values of a field of the machine (exchange.bytesPerCycle=4,8), of an engine option "
                        "(option:NAME=...) or of an environment variable (env:NAME=...); repeat for more")
    parser.add_argument("--metric", action="append", default=[], metavar="NAME", help="metric to keep, as popscope numbers lists it; repeat for more; default: %s" % ", ".join(METRICS))
    parser.add_argument("-o", "--database", default="sweep.db", metavar="FILE", help="default sweep.db")
    parser.add_argument("-j", "--workers", type=_workers, metavar="N", help="number of processes at a time; default: the number of cores")
    parser.add_argument("--retry", action="store_true", help="run failed points again")
    parser.add_argument("--timeout", type=float, metavar="SECONDS", help="time limit of one point; default: no limit")
    parser.add_argument("--re-simulate", action="store_true", help="for points that differ only in exchange.* and sync.*, compile the program once, without these fields; each point gets "
                        "the bytes of that profile and the cycles of popscope whatif, without the decisions that the compiler takes by exchange.*; applies only if every metric is cycles "
                        "or bytes.*")
    parser.add_argument("--json", action="store_true", help="print the points as JSON")
    own = list(itertools.takewhile(lambda word: word != "--", words))
    arguments, program = parser.parse_args(own), words[len(own) + 1:]
    if len(own) == len(words):
        parser.error("the program comes after --: popscope sweep --set exchange.bytesPerCycle=4,8 -- ./program")
    if not program:
        parser.error("there is no program after --")
    over: Dict[str, List[Any]] = {}
    machines = [found for text in arguments.machine for one in text.split(",") for found in (sorted(glob.glob(one)) or [one])]
    if machines:
        over["machine"] = machines
    for text in arguments.set:
        name, equals, values = text.partition("=")
        if not equals or not name:
            parser.error("--set takes NAME=V1,V2, not '%s'" % text)
        if name in over:
            parser.error("the machine is given by --machine and by --set machine; give all machines to --machine" if name == "machine" and machines else
                         "--set %s is given twice; give one list of its values: --set %s=V1,V2" % (name, name))
        over[name] = [v if name.startswith(("option:", "env:")) else _value(v) for v in values.split(",")]
    if not over:
        parser.error("give --machine or --set: there is nothing to vary")
    result = sweep(Command(program, arguments.timeout, arguments.re_simulate), over, arguments.metric or METRICS, database=arguments.database, workers=arguments.workers,
                   retry=arguments.retry)
    rows = result.rows()
    if arguments.json:
        print(json.dumps(rows, indent=2))
    else:
        names = [n for n in dict.fromkeys(k for row in rows for k in row) if n not in ("worker", "how", "seconds")]
        print(*names, sep="\t")
        for row in rows:
            print(*("" if row.get(n) is None else row[n] for n in names), sep="\t")
    return 1 if result.failed else 0


def _archive(words: List[str]) -> int:
    parser = argparse.ArgumentParser(prog="popscope archive", description="Indexes the profiles below a folder in one SQLite file, archive.db.")
    parser.add_argument("folder", help="folder to search for profiles")
    parser.add_argument("-o", "--database", metavar="FILE", help="default FOLDER/archive.db")
    parser.add_argument("-j", "--workers", type=_workers, metavar="N", help="number of processes at a time; default: the number of cores")
    parser.add_argument("--baseline", metavar="PROGRAM", help="print the path of the latest complete profile of a program")
    parser.add_argument("--commit", metavar="ID", help="commit id of new profiles that have no commit id of their own")
    arguments = parser.parse_args(words)
    found = archive(arguments.folder, arguments.database, workers=arguments.workers, commit=arguments.commit)
    if arguments.baseline:
        print(found.baseline(arguments.baseline))
    else:
        print("%s in %s" % (found._counted(), found.database))
    for _, message in found.unreadable():
        print("popscope archive: %s" % message, file=sys.stderr)
    return 0


def main(words: List[str]) -> int:
    """Runs `sweep` or `archive`, the first of `words`, with the other words as arguments.

    Returns 0 if done, 1 if a point failed, and 2 after an error. Prints the error on standard error. Raises SystemExit
    with the code 0 after --help, and 2 for wrong arguments. SIGHUP, SIGINT and SIGTERM end the process after temporary
    folders are removed.
    """
    endAtSignals()
    try:
        return {"sweep": _sweep, "archive": _archive}[words[0]](words[1:])
    except (OSError, LookupError, RuntimeError, ValueError) as error:
        print("popscope %s: %s" % (words[0], error), file=sys.stderr)
        return 2
    except SystemExit:
        number = signalThatEnds()
        if number is not None:  # so that the caller of this process sees that the signal ended the process
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
        raise
