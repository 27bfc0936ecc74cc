// Control programs and the engine of the Poplar API.
#include "python/bindings/Poplar.hpp"

#include "base/Interrupt.hpp"

#include <popscope/profile.hpp>

#include <cstring>
#include <map>
#include <optional>
#include <sstream>

namespace popscope::python {
namespace {

using namespace poplar;
namespace prog = poplar::program;

std::vector<prog::Program> programsOf(const py::object &programs) {
  if (py::isinstance<prog::Program>(programs))
    return {programs.cast<prog::Program>()};
  const std::string what = "programs: takes a program or a sequence of programs";
  if (!py::isinstance<py::iterable>(programs))
    throw py::type_error(what + ", not " + py::repr(programs).cast<std::string>());
  std::vector<prog::Program> result;
  for (const py::handle one : programs)
    result.push_back(argument<prog::Program>(one, what));
  return result;
}

using Cases = std::vector<std::pair<std::int32_t, prog::Program>>;

/// Returns the labels and programs of a dict. Throws Python's TypeError for any other key or value.
Cases casesOf(const py::dict &cases) {
  Cases result;
  for (const auto &[label, body] : cases)
    result.emplace_back(argument<std::int32_t>(label, "Switch: a label is an integer of 32 bits"),
                        argument<prog::Program>(body, "Switch: a case is a program"));
  return result;
}

/// Runs the handlers of pending Python signals, and throws the exception that a handler raises (Ctrl-C). The engine
/// calls this function between pieces of its work, on the thread that does the work.
void raiseSignals() {
  if (PyErr_CheckSignals() != 0)
    throw py::error_already_set();
}

/// A guard: while it exists, Ctrl-C stops the work of this thread, even if the work calls no Python code.
class StoppedBySignals {
  Interruptible interruptible_{[] {
    const py::gil_scoped_acquire acquire;
    raiseSignals();
  }};
};

/// Calls a Python function for each transfer. Its array is the stream's own memory, and is valid only during the call.
class PythonCallback final : public LegacyStreamCallback {
public:
  PythonCallback(py::object function, HostShape shape) : function_(std::move(function)), shape_(std::move(shape)) {}
  ~PythonCallback() override {
    const py::gil_scoped_acquire acquire;
    function_.release().dec_ref();
  }
  void fetch(void *p) override {
    const py::gil_scoped_acquire acquire;
    raiseSignals();
    const py::object result = function_(arrayOf(p, shape_));
    if (result.is_none())
      return;
    const py::buffer_info info = hostBuffer(result, shape_, ArrayOf::Transfers, "stream callback", false);
    std::memcpy(p, info.ptr, static_cast<std::size_t>(info.size * info.itemsize));
  }

private:
  py::object function_;
  HostShape shape_;
};

/// An engine, the shapes of its host handles, and the arrays that are connected to its streams.
class PyEngine {
public:
  PyEngine(const PyGraph &graph, const py::object &programs, const py::dict &options, const py::object &progress)
      : handles_(ofAllReplicas(*graph.handles, graph.graph.getReplicationFactor())), engine_([&] {
          const std::vector<prog::Program> list = programsOf(programs);
          programs_ = list.size();
          const OptionFlags flags = optionsOf(options);
          const auto tell = [&](int done, int all) {
            const py::gil_scoped_acquire acquire;
            raiseSignals();
            if (!progress.is_none())
              progress(done, all);
          };
          const py::gil_scoped_release release;
          const StoppedBySignals stopped;
          return Engine(graph.graph, list, flags, tell);
        }()) {}

