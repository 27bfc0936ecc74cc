"""PythonStubs.py [--update] ROOT PYTHON: checks that the stubs of the compiled module agree with the module.

python/pva/pva_core.pyi and python/popscope/poplar/*.pyi are generated from the signatures of the module in PYTHON (the build's folder of
packages). With --update, writes these files. Exits with 1 if there are findings, otherwise with 0.
"""

import enum
import inspect
import os
import re
import sys

HINT = "; run scripts/update-docs.sh"
OPTIONAL = {"ExchangeProgram.codeSharedWith"}  # null in C++
PLAIN = [(r"pva\._native\.pva\.|pva\.pva_core\.|pva::(?:detail::)?", ""), (r"pva\.List\[", "List["),
         (r"poplar::program::|pva\._native\.poplar\.program\.|popscope\.poplar\.program\.", "program."),
         (r"pva\._native\.poplar\.|popscope\.poplar\.|poplar::", ""), (r"popscope::python::Py(\w+)", r"\1"), (r"\bPy(Graph|Engine)\b", r"\1"),
         (r"(?<!\.)\bList\[(?=int\]|str\]|float\]|Tuple|List|VertexRef|unsigned|\w)", "list["), (r"\bTuple\[", "tuple["), (r"\bDict\[", "dict["), (r"\bdict\b(?!\[)", "dict[str, Any]"),
         (r"\bobject\b", "Any"), (r"\bIterator\b(?!\[)", "Iterator[Any]"), (r"\btuple\b(?!\[)", "tuple[int, ...]"), (r"= <[^>]*>", "= ..."), (r"= \{\}|= \(\)", "= ...")]


def plain(text):
    """Returns a signature of pybind11 in Python's form."""
    text = text.replace("pva.List[", "LAZY[")
    for pattern, by in PLAIN:
        text = re.sub(pattern, by, text)
    return text.replace("LAZY[", "List[")


def signatures(doc, name):
    """Returns the overloads in the doc of a function."""
    found = re.findall(r"^(?:\d+\. )?%s\((.*)\) -> (.+)$" % re.escape(name), doc or "", re.MULTILINE)
    return [("" if not arguments else plain(arguments), plain(result)) for arguments, result in found]


def method(name, doc, indent, static=False):
    found = signatures(doc, name)
    lines = []
    for arguments, result in found:
        if len(found) > 1:
            lines.append(indent + "@overload")
        if static:
            lines.append(indent + "@staticmethod")
        arguments = re.sub(r"^self: [\w.]+", "self", arguments)
        arguments = arguments.replace("list[", "Sequence[")  # pybind11 takes tuples, ranges and other sequences, too
        arguments = arguments.replace("cases: dict[str, Any]", "cases: dict[int, Any]")
        if name == "__eq__":
            arguments, result = "self, other: object", "bool"
        lines.append(indent + "def %s(%s) -> %s: ..." % (name, arguments, result))
    return lines


def classLines(name, class_, knownBase=lambda c: c.__name__):
    bases = [knownBase(b) for b in class_.__bases__ if b is not object and b.__name__ != "pybind11_object"]
    lines = ["", "class %s%s:" % (name, "(%s)" % ", ".join(bases) if bases else "")]
    for member, value in vars(class_).items():
        if inspect.isclass(value) and issubclass(value, enum.Enum):
            lines.append("    class %s(enum.Enum):" % member)
            lines += ["        %s = %d" % (e.name, e.value) for e in value]
            lines += ["        def %s(self) -> int: ..." % name for name in ("__int__", "__index__") if hasattr(value, name)]
        elif isinstance(value, property) and not member.startswith("__"):
            result = re.search(r"-> (.+)$", (value.fget.__doc__ or "").strip().split("\n")[0])
            result = plain(result.group(1)) if result else getattr(value.fget, "__annotations__", {}).get("return", "Any")
            if "%s.%s" % (name, member) in OPTIONAL:
                result = "Optional[%s]" % result
            lines += ["    @property", "    def %s(self) -> %s: ..." % (member, result)]
            if value.fset is not None:
                lines += ["    @%s.setter" % member, "    def %s(self, value: %s) -> None: ..." % (member, result)]
        elif isinstance(value, staticmethod):
            lines += method(member, value.__func__.__doc__, "    ", True)
        elif callable(value) and (not member.startswith("__") or member in ("__init__", "__eq__", "__iter__", "__len__", "__getitem__", "__hash__", "__index__", "__int__", "__bool__", "__lt__", "__le__", "__gt__", "__ge__")):
            lines += method(member, value.__doc__, "    ")
        elif isinstance(value, class_):  # an enumerator of an enumeration of pybind11
            lines.append("    %s: %s" % (member, name))
    return lines + (["    pass"] if len(lines) == 2 else [])


