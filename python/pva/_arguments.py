"""Messages of TypeErrors for wrong arguments: each names the argument, what is expected, and the given value.

Problem: if no overload of a function in the compiled module takes the arguments, the text of pybind11 only lists all
overloads. Idea: read the signatures from this text, and check each argument against the type in the signature, as
pybind11 does. The overloads that take the most arguments before the first wrong one are those that the caller meant.
The message is about the argument at which these overloads fail. Signatures do not contain the limits of integers, so
the largest allowed integer is lowered step by step until every overload fails. The work is done only after an error.
"""

from __future__ import annotations

import operator
import re
import sys
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

_MARK = "arguments. The following argument types are supported:"
_END = "\n\nInvoked with:"
_LONGEST = 100  # maximum number of characters of a value in a message
_MISSING = object()
_INTEGER = "an integer of 0 or more"
_EXPECTED = {"int": _INTEGER, "str": "a str", "bytes": "bytes", "bool": "a bool", "float": "a number", "dict": "a dict", "buffer": "an array",
             "popscope.poplar.Type": "a type such as popscope.poplar.FLOAT"}
_MANY = {_INTEGER: "integers of 0 or more", "a str": "texts"}
_PLAIN = {"str": (str, bytes), "bytes": (bytes,), "dict": (dict,)}


class Parameter(NamedTuple):
    """A parameter of an overload, with its type as in the signatures of pybind11."""

    name: str
    type: str
    optional: bool


class Problem(NamedTuple):
    """The first argument that an overload does not take, with its position and value."""

    place: int
    parameter: Parameter
    value: Any


def _split(text: str, separator: str) -> List[str]:
    """Splits a text at each separator that is outside of brackets and quotes."""
    parts, depth, quote = [""], 0, ""
    for character in text:
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character == separator and depth == 0:
            parts.append("")
            continue
        else:
            depth += (character in "([{<") - (character in ")]}>")
        parts[-1] += character
    return parts


def _parametersOf(signature: str) -> List[Parameter]:
    """Returns the parameters of "Class(name: type = default, ...)" or "(self: Class, ...) -> result"."""
    result = []
    for part in _split(_split(signature.partition("(")[2], ")")[0], ","):
        name, colon, rest = part.strip().partition(": ")
        if colon:
            type_, equals, _ = rest.partition(" = ")
            # From release 2.12 on, pybind11 writes list[int] instead of List[int].
            type_ = re.sub(r"\b(list|dict)\[", lambda match: match.group().capitalize(), type_)
            result.append(Parameter(name, type_, bool(equals)))
    return result


def _placeOf(type_: str) -> Tuple[str, str]:
    """Returns the module or namespace of a class in a signature, and the name of the class. A class that is bound after the function has its C++ name."""
    place, _, name = type_.replace("::", ".").rpartition(".")
    return place, name


def _classOf(type_: str) -> Optional[type]:
    """Returns the class of the compiled module with this name in signatures, or None for any other name."""
    place, name = _placeOf(type_)
    module = {"popscope.poplar": "poplar", "popscope.poplar.program": "poplar.program", "pva.pva_core": "pva",
              "poplar": "poplar", "poplar.program": "poplar.program", "pva": "pva"}.get(place)
    return operator.attrgetter("%s.%s" % (module, name))(sys.modules["pva._native"]) if module else None


def _inside(type_: str) -> List[str]:
    return [part.strip() for part in _split(type_[type_.index("[") + 1:-1], ",")]


def _fits(value: Any, type_: str, most: int) -> bool:
    """Returns whether pybind11 takes a value for a type; `most` is the largest integer that it takes."""
    if type_ == "int":
        try:
            return 0 <= operator.index(value) <= most
        except TypeError:
            return False
    if type_ == "float":
        return hasattr(value, "__float__") or hasattr(value, "__index__")
    if type_ == "bool":
        return value is None or hasattr(value, "__bool__")
    if type_ in _PLAIN:
        return isinstance(value, _PLAIN[type_]) and not (isinstance(value, str) and re.search("[\ud800-\udfff]", value))
    if type_.startswith("Optional["):
        return value is None or _fits(value, _inside(type_)[0], most)
    if type_.startswith("List["):
        isList = hasattr(value, "__getitem__") and hasattr(value, "__len__") and not isinstance(value, (str, bytes, dict))
        return isList and all(_fits(one, _inside(type_)[0], most) for one in value)
    if type_.startswith("Dict["):
        key, item = _inside(type_)
        return isinstance(value, dict) and all(_fits(k, key, most) and _fits(v, item, most) for k, v in value.items())
    class_ = _classOf(type_)
    return class_ is None or isinstance(value, class_)


def _an(name: str) -> str:
    return ("an " if name[0] in "AEIO" else "a ") + name