  void load(const Device &device) {
    const py::gil_scoped_release release;
    const StoppedBySignals stopped;
    engine_.load(device);
  }
  void run(unsigned program, const std::string &name) {
    const py::gil_scoped_release release;
    const StoppedBySignals stopped;
    engine_.run(program, name);
  }
  /// Reads a tensor into `out` without a copy, or into a new array if `out` is None. Returns the array. Throws
  /// ValueError for an array of another type or shape, and stream_connection_error for an unknown handle.
  py::object readTensor(const std::string &handle, const py::object &out) {
    const HostShape &shape = known({kReadHandle}, handle)->second;
    py::object array = out.is_none() ? emptyArray(shape) : out;
    const py::buffer_info info = hostBuffer(array, shape, ArrayOf::Tensor, "readTensor(\"" + handle + "\")", true);
    auto *begin = static_cast<char *>(info.ptr);
    const py::gil_scoped_release release;
    engine_.readTensor(handle, begin, begin + info.size * info.itemsize);
    return array;
  }
  void writeTensor(const std::string &handle, const py::object &values) {
    const HostShape &shape = known({kWriteHandle}, handle)->second;
    const std::string what = "writeTensor(\"" + handle + "\")";
    const bool isList = py::isinstance<py::list>(values) || py::isinstance<py::tuple>(values);
    const bool isNumber = PyObject_CheckBuffer(values.ptr()) == 0 && PyNumber_Check(values.ptr()) != 0;
    const py::object array = [&] {
      try {
        return isList ? converted(values, shape) : isNumber ? converted(py::make_tuple(values), shape) : values;
      } catch (py::error_already_set &e) {
        throw py::value_error(what + ": the values cannot be converted to type " + numpyName(shape.type) + ": " +
                              py::str(e.value()).cast<std::string>());
      }
    }();
    const py::buffer_info info = hostBuffer(array, shape, ArrayOf::Tensor, what, false);
    const auto *begin = static_cast<const char *>(info.ptr);
    const py::gil_scoped_release release;
    engine_.writeTensor(handle, begin, begin + info.size * info.itemsize);
  }
  void connectStream(const py::object &stream, const py::object &array) {
    const std::string handle = handleOf(stream);
    const auto known = knownStream(handle);
    const bool isOut = known->first == kStreamOut + handle;
    const auto info = std::make_shared<py::buffer_info>(
        hostBuffer(array, known->second, ArrayOf::Transfers, "connectStream(\"" + handle + "\")", isOut));
    auto *begin = static_cast<char *>(info->ptr);
    engine_.connectStream(handle, begin, begin + info->size * info->itemsize);
    connected_[handle] = info; // keeps the array alive
  }
  void connectStreamToCallback(const py::object &stream, const py::object &function) {
    const std::string handle = handleOf(stream);
    const HostShape &shape = knownStream(handle)->second;
    if (PyCallable_Check(function.ptr()) == 0)
      throw py::type_error("connectStreamToCallback(\"" + handle + "\"): takes a function of one array, not " +
                           py::repr(function).cast<std::string>());
    engine_.connectStreamToCallback(handle, StreamCallbackHandle(std::make_unique<PythonCallback>(function, shape)));
  }
  std::string profileSummary(const py::dict &options) {
    std::ostringstream out;
    engine_.printProfileSummary(out, optionsOf(options));
    return out.str();
  }
  std::string repr() const {
    return "Engine(" + std::to_string(programs_) + (programs_ == 1 ? " program)" : " programs)");
  }
  Engine &engine() { return engine_; }

private:
  /// Returns the handles. If there are several replicas, the shapes of tensors have a first dimension for the replicas.
  static std::map<std::string, HostShape> ofAllReplicas(std::map<std::string, HostShape> handles, unsigned replicas) {
    for (auto &[name, host] : handles)
      if (replicas > 1 && (name.compare(0, std::strlen(kReadHandle), kReadHandle) == 0 ||
                           name.compare(0, std::strlen(kWriteHandle), kWriteHandle) == 0))
        host.shape.insert(host.shape.begin(), replicas);
    return handles;
  }
  static std::string handleOf(const py::object &stream) {
    return py::isinstance<DataStream>(stream) ? stream.cast<const DataStream &>().handle()
                                              : argument<std::string>(stream, "a stream is a DataStream or its handle");
  }
  using Known = std::map<std::string, HostShape>::const_iterator;
  Known known(std::initializer_list<std::string> kinds, const std::string &handle) const {
    std::string all;
    for (const std::string &kind : kinds) {
      const auto found = handles_.find(kind + handle);
      if (found != handles_.end())
        return found;
      for (const auto &[name, shape] : handles_)
        if (name.compare(0, kind.size(), kind) == 0)
          all += (all.empty() ? "" : ", ") + name.substr(kind.size());
    }
    const std::string kind = kinds.size() == 1 ? *kinds.begin() : "stream ";
    throw poplar::stream_connection_error("there is no " + kind + "handle \"" + handle +
                                          "\"; there are: " + (all.empty() ? "none" : all));
  }
  Known knownStream(const std::string &handle) const { return known({kStreamIn, kStreamOut}, handle); }
  static py::object emptyArray(const HostShape &shape) {
    try {
      return py::module_::import("numpy").attr("empty")(py::cast(shape.shape), numpyName(shape.type));
    } catch (const py::error_already_set &e) {
      if (!e.matches(PyExc_ImportError))
        throw;
    }
    return converted(py::cast(std::vector<int>(elementsOf(shape))), shape);
  }
  static std::size_t elementsOf(const HostShape &shape) {
    std::size_t elements = 1;
    for (const std::size_t dim : shape.shape)
      elements *= dim;
    return elements;
  }
  /// Converts a list to an array of the handle's type: an array of Python's module array if this module has the type,
  /// or else an array of numpy.
  static py::object converted(const py::object &values, const HostShape &shape) {
    static const std::map<std::string, const char *> kCodes = {{"f4", "f"}, {"i4", "i"}, {"u4", "I"}, {"i1", "b"},
                                                               {"u1", "B"}, {"i2", "h"}, {"u2", "H"}, {"i8", "q"},
                                                               {"u8", "Q"}, {"?", "B"}};
    const auto code = kCodes.find(numpyName(shape.type));
    if (code == kCodes.end())
      return py::module_::import("numpy").attr("array")(values, numpyName(shape.type));
    return py::module_::import("array").attr("array")(code->second, values);
  }

