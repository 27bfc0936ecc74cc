"""Control programs: each object describes what the device does, and in which order."""

from pva._native import poplar as _cpp

globals().update({name: value for name, value in vars(_cpp.program).items() if not name.startswith("_")})
__all__ = sorted(name for name in vars(_cpp.program) if not name.startswith("_"))
