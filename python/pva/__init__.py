"""Profile analysis: everything about a compiled graph and its runs, read from a .pop profile.

    import pva
    report = pva.openReport("profile.pop")
    peak = max(tile.memory.total.excludingGaps for tile in report.compilation.tiles)

The package has the interface of the C++ library <pva/pva.hpp>; methods without arguments are properties. Data is read from the file on
first use, so a corrupt file can also raise pva.ProfileError later. The package needs only the standard library.
"""

from pva import pva_core
from pva.pva_core import *  # noqa: F401,F403

__all__ = pva_core.__all__
