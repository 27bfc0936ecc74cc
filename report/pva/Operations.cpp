#include "base/JsonText.hpp"
#include "report/pva/DebugRecords.hpp"
#include "report/pva/Model.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace pva {
namespace {

/// Returns the operation of the deepest context whose name is `program` or a prefix of its path. Returns -1 if there is
/// no such operation. `names` maps names to operations.
std::int64_t operationOf(const std::string &program, const std::map<std::string, std::size_t> &names) {
  for (std::string path = program; !path.empty();) {
    if (const auto it = names.find(path); it != names.end())
      return static_cast<std::int64_t>(it->second);
    const std::size_t slash = path.rfind('/');
    path.resize(slash == std::string::npos ? 0 : slash);
  }
  return -1;
}

struct Found { // per operation
  std::vector<std::size_t> contexts;
  std::vector<std::vector<std::uint32_t>> programs;
};

Found byId(const detail::DebugRecords &records, const detail::Model &model) {
  Found found;
  for (std::size_t i = 0; i < records.rows.size(); ++i)
    found.contexts.push_back(i);
  found.programs.resize(found.contexts.size());
  const auto &rows = model.programs().rows;
  for (std::uint32_t p = 0; p < rows.size(); ++p)
    if (const auto it = records.byId.find(rows[p].debugContext); rows[p].debugContext != 0 && it != records.byId.end())
      found.programs[it->second].push_back(p);
  return found;
}

Found byName(const detail::DebugRecords &records, const detail::Model &model) {
  Found found;
  std::map<std::string, std::size_t> names;
  for (std::size_t i = 0; i < records.rows.size(); ++i)
    if (!records.rows[i].name.empty() && names.emplace(records.rows[i].name, found.contexts.size()).second)
      found.contexts.push_back(i);
  found.programs.resize(found.contexts.size());
  const auto &rows = model.programs().rows;
  for (std::uint32_t p = 0; p < rows.size(); ++p)
    if (const std::int64_t operation = operationOf(rows[p].name, names); operation >= 0)
      found.programs[static_cast<std::size_t>(operation)].push_back(p);
  return found;
}

} // namespace

const detail::DebugRecord &DebugContext::row() const {
  static const detail::DebugRecord kNone;
  return records_ ? records_->rows.at(index_) : kNone;
}
std::uint64_t DebugContext::id() const { return row().id; }
std::string DebugContext::json() const { return row().json; }
std::string DebugContext::name() const { return row().name; }
std::string DebugContext::layer() const { return popscope::jsonText(nlohmann::json{{"layer", row().layer}}); }
DebugLocation DebugContext::location() const { return DebugLocation(row().file, row().function, row().line); }
List<DebugContext> DebugContext::parents() const {
  if (!records_)
    return List<DebugContext>();
  const auto it = records_->byId.find(row().parent);
  return detail::listOf(it == records_->byId.end() ? std::vector<DebugContext>()
                                                   : std::vector<DebugContext>{DebugContext(records_, it->second)});
}

ProgramList Operation::programs() const {
  std::vector<std::shared_ptr<Program>> list;
  for (const std::uint32_t id : programs_)
    list.push_back(model_->program(id));
  return detail::listOf(std::move(list));
}

List<LoweredVariable> Operation::vars() const {
  const auto &live = model_->liveLowered();
  std::set<std::uint32_t> rows;
  for (const std::uint32_t p : programs_) {
    const auto there = live.at(p);
    rows.insert(there.begin(), there.end());
  }
  std::vector<LoweredVariable> vars;
  for (const std::uint32_t row : rows)
    vars.emplace_back(model_, row);
  return detail::listOf(std::move(vars));
}

Flops Operation::flops() const {
  Flops sum;
  for (const std::uint32_t p : programs_)
    if (const std::int64_t set = model_->programs().rows.at(p).computeSet; set >= 0)
      sum += ComputeSet(model_, static_cast<std::size_t>(set)).flops();
  return sum;
}

std::size_t Operation::firstStepIndex() const {
  const auto &steps = model_->livenessSteps();
  for (const std::uint32_t p : programs_) // ascending
    if (const std::size_t i = model_->livenessStepFrom(p); i < steps.size() && steps[i].program == p)
      return i;
  return 0;
}
std::size_t Operation::lastStepIndex() const {
  const auto &steps = model_->livenessSteps();
  for (auto p = programs_.rbegin(); p != programs_.rend(); ++p)
    if (const std::size_t i = model_->livenessStepFrom(*p); i < steps.size() && steps[i].program == *p)
      return i;
  return 0;
}

DebugContext Program::debugContext() const {
  const auto records = model_->debugRecords();
  if (!records)
    return DebugContext();
  const auto it = records->byId.find(debugContextId());
  return it == records->byId.end() ? DebugContext() : DebugContext(records, it->second);
}

std::vector<DebugContext> Program::moreDebugContexts() const {
  std::vector<DebugContext> contexts;
  if (const auto records = model_->debugRecords())
    for (const std::uint64_t id : moreDebugContextIds())
      if (const auto it = records->byId.find(id); it != records->byId.end())
        contexts.push_back(DebugContext(records, it->second));
  return contexts;
}

OperationAnalysis::OperationAnalysis(const Report &report) {
  const detail::Model &model = *report.model_;
  const auto records = model.debugRecords();
  if (!records)
    return;
  const Found found = model.meta().debugContexts ? byId(*records, model) : byName(*records, model);
  std::vector<Operation> operations;
  for (std::size_t i = 0; i < found.contexts.size(); ++i)
    operations.emplace_back(report.model_, DebugContext(records, found.contexts[i]), found.programs[i]);
  operations_ = detail::listOf(std::move(operations));
}

} // namespace pva
