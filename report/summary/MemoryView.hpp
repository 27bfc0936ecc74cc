// Memory usage and vertex data of a range of tiles, and the histogram of memory usage over all tiles.
//
//   Memory Usage:
//     Total:
//       Including Gaps:         67,725,024 B
//       Excluding Gaps:
//         By Memory Region:
//           Non-interleaved:     6,522,641 B
//   ...
//     By Tile (Excluding Gaps):
//       Range (KB) Histogram (Excluding Gaps)               Count (tiles)
//           3 -  4 ****************************************    824
//
// A "By Type" row contains the bytes of all vertices of a type in the five categories of vertex data, plus the code of
// the type once per tile. So the rows can add up to more than the total in the heading "Vertex Data". This total does
// not include code.
#pragma once
#include "report/summary/Style.hpp"

#include <array>
#include <ostream>
#include <pva/pva.hpp>
#include <vector>

namespace popscope {

struct NamedBytes {
  std::string name;
  std::uint64_t bytes = 0;
};

struct VertexDataRows {
  std::uint64_t total = 0;
  std::array<std::uint64_t, 5> byCategory{}; // internal state, edge pointers, copy pointers, padding, descriptors
  std::vector<NamedBytes> byType;            // most bytes first
};
struct MemoryRows {
  std::uint64_t includingGaps = 0;
  std::array<std::uint64_t, 3> regions{}; // non-interleaved, interleaved, overflowed
  std::uint64_t excludingGaps = 0;
  /// Element 0 is for data that is not overlapped, element 1 for overlapped data. Each row has its printed label. Rows
  /// of 0 bytes are left out.
  std::array<std::vector<NamedBytes>, 2> byDataType;
  std::array<std::uint64_t, 2> dataTypeTotals{};
  /// `afterOverlapping` is the number of addresses of overlapped data. `multiple` is the number of addresses that serve
  /// several categories at different times.
  std::uint64_t afterOverlapping = 0, multiple = 0;
  VertexDataRows vertexData;
  bool codeIncluded = true;
};
struct HistogramRows {
  struct Bin {
    std::uint64_t fromKilobytes = 0, toKilobytes = 0, tiles = 0;
  };
  std::vector<Bin> bins;
  std::uint64_t maxIncluding = 0, maxIncludingTile = 0, maxExcluding = 0, maxExcludingTile = 0, outOfMemory = 0;
};
struct OutOfMemoryRows {
  struct OneTile {
    std::uint32_t tile = 0;
    MemoryRows memory;
  };
  std::vector<OneTile> tiles; // at most five, fullest first
};

/// Collects the memory of the tiles [first, end) of the report.
[[nodiscard]] MemoryRows collectMemory(const pva::Report &report, std::size_t first, std::size_t end);
[[nodiscard]] VertexDataRows collectVertexData(const pva::Report &report, std::size_t first, std::size_t end);
[[nodiscard]] HistogramRows collectHistogram(const pva::Report &report);
[[nodiscard]] OutOfMemoryRows collectOutOfMemory(const pva::Report &report);
/// Returns the number of stars in a histogram row: 40 for the largest count, at least 1 for any count above 0, and 0
/// for the count 0.
[[nodiscard]] std::uint64_t histogramBar(std::uint64_t count, std::uint64_t largest);

void printText(std::ostream &out, const MemoryRows &rows, const Style &style);
void printText(std::ostream &out, const VertexDataRows &rows);
void printText(std::ostream &out, const HistogramRows &rows, const Style &style);
void printText(std::ostream &out, const OutOfMemoryRows &rows, const Style &style);

} // namespace popscope
