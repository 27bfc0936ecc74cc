#include "report/summary/MemoryView.hpp"

#include "base/StorageCategory.hpp"
#include "report/summary/Format.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace popscope {
namespace {

using C = StorageCategory;

/// The rows in the order of the report; rows without bytes are left out. Multiple is missing, because no allocation has
/// this category, so it has no part in the sum.
constexpr C kDataTypes[] = {
    C::Variable,
    C::Constant,
    C::Message,
    C::Rearrangement,
    C::OutputEdge,
    C::ControlId,
    C::HostMessage,
    C::GlobalMessage,
    C::HostExchangePacketHeader,
    C::GlobalExchangePacketHeader,
    C::Stack,
    C::VertexInstanceState,
    C::CopyDescriptor,
    C::VectorListDescriptor,
    C::VertexFieldData,
    C::ControlTable,
    C::ControlCode,
    C::VertexCode,
    C::InternalExchangeCode,
    C::HostExchangeCode,
    C::GlobalExchangeCode,
    C::InstrumentationResults,
    C::SharedCodeStorage,
    C::SharedDataStorage,
};

constexpr bool eachIsPrintedOnce() {
  for (const StorageCategoryRow &row : kStorageCategories)
    if (std::count(std::begin(kDataTypes), std::end(kDataTypes), row.category) != (row.category == C::Multiple ? 0 : 1))
      return false;
  return true;
}
static_assert(eachIsPrintedOnce(), "a storage category without its line in the summary");

using CategorySums = std::array<std::array<std::uint64_t, 2>, kNumStorageCategories>; // by index in table 10.1

void addCategories(const pva::Categories &categories, CategorySums &sums) {
  for (std::size_t c = 0; c < kNumStorageCategories; ++c) {
    const pva::Category category = categories.byIndex(c);
    for (const pva::CategoryRegion &r : {category.nonInterleaved(), category.interleaved(), category.overflowed()}) {
      sums[c][0] += r.nonOverlapped();
      sums[c][1] += r.overlapped();
    }
  }
}

std::string labelOf(C category) { return std::string(storageCategoryRow(category).label) + ":"; }

void fillDataTypes(const CategorySums &sums, MemoryRows &rows) {
  const auto sumsOf = [&](C category) { return sums.at(static_cast<std::size_t>(category)); };
  rows.multiple = sumsOf(C::Multiple)[1];
  for (const C category : kDataTypes)
    for (std::size_t o = 0; o < 2; ++o) {
      if (sumsOf(category)[o] != 0)
        rows.byDataType[o].push_back({labelOf(category), sumsOf(category)[o]});
      rows.dataTypeTotals[o] += sumsOf(category)[o];
    }
}

// Prints a row whose number ends at column `end`, as in the report; a number that is too wide moves to the right.
void printBytes(std::ostream &out, std::size_t indent, const std::string &label, std::uint64_t bytes, std::size_t end) {
  const std::size_t used = indent + label.size();
  out << std::string(indent, ' ') << label << alignRight(commas(bytes), end > used ? end - used : 0) << " B\n";
}
constexpr std::size_t kTotalsEnd = 38, kDataTypesEnd = 59;

void printDataTypes(std::ostream &out, const MemoryRows &rows) {
  constexpr const char *kTitles[] = {"Not Overlapped", "Overlapped"};
  out << "      By Data Type:\n";
  for (std::size_t o = 0; o < 2; ++o) {
    out << "        " << kTitles[o] << "\n";
    for (const auto &row : rows.byDataType[o])
      printBytes(out, 12, row.name, row.bytes, kDataTypesEnd);
    printBytes(out, 10, "Total:", rows.dataTypeTotals[o], kDataTypesEnd);
  }
  printBytes(out, 10, "Total After Overlapping:", rows.afterOverlapping, kDataTypesEnd);
  if (rows.multiple != 0)
    printBytes(out, 10, labelOf(C::Multiple), rows.multiple, kDataTypesEnd);
}

} // namespace

MemoryRows collectMemory(const pva::Report &report, std::size_t first, std::size_t end) {
  MemoryRows rows;
  CategorySums sums{};
  const auto tiles = report.compilation().tiles();
  for (std::size_t t = first; t < end; ++t) {
    const pva::TileMemory memory = tiles[t].memory();
    rows.includingGaps += memory.total().includingGaps();
    rows.excludingGaps += memory.total().excludingGaps();
    rows.regions[0] += memory.nonInterleaved().excludingGaps();
    rows.regions[1] += memory.interleaved().excludingGaps();
    rows.regions[2] += memory.overflowed().excludingGaps();
    rows.afterOverlapping += memory.afterOverlappingBytes();
    addCategories(memory.category(), sums);
  }
  fillDataTypes(sums, rows);
  rows.vertexData = collectVertexData(report, first, end);
  rows.codeIncluded = report.popscope().codeIncluded();
  return rows;
}

void printText(std::ostream &out, const MemoryRows &rows, const Style &style) {
  out << style.heading("Memory Usage:") << "\n";
  if (!rows.codeIncluded)
    out << "  Code is not included: set IPUModel::compileIPUCode to compile it for the IPU.\n";
  out << "  Total:\n";
  printBytes(out, 4, "Including Gaps:", rows.includingGaps, kTotalsEnd);
  out << "    Excluding Gaps:\n      By Memory Region:\n";
  printBytes(out, 8, "Non-interleaved:", rows.regions[0], kTotalsEnd);
  printBytes(out, 8, "Interleaved:", rows.regions[1], kTotalsEnd);
  printBytes(out, 8, "Overflowed:", rows.regions[2], kTotalsEnd);
  printBytes(out, 6, "Total:", rows.excludingGaps, kTotalsEnd);
  printDataTypes(out, rows);
  printText(out, rows.vertexData);
}

} // namespace popscope
