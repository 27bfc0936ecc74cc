// Control programs and the engine of the Poplar API.
#include "python/bindings/Poplar.hpp"

#include "base/Half.hpp"
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
  if (!py::isinstance<py::iterable>(programs) || py::isinstance<py::str>(programs))
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

/// A guard: while it exists, the thread of an engine has the GIL. The constructor runs the handlers of pending signals
/// (raiseSignals).
class InPython {
public:
  InPython() { raiseSignals(); }

private:
  WithGil lock_;
};

/// Calls a function of the user's. Throws the exception that the function raises.
py::object callUser(const py::object &function, const py::tuple &arguments) {
  PyObject *result = stopIfPythonEnds([&] { return PyObject_CallObject(function.ptr(), arguments.ptr()); });
  if (result == nullptr)
    throw py::error_already_set();
  return py::reinterpret_steal<py::object>(result);
}

/// A guard: while it exists, Ctrl-C stops the work of this thread, even if the work calls no Python code.
class StoppedBySignals {
  Interruptible interruptible_{[] { const InPython python; }};
};

/// Calls a Python function for each transfer. The array that the function receives is a copy of the transfer with its
/// own memory, because Python code may keep the array for longer than the stream keeps the transfer.
class PythonCallback final : public LegacyStreamCallback {
public:
  PythonCallback(std::shared_ptr<py::object> function, const HostShape &shape, bool toHost)
      : function_(std::move(function)), arrays_(ofArrays(shape)), areFloats_(arrays_.type != shape.type),
        toHost_(toHost) {}
  ~PythonCallback() override {
    const WithGil acquire;
    function_.reset();
  }
  void fetch(void *p) override {
    const InPython python;
    std::vector<float> floats(areFloats_ ? arrays_.elements() : 0);
    halvesToFloats(p, floats.data(), floats.size());
    const py::bytearray owner = bytesOf(areFloats_ ? floats.data() : p, arrays_);
    const py::buffer_info filled = py::buffer(owner).request(true); // as long as it exists, the owner cannot be resized
    const py::object result = callUser(*function_, py::make_tuple(arrayOf(owner, arrays_)));
    if (toHost_)
      return;
    const py::buffer_info given = result.is_none()
                                      ? py::buffer_info()
                                      : hostBuffer(result, arrays_, ArrayOf::OneTransfer, "stream callback", false);
    const py::buffer_info &from = result.is_none() ? filled : given;
    if (areFloats_)
      floatsToHalves(static_cast<const float *>(from.ptr), p, floats.size());
    else
      std::memcpy(p, from.ptr, static_cast<std::size_t>(filled.size));
  }

private:
  std::shared_ptr<py::object> function_; // shared with the engine, which shows it to the garbage collector
  HostShape arrays_;
  bool areFloats_; // the arrays hold the halves of the stream as floats
  bool toHost_;
};

/// An engine, the shapes of its host handles, and the arrays that are connected to its streams.
class PyEngine {
public:
  PyEngine(const PyGraph &graph, const py::object &programs, const py::dict &options, const py::object &progress)
      : handles_(ofAllReplicas(*graph.handles, graph.graph.getReplicationFactor())), engine_([&] {
          const std::vector<prog::Program> list = programsOf(programs);
          programs_ = list.size();
          const OptionFlags flags = optionsOf("Engine", options);
          const auto tell = [&](int done, int all) {
            const InPython python;
            if (!progress.is_none())
              callUser(progress, py::make_tuple(done, all));
          };
          const WithoutGil release;
          const StoppedBySignals stopped;
          return Engine(graph.graph, list, flags, tell);
        }()) {}

