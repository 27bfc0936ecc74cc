#include "report/summary/Format.hpp"
#include "report/summary/MemoryView.hpp"

#include <algorithm>

namespace popscope {
namespace {

constexpr std::uint64_t kMaxBins = 128, kFullBar = 40;

/// Width of a bin: the smallest power of two kilobytes that needs no more than kMaxBins bins.
std::uint64_t binKilobytes(std::uint64_t smallest, std::uint64_t largest) {
  std::uint64_t width = 1;
  while (largest / (width * 1024) - smallest / (width * 1024) >= kMaxBins)
    width *= 2;
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

/// The report starts rows whose lower bound has all digits one column further left than a right-aligned number would.
std::string rangeText(const HistogramRows::Bin &bin, std::size_t digits) {
  const std::string from = std::to_string(bin.fromKilobytes);
  const std::string start = from.size() >= digits ? "      " + from : alignRight(from, digits + 7);
  const std::string to = std::to_string(bin.toKilobytes);
  return start + " - " + std::string(digits - to.size(), ' ') + to;
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
