#include "report/answers/MovedNames.hpp"

#include "report/answers/Ranking.hpp"
#include "report/answers/StepNames.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace popscope {
namespace {

/// Maximum number of variables whose accesses are read, the largest first; each takes a query of about 0.3 ms. A
/// program that accesses only smaller variables moves little data; its name does not contain these variables.
constexpr std::size_t kMaxVariablesRead = 1'000;
constexpr std::size_t kMaxNamed = 3; // names of each kind of access in variablesOf()

} // namespace

void MovedNames::Variables::add(const std::string &name) {
  if (++count <= kMaxNamed)
    first.push_back(name);
}

std::string MovedNames::Variables::text(std::size_t most) const {
  std::string text;
  for (std::size_t i = 0; i < std::min(most, first.size()); ++i)
    text += (i == 0 ? "" : ", ") + first[i];
  return text + (count <= most ? "" : " and " + std::to_string(count - most) + " more");
}

void MovedNames::read() {
  accessed_.emplace();
  const pva::PopscopeData data = report_.popscope();
  if (!data.hasVariableAccesses())
    return;
  std::vector<pva::Variable> variables;
  for (const pva::Variable &variable : report_.compilation().variables())
    if (variable.category() == "variable" && !variable.name().empty())
      variables.push_back(variable);
  std::stable_sort(variables.begin(), variables.end(),
                   [](const auto &a, const auto &b) { return a.size() > b.size(); });
  variables.resize(std::min(variables.size(), kMaxVariablesRead));
  std::sort(variables.begin(), variables.end()); // by id: the name contains the first variable
  for (const pva::Variable &variable : variables) {
    for (const pva::VariableAccess &access : data.variableAccesses(variable)) {
      if (access.read == 0 && access.written == 0)
        continue;
      Accessed &one = (*accessed_)[access.program->_id()];
      if (access.read != 0)
        one.read.add(variable.name());
      if (access.written != 0)
        one.written.add(variable.name());
    }
  }
}

const MovedNames::Accessed *MovedNames::accessesOf(std::size_t program) {
  if (!accessed_)
    read();
  const auto at = accessed_->find(program);
  return at == accessed_->end() ? nullptr : &at->second;
}

std::string MovedNames::of(const std::string &kind, std::size_t program, const std::string &otherwise) {
  const Accessed *one = accessesOf(program);
  if (one == nullptr)
    return otherwise;
  return "<" + kind + ":" + (one->written.count == 0 ? one->read : one->written).text(1) + ">";
}

std::optional<std::string> MovedNames::variablesOf(std::size_t program) {
  const Accessed *one = accessesOf(program);
  if (one == nullptr)
    return std::nullopt;
  const bool both = one->read.count != 0 && one->written.count != 0;
  return one->read.text(kMaxNamed) + (both ? " to " : "") + one->written.text(kMaxNamed);
}

std::string MovedNames::nameOf(const StepProgramInfo &step) {
  if (isCompilersName(step.name))
    return of(step.name, step.id, step.name);
  if (step.name.empty() && step.computeSet < 0)
    return of(pva::programTypeName(step.type), step.id, nameOr(step.name));
  return nameOr(step.name);
}

std::string MovedNames::titleOf(const StepProgramInfo &step) {
  if (isCompilersName(step.name))
    return pva::programTypeName(step.type) + ": " + nameOf(step);
  return step.name.empty() && step.type == pva::Program::Type::StreamCopyMid
             ? of(pva::programTypeName(step.type), step.id, step.title)
             : step.title;
}

void MovedNames::readSets() {
  sets_.emplace();
  for (const auto &program : allPrograms(report_))
    if (const auto *execute = dynamic_cast<const pva::OnTileExecuteProgram *>(program.get());
        execute != nullptr && isCompilersName(program->name()))
      sets_->emplace(execute->computeset()._id(), program->_id());
}

std::string MovedNames::nameOf(const pva::ComputeSet &set) {
  const std::string name = set.name();
  if (!isCompilersName(name))
    return nameOr(name);
  if (!sets_)
    readSets();
  const auto program = sets_->find(set._id());
  return program == sets_->end() ? name : of(name, program->second, name);
}

bool MovedNames::matches(const std::string &pattern, const pva::ComputeSet &set) {
  return pattern.empty() || nameMatches(pattern, nameOr(set.name())) || nameMatches(pattern, nameOf(set));
}

bool MovedNames::matches(const std::string &pattern, const StepProgramInfo &step) {
  return pattern.empty() || nameMatches(pattern, step.name) || nameMatches(pattern, nameOf(step));
}

} // namespace popscope
