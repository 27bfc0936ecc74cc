#include "report/answers/Ranking.hpp"

#include "base/EditDistance.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

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

/// Returns the number by which a cell sorts, or nothing for a text and for an unknown number.
std::optional<long double> numberOf(const Cell &cell) {
  if (const auto *number = std::get_if<std::uint64_t>(&cell))
    return *number;
  if (const auto *number = std::get_if<std::int64_t>(&cell))
    return *number;
  if (const auto *flag = std::get_if<bool>(&cell))
    return *flag ? 1 : 0;
  if (const auto *share = std::get_if<Share>(&cell); share != nullptr && share->whole != 0)
    return static_cast<long double>(share->part) / share->whole;
  if (const auto *ratio = std::get_if<Ratio>(&cell); ratio != nullptr && ratio->by != 0)
    return static_cast<long double>(ratio->value) / ratio->by;
  return std::nullopt;
}

/// Returns whether `a` sorts before `b`: numbers by value, texts by letters, and unknown numbers last in both orders.
bool before(const Cell &a, const Cell &b, bool ascending) {
  const auto x = numberOf(a), y = numberOf(b);
  if (x && y)
    return ascending ? *x < *y : *x > *y;
  const auto *left = std::get_if<std::string>(&a), *right = std::get_if<std::string>(&b);
  if (left != nullptr && right != nullptr)
    return ascending ? *left < *right : *left > *right;
  return (x || left != nullptr) && !(y || right != nullptr);
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
