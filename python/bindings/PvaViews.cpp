// The views of popscope, its exports and its templates, for reports in Python.
#include "python/bindings/Bind.hpp"

#include "base/settings/ProfileTemplates.hpp"
#include "report/answers/Numbers.hpp"
#include "report/answers/PrintRows.hpp"
#include "report/export/WriteExports.hpp"
#include "report/pop/PopFile.hpp"
#include "report/summary/Summary.hpp"
#include "report/whatif/WhatIfAnswers.hpp"

#include <cstring>
#include <map>
#include <sstream>

namespace popscope::python {
namespace {

/// Returns the view. Throws ValueError for an unknown view and for a view of several profiles.
const ViewRow &viewOf(const std::string &name) {
  std::string all;
  for (const std::vector<ViewRow> *rows : {&views(), &whatIfViews()})
    for (const ViewRow &row : *rows) {
      const bool several = row.twoProfiles || row.folder;
      if (name == row.name && several)
        throw py::value_error("the view \"" + name + "\" compares several profiles; use the command popscope instead");
      if (name == row.name)
        return row;
      if (!several)
        all += (all.empty() ? "" : ", ") + std::string(row.name);
    }
  throw py::value_error("there is no view \"" + name + "\"; there are: " + all);
}

/// Sets an option of the view, or a flag of its selection, as the command line does. Throws ValueError for an unknown
/// option and for a wrong value.
void setOption(Request &request, const ViewRow &row, const std::string &key, const std::string &value) {
  const auto check = [&](const std::string &problem) {
    if (!problem.empty())
      throw py::value_error(std::string("view \"") + row.name + "\": " + key + ": " + problem);
  };
  std::string all = "count"; // an argument of view(), for -n
  for (const ViewOption &option : row.options) {
    if (key == keyOf(option)) {
      check(problemOf(option, value));
      request.options[key] = value;
      return;
    }
    all += (all.empty() ? "" : ", ") + keyOf(option);
  }
  for (const SelectionFlag &flag : selectionFlags()) {
    const std::string known = flag.name + std::strlen("--");
    if ((row.flags & flag.flag) == 0)
      continue;
    if (key == known) {
      check(flag.mayBeEmpty ? "" : notEmpty(value));
      request.selection.*flag.text = value;
      return;
    }
    all += (all.empty() ? "" : ", ") + known;
  }
  throw py::value_error(std::string("the view \"") + row.name + "\" has no option \"" + key +
                        "\"; there are: " + (all.empty() ? "none" : all));
}

/// Checks the argument of the view as the command line does. Throws ValueError if the argument is missing or not
/// expected.
void checkArgument(const ViewRow &row, const std::string &argument) {
  const std::string expected = row.argument;
  if (expected.empty() && !argument.empty())
    throw py::value_error(std::string("the view \"") + row.name + "\" takes no argument, not \"" + argument + "\"");
  if (!expected.empty() && expected[0] != '[' && argument.empty())
    throw py::value_error(std::string("the view \"") + row.name + "\" needs an argument, " + expected + ": " +
                          row.argumentHelp);
}

/// Returns the JSON, the text and the Markdown of a view, as the program popscope prints them. Throws ValueError for an
/// unknown view or option, for a wrong value and for a view of several profiles, and AnswerError if the view cannot
/// answer.
py::tuple view(const pva::Report &report, const std::string &name, const std::string &argument,
               const std::map<std::string, std::string> &options, std::optional<std::uint64_t> count) {
  const ViewRow &row = viewOf(name);
  checkArgument(row, argument);
  Request request;
  request.report = report;
  request.profile = report.popscope().path();
  request.argument = argument;
  request.selection.count = count;
  for (const ViewOption &option : row.options)
    request.options[keyOf(option)] = option.usual;
  for (const auto &[key, value] : options)
    setOption(request, row, key, value);
  std::ostringstream text;
  std::string json, markdown;
  {
    const WithoutGil release;
    checkSelection(request.report, request.selection);
    const Rows rows = row.collect(request);
    json = toJson(rows);
    markdown = toMarkdown(rows);
    printText(text, rows, Style(false), 0);
  }
  return py::make_tuple(json, text.str(), markdown);
}

/// Returns all numbers of popscope numbers: name -> (value or None, unit).
py::dict numbers(const pva::Report &report) {
  Numbers found;
  {
    const WithoutGil release;
    found = numbersOf(report, Selection());
  }
  py::dict result;
  for (const auto &[name, number] : found) {
    const std::optional<std::int64_t> value = valueOf(number);
    result[py::cast(name)] = py::make_tuple(value, unitName(number.unit));
  }
  return result;
}

/// Writes formats of popscope export into a folder, and overwrites existing files. Returns the paths of the files.
/// Throws AnswerError, and writes nothing, for an unknown format and if the profile lacks data that a format needs.
std::vector<std::string> exportProfile(const pva::Report &report, const std::vector<std::string> &formats,
                                       const std::string &folder) {
  const WithoutGil release;
  ExportRequest request;
  request.report = report;
  request.profile = report.popscope().path();
  ExportTarget target;
  target.path = folder + "/";
  target.overwrite = true;
  target.time = exportTimeNow();
  target.where = "";
  std::map<std::string, std::vector<const FormatRow *>> rows; // by layout
  for (const std::string &name : formats) {
    const NamedExport named = exportNamed(name, "formats");
    rows[named.layout].insert(rows[named.layout].end(), named.formats.begin(), named.formats.end());
  }
  std::vector<PlannedFile> plan;
  for (const auto &[layout, named] : rows) {
    target.layout = layout;
    for (PlannedFile &file : planExports(request, named, target))
      plan.push_back(std::move(file));
  }
  std::vector<std::string> paths;
  for (const WrittenFile &file : writeExports(plan, target))
    paths.push_back(file.path);
  return paths;
}

/// Returns the names that exportProfile() takes.
std::vector<std::string> formatNames() {
  std::vector<std::string> names;
  for (const FormatRow &row : exportFormats())
    names.emplace_back(row.name);
  names.emplace_back(kMsprof);
  return names;
}

/// Returns name -> (engine options, formats, whether summary.txt is written).
py::dict templates() {
  py::dict result;
  for (const ProfileTemplate &t : profileTemplates()) {
    py::dict options;
    for (const auto &[key, value] : t.options)
      options[py::str(key)] = value;
    const std::string formats = t.formats;
    result[py::str(t.name)] = py::make_tuple(
        options, formats.empty() ? py::list() : py::list(py::str(formats).attr("split")(",")), t.summary);
  }
  return result;
}

std::string summary(const pva::Report &report) {
  const WithoutGil release;
  std::ostringstream out;
  printSummary(out, report, SummaryOptions());
  return out.str();
}

void translateAnswers(std::exception_ptr thrown) {
  try {
    std::rethrow_exception(std::move(thrown));
  } catch (const AnswerError &e) {
    PyErr_SetString(PyExc_ValueError, e.what());
  }
}

} // namespace

void bindViews(py::module_ &m) {
  py::register_exception_translator(translateAnswers);
  m.def("view", view, py::arg("report"), py::arg("name"), py::arg("argument") = "",
        py::arg("options") = std::map<std::string, std::string>(), py::arg("count") = py::none());
  m.def("numbers", numbers, py::arg("report"));
  m.def("exportProfile", exportProfile, py::arg("report"), py::arg("formats"), py::arg("folder"));
  m.def("formats", formatNames);
  m.def("templates", templates);
  m.def("summary", summary, py::arg("report"));
  m.def("recover", recoverPop, py::arg("source"), py::arg("to"), py::call_guard<WithoutGil>());
}

} // namespace popscope::python
