// The parts that the bindings of the Poplar API share: a graph with the types and shapes of its host handles, host
// values of any kind, and errors.
#pragma once
#include "python/bindings/Bind.hpp"

#include <poplar/Engine.hpp>

#include <functional>
#include <map>
#include <numeric>

namespace popscope::python {

/// The type and shape of a tensor or stream on the host.
struct HostShape {
  poplar::Type type;
  std::vector<std::size_t> shape;

  [[nodiscard]] std::size_t elements() const {
    return std::accumulate(shape.begin(), shape.end(), std::size_t(1), std::multiplies<>());
  }
};

/// The kinds of host handles. Each key of PyGraph::handles begins with one of these texts.
inline constexpr const char *kReadHandle = "read ";
inline constexpr const char *kWriteHandle = "write ";
inline constexpr const char *kStreamIn = "stream to the device ";
inline constexpr const char *kStreamOut = "stream to the host ";

/// A graph, and the types and shapes of its host handles. A virtual graph and its parent share one table of types and
/// shapes. Engines copy the table.
struct PyGraph {
  poplar::Graph graph;
  std::shared_ptr<std::map<std::string, HostShape>> handles = std::make_shared<std::map<std::string, HostShape>>();
};

/// Numbers that a Python program passes to the bindings as an array, a nested list or a single number.
struct HostValues {
  enum class Kind { Bool, Int8, UInt8, Int16, UInt16, Int32, UInt32, Int64, UInt64, Float, Double };
  Kind kind = Kind::Double;
  bool scalar = false;
  std::vector<std::size_t> shape;
  std::size_t count = 0;
  const void *data = nullptr;

  /// Calls f(pointer to the first number, count).
  template <class F> auto visit(F &&f) const {
    switch (kind) {
    case Kind::Bool: return f(static_cast<const bool *>(data), count);
    case Kind::Int8: return f(static_cast<const signed char *>(data), count);
    case Kind::UInt8: return f(static_cast<const unsigned char *>(data), count);
    case Kind::Int16: return f(static_cast<const short *>(data), count);
    case Kind::UInt16: return f(static_cast<const unsigned short *>(data), count);
    case Kind::Int32: return f(static_cast<const int *>(data), count);
    case Kind::UInt32: return f(static_cast<const unsigned *>(data), count);
    case Kind::Int64: return f(static_cast<const long *>(data), count);
    case Kind::UInt64: return f(static_cast<const unsigned long *>(data), count);
    case Kind::Float: return f(static_cast<const float *>(data), count);
    case Kind::Double: break;
    }
    return f(static_cast<const double *>(data), count);
  }
  std::shared_ptr<void> keep; // owner of the memory to which `data` points
};
/// Converts a number, an array or a nested list of numbers. Throws Python's TypeError for any other value; the message
/// begins with `what`.
HostValues hostValues(const py::object &values, const std::string &what);

/// Returns dimensions in the notation of a Python tuple: "(8, 3)", "(8,)".
template <class T> std::string shown(const std::vector<T> &dims) {
  return py::repr(py::tuple(py::cast(dims))).template cast<std::string>();
}

/// Returns the type in NumPy's notation, e.g. "f4". Throws poplar::type_error for a type that has no array on the host.
std::string numpyName(const poplar::Type &type);
/// The contents of an array: one tensor, in the shape of the tensor or flat; one transfer of a stream, in any shape; or
/// one or more transfers, in any shape. A transfer of no elements needs an empty array.
enum class ArrayOf { Tensor, OneTransfer, Transfers };
/// Returns the memory of the array, without a copy. The array must be contiguous, and its dimensions must fit `shape`
/// and `of`. The elements must have the type numpyName(shape.type) and the byte order of this machine. If `writable` is
/// true, the array must not be read-only. Throws TypeError if `array` is no array, and ValueError if the array does not
/// fit; the message contains `what`.
py::buffer_info hostBuffer(const py::object &array, const HostShape &shape, ArrayOf of, const std::string &what,
                           bool writable);
/// Returns the type and shape of arrays for a tensor or stream whose type and shape are `shape`. Without NumPy, an
/// array of halves has elements of type FLOAT, because Python has no halves of its own before release 3.12.
HostShape ofArrays(const HostShape &shape);
/// Returns a copy of the memory at `data`. The copy has the size of a tensor whose type and shape are `shape`.
py::bytearray bytesOf(const void *data, const HostShape &shape);
/// Returns a view of the bytes: a NumPy array of the shape, or a flat memoryview if NumPy is not installed. The view
/// keeps the bytes alive.
py::object arrayOf(const py::bytearray &bytes, const HostShape &shape);

/// Converts a Python value to a T. Throws Python's TypeError if the conversion is impossible; the message contains
/// `what` and the value.
template <class T> T argument(const py::handle &value, const std::string &what) {
  try {
    return value.cast<T>();
  } catch (const py::cast_error &) {
    throw py::type_error(what + ", not " + py::repr(value).cast<std::string>());
  }
}

/// Returns whether the value is a Python number or a NumPy scalar. Returns false for an array, even for an array of
/// rank 0.
bool isNumber(const py::handle &value);
/// Returns whether the value is a str, bytes or os.PathLike.
bool isPath(const py::handle &value);
/// Returns the text of a str, of bytes or of the path of an os.PathLike.
std::string pathText(const py::handle &path);

/// Converts the options of a call. Throws Python's TypeError for a key that is no str, and for a value that is no bool,
/// number, str or path; the message begins with `call`.
poplar::OptionFlags optionsOf(const std::string &call, const py::dict &options);
inline poplar::DebugContext named(const std::string &name) {
  return poplar::DebugContext(name, poplar::SourceLocation());
}

void bindErrors(py::module_ &m);
void bindMachines(py::module_ &m);
void bindTensors(py::module_ &m);
void bindGraph(py::module_ &m);
void bindPrograms(py::module_ &m);
void bindEngine(py::module_ &m);

} // namespace popscope::python
