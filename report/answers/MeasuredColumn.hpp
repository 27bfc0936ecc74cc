// A column of measured cycles (popscope import-cycles) next to a table's estimates. A cell is the mean of the measured
// cycles of one execution. If the profile has no measurement of a slowest tile, tables do not have this column.
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
  /// Returns the mean measured cycles of one execution on the slowest tile, from the source that was imported last. If
  /// the step has no measurements, returns the mean of its compute set.
  [[nodiscard]] std::optional<std::uint64_t> ofStep(std::size_t program, std::int64_t computeSet) const;
  /// Returns the source of ofStep's mean, or "" if ofStep returns no value.
  [[nodiscard]] std::string sourceOfStep(std::size_t program, std::int64_t computeSet) const;
  /// These functions add the column "Measured each" to a table, or its cell to a row. If empty() returns true, the
  /// functions do nothing.
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
