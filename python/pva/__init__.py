"""Profile analysis: everything about a compiled graph and its runs, read from a .pop profile.

    import pva
    report = pva.openReport("profile.pop")
    peak = max(tile.memory.total.excludingGaps for tile in report.compilation.tiles)

The C++ library <pva/pva.hpp> with properties where it has methods without arguments. Data is read from the file when it is
asked for, so a corrupt file can also raise pva.ProfileError later. Needs nothing beyond the standard library.
"""

from pva import pva_core
from pva.pva_core import *  # noqa: F401,F403

__all__ = pva_core.__all__