  void load(const Device &device) {
    const WithoutGil release;
    const StoppedBySignals stopped;
    engine_.load(device);
  }
  void run(unsigned program, const std::string &name) {
    const WithoutGil release;
    const StoppedBySignals stopped;
    engine_.run(program, name);
  }
  /// Reads a tensor into `out` without a copy, or into a new array if `out` is None. Returns the array. Throws
  /// ValueError for an array of another type or shape, and stream_connection_error for an unknown handle.
  py::object readTensor(const std::string &handle, const py::object &out) {
    const HostShape &onDevice = known({kReadHandle}, handle)->second;
    const HostShape shape = ofArrays(onDevice);
    py::object array = out.is_none() ? emptyArray(shape) : out;
    const py::buffer_info info = hostBuffer(array, shape, ArrayOf::Tensor, "readTensor(\"" + handle + "\")", true);
    auto *begin = static_cast<char *>(info.ptr);
    const WithoutGil release;
    if (shape.type == onDevice.type) {
      engine_.readTensor(handle, begin, begin + info.size * info.itemsize);
    } else {
      std::vector<std::uint16_t> halves(shape.elements());
      engine_.readTensor(handle, halves.data(), halves.data() + halves.size());
      halvesToFloats(halves.data(), static_cast<float *>(info.ptr), halves.size());
    }
    return array;
  }
  void writeTensor(const std::string &handle, const py::object &values) {
    const HostShape &onDevice = known({kWriteHandle}, handle)->second;
    const HostShape shape = ofArrays(onDevice);
    const std::string what = "writeTensor(\"" + handle + "\")";
    const std::string cannot = what + ": the values cannot be converted to type " + numpyName(onDevice.type) + ": ";
    const bool isList = py::isinstance<py::list>(values) || py::isinstance<py::tuple>(values);
    const py::object array = [&] {
      try {
        if (!isList && !isNumber(values))
          return values;
        const py::object list = isList ? values : py::make_tuple(values);
        return converted(shape.type == onDevice.type ? list : roundedToHalves(list), shape);
      } catch (py::error_already_set &e) {
        throw py::value_error(cannot + py::str(e.value()).cast<std::string>());
      } catch (const py::value_error &e) {
        throw py::value_error(cannot + e.what());
      }
    }();
    const py::buffer_info info = hostBuffer(array, shape, ArrayOf::Tensor, what, false);
    const auto *begin = static_cast<const char *>(info.ptr);
    const WithoutGil release;
    if (shape.type == onDevice.type)
      return engine_.writeTensor(handle, begin, begin + info.size * info.itemsize);
    std::vector<std::uint16_t> halves(shape.elements());
    floatsToHalves(static_cast<const float *>(info.ptr), halves.data(), halves.size());
    engine_.writeTensor(handle, halves.data(), halves.data() + halves.size());
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
    callbacks_.erase(handle);
  }
  void connectStreamToCallback(const py::object &stream, const py::object &function) {
    const std::string handle = handleOf(stream);
    const auto &[key, shape] = *knownStream(handle);
    if (PyCallable_Check(function.ptr()) == 0)
      throw py::type_error("connectStreamToCallback(\"" + handle + "\"): takes a function of one array, not " +
                           py::repr(function).cast<std::string>());
    const bool toHost = key == kStreamOut + handle;
    const auto shared = std::make_shared<py::object>(function);
    engine_.connectStreamToCallback(handle,
                                    StreamCallbackHandle(std::make_unique<PythonCallback>(shared, shape, toHost)));
    callbacks_[handle] = shared;
    connected_.erase(handle);
  }
  std::string profileSummary(const py::dict &options) {
    std::ostringstream out;
    engine_.printProfileSummary(out, optionsOf("Engine.profileSummary", options));
    return out.str();
  }
  std::string repr() const {
    return "Engine(" + std::to_string(programs_) + (programs_ == 1 ? " program)" : " programs)");
  }
  Engine &engine() { return engine_; }
  /// Shows the Python objects that the engine owns to the garbage collector.
  int traverse(visitproc visit, void *arg) const {
    for (const auto &[handle, function] : callbacks_)
      Py_VISIT(function->ptr());
    for (const auto &[handle, info] : connected_)
      Py_VISIT(info->view()->obj);
    return 0;
  }
  /// Ends the engine, whose profile is then complete, and drops the Python objects that it owns.
  void clear() {
    { const Engine ended = std::move(engine_); }
    callbacks_.clear();
    connected_.clear();
  }

private:
  /// Returns the handles. If there are several replicas, tensors have an additional first dimension for the replicas.
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
    return converted(py::cast(std::vector<int>(shape.elements())), shape);
  }
  /// Returns the numbers of a list, each rounded once to the nearest half. Raises OverflowError for a number that is too
  /// large.
  static py::object roundedToHalves(const py::object &list) {
    const py::module_ structs = py::module_::import("struct");
    const std::string format = std::to_string(py::len(list)) + "e";
    return structs.attr("unpack")(format, structs.attr("pack")(format, *list));
  }
  /// Returns a memoryview of truth values. Throws ValueError for a value that is neither 0 nor 1.
  static py::object truths(const py::object &values) {
    py::list bytes;
    for (const py::handle value : values) {
      const py::int_ truth(PyObject_IsTrue(value.ptr()) == 1 ? 1 : 0);
      if (!truth.equal(value))
        throw py::value_error(py::repr(value).cast<std::string>() + " is neither True nor False");
      bytes.append(truth);
    }
    return py::memoryview(py::module_::import("builtins").attr("bytearray")(bytes)).attr("cast")("?");
  }
  /// Converts a list to an array of the handle's type. The result is a memoryview for BOOL, an array of Python's module
  /// array if this module has the type, and otherwise an array of numpy.
  static py::object converted(const py::object &values, const HostShape &shape) {
    if (shape.type == BOOL)
      return truths(values);
    static const std::map<std::string, const char *> kCodes = {{"f4", "f"}, {"i4", "i"}, {"u4", "I"},
                                                               {"i1", "b"}, {"u1", "B"}, {"i2", "h"},
                                                               {"u2", "H"}, {"i8", "q"}, {"u8", "Q"}};
    const auto code = kCodes.find(numpyName(shape.type));
    if (code == kCodes.end())
      return py::module_::import("numpy").attr("array")(values, numpyName(shape.type));
    return py::module_::import("array").attr("array")(code->second, values);
  }

  std::size_t programs_ = 0;
  std::map<std::string, HostShape> handles_;
  std::map<std::string, std::shared_ptr<py::buffer_info>> connected_; // by handle
  std::map<std::string, std::shared_ptr<py::object>> callbacks_;      // by handle
  Engine engine_;
};