def core(pva):
    """Returns the text of pva_core.pyi."""
    from pva import _records

    module = pva.pva_core
    lines = ["# Made by scripts/update-docs.sh from the compiled module: change the bindings.", "import enum", "import os",
             "from typing import Any, Iterator, Optional, Union, overload", ""]
    records = [n for n in module.__all__ if n in vars(_records) and n != "ProgramVisitor"] + ["List"]
    lines += ["from pva._records import %s as %s" % (n, n) for n in records]
    lines += ["__all__ = [%s]" % ", ".join('"%s"' % n for n in module.__all__), "from pva._look import LivenessPicture, MemoryPicture, TimelinePicture"]
    compiled = [n for n, v in vars(module._cpp).items() if inspect.isclass(v) and n in module.__all__]
    for name in compiled:
        lines += classLines(name, getattr(module, name))
    lines += ["", "class ProgramVisitor:"]
    lines += ["    def visit%s(self, program: %s) -> None: ..." % (t.name, t.name + "Program" if t.name + "Program" in compiled else "Program")
              for t in module.Program.Type if t.name != "Unknown"]
    path = 'Union[str, "os.PathLike[str]"]'
    lines += ["", "@overload", "def openReport(profilePath: %s, debugInfoPath: Optional[%s] = None) -> Report: ..." % (path, path),
              "@overload", "def openReport(*, filename: %s) -> Report: ..." % path,
              "@overload", "def openReport(*, profileFilename: %s, debugInfoFilename: Optional[%s] = None) -> Report: ..." % (path, path),
              "def openMeasured(path: %s) -> list[MeasuredCycles]: ..." % path, "def openTrace(path: %s) -> Trace: ..." % path,
              "def hostSamples(report: Report) -> List[HostSample]: ...", "def measuredCycles(report: Report) -> List[MeasuredCycles]: ...", "def storageCategoryNames() -> list[str]: ..."]
    return "\n".join(lines) + "\n"


def poplar(module):
    lines = ["# Made by scripts/update-docs.sh from the compiled module: change the bindings.", "from typing import Any, Iterator, Optional, Sequence, overload", "",
             "import pva", "from pva.pva_core import Report", "from popscope.poplar import program as program"]
    for name in module.__all__:
        if name == "program":
            continue
        value = getattr(module._cpp, name)  # without the additions of Python to a class
        if inspect.isclass(value):
            if issubclass(value, Exception):
                lines += ["class %s(%s):" % (name, ", ".join(b.__name__ for b in value.__bases__))]
                lines += ["    profilePath: str" if name == "graph_memory_allocation_error" else "    pass"]
            else:
                lines += classLines(name, value)
        elif callable(value):
            lines += method(name, value.__doc__, "")
        else:
            lines.append("%s: Type" % name)
    order = [l for l in lines if l.startswith("class ") or True]
    return "\n".join(order) + "\n"


def programs(module):
    lines = ["# Made by scripts/update-docs.sh from the compiled module: change the bindings.", "from typing import Any, overload", "",
             "from popscope.poplar import ComputeSet, DataStream, Function, RemoteBuffer, SyncType, Tensor"]
    names = ["Program"] + [n for n in module.__all__ if n != "Program"]
    for name in names:
        lines += [line.replace("program.", "") for line in classLines(name, getattr(module, name))]
    return "\n".join(lines) + "\n"


def main(arguments):
    update = arguments[0] == "--update"
    root, packages = arguments[-2:]
    sys.path.insert(0, packages)
    import pva
    import popscope.poplar

    findings = []
    for path, text in (("pva/pva_core.pyi", core(pva)), ("popscope/poplar/__init__.pyi", poplar(popscope.poplar)),
                       ("popscope/poplar/program.pyi", programs(popscope.poplar.program))):
        full = os.path.join(root, "python", path)
        if update:
            with open(full, "w", encoding="utf-8") as file:
                file.write(text)
        elif not os.path.isfile(full) or open(full, encoding="utf-8").read() != text:
            findings.append("python/%s is not what the compiled module says%s" % (path, HINT))
    print(*findings, "python stubs: %d findings" % len(findings), sep="\n")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
