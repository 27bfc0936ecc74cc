#include "report/summary/TargetView.hpp"

#include "report/summary/Format.hpp"

#include <cmath>

namespace popscope {

TargetRows collectTarget(const pva::Report &report) {
  const pva::Target t = report.compilation().target();
  const auto hertz = static_cast<std::uint64_t>(std::llround(t.clockFrequency()));
  return {{{"Number of IPUs:", commas(t.numIPUs())},
           {"Tiles per IPU:", commas(t.tilesPerIpu())},
           {"Total Tiles:", commas(t.numTiles())},
           {"Memory Per-Tile:", summarySize(t.bytesPerTile())},
           {"Total Memory:", summarySize(t.totalMemory())},
           {"Clock Speed (approx):", ratioOneDecimal(hertz, 1000000) + " MHz"},
           {"Number of Replicas:", commas(t.numReplicas())},
           {"IPUs per Replica:", commas(t.ipusPerReplica())},
           {"Tiles per Replica:", commas(t.tilesPerReplica())},
           {"Memory per Replica:", summarySize(t.memoryPerReplica())}}};
}

GraphRows collectGraph(const pva::Report &report) {
  const pva::Graph g = report.compilation().graph();
  return {{{"Number of vertices:", g.numVertices()},
           {"Number of edges:", g.numEdges()},
           {"Number of variables:", g.numVars()},
           {"Number of compute sets:", g.numComputeSets()}}};
}

void printText(std::ostream &out, const TargetRows &rows, const Style &style) {
  out << style.heading("Target:") << "\n";
  for (const auto &row : rows.rows)
    out << "  " << padRight(row.first, 24) << row.second << "\n";
}

void printText(std::ostream &out, const GraphRows &rows, const Style &style) {
  out << style.heading("Graph:") << "\n";
  for (const auto &row : rows.rows)
    out << "  " << row.first << alignRight(commas(row.second), 36 - row.first.size()) << "\n";
}

} // namespace popscope