/// Returns the engine of a Python object, or null before its constructor and after its destructor.
PyEngine *engineOf(PyObject *self) {
  const py::detail::value_and_holder held =
      reinterpret_cast<py::detail::instance *>(self)->get_value_and_holder(py::detail::get_type_info(typeid(PyEngine)));
  return held.holder_constructed() ? held.value_ptr<PyEngine>() : nullptr;
}

/// Lets the garbage collector find engines in cycles: the usual callback is a method of the object that owns the
/// engine.
void collectCycles(PyHeapTypeObject *heapType) {
  PyTypeObject &type = heapType->ht_type;
  type.tp_flags |= Py_TPFLAGS_HAVE_GC;
  type.tp_traverse = [](PyObject *self, visitproc visit, void *arg) {
    Py_VISIT(Py_TYPE(self));
    const PyEngine *engine = engineOf(self);
    return engine == nullptr ? 0 : engine->traverse(visit, arg);
  };
  type.tp_clear = [](PyObject *self) {
    if (PyEngine *engine = engineOf(self))
      engine->clear();
    return 0;
  };
}

using profile::Category;
using profile::Scope;

/// Returns the category of a name. Throws py::value_error for an unknown name.
Category categoryOf(const std::string &name) {
  static const std::map<std::string, Category> kKnown = {
      {"compute", Category::Compute},   {"exchange", Category::Exchange}, {"globalExchange", Category::GlobalExchange},
      {"host", Category::HostExchange}, {"sync", Category::Sync},         {"controlFlow", Category::ControlFlow}};
  const auto found = kKnown.find(name);
  if (found == kKnown.end())
    throw py::value_error("there is no category \"" + name +
                          "\"; the categories are: compute, exchange, globalExchange, host, sync, controlFlow");
  return found->second;
}
profile::Categories categoriesOf(const std::vector<std::string> &names) {
  profile::Categories result;
  for (const std::string &name : names)
    result.push_back(categoryOf(name));
  return result;
}

/// Returns the value for runs that a Scope leaves out. Throws py::value_error for an unknown reason.
Scope::Runs runsLeftOut(const std::string &reason) {
  using Runs = Scope::Runs;
  for (const auto &[name, runs] :
       {std::pair("scope", Runs::Excluded), {"sample rate", Runs::NotSampled}, {"run count", Runs::OverCount}})
    if (reason == name)
      return runs;
  throw py::value_error("Scope: there is no reason '" + reason + "'; reasons are scope, sample rate, run count");
}

template <class T> py::class_<T, prog::Program> programClass(py::module_ &m, const char *name, const char *doc) {
  return py::class_<T, prog::Program>(m, name, doc);
}

} // namespace

