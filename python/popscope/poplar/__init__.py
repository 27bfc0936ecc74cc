"""Builds and runs graphs: the Poplar API in Python, with the names of the C++ headers <poplar/...>.

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

Unlike in C++, a debug name is an argument `name`, options are a dict, and attributes of a tensor are properties.
docs/PYTHON.md describes the other differences. The stub __init__.pyi next to this file has every signature.

Mistakes in a graph or its use raise subclasses of poplar_error, which is a RuntimeError. Arguments of a wrong type raise
TypeError.
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
        """Runs the program with the index `program` in `programs` to its end.

        `name` is the name of the run in the profile. The popscope.profile regions around the call decide whether the run
        is recorded. Raises poplar_error before load() and for an index without a program, and application_runtime_error
        if the program aborts. An exception of a callback reaches the caller.
        """
        with _profiling.running(self, program, _cpp.Scope):
            super().run(program, name)

    def loadAndRun(self, device, program=0, name=""):
        """Calls load(device), then run(program, name). Raises what these two methods raise."""
        self.load(device)
        self.run(program, name)


__all__ = sorted(name for name in vars(_cpp) if not name.startswith("_") and name != "program") + ["program"]

from popscope.poplar import program  # noqa: E402
