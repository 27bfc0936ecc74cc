#include "report/summary/ExecutionView.hpp"

#include "base/ShownText.hpp"
#include "base/Utf8.hpp"
#include "report/summary/Format.hpp"
#include "report/summary/WhyNoRun.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace popscope {
namespace {

void sortRows(std::vector<TypeCyclesRow> &rows) {
  std::sort(rows.begin(), rows.end(), [](const TypeCyclesRow &a, const TypeCyclesRow &b) {
    return a.cycles != b.cycles ? a.cycles > b.cycles : a.name < b.name;
  });
}

/// Collects types, each vertex once. If `all` is true, counts all vertices of a type, and otherwise only the vertices
/// with known cycles.
std::vector<TypeCyclesRow> collectTypes(const pva::List<pva::VertexTypeCycles> &types, bool all) {
  std::map<std::string, TypeCyclesRow> byName;
  for (const pva::VertexTypeCycles &v : types) {
    TypeCyclesRow &row = byName[v.type.name()];
    row.name = shownName(v.type.name());
    row.instances += all ? v.type.instances() : v.instances;
    row.known += v.instances;
    row.cycles += v.cycles;
  }
  std::vector<TypeCyclesRow> rows;
  for (auto &[name, row] : byName)
    rows.push_back(std::move(row));
  sortRows(rows);
  return rows;
}

// Returns, for example, "epoch 3: train": the label of the scope and the run's own name.
std::string nameOf(const pva::Run &run) {
  const std::string label = shownText(run.label()), name = shownText(run.name());
  return label + (label.empty() || name.empty() ? "" : ": ") + name;
}

RunRow collectRun(const pva::Run &run) {
  return {nameOf(run), run.totalCycles(), collectTypes(run.lastVertexTypes(), false), run.complete()};
}

void line(std::ostream &out, const char *label, const std::string &value) {
  constexpr std::size_t kLabelColumns = 47;
  out << "  " << padRight(label, kLabelColumns) << value << "\n";
}

constexpr const char *kNoCompute = "Must enable debug.instrumentCompute, level tile or vertex";
constexpr const char *kNoExternal = "Must enable debug.instrumentExternalExchange";

constexpr const char *kNoVertex = "unknown, because the cycles of some vertices are unknown";

/// Returns why the compute cycles are unknown, or what records them.
const char *computeMissing(const pva::CycleTotals &t) { return t.totalKnown() ? kNoCompute : kNoVertex; }
const char *syncMissing(const pva::CycleTotals &t) { return t.computeKnown() ? kNoExternal : computeMissing(t); }

std::string totalText(const ExecutionRows &rows, const pva::CycleTotals &totals) {
  const std::uint64_t cycles = totals.total();
  return !totals.totalKnown()
             ? kNoVertex
             : commas(cycles) + " (approx " + ratioOneDecimal(cycles, rows.clockHz, 1000000) + " microseconds)";
}

void printTypes(std::ostream &out, const std::vector<TypeCyclesRow> &rows, std::size_t indent, const Style &style) {
  if (rows.empty())
    return;
  out << "\n" << std::string(indent, ' ') << style.part("Cycles by vertex type:") << "\n";
  printTypeCycles(out, rows, indent + 2, 23);
}

// Prints one figure of the "tile average" form: its mean over all tiles, and its share of the total. `total`: the
// length of the run, or no value if it is unknown.
void averageLine(std::ostream &out, const char *label, bool known, const char *missing, std::uint64_t sum,
                 std::optional<std::uint64_t> total, std::uint64_t tiles) {
  constexpr std::size_t kLabelColumns = 54;
  out << "  " << padRight(label, kLabelColumns)
      << (known ? ratioOneDecimal(sum, tiles) + (total ? " (" + percent(sum, *total * tiles) + " of total)" : "")
                : missing)
      << "\n";
}

void printRunAverages(std::ostream &out, const ExecutionRows &rows, const RunRow &run, const Style &style) {
  const pva::CycleTotals &t = run.totals;
  if (!run.complete) {
    out << (run.name.empty() ? "<anonymous>" : run.name) << ": cut short; its totals are not known.\n";
    return printTypes(out, run.byVertexType, 2, style);
  }
  out << (run.name.empty() ? "<anonymous>" : run.name) << ".\n\n";
  out << "  " << padRight("Total cycles:", 54) << totalText(rows, t) << "\n";
  const auto average = [&](const char *label, bool known, const char *missing, std::uint64_t sum) {
    averageLine(out, label, known, missing, sum, t.totalKnown() ? std::optional(t.total()) : std::nullopt, rows.tiles);
  };
  average("Tile average compute cycles (including idle threads):", t.computeKnown(), computeMissing(t), t.compute());
  if (t.computeWithoutIdleKnown())
    average("Tile average compute cycles (excluding idle threads):", true, "", t.computeWithoutIdle());
  average("Tile average IPU exchange cycles:", true, "", t.exchange());
  average("Tile average global exchange cycles:", t.externalExchangeKnown(), kNoExternal, t.globalExchange());
  average("Tile average host exchange cycles:", t.externalExchangeKnown(), kNoExternal, t.hostExchange());
  average("Tile average sync cycles:", t.syncKnown(), syncMissing(t), t.sync());
  if (t.unattributed() != 0)
    average("Tile average instrumentation cycles:", true, "", t.unattributed());
  printTypes(out, run.byVertexType, 2, style);
}

/// Returns "0-2, 7" for 0, 1, 2, 7.
std::string spans(const std::vector<std::uint64_t> &numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1)
      ++last;
    text += (i == 0 ? "" : ", ") + commas(numbers[i]) + (last == i ? "" : "-" + commas(numbers[last]));
    i = last + 1;
  }
  return text;
}

