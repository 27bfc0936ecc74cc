"""Every public member of the Python packages has a docstring of its own."""

import importlib
import inspect
import re
import unittest

PACKAGES = ("popscope", "popscope.poplar", "popscope.poplar.program", "pva", "libpvti")
SIGNATURE = re.compile(r"^(\d+\. )?\w+\(.*\)( -> .*)?$|^Overloaded function\.$|^\(.*\) -> .*$")


def text(thing):
    """Returns the docstring without the signatures that pybind11 adds to it."""
    return "\n".join(line for line in (thing.__doc__ or "").split("\n") if line.strip() and not SIGNATURE.match(line.strip()))


def members(class_):
    """Yields (name, object with the docstring) for each public member that a class defines."""
    for name, value in vars(class_).items():
        if name.startswith("_") or hasattr(class_, "__members__"):  # __members__: an enumeration of Python or pybind11
            continue
        if isinstance(value, (staticmethod, classmethod)):
            value = value.__func__
        if isinstance(value, property) or callable(value):
            yield name, value


def undocumented(module):
    """Returns the full names of the public members of a module that have no docstring."""
    found = [] if text(module) else [module.__name__]
    for name in module.__all__:
        value = getattr(module, name)
        if inspect.ismodule(value):
            continue
        full = "%s.%s" % (module.__name__, name)
        if inspect.isclass(value):
            inherited = any(value.__doc__ == base.__doc__ and value.__name__ != base.__name__ for base in value.__bases__)
            if not text(value) or inherited:  # Python gives named tuples the docstring NAME(FIELDS)
                found.append(full)
            found += ["%s.%s" % (full, member) for member, holder in members(value) if not text(holder)]
        elif callable(value) and not text(value):
            found.append(full)
    return found


class Undocumented:
    """A class on which this test is tested."""

    def said(self):
        """Is documented."""

    def forgotten(self):
        return 1

    @property
    def value(self):
        return 1


class Docstrings(unittest.TestCase):
    def testEveryPublicMemberHasOne(self):
        for name in PACKAGES:
            with self.subTest(name):
                self.assertEqual(undocumented(importlib.import_module(name)), [])

    def testAMissingOneIsFound(self):
        class Module:
            """Replaces a module."""

        Module.__name__, Module.__all__ = "module", ["Undocumented"]
        Module.Undocumented = Undocumented
        self.assertEqual(undocumented(Module), ["module.Undocumented.forgotten", "module.Undocumented.value"])

    def testASignatureIsNoDocstring(self):
        def function():
            """function(self: pva.Report, index: int) -> int"""

        self.assertEqual(text(function), "")


if __name__ == "__main__":
    unittest.main()
