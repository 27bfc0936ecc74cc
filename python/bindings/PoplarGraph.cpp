// Machines, tensors and graphs of the Poplar API.
#include "python/bindings/Poplar.hpp"

#include "base/Environment.hpp"
#include "base/ShownText.hpp"

#include <poplar/IPUModel.hpp>
#include <popscope/CustomTarget.hpp>
#include <popscope/ExactConstant.hpp>
#include <popscope/NewVertices.hpp>

#include <algorithm>
#include <limits>
#include <optional>
#include <sstream>

namespace popscope::python {
namespace {

using poplar::Tensor;

using Dims = std::vector<std::size_t>;

/// Applies one index of t[...] to a dimension: an int removes the dimension; a slice keeps the dimension, and advances
/// `dimension` to the next one.
Tensor part(const Tensor &tensor, const py::handle &index, unsigned &dimension) {
  const auto size = static_cast<py::ssize_t>(tensor.dim(dimension));
  if (py::isinstance<py::slice>(index)) {
    py::ssize_t start = 0, stop = 0, step = 0, length = 0;
    if (!py::reinterpret_borrow<py::slice>(index).compute(size, &start, &stop, &step, &length))
      throw py::error_already_set();
    const unsigned at = dimension++;
    if (step > 0) {
      const Tensor range =
          tensor.slice(std::size_t(start), std::size_t(length == 0 ? start : std::max(start, stop)), at);
      return step == 1 ? range : range.subSample(unsigned(step), at);
    }
    const py::ssize_t first = start + (length - 1) * step; // the slice goes backwards
    const Tensor range =
        tensor.slice(std::size_t(length == 0 ? 0 : first), std::size_t(length == 0 ? 0 : start + 1), at);
    return (step == -1 ? range : range.subSample(unsigned(-step), at)).reverse(at);
  }
  // Every array of numpy has __index__, but only a single integer converts. For numpy, True is a mask, not 1.
  const bool mayConvert = PyIndex_Check(index.ptr()) != 0 && PyBool_Check(index.ptr()) == 0;
  const py::ssize_t position = mayConvert ? PyNumber_AsSsize_t(index.ptr(), PyExc_IndexError) : 0;
  if (position == -1 && PyErr_Occurred() != nullptr && PyErr_ExceptionMatches(PyExc_TypeError) == 0)
    throw py::error_already_set();
  if (!mayConvert || PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    throw py::type_error("a tensor takes integers, slices and ... as indices, not " +
                         py::repr(index).cast<std::string>());
  }
  const py::ssize_t at = position < 0 ? position + size : position;
  if (at < 0 || at >= size)
    throw py::index_error("index " + std::to_string(position) + " does not exist: dimension " +
                          std::to_string(dimension) + " of the tensor of shape " + tensor.shapeToString() + " has " +
                          std::to_string(size));
  if (dimension == 0)
    return tensor[static_cast<std::size_t>(at)];
  return tensor.slice(std::size_t(at), std::size_t(at) + 1, dimension).squeeze({dimension});
}

Tensor item(const Tensor &tensor, const py::object &index) {
  const py::tuple all =
      py::isinstance<py::tuple>(index) ? py::reinterpret_borrow<py::tuple>(index) : py::make_tuple(index);
  std::size_t given = 0, dots = 0;
  for (const py::handle one : all)
    one.is(py::ellipsis()) ? ++dots : ++given;
  if (dots > 1)
    throw py::index_error("a tensor takes `...` once as an index; there are " + std::to_string(dots));
  if (given > tensor.rank())
    throw py::index_error("the tensor of shape " + tensor.shapeToString() + " cannot take " + std::to_string(given) +
                          " indices");
  Tensor result = tensor;
  unsigned dimension = 0;
  for (const py::handle one : all) {
    if (one.is(py::ellipsis()))
      dimension += static_cast<unsigned>(tensor.rank() - given);
    else
      result = part(result, one, dimension);
  }
  return result;
}

/// Throws TypeError for a tensor of rank 0, as len() and `for` do for such an array of NumPy.
void requireRows(const Tensor &tensor) {
  if (tensor.rank() == 0)
    throw py::type_error("the tensor has rank 0: it has neither a length nor rows");
}

py::tuple shapeOf(const Tensor &tensor) { return py::tuple(py::cast(tensor.shape())); }

std::vector<Tensor> tensorsOf(const py::object &sequence) {
  const std::string what = "tensors: takes a sequence of tensors";
  if (!py::isinstance<py::iterable>(sequence))
    throw py::type_error(what + ", not " + py::repr(sequence).cast<std::string>());
  std::vector<Tensor> result;
  for (const py::handle one : sequence)
    result.push_back(argument<Tensor>(one, what));
  return result;
}

/// Returns whether the value is a sequence that is not empty. An array of rank 0 is a sequence, too, but has no length.
bool isFilled(const py::object &value) { return py::isinstance<py::sequence>(value) && py::len_hint(value) > 0; }

bool isTensors(const py::object &value) { return isFilled(value) && py::isinstance<Tensor>(value[py::int_(0)]); }

/// Names a field in messages.
std::string fieldText(const std::string &field) { return "field '" + field + "'"; }

/// Connects a field to a tensor, to a sequence of tensors (the edges of a nested field), or to a number (a constant, or
/// the value of a state).
void connect(PyGraph &self, const poplar::FieldRef &field, const py::object &value) {
  if (py::isinstance<Tensor>(value))
    return self.graph.connect(field, value.cast<const Tensor &>());
  if (isTensors(value))
    return self.graph.connect(field, tensorsOf(value));
  const HostValues values = hostValues(value, "connect");
  if (!values.scalar)
    throw py::type_error("connect: takes a tensor, a sequence of tensors or one number; setInitialValue takes arrays");
  values.visit([&](auto *data, std::size_t) { self.graph.connect(field, *data); });
}

/// Throws ValueError unless the values are flat or have the shape. `subject` is the text that stands in the message for
/// the object with this shape.
void requireShape(const HostValues &values, const std::vector<std::size_t> &shape, const std::string &subject) {
  if (values.shape.size() > 1 && values.shape != shape)
    throw py::value_error(subject + " has shape " + shown(shape) + ", and the values have shape " +
                          shown(values.shape) + "; a flat array is allowed, too");
}

void setValue(PyGraph &self, const py::object &of, const py::object &value, const std::string &what) {
  const HostValues values = hostValues(value, what);
  const auto set = [&](const auto &target) {
    values.visit([&](auto *data, std::size_t count) {
      if (values.scalar)
        self.graph.setInitialValue(target, *data);
      else
        self.graph.setInitialValue(target, poplar::ArrayRef<std::decay_t<decltype(*data)>>(data, count));
    });
  };
  if (py::isinstance<Tensor>(of)) {
    const auto &tensor = of.cast<const Tensor &>();
    requireShape(values, tensor.shape(), what + ": the tensor");
    set(tensor);
  } else if (values.shape.size() > 1)
    throw py::value_error(what + ": takes one value or a flat array; the values have shape " + shown(values.shape));
  else
    set(argument<poplar::FieldRef>(of, "setInitialValue: takes a field of a vertex or a tensor"));
}

void setInitialValue(PyGraph &self, const py::object &of, const py::object &value) {
  setValue(self, of, value, "setInitialValue");
}

/// Connects a field to a tensor or a sequence of tensors, or sets its initial value to numbers.
void assign(PyGraph &self, const poplar::VertexRef &vertex, const std::string &field, const py::object &value) {
  if (py::isinstance<Tensor>(value) || isTensors(value))
    connect(self, vertex[field], value);
  else
    setValue(self, py::cast(vertex[field]), value, "addVertex: " + fieldText(field));
}

constexpr const char *kFieldName = "addVertex: the name of a field is a str";

poplar::VertexRef addVertex(PyGraph &self, poplar::ComputeSet set, const std::string &type, const py::dict &fields,
                            std::optional<unsigned> tile) {
  popscope::NewVertices added(self.graph); // a failed call changes nothing
  const poplar::VertexRef vertex = self.graph.addVertex(set, type);
  for (const auto &[field, value] : fields)
    assign(self, vertex, argument<std::string>(field, kFieldName), py::reinterpret_borrow<py::object>(value));
  if (tile)
    self.graph.setTileMapping(vertex, *tile);
  added.keep();
  return vertex;
}

/// Returns `count` tiles: the integers of an array, or one integer for all. Throws ValueError for another number of
/// tiles or a tile that does not fit into 32 bits, and TypeError for other numbers. `things` names the items in
/// messages, for example "vertices".
std::vector<unsigned> tilesOf(const py::object &tiles, std::size_t count, const std::string &things) {
  const HostValues values = hostValues(tiles, "tiles");
  if (!values.scalar && values.count != count)
    throw py::value_error("tiles: there are " + std::to_string(values.count) + " for " + std::to_string(count) + " " +
                          things + "; give one for each, or one number for all");
  std::vector<unsigned> result(count);
  values.visit([&](auto *data, std::size_t) {
    using T = std::decay_t<decltype(*data)>;
    if constexpr (!std::is_integral_v<T>) {
      if (values.count != 0)
        throw py::type_error("tiles: a tile is an integer; these are floating-point numbers, for example " +
                             std::to_string(*data));
    } else
      for (std::size_t i = 0; i < count; ++i) {
        const T tile = data[values.scalar ? 0 : i];
        if (tile < T(0) || static_cast<std::uint64_t>(tile) > std::numeric_limits<unsigned>::max())
          throw py::value_error("tiles: number " + std::to_string(i) + " is " + std::to_string(tile) +
                                "; tiles are numbered from 0");
        result[i] = static_cast<unsigned>(tile);
      }
  });
  return result;
}

/// One field of many vertices: each vertex gets a row of a tensor, or an element or a row of an array.
struct BulkField {
  std::string name;
  std::optional<Tensor> tensor;
  std::optional<HostValues> values;
  std::size_t width = 0; // number of values in a row of `values`; 0 = each vertex gets an element

