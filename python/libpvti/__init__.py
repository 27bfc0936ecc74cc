"""Traces the host's part of a program. Provides the part of PopVision's libpvti that public programs use.

    import libpvti as pvti
    channel = pvti.createTraceChannel("My application")
    with pvti.Tracepoint(channel, "epoch 1"):
        ...
    pvti.Tracepoint.event(channel, "something happened")

Tracing is off unless the environment enables it:

    PVTI_OPTIONS='{"enable": "true", "directory": "reports"}'

Each process then writes one file with the extension .pvti into "directory" (default: the working directory). The name
of the file contains the time of the first event and the number of the process. pva.openTrace and viewers of Chrome's
trace format read the file; docs/TRACES.md describes the format. Graphs and heat maps are not supported.

The first event of a process reads PVTI_OPTIONS, and raises ValueError if the variable is not a JSON object or has an
unknown key or value. If the file cannot be written, the first failure prints one line on standard error. The process
then writes no more events, and the program continues.
"""

from __future__ import annotations

import difflib
import json
import os
import sys
import threading
import time
from typing import Any, Dict, List, Optional, Tuple

__all__ = ["TraceChannel", "Tracepoint", "createTraceChannel"]

_KNOWN = ("enable", "directory")
_FIRST = {"ph": "M", "name": "popscope_pvti", "args": {"version": 1}}


def _options() -> Dict[str, Any]:
    text = os.environ.get("PVTI_OPTIONS", "")
    if not text:
        return {}
    twice: List[str] = []

    def members(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
        names = [name for name, _ in pairs]
        twice.extend(name for i, name in enumerate(names) if name in names[:i])
        return dict(pairs)

    try:
        options = json.loads(text, object_pairs_hook=members)
    except ValueError as e:
        raise ValueError("PVTI_OPTIONS is no JSON (%s); write e.g. {\"enable\":\"true\"}" % e) from None
    if not isinstance(options, dict):
        raise ValueError("PVTI_OPTIONS is no JSON object; write e.g. {\"enable\":\"true\"}")
    if twice:
        raise ValueError("\"%s\" of PVTI_OPTIONS is given twice; leave one of the two out" % twice[0])
    for key in options:
        if key not in _KNOWN:
            near = difflib.get_close_matches(str(key), _KNOWN, 1)
            raise ValueError("PVTI_OPTIONS has no key \"%s\"%s; there are: %s" %
                             (key, " (did you mean \"%s\"?)" % near[0] if near else "", ", ".join(_KNOWN)))
    if str(options.get("enable", "false")).lower() not in ("true", "1", "false", "0"):
        raise ValueError("\"enable\" of PVTI_OPTIONS is \"%s\"; give \"true\", \"1\", \"false\" or \"0\"" % options["enable"])
    return options


class _Writer:
    """The trace file of this process. A forked child begins its own file."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pid = 0
        self._file: Any = None
        self._open_events = threading.local()

    def _open(self) -> None:
        self._pid = os.getpid()
        self._file = None
        options = _options()
        if str(options.get("enable", "")).lower() not in ("true", "1"):
            return
        folder = str(options.get("directory", ".")) or "."
        try:
            self._begin(folder)
        except OSError as e:
            self._stop("cannot be written", e)

    def _begin(self, folder: str) -> None:
        os.makedirs(folder, exist_ok=True)
        name = "%s_%d.pvti" % (time.strftime("%a_%b_%d_%H:%M:%S_%Y_GMT", time.gmtime()), self._pid)
        self._file = open(os.path.join(folder, name), "w", encoding="utf-8", buffering=1)  # line-buffered: a forked child must not inherit unwritten records
        self._file.write("[" + json.dumps(dict(_FIRST, pid=self._pid)) + ",\n")

    def _balanced(self, phase: str) -> bool:
        """Counts the open events of this thread. Returns False for an end without a beginning in this process.

        A forked child can end an event that its parent began. This end does not belong in the child's file.
        """
        here = self._open_events
        if getattr(here, "pid", None) != self._pid:
            here.pid, here.count = self._pid, 0
        if phase == "B":
            here.count += 1
        elif phase == "E":
            here.count -= 1
            if here.count < 0:
                here.count = 0
                return False
        return True

    def write(self, phase: str, **fields: Any) -> None:
        with self._lock:
            if self._pid != os.getpid():
                self._open()
            if self._file is None or not self._balanced(phase):
                return
            record = {"ph": phase, "pid": self._pid, "tid": threading.get_native_id(), "ts": _now(), **fields}
            try:
                self._file.write(json.dumps(record) + ",\n")
            except OSError as e:  # for example no space: the traced program must continue
                self._stop("ends", e)

    def _stop(self, what: str, error: OSError) -> None:
        name = getattr(self._file, "name", str(_options().get("directory", ".")))
        print("Popscope: the trace %s %s: %s; nothing more is traced, the program goes on." % (name, what, error.strerror), file=sys.stderr)
        if self._file is not None:
            try:
                self._file.close()
            except OSError:  # close() failed to write the rest of the data, too
                pass
        self._file = None


_start = (time.time_ns(), time.monotonic_ns())


def _now() -> int:
    """Returns the time in microseconds since 1970. Within a process, the result never decreases."""
    return (_start[0] + time.monotonic_ns() - _start[1]) // 1000


_writer = _Writer()
os.register_at_fork(after_in_child=_writer.__init__)  # type: ignore[misc]


class TraceChannel:
    """A source of events. The attribute `name` identifies the channel in the trace."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return "TraceChannel(%r)" % self.name


def createTraceChannel(name: str) -> TraceChannel:
    """Returns a channel with this name. Readers treat two channels with the same name as one."""
    return TraceChannel(name)


def _begin(channel: TraceChannel, label: str, metadata: Optional[Any] = None) -> None:
    fields: Dict[str, Any] = {"cat": channel.name, "name": str(label)}
    if metadata is not None:
        fields["args"] = metadata
    _writer.write("B", **fields)


class Tracepoint:
    """An event that lasts as long as the `with` block of this object.

    metadata: data of the event that JSON can represent; for other data, the `with` statement raises TypeError.
    """

    def __init__(self, channel: TraceChannel, label: str, metadata: Optional[Any] = None) -> None:
        self._channel, self._label, self._metadata = channel, label, metadata

    def __enter__(self) -> "Tracepoint":
        _begin(self._channel, self._label, self._metadata)
        return self

    def __exit__(self, *exception: Any) -> None:
        _writer.write("E")

    @staticmethod
    def begin(channel: TraceChannel, label: str) -> None:
        """Begins an event on this thread. The next call of end() on this thread ends the innermost open event."""
        _begin(channel, label)

    @staticmethod
    def end(channel: TraceChannel, label: str) -> None:
        """Ends the innermost open event of this thread, whatever its channel and label are.

        Without an open event of this thread and process, the call has no effect.
        """
        _writer.write("E")

    @staticmethod
    def event(channel: TraceChannel, label: str) -> None:
        """Records an event without a duration."""
        _writer.write("i", cat=channel.name, name=str(label), s="t")
