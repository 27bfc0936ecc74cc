#include "report/summary/OverheadView.hpp"

#include <nlohmann/json.hpp>

#include "report/summary/Format.hpp"

namespace popscope {
namespace {

constexpr const char *kPass = "InsertInstrumentation"; // of the compiler

// What the engine was asked to count; an IPU does as it is told.
std::string describe(const pva::InstrumentationSettings &settings) {
  using Level = pva::ComputeInstrumentationLevel;
  std::string text;
  switch (settings.compute()) {
  case Level::Vertex: text = "compute by vertex"; break;
  case Level::Tile: text = "compute by tile"; break;
  case Level::Ipu: text = "compute by IPU"; break;
  case Level::Device: text = "compute of the device"; break;
  case Level::Off: text = "no compute"; break;
  default: text = "unknown compute"; break;
  }
  const bool external = settings.externalExchange() == pva::ExternalExchangeInstrumentationLevel::Tile;
  return text + (external ? ", external exchange" : ", no external exchange") +
         (settings.controlFlow() ? ", control flow" : ", no control flow");
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
  rows.what = describe(report.instrumentationSettings());
  rows.runs = report.execution().runs().size();
  if (rows.runs == 0)
    return rows;
  const pva::CycleTotals totals = report.execution().totalCycles();
  rows.readCycles = totals.counterReads();
  rows.controlCycles = totals.controlFlowReads();
  rows.tileCycles = totals.total() * report.compilation().target().numTiles();
  return rows;
}

void printText(std::ostream &out, const OverheadRows &rows, const Style &style) {
  if (!rows.instrumented) {
    out << style.heading("Instrumentation:") << " none; it cost nothing.\n";
    return;
  }
  const auto line = [&](const char *label, const std::string &value) {
    out << "  " << padRight(label, 16) << value << "\n";
  };
  out << style.heading("Instrumentation:") << " " << rows.what << "\n";
  line("Results:", commas(rows.resultBytes) + " B on " + commas(rows.tiles) + " tiles");
  line("Control code:", commas(rows.codeBytes) + " B more than without counters");
  if (rows.runs == 0)
    line("Counter reads:", "no run was recorded");
  const auto share = [&](std::uint64_t cycles) {
    return commas(cycles) + " tile cycles in " + commas(rows.runs) + " run(s), " + percent(cycles, rows.tileCycles) +
           " of all tile cycles";
  };
  if (rows.runs != 0) {
    line("Counter reads:", share(rows.readCycles));
    line("Control flow:", share(rows.controlCycles));
  }
}

void printJson(std::ostream &out, const OverheadRows &rows) {
  const nlohmann::ordered_json all = {{"instrumented", rows.instrumented},
                                      {"what", rows.what},
                                      {"resultBytes", rows.resultBytes},
                                      {"codeBytes", rows.codeBytes},
                                      {"tiles", rows.tiles},
                                      {"readTileCycles", rows.readCycles},
                                      {"controlTileCycles", rows.controlCycles},
                                      {"tileCycles", rows.tileCycles},
                                      {"runs", rows.runs}};
  out << all.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << "\n";
}

} // namespace popscope
