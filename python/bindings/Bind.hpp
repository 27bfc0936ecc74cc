// Converts values of the C++ libraries to Python. Handles, that is, objects with methods such as pva.Report, stay C++
// objects (py::class_). Plain records, lists (pva::List) and enumerators become the named tuples, lazy lists and enum
// members of python/pva/_records.py. A pva::Values or std::vector becomes a Python list.
#pragma once
#include <pva/HostSamples.hpp>
#include <pva/Measured.hpp>
#include <pva/pva.hpp>

#include <chrono>
#include <cxxabi.h>
#include <functional>
#include <optional>
#include <pybind11/cast.h>
#include <string>
#include <thread>

namespace pybind11::detail {

/// Converts a std::string to Python's str. Names come from programs and files, so they may contain bytes that are no
/// UTF-8. Such a byte becomes \xNN, as in the output of the commands. This specialisation precedes the other includes
/// of pybind11, because they use the conversion.
template <> struct type_caster<std::string> : string_caster<std::string> {
  static handle cast(const std::string &text, return_value_policy, handle) {
    PyObject *made = PyUnicode_DecodeUTF8(text.data(), static_cast<ssize_t>(text.size()), "backslashreplace");
    if (made == nullptr)
      throw error_already_set();
    return made;
  }
};

} // namespace pybind11::detail

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

namespace py = pybind11;

namespace popscope::python {

/// Returns the result of `call`, which waits for the GIL or runs Python code. Does not return if Python ends in the
/// meantime: before Python 3.14, Python then ends this thread by an exception that unwinds its stack. This function
/// keeps this exception away from Popscope's destructors. Most of these destructors need the GIL, or end the process if
/// an exception leaves them. For the same reason, `call` must be a plain call of Python's C interface.
template <class Call> auto stopIfPythonEnds(const Call &call) {
#ifdef __GLIBCXX__
  try {
    return call();
  } catch (const abi::__forced_unwind &) { // an exception that must not be caught for good
    while (true)
      std::this_thread::sleep_for(std::chrono::hours(1));
  }
#else
  return call();
#endif
}

/// The Python thread state with which the innermost WithoutGil of this thread gave up the GIL. Null if this thread has
/// the GIL or never had it.
inline thread_local PyThreadState *releasedState = nullptr;

/// A guard: while it exists, the thread does not have the GIL.
class WithoutGil {
public:
  WithoutGil() { releasedState = state_; }
  ~WithoutGil() {
    releasedState = nullptr;
    stopIfPythonEnds([this] { PyEval_RestoreThread(state_); });
  }
  WithoutGil(const WithoutGil &) = delete;
  WithoutGil &operator=(const WithoutGil &) = delete;

private:
  PyThreadState *state_ = PyEval_SaveThread();
};

/// A guard: while it exists, the thread has the GIL. A thread that gave up the GIL by WithoutGil takes the GIL with the
/// same thread state. By contrast, py::gil_scoped_acquire does not find this state after Python has ended, and then
/// crashes.
class WithGil {
public:
  WithGil() {
    releasedState = nullptr;
    stopIfPythonEnds([this] {
      if (state_ != nullptr)
        PyEval_RestoreThread(state_);
      else
        lock_.emplace();
    });
  }
  ~WithGil() {
    if (state_ == nullptr)
      return;
    PyEval_SaveThread();
    releasedState = state_;
  }
  WithGil(const WithGil &) = delete;
  WithGil &operator=(const WithGil &) = delete;

private:
  PyThreadState *state_ = releasedState;
  std::optional<py::gil_scoped_acquire> lock_; // has a value while the guard exists if `state_` is null
};

/// Returns a member of module pva._records. Looks up each name only once.
py::handle record(const char *name);
/// Returns a pva.List of `size` elements. `at` makes an element when Python code accesses the element.
py::object lazyList(std::size_t size, std::function<py::object(std::size_t)> at);

void bindReport(py::module_ &m);
void bindCompilation(py::module_ &m);
void bindExecution(py::module_ &m);
void bindFile(py::module_ &m);
void bindViews(py::module_ &m);
/// Makes all functions of a module or class, and of the modules and classes within it, raise TypeErrors that name the
/// wrong argument, in place of pybind11's TypeErrors. Call nameWrongArguments after the functions are bound.
void nameWrongArguments(const py::handle &scope);

/// Binds a class that Python code cannot construct. The repr of an object is the text of _records.showHandle(). For
/// most classes, this text contains the fields that _records.SHOWN lists.
template <class T, class... Bases> py::class_<T, Bases...> handle(py::module_ &m, const char *name, const char *doc) {
  return py::class_<T, Bases...>(m, name, doc).def("__repr__", [](const py::object &self) {
    return record("showHandle")(self);
  });
}

/// Adds equality and hash by value instead of by object identity.
template <class T, class... O> py::class_<T, O...> &comparable(py::class_<T, O...> &c) {
  return c
      .def("__eq__",
           [](const T &a, const py::object &b) {
             return py::isinstance<T>(b) ? py::object(py::bool_(a == b.cast<const T &>()))
                                         : py::reinterpret_borrow<py::object>(Py_NotImplemented);
           })
      .def("__hash__", [](const T &a) { return a._id(); });
}

/// Wraps a method that takes an index. A negative index raises IndexError. An index for which the method throws
/// std::out_of_range also raises IndexError.
template <class T, class R> auto byIndex(R (T::*method)(std::size_t) const) {
  return [method](const T &self, py::ssize_t index) -> R {
    if (index < 0)
      throw py::index_error("index " + std::to_string(index) + " does not exist");
    return (self.*method)(static_cast<std::size_t>(index));
  };
}

} // namespace popscope::python

