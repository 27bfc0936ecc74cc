#include "report/summary/WhyView.hpp"

#include "base/EditDistance.hpp"
#include "report/summary/Format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

namespace popscope {
namespace {

constexpr std::size_t kMaxRows = 40; // of a variable, when no step was asked for

using ProgramNames = std::map<std::size_t, StepName>;

void addNames(const pva::Program &program, ProgramNames &names) {
  names.emplace(program._id(), stepName(program));
  for (const auto &child : program.children())
    addNames(*child, names);
}

StepName nameOf(const ProgramNames &names, std::size_t id) {
  const auto known = names.find(id);
  return known == names.end() ? StepName{id, ""} : known->second;
}

std::optional<StepName> nameOf(const std::shared_ptr<pva::Program> &program) {
  return program ? std::optional<StepName>(stepName(*program)) : std::nullopt;
}

[[noreturn]] void failUnknown(const pva::Report &report, const std::string &name) {
  std::set<std::string> known;
  for (const auto &v : report.compilation().alwaysLiveVariables())
    known.insert(v.name());
  for (const auto &step : report.compilation().livenessProgramSteps())
    for (const auto &v : step.notAlwaysLiveMemory().variables())
      known.insert(v.name());
  if (known.count(name) != 0)
    throw std::runtime_error(fmt::format("'{}' is always live by nature (a constant, code or system data), or nothing reads it: "
                                         "there is nothing to explain", name));
  throw std::runtime_error(fmt::format("no variable '{}' is live anywhere in the profile.{}", name,
                                       didYouMean(name, {known.begin(), known.end()})));
}

WhyRow whyRow(const pva::LiveExplanation &e, const ProgramNames &names) {
  WhyRow row;
  row.first = nameOf(names, e.firstProgram);
  row.last = nameOf(names, e.endProgram - 1);
  row.read = stepName(*e.read);
  row.born = nameOf(e.born);
  row.failedKill = nameOf(e.failedKill);
  row.carriedBy = nameOf(e.carriedBy);
  row.missedElements = e.missedElements;
  row.missed = e.missed;
  row.carrier = e.carrier;
  return row;
}

void printRow(std::ostream &out, const WhyRow &row) {
  out << "    read next by:          " << stepText(row.read) << "\n    last fully written by: "
      << (row.born ? stepText(*row.born) : "nothing since the engine started: earlier contents stay needed") << "\n";
  if (row.failedKill) {
    out << "    not killed by:         " << stepText(*row.failedKill) << ", which leaves out " << commas(row.missedElements)
        << (row.missedElements == 1 ? " element: " : " elements: ");
    std::uint64_t shown = 0;
    for (const auto &range : row.missed) {
      out << "[" << range.first << "," << range.second << ")";
      shown += range.second - range.first;
    }
    out << (shown < row.missedElements ? "..." : "") << "\n";
  }
  if (row.carrier == "loop" || row.carrier == "call")
    out << "    brought there by:      the " << row.carrier << (row.carriedBy ? " at " + stepText(*row.carriedBy) : "") << "\n";
  else if (!row.carrier.empty())
    out << "    brought there by:      the engine, which may run a program again\n";
}

void printVariable(std::ostream &out, const WhyVariable &v, const std::optional<StepName> &step, const Style &style) {
  out << style.part("Variable \"" + v.name + "\": " + commas(v.bytes) + " B over all tiles, category " + v.category +
                    (v.alwaysLive ? ", always live" : "")) << "\n";
  if (v.rows.empty())
    out << "  not live at " << stepText(*step) << "\n";
  for (std::size_t i = 0; i < std::min(v.rows.size(), kMaxRows); ++i) {
    const WhyRow &row = v.rows[i];
    out << "  live at " << stepText(row.first);
    if (row.last.id != row.first.id)
      out << " to " << stepText(row.last);
    out << "\n";
    printRow(out, row);
  }
  if (v.rows.size() > kMaxRows)
    out << "  and " << commas(v.rows.size() - kMaxRows) << " parts more; --step N asks for one\n";
  for (std::size_t i = 0; i < std::min(v.falseLive.size(), kMaxRows); ++i) {
    const FalseLiveRow &f = v.falseLive[i];
    out << "  live for nothing: " << commas(f.bytes) << " B at " << stepText(f.first);
    if (f.last.id != f.first.id)
      out << " to " << stepText(f.last);
    out << ", where no path reads them\n";
  }
  if (v.falseLive.size() > kMaxRows)
    out << "  and for nothing at " << commas(v.falseLive.size() - kMaxRows) << " places more\n";
}

} // namespace

StepName stepName(const pva::Program &program) {
  const std::string name = program.name();
  return {program._id(), pva::programTypeName(program.type()) + (name.empty() ? "" : ": " + name)};
}

std::string stepText(const StepName &step) {
  return "step " + std::to_string(step.id) + (step.title.empty() ? "" : " " + step.title);
}

WhyRows collectWhy(const pva::Report &report, const std::string &variable, std::optional<std::size_t> step) {
  const pva::LivenessAdvice advice = report.popscope().livenessAdvice();
  if (!advice.present)
    throw std::runtime_error("the profile explains no liveness; compile with the engine option "
                             "autoReport.outputLivenessExplanation set to \"true\"");
  ProgramNames names;
  for (const auto &program : report.compilation().controlPrograms())
    addNames(*program, names);
  for (const auto &program : report.compilation().functionPrograms())
    addNames(*program, names);
  if (step && names.count(*step) == 0)
    throw std::runtime_error(fmt::format("no step {} in the profile; steps are 0 to {}", *step, names.empty() ? 0 : names.rbegin()->first));
  WhyRows rows;
  if (step)
    rows.step = nameOf(names, *step);
  std::map<std::size_t, WhyVariable> found; // by variable
  std::set<std::size_t> always;
  for (const auto &v : report.compilation().alwaysLiveVariables())
    always.insert(v._id());
  const auto asked = [&](std::size_t first, std::size_t end) { return !step || (first <= *step && *step < end); };
  for (const pva::LiveExplanation &e : advice.explanations) {
    if (e.variable.name() != variable)
      continue;
    WhyVariable &v = found[e.variable._id()];
    v.name = variable;
    v.category = e.variable.category();
    v.bytes = e.variable.size();
    v.alwaysLive = always.count(e.variable._id()) != 0;
    if (asked(e.firstProgram, e.endProgram))
      v.rows.push_back(whyRow(e, names));
  }
  if (found.empty())
    failUnknown(report, variable);
  for (const pva::FalseLive &f : advice.falseLive)
    if (const auto v = found.find(f.variable._id()); v != found.end() && asked(f.firstProgram, f.endProgram))
      v->second.falseLive.push_back({nameOf(names, f.firstProgram), nameOf(names, f.endProgram - 1), f.bytes});
  for (auto &entry : found)
    rows.variables.push_back(std::move(entry.second));
  return rows;
}

void printText(std::ostream &out, const WhyRows &rows, const Style &style) {
  for (std::size_t i = 0; i < rows.variables.size(); ++i) {
    out << (i == 0 ? "" : "\n");
    printVariable(out, rows.variables[i], rows.step, style);
  }
}

} // namespace popscope