void bindPrograms(py::module_ &m) {
  const auto name = py::arg("name") = "";
  py::class_<prog::Program>(
      m, "Program",
      "Any program. Program() does nothing. A program that becomes part of another program is copied: later additions "
      "to the original do not change the copy. Programs are compared by value and have no hash. In the constructors of "
      "all other programs, `name` is the name in profiles. They raise subclasses of poplar_error for a wrong argument.")
      .def(py::init<>())
      .def("isEmpty", &prog::Program::isEmpty,
           "Returns whether the program is empty: Program(), or a Sequence without programs.")
      .def(
          "__eq__", [](const prog::Program &a, const prog::Program &b) { return a == b; }, py::is_operator());
  programClass<prog::Sequence>(
      m, "Sequence",
      "A program that runs programs one after the other. `programs` is a program or an iterable of programs.")
      .def(py::init([](const py::object &programs, const std::string &n) {
             return prog::Sequence(programsOf(programs), named(n));
           }),
           py::arg("programs") = py::tuple(), name)
      .def(
          "add", [](prog::Sequence &s, const prog::Program &p) { s.add(p); }, py::arg("program"),
          "Adds a program at the end of the sequence.");
  programClass<prog::Execute>(m, "Execute",
                              "A program that runs all vertices of a compute set once. All vertices read the values "
                              "from before the step. `out`, one BOOL, receives the logical AND of the results of the "
                              "vertices. Raises control_program_error if `out` is not one writable BOOL.")
      .def(py::init([](ComputeSet cs, const std::string &n) { return prog::Execute(cs, named(n)); }),
           py::arg("computeSet"), name)
      .def(py::init(
               [](ComputeSet cs, const Tensor &out, const std::string &n) { return prog::Execute(cs, out, named(n)); }),
           py::arg("computeSet"), py::arg("out"), name);
  programClass<prog::Copy>(
      m, "Copy",
      "A program that copies element by element, in row-major order: between tensors, between a stream and a tensor, "
      "or between a remote buffer and a tensor. Both sides must have the same element type and number of elements, and "
      "the destination has no constants and no aliases. `offset`, of rank 0 or 1 and type INT or UNSIGNED_INT, "
      "contains the numbers of the rows of a remote buffer; without `offset`, the copy uses row 0. `dontOutline` and "
      "`optimiseMemory` have no effect. Raises type_error if the element types differ, and control_program_error if "
      "the sides do not fit each other.")
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
  programClass<prog::CrossReplicaCopy>(
      m, "CrossReplicaCopy",
      "A program that copies between the replicas of a replicated graph: replicaMap[source] = destination. Every "
      "replica is a source once and a destination once; otherwise raises control_program_error.")
      .def(py::init([](const Tensor &a, const Tensor &b, const std::map<unsigned, unsigned> &map,
                       const std::string &n) { return prog::CrossReplicaCopy(a, b, map, named(n)); }),
           py::arg("src"), py::arg("dst"), py::arg("replicaMap"), name);
  programClass<prog::Repeat>(m, "Repeat", "A program that runs a program `count` times; `count` may be 0.")
      .def(py::init([](unsigned count, const prog::Program &p, const std::string &n) {
             return prog::Repeat(count, p, named(n));
           }),
           py::arg("count"), py::arg("program"), name);
  programClass<prog::RepeatWhileTrue>(
      m, "RepeatWhileTrue",
      "A loop that runs cond, then body, repeatedly. The loop ends after cond if the predicate is zero. The predicate "
      "is one BOOL, INT or UNSIGNED_INT; otherwise raises control_program_error.")
      .def(py::init([](const prog::Program &c, const Tensor &t, const prog::Program &b, const std::string &n) {
             return prog::RepeatWhileTrue(c, t, b, named(n));
           }),
           py::arg("cond"), py::arg("predicate"), py::arg("body"), name);
  programClass<prog::RepeatWhileFalse>(
      m, "RepeatWhileFalse",
      "A loop that runs cond, then body, repeatedly. The loop ends after cond if the predicate is not zero. The "
      "predicate is one BOOL, INT or UNSIGNED_INT; otherwise raises control_program_error.")
      .def(py::init([](const prog::Program &c, const Tensor &t, const prog::Program &b, const std::string &n) {
             return prog::RepeatWhileFalse(c, t, b, named(n));
           }),
           py::arg("cond"), py::arg("predicate"), py::arg("body"), name);
  programClass<prog::If>(m, "If",
                         "A program that runs trueBody if the predicate is not zero, and falseBody otherwise. The "
                         "predicate is one BOOL, INT or UNSIGNED_INT; otherwise raises control_program_error.")
      .def(py::init([](const Tensor &t, const prog::Program &a, const prog::Program &b, const std::string &n) {
             return prog::If(t, a, b, named(n));
           }),
           py::arg("predicate"), py::arg("trueBody"), py::arg("falseBody") = prog::Sequence(), name);
  programClass<prog::Switch>(
      m, "Switch",
      "A program that runs the case whose label equals the value of the control tensor, or the default if no label "
      "does. `cases` is a dict from labels (integers of 32 bits) to programs. The control tensor is one INT or "
      "UNSIGNED_INT; otherwise raises control_program_error.")
      .def(py::init([](const Tensor &t, const py::dict &cases, const prog::Program &d, const std::string &n) {
             return prog::Switch(t, casesOf(cases), d, named(n));
           }),
           py::arg("control"), py::arg("cases"), py::arg("default") = prog::Sequence(), name);
  programClass<prog::Sync>(m, "Sync", "A barrier at which the participants of the SyncType wait for each other.")
      .def(py::init([](SyncType t, const std::string &n) { return prog::Sync(t, named(n)); }), py::arg("type"), name);
  programClass<prog::Call>(m, "Call", "A program that runs a function of the graph.")
      .def(py::init([](Function f, const std::string &n) { return prog::Call(f, named(n)); }), py::arg("function"),
           name);
  programClass<prog::WriteUndef>(
      m, "WriteUndef",
      "A program that declares that no later step needs the contents of a tensor. The tensor is not live until a "
      "program writes it again. Raises control_program_error if the tensor contains constants.")
      .def(py::init([](const Tensor &t, const std::string &n) { return prog::WriteUndef(t, named(n)); }),
           py::arg("tensor"), name);
  programClass<prog::PrintTensor>(m, "PrintTensor",
                                  "A program that prints a tensor to standard error when execution reaches it. The "
                                  "default title is `name` or, without a name, the names of the variables.")
      .def(py::init([](const Tensor &t, const std::string &n) { return prog::PrintTensor(t, named(n)); }),
           py::arg("tensor"), name)
      .def(py::init([](const std::string &title, const Tensor &t, const std::string &n) {
             return prog::PrintTensor(title, t, named(n));
           }),
           py::arg("title"), py::arg("tensor"), name);
  programClass<prog::ErrorProgram>(
      m, "ErrorProgram", "A program that stops the run with application_runtime_error. The message shows the tensor.")
      .def(py::init([](const std::string &text, const Tensor &t, const std::string &n) {
             return prog::ErrorProgram(text, t, named(n));
           }),
           py::arg("message"), py::arg("tensor"), name);
  programClass<prog::Abort>(m, "Abort", "A program that stops the run with application_runtime_error.")
      .def(py::init([](const std::string &text, const std::string &n) { return prog::Abort(text, named(n)); }),
           py::arg("message") = "", name);
  programClass<prog::AbortOnCondition>(
      m, "AbortOnCondition",
      "A program that stops the run with application_runtime_error if the predicate is not zero. The predicate is one "
      "BOOL, INT or UNSIGNED_INT; otherwise raises control_program_error.")
      .def(py::init([](const Tensor &t, const std::string &text, const std::string &n) {
             return prog::AbortOnCondition(t, text, named(n));
           }),
           py::arg("predicate"), py::arg("message") = "", name);
  programClass<prog::AssumeEqualAcrossReplicas>(
      m, "AssumeEqualAcrossReplicas", "A promise of the user that the tensor has the same value on all replicas.")
      .def(py::init([](const Tensor &t, const std::string &n) { return prog::AssumeEqualAcrossReplicas(t, named(n)); }),
           py::arg("tensor"), name);
  programClass<prog::Block>(m, "Block", "A program that a profile shows as one block with the program's name.")
      .def(py::init([](const prog::Program &p, const std::string &n) { return prog::Block(p, named(n)); }),
           py::arg("body"), name);
}