namespace pybind11::detail {

template <> struct type_caster<pva::Values> {
  static constexpr auto name = const_name("List[int]");
  static handle cast(const pva::Values &values, return_value_policy, handle) {
    list result(values.size());
    std::size_t i = 0;
    for (const std::uint64_t value : values)
      PyList_SET_ITEM(result.ptr(), static_cast<ssize_t>(i++), PyLong_FromUnsignedLongLong(value));
    return result.release();
  }
};

template <class T> struct type_caster<pva::List<T>> {
  static constexpr auto name = const_name("pva.List[") + make_caster<T>::name + const_name("]");
  static handle cast(const pva::List<T> &values, return_value_policy, handle) {
    return popscope::python::lazyList(values.size(), [values](std::size_t i) { return py::cast(values.at(i)); })
        .release();
  }
};

#define POPSCOPE_RECORD(TYPE, NAME, ...)                                                                               \
  template <> struct type_caster<TYPE> {                                                                               \
    static constexpr auto name = const_name(NAME);                                                                     \
    static handle cast(const TYPE &v, return_value_policy, handle) {                                                   \
      return popscope::python::record(NAME)(__VA_ARGS__).release();                                                    \
    }                                                                                                                  \
  };
#define POPSCOPE_ENUM(TYPE, RECORD, NAME)                                                                              \
  template <> struct type_caster<TYPE> {                                                                               \
    static constexpr auto name = const_name(NAME);                                                                     \
    static handle cast(TYPE v, return_value_policy, handle) {                                                          \
      return popscope::python::record(RECORD)(static_cast<int>(v)).release();                                          \
    }                                                                                                                  \
  };

POPSCOPE_ENUM(pva::Program::Type, "ProgramType", "Program.Type")
POPSCOPE_ENUM(pva::Target::Type, "TargetType", "Target.Type")
POPSCOPE_ENUM(pva::IPU::Architecture, "Architecture", "IPU.Architecture")
POPSCOPE_ENUM(pva::ComputeInstrumentationLevel, "ComputeInstrumentationLevel", "ComputeInstrumentationLevel")
POPSCOPE_ENUM(pva::ExternalExchangeInstrumentationLevel, "ExternalExchangeInstrumentationLevel",
              "ExternalExchangeInstrumentationLevel")

/// Returns the value, or None if the value is unknown.
template <class T> object orNone(bool known, const T &value) { return known ? py::cast(value) : none(); }
inline const char *measuredKind(pva::MeasuredCycles::Of of) {
  using Of = pva::MeasuredCycles::Of;
  return of == Of::Step ? "step" : of == Of::ComputeSet ? "compute set" : "vertex type";
}

POPSCOPE_RECORD(pva::SyncDelay, "SyncDelay", v.kind(), v.acrossIpus(), v.toControllerByTile(), v.fromControllerByTile())
POPSCOPE_RECORD(pva::Option, "Option", v.scope, v.key, v.value, v.isDefault)
POPSCOPE_RECORD(pva::Optimization, "Optimization", v.name, v.unit, v.before, v.after)
POPSCOPE_RECORD(pva::MachineCost, "MachineCost", v.key, v.value, v.unit)
POPSCOPE_RECORD(pva::MessageSizes, "MessageSizes", v.buses, v.bytes, v.messages)
POPSCOPE_RECORD(pva::SettingWarning, "SettingWarning", v.about, v.text)
POPSCOPE_RECORD(pva::CompilePhase, "CompilePhase", v.name, orNone(v.isPart, v.parent), v.startMicroseconds,
                v.wallMicroseconds, v.cpuMicroseconds, orNone(v.memoryKnown, v.bytesBefore),
                orNone(v.memoryKnown, v.bytesAfter), orNone(v.memoryKnown, v.peakBytes))
POPSCOPE_RECORD(pva::HostSample, "HostSample", v.microseconds, orNone(v.cpuKnown, v.userMicroseconds),
                orNone(v.cpuKnown, v.systemMicroseconds), orNone(v.cpuKnown, v.threads),
                orNone(v.memoryKnown, v.residentBytes), orNone(v.memoryKnown, v.peakBytes),
                orNone(v.diskKnown, v.readBytes), orNone(v.diskKnown, v.writtenBytes))
POPSCOPE_RECORD(pva::MemorySize, "MemorySize", v.includingGaps(), v.excludingGaps())
POPSCOPE_RECORD(pva::CategoryRegion, "CategoryRegion", v.nonOverlapped(), v.overlapped())
POPSCOPE_RECORD(pva::Category, "Category", v.nonInterleaved(), v.interleaved(), v.overflowed())
POPSCOPE_RECORD(pva::LinkTransfer, "LinkTransfer", v.fromIpu, v.toIpu, v.bytes, v.tiles)
POPSCOPE_RECORD(pva::TileTraffic, "TileTraffic", v.tilesPerGroup, v.fromGroups, v.toGroups, v.bytes)
POPSCOPE_RECORD(pva::Flops, "Flops", v.recorded, v.vertices, v.estimatedVertices, v.operations, v.countedVertices,
                v.countedOperations)
POPSCOPE_RECORD(pva::VertexInstances, "VertexInstances", v.type(), v.countByTile(), v.flops())
POPSCOPE_RECORD(pva::CycleSource, "CycleSource", v.type, v.source, v.vertices, v.reason)
POPSCOPE_RECORD(pva::VertexOperand, "VertexOperand", v.type, v.field, v.elementType, v.read, v.written, v.edges,
                v.elements, v.leastElements, v.mostElements, v.bytes)
POPSCOPE_RECORD(pva::VertexTypeFlops, "VertexTypeFlops", v.computeSet, v.type, v.flops)
POPSCOPE_RECORD(pva::CycleLimits, "CycleLimits", v.min(), v.max())
POPSCOPE_RECORD(pva::CycleRange, "CycleRange", v.from(), v.to())
POPSCOPE_RECORD(pva::VertexTypeCycles, "VertexTypeCycles", v.type, v.instances, v.known, v.cycles)
POPSCOPE_RECORD(pva::VertexExecution, "VertexExecution", v.computeSet, v.type, v.tile, v.operands, v.known, v.cycles)
POPSCOPE_RECORD(pva::DealtRun, "DealtRun", v.threadCycles, v.vertices)
POPSCOPE_RECORD(pva::DealtVertices, "DealtVertices", v.patternByTile, v.patterns)
POPSCOPE_RECORD(pva::Microseconds, "Microseconds", v.start(), v.end())
POPSCOPE_RECORD(pva::CycleTotals, "CycleTotals", v.total(), v.compute(), v.computeWithoutIdle(), v.exchange(),
                v.globalExchange(), v.hostExchange(), v.sharedStructureCopy(), v.sync(), v.unattributed(),
                v.counterReads(), v.controlFlowReads(), v.computeWithoutIdleKnown(), v.computeKnown(),
                v.externalExchangeKnown(), v.known(), v.totalKnown())
POPSCOPE_RECORD(pva::ControlFlow, "ControlFlow", v.program, v.cycles, orNone(v.takenKnown, v.taken))
POPSCOPE_RECORD(pva::MemorySample, "MemorySample", v.program, v.position, v.cycle, v.bytes)
POPSCOPE_RECORD(pva::ProgramExecutions, "ProgramExecutions", v.program, v.starts, v.cycles)
POPSCOPE_RECORD(pva::Block, "Block", v.program(), v.cyclesFrom(), v.cyclesTo(), v.tile(), v.isCommon(), v.isOverflow(),
                v.isBlockFlush(), v.isStreamCopy(), v.isClosed(), v.runNumber())
POPSCOPE_RECORD(pva::PausedSpan, "PausedSpan", v.firstRun, v.runs, v.reason, v.cyclesKnown, v.cycles)
POPSCOPE_RECORD(pva::StepInterval, "StepInterval", v.start(), v.end())
POPSCOPE_RECORD(pva::VariablePart, "VariablePart", v.liveSteps, v.tiles, v.bytes, v.isWhole)
POPSCOPE_RECORD(pva::LiveExplanation, "LiveExplanation", v.variable, v.firstProgram, v.endProgram, v.born, v.read,
                v.failedKill, v.missed, v.missedElements, v.carrier, v.carriedBy)
POPSCOPE_RECORD(pva::FalseLive, "FalseLive", v.variable, v.firstProgram, v.endProgram, v.bytes, v.bytesOnWorstTile)
POPSCOPE_RECORD(pva::VariableAccess, "VariableAccess", v.program, v.elements, v.read, v.written, v.undefined)
POPSCOPE_RECORD(pva::UndefPlacement, "UndefPlacement", v.variable, v.before, v.savedOnWorstTile, v.savedOnDevice,
                v.together)
POPSCOPE_RECORD(pva::LivenessAdvice, "LivenessAdvice", v.present, v.explanations, v.falseLive, v.placements,
                v.worstTile, v.worstProgram, v.worstPeak, v.falseLiveAtPeak, v.worstPeakAfterAll, v.candidates, v.tried)
POPSCOPE_RECORD(pva::AdviceTrial, "AdviceTrial", v.purpose, v.changes, v.description, v.numChanges, v.tilesOutOfMemory,
                v.fullestTile, v.fullestBytes, v.pastEndBytes, v.allTilesBytes, v.exchangeCodeBytes, v.exchangeCycles)
POPSCOPE_RECORD(pva::DebugLocation, "DebugLocation", v.fileName(), v.functionName(), v.lineNumber())
POPSCOPE_RECORD(pva::MeasuredCycles, "MeasuredCycles", measuredKind(v.of), v.id, v.name, orNone(v.tileKnown, v.tile),
                v.cycles, v.source, v.line)

#undef POPSCOPE_RECORD
#undef POPSCOPE_ENUM

} // namespace pybind11::detail
