"""Traces of what programs did on the host: files that libpvti, or a C++ program with <pvti/pvti.hpp>, wrote.

docs/PROFILE.md, "Traces of the host", describes the file. All of it is read when it is opened."""

from __future__ import annotations

import json
import os
from typing import Any, Dict, List as ListOf, NoReturn, Union

from pva._file import ProfileError
from pva._list import Handle, List, listOf

_FIRST = "popscope_pvti"  # name of the first record
_VERSION = 1
_LONGEST_LINE = 1 << 20


class Event(Handle):
    """Something with a begin and an end on one thread. Times in microseconds of the host's clock, since 1970."""

    __slots__ = ("_label", "_channel", "_timestamp", "_duration", "_closed", "_children")
    _shown = ("label", "duration")

    def __init__(self, label: str, channel: str, timestamp: int) -> None:
        self._label, self._channel, self._timestamp = label, channel, timestamp
        self._duration = 0
        self._closed = False
        self._children: ListOf["Event"] = []

    def _end(self, timestamp: int, closed: bool) -> None:
        self._duration = max(0, timestamp - self._timestamp)
        self._closed = closed

    @property
    def label(self) -> str:
        return self._label

    @property
    def channel(self) -> str:
        """Name of the channel that it was traced on."""
        return self._channel

    @property
    def timestamp(self) -> int:
        """When it began."""
        return self._timestamp

    @property
    def duration(self) -> int:
        """0 of an instant."""
        return self._duration

    @property
    def isClosed(self) -> bool:
        """Extension: False where the trace ends before it; it lasts until the thread's last record then."""
        return self._closed

    def children(self) -> List["Event"]:
        """Events within it."""
        return listOf(self._children)


class Thread(Handle):
    __slots__ = ("_tid", "_events", "_open", "_last")
    _shown = ("tid",)

    def __init__(self, tid: int) -> None:
        self._tid = tid
        self._events: ListOf[Event] = []
        self._open: ListOf[Event] = []
        self._last = 0

    @property
    def tid(self) -> int:
        return self._tid

    @property
    def events(self) -> List[Event]:
        """Those that lie within no other."""
        return listOf(self._events)

    def _add(self, event: Event) -> None:
        (self._open[-1]._children if self._open else self._events).append(event)


class Process(Handle):
    __slots__ = ("_pid", "_threads")
    _shown = ("pid",)

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._threads: Dict[int, Thread] = {}

    @property
    def pid(self) -> int:
        return self._pid

    @property
    def threads(self) -> List[Thread]:
        """In the order of their first records."""
        return listOf(list(self._threads.values()))

    def thread(self, tid: int) -> Thread:
        """IndexError if the process has none of this number."""
        if tid not in self._threads:
            raise IndexError("process %d has no thread %s; it has %s" % (self._pid, tid, ", ".join(map(str, self._threads))))
        return self._threads[tid]


class Trace(Handle):
    __slots__ = ("_path", "_processes")
    _shown = ("processes",)

    def __init__(self, path: str) -> None:
        self._path = path
        self._processes: Dict[int, Process] = {}
        try:
            with open(path, "rb") as file:
                self._read(file)
        except OSError as e:
            raise ProfileError("%s: cannot be read: %s" % (path, e.strerror or e)) from None
        for process in self._processes.values():
            for thread in process._threads.values():
                for event in thread._open:
                    event._end(thread._last, closed=False)
                thread._open.clear()

    def _corrupt(self, line: int, what: str) -> NoReturn:
        raise ProfileError("%s: line %d: %s" % (self._path, line, what))

    def _read(self, file: Any) -> None:
        number = 0
        while True:
            text = file.readline(_LONGEST_LINE + 1)
            if not text:
                break
            number += 1
            if len(text) > _LONGEST_LINE:
                self._corrupt(number, "the trace is corrupt: a record is longer than %d bytes" % _LONGEST_LINE)
            if not text.endswith(b"\n"):
                break  # the program was stopped while it wrote
            self._line(number, text)
        if number == 0:
            self._corrupt(1, "this is no trace: the file is empty")

    def _line(self, number: int, text: bytes) -> None:
        body = text.strip()
        if number == 1:
            body = body[1:] if body.startswith(b"[") else b""
        if body in (b"", b"]") and number > 1:
            return
        try:
            record = json.loads(body.rstrip(b","))
        except (ValueError, RecursionError):
            record = None
        if number == 1:
            if not isinstance(record, dict) or record.get("name") != _FIRST:
                self._corrupt(1, "this is no trace of libpvti (of Popscope)")
            arguments = record.get("args")
            version = arguments.get("version") if isinstance(arguments, dict) else None
            if version != _VERSION:
                self._corrupt(1, "the trace has format %s, this library reads %d" % (version, _VERSION))
            return
        if not isinstance(record, dict):
            self._corrupt(number, "the trace is corrupt: no record")
        self._record(number, record)

    def _record(self, number: int, record: Dict[str, Any]) -> None:
        numbers = [record.get(key) for key in ("pid", "tid", "ts")]
        phase = record.get("ph")
        if phase not in ("B", "E", "i"):
            return  # of a later version, or of another tool
        if any(type(value) is not int or not 0 <= value < 1 << 64 for value in numbers):
            self._corrupt(number, "the trace is corrupt: process, thread and time must be numbers")
        pid, tid, time = numbers
        process = self._processes.setdefault(pid, Process(pid))
        thread = process._threads.setdefault(tid, Thread(tid))
        if time < thread._last:
            self._corrupt(number, "the trace is corrupt: time runs back on thread %d" % tid)
        thread._last = time
        if phase == "E":
            if not thread._open:
                self._corrupt(number, "the trace is corrupt: an event ends that did not begin")
            thread._open.pop()._end(time, closed=True)
            return
        label, channel = record.get("name"), record.get("cat")
        if not isinstance(label, str) or not isinstance(channel, str):
            self._corrupt(number, "the trace is corrupt: an event has no label or no channel")
        event = Event(label, channel, time)
        thread._add(event)
        if phase == "B":
            thread._open.append(event)
        else:
            event._end(time, closed=True)

    @property
    def processes(self) -> List[Process]:
        """In the order of their first records."""
        return listOf(list(self._processes.values()))

    def process(self, pid: int) -> Process:
        """IndexError if the trace has none of this number."""
        if pid not in self._processes:
            raise IndexError("the trace has no process %s; it has %s" % (pid, ", ".join(map(str, self._processes))))
        return self._processes[pid]


def openTrace(path: Union[str, "os.PathLike[str]"]) -> Trace:
    """Reads a .pvti file. ProfileError, of one line that names the path, if it cannot be used."""
    return Trace(os.fspath(path))