def _expected(type_: str) -> str:
    """Returns a type in words, with its article."""
    if type_ in _EXPECTED:
        return _EXPECTED[type_]
    if type_.startswith("Optional["):
        return "None or " + _expected(_inside(type_)[0])
    if type_.startswith("List["):
        one = _expected(_inside(type_)[0])
        return "a list of " + _MANY.get(one, one)
    if type_.startswith("Dict["):
        return "a dict of %s to %s" % tuple(_MANY.get(one, one) for one in map(_expected, _inside(type_)))
    members = list(getattr(_classOf(type_), "__members__", ()))
    _, name = _placeOf(type_)
    return _an(name) + (" such as %s.%s" % (name, members[0]) if members else "")


def _either(parts: List[str], word: str = "or") -> str:
    parts = list(dict.fromkeys(parts))
    return parts[0] if len(parts) == 1 else "%s %s %s" % (", ".join(parts[:-1]), word, parts[-1])


def _shown(value: Any) -> str:
    try:
        text = repr(value)
    except Exception:
        text = "a %s" % type(value).__name__
    return text if len(text) <= _LONGEST else text[:_LONGEST - 3] + "..."


def _problem(parameters: List[Parameter], arguments: Tuple[Any, ...], named: Dict[str, Any], most: int) -> Optional[Problem]:
    for place, parameter in enumerate(parameters):
        value = arguments[place] if place < len(arguments) else named.get(parameter.name, _MISSING)
        if value is _MISSING and parameter.optional:
            continue
        if value is _MISSING or not _fits(value, parameter.type, most):
            return Problem(place, parameter, value)
    return None


def _takesNone(overloads: List[List[Parameter]], arguments: Tuple[Any, ...], named: Dict[str, Any]) -> str:
    """Returns the message for a call whose number or names of arguments no overload has."""
    known = list(dict.fromkeys(p.name for parameters in overloads for p in parameters if p.name != "self"))
    for name in named:
        if name not in known:
            return "there is no argument %s; %s" % (name, "the arguments are %s" % _either(known, "and") if known else "it takes none")
    for parameters in overloads:
        for parameter in parameters[:len(arguments)]:
            if parameter.name in named:
                return "%s is given twice, by its place and by its name" % parameter.name
    takes = max(([p.name for p in parameters if p.name != "self"] for parameters in overloads), key=len)
    given = len(arguments) - (1 if overloads[0] and overloads[0][0].name == "self" else 0)
    if given > len(takes):
        count = "no argument" if not takes else "one argument" if len(takes) == 1 else "at most %d arguments" % len(takes)
        return "it takes %s%s, not %d" % (count, " (%s)" % _either(takes, "and") if takes else "", given)
    return "the arguments %s do not go together" % _either(list(named), "and")


def _reason(overloads: List[List[Parameter]], arguments: Tuple[Any, ...], named: Dict[str, Any]) -> str:
    possible = [o for o in overloads if len(arguments) <= len(o) and set(named) <= {p.name for p in o[len(arguments):]}]
    if not possible:
        return _takesNone(overloads, arguments, named)
    complete = [o for o in possible if all(p.optional or p.name in named for p in o[len(arguments):])] or possible
    for most in (2 ** 64 - 1, 2 ** 32 - 1, 2 ** 31 - 1):  # signatures do not contain the limits of integers
        problems = [problem for problem in (_problem(o, arguments, named, most) for o in complete) if problem]
        if len(problems) == len(complete):
            break
    else:
        return "it does not take the arguments %s" % ", ".join(map(_shown, list(arguments) + list(named.values())))
    furthest = max(problem.place for problem in problems)
    problems = [problem for problem in problems if problem.place == furthest]
    value = problems[0].value
    if problems[0].parameter.name == "self":
        return "call it on %s, not on %s" % (_expected(problems[0].parameter.type), "the class" if value is _MISSING else _shown(value))
    by = {p.parameter.name: [_expected(q.parameter.type) for q in problems if q.parameter.name == p.parameter.name] for p in problems}
    if value is _MISSING:
        return "%s is missing; it is %s" % (_either(list(by)), _either([e for all_ in by.values() for e in all_]))
    large = isinstance(value, int) and value > most
    return "%s, not %s" % (_either(["%s is %s" % (name, _either(all_)) for name, all_ in by.items()]), _shown(value)) + \
        (", which is more than %d" % most if large else "")


def message(text: str, arguments: Tuple[Any, ...], named: Dict[str, Any]) -> Optional[str]:
    """Returns the message for a call that no overload takes.

    `text` is the message of pybind11. Returns None if `text` is about anything else.
    """
    name, found, rest = text.partition("(): incompatible ")
    if not found or _MARK not in rest:
        return None
    signatures = re.findall(r"^    \d+\. (.*)$", rest.partition(_END)[0], re.MULTILINE)
    overloads = [_parametersOf(signature) for signature in signatures]
    if rest.startswith("constructor"):
        name, arguments = signatures[0].partition("(")[0].rpartition(".")[2], arguments[1:]
    elif overloads[0] and overloads[0][0].name == "self":
        name = "%s.%s" % (overloads[0][0].type.rpartition(".")[2], name)
    return "%s: %s" % (name, _reason(overloads, arguments, named))
