// The compiled module of the Python packages: pva._native, with the submodules pva and poplar.
#include "python/bindings/Poplar.hpp"

#include "report/pop/PopFile.hpp"

#include <cstring>
#include <unordered_map>

namespace popscope::python {
namespace {

/// A function that creates the elements of a lazy list.
struct Source {
  std::function<py::object(std::size_t)> at;
};

/// Translates a ProfileError of C++ to the ProfileError of Python.
void translate(std::exception_ptr thrown) {
  try {
    std::rethrow_exception(std::move(thrown));
  } catch (const ProfileError &e) {
    // A message can quote bytes of a damaged file, which need not be UTF-8.
    const auto text = py::reinterpret_steal<py::object>(
        PyUnicode_DecodeUTF8(e.what(), static_cast<py::ssize_t>(std::strlen(e.what())), "backslashreplace"));
    PyErr_SetObject(record("ProfileError").ptr(), text.ptr());
  }
}

} // namespace

py::handle record(const char *name) {
  // The map is never freed, because the interpreter may no longer exist when static objects are destroyed.
  static auto &known = *new std::unordered_map<std::string, py::object>; // NOLINT
  const auto found = known.find(name);
  if (found != known.end())
    return found->second;
  py::object value = py::module_::import("pva._records").attr(name);
  return known.emplace(name, std::move(value)).first->second;
}

py::object lazyList(std::size_t size, std::function<py::object(std::size_t)> at) {
  return record("List")(size, py::cast(Source{std::move(at)}));
}

} // namespace popscope::python

PYBIND11_MODULE(_native, m) {
  using namespace popscope::python;
  py::class_<Source>(m, "Source").def("__call__", [](const Source &source, std::size_t i) { return source.at(i); });
  py::register_exception_translator(translate);
  py::module_ pva = m.def_submodule("pva");
  py::module_ poplar = m.def_submodule("poplar");
  py::module_ program = poplar.def_submodule("program");
  pva.attr("__name__") = "pva.pva_core"; // messages and signatures use this module name
  poplar.attr("__name__") = "popscope.poplar";
  program.attr("__name__") = "popscope.poplar.program";
  bindCompilation(pva);
  bindExecution(pva);
  bindReport(pva);
  bindFile(pva);
  bindViews(pva);
  bindErrors(poplar);
  bindMachines(poplar);
  bindTensors(poplar);
  bindGraph(poplar);
  bindPrograms(program);
  bindEngine(poplar);
  nameWrongArguments(m);
}
