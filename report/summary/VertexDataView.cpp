#include "base/ShownText.hpp"
#include "base/Utf8.hpp"
#include "report/summary/Format.hpp"
#include "report/summary/MemoryView.hpp"

#include <algorithm>
#include <map>

namespace popscope {
namespace {

constexpr std::size_t kVertexColumns = 15; // columns from the end of the longest name

} // namespace

VertexDataRows collectVertexData(const pva::Report &report, std::size_t first, std::size_t end) {
  VertexDataRows rows;
  std::map<std::size_t, std::uint64_t> bytesOfType;
  const auto tiles = report.compilation().tiles();
  for (std::size_t t = first; t < end; ++t) {
    for (const pva::VertexOnTile &v : tiles[t].memory().vertices()) {
      const std::array<std::uint64_t, 5> parts = {v.vertexDataBytes(), v.edgePtrBytes(), v.copyPtrBytes(),
                                                  v.paddingBytes(), v.descriptorBytes()};
      std::uint64_t data = 0;
      for (std::size_t i = 0; i < parts.size(); ++i) {
        rows.byCategory[i] += parts[i];
        data += parts[i];
      }
      rows.total += data;
      bytesOfType[v.type()._id()] += data + v.codeBytes();
    }
  }
  const auto types = report.compilation().vertexTypes();
  const bool whole = first == 0 && end == report.compilation().target().tilesPerReplica();
  for (std::size_t id = 0; id < types.size(); ++id) {
    // The compiler records the sum over all tiles; for a part of the tiles, the sum is computed from the rows per tile.
    const std::uint64_t bytes = whole ? types[id].memoryBytes() : bytesOfType[id];
    if (bytes != 0)
      rows.byType.push_back({shownName(types[id].name()), bytes});
  }
  std::sort(rows.byType.begin(), rows.byType.end(), [](const NamedBytes &a, const NamedBytes &b) {
    return a.bytes != b.bytes ? a.bytes > b.bytes : a.name < b.name;
  });
  return rows;
}

void printText(std::ostream &out, const VertexDataRows &rows) {
  constexpr const char *kLabels[] = {
      "Internal vertex state:", "Edge pointers:", "Copy pointers:", "Padding:", "Descriptors:"};
  constexpr std::size_t kLabelColumns = 22; // columns of the longest label
  out << "      Vertex Data (" << commas(rows.total) << "B):\n        By Category:\n";
  for (std::size_t i = 0; i < rows.byCategory.size(); ++i)
    out << "          " << padRight(kLabels[i], kLabelColumns) << alignRight(commas(rows.byCategory[i]), kVertexColumns)
        << " B\n";
  out << "        By Type:\n";
  std::size_t longest = 0;
  for (const auto &row : rows.byType)
    longest = std::max(longest, displayColumns(row.name));
  for (const auto &row : rows.byType)
    out << "          " << padRight(row.name, longest) << alignRight(commas(row.bytes), kVertexColumns) << " B\n";
}

} // namespace popscope
