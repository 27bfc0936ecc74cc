#include "report/summary/OverheadView.hpp"

#include "report/summary/Format.hpp"

namespace popscope {
namespace {

constexpr const char *kPass = "InsertInstrumentation"; // of the compiler

std::string describe(const pva::Report &report) {
  const pva::CycleTotals totals = report.execution().totalCycles();
  std::string text;
  if (totals.computeKnown())
    text = totals.computeWithoutIdleKnown() ? "compute by vertex" : "compute by tile";
  else
    text = "no compute by tile";
  return text + (totals.externalExchangeKnown() ? ", external exchange" : ", no external exchange");
}

} // namespace

OverheadRows collectOverhead(const pva::Report &report) {
  OverheadRows rows;
  for (const auto &pass : report.compilation().optimizations())
    if (pass.name == kPass) {
      rows.instrumented = true;
      rows.codeBytes += pass.after - pass.before;
    }
  if (!rows.instrumented)
    return rows;
  for (const auto &tile : report.compilation().tiles()) {
    const std::uint64_t bytes = tile.memory().category().instrumentationResults().total();
    rows.resultBytes += bytes;
    rows.tiles += bytes == 0 ? 0 : 1;
  }
  rows.runs = report.execution().runs().size();
  if (rows.runs == 0)
    return rows;
  rows.what = describe(report);
  const pva::CycleTotals totals = report.execution().totalCycles();
  rows.readCycles = totals.counterReads();
  rows.tileCycles = totals.total() * report.compilation().target().numTiles();
  return rows;
}

void printText(std::ostream &out, const OverheadRows &rows, const Style &style) {
  if (!rows.instrumented) {
    out << style.heading("Instrumentation:") << " none; it cost nothing.\n";
    return;
  }
  const auto line = [&](const char *label, const std::string &value) { out << "  " << padRight(label, 16) << value << "\n"; };
  out << style.heading("Instrumentation:") << " " << (rows.runs == 0 ? "compiled in" : rows.what) << "\n";
  line("Results:", commas(rows.resultBytes) + " B on " + commas(rows.tiles) + " tiles");
  line("Control code:", commas(rows.codeBytes) + " B more than without counters");
  if (rows.runs == 0)
    line("Counter reads:", "no run was recorded");
  else
    line("Counter reads:", commas(rows.readCycles) + " tile cycles in " + commas(rows.runs) + " run(s), " +
                               percent(rows.readCycles, rows.tileCycles) + " of all tile cycles");
}

} // namespace popscope
