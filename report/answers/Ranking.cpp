#include "report/answers/Ranking.hpp"

#include "base/EditDistance.hpp"

#include <algorithm>
#include <numeric>

namespace popscope {

Table Ranking::take(std::size_t count) {
  std::stable_sort(rows_.begin(), rows_.end(),
                   [](const auto &a, const auto &b) { return a.first > b.first; }); // a row without a number comes last
  for (auto &row : rows_)
    if (table_.rows.size() < count)
      table_.rows.push_back(std::move(row.second));
    else
      ++table_.more;
  return std::move(table_);
}

namespace {

/// Returns whether `a` sorts before `b`. Unsigned numbers come first, by size; shares compare by their part. All other
/// cells, also signed and unknown numbers, compare by their printed text.
bool before(const Cell &a, const Cell &b, bool ascending) {
  const auto *x = std::get_if<std::uint64_t>(&a), *y = std::get_if<std::uint64_t>(&b);
  if (x != nullptr && y != nullptr)
    return ascending ? *x < *y : *x > *y;
  if (x != nullptr || y != nullptr)
    return x != nullptr;
  if (const auto *p = std::get_if<Share>(&a), *q = std::get_if<Share>(&b); p != nullptr && q != nullptr)
    return ascending ? p->part < q->part : p->part > q->part; // shares of one whole
  const std::string left = cellText(a), right = cellText(b);
  return ascending ? left < right : left > right;
}

} // namespace

void sortRows(Table &table, const std::string &orderBy, const std::string &usual) {
  const bool ascending = !orderBy.empty() && orderBy[0] == '+';
  const std::string key = orderBy.empty() ? usual : orderBy.substr(ascending ? 1 : 0);
  const auto column =
      std::find_if(table.columns.begin(), table.columns.end(), [&](const Column &c) { return c.key == key; });
  if (column == table.columns.end()) {
    std::vector<std::string> keys;
    std::string all;
    for (const Column &c : table.columns) {
      keys.push_back(c.key);
      all += (all.empty() ? "" : ", ") + c.key;
    }
    throw AnswerError("--order-by: this command has no column \"" + key + "\"." + didYouMean(key, keys) + " It has " +
                      all);
  }
  const auto at = static_cast<std::size_t>(column - table.columns.begin());
  std::stable_sort(table.rows.begin(), table.rows.end(),
                   [&](const auto &a, const auto &b) { return before(a[at], b[at], ascending); });
}

void cutRows(Table &table, std::size_t count) {
  if (table.rows.size() > count) {
    table.more = table.rows.size() - count;
    table.rows.resize(count);
  }
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

} // namespace popscope