  /// Sets the initial value of vertex number `i`.
  void setValue(poplar::Graph &graph, const poplar::VertexRef &vertex, std::size_t i) const {
    values->visit([&](auto *data, std::size_t) {
      if (width == 0)
        graph.setInitialValue(vertex[name], data[values->scalar ? 0 : i]);
      else
        graph.setInitialValue(vertex[name], poplar::ArrayRef<std::decay_t<decltype(*data)>>(data + i * width, width));
    });
  }
};

std::vector<BulkField> bulkFields(const py::dict &fields, std::size_t count) {
  std::vector<BulkField> result;
  for (const auto &[key, value] : fields) {
    BulkField field{argument<std::string>(key, kFieldName), std::nullopt, std::nullopt, 0};
    const std::string what = "addVertices: " + fieldText(field.name);
    std::size_t rows = count;
    if (py::isinstance<Tensor>(value)) {
      field.tensor = value.cast<Tensor>();
      rows = field.tensor->rank() == 0 ? 0 : field.tensor->dim(0);
    } else {
      field.values = hostValues(py::reinterpret_borrow<py::object>(value), what);
      const std::vector<std::size_t> &shape = field.values->shape;
      if (shape.size() > 2)
        throw py::value_error(what + " has an array of " + std::to_string(shape.size()) +
                              " dimensions; give one value or one row for each vertex");
      rows = field.values->scalar ? count : shape[0];
      field.width = shape.size() == 2 ? shape[1] : 0;
    }
    if (rows != count)
      throw py::value_error(what + " has " + std::to_string(rows) + " rows for " + std::to_string(count) + " vertices");
    result.push_back(std::move(field));
  }
  return result;
}

std::vector<poplar::VertexRef> addVertices(PyGraph &self, poplar::ComputeSet set, const std::string &type,
                                           std::size_t count, const py::dict &fields, const py::object &tiles) {
  const std::vector<BulkField> bulk = bulkFields(fields, count);
  const std::vector<unsigned> onTile = tilesOf(tiles, count, "vertices");
  std::vector<poplar::VertexRef> made;
  made.reserve(count);
  const WithoutGil release;
  popscope::NewVertices added(self.graph); // a failed call changes nothing
  for (std::size_t i = 0; i < count; ++i) {
    const poplar::VertexRef vertex = self.graph.addVertex(set, type);
    for (const BulkField &field : bulk) {
      if (field.tensor)
        self.graph.connect(vertex[field.name], (*field.tensor)[i]);
      else
        field.setValue(self.graph, vertex, i);
    }
    self.graph.setTileMapping(vertex, onTile[i]);
    made.push_back(vertex);
  }
  added.keep();
  return made;
}

Tensor addConstant(PyGraph &self, const poplar::Type &type, const Dims &shape, const py::object &value,
                   const std::string &name) {
  const std::string what = "addConstant: constant \"" + name + "\"";
  const HostValues values = hostValues(value, what);
  std::size_t elements = 1;
  for (const std::size_t dim : shape)
    elements *= dim;
  if (!values.scalar && values.count != elements)
    throw py::value_error(what + " has " + std::to_string(elements) + " elements, and there are " +
                          std::to_string(values.count) + " values; give one for each, or one number for all");
  requireShape(values, shape, what);
  return values.visit([&](auto *data, std::size_t) {
    using T = std::decay_t<decltype(*data)>;
    return addExactConstant(self.graph, type, poplar::ArrayRef<std::size_t>(shape), data, poplar::TypeTraits::make<T>(),
                            values.scalar, named(name));
  });
}

poplar::Graph::TileToTensorMapping mappingOf(const py::object &tiles) {
  poplar::Graph::TileToTensorMapping mapping;
  for (const py::handle tile : tiles) {
    if (!py::isinstance<py::iterable>(tile))
      throw py::type_error("setTileMapping: takes a tile, a sequence with the tile of each row, or a sequence with the "
                           "intervals of each tile; an entry is " +
                           py::repr(tile).cast<std::string>());
    mapping.emplace_back();
    for (const py::handle interval : tile) {
      const auto [begin, end] = argument<std::pair<std::size_t, std::size_t>>(
          interval, "setTileMapping: the intervals of a tile are pairs (begin, end)");
      mapping.back().emplace_back(begin, end);
    }
  }
  return mapping;
}

constexpr const char *kOneTile = "setTileMapping: a tile is an integer of 0 or more";

/// Returns a tile. Throws Python's TypeError for a value that is no integer, for example an array of rank 0 with a float.
unsigned tileOf(const py::object &value) {
  const auto tile = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
  if (!tile) {
    PyErr_Clear();
    throw py::type_error(std::string(kOneTile) + ", not " + py::repr(value).cast<std::string>());
  }
  return argument<unsigned>(tile, kOneTile);
}

void setTileMapping(PyGraph &self, const py::object &of, const py::object &to) {
  if (py::isinstance<poplar::VertexRef>(of))
    return self.graph.setTileMapping(of.cast<poplar::VertexRef>(), tileOf(to));
  const auto tensor = argument<Tensor>(of, "setTileMapping: takes a tensor or a vertex");
  // A single number of numpy has a buffer, too, but no length.
  const bool isArray = PyObject_CheckBuffer(to.ptr()) != 0 && PyObject_Size(to.ptr()) >= 0;
  PyErr_Clear();
  const bool isList = isFilled(to) && PyIndex_Check(py::object(to[py::int_(0)]).ptr()) != 0;
  if (isArray || isList) { // maps row i of the tensor to tile to[i]
    const std::vector<unsigned> tiles = tilesOf(to, tensor.dim(0), "rows");
    for (std::size_t i = 0; i < tiles.size(); ++i)
      self.graph.setTileMapping(tensor[i], tiles[i]);
    return;
  }
  if (PyIndex_Check(to.ptr()) != 0)
    return self.graph.setTileMapping(tensor, tileOf(to));
  if (!py::isinstance<py::iterable>(to))
    throw py::type_error(std::string(kOneTile) + ", or a sequence of tiles or intervals, not " +
                         py::repr(to).cast<std::string>());
  self.graph.setTileMapping(tensor, mappingOf(to));
}

std::vector<std::vector<std::pair<std::size_t, std::size_t>>> getTileMapping(const PyGraph &self,
                                                                             const Tensor &tensor) {
  std::vector<std::vector<std::pair<std::size_t, std::size_t>>> result;
  for (const auto &tile : self.graph.getTileMapping(tensor)) {
    result.emplace_back();
    for (const poplar::Interval &i : tile)
      result.back().emplace_back(i.begin(), i.end());
  }
  return result;
}

/// Adds codelets. A text with a line end or a brace is source code; any other text is the path of a file, with ~ for
/// the home folder.
bool addCodelets(PyGraph &self, const py::object &source, poplar::CodeletFileType type, const std::string &flags) {
  if (!isPath(source))
    throw py::type_error("Graph.addCodelets: source is a str, bytes or os.PathLike, not " +
                         py::repr(source).cast<std::string>());
  const std::string text = pathText(source);
  const WithoutGil release;
  if (text.find_first_of("\n{") == std::string::npos)
    return self.graph.addCodelets(popscope::homePath(text), type, flags);
  std::stringstream stream(text);
  self.graph.addCodelets(stream, flags,
                         type == poplar::CodeletFileType::Auto ? poplar::CodeletFileType::CppSource : type);
  return true;
}

PyGraph part(PyGraph &self, poplar::Graph &&graph) { return PyGraph{std::move(graph), self.handles}; }

/// Defines a field of IPUModel. The TypeError for a wrong value contains the name of the field.
template <class T>
void modelField(py::class_<poplar::IPUModel> &model, const char *name, T poplar::IPUModel::*field, const char *doc) {
  const std::string takes = std::is_same_v<T, std::string> ? "a str"
                            : std::is_same_v<T, bool>      ? "a bool"
                            : std::is_same_v<T, double>    ? "a number"
                                                           : "an integer of 0 or more";
  const std::string what = "IPUModel." + std::string(name) + ": takes " + takes;
  model.def_property(
      name, [field](const poplar::IPUModel &self) { return self.*field; },
      [field, what](poplar::IPUModel &self, const py::object &value) { self.*field = argument<T>(value, what); }, doc);
}

} // namespace

void bindMachines(py::module_ &m) {
  using namespace poplar;
  auto typeClass = py::class_<Type>(m, "Type", "The element type of a tensor, stream or vertex field.");
  typeClass.def("__repr__", [](const Type &t) { return t.toString().cloneAsString(); })
      .def(
          "__eq__", [](const Type &a, const Type &b) { return a == b; }, py::is_operator())
      .def(
          "__lt__", [](const Type &a, const Type &b) { return a < b; }, py::is_operator())
      .def(
          "__le__", [](const Type &a, const Type &b) { return a <= b; }, py::is_operator())
      .def(
          "__gt__", [](const Type &a, const Type &b) { return a > b; }, py::is_operator())
      .def(
          "__ge__", [](const Type &a, const Type &b) { return a >= b; }, py::is_operator())
      .def("__hash__", [](const Type &t) { return std::hash<Type>()(t); })
      .def("requiresMetadata", &Type::requiresMetadata,
           "Returns whether the type needs metadata in addition to the data. True only for QUARTER.")
      .def("isFloatingPoint", &Type::isFloatingPoint, "Returns whether the type is QUARTER, HALF or FLOAT.")
      .def(
          "toString", [](const Type &t) { return t.toString().cloneAsString(); },
          "Returns the name of the type in vertex names, for example \"unsigned int\".")
      .def_property_readonly("numpy", numpyName,
                             "The name of the type in NumPy's notation, for example \"f4\". Raises type_error for a "
                             "type that the host does not have.");
  const std::pair<const char *, Type> types[] = {{"BOOL", BOOL},
                                                 {"CHAR", CHAR},
                                                 {"UNSIGNED_CHAR", UNSIGNED_CHAR},
                                                 {"SIGNED_CHAR", SIGNED_CHAR},
                                                 {"UNSIGNED_SHORT", UNSIGNED_SHORT},
                                                 {"SHORT", SHORT},
                                                 {"UNSIGNED_INT", UNSIGNED_INT},
                                                 {"INT", INT},
                                                 {"UNSIGNED_LONG", UNSIGNED_LONG},
                                                 {"LONG", LONG},
                                                 {"UNSIGNED_LONGLONG", UNSIGNED_LONGLONG},
                                                 {"LONGLONG", LONGLONG},
                                                 {"QUARTER", QUARTER},
                                                 {"HALF", HALF},
                                                 {"FLOAT", FLOAT}};
  for (const auto &[name, value] : types)
    m.attr(name) = value;
  py::enum_<TargetType>(m, "TargetType", "The type of a target: a simulated IPU, an IPU Model, or the CPU.")
      .value("IPU", TargetType::IPU)
      .value("IPU_MODEL", TargetType::IPU_MODEL)
      .value("CPU", TargetType::CPU);
  py::enum_<VariableMappingMethod>(
      m, "VariableMappingMethod",
      "The initial mapping of a variable. LINEAR: the elements are mapped in order to all tiles of the graph. NONE: "
      "the variable has no mapping until setTileMapping; on a graph of one tile, the variable is mapped to that tile.")
      .value("NONE", VariableMappingMethod::NONE)
      .value("LINEAR", VariableMappingMethod::LINEAR);
  py::enum_<CodeletFileType>(
      m, "CodeletFileType",
      "The language of a file of codelets. Auto: the extension of the file name determines the language; for a text, "
      "Auto is C++. Assembly and IR are accepted, but their codelets cannot run here and are left out.")
      .value("PreprocessedAsmSource", CodeletFileType::PreprocessedAsmSource)
      .value("AsmSource", CodeletFileType::AsmSource)
      .value("CSource", CodeletFileType::CSource)
      .value("CppSource", CodeletFileType::CppSource)
      .value("IrSource", CodeletFileType::IrSource)
      .value("Object", CodeletFileType::Object)
      .value("Auto", CodeletFileType::Auto);
  py::enum_<SyncType>(m, "SyncType",
                      "The participants of a sync. EXTERNAL: all tiles and the host. INTERNAL: all tiles of each IPU. "
                      "GLOBAL: all tiles of all IPUs.")
      .value("INTERNAL", SyncType::INTERNAL)
      .value("EXTERNAL", SyncType::EXTERNAL)
      .value("GLOBAL", SyncType::GLOBAL);

  const char *const ofSystem =
      "Returns an IPU target with `numIPUs` IPUs of `tilesPerIPU` tiles each; without `tilesPerIPU`, with all tiles of "
      "the IPU. `systemType` is \"ipu1\", \"ipu2\", \"ipu21\" or the name of a system such as \"IPU-POD16\". "
      "docs/OPTIONS.md lists the target options. Raises invalid_machine_model for an unknown system, 0 IPUs, or a "
      "number of tiles that an IPU does not have, and invalid_option for an unknown option or a wrong value.";
  py::class_<Target>(m, "Target", "The machine for which a graph is compiled.")
      .def_static(
          "createIPUTarget",
          [](unsigned numIPUs, const std::string &system, const py::dict &options) {
            return Target::createIPUTarget(numIPUs, system, optionsOf("Target.createIPUTarget", options));
          },
          py::arg("numIPUs"), py::arg("systemType"), py::arg("options") = py::dict(), ofSystem)
      .def_static(
          "createIPUTarget",
          [](unsigned numIPUs, unsigned tiles, const std::string &system, const py::dict &options) {
            return Target::createIPUTarget(numIPUs, tiles, system, optionsOf("Target.createIPUTarget", options));
          },
          py::arg("numIPUs"), py::arg("tilesPerIPU"), py::arg("systemType"), py::arg("options") = py::dict(), ofSystem)
      .def_static(
          "createCPUTarget", [] { return Target::createCPUTarget(); },
          "Returns a CPU target: one tile without tile memory, and no profile.")
      .def_static(
          "fromFile",
          [](const std::string &path, unsigned numIPUs) {
            return popscope::createCustomTarget(popscope::homePath(path), numIPUs);
          },
          py::arg("path"), py::arg("numIPUs") = 0,
          "Extension: returns a target of type IPU_MODEL for the machine in a JSON file (docs/MACHINES.md). numIPUs = "
          "0 uses the number in the file. Raises file_load_error if the file cannot be read, and invalid_machine_model "
          "for an invalid value or a machine that is not an IPU.")
      .def_static(
          "fromJson",
          [](const std::string &json, unsigned numIPUs) {
            return popscope::createCustomTargetFromJson(json, "JSON", numIPUs);
          },
          py::arg("json"), py::arg("numIPUs") = 0,
          "Extension: returns a target as fromFile does, from JSON text. Raises invalid_machine_model as fromFile "
          "does.")
      .def(
          "machineAsJson", [](const Target &t) { return popscope::machineAsJson(t); },
          "Extension: returns the machine as JSON text with all fields, for use as a template of a machine file.")
      .def("createVirtualTarget", &Target::createVirtualTarget, py::arg("numIPUs"), py::arg("tilesPerIPU"),
           "Returns a target with the first `numIPUs` IPUs of this target, and the first `tilesPerIPU` tiles of each. "
           "Raises invalid_machine_model if this target has fewer IPUs or tiles.")
      .def("getTargetType", &Target::getTargetType, "Returns the type of the target: IPU, IPU_MODEL or CPU.")
      .def(
          "getTargetArchString", [](const Target &t) { return t.getTargetArchString().cloneAsString(); },
          "Returns the name of the architecture, for example \"ipu2\".")
      .def(
          "getTargetSystemString", [](const Target &t) { return t.getTargetSystemString().cloneAsString(); },
          "Returns the name of the system with which the target was created.")
      .def("getNumIPUs", &Target::getNumIPUs, "Returns the number of IPUs.")
      .def("getTilesPerIPU", &Target::getTilesPerIPU, "Returns the number of tiles of one IPU.")
      .def("getNumTiles", &Target::getNumTiles, "Returns the number of tiles of all IPUs.")
      .def("getNumWorkerContexts", &Target::getNumWorkerContexts, "Returns the number of worker contexts of a tile.")
      .def("getBytesPerTile", &Target::getBytesPerTile, "Returns the memory of one tile, in bytes.")
      .def("getMemoryBytes", &Target::getMemoryBytes, "Returns the memory of all tiles, in bytes.")
      .def("getTileClockFrequency", &Target::getTileClockFrequency, "Returns the frequency of the tile clock, in Hz.")
      .def("getTypeSize", &Target::getTypeSize, py::arg("type"),
           "Returns the size of one element of the type, in bytes.")
      .def("getExchangeBytesPerCycle", &Target::getExchangeBytesPerCycle,
           "Returns the number of bytes that a tile sends per cycle.")
      .def("getVectorWidth", &Target::getVectorWidth, py::arg("type"),
           "Returns the number of elements of the type in one vector.")
      .def("getDataPathWidth", &Target::getDataPathWidth, "Returns the width of the data path, in bits.")
      .def("getFloatVectorWidth", &Target::getFloatVectorWidth,
           "Returns the number of elements of type FLOAT in one vector.")
      .def("getHalfVectorWidth", &Target::getHalfVectorWidth,
           "Returns the number of elements of type HALF in one vector.")
      .def(
          "__eq__", [](const Target &a, const Target &b) { return a == b; }, py::is_operator())
      .def("__hash__", &Target::hash)
      .def("__repr__", [](const Target &t) {
        std::ostringstream out;
        out << t;
        return out.str();
      });

  py::class_<Device>(m, "Device", "A device onto which an engine can be loaded.")
      .def_static(
          "createCPUDevice", [] { return Device::createCPUDevice(); },
          "Returns a device that runs codelets on the host, without tile memory and without a profile.")
      .def_static(
          "createSimulatorDevice", [](const Target &t) { return Device::createSimulatorDevice(t); }, py::arg("target"),
          "Returns a device that simulates an IPU target.")
      .def_static(
          "fromFile",
          [](const std::string &path, unsigned numIPUs) {
            return popscope::createCustomDevice(popscope::homePath(path), numIPUs);
          },
          py::arg("path"), py::arg("numIPUs") = 0,
          "Extension: returns an IPU Model of the machine in a JSON file (docs/MACHINES.md). Its reported memory "
          "includes code. numIPUs = 0 uses the number in the file. Raises file_load_error and invalid_machine_model as "
          "Target.fromFile does.")
      .def("__repr__",
           [](const Device &d) {
             std::ostringstream out;
             out << "Device(" << d.getTarget() << ")";
             return out.str();
           })
      .def("getTarget", &Device::getTarget, "Returns the target of graphs for this device.")
      .def("attach", &Device::attach,
           "Reserves the device for this object. Returns False if the device, or a device that shares an IPU with it, "
           "is already attached.")
      .def("detach", &Device::detach, "Releases the device, if this object reserved it.")
      .def("getId", &Device::getId,
           "Returns the id of the device, its position in DeviceManager.getDevices(); 0 for a model or a CPU.")
      .def("getDriverIDs", &Device::getDriverIDs,
           "Returns the position of each IPU of the device in the simulated system; [] for a model or a CPU.");

  py::class_<DeviceManager>(
      m, "DeviceManager",
      "An object that finds devices. IPUs are simulated, and exist only if the environment variable POPSCOPE_SIM_IPUS "
      "requests them. Each call reads the variable and raises no_environment if its value is wrong.")
      .def(py::init<>())
      .def_static("createDeviceManager", &DeviceManager::createDeviceManager,
                  "Returns a device manager, as the constructor does.")
      .def("getNumDevices", &DeviceManager::getNumDevices, "Returns the number of simulated IPU devices.")
      .def(
          "getDevice", [](const DeviceManager &d, TargetType type, unsigned ipus) { return d.getDevice(type, ipus); },
          py::arg("type"), py::arg("requiredNumIPUs"),
          "Returns the first device of a type with this number of IPUs. Raises poplar_error if there is no such "
          "device, and invalid_machine_model for 0 IPUs.")
      .def(
          "getDevices", [](const DeviceManager &d) { return d.getDevices(); },
          "Returns all simulated IPU devices: single IPUs first, then groups of 2, 4, 8, ... IPUs. The position of a "
          "device is its id.")
      .def(
          "getDevices", [](const DeviceManager &d, TargetType type, unsigned ipus) { return d.getDevices(type, ipus); },
          py::arg("type"), py::arg("requiredNumIPUs"),
          "Returns the devices of a type with this number of IPUs. For IPU, the list can be empty. For IPU_MODEL and "
          "CPU, the list has one device. Raises invalid_machine_model for 0 IPUs.");

  auto model = py::class_<IPUModel>(
      m, "IPUModel",
      "The description of an IPU to model, from which createDevice creates a device. The constructor sets the fields "
      "to the values of a version; the program may change them before it calls createDevice. Without a version, the "
      "model is \"ipu2\", or the machine that the environment variable POPSCOPE_MACHINE names. The constructor raises "
      "invalid_machine_model for an unknown version.");
  model
      .def("__repr__",
           [](const IPUModel &self) {
             return "IPUModel(\"" + popscope::shownText(self.IPUVersion) +
                    "\", numIPUs=" + std::to_string(self.numIPUs) +
                    ", tilesPerIPU=" + std::to_string(self.tilesPerIPU) + ")";
           })
      .def(py::init<>())
      .def(py::init<const char *>(), py::arg("ipuVersion"))
      .def(
          "__eq__", [](const IPUModel &a, const IPUModel &b) { return a == b; }, py::is_operator())
      .def(
          "createDevice",
          [](const IPUModel &self, const py::dict &options) {
            return self.createDevice(optionsOf("IPUModel.createDevice", options));
          },
          py::arg("options") = py::dict(),
          "Creates the device. `options` are target options (docs/OPTIONS.md). Raises invalid_machine_model, with the "
          "field, its value and the limit, if a field is invalid, and invalid_option for an unknown option or a wrong "
          "value.");
  modelField(model, "IPUVersion", &IPUModel::IPUVersion, "The version of the IPU: \"ipu1\", \"ipu2\" or \"ipu21\".");
  modelField(model, "numIPUs", &IPUModel::numIPUs, "The number of IPUs.");
  modelField(model, "tilesPerIPU", &IPUModel::tilesPerIPU, "The number of tiles of one IPU.");
  modelField(model, "numWorkerContexts", &IPUModel::numWorkerContexts, "The number of worker contexts of a tile.");
  modelField(model, "memoryBytesPerTile", &IPUModel::memoryBytesPerTile,
             "The memory of one tile, in bytes; a multiple of 8.");
  modelField(model, "exchangeBytesPerCycle", &IPUModel::exchangeBytesPerCycle,
             "The number of bytes that a tile sends per cycle.");
  modelField(model, "memcpyBytesPerCycle", &IPUModel::memcpyBytesPerCycle,
             "The number of bytes that a tile copies within its own memory per cycle.");
  modelField(model, "minIPUSyncDelay", &IPUModel::minIPUSyncDelay,
             "The cycles from the last arrival at a sync within an IPU to the release of the nearest tile.");
  modelField(model, "globalSyncCycles", &IPUModel::globalSyncCycles,
             "The additional cycles of a sync of several IPUs.");
  modelField(model, "tileClockFrequency", &IPUModel::tileClockFrequency, "The frequency of the tile clock, in Hz.");
  modelField(model, "compileIPUCode", &IPUModel::compileIPUCode,
             "Whether the size of the code on an IPU is also computed, so that the memory includes code. The default "
             "is False.");
  modelField(model, "supportsExchangeBusSharing", &IPUModel::supportsExchangeBusSharing,
             "Whether neighbouring tiles that receive the same data share their exchange buses.");
  modelField(model, "tilesPerSharedExchangeBus", &IPUModel::tilesPerSharedExchangeBus,
             "The number of tiles that share an exchange bus.");
}

void bindTensors(py::module_ &m) {
  using poplar::Interval;
  py::class_<Tensor>(
      m, "Tensor",
      "A view on elements of a graph's variables. No operation on a tensor moves data. t[i], t[1:5:2, "
      "..., -1] and t[::-1] select parts as in a NumPy array; an index that does not exist raises an "
      "IndexError. len(t) and `for row in t` raise a TypeError for a tensor of rank 0. Every tensor is true. "
      "Operations raise index_error for a dimension or an index that does not exist, and "
      "poplar_error or type_error for other wrong arguments. The message contains the shape.")
      .def_property_readonly("elementType", &Tensor::elementType, "The type of the elements.")
      .def_property_readonly("numElements", &Tensor::numElements, "The number of elements.")
      .def_property_readonly("shape", shapeOf, "The sizes of the dimensions, a tuple of int.")
      .def_property_readonly("rank", &Tensor::rank, "The number of dimensions.")
      .def_property_readonly("T", &Tensor::transpose,
                             "The transposed tensor. Raises poplar_error if the tensor does not have two dimensions.")
      .def("dim", &Tensor::dim, py::arg("i"),
           "Returns the size of dimension i. Raises index_error if the dimension does not exist.")
      .def("valid", &Tensor::valid, "Returns whether the tensor belongs to a graph.")
      .def("__len__",
           [](const Tensor &t) {
             requireRows(t);
             return t.dim(0);
           })
      .def("__bool__", [](const Tensor &) { return true; }) // otherwise, a tensor without rows would be false
      .def("__getitem__", item, py::arg("index"))
      .def("__iter__",
           [](const py::object &self) {
             requireRows(self.cast<const Tensor &>());
             return py::reinterpret_steal<py::iterator>(PySeqIter_New(self.ptr()));
           })
      .def(
          "slice",
          [](const Tensor &t, std::size_t begin, std::size_t end, unsigned d) { return t.slice(begin, end, d); },
          py::arg("begin"), py::arg("end"), py::arg("dimension") = 0,
          "Returns the half-open range [begin, end) of a dimension. The rank stays the same. Raises index_error for a "
          "range or a dimension outside of the shape.")
      .def(
          "index", [](const Tensor &t, const Dims &at) { return t.index(at); }, py::arg("indices"),
          "Returns the part at the given indices of the first dimensions. The result does not have these dimensions. "
          "Raises index_error for an index outside of the shape.")
      .def("subSample", &Tensor::subSample, py::arg("stride"), py::arg("dimension"),
           "Returns every stride-th element of a dimension, from the first. Raises index_error if the dimension does "
           "not exist, and poplar_error if the stride is 0.")
      .def(
          "flatten", [](const Tensor &t) { return t.flatten(); },
          "Returns the elements in row-major order as a tensor of one dimension.")
      .def(
          "flatten", [](const Tensor &t, unsigned begin, unsigned end) { return t.flatten(begin, end); },
          py::arg("dimBegin"), py::arg("dimEnd"),
          "Merges dimensions [dimBegin, dimEnd) into one. Raises index_error for dimensions that do not exist.")
      .def(
          "reshape", [](const Tensor &t, const Dims &shape) { return t.reshape(shape); }, py::arg("shape"),
          "Returns the same elements in another shape, in row-major order. Raises poplar_error if the shape has "
          "another number of elements.")
      .def(
          "reshapePartial",
          [](const Tensor &t, unsigned b, unsigned e, const Dims &shape) { return t.reshapePartial(b, e, shape); },
          py::arg("beginIndex"), py::arg("endIndex"), py::arg("newDims"),
          "Replaces dimensions [beginIndex, endIndex) by dimensions of the sizes newDims. Raises index_error for "
          "dimensions that do not exist, and poplar_error if the number of elements changes.")
      .def(
          "dimShuffle", [](const Tensor &t, const std::vector<unsigned> &p) { return t.dimShuffle(p); },
          py::arg("permutation"),
          "Permutes dimensions: dimension i of the result is dimension permutation[i] of this tensor. Raises "
          "poplar_error if `permutation` does not contain each dimension once.")
      .def(
          "dimShufflePartial",
          [](const Tensor &t, const std::vector<unsigned> &a, const std::vector<unsigned> &b) {
            return t.dimShufflePartial(a, b);
          },
          py::arg("source"), py::arg("destination"),
          "Moves dimension source[i] to position destination[i]. The other dimensions keep their order. Raises "
          "index_error for a dimension that does not exist, and poplar_error for lists of different lengths or a "
          "repeated dimension.")
      .def("dimRoll", &Tensor::dimRoll, py::arg("dimIdx"), py::arg("newIdx") = 0,
           "Moves dimension dimIdx to position newIdx. The other dimensions keep their order. Raises index_error for a "
           "dimension that does not exist.")
      .def("transpose", &Tensor::transpose,
           "Swaps the two dimensions of the tensor. Raises poplar_error if the tensor does not have two dimensions.")
      .def("reverse", &Tensor::reverse, py::arg("dimension"),
           "Reverses the order of the elements of a dimension. Raises index_error if the dimension does not exist.")
      .def("reinterpret", &Tensor::reinterpret, py::arg("type"),
           "Returns the same bits as elements of another type. Raises type_error if the types have different sizes.")
      .def(
          "expand", [](const Tensor &t, const Dims &at) { return t.expand(at); }, py::arg("indices"),
          "Inserts a dimension of size 1 before each of the given dimensions. The index `rank` inserts at the end. A "
          "dimension that occurs n times in the list gets n new dimensions before it. Raises index_error for an index "
          "above `rank`.")
      .def(
          "squeeze", [](const Tensor &t, const Dims &at) { return t.squeeze(at); }, py::arg("indices"),
          "Removes the given dimensions, which have size 1. Raises index_error for a dimension that does not exist, "
          "and poplar_error for a dimension of another size.")
      .def("broadcast", &Tensor::broadcast, py::arg("N"), py::arg("dimension"),
           "Repeats the tensor N times along a dimension. Raises index_error if the dimension does not exist.")
      .def(
          "upsample",
          [](const Tensor &t, unsigned scale, unsigned d) {
            return t.upsample(scale, d, poplar::UpsampleMethod::REPEAT);
          },
          py::arg("scale"), py::arg("dimension"),
          "Repeats each element of a dimension `scale` times, with the repetitions next to each other. Raises "
          "index_error if the dimension does not exist.")
      .def("isContiguous", &Tensor::isContiguous,
           "Returns whether the elements are one interval of one variable, in ascending order.")
      .def("containsAliases", &Tensor::containsAliases, "Returns whether an element occurs more than once.")
      .def("containsConstant", &Tensor::containsConstant, "Returns whether an element belongs to a constant.")
      .def("isParallelWriteable", &Tensor::isParallelWriteable,
           "Returns whether vertices may write all elements at once: the tensor has neither aliases nor constants.")
      .def("intersectsWith", &Tensor::intersectsWith, py::arg("other"),
           "Returns whether some element of this tensor is also an element of the other tensor.")
      .def("isAliasOf", &Tensor::isAliasOf, py::arg("other"),
           "Returns whether the other tensor has the elements of this tensor in the order of this tensor. The shapes "
           "may differ.")
      .def("getVarStr", &Tensor::getVarStr,
           "Returns the names of the variables that the tensor views, each once, separated by commas, in view order. "
           "After 8 names, \"...\" replaces the other names.")
      .def("shapeToString", &Tensor::shapeToString, "Returns the shape as text, for example \"{2,3}\".")
      .def(
          "__eq__", [](const Tensor &a, const Tensor &b) { return a == b; }, py::is_operator())
      .def("__hash__", [](const py::object &t) { return reinterpret_cast<std::size_t>(t.ptr()) >> 4; })
      .def("__repr__", [](const Tensor &t) {
        std::ostringstream out;
        t.output(out);
        return out.str();
      });
  m.def(
      "concat", [](const py::object &tensors, unsigned d) { return poplar::concat(tensorsOf(tensors), d); },
      py::arg("tensors"), py::arg("dimension") = 0,
      "Joins tensors along a dimension. The tensors have equal element types, graphs and other dimensions. Raises "
      "type_error for different element types, index_error if the dimension does not exist, and poplar_error for other "
      "differences or an empty sequence.");
  m.def(
      "append", [](const Tensor &a, const Tensor &b, unsigned d) { return poplar::append(a, b, d); }, py::arg("first"),
      py::arg("second"), py::arg("dimension") = 0,
      "Appends `second` to `first`, as one more element of `first` along a dimension. `second` has one dimension fewer "
      "than `first`. Raises the errors of concat.");
}

void bindGraph(py::module_ &m) {
  using namespace poplar;
  py::class_<ComputeSet>(m, "ComputeSet", "A group of vertices that run in the same step.")
      .def("__repr__", [](const ComputeSet &s) { return "ComputeSet(" + std::to_string(s.getId()) + ")"; })
      .def("getId", &ComputeSet::getId, "Returns the number of the compute set in the graph, from 0.")
      .def(
          "__eq__", [](const ComputeSet &a, const ComputeSet &b) { return a == b; }, py::is_operator())
      .def("__hash__", &ComputeSet::getId);
  py::class_<FieldRef>(m, "FieldRef",
                       "A field of a vertex, v[\"in\"], or one element of a field, v[\"in\"][3]. Indexing an element "
                       "raises index_error.")
      .def("__getitem__", &FieldRef::operator[], py::arg("index"));
  py::class_<VertexRef>(
      m, "VertexRef",
      "A vertex. v[\"field\"] is one of its fields; raises unknown_field if the class has no such field.")
      .def(
          "__getitem__", [](const VertexRef &v, const std::string &field) { return v[field]; }, py::arg("field"))
      .def("__repr__", [](const VertexRef &v) { return "VertexRef(" + std::to_string(v.getId()) + ")"; })
      .def("getId", &VertexRef::getId, "Returns the number of the vertex in the graph.")
      .def(
          "__eq__", [](const VertexRef &a, const VertexRef &b) { return a == b; }, py::is_operator())
      .def("__hash__", &VertexRef::getId);
  py::class_<Function>(
      m, "Function", "A program that the graph stores once, and that program.Call runs. Graph.addFunction creates it.")
      .def("__repr__", [](const Function &f) { return "Function(" + std::to_string(f.getId()) + ")"; })
      .def("getId", &Function::getId, "Returns the number of the function in the graph, from 0.")
      .def(
          "__eq__", [](const Function &a, const Function &b) { return a == b; }, py::is_operator())
      .def("__hash__", &Function::getId);
  py::enum_<DataStreamType>(m, "DataStreamType",
                            "The kind and the direction of a stream. The streams of a graph are FIFOs.")
      .value("HostToDeviceFIFO", DataStreamType::HostToDeviceFIFO)
      .value("DeviceToHostFIFO", DataStreamType::DeviceToHostFIFO)
      .value("HostToDeviceBuffer", DataStreamType::HostToDeviceBuffer)
      .value("DeviceToHostBuffer", DataStreamType::DeviceToHostBuffer)
      .value("RemoteBuffer", DataStreamType::RemoteBuffer);
  py::class_<DataStream>(
      m, "DataStream",
      "A FIFO between host and device. Graph.addHostToDeviceFIFO and Graph.addDeviceToHostFIFO create it.")
      .def("__repr__",
           [](const DataStream &s) {
             return "DataStream(\"" + popscope::shownText(s.handle()) + "\", " + std::to_string(s.numElements()) + " " +
                    s.elementType().toString().cloneAsString() + ")";
           })
      .def_property_readonly("handle", &DataStream::handle, "The handle by which the host connects the stream.")
      .def_property_readonly("numElements", &DataStream::numElements, "The number of elements that one copy moves.")
      .def_property_readonly("elementType", &DataStream::elementType, "The type of the elements.")
      .def_property_readonly("type", &DataStream::type, "The direction of the stream, a DataStreamType.")
      .def_property_readonly("replicationFactor", &DataStream::replicationFactor,
                             "The number of replicas that have the stream.")
      .def(
          "__eq__", [](const DataStream &a, const DataStream &b) { return a == b; }, py::is_operator())
      .def("__hash__", [](const DataStream &s) { return std::hash<std::string>()(s.handle()); });
  py::class_<RemoteBuffer>(m, "RemoteBuffer",
                           "A buffer in host memory with rows of elements. Graph.addRemoteBuffer creates it.")
      .def("__repr__",
           [](const RemoteBuffer &b) {
             return "RemoteBuffer(\"" + popscope::shownText(b.handle()) + "\", " + std::to_string(b.getRepeats()) +
                    " rows of " + std::to_string(b.numElements()) + " " + b.elementType().toString().cloneAsString() +
                    ")";
           })
      .def_property_readonly("handle", &RemoteBuffer::handle, "The handle of the buffer, its name in the graph.")
      .def_property_readonly("numElements", &RemoteBuffer::numElements, "The number of elements of one row.")
      .def_property_readonly("repeats", &RemoteBuffer::getRepeats, "The number of rows.")
      .def_property_readonly("elementType", &RemoteBuffer::elementType, "The type of the elements.")
      .def(
          "__eq__", [](const RemoteBuffer &a, const RemoteBuffer &b) { return a == b; }, py::is_operator())
      .def("__hash__", [](const RemoteBuffer &b) { return std::hash<std::string>()(b.handle()); });

  const py::dict none;
  py::class_<PyGraph>(
      m, "Graph",
      "The variables, vertices and streams of one program, and their tiles. Graph() is for a CPU target. The "
      "constructor raises graph_replication_error if the IPUs cannot be divided into `replicationFactor` equal parts. "
      "Methods raise subclasses of poplar_error for wrong arguments, such as a tensor of another graph.")
      .def(py::init([](const Target &t, unsigned r) { return PyGraph{Graph(t, replication_factor(r))}; }),
           py::arg("target"), py::arg("replicationFactor") = 1)
      .def(py::init([](const Device &d, unsigned r) { return PyGraph{Graph(d, replication_factor(r))}; }),
           py::arg("device"), py::arg("replicationFactor") = 1)
      .def(py::init([] { return PyGraph{Graph()}; }))
      .def("__repr__",
           [](const PyGraph &g) {
             const std::size_t sets = g.graph.numComputeSets(), vertices = g.graph.numVertices();
             return "Graph(" + std::to_string(vertices) + (vertices == 1 ? " vertex in " : " vertices in ") +
                    std::to_string(sets) + (sets == 1 ? " compute set)" : " compute sets)");
           })
      .def(
          "getTarget", [](const PyGraph &g) { return g.graph.getTarget(); },
          "Returns the target for which the graph is compiled: the part of one replica, or the tiles of a virtual "
          "graph.")
      .def("addCodelets", addCodelets, py::arg("source"), py::arg("type") = CodeletFileType::Auto,
           py::arg("compileFlags") = "",
           "Compiles (or loads) codelets from a file, or from a text, which contains a line end or a brace. Returns "
           "False if the same file with the same flags was added before. Raises file_load_error, "
           "graph_program_compilation_error, graph_object_load_error, or graph_object_creation_error if the graph "
           "already has one of the vertex classes.")
      .def(
          "addComputeSet", [](PyGraph &g, const std::string &name) { return g.graph.addComputeSet(named(name)); },
          py::arg("name") = "",
          "Adds a set of vertices that run in parallel. `name` is the name of the set in profiles.")
      .def("addVertex", addVertex, py::arg("computeSet"), py::arg("vertexType"), py::arg("fields") = none,
           py::arg("tile") = py::none(),
           "Adds a vertex to a compute set. `fields` maps names of fields to values. A tensor or a sequence of tensors "
           "is connected to the field. A number or an array becomes the field's initial value; for an input, constants "
           "with these values are connected. tile = None leaves the mapping to setTileMapping. Raises "
           "unknown_vertex_type or unknown_field for a name that does not exist, invalid_tile_mapping for a tile that "
           "does not exist, and the errors of connect and setInitialValue.")
      .def("addVertices", addVertices, py::arg("computeSet"), py::arg("vertexType"), py::arg("count"),
           py::arg("fields"), py::arg("tiles"),
           "Extension: adds `count` vertices at once and returns them in a list. Vertex i gets row i of each tensor "
           "and element or row i of each array; a single number is for all vertices. `tiles` is an array with the tile "
           "of "
           "each vertex, or one tile for all. Raises ValueError if a field or `tiles` has another number of rows, and "
           "the errors of addVertex.")
      .def("connect", connect, py::arg("field"), py::arg("value"),
           "Connects a field to a tensor, to a sequence of tensors (the edges of a nested field), or to a number. A "
           "number becomes a constant on the vertex's tile, or the value of a state. Raises type_error or "
           "graph_connection_error if the tensor does not fit the field, overflow_error if the number does not fit, "
           "and TypeError for other values.")
      .def("setInitialValue", setInitialValue, py::arg("of"), py::arg("value"),
           "Sets the initial value of a field or a tensor to a number or an array. A number sets all elements of a "
           "tensor. Raises poplar_error for another number of values, or for a field or tensor that takes no initial "
           "value, and overflow_error for a value that does not fit the type.")
      .def(
          "setFieldSize", [](PyGraph &g, const FieldRef &f, std::size_t n) { g.graph.setFieldSize(f, n); },
          py::arg("field"), py::arg("size"),
          "Sets the number of elements of a vector field that is not connected, or of edges of a nested field. Raises "
          "graph_connection_error if the size contradicts a connection of the field, and poplar_error for a scalar "
          "field.")
      .def(
          "addVariable",
          [](PyGraph &g, const Type &t, const Dims &shape, const std::string &name) {
            return g.graph.addVariable(t, ArrayRef<std::size_t>(shape), named(name));
          },
          py::arg("type"), py::arg("shape"), py::arg("name") = "",
          "Adds a variable and returns its tensor. `shape` is a list of sizes. `mappingMethod` LINEAR maps the "
          "elements in order to all tiles of the graph; NONE, the default, leaves the mapping to setTileMapping. "
          "Raises tensor_creation_error for more than 2^48 elements.")
      .def(
          "addVariable",
          [](PyGraph &g, const Type &t, const Dims &shape, VariableMappingMethod method, const std::string &name) {
            return g.graph.addVariable(t, ArrayRef<std::size_t>(shape), method, named(name));
          },
          py::arg("type"), py::arg("shape"), py::arg("mappingMethod"), py::arg("name") = "",
          "Adds a variable and returns its tensor. `shape` is a list of sizes. `mappingMethod` LINEAR maps the "
          "elements in order to all tiles of the graph; NONE, the default, leaves the mapping to setTileMapping. "
          "Raises tensor_creation_error for more than 2^48 elements.")
      .def("addConstant", addConstant, py::arg("type"), py::arg("shape"), py::arg("values"),
           py::arg("name") = "<const>",
           "Adds a constant and returns its tensor. `values` is one number for all elements, or an array or a nested "
           "list with a number for each element. The values are converted to `type`. Raises ValueError if the number "
           "of values differs from the number of elements. Raises overflow_error for a value that `type` cannot hold: "
           "a fraction for an integer type, a value outside the range of the type, or a value other than 0 and 1 for "
           "BOOL. In C++, Graph::addConstant converts most of these values without an error.")
      .def(
          "clone", [](PyGraph &g, const Tensor &t, const std::string &name) { return g.graph.clone(t, named(name)); },
          py::arg("tensor"), py::arg("name") = "",
          "Adds a variable with the shape and the tile mapping of the tensor, and returns its tensor. The element type "
          "is `type` if it is given, and that of the tensor otherwise.")
      .def(
          "clone",
          [](PyGraph &g, const Type &type, const Tensor &t, const std::string &name) {
            return g.graph.clone(type, t, named(name));
          },
          py::arg("type"), py::arg("tensor"), py::arg("name") = "",
          "Adds a variable with the shape and the tile mapping of the tensor, and returns its tensor. The element type "
          "is `type` if it is given, and that of the tensor otherwise.")
      .def("setTileMapping", setTileMapping, py::arg("of"), py::arg("tile"),
           "Maps a vertex or a tensor to a tile. For a tensor, `tile` can also be a list or an array with the tile of "
           "each row. It can also be a list with the intervals [begin, end) of the flattened tensor for each tile, as "
           "pairs (begin, end). Elements outside all intervals keep their tile. Raises invalid_tile_mapping for a tile "
           "or an interval that does not exist, ValueError for another number of rows, and TypeError for other values.")
      .def("getTileMapping", getTileMapping, py::arg("tensor"),
           "Returns, for each tile of the graph, the half-open intervals (begin, end) of the flattened tensor, sorted "
           "and merged. Raises invalid_tile_mapping if an element has no tile of this graph.")
      .def(
          "createHostWrite",
          [](PyGraph &g, const std::string &h, const Tensor &t) {
            g.graph.createHostWrite(h, t);
            (*g.handles)[kWriteHandle + h] = {t.elementType(), t.shape()};
          },
          py::arg("handle"), py::arg("tensor"),
          "Makes the tensor accessible to Engine.writeTensor under a handle. Raises poplar_error if another host write "
          "has the handle, or if the tensor contains constants.")
      .def(
          "createHostRead",
          [](PyGraph &g, const std::string &h, const Tensor &t) {
            g.graph.createHostRead(h, t);
            (*g.handles)[kReadHandle + h] = {t.elementType(), t.shape()};
          },
          py::arg("handle"), py::arg("tensor"),
          "Makes the tensor accessible to Engine.readTensor under a handle. Raises poplar_error if another host read "
          "has the handle.")
      .def(
          "addHostToDeviceFIFO",
          [](PyGraph &g, const std::string &h, const Type &t, std::size_t n, const py::dict &options) {
            DataStream made = g.graph.addHostToDeviceFIFO(h, t, n, ReplicatedStreamMode::REPLICATE,
                                                          optionsOf("Graph.addHostToDeviceFIFO", options));
            (*g.handles)[kStreamIn + h] = {t, {n}};
            return made;
          },
          py::arg("handle"), py::arg("elementType"), py::arg("numElements"), py::arg("options") = none,
          "Adds a stream from the host to the device. One transfer has numElements elements. The option bufferingDepth "
          "is the number of transfers that the host may prefetch. Raises poplar_error if another stream or remote "
          "buffer has the handle, and invalid_option for an unknown option or a wrong value.")
      .def(
          "addDeviceToHostFIFO",
          [](PyGraph &g, const std::string &h, const Type &t, std::size_t n, const py::dict &options) {
            DataStream made = g.graph.addDeviceToHostFIFO(h, t, n, optionsOf("Graph.addDeviceToHostFIFO", options));
            (*g.handles)[kStreamOut + h] = {t, {n}};
            return made;
          },
          py::arg("handle"), py::arg("elementType"), py::arg("numElements"), py::arg("options") = none,
          "Adds a stream from the device to the host. One transfer has numElements elements. Raises poplar_error if "
          "another stream or remote buffer has the handle, and invalid_option for an unknown option or a wrong value.")
      .def(
          "addRemoteBuffer",
          [](PyGraph &g, const std::string &h, const Type &t, std::size_t n, std::size_t repeats) {
            return g.graph.addRemoteBuffer(h, t, n, repeats);
          },
          py::arg("handle"), py::arg("elementType"), py::arg("numElements"), py::arg("repeats") = 1,
          "Adds a buffer in host memory with `repeats` rows of numElements elements. Raises poplar_error if another "
          "stream or remote buffer has the handle.")
      .def(
          "addFunction", [](PyGraph &g, const program::Program &p) { return g.graph.addFunction(p); },
          py::arg("program"), "Adds a function: a program that the graph stores once, and that program.Call runs.")
      .def(
          "setPerfEstimate",
          [](PyGraph &g, const VertexRef &v, std::uint64_t cycles, std::uint64_t flops) {
            g.graph.setPerfEstimate(v, cycles, flops);
          },
          py::arg("vertex"), py::arg("cycles"), py::arg("flops") = 0,
          "Sets the cycles and the floating-point operations of one execution of the vertex on an IPU Model. flops = 0 "
          "states no operations, so Popscope counts them during a run. Raises overflow_error for more than 2^48 of "
          "either.")
      .def(
          "createVirtualGraph", [](PyGraph &g, unsigned tiles) { return part(g, g.graph.createVirtualGraph(tiles)); },
          py::arg("numTilesPerIPU"),
          "Returns a graph on the first numTilesPerIPU tiles of each IPU. It shares vertices and variables with this "
          "graph. Raises invalid_tile_mapping for 0 or too many tiles.")
      .def(
          "createVirtualGraph",
          [](PyGraph &g, unsigned lower, unsigned upper) { return part(g, g.graph.createVirtualGraph(lower, upper)); },
          py::arg("lowerTile"), py::arg("upperTile"),
          "Returns a graph on the tiles [lowerTile, upperTile), which are at most as many as one IPU has, or cover "
          "whole IPUs. It shares vertices and variables with this graph. Raises invalid_tile_mapping for other ranges.")
      .def(
          "createVirtualGraph",
          [](PyGraph &g, const std::vector<unsigned> &tiles) { return part(g, g.graph.createVirtualGraph(tiles)); },
          py::arg("perIpuTiles"),
          "Returns a graph on the given tiles of each IPU. It shares vertices and variables with this graph. Raises "
          "invalid_tile_mapping for an empty list, and for a tile that is repeated or does not exist.")
      .def(
          "addReplicationIndexConstant",
          [](PyGraph &g, const std::string &name) { return g.graph.addReplicationIndexConstant(named(name)); },
          py::arg("name") = "",
          "Adds a constant of one UNSIGNED_INT, which contains the number of the replica, from 0.")
      .def(
          "hasCodelet", [](const PyGraph &g, const std::string &name) { return g.graph.hasCodelet(name); },
          py::arg("codeletName"), "Returns whether the graph has a codelet of this name.")
      .def(
          "getReplicationFactor", [](const PyGraph &g) { return g.graph.getReplicationFactor(); },
          "Returns the number of replicas.")
      .def(
          "numVertices", [](const PyGraph &g) { return g.graph.numVertices(); }, "Returns the number of vertices.")
      .def(
          "numComputeSets", [](const PyGraph &g) { return g.graph.numComputeSets(); },
          "Returns the number of compute sets.");
}

} // namespace popscope::python