void bindEngine(py::module_ &m) {
  m.def("_checkCategories", [](const std::vector<std::string> &names) { (void)categoriesOf(names); });
  const py::dict none;
  py::class_<PyEngine>(
      m, "Engine",
      "An engine: compiles the programs of a graph, loads them on a device, runs them and reports on them. `programs` "
      "is a program or an iterable of programs. docs/OPTIONS.md lists the options; values may be bool, int, float or "
      "str. The engine calls progress(done, all) during the compilation with the numbers of finished and of all steps. "
      "While the engine compiles or runs, other Python threads continue. The constructor raises invalid_option for an "
      "unknown option or a wrong value. For a graph that cannot be compiled, the constructor raises "
      "invalid_tile_mapping, graph_connection_error or another subclass of poplar_error. If the memory of a tile "
      "overflows, the constructor raises graph_memory_allocation_error, with `profilePath`.",
      py::custom_type_setup(&collectCycles))
      .def(py::init<const PyGraph &, const py::object &, const py::dict &, const py::object &>(), py::arg("graph"),
           py::arg("programs"), py::arg("options") = none, py::arg("progress") = py::none())
      .def("__repr__", &PyEngine::repr)
      .def("load", &PyEngine::load, py::arg("device"),
           "Loads the programs on a device, and sets the device's memory to the initial values of the graph. Raises "
           "poplar_error if the device has another target than the graph.")
      .def("run", &PyEngine::run, py::arg("program") = 0, py::arg("name") = "",
           "Runs the program with the index `program` in `programs` to its end. `name` is the name of the run in the "
           "profile. Raises poplar_error before load() and for an index without a program, and stream_connection_error "
           "if a stream of the program is not connected. Raises application_runtime_error if the program itself fails, "
           "for example by an abort. An exception of a callback reaches the caller.")
      .def(
          "loadAndRun",
          [](PyEngine &e, const Device &d, unsigned p, const std::string &n) {
            e.load(d);
            e.run(p, n);
          },
          py::arg("device"), py::arg("program") = 0, py::arg("name") = "",
          "Calls load(device), then run(program, name). Raises what these two methods raise.")
      .def("readTensor", &PyEngine::readTensor, py::arg("handle"), py::arg("out") = py::none(),
           "Reads the tensor of Graph.createHostRead into the array `out`, without a copy, and returns the array. "
           "`out` is contiguous and writable, has the element type of the tensor (Tensor.elementType.numpy), and is "
           "flat or has the shape of the tensor. In a replicated graph, the shape has an additional first dimension "
           "for the replicas. If `out` is None, reads into a new array; without NumPy, this is a flat array of the "
           "module array. Without NumPy, arrays of halves have elements of type f4. Raises stream_connection_error for "
           "an unknown handle, ValueError for an array of another "
           "type or shape, TypeError for another object, and poplar_error before load().")
      .def("writeTensor", &PyEngine::writeTensor, py::arg("handle"), py::arg("values"),
           "Writes the tensor of Graph.createHostWrite. `values` is a contiguous array of the tensor's element type "
           "(Tensor.elementType.numpy), flat or in the shape of the tensor. The engine reads the array without a copy. "
           "`values` can also be a flat list, or one number for a tensor of one element. In a replicated graph, the "
           "shape has an additional first dimension for the replicas. Without NumPy, arrays of halves have elements of "
           "type f4. Raises "
           "stream_connection_error for an unknown handle, ValueError for values of another type, shape or size, "
           "TypeError for another object, and poplar_error before load().")
      .def("connectStream", &PyEngine::connectStream, py::arg("stream"), py::arg("array"),
           "Connects an array to a stream, a DataStream or its handle. The engine keeps the array. The array is "
           "contiguous (and writable for a stream to the host), has the element type of the stream, and contains one "
           "or more transfers of all replicas. An array of several transfers is used circularly. Raises ValueError for "
           "another element type or an incomplete transfer, and stream_connection_error if no program uses the handle "
           "or if the array lacks transfers of some replicas.")
      .def("connectStreamToCallback", &PyEngine::connectStreamToCallback, py::arg("stream"), py::arg("function"),
           "Connects a callback to a stream, a DataStream or its handle. For a stream to the device, function(array) "
           "fills the array of one transfer, or returns an array from which the engine copies. For a stream to the "
           "host, function(array) reads the array, and its result is ignored. The array is flat (a memoryview without "
           "NumPy, which has elements of type f4 for a stream of halves). The array is a copy, which the function may "
           "keep and change; changes after the call do not reach "
           "the device. Raises stream_connection_error if no program uses the handle, and TypeError if `function` "
           "cannot be called. An exception of the function reaches the caller of run().")
      .def("profileSummary", &PyEngine::profileSummary, py::arg("options") = none,
           "Returns the memory and execution profile as text. Options: showVarStorage, showExecutionSteps, "
           "showOptimizations, showPerIpuMemoryUsage, executionSummaryStyle (\"total\" or \"average\") and colours. "
           "Raises invalid_option for an unknown option or a wrong value.")
      .def(
          "printProfileSummary",
          [](PyEngine &e, const py::dict &options, const py::object &file) {
            const py::object to = file.is_none() ? py::module_::import("sys").attr("stdout") : file;
            if (!py::hasattr(to, "write"))
              throw py::type_error(
                  "printProfileSummary: `file` is an object with write(), for example open(\"a.txt\", \"w\"), not " +
                  py::repr(to).cast<std::string>());
            to.attr("write")(e.profileSummary(options));
          },
          py::arg("options") = none, py::arg("file") = py::none(),
          "Writes the text of profileSummary(options) to a file object. None = sys.stdout.")
      .def(
          "getReport", [](PyEngine &e, bool execution) { return e.engine().getReport(execution); },
          py::arg("reportExecution") = true,
          "Returns the profile of this engine, a pva.Report, which also shows later runs. If reportExecution is False, "
          "the report has no runs. Raises profiling_disabled on a CPU target.")
      .def(
          "enableExecutionProfiling", [](PyEngine &e) { e.engine().enableExecutionProfiling(); },
          "Starts to record the runs that follow.")
      .def(
          "disableExecutionProfiling", [](PyEngine &e) { e.engine().disableExecutionProfiling(); },
          "Stops recording the runs that follow. ExecutionReport.pausedSpans lists the runs that were not recorded.")
      .def(
          "resetExecutionProfile", [](PyEngine &e) { e.engine().resetExecutionProfile(); },
          "Makes the reports of this engine forget earlier runs and blocks, and restarts the count of recorded runs of "
          "each program. A profile file keeps the earlier runs. The numbering of runs continues.")
      .def(
          "getStreamHandles", [](PyEngine &e) { return e.engine().getStreamHandles(); },
          "Returns the handles of the streams that programs of this engine can use, in the order of their creation, as "
          "a list of str.")
      .def(
          "getEngineOptions",
          [](PyEngine &e) {
            py::dict all;
            for (const auto &[key, value] : e.engine().getEngineOptions())
              all[py::str(key)] = value;
            return all;
          },
          "Returns the options that the constructor or the environment set, as a dict of str to str.");
  py::class_<Scope>(
      m, "Scope",
      "Extension: a scope of recording. While the object exists, runs of the engine are recorded under the label, even "
      "if other settings leave them out. The labels of nested scopes are joined by \"/\". With record=False, the runs "
      "are not recorded, and `reason` is the reason that the profile states: \"scope\", \"sample rate\" or \"run "
      "count\". `categories` lists kinds of steps: compute, exchange, globalExchange, host, sync and controlFlow. If "
      "`categories` is given, the runs are recorded, and only steps of these kinds have a time. Raises ValueError for "
      "an unknown category or reason, and for categories with record=False. Runs on a CPU target are never recorded.")
      .def(py::init([](PyEngine &e, const std::string &label, const std::optional<std::vector<std::string>> &categories,
                       bool record, const std::string &reason) {
             if (categories && !record)
               throw py::value_error("Scope: categories lists the steps that are recorded, and record=False leaves all "
                                     "runs out; give one of them");
             if (categories)
               return std::make_unique<Scope>(e.engine(), label, categoriesOf(*categories));
             return std::make_unique<Scope>(e.engine(), label, record ? Scope::Runs::Recorded : runsLeftOut(reason));
           }),
           py::arg("engine"), py::arg("label") = "", py::arg("categories") = py::none(), py::arg("record") = true,
           py::arg("reason") = "scope")
      .def(
          "pause", [](Scope &s) { s.pause(); },
          "Stops recording the runs that follow, also in inner scopes, until resume().")
      .def(
          "resume", [](Scope &s) { s.resume(); },
          "Ends pause(): the runs that follow are recorded again. Has no effect unless the scope is paused.");
  m.def("versionString", poplar::versionString,
        "Returns the version of Poplar whose interface this library follows, and the version of Popscope, for example "
        "\"3.4.0 (popscope 1.0.0)\".");
  m.def("packageHash", poplar::packageHash,
        "Returns the version of Popscope, for example \"popscope-1.0.0\". Two builds of one version return the same "
        "text.");
}

} // namespace popscope::python
