// The file of a profile: SQL queries, a plain database with its tables and views, and the schema.
#include "python/bindings/Bind.hpp"

#include "base/TemporaryProfile.hpp"
#include "base/WholeFile.hpp"
#include "engine/session/NotedProfiles.hpp"
#include "report/pop/ConnectionTables.hpp"
#include "report/pop/RunSql.hpp"
#include "report/pop/Schema.hpp"

#include <cstdlib>
#include <system_error>

namespace popscope::python {
namespace {

py::list numbers(const std::vector<std::uint64_t> &values) {
  py::list result(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    PyList_SET_ITEM(result.ptr(), static_cast<py::ssize_t>(i), PyLong_FromUnsignedLongLong(values[i]));
  return result;
}

/// Returns the numbers in a text of numbers with single spaces between them.
py::list numbersOfText(const std::string &text) {
  std::vector<std::uint64_t> values;
  const char *at = text.c_str();
  for (char *end = nullptr; *at != '\0'; at = end)
    values.push_back(std::strtoull(at, &end, 10));
  return numbers(values);
}

py::object valueOf(const SqlCell &cell) {
  if (!cell.text)
    return py::none();
  switch (cell.kind) {
  case SqlCell::Kind::Text: return py::cast(*cell.text);
  case SqlCell::Kind::Number:
    if (cell.real)
      return py::float_(*cell.real);
    return py::reinterpret_steal<py::object>(PyLong_FromString(cell.text->c_str(), nullptr, 10));
  case SqlCell::Kind::List: return numbersOfText(*cell.text);
  case SqlCell::Kind::Blob: return py::cast(*cell.text);
  }
  return py::none();
}

/// A profile as a read-only database.
class File {
public:
  explicit File(const std::string &path) : file_(openPop(path)), limits_(readLimits(*file_)) {}
  py::tuple query(const std::string &sql) {
    SqlResult result;
    {
      const WithoutGil release;
      result = runSql(*file_, sql, true);
    }
    py::list rows(result.rows.size());
    for (std::size_t r = 0; r < result.rows.size(); ++r) {
      py::tuple row(result.rows[r].size());
      for (std::size_t c = 0; c < row.size(); ++c)
        row[c] = valueOf(result.rows[r][c]);
      rows[r] = std::move(row);
    }
    return py::make_tuple(result.columns, rows);
  }
  void writePlain(const std::string &to) { writePlainDatabase(*file_, to); }
  py::list numbersOf(const py::bytes &blob) {
    return numbers(numbersOfBlob(static_cast<std::string>(blob), limits_.tiles, limits_.stepTiles));
  }

private:
  std::shared_ptr<PopFile> file_;
  ProfileLimits limits_;
};

/// Returns (table, whether packed_rows stores its rows, [(column, SQL type, unit, meaning)]) for each table.
py::list schema() {
  py::list result;
  for (const SchemaTable &table : schemaTables()) {
    py::list columns;
    for (const SchemaColumn &c : table.columns)
      columns.append(py::make_tuple(c.name, c.sqlType, c.unit, c.doc));
    result.append(py::make_tuple(table.name, table.packedBy != nullptr, columns));
  }
  return result;
}

/// Writes the cycles of all steps, one step after the other, into `out`, which holds steps * tiles uint32. 0 = unknown.
/// Throws ValueError for another buffer.
void cyclesOfSteps(const pva::ExecutionReport &execution, const py::buffer &out) {
  const py::buffer_info buffer = out.request(true);
  const auto steps = execution.steps();
  const std::size_t tiles = steps.empty() ? 0 : static_cast<std::size_t>(buffer.size) / steps.size();
  if (buffer.itemsize != 4 || buffer.ndim != 1 || static_cast<std::size_t>(buffer.size) != tiles * steps.size())
    throw py::value_error("cyclesOfSteps: needs a flat buffer of uint32, steps * tiles long");
  auto *to = static_cast<std::uint32_t *>(buffer.ptr);
  const WithoutGil release;
  for (std::size_t s = 0; s < steps.size(); ++s) {
    const pva::Values cycles = steps[s].cyclesByTile();
    for (std::size_t t = 0; t < std::min(tiles, cycles.size()); ++t)
      to[s * tiles + t] = static_cast<std::uint32_t>(cycles[t]);
  }
}

/// Makes `contents` the contents of the file (base/WholeFile.hpp). Throws OSError with the cause and the path.
void writeFile(const std::string &path, const py::bytes &contents) {
  const std::string bytes = contents;
  try {
    const WithoutGil release;
    writeWholeFile(path, bytes, false);
  } catch (const std::system_error &e) {
    const py::object error =
        py::reinterpret_borrow<py::object>(PyExc_OSError)(e.code().value(), e.code().message(), path);
    PyErr_SetObject(py::type::of(error).ptr(), error.ptr());
    throw py::error_already_set();
  }
}

} // namespace

void bindFile(py::module_ &m) {
  py::class_<File>(m, "File")
      .def(py::init<const std::string &>(), py::arg("path"), py::call_guard<WithoutGil>())
      .def("query", &File::query, py::arg("sql"))
      .def("writePlain", &File::writePlain, py::arg("to"), py::call_guard<WithoutGil>())
      .def("numbersOf", &File::numbersOf, py::arg("blob"));
  m.def("schema", schema);
  m.def("forgetProfile", forgetProfile, py::arg("path"));
  m.def("writeWholeFile", writeFile, py::arg("path"), py::arg("contents"));
  m.def(
      "isTemporaryName", [](const std::string &name) { return isTemporaryName(name); }, py::arg("name"));
  m.def("cyclesOfSteps", cyclesOfSteps, py::arg("execution"), py::arg("out"));
  m.def("openReport", pva::openReportQuietly, py::arg("profilePath"), py::arg("debugInfoPath"),
        py::call_guard<WithoutGil>());
  m.attr("FORMAT") = kPopSchemaVersion;
}

} // namespace popscope::python
