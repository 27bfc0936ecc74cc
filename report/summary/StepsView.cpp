#include "report/summary/StepsView.hpp"

#include "base/ShownText.hpp"
#include "report/summary/Format.hpp"

#include <algorithm>

namespace popscope {
namespace {

using Type = pva::Program::Type;

/// Adds up one step over all IPUs.
void addTimes(const pva::List<pva::ExecutionStepIpu> &ipus, StepRow &row) {
  std::uint64_t activeFrom = 0, activeTo = 0, longest = 0;
  bool active = false, cyclesKnown = false, timeKnown = false;
  for (const pva::ExecutionStepIpu &ipu : ipus) {
    row.from = std::max(row.from, ipu.allCycles().from().max());
    row.tiles += ipu.tiles();
    row.activeTiles += ipu.activeTiles();
    row.busyCycles += ipu.busyCycles();
    row.dataBothWays += ipu.dataIn() + ipu.dataOut();
    row.maxTileData = std::max(row.maxTileData, ipu.maxTileData());
    // At level "device", the first IPU has the cycles of the device, also of a step that runs on other IPUs only.
    const bool ofDevice = ipu.cyclesKnown() && ipu.cycles() != 0;
    if (ipu.activeTiles() == 0 && !ofDevice)
      continue;
    row.busyKnown = row.busyKnown && ipu.busyCyclesKnown();
    cyclesKnown = cyclesKnown || ipu.cyclesKnown();
    timeKnown = timeKnown || ipu.timeKnown();
    longest = std::max(longest, ipu.cycles());
    if (!ipu.timeKnown())
      continue;
    const std::uint64_t from = ipu.activeCycles().from().min();
    activeFrom = active ? std::min(activeFrom, from) : from;
    activeTo = std::max(activeTo, ipu.activeCycles().to().max());
    active = true;
  }
  row.cyclesKnown = row.activeTiles == 0 || cyclesKnown;
  row.timeKnown = row.activeTiles == 0 || timeKnown;
  if (!row.timeKnown) {
    row.cycles = longest;
    return;
  }
  if (!row.busyKnown) // only the longest tile is known: its entry is the only known start
    row.from = std::max(row.from, activeFrom);
  row.to = std::max(row.from, activeTo);
  row.cycles = active && activeTo > activeFrom ? activeTo - activeFrom : 0;
  // The overlap is at most the length of the step. It reaches this length if all active tiles leave before the last
  // other tile enters.
  row.overlapped = active && row.from > activeFrom ? std::min(row.from, activeTo) - activeFrom : 0;
}

StepRow collectStep(const pva::ExecutionStep &step) {
  StepRow row;
  const auto program = step.program();
  row.type = program->type();
  row.name = shownText(program->name());
  addTimes(step.ipus(), row);
  row.threadCyclesKnown = step.threadCyclesKnown();
  row.threadCycles = step.threadCycles();
  for (const pva::VertexTypeCycles &v : step.vertexTypes())
    if (v.known)
      row.byVertexType.push_back({shownName(v.type.name()), v.instances, v.instances, v.cycles});
  return row;
}

void labelled(std::ostream &out, const char *label, const std::string &value) {
  constexpr std::size_t kLabelColumns = 36;
  out << "    " << padRight(label, kLabelColumns) << value << "\n";
}

bool printSync(std::ostream &out, const StepRow &row) {
  constexpr const char *kInternal = "  --- Internal Sync ---\n";
  if (row.type == Type::StreamCopyBegin)
    out << "  --- External Sync ---\n";
  else if (row.type == Type::StreamCopyEnd)
    out << kInternal << kInternal;
  else if (row.type == Type::Sync)
    out << "  --- " << (row.name.empty() ? "Internal" : row.name) << " Sync ---\n";
  else if (row.type == Type::SyncAns || row.type == Type::Sans)
    out << "  --- " << pva::programTypeName(row.type) << " ---\n";
  else
    return false;
  return true;
}

// Prints one step: its title with the range, cycles, active tiles, balance and data, as far as they are known.
void printStep(std::ostream &out, const StepRow &row, const Style &style) {
  if (printSync(out, row))
    return;
  const bool isCopy = row.type == Type::StreamCopyMid, isCompute = row.type == Type::OnTileExecute;
  const bool isExchange = row.type == Type::DoExchange || row.type == Type::GlobalExchange || isCopy;
  const std::string title = (isCopy ? "StreamCopy" : pva::programTypeName(row.type)) +
                            (row.timeKnown ? " (cycles " + commas(row.from) + " - " + commas(row.to) + ")" : "") +
                            (isCopy || row.name.empty() ? "" : ": " + row.name);
  out << "  " << style.part(title) << "\n";
  const bool overlaps = isCompute || row.type == Type::DoExchange;
  if (row.cyclesKnown)
    labelled(out, "Cycles:",
             commas(row.cycles) + (overlaps && row.timeKnown && row.busyKnown
                                       ? " (" + commas(row.overlapped) + " overlapped with previous)"
                                       : ""));
  labelled(out, "Active Tiles:", commas(row.activeTiles) + " / " + commas(row.tiles));
  if (isCompute && row.threadCyclesKnown)
    labelled(out, "Thread Balance:", percent(row.threadCycles, row.busyCycles));
  if (row.busyKnown) {
    labelled(out, "Tile Balance:", percent(row.busyCycles, row.tiles * row.cycles));
    labelled(out, "Active Tile Balance:", percent(row.busyCycles, row.activeTiles * row.cycles));
  }
  if (isExchange) {
    labelled(out, "Total Data:", commas(row.dataBothWays / 2));
    out << "    Data Balance (mean / max data per tile): " << percent(row.dataBothWays, row.tiles * row.maxTileData)
        << "\n";
  }
  if (!row.byVertexType.empty()) {
    out << "    By vertex type:\n";
    printTypeCycles(out, row.byVertexType, 6, 23);
  }
}

} // namespace

StepRows collectSteps(const pva::Report &report) {
  StepRows rows;
  const bool mark = !collectRecordedRuns(report).areAll();
  for (const auto &run : report.execution().runs()) {
    if (mark)
      rows.runs.push_back({rows.steps.size(), runTitle(run) + (run.complete() ? "" : " (cut short)")});
    for (const auto &step : run.steps())
      rows.steps.push_back(collectStep(step));
  }
  return rows;
}

void printText(std::ostream &out, const StepRows &rows, const Style &style) {
  out << "Steps\n";
  auto run = rows.runs.begin();
  for (std::size_t i = 0; i <= rows.steps.size(); ++i) {
    for (; run != rows.runs.end() && run->step == i; ++run)
      out << "  --- " << run->title << ", from cycle 0 ---\n";
    if (i < rows.steps.size())
      printStep(out, rows.steps[i], style);
  }
}

} // namespace popscope
