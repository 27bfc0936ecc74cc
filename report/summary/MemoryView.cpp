#include "report/summary/MemoryView.hpp"

#include "report/summary/Format.hpp"

#include <algorithm>

namespace popscope {
namespace {

struct DataTypeRow {
  const char *category, *label;
};
/// The order of the report; rows without bytes are left out.
constexpr DataTypeRow kDataTypes[] = {
    {"variable", "Variables:"},
    {"constant", "Constants:"},
    {"message", "Internal Exchange Message Buffers:"},
    {"rearrangement", "Data Rearrangement Buffers:"},
    {"outputEdge", "Output Edge Buffers:"},
    {"controlId", "Control IDs:"},
    {"hostMessage", "Host Exchange Message Buffers:"},
    {"globalMessage", "Global Exchange Message Buffers:"},
    {"hostExchangePacketHeader", "Host Exchange Packet Headers:"},
    {"globalExchangePacketHeader", "Global Exchange Packet Headers:"},
    {"stack", "Stack:"},
    {"vertexInstanceState", "Vertex Instances:"},
    {"copyDescriptor", "Copy Descriptors:"},
    {"vectorListDescriptor", "VectorList Descriptors:"},
    {"vertexFieldData", "Vertex Field Data:"},
    {"controlTable", "Control Table:"},
    {"controlCode", "Control Code:"},
    {"vertexCode", "Vertex Code:"},
    {"internalExchangeCode", "Internal Exchange Code:"},
    {"hostExchangeCode", "Host Exchange Code:"},
    {"globalExchangeCode", "Global Exchange Code:"},
    {"instrumentationResults", "Instrumentation Results:"},
    {"sharedCodeStorage", "Shared Code Storage:"},
    {"sharedDataStorage", "Shared Data Storage:"},
};
constexpr std::size_t kNumCategories =
    std::size(kDataTypes) + 1; // and "multiple": no allocation has it, so it is no row of a sum

using CategorySums = std::array<std::array<std::uint64_t, 2>, kNumCategories>; // by table 10.1 index

void addCategories(const pva::Categories &categories, CategorySums &sums) {
  for (std::size_t c = 0; c < kNumCategories; ++c) {
    const pva::Category category = categories.byIndex(c);
    for (const pva::CategoryRegion &r : {category.nonInterleaved(), category.interleaved(), category.overflowed()}) {
      sums[c][0] += r.nonOverlapped();
      sums[c][1] += r.overlapped();
    }
  }
}

void fillDataTypes(const CategorySums &sums, MemoryRows &rows) {
  const auto names = pva::storageCategoryNames();
  const auto indexOf = [&](const char *category) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), category) - names.begin());
  };
  rows.multiple = sums.at(indexOf("multiple"))[1];
  for (const DataTypeRow &type : kDataTypes) {
    const std::size_t index = indexOf(type.category);
    for (std::size_t o = 0; o < 2; ++o) {
      if (sums.at(index)[o] != 0)
        rows.byDataType[o].push_back({type.label, sums[index][o]});
      rows.dataTypeTotals[o] += sums[index][o];
    }
  }
}

// Columns: the number ends where the report has it; one too wide moves to the right.
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
    printBytes(out, 10, "Of Several Categories:", rows.multiple, kDataTypesEnd);
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
