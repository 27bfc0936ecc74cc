#include "report/summary/ExecutionView.hpp"

#include "report/summary/Format.hpp"

#include <algorithm>
#include <cmath>

namespace popscope {
namespace {

std::vector<TypeCyclesRow> collectTypes(const pva::Report &report) {
  std::vector<TypeCyclesRow> rows;
  for (const pva::VertexTypeCycles &v : report.execution().vertexTypes())
    if (v.known)
      rows.push_back({v.type.name(), v.type.instances(), v.cycles});
  std::sort(rows.begin(), rows.end(), [](const TypeCyclesRow &a, const TypeCyclesRow &b) {
    return a.cycles != b.cycles ? a.cycles > b.cycles : a.name < b.name;
  });
  return rows;
}

void line(std::ostream &out, const char *label, const std::string &value) {
  constexpr std::size_t kLabelColumns = 47;
  out << "  " << padRight(label, kLabelColumns) << value << "\n";
}

} // namespace

ExecutionRows collectExecution(const pva::Report &report) {
  ExecutionRows rows;
  rows.totals = report.execution().totalCycles();
  rows.recorded = !report.execution().runs().empty();
  rows.needsInstrumentation = report.compilation().target().type() == pva::Target::Type::Ipu;
  if (!rows.recorded)
    return rows;
  rows.clockHz = static_cast<std::uint64_t>(std::llround(report.compilation().target().clockFrequency()));
  rows.tiles = report.compilation().target().numTiles();
  rows.byVertexType = collectTypes(report);
  return rows;
}

void printTypeCycles(std::ostream &out, const std::vector<TypeCyclesRow> &rows, std::size_t indent,
                     std::size_t instanceColumns) {
  constexpr std::size_t kCycleColumns = 13;
  std::size_t longest = 0;
  for (const auto &row : rows)
    longest = std::max(longest, row.name.size());
  for (const auto &row : rows)
    out << std::string(indent, ' ') << padRight(row.name, longest)
        << alignRight("(" + std::to_string(row.instances) + " instances)", instanceColumns) << ":"
        << alignRight(commas(row.cycles), kCycleColumns) << "\n";
}

void printText(std::ostream &out, const ExecutionRows &rows, const Style &style) {
  out << style.heading("Execution:") << "\n\n";
  if (!rows.recorded) {
    out << "  No execution was recorded: "
        << (rows.needsInstrumentation ? "set the engine option debug.instrument to \"true\", " : "")
        << "run the program, and ask again.\n";
    return;
  }
  const pva::CycleTotals &t = rows.totals;
  const std::uint64_t tileCycles = t.total() * rows.tiles;
  line(out, "Total cycles:", commas(t.total()) + " (approx " + ratioOneDecimal(t.total(), rows.clockHz, 1000000) +
                                 " microseconds)");
  line(out, "Total compute cycles (including idle threads):", commas(t.compute()));
  if (t.computeWithoutIdleKnown())
    line(out, "Total compute cycles (excluding idle threads):", commas(t.computeWithoutIdle()));
  line(out, "Total IPU exchange cycles:", commas(t.exchange()));
  line(out, "Total global exchange cycles:", commas(t.globalExchange()));
  line(out, "Total host exchange cycles:", commas(t.hostExchange()));
  line(out, "Total shared structure copy cycles:", commas(t.sharedStructureCopy()));
  line(out, "Total sync cycles:", commas(t.sync()));
  line(out, "Total tile balance:", percent(t.compute(), tileCycles));
  if (t.computeWithoutIdleKnown())
    line(out, "Total thread balance:", percent(t.computeWithoutIdle(), t.compute()));
  if (rows.byVertexType.empty())
    return;
  out << "\n  " << style.part("Cycles by vertex type:") << "\n";
  printTypeCycles(out, rows.byVertexType, 4, 23);
}

} // namespace popscope
