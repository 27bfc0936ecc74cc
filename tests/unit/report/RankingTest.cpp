#include "report/answers/Ranking.hpp"

#include <doctest/doctest.h>

using namespace popscope;

TEST_SUITE("report.answers") {
  TEST_CASE("rows sort by number, whatever its kind, and unknown numbers come last in both orders") {
    const auto sorted = [](const std::string &orderBy) {
      Table table{"t", "T", {{"row", "Row"}, {"x", "X"}}, {}};
      const std::vector<Cell> cells = {Cell{Unknown{}},      Cell{std::int64_t(-3)}, Cell{std::uint64_t(20)},
                                       Cell{Share{1, 2}},    Cell{Share{9, 0}},      Cell{Ratio{100, 1}},
                                       Cell{std::int64_t(9)}};
      for (std::size_t i = 0; i < cells.size(); ++i)
        table.rows.push_back({std::uint64_t(i), cells[i]});
      sortRows(table, orderBy, "row");
      std::vector<std::uint64_t> rows;
      for (const auto &row : table.rows)
        rows.push_back(std::get<std::uint64_t>(row[0]));
      return rows;
    };
    CHECK(sorted("x") == std::vector<std::uint64_t>{5, 2, 6, 3, 1, 0, 4});
    CHECK(sorted("+x") == std::vector<std::uint64_t>{1, 3, 6, 2, 5, 0, 4});
    CHECK(sorted("") == std::vector<std::uint64_t>{6, 5, 4, 3, 2, 1, 0});
  }
}
