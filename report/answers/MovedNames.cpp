#include "report/answers/MovedNames.hpp"

#include "report/answers/Ranking.hpp"
#include "report/answers/StepNames.hpp"

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

namespace popscope {
namespace {

/// Maximum number of variables whose accesses are read, the largest first; each takes a query of about 0.3 ms. A
/// program that accesses only smaller variables moves little data; its name does not contain these variables.
constexpr std::size_t kMaxVariablesRead = 1'000;
constexpr std::size_t kMaxNamed = 3; // names of each kind of access in variablesOf()

/// A variable whose accesses name programs.
struct Naming {
  pva::Variable variable;
  std::string name;
  bool isBuffer; // a buffer for the data of the variable `name`, on the way to the host or from it
};

/// Returns nothing for a variable that names no program.
std::optional<Naming> namingOf(const pva::Variable &variable) {
  const std::string kind = variable.category(), name = variable.name(), before = "<hostMessage:";
  if (kind == "variable" && !name.empty())
    return Naming{variable, name, false};
  if (kind == "hostMessage" && name.rfind(before, 0) == 0 && name.back() == '>')
    return Naming{variable, name.substr(before.size(), name.size() - before.size() - 1), true};
  return std::nullopt;
}

} // namespace

void MovedNames::Variables::add(const std::string &name, bool isBuffer) {
  const auto buffersEnd = first.begin() + static_cast<std::ptrdiff_t>(std::min(buffers, first.size()));
  if (!isBuffer && std::find(first.begin(), buffersEnd, name) != buffersEnd)
    return;
  buffers += isBuffer ? 1 : 0;
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
  std::vector<Naming> variables;
  for (const pva::Variable &variable : report_.compilation().variables())
    if (auto naming = namingOf(variable))
      variables.push_back(std::move(*naming));
  std::stable_sort(variables.begin(), variables.end(),
                   [](const Naming &a, const Naming &b) { return a.variable.size() > b.variable.size(); });
  if (variables.size() > kMaxVariablesRead)
    variables.erase(variables.begin() + kMaxVariablesRead, variables.end());
  std::sort(variables.begin(), variables.end(), [](const Naming &a, const Naming &b) {
    return std::tuple(!a.isBuffer, a.variable._id()) < std::tuple(!b.isBuffer, b.variable._id());
  });
  for (const auto &[variable, name, isBuffer] : variables) {
    for (const pva::VariableAccess &access : data.variableAccesses(variable)) {
      if (access.read == 0 && access.written == 0)
        continue;
      Accessed &one = (*accessed_)[access.program->_id()];
      if (access.read != 0)
        one.read.add(name, isBuffer);
      if (access.written != 0)
        one.written.add(name, isBuffer);
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
