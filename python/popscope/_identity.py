"""Identifies a callable across processes: its code, arguments, state, defaults and closures."""

from __future__ import annotations

import copyreg
import functools
import hashlib
import os
import struct
import sys
import types
from typing import Any, Dict, Iterable, List, Tuple

_DESCRIPTORS = (types.GetSetDescriptorType, types.MemberDescriptorType, types.WrapperDescriptorType, types.MethodDescriptorType, types.ClassMethodDescriptorType)


class Unidentified(ValueError):
    """A part of the callable has no value that another process finds again; the message names the type of this part."""


def digestOf(function: Any) -> str:
    """Returns a hash of a callable, equal in every process with the same version of Python. Raises Unidentified.

    Problem: neither repr nor a pickle identifies a callable. A repr may contain an address, and a pickle of a function
    contains only its name. Idea: hash recursively. A value's hash is made of the kind of the value and of the hashes of
    its parts, and no part contributes an address, a path or a line number. The parts of a function are its bytecode,
    the names and constants that the code uses, its defaults and its closure. The parts of an object are its class and
    the state that pickle would store. A module counts by its last name, so that a script and the imported module agree.
    Values of global variables, and functions that the code calls by name, are not parts.
    Cost: linear in the number of values, because each object is hashed once. A cycle ends at an object whose hash has
    begun: there the number of the object stands for its hash.
    """
    return _Digests().of(function).hex()[:16]


def _home(module: Any) -> str:
    """Returns the last name of a module; for a script, the name that the script would have as a module."""
    if module in ("__main__", "__mp_main__"):
        return os.path.splitext(os.path.basename(getattr(sys.modules.get(module), "__file__", None) or ""))[0]
    return str(module or "").rpartition(".")[2]


class _Digests:
    def __init__(self) -> None:
        self._known: Dict[int, bytes] = {}
        self._kept: List[Any] = []  # keeps temporary objects alive, so that an id stands for one object

    def of(self, value: Any) -> bytes:
        if value is None or value is Ellipsis or value is NotImplemented or isinstance(value, (bool, int, float, complex, str, bytes)) and type(value).__module__ == "builtins":
            return self._hash(type(value).__name__, [value if type(value) is bytes else repr(value).encode("utf-8", "surrogatepass")])
        if id(value) not in self._known:
            self._kept.append(value)
            self._known[id(value)] = struct.pack("<q", len(self._kept))
            kind, parts = self._parts(value)
            self._known[id(value)] = self._hash(kind, parts)
        return self._known[id(value)]

    @staticmethod
    def _hash(kind: str, parts: Iterable[bytes]) -> bytes:
        result = hashlib.sha256(kind.encode())
        for part in parts:
            result.update(struct.pack("<q", len(part)))
            result.update(part)
        return result.digest()

    def _all(self, *values: Any) -> List[bytes]:
        return [self.of(value) for value in values]

    def _parts(self, value: Any) -> Tuple[str, List[bytes]]:
        """Returns the kind of a value and the hashes of its parts."""
        kind = type(value)
        if kind in (tuple, list):
            return kind.__name__, self._all(*value)
        if kind in (set, frozenset):
            return kind.__name__, sorted(self._all(*value))
        if kind in (dict, types.MappingProxyType):
            return "dict", sorted(self._hash("item", self._all(*item)) for item in value.items())
        if kind is types.CodeType:
            return "code", self._all(value.co_code, value.co_consts, value.co_names, value.co_varnames, value.co_freevars, value.co_cellvars, value.co_flags,
                                     value.co_argcount, value.co_posonlyargcount, value.co_kwonlyargcount, getattr(value, "co_exceptiontable", b""))
        if kind is types.CellType:
            try:
                return "cell", self._all(value.cell_contents)
            except ValueError:
                return "cell", []
        if kind is types.FunctionType:
            return "function", self._all(_home(value.__module__), value.__qualname__, value.__code__, value.__defaults__, value.__kwdefaults__, value.__closure__, vars(value))
        if kind is types.MethodType:
            return "method", self._all(value.__func__, value.__self__)
        if kind is types.ModuleType:
            return "module", self._all(_home(value.__name__))
        if kind in (staticmethod, classmethod):
            return kind.__name__, self._all(value.__func__)
        if kind is property:
            return "property", self._all(value.fget, value.fset, value.fdel)
        if kind is functools.cached_property:
            return "cached_property", self._all(value.func)
        if isinstance(value, type):
            return "class", self._ofClass(value)
        return "object", self._ofObject(value)

    def _ofClass(self, value: type) -> List[bytes]:
        name = self._all(_home(value.__module__), value.__qualname__)
        if not value.__flags__ & 1 << 9:  # a class of an extension (no heap type) has no code in Python
            return name
        members = {n: m for n, m in vars(value).items() if not isinstance(m, _DESCRIPTORS) and n != "_abc_impl"
                   and (isinstance(m, types.FunctionType) or not (n.startswith("__") and n.endswith("__")))}
        return name + self._all(value.__bases__, members)

    def _ofObject(self, value: Any) -> List[bytes]:
        """Returns the hashes of what pickle would store of an object."""
        if isinstance(value, types.BuiltinFunctionType) and not isinstance(value.__self__, (types.ModuleType, type(None))):
            return self._all(value.__name__, value.__self__)
        try:
            reduce = copyreg.dispatch_table.get(type(value))
            stored = reduce(value) if reduce else value.__reduce_ex__(2)
        except Exception:
            raise Unidentified("an object of type '%s'" % type(value).__name__) from None
        if isinstance(stored, str):  # a global name
            return self._all(_home(getattr(value, "__module__", "")), stored, getattr(value, "__dict__", {}))
        return self._all(*(list(part) if hasattr(part, "__next__") else part for part in stored))
