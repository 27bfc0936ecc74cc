// Ranked tables: sorts rows by a number, largest first, and leaves out the rows that -n does not show.
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

/// Rows, each with the number by which the row is ranked. Rows with an unknown number come last. The sort is stable.
class Ranking {
public:
  explicit Ranking(Table table) : table_(std::move(table)) {}
  void add(std::optional<std::uint64_t> by, std::vector<Cell> row) { rows_.emplace_back(by, std::move(row)); }
  /// Returns the first `count` rows as a table whose Table::more counts the other rows.
  [[nodiscard]] Table take(std::size_t count);

private:
  Table table_;
  std::vector<std::pair<std::optional<std::uint64_t>, std::vector<Cell>>> rows_;
};

/// Sorts the rows by the column with the key `orderBy`, largest first, or smallest first if a + precedes the key. Texts
/// are sorted by their characters. Unknown numbers come last in both orders. If `orderBy` is empty, sorts by the column
/// `usual`. Throws AnswerError if no column has the key; the message contains --order-by, the nearest key if one is
/// similar, and all keys.
void sortRows(Table &table, const std::string &orderBy, const std::string &usual);
/// Keeps the first `count` rows; Table::more counts the removed rows.
void cutRows(Table &table, std::size_t count);

/// Returns the value, or Unknown if `known` is false.
[[nodiscard]] Cell knownOr(bool known, std::uint64_t value);
[[nodiscard]] Cell shareOr(bool known, std::uint64_t part, std::uint64_t whole);
[[nodiscard]] std::string nameOr(const std::string &name); // "<anonymous>" for an empty name
/// Returns all programs of the engine and of functions, including their children, in the order of their ids. The list
/// has each program once.
[[nodiscard]] std::vector<std::shared_ptr<pva::Program>> allPrograms(const pva::Report &report);
[[nodiscard]] std::uint64_t sumOf(const pva::Values &values);

} // namespace popscope