void printRecordedRuns(std::ostream &out, const RecordedRuns &which, bool averages) {
  if (which.areAll())
    return;
  std::string text = commas(which.recorded) + " of " + commas(which.recorded + which.leftOut) +
                     (which.numbers.empty() ? "" : " (" + spans(which.numbers) + ")") +
                     (averages ? "" : "; cycles are sums over these");
  for (const std::string &run : which.cut)
    text += "; " + run + " was cut short and is in no total";
  line(out, "Runs recorded:", text);
  if (averages)
    out << "\n";
}

void printAverages(std::ostream &out, const ExecutionRows &rows, const Style &style) {
  printRecordedRuns(out, rows.which, true);
  out << style.part("Programs executed:") << "\n";
  for (const RunRow &run : rows.runs) {
    out << "\n";
    printRunAverages(out, rows, run, style);
  }
}

} // namespace

std::string runTitle(const pva::Run &run) {
  const std::string name = nameOf(run);
  return "run" + (run.numberKnown() ? " " + commas(run.number()) : std::string()) + (name.empty() ? "" : ": " + name);
}

RecordedRuns collectRecordedRuns(const pva::Report &report) {
  RecordedRuns which;
  bool known = true;
  for (const auto &run : report.execution().runs()) {
    ++which.recorded;
    known = known && run.numberKnown();
    which.numbers.push_back(run.number());
    if (!run.complete())
      which.cut.push_back(runTitle(run));
  }
  if (!known)
    which.numbers.clear();
  for (const auto &span : report.execution().pausedSpans())
    which.leftOut += span.runs;
  return which;
}

ExecutionRows collectExecution(const pva::Report &report, bool averages) {
  ExecutionRows rows;
  rows.totals = report.execution().totalCycles();
  rows.recorded = !report.execution().runs().empty();
  if (!rows.recorded) {
    rows.whyNoRun = whyNoRun(report);
    return rows;
  }
  rows.clockHz = static_cast<std::uint64_t>(std::llround(report.compilation().target().clockFrequency()));
  rows.tiles = report.compilation().target().tilesPerReplica(); // totals are those of one replica
  rows.byVertexType = collectTypes(report.execution().lastVertexTypes(), true);
  rows.replicas = report.compilation().target().numReplicas();
  rows.averages = averages;
  rows.which = collectRecordedRuns(report);
  for (const auto &run : report.execution().runs())
    if (averages)
      rows.runs.push_back(collectRun(run));
  return rows;
}

void printTypeCycles(std::ostream &out, const std::vector<TypeCyclesRow> &rows, std::size_t indent,
                     std::size_t instanceColumns) {
  constexpr std::size_t kCycleColumns = 13;
  std::size_t longest = 0;
  for (const auto &row : rows)
    longest = std::max(longest, displayColumns(row.name));
  for (const auto &row : rows)
    out << std::string(indent, ' ') << padRight(row.name, longest)
        << alignRight("(" + std::to_string(row.instances) + " instances)", instanceColumns) << ":"
        << alignRight(commas(row.cycles), kCycleColumns)
        << (row.known < row.instances ? " (of " + commas(row.known) + ", the others are not known)" : "") << "\n";
}

void printText(std::ostream &out, const ExecutionRows &rows, const Style &style) {
  out << style.heading("Execution:") << "\n\n";
  if (!rows.recorded) {
    out << "  No execution was recorded. " << rows.whyNoRun << "\n";
    return;
  }
  if (rows.averages)
    return printAverages(out, rows, style);
  const pva::CycleTotals &t = rows.totals;
  const std::uint64_t tileCycles = t.total() * rows.tiles;
  if (rows.replicas > 1)
    out << "  Of replica 0; another replica takes the same time if its control flow is the same.\n\n";
  printRecordedRuns(out, rows.which, false);
  if (!t.known()) {
    line(out, "Total cycles:", "unknown, because no recorded run ended");
    return printTypes(out, rows.byVertexType, 2, style);
  }
  line(out, "Total cycles:", totalText(rows, t));
  line(out,
       "Total compute cycles (including idle threads):", t.computeKnown() ? commas(t.compute()) : computeMissing(t));
  if (t.computeWithoutIdleKnown())
    line(out, "Total compute cycles (excluding idle threads):", commas(t.computeWithoutIdle()));
  line(out, "Total IPU exchange cycles:", commas(t.exchange()));
  line(out, "Total global exchange cycles:", t.externalExchangeKnown() ? commas(t.globalExchange()) : kNoExternal);
  line(out, "Total host exchange cycles:", t.externalExchangeKnown() ? commas(t.hostExchange()) : kNoExternal);
  line(out, "Total shared structure copy cycles:", commas(t.sharedStructureCopy()));
  line(out, "Total sync cycles:", t.syncKnown() ? commas(t.sync()) : syncMissing(t));
  if (t.unattributed() != 0)
    line(out, "Total instrumentation cycles:", commas(t.unattributed()));
  if (t.computeKnown())
    line(out, "Total tile balance:", percent(t.compute(), tileCycles));
  if (t.computeWithoutIdleKnown())
    line(out, "Total thread balance:", percent(t.computeWithoutIdle(), t.compute()));
  printTypes(out, rows.byVertexType, 2, style);
}

} // namespace popscope
