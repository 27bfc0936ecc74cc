// What ranked tables share: sorting by a number, most first, and leaving out what -n does not show.
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

/// Rows with the number that they are ranked by; rows whose number is not known come last. Equals keep their order.
class Ranking {
public:
  explicit Ranking(Table table) : table_(std::move(table)) {}
  void add(std::optional<std::uint64_t> by, std::vector<Cell> row) { rows_.emplace_back(by, std::move(row)); }
  /// The first `count`, and how many more there are.
  [[nodiscard]] Table take(std::size_t count);

private:
  Table table_;
  std::vector<std::pair<std::optional<std::uint64_t>, std::vector<Cell>>> rows_;
};

/// Sorts by the column of this key, largest first; with + before it, smallest first; `usual` where none is given.
/// Throws AnswerError that names --order-by, with the nearest.
void sortRows(Table &table, const std::string &orderBy, const std::string &usual);
/// Leaves the first `count` rows; Table::more says how many are gone.
void cutRows(Table &table, std::size_t count);

/// A number, or unknown.
[[nodiscard]] Cell knownOr(bool known, std::uint64_t value);
[[nodiscard]] Cell shareOr(bool known, std::uint64_t part, std::uint64_t whole);
[[nodiscard]] std::string nameOr(const std::string &name); // "<anonymous>"
/// All programs, each once, by id: those of the engine and functions, children included.
[[nodiscard]] std::vector<std::shared_ptr<pva::Program>> allPrograms(const pva::Report &report);
[[nodiscard]] std::uint64_t sumOf(const pva::Values &values);
/// "DoExchange: Layer1/ExchangePre".
[[nodiscard]] std::string programTitle(const pva::Program &program);

} // namespace popscope
