#include "report/pva/DebugRecords.hpp"
#include "report/pva/Model.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace pva {
namespace {

/// The deepest context whose name is `program` or lies above it; `names` maps names to operations. -1 = none.
std::int64_t operationOf(const std::string &program, const std::map<std::string, std::size_t> &names) {
  for (std::string path = program; !path.empty();) {
    if (const auto it = names.find(path); it != names.end())
      return static_cast<std::int64_t>(it->second);
    const std::size_t slash = path.rfind('/');
    path.resize(slash == std::string::npos ? 0 : slash);
  }
  return -1;
}

} // namespace

std::uint64_t DebugContext::id() const { return records_->rows.at(index_).id; }
std::string DebugContext::json() const { return records_->rows.at(index_).json; }
std::string DebugContext::name() const { return records_->rows.at(index_).name; }
std::string DebugContext::layer() const {
  return nlohmann::json{{"layer", records_->rows.at(index_).layer}}.dump(-1, ' ', false,
                                                                         nlohmann::json::error_handler_t::replace);
}
DebugLocation DebugContext::location() const {
  const auto &row = records_->rows.at(index_);
  return DebugLocation(row.file, row.function, row.line);
}
List<DebugContext> DebugContext::parents() const {
  const auto it = records_->byId.find(records_->rows.at(index_).parent);
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
  const auto &rows = model_->loweredVariables();
  std::vector<LoweredVariable> vars;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (!rows[i].alwaysLive && std::any_of(programs_.begin(), programs_.end(), [&](std::uint32_t p) {
          return model_->liveAt(rows[i].occupiedClass, p);
        }))
      vars.emplace_back(model_, i);
  return detail::listOf(std::move(vars));
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

OperationAnalysis::OperationAnalysis(const Report &report) {
  if (report.debugInfoPath_.empty())
    return;
  const auto records = std::make_shared<const detail::DebugRecords>(detail::readDebugRecords(report.debugInfoPath_));
  std::map<std::string, std::size_t> names;
  std::vector<std::size_t> contexts; // of each operation
  for (std::size_t i = 0; i < records->rows.size(); ++i)
    if (!records->rows[i].name.empty() && names.emplace(records->rows[i].name, contexts.size()).second)
      contexts.push_back(i);
  std::vector<std::vector<std::uint32_t>> programs(contexts.size());
  const auto &rows = report.model_->programs().rows;
  for (std::uint32_t p = 0; p < rows.size(); ++p)
    if (const std::int64_t operation = operationOf(rows[p].name, names); operation >= 0)
      programs[static_cast<std::size_t>(operation)].push_back(p);
  std::vector<Operation> operations;
  for (std::size_t i = 0; i < contexts.size(); ++i)
    operations.emplace_back(report.model_, DebugContext(records, contexts[i]), programs[i]);
  operations_ = detail::listOf(std::move(operations));
}

} // namespace pva
