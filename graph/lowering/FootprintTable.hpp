// FootprintTable: numbers the footprints of vertices. Equal footprints get the same number.
#pragma once
#include "base/HashIndex.hpp"
#include "graph/steps/ExecuteTables.hpp"

#include <cstdint>
#include <vector>

namespace popscope {

class FootprintTable {
public:
  /// Creates a table that adds rows to `rows` (StepProgram::footprints), which must outlive the table.
  explicit FootprintTable(std::vector<VertexFootprint> &rows);
  /// Returns the footprint's row. Adds a row if no row is equal.
  std::uint32_t numberOf(const VertexFootprint &footprint);

private:
  std::vector<VertexFootprint> &rows_;
  HashIndex index_;
};

} // namespace popscope
