"""A graph compiler and profiler for tile machines.

The package builds and runs graphs (popscope.poplar), profiles a region of a program, reads profiles, and runs sweeps.

    import popscope
    from popscope import poplar

    with popscope.profile("report") as p:
        ...                                  # engines that are created or run here
    p.print_summary()
    profile = popscope.open("report/profile.pop")
    print(profile.operators)                 # frames with names
    print(profile.report.compilation.tiles)  # the report of package pva
    db = popscope.connect("report/profile.pop")

docs/PYTHON.md is the guide. The package imports pandas, polars, numpy and matplotlib only when a function needs them.
"""

from popscope._archive import Archive, archive
from popscope._profiling import profile
from popscope._sweep import Command, Result, openSweep, sweep
from popscope._tables import Column, Profile, connect, open
from pva import ProfileError

__version__ = "1.0.0"
__all__ = ["Archive", "Column", "Command", "Profile", "ProfileError", "Result", "archive", "connect", "open", "openSweep", "profile", "sweep"]