  std::size_t programs_ = 0;
  std::map<std::string, HostShape> handles_;
  std::map<std::string, std::shared_ptr<py::buffer_info>> connected_;
  Engine engine_;
};

using profile::Category;
using profile::Scope;

Category categoryOf(const std::string &name) {
  static const std::map<std::string, Category> kKnown = {
      {"compute", Category::Compute},   {"exchange", Category::Exchange}, {"globalExchange", Category::GlobalExchange},
      {"host", Category::HostExchange}, {"sync", Category::Sync},         {"controlFlow", Category::ControlFlow}};
  const auto found = kKnown.find(name);
  if (found == kKnown.end())
    throw py::value_error("there is no category \"" + name +
                          "\"; there are: compute, exchange, globalExchange, host, sync, controlFlow");
  return found->second;
}
profile::Categories categoriesOf(const std::vector<std::string> &names) {
  profile::Categories result;
  for (const std::string &name : names)
    result.push_back(categoryOf(name));
  return result;
}

template <class T> py::class_<T, prog::Program> programClass(py::module_ &m, const char *name, const char *doc) {
  return py::class_<T, prog::Program>(m, name, doc);
}

} // namespace

void bindPrograms(py::module_ &m) {
  const auto name = py::arg("name") = "";
  py::class_<prog::Program>(m, "Program", "Any program; Program() does nothing.")
      .def(py::init<>())
      .def("isEmpty", &prog::Program::isEmpty, "True if the program does nothing.")
      .def(
          "__eq__", [](const prog::Program &a, const prog::Program &b) { return a == b; }, py::is_operator())
      .def("__hash__", [](const py::object &p) { return reinterpret_cast<std::size_t>(p.ptr()) >> 4; });
  programClass<prog::Sequence>(m, "Sequence", "Runs programs one after the other.")
      .def(py::init([](const py::object &programs, const std::string &n) {
             return prog::Sequence(programsOf(programs), named(n));
           }),
           py::arg("programs") = py::tuple(), name)
      .def(
          "add", [](prog::Sequence &s, const prog::Program &p) { s.add(p); }, py::arg("program"),
          "Adds a program at the end.");
  programClass<prog::Execute>(
      m, "Execute",
      "Runs all vertices of a compute set once. `out`, one BOOL, receives the logical and of their results.")
      .def(py::init([](ComputeSet cs, const std::string &n) { return prog::Execute(cs, named(n)); }),
           py::arg("computeSet"), name)
      .def(py::init(
               [](ComputeSet cs, const Tensor &out, const std::string &n) { return prog::Execute(cs, out, named(n)); }),
           py::arg("computeSet"), py::arg("out"), name);
  programClass<prog::Copy>(m, "Copy",
                           "Copies element by element, in row-major order: between tensors, a stream and a tensor, a "
                           "remote buffer and a tensor.")
      .def(py::init([](const Tensor &a, const Tensor &b, bool dontOutline, const std::string &n) {
             return prog::Copy(a, b, dontOutline, named(n));
           }),
           py::arg("src"), py::arg("dst"), py::arg("dontOutline") = false, name)
      .def(py::init([](const DataStream &a, const Tensor &b, bool optimise, const std::string &n) {
             return prog::Copy(a, b, optimise, named(n));
           }),
           py::arg("src"), py::arg("dst"), py::arg("optimiseMemory") = false, name)
      .def(py::init([](const Tensor &a, const DataStream &b, bool optimise, const std::string &n) {
             return prog::Copy(a, b, optimise, named(n));
           }),
           py::arg("src"), py::arg("dst"), py::arg("optimiseMemory") = false, name)
      .def(py::init(
               [](const RemoteBuffer &a, const Tensor &b, const std::string &n) { return prog::Copy(a, b, named(n)); }),
           py::arg("src"), py::arg("dst"), name)
      .def(py::init([](const RemoteBuffer &a, const Tensor &b, const Tensor &offset, const std::string &n) {
             return prog::Copy(a, b, offset, named(n));
           }),
           py::arg("src"), py::arg("dst"), py::arg("offset"), name)
      .def(py::init(
               [](const Tensor &a, const RemoteBuffer &b, const std::string &n) { return prog::Copy(a, b, named(n)); }),
           py::arg("src"), py::arg("dst"), name)
      .def(py::init([](const Tensor &a, const RemoteBuffer &b, const Tensor &offset, const std::string &n) {
             return prog::Copy(a, b, offset, named(n));
           }),
           py::arg("src"), py::arg("dst"), py::arg("offset"), name);
  programClass<prog::CrossReplicaCopy>(m, "CrossReplicaCopy",
                                       "Copies between replicas: replicaMap[source] = destination.")
      .def(py::init([](const Tensor &a, const Tensor &b, const std::map<unsigned, unsigned> &map,
                       const std::string &n) { return prog::CrossReplicaCopy(a, b, map, named(n)); }),
           py::arg("src"), py::arg("dst"), py::arg("replicaMap"), name);
  programClass<prog::Repeat>(m, "Repeat", "Runs a program a number of times.")
      .def(py::init([](unsigned count, const prog::Program &p, const std::string &n) {
             return prog::Repeat(count, p, named(n));
           }),
           py::arg("count"), py::arg("program"), name);
  programClass<prog::RepeatWhileTrue>(
      m, "RepeatWhileTrue", "Runs cond, then body, repeatedly. After cond it leaves if the predicate is zero.")
      .def(py::init([](const prog::Program &c, const Tensor &t, const prog::Program &b, const std::string &n) {
             return prog::RepeatWhileTrue(c, t, b, named(n));
           }),
           py::arg("cond"), py::arg("predicate"), py::arg("body"), name);
  programClass<prog::RepeatWhileFalse>(
      m, "RepeatWhileFalse", "Runs cond, then body, repeatedly. After cond it leaves if the predicate is not zero.")
      .def(py::init([](const prog::Program &c, const Tensor &t, const prog::Program &b, const std::string &n) {
             return prog::RepeatWhileFalse(c, t, b, named(n));
           }),
           py::arg("cond"), py::arg("predicate"), py::arg("body"), name);
  programClass<prog::If>(m, "If", "Predicate: one BOOL, INT or UNSIGNED_INT.")
      .def(py::init([](const Tensor &t, const prog::Program &a, const prog::Program &b, const std::string &n) {
             return prog::If(t, a, b, named(n));
           }),
           py::arg("predicate"), py::arg("trueBody"), py::arg("falseBody") = prog::Sequence(), name);
  programClass<prog::Switch>(m, "Switch", "Runs the case whose label equals the control tensor; the default otherwise.")
      .def(py::init([](const Tensor &t, const py::dict &cases, const prog::Program &d, const std::string &n) {
             return prog::Switch(t, casesOf(cases), d, named(n));
           }),
           py::arg("control"), py::arg("cases"), py::arg("default") = prog::Sequence(), name);
  programClass<prog::Sync>(m, "Sync", "A barrier.")
      .def(py::init([](SyncType t, const std::string &n) { return prog::Sync(t, named(n)); }), py::arg("type"), name);
  programClass<prog::Call>(m, "Call", "Runs a function.")
      .def(py::init([](Function f, const std::string &n) { return prog::Call(f, named(n)); }), py::arg("function"),
           name);
  programClass<prog::WriteUndef>(
      m, "WriteUndef",
      "Declares that the contents are no longer needed: the tensor is not live until it is written again.")
      .def(py::init([](const Tensor &t, const std::string &n) { return prog::WriteUndef(t, named(n)); }),
           py::arg("tensor"), name);
  programClass<prog::PrintTensor>(m, "PrintTensor",
                                  "Prints a tensor to standard error when execution reaches this program.")
      .def(py::init([](const Tensor &t, const std::string &n) { return prog::PrintTensor(t, named(n)); }),
           py::arg("tensor"), name)
      .def(py::init([](const std::string &title, const Tensor &t, const std::string &n) {
             return prog::PrintTensor(title, t, named(n));
           }),
           py::arg("title"), py::arg("tensor"), name);
  programClass<prog::ErrorProgram>(m, "ErrorProgram", "Stops the program with a message that shows the tensor.")
      .def(py::init([](const std::string &text, const Tensor &t, const std::string &n) {
             return prog::ErrorProgram(text, t, named(n));
           }),
           py::arg("message"), py::arg("tensor"), name);
  programClass<prog::Abort>(m, "Abort", "Stops the program.")
      .def(py::init([](const std::string &text, const std::string &n) { return prog::Abort(text, named(n)); }),
           py::arg("message") = "", name);
  programClass<prog::AbortOnCondition>(m, "AbortOnCondition", "Stops the program when the predicate is not zero.")
      .def(py::init([](const Tensor &t, const std::string &text, const std::string &n) {
             return prog::AbortOnCondition(t, text, named(n));
           }),
           py::arg("predicate"), py::arg("message") = "", name);
  programClass<prog::AssumeEqualAcrossReplicas>(m, "AssumeEqualAcrossReplicas",
                                                "The program promises that the tensor is the same on all replicas.")
      .def(py::init([](const Tensor &t, const std::string &n) { return prog::AssumeEqualAcrossReplicas(t, named(n)); }),
           py::arg("tensor"), name);
  programClass<prog::Block>(m, "Block", "A program that profiles show as one block under its name.")
      .def(py::init([](const prog::Program &p, const std::string &n) { return prog::Block(p, named(n)); }),
           py::arg("body"), name);
}

void bindEngine(py::module_ &m) {
  const py::dict none;
  py::class_<PyEngine>(m, "Engine",
                       "Compiles a graph's programs, loads them on a device, runs them and reports on them. Other "
                       "Python threads continue meanwhile. Options: docs/OPTIONS.md; values may be bool, int, float "
                       "and str. progress(done, all) is called while it compiles. Raises subclasses of poplar_error, "
                       "such as graph_memory_allocation_error, with `profilePath`, if a tile's memory overflows.")
      .def(py::init<const PyGraph &, const py::object &, const py::dict &, const py::object &>(), py::arg("graph"),
           py::arg("programs"), py::arg("options") = none, py::arg("progress") = py::none())
      .def("__repr__", &PyEngine::repr)
      .def("load", &PyEngine::load, py::arg("device"),
           "Loads the programs on a device. Raises poplar_error if the device has another target than the graph.")
      .def("run", &PyEngine::run, py::arg("program") = 0, py::arg("name") = "",
           "Runs the program with this index in `programs` to its end. `name` names the run in the profile. Call "
           "load() first. Raises application_runtime_error if the program aborts.")
      .def(
          "loadAndRun",
          [](PyEngine &e, const Device &d, unsigned p, const std::string &n) {
            e.load(d);
            e.run(p, n);
          },
          py::arg("device"), py::arg("program") = 0, py::arg("name") = "",
          "Calls load(device), then run(program, name).")
      .def("readTensor", &PyEngine::readTensor, py::arg("handle"), py::arg("out") = py::none(),
           "Reads a tensor into the array `out`, of its shape or flat, without a copy, or into a new array of the "
           "tensor's shape. Returns the array.")
      .def("writeTensor", &PyEngine::writeTensor, py::arg("handle"), py::arg("values"),
           "Writes a tensor from a contiguous array of its type (Tensor.elementType.numpy) and shape, without a copy, "
           "or "
           "from a flat array, a flat list or a number. Raises ValueError for another type, shape or size.")
      .def("connectStream", &PyEngine::connectStream, py::arg("stream"), py::arg("array"),
           "Connects an array, which the engine keeps; a longer one is used circularly. Stream: a DataStream or its "
           "handle.")
      .def("connectStreamToCallback", &PyEngine::connectStreamToCallback, py::arg("stream"), py::arg("function"),
           "Connects a callback. For a stream to the device, function(array) fills the array of one transfer, or "
           "returns an array to copy from. For a stream to the host, it reads the array. The array is valid only "
           "during the call.")
      .def("profileSummary", &PyEngine::profileSummary, py::arg("options") = none,
           "Returns the text of Engine::printProfileSummary.")
      .def(
          "printProfileSummary",
          [](PyEngine &e, const py::dict &options, const py::object &file) {
            const py::object to = file.is_none() ? py::module_::import("sys").attr("stdout") : file;
            to.attr("write")(e.profileSummary(options));
          },
          py::arg("options") = none, py::arg("file") = py::none(),
          "Writes profileSummary(options) to a file object, or to sys.stdout.")
      .def(
          "getReport", [](PyEngine &e, bool execution) { return e.engine().getReport(execution); },
          py::arg("reportExecution") = true,
          "Returns the profile of this engine, a pva.Report that shows later runs, too. Raises profiling_disabled on a "
          "CPU target.")
      .def(
          "enableExecutionProfiling", [](PyEngine &e) { e.engine().enableExecutionProfiling(); }, "Records later runs.")
      .def(
          "disableExecutionProfiling", [](PyEngine &e) { e.engine().disableExecutionProfiling(); },
          "Stops recording: later runs are not recorded.")
      .def(
          "resetExecutionProfile", [](PyEngine &e) { e.engine().resetExecutionProfile(); },
          "Forgets the recorded runs.")
      .def(
          "getStreamHandles", [](PyEngine &e) { return e.engine().getStreamHandles(); },
          "Returns the handles of all streams that the host can connect.")
      .def(
          "getEngineOptions",
          [](PyEngine &e) {
            py::dict all;
            for (const auto &[key, value] : e.engine().getEngineOptions())
              all[py::str(key)] = value;
            return all;
          },
          "Returns all options with their values, as a dict of str.");
  py::class_<Scope>(
      m, "Scope",
      "Extension: while the scope is open, runs of the engine are recorded under the label, whatever other settings "
      "select. If categories are given, only their steps have times. With record=False, runs are left out.")
      .def(py::init([](PyEngine &e, const std::string &label, const std::optional<std::vector<std::string>> &categories,
                       bool record) {
             if (categories)
               return std::make_unique<Scope>(e.engine(), label, categoriesOf(*categories));
             return std::make_unique<Scope>(e.engine(), label, record ? Scope::Runs::Recorded : Scope::Runs::Excluded);
           }),
           py::arg("engine"), py::arg("label") = "", py::arg("categories") = py::none(), py::arg("record") = true)
      .def(
          "pause", [](Scope &s) { s.pause(); }, "Leaves out runs until resume().")
      .def(
          "resume", [](Scope &s) { s.resume(); }, "Records runs again.");
  m.def("versionString", poplar::versionString, "Returns the version of the library as text.");
  m.def("packageHash", poplar::packageHash, "Returns a text that identifies the version.");
}

} // namespace popscope::python
