#include "report/answers/MovedNames.hpp"

#include "report/answers/Ranking.hpp"
#include "report/answers/StepNames.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace popscope {
namespace {

constexpr std::size_t kMaxNamed = 3; // names of each kind of access in variablesOf()

/// A variable whose accesses name programs.
struct Naming {
  std::string name; // "" = the variable names no program
  bool isBuffer;    // a buffer for the data of the variable `name`, on the way to the host or from it
};

Naming namingOf(const pva::Variable &variable) {
  const std::string kind = variable.category(), name = variable.name(), before = "<hostMessage:";
  if (kind == "hostMessage" && name.rfind(before, 0) == 0 && name.back() == '>')
    return {name.substr(before.size(), name.size() - before.size() - 1), true};
  return {kind == "variable" ? name : "", false};
}

} // namespace

void MovedNames::Variables::add(const std::string &name) {
  if (all.insert(name).second && first.size() < kMaxNamed)
    first.push_back(name);
}

std::string MovedNames::Variables::text(std::size_t most) const {
  std::string text;
  for (std::size_t i = 0; i < std::min(most, first.size()); ++i)
    text += (i == 0 ? "" : ", ") + first[i];
  return text + (all.size() <= most ? "" : " and " + std::to_string(all.size() - most) + " more");
}

void MovedNames::read() {
  accessed_.emplace();
  const pva::PopscopeData data = report_.popscope();
  if (!data.hasVariableAccesses())
    return;
  std::vector<Naming> namings;
  for (const pva::Variable &variable : report_.compilation().variables())
    namings.push_back(namingOf(variable));
  struct Access {
    std::size_t variable, program;
    bool reads, writes;
  };
  std::vector<Access> accesses;
  data.eachVariableAccess([&](std::size_t variable, std::size_t program, bool reads, bool writes) {
    if (!namings[variable].name.empty())
      accesses.push_back({variable, program, reads, writes});
  });
  std::stable_partition(accesses.begin(), accesses.end(),
                        [&](const Access &a) { return namings[a.variable].isBuffer; });
  for (const Access &access : accesses) {
    Accessed &one = (*accessed_)[access.program];
    if (access.reads)
      one.read.add(namings[access.variable].name);
    if (access.writes)
      one.written.add(namings[access.variable].name);
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
  return "<" + kind + ":" + (one->written.all.empty() ? one->read : one->written).text(1) + ">";
}

std::optional<std::string> MovedNames::variablesOf(std::size_t program) {
  const Accessed *one = accessesOf(program);
  if (one == nullptr)
    return std::nullopt;
  const bool both = !one->read.all.empty() && !one->written.all.empty();
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
