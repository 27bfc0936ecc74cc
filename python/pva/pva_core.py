"""All classes of package pva, under the module name that scripts use. The stub pva_core.pyi lists their members."""

import os
import warnings

from pva import _look, _records
from pva._native import pva as _cpp
from pva._records import IncompleteProfileWarning, List, ProfileError, ProgramVisitor  # noqa: F401

_HIDDEN = ("SHOWN", "T", "List", "ProgramType", "TargetType", "Architecture")  # names of _records that are not exported
globals().update({name: value for name, value in vars(_records).items() if isinstance(value, type) and name[0].isupper() and
                  getattr(value, "__module__", None) == _records.__name__ and name not in _HIDDEN})
globals().update({name: value for name, value in vars(_cpp).items() if isinstance(value, type) and name != "File"})


def _nest(outer, name, inner):
    inner.__name__, inner.__qualname__, inner.__module__ = name, "%s.%s" % (outer.__name__, name), __name__  # so that pickle finds the class there
    setattr(outer, name, inner)


_nest(_cpp.Program, "Type", _records.ProgramType)
_nest(_cpp.Target, "Type", _records.TargetType)
_nest(_cpp.IPU, "Architecture", _records.Architecture)
_look.attach(_cpp)


def _given(function, **names):
    """Returns the name under which an argument was given (for messages), and the value. Raises TypeError if the argument was given under several names."""
    given = [(name, value) for name, value in names.items() if value is not None]
    if len(given) > 1:
        raise TypeError("%s: %s are names of one argument" % (function, " and ".join(name for name, _ in given)))
    name, value = given[0] if given else (next(iter(names)), None)
    return "%s: %s" % (function, name), value


def openReport(profilePath=None, debugInfoPath=None, *, filename=None, profileFilename=None, debugInfoFilename=None):
    """Opens a profile for reading, and returns its Report.

    profilePath: the path of the profile. filename and profileFilename are other names of this argument, as in libpva.
    debugInfoPath, or debugInfoFilename: the path of debug.cbor. Only OperationAnalysis, Program.debugContext and
    Program.moreDebugContexts read this file; until their first use, the file may be missing.

    Raises ProfileError, with one line that names the path, if the profile cannot be used. If the profile is incomplete,
    issues an IncompleteProfileWarning, which states where the profile ends.
    """
    path = _records.path(*_given("openReport", profilePath=profilePath, filename=filename, profileFilename=profileFilename))
    named, debugInfo = _given("openReport", debugInfoPath=debugInfoPath, debugInfoFilename=debugInfoFilename)
    # A path that is not UTF-8 reaches C++ as its bytes, unchanged.
    report = _cpp.openReport(os.fsencode(path), b"" if debugInfo is None else os.fsencode(_records.path(named, debugInfo)))
    ending = report.popscope.ending
    if ending:
        warnings.warn("%s is not complete: it ends %s" % (path, ending), IncompleteProfileWarning, stacklevel=_records.outside())
    return report


def openMeasured(path):
    """Extension: opens a profile as openReport does, and returns measuredCycles(report)."""
    return _cpp.measuredCycles(openReport(path))


def openTrace(path):
    """Reads a whole .pvti file (docs/TRACES.md), and returns its Trace.

    If the program was stopped while it wrote the file, reads the complete records. Raises ProfileError, with one line
    that names the path, if the file cannot be used.
    """
    return _cpp.openTrace(os.fsencode(_records.path("openTrace: path", path)))


hostSamples, measuredCycles, storageCategoryNames = _cpp.hostSamples, _cpp.measuredCycles, _cpp.storageCategoryNames

for _value in list(globals().values()):  # a type prints as pva.pva_core.Program, wherever it is defined
    if isinstance(_value, type) and _value.__module__.startswith("pva."):
        _value.__module__ = __name__
__all__ = sorted(name for name, value in globals().items() if not name.startswith("_") and getattr(value, "__module__", None) == __name__)
__all__ = sorted(set(__all__) - {"List"} | {"hostSamples", "measuredCycles", "storageCategoryNames"})
