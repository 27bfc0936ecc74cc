#include "report/summary/OptimisationsView.hpp"

#include "base/ShownText.hpp"
#include "base/Utf8.hpp"
#include "report/summary/Format.hpp"

#include <algorithm>

namespace popscope {
namespace {
constexpr std::size_t kOptimisationColumns = 15;
}

OptimisationRows collectOptimisations(const pva::Report &report) {
  OptimisationRows rows;
  for (pva::Optimization row : report.compilation().optimizations()) {
    row.name = shownName(row.name);
    rows.rows.push_back(std::move(row));
  }
  return rows;
}

void printText(std::ostream &out, const OptimisationRows &rows, const Style &style) {
  out << style.heading("Optimizations:") << "\n";
  std::size_t longest = 0;
  for (const auto &row : rows.rows)
    longest = std::max(longest, displayColumns(row.name));
  for (const auto &row : rows.rows)
    out << "  " << padRight(row.name + ":", longest + 1) << alignRight(commas(row.before), kOptimisationColumns)
        << " -> " << commas(row.after) << " " << row.unit << "\n";
  if (rows.rows.empty())
    out << "  None was applied.\n";
}

} // namespace popscope
