// Measured cycles (popscope import-cycles) as a column next to a table's estimates: the mean of one execution, with the
// source. A profile without measurements has no such column.
#pragma once
#include "report/answers/Rows.hpp"

#include <map>
#include <optional>
#include <pva/Measured.hpp>
#include <set>

namespace popscope {

class MeasuredColumn {
public:
  explicit MeasuredColumn(const pva::Report &report);
  [[nodiscard]] bool empty() const { return means_.empty(); }
  /// Returns the mean of one execution on the slowest tile, from the source that was imported last.
  [[nodiscard]] std::optional<std::uint64_t> ofStep(std::size_t program, std::int64_t computeSet) const;
  /// Returns that source; "" if nothing was measured.
  [[nodiscard]] std::string sourceOfStep(std::size_t program, std::int64_t computeSet) const;
  /// Adds the column, "Measured each", with a note, and a cell of a row. Does nothing if there are no measurements.
  void addTo(Table &table) const;
  void addTo(std::vector<Cell> &row, std::optional<std::uint64_t> measured) const;
  void addNote(Rows &rows) const;

private:
  using Of = pva::MeasuredCycles::Of;
  struct Mean {
    std::string source;
    std::uint64_t samples = 0, sum = 0;
  };
  [[nodiscard]] const Mean *find(Of of, std::size_t id) const;
  [[nodiscard]] const Mean *findStep(std::size_t program, std::int64_t computeSet) const;

  std::map<std::pair<Of, std::size_t>, Mean> means_;
  std::set<std::string> sources_;
};

} // namespace popscope
