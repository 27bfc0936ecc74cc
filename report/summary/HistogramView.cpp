#include "report/summary/Format.hpp"
#include "report/summary/MemoryView.hpp"

#include <algorithm>

namespace popscope {
namespace {

constexpr std::uint64_t kMaxBins = 102, kFullBar = 40;
constexpr std::size_t kRangeColumns = 14; // "Range (KB)" ends here

/// Returns the width of a bin: 1, 8, 64 ... KB, the smallest that needs at most kMaxBins bins. The published reports
/// have bins of 1 KB (3 to 20 KB) and of 8 KB (0 to 816 KB, on a tile out of memory). The second of these reports has
/// 102 rows, which is the maximum here.
std::uint64_t binKilobytes(std::uint64_t smallest, std::uint64_t largest) {
  std::uint64_t width = 1;
  while (largest / (width * 1024) - smallest / (width * 1024) >= kMaxBins)
    width *= 8;
  return width;
}

void fillBins(const std::vector<std::uint64_t> &bytes, HistogramRows &rows) {
  const auto range = std::minmax_element(bytes.begin(), bytes.end());
  const std::uint64_t width = binKilobytes(*range.first, *range.second), first = *range.first / (width * 1024);
  rows.bins.resize(*range.second / (width * 1024) - first + 1);
  for (std::size_t i = 0; i < rows.bins.size(); ++i)
    rows.bins[i] = {(first + i) * width, (first + i + 1) * width, 0};
  for (const auto b : bytes)
    ++rows.bins[b / (width * 1024) - first].tiles;
}

std::string padLeft(const std::string &text, std::size_t width) {
  return std::string(text.size() < width ? width - text.size() : 0, ' ') + text;
}

/// Returns a range that ends at a fixed column, as in the published reports with bounds of one and of three digits. In
/// the specification's sample, bounds have up to two digits, and a range whose lower bound has two digits begins one
/// column further left.
std::string rangeText(const HistogramRows::Bin &bin, std::size_t digits) {
  const std::string from = std::to_string(bin.fromKilobytes);
  const std::string range = padLeft(from, digits) + " - " + padLeft(std::to_string(bin.toKilobytes), digits);
  return padLeft(range, kRangeColumns - (digits == 2 && from.size() == 2 ? 1 : 0));
}

} // namespace

std::uint64_t histogramBar(std::uint64_t count, std::uint64_t largest) {
  return count == 0 ? 0 : 1 + (kFullBar - 1) * count / largest;
}

HistogramRows collectHistogram(const pva::Report &report) {
  HistogramRows rows;
  const std::size_t count = report.compilation().target().tilesPerReplica();
  const auto tiles = report.compilation().tiles();
  std::vector<std::uint64_t> bytes;
  for (std::size_t t = 0; t < count; ++t) {
    const pva::MemorySize size = tiles[t].memory().total();
    bytes.push_back(size.excludingGaps());
    if (size.includingGaps() > rows.maxIncluding) {
      rows.maxIncluding = size.includingGaps();
      rows.maxIncludingTile = t;
    }
    if (size.excludingGaps() > rows.maxExcluding) {
      rows.maxExcluding = size.excludingGaps();
      rows.maxExcludingTile = t;
    }
  }
  if (!bytes.empty())
    fillBins(bytes, rows);
  rows.outOfMemory = report.popscope().tilesOutOfMemory().size();
  return rows;
}

void printText(std::ostream &out, const HistogramRows &rows, const Style &style) {
  out << "  " << style.part("By Tile (Excluding Gaps):") << "\n"
      << "    Range (KB) Histogram (Excluding Gaps)               Count (tiles)\n";
  const std::size_t digits = rows.bins.empty() ? 1 : std::to_string(rows.bins.back().toKilobytes).size();
  std::uint64_t largest = 0;
  for (const auto &bin : rows.bins)
    largest = std::max(largest, bin.tiles);
  for (const auto &bin : rows.bins) {
    const std::string bar(histogramBar(bin.tiles, largest), '*');
    out << rangeText(bin, digits) << " " << padRight(bar, kFullBar) << alignRight(commas(bin.tiles), 7) << "\n";
  }
  out << "\n    Maximum (Including Gaps): " << commas(rows.maxIncluding) << " ("
      << ratioOneDecimal(rows.maxIncluding, 1024) << " K) on tile " << rows.maxIncludingTile << "\n"
      << "    Maximum (Excluding Gaps): " << commas(rows.maxExcluding) << " ("
      << ratioOneDecimal(rows.maxExcluding, 1024) << " K) on tile " << rows.maxExcludingTile << "\n";
  const std::string line = commas(rows.outOfMemory) + " tile(s) out of memory";
  out << "    " << (rows.outOfMemory == 0 ? line : style.alarm(line)) << "\n";
}

} // namespace popscope
