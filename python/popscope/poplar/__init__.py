"""Builds and runs graphs: the Poplar API from Python, under the names of <poplar/...>.

    from popscope import poplar
    from popscope.poplar import program

    device = poplar.IPUModel("ipu2").createDevice()
    graph = poplar.Graph(device)
    x = graph.addVariable(poplar.FLOAT, [4], poplar.VariableMappingMethod.LINEAR, "x")
    graph.createHostRead("x", x)
    ones = graph.addConstant(poplar.FLOAT, [4], 1.0)
    graph.setTileMapping(ones, 0)
    engine = poplar.Engine(graph, program.Copy(ones, x))
    engine.loadAndRun(device)
    print(engine.readTensor("x"))

A debug name is an argument `name`; options are a dict; attributes of a tensor are properties. docs/PYTHON.md describes the other
differences, and the stub next to this file has every signature.
"""

from collections.abc import Mapping as _Mapping

from popscope import _profiling
from pva._native import poplar as _cpp

globals().update({name: value for name, value in vars(_cpp).items() if not name.startswith("_") and name != "program"})


class Engine(_cpp.Engine):
    __doc__ = _cpp.Engine.__doc__

    def __init__(self, graph, programs, options=None, progress=None):
        if options is not None and not isinstance(options, _Mapping):
            raise TypeError("Engine: options is a dict, not %r" % (options,))
        with _profiling.making(dict(options or {})) as (merged, made):
            super().__init__(graph, programs, merged, progress)
            made(self)

    def run(self, program=0, name=""):
        """Runs a program, an index into `programs`, to its end. `name` is the name of the run in the profile. Surrounding popscope.profile
        regions decide whether it is recorded. Requires load(). Raises application_runtime_error if the program aborts."""
        with _profiling.running(self, program, _cpp.Scope):
            super().run(program, name)

    def loadAndRun(self, device, program=0, name=""):
        """Calls load(device), then run(program, name)."""
        self.load(device)
        self.run(program, name)


__all__ = sorted(name for name in vars(_cpp) if not name.startswith("_") and name != "program") + ["program"]

from popscope.poplar import program  # noqa: E402
