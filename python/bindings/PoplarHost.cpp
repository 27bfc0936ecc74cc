// Host values and errors of the Poplar API.
#include "python/bindings/Poplar.hpp"

#include <poplar/exceptions.hpp>

#include <algorithm>
#include <cstring>
#include <optional>

namespace popscope::python {
namespace {

using Kind = HostValues::Kind;

/// Returns the letter of a format in the notation of Python's module struct. Returns a blank for an element of several
/// parts, and for another byte order than that of this machine.
char letterOf(const std::string &format) {
  const bool hasOrder = !format.empty() && std::strchr("@=<", format.front()) != nullptr;
  return format.size() == (hasOrder ? 2U : 1U) ? format.back() : ' ';
}

/// Returns the first letter of NumPy's notation (numpyName) for a letter of letterOf: 'f', 'i', 'u' or '?'. Returns a
/// blank for another letter.
char familyOf(char letter) {
  for (const auto &[letters, family] : {std::pair("efd", 'f'), {"bhilqn", 'i'}, {"BHILQN", 'u'}, {"?", '?'}})
    if (std::strchr(letters, letter) != nullptr)
      return family;
  return ' ';
}

/// Returns the kind of number of `format` (as for letterOf) with elements of `size` bytes. Throws TypeError for a
/// format without a kind.
Kind kindOf(const std::string &format, py::ssize_t size) {
  const char c = letterOf(format);
  const bool isUnsigned = familyOf(c) == 'u';
  if (c == '?')
    return Kind::Bool;
  if (c == 'f' || c == 'd')
    return c == 'f' ? Kind::Float : Kind::Double;
  if (familyOf(c) != 'i' && !isUnsigned)
    throw py::type_error("an array of the format '" + format +
                         "' has no type that a graph supports; convert it first, for example to float32");
  switch (size) {
  case 1: return isUnsigned ? Kind::UInt8 : Kind::Int8;
  case 2: return isUnsigned ? Kind::UInt16 : Kind::Int16;
  case 4: return isUnsigned ? Kind::UInt32 : Kind::Int32;
  default: return isUnsigned ? Kind::UInt64 : Kind::Int64;
  }
}

bool isContiguous(const py::buffer_info &info) {
  py::ssize_t expected = info.itemsize;
  for (py::ssize_t d = info.ndim; d-- > 0;) {
    if (info.shape[static_cast<std::size_t>(d)] != 1 && info.strides[static_cast<std::size_t>(d)] != expected)
      return false;
    expected *= info.shape[static_cast<std::size_t>(d)];
  }
  return true;
}

HostValues valuesOf(const py::object &values);

HostValues ofBuffer(const py::buffer &buffer) {
  auto info = std::make_shared<py::buffer_info>(buffer.request());
  if (info->format == "e") // a half has no Kind
    return valuesOf(py::hasattr(buffer, "astype") ? buffer.attr("astype")("float32") : buffer.attr("tolist")());
  if (!isContiguous(*info))
    return valuesOf(py::module_::import("numpy").attr("ascontiguousarray")(buffer));
  HostValues result;
  result.kind = kindOf(info->format, info->itemsize);
  result.scalar = info->ndim == 0;
  result.shape.assign(info->shape.begin(), info->shape.end());
  result.count = static_cast<std::size_t>(info->size);
  result.data = info->ptr;
  result.keep = info;
  return result;
}

void flatten(const py::handle &values, std::size_t depth, std::vector<std::size_t> &shape,
             std::vector<py::object> &flat) {
  constexpr std::size_t kMostDimensions = 64;
  if (depth > kMostDimensions)
    throw py::type_error("the lists are nested more than 64 deep, or a list contains itself");
  if (!py::isinstance<py::sequence>(values) || py::isinstance<py::str>(values)) {
    if (depth != shape.size())
      throw py::type_error("the nested lists have different depths");
    flat.push_back(py::reinterpret_borrow<py::object>(values));
    return;
  }
  const auto list = py::reinterpret_borrow<py::sequence>(values);
  if (depth == shape.size() && flat.empty())
    shape.push_back(list.size());
  if (depth >= shape.size() || shape[depth] != list.size())
    throw py::type_error("the nested lists have different lengths");
  for (const py::handle value : list)
    flatten(value, depth + 1, shape, flat);
}

template <class T> HostValues holding(std::vector<T> values, Kind kind) {
  auto keep = std::make_shared<std::vector<T>>(std::move(values));
  HostValues result;
  result.kind = kind;
  result.count = keep->size();
  result.data = keep->data();
  result.keep = keep;
  return result;
}

template <class T> std::vector<T> all(const std::vector<py::object> &values) {
  std::vector<T> result;
  result.reserve(values.size());
  for (const py::object &value : values)
    result.push_back(argument<T>(value, "a value must be a real number, or an integer of at most 64 bits"));
  return result;
}

HostValues valuesOf(const py::object &values) {
  if (PyObject_CheckBuffer(values.ptr()) != 0)
    return ofBuffer(py::reinterpret_borrow<py::buffer>(values));
  std::vector<std::size_t> shape;
  std::vector<py::object> flat;
  flatten(values, 0, shape, flat);
  bool real = false, negative = false;
  for (const py::object &value : flat) {
    if (!PyNumber_Check(value.ptr()))
      throw py::type_error("a value is no number: " + py::repr(value).cast<std::string>());
    real = real || !PyIndex_Check(value.ptr());
    negative = negative || (!real && value < py::int_(0));
  }
  HostValues result = real       ? holding(all<double>(flat), Kind::Double)
                      : negative ? holding(all<long>(flat), Kind::Int64)
                                 : holding(all<unsigned long>(flat), Kind::UInt64);
  result.scalar = shape.empty();
  result.shape = std::move(shape);
  return result;
}

} // namespace

HostValues hostValues(const py::object &values, const std::string &what) {
  try {
    return valuesOf(values);
  } catch (const py::type_error &e) {
    throw py::type_error(what + ": " + e.what());
  }
}

std::string numpyName(const poplar::Type &type) {
  using namespace poplar;
  static const std::pair<Type, const char *> kNames[] = {{FLOAT, "f4"},       {HALF, "f2"},
                                                         {INT, "i4"},         {UNSIGNED_INT, "u4"},
                                                         {BOOL, "?"},         {CHAR, "i1"},
                                                         {SIGNED_CHAR, "i1"}, {UNSIGNED_CHAR, "u1"},
                                                         {SHORT, "i2"},       {UNSIGNED_SHORT, "u2"},
                                                         {LONG, "i8"},        {UNSIGNED_LONG, "u8"},
                                                         {LONGLONG, "i8"},    {UNSIGNED_LONGLONG, "u8"},
                                                         {QUARTER, "u1"}};
  for (const auto &[known, name] : kNames)
    if (known == type)
      return name;
  throw poplar::type_error("the host has no array of type " + type.toString().cloneAsString());
}

namespace {

/// Returns whether an array has this shape or at most one dimension. The caller compares the numbers of elements.
bool holdsTensor(const py::buffer_info &array, const std::vector<std::size_t> &shape) {
  const auto isEqual = [](py::ssize_t a, std::size_t b) { return static_cast<std::size_t>(a) == b; };
  return array.ndim <= 1 || std::equal(array.shape.begin(), array.shape.end(), shape.begin(), shape.end(), isEqual);
}

} // namespace

py::buffer_info hostBuffer(const py::object &array, const HostShape &shape, ArrayOf of, const std::string &what,
                           bool writable) {
  const std::size_t elements = shape.elements();
  std::string dims;
  for (const std::size_t dim : shape.shape)
    dims += (dims.empty() ? "" : ", ") + std::to_string(dim);
  const std::string name = numpyName(shape.type);
  const auto size = static_cast<py::ssize_t>(name == "?" ? 1 : name[1] - '0');
  const std::string needs = what + ": needs a contiguous array of type " + name + " and shape (" + dims + "); ";
  const auto refuse = [&](const std::string &why) { throw py::value_error(needs + why); };
  if (PyObject_CheckBuffer(array.ptr()) == 0)
    throw py::type_error(needs + "this is " + py::repr(py::type::of(array)).cast<std::string>());
  py::buffer_info info = [&] {
    try {
      return py::reinterpret_borrow<py::buffer>(array).request(writable);
    } catch (const py::error_already_set &) {
      throw py::value_error(what + ": the array cannot be written to");
    }
  }();
  if (info.itemsize != size || familyOf(letterOf(info.format)) != name[0])
    refuse("this one has elements of format '" + info.format + "'");
  const auto given = static_cast<std::size_t>(info.size);
  const bool isWhole = given != 0 && elements != 0 && given % elements == 0;
  const bool fits = given == elements || (of == ArrayOf::Transfers && isWhole);
  if (!fits)
    refuse("this one has " + std::to_string(info.size) + " elements");
  if (of == ArrayOf::Tensor && !holdsTensor(info, shape.shape))
    refuse("this one has shape " + shown(info.shape) + "; a flat array is allowed, too");
  if (!isContiguous(info))
    refuse("this one is not contiguous");
  return info;
}

HostShape ofArrays(const HostShape &shape) {
  if (shape.type != poplar::HALF)
    return shape;
  try {
    (void)py::module_::import("numpy");
  } catch (const py::error_already_set &e) {
    if (!e.matches(PyExc_ImportError))
      throw;
    return {poplar::FLOAT, shape.shape};
  }
  return shape;
}

py::bytearray bytesOf(const void *data, const HostShape &shape) {
  const std::string name = numpyName(shape.type);
  const std::size_t size = name == "?" ? 1 : static_cast<std::size_t>(name[1] - '0');
  return {static_cast<const char *>(data), size * shape.elements()};
}

py::object arrayOf(const py::bytearray &bytes, const HostShape &shape) {
  const std::string name = numpyName(shape.type);
  try {
    return py::module_::import("numpy").attr("frombuffer")(bytes, name).attr("reshape")(py::cast(shape.shape));
  } catch (const py::error_already_set &e) {
    if (!e.matches(PyExc_ImportError))
      throw;
  }
  static const std::map<std::string, const char *> kCodes = {{"f4", "f"}, {"i4", "i"}, {"u4", "I"}, {"?", "?"},
                                                             {"i1", "b"}, {"u1", "B"}, {"i2", "h"}, {"u2", "H"},
                                                             {"i8", "q"}, {"u8", "Q"}};
  return py::memoryview(bytes).attr("cast")(kCodes.at(name));
}

bool isPath(const py::handle &value) {
  return py::isinstance<py::str>(value) || py::isinstance<py::bytes>(value) || py::hasattr(value, "__fspath__");
}

std::string pathText(const py::handle &path) {
  return py::module_::import("os").attr("fsencode")(path).cast<std::string>();
}

bool isNumber(const py::handle &value) {
  return PyNumber_Check(value.ptr()) != 0 && PySequence_Check(value.ptr()) == 0;
}

namespace {

/// Returns the text of an option's value: true, 3, 1.5, or a str or path unchanged. A scalar of numpy is a bool or a
/// number. Returns no value for anything else.
std::optional<std::string> optionText(const py::handle &value) {
  const bool isScalar = isNumber(value) && py::hasattr(value, "item");
  if (py::isinstance<py::bool_>(isScalar ? py::object(value.attr("item")())
                                         : py::reinterpret_borrow<py::object>(value)))
    return py::bool_(py::reinterpret_borrow<py::object>(value)) ? "true" : "false";
  if (isPath(value))
    return pathText(value);
  return isNumber(value) ? std::optional(py::str(value).cast<std::string>()) : std::nullopt;
}

} // namespace

poplar::OptionFlags optionsOf(const std::string &call, const py::dict &options) {
  poplar::OptionFlags flags;
  for (const auto &[key, value] : options) {
    const auto name = argument<std::string>(key, call + ": the name of an option is a str");
    const std::optional<std::string> text = optionText(value);
    if (!text)
      throw py::type_error(call + ": the value of \"" + name + "\" is a bool, int, float, str or os.PathLike, not " +
                           py::repr(value).cast<std::string>());
    flags.set(name, *text);
  }
  return flags;
}

namespace {

std::map<std::string, py::object> &errorClasses() {
  static auto &classes = *new std::map<std::string, py::object>; // NOLINT: outlives the interpreter
  return classes;
}

void translatePoplar(std::exception_ptr thrown) {
  try {
    std::rethrow_exception(std::move(thrown));
  } catch (const poplar::poplar_error &e) {
    auto &classes = errorClasses();
    const auto found = classes.find(e.type);
    py::object error = (found == classes.end() ? classes.at("poplar_error") : found->second)(std::string(e.what()));
    if (const auto *memory = dynamic_cast<const poplar::graph_memory_allocation_error *>(&e))
      error.attr("profilePath") = memory->profilePath;
    PyErr_SetObject(py::type::of(error).ptr(), error.ptr());
  }
}

} // namespace

void bindErrors(py::module_ &m) {
  auto &classes = errorClasses();
  const auto add = [&](const char *name, const py::tuple &bases, const char *doc) {
    const py::object made =
        py::module_::import("builtins")
            .attr("type")(name, bases, py::dict(py::arg("__module__") = "popscope.poplar", py::arg("__doc__") = doc));
    m.attr(name) = made;
    classes[name] = made;
  };
  const auto builtin = [](PyObject *type) { return py::reinterpret_borrow<py::object>(type); };
  add("poplar_error", py::make_tuple(builtin(PyExc_RuntimeError)),
      "The error for a mistake in a graph, its programs or their use, and the base of all errors of popscope.poplar.");
  const py::object base = classes["poplar_error"];
  const char *never = "An error that no function of Python raises. It exists for programs that name it.";
  const std::pair<const char *, const char *> errors[] = {
      {"overflow_error",
       "The error for a number that does not fit into the type to which it is converted, for an estimate that is too "
       "large, and for timed runs that together take too many cycles."},
      {"memory_elem_constraints_error", "The error for a tile whose memory overflows only because operands must lie in "
                                        "different memory elements."},
      {"unknown_field", "The error for a field that the class of a vertex does not have."},
      {"unknown_vertex_type", "The error for a vertex type without an added codelet."},
      {"no_environment", "The error for a bad value of the environment variable POPSCOPE_SIM_IPUS."},
      {"parse_error", "The error for text that cannot be parsed."},
      {"invalid_option", "The error for an option that is unknown, or that does not accept the value."},
      {"invalid_machine_model", "The error for a description of a machine that is invalid."},
      {"stream_connection_error",
       "The error for a stream, a handle or a callback that does not exist or does not fit."},
      {"graph_cycle_error", "The error for a compute set in which a vertex writes an element more than once, or writes "
                            "an element that another vertex reads or writes."},
      {"invalid_tile_mapping",
       "The error for a tensor or a vertex that is mapped to no tile, or to a tile that does not exist."},
      {"no_size_specified", "The error for a vector field without a size."},
      {"profiling_disabled", "The error for a profile of a target that records no profiles (CPU)."},
      {"control_program_error", "The error for a control program that is invalid."},
      {"graph_object_load_error", "The error for a file of compiled codelets (.gp) that cannot be loaded."},
      {"graph_object_creation_error", "The error for a vertex class that two files of codelets define."},
      {"graph_program_compilation_error",
       "The error for a codelet that cannot be compiled. The message contains the compiler's messages."},
      {"graph_recursion_error", "The error for functions that call each other recursively."},
      {"tensor_creation_error", "The error for a tensor that is too large, or that has no element type."},
      {"tensor_io_state_error", never},
      {"graph_connection_error", "The error for a field of a vertex that is not connected as required."},
      {"graph_replication_error", "The error for a target that cannot be divided into this number of replicas."},
      {"file_load_error", "The error for a file that cannot be read or written."},
      {"bounds_error", never},
      {"missing_cycle_estimate", never},
      {"missing_perf_estimate", never},
      {"stream_memory_allocation_error", "The error for a stream whose transfer is larger than the buffers of an IPU."},
      {"symbol_error", never},
      {"link_error", "The error for a codelet that uses functions which no codelet file of the graph defines. The "
                     "message names these functions."},
      {"graph_memory_allocation_error", "The error if the memory of a tile overflows. `profilePath` is the path of the "
                                        "profile of the failed compilation; empty if no profile was written."},
      {"runtime_error",
       "The base of application_runtime_error and system_runtime_error, the errors of a run that fails."},
  };
  for (const auto &[name, doc] : errors)
    add(name, py::make_tuple(base), doc);
  add("index_error", py::make_tuple(base, builtin(PyExc_IndexError)), // it ends a Python loop over a tensor's rows
      "The error for an index or a key that does not exist. It is also an IndexError.");
  add("type_error", py::make_tuple(base, builtin(PyExc_TypeError)),
      "The error for a value or a tensor of the wrong type. It is also a TypeError.");
  const py::object atRun = classes["runtime_error"];
  add("application_runtime_error", py::make_tuple(atRun),
      "The error if the program itself causes the failure of a run, for example by an abort, a floating-point "
      "exception or a faulty codelet. An exception of a callback in Python reaches the caller of Engine.run "
      "unchanged.");
  add("system_runtime_error", py::make_tuple(atRun),
      "The base of the errors if the machine, not the program, causes the failure of a run. No function of Python "
      "raises it.");
  const py::object ofSystem = classes["system_runtime_error"];
  add("recoverable_runtime_error", py::make_tuple(ofSystem), never);
  add("unrecoverable_runtime_error", py::make_tuple(ofSystem), never);
  add("unknown_runtime_error", py::make_tuple(ofSystem), never);
  py::register_exception_translator(translatePoplar);
}

} // namespace popscope::python
