// Errors for wrong arguments of bound functions.
//
// Problem: if no overload of a function takes the arguments, pybind11 raises a TypeError that lists all overloads, but
// does not name the wrong argument.
// Idea: all functions of a module share one entry point of pybind11. In each function, nameWrongArguments replaces this
// entry point by `entry`, which calls the original one. `entry` replaces the text of such a TypeError by a text of
// pva._arguments.
// Cost: one more indirect call for each call of a function.
// Rejected: a type caster for each argument, because it must repeat the name of its function; wrappers in Python,
// because they take longer than many of the functions.
#include "python/bindings/Bind.hpp"

namespace popscope::python {
namespace {

PyCFunctionWithKeywords entryOfPybind = nullptr; // NOLINT: a C function has no other way to find it

/// Returns the text for a TypeError that pybind11 raised, or None for any other error.
py::object textFor(const py::error_already_set &error, const py::handle &arguments, PyObject *named) {
  if (error.trace() || error.type().ptr() != PyExc_TypeError) // an error with a traceback was raised by Python code
    return py::none();
  return py::module_::import("pva._arguments")
      .attr("message")(py::str(error.value()), arguments,
                       named == nullptr ? py::dict() : py::reinterpret_borrow<py::dict>(named));
}

PyObject *entry(PyObject *function, PyObject *arguments, PyObject *named) {
  PyObject *result = entryOfPybind(function, arguments, named);
  if (result != nullptr || PyErr_ExceptionMatches(PyExc_TypeError) == 0)
    return result;
  py::error_already_set error;
  py::object text = py::none();
  try {
    text = textFor(error, arguments, named);
  } catch (const py::error_already_set &) { // for example, a repr runs out of memory: the text of pybind11 stays
  }
  if (text.is_none())
    error.restore();
  else
    PyErr_SetObject(PyExc_TypeError, text.ptr());
  return nullptr;
}

PyCFunctionWithKeywords asEntry(PyCFunction function) {
  return reinterpret_cast<PyCFunctionWithKeywords>(reinterpret_cast<void (*)()>(function));
}

void replaceEntry(const py::handle &function) {
  PyMethodDef &method = *reinterpret_cast<PyCFunctionObject *>(function.ptr())->m_ml;
  if (method.ml_flags != (METH_VARARGS | METH_KEYWORDS) || asEntry(method.ml_meth) == entry)
    return;
  entryOfPybind = asEntry(method.ml_meth);
  method.ml_meth = reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(entry));
}

} // namespace

void nameWrongArguments(const py::handle &scope) {
  const auto members = py::dict(scope.attr("__dict__"));
  for (const auto &[name, member] : members) {
    const py::object value = PyInstanceMethod_Check(member.ptr()) != 0
                                 ? py::reinterpret_borrow<py::object>(PyInstanceMethod_Function(member.ptr()))
                             : Py_IS_TYPE(member.ptr(), &PyStaticMethod_Type) != 0
                                 ? py::object(member.attr("__func__"))
                                 : py::reinterpret_borrow<py::object>(member);
    if (PyCFunction_Check(value.ptr()) != 0)
      replaceEntry(value);
    else if (PyType_Check(value.ptr()) != 0 || PyModule_Check(value.ptr()) != 0)
      nameWrongArguments(value);
  }
}

} // namespace popscope::python
