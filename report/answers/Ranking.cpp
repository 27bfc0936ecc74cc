#include "report/answers/Ranking.hpp"

#include <algorithm>
#include <numeric>

namespace popscope {

Table Ranking::take(std::size_t count) {
  std::stable_sort(rows_.begin(), rows_.end(),
                   [](const auto &a, const auto &b) { return a.first > b.first; }); // nothing < every number
  for (auto &row : rows_)
    if (table_.rows.size() < count)
      table_.rows.push_back(std::move(row.second));
    else
      ++table_.more;
  return std::move(table_);
}

Cell knownOr(bool known, std::uint64_t value) { return known ? Cell(value) : Cell(Unknown()); }
Cell shareOr(bool known, std::uint64_t part, std::uint64_t whole) {
  return known ? Cell(Share{part, whole}) : Cell(Unknown());
}
std::string nameOr(const std::string &name) { return name.empty() ? "<anonymous>" : name; }

std::vector<std::shared_ptr<pva::Program>> allPrograms(const pva::Report &report) {
  std::map<std::size_t, std::shared_ptr<pva::Program>> found;
  std::vector<std::shared_ptr<pva::Program>> open;
  for (const auto &list : {report.compilation().controlPrograms(), report.compilation().functionPrograms()})
    for (const auto &program : list)
      open.push_back(program);
  while (!open.empty()) {
    const auto program = open.back();
    open.pop_back();
    if (!found.emplace(program->_id(), program).second)
      continue;
    for (const auto &child : program->children())
      open.push_back(child);
  }
  std::vector<std::shared_ptr<pva::Program>> all;
  for (const auto &entry : found)
    all.push_back(entry.second);
  return all;
}

std::uint64_t sumOf(const pva::Values &values) {
  return std::accumulate(values.begin(), values.end(), std::uint64_t(0));
}

std::string programTitle(const pva::Program &program) {
  const std::string name = program.name();
  return pva::programTypeName(program.type()) + (name.empty() ? "" : ": " + name);
}

} // namespace popscope
