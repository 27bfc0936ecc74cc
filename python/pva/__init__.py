"""Profile analysis: all data about a compiled graph and its runs, read from a .pop profile.

    import pva
    report = pva.openReport("profile.pop")
    peak = max(tile.memory.total.excludingGaps for tile in report.compilation.tiles)

The package has the interface of the C++ library <pva/pva.hpp>. Most methods of C++ without arguments are properties.
docs/PVA.md lists every member, and the kind of public source that names it. "Extension" marks members that only Popscope
has. Unless a docstring states another unit, data is in bytes and time is in cycles of the tile clock.

Data is read from the file on first use, so any access to a damaged file can raise pva.ProfileError. The package needs
only the standard library.
"""

from pva import pva_core
from pva.pva_core import *  # noqa: F401,F403

__all__ = pva_core.__all__
