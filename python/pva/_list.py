"""Sequences whose elements are made when they are asked for."""

from __future__ import annotations

import collections.abc
import operator
from typing import Any, Callable, Generic, Iterator, TypeVar, Union, overload

T = TypeVar("T")
_printLength = 10


def setListPrintLength(newLength: int) -> None:
    global _printLength
    length = operator.index(newLength)
    if length < 0:
        raise ValueError("listPrintLength: the length must be 0 or more, not %d" % length)
    _printLength = length


class List(collections.abc.Sequence, Generic[T]):
    """A read-only sequence. Slices are sequences too; list(x) makes a list of it."""

    __slots__ = ("_range", "_make")

    def __init__(self, size: Union[int, range], make: Callable[[int], T]) -> None:
        self._range = size if isinstance(size, range) else range(size)
        self._make = make

    def __len__(self) -> int:
        return len(self._range)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> "List[T]": ...

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return List(self._range[index], self._make)
        try:
            return self._make(self._range[index])
        except IndexError:
            if not -len(self) <= index < len(self):
                raise IndexError("list index %s out of range: it has %d elements" % (index, len(self))) from None
            raise

    def __iter__(self) -> Iterator[T]:
        return map(self._make, self._range)

    def __add__(self, other: Any) -> list:
        return list(self) + list(other)

    def __radd__(self, other: Any) -> list:
        return list(other) + list(self)

    def __eq__(self, other: Any) -> bool:
        if not isinstance(other, (List, list, tuple)):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shown = [repr(self[i]) for i in range(min(len(self), _printLength))]
        if len(self) > len(shown):
            shown.append("... %d in all" % len(self))
        return "[%s]" % ", ".join(shown)


class Handle:
    """What the objects of a report have in common: fields that cannot be set, and a short repr."""

    __slots__ = ()
    _shown: tuple = ()  # fields of the repr

    def __repr__(self) -> str:
        return "%s(%s)" % (type(self).__name__, ", ".join("%s=%r" % (f, getattr(self, f)) for f in self._shown))


def listOf(elements: list) -> List:
    return List(len(elements), elements.__getitem__)


def checkIndex(what: str, index: Any, limit: int) -> int:
    """`index` as an int, or an IndexError."""
    value = operator.index(index)
    if not 0 <= value < limit:
        raise IndexError("%s %d does not exist: there are %d" % (what, value, limit))
    return value
