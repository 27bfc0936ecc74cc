#include "report/summary/AdviseView.hpp"

#include "report/summary/Format.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace popscope {
namespace {
constexpr std::size_t kMaxAdvices = 20;
} // namespace

AdviseRows collectAdvise(const pva::Report &report) {
  const pva::LivenessAdvice advice = report.popscope().livenessAdvice();
  if (!advice.present)
    throw std::runtime_error("the profile explains no liveness; compile with the engine option "
                             "autoReport.all or autoReport.outputLivenessExplanation set to \"true\"");
  AdviseRows rows;
  rows.worstTile = advice.worstTile;
  rows.worstStep = stepName(*advice.worstProgram);
  rows.worstPeak = advice.worstPeak;
  rows.falseLiveAtPeak = advice.falseLiveAtPeak;
  rows.worstPeakAfterAll = advice.worstPeakAfterAll;
  rows.candidates = advice.candidates;
  rows.tried = advice.tried;
  for (const auto &p : advice.placements)
    rows.placements.push_back({p.variable.name(), stepName(*p.before), p.savedOnWorstTile, p.savedOnDevice});
  std::map<std::size_t, WastedRow> byVariable;
  for (const auto &f : advice.falseLive) {
    WastedRow &row = byVariable[f.variable._id()];
    row.variable = f.variable.name();
    row.bytes = std::max(row.bytes, f.bytes);
    row.bytesOnWorstTile = std::max(row.bytesOnWorstTile, f.bytesOnWorstTile);
    row.steps += f.endProgram - f.firstProgram;
    row.byteSteps += f.bytes * (f.endProgram - f.firstProgram);
  }
  for (auto &entry : byVariable)
    rows.wasted.push_back(std::move(entry.second));
  std::stable_sort(rows.wasted.begin(), rows.wasted.end(),
                   [](const WastedRow &a, const WastedRow &b) { return a.byteSteps > b.byteSteps; });
  return rows;
}

void printText(std::ostream &out, const AdviseRows &rows, const Style &style) {
  const std::string tile = "tile " + std::to_string(rows.worstTile);
  out << style.part("Highest peak:") << " tile " << rows.worstTile << ", with " << commas(rows.worstPeak)
      << " B of live variables at " << stepText(rows.worstStep)
      << "\n  live for nothing there: " << commas(rows.falseLiveAtPeak) << " B ("
      << percent(rows.falseLiveAtPeak, rows.worstPeak) << ")\n"
      << style.part("WriteUndef placements:") << " " << commas(rows.candidates) << " possible, " << commas(rows.tried)
      << " tried, " << commas(rows.placements.size()) << (rows.placements.size() == 1 ? " saves" : " save")
      << " memory\n";
  for (std::size_t i = 0; i < std::min(rows.placements.size(), kMaxAdvices); ++i) {
    const PlacementRow &p = rows.placements[i];
    out << alignRight(std::to_string(i + 1), 4) << ". WriteUndef(\"" << p.variable << "\") before "
        << stepText(p.before) << ": saves " << commas(p.savedOnWorstTile) << " B on " << tile << ", "
        << commas(p.savedOnDevice) << " B on all tiles\n";
  }
  if (rows.tried != 0)
    out << "  all tried together: " << commas(rows.worstPeak) << " B -> " << commas(rows.worstPeakAfterAll) << " B on "
        << tile << "\n";
  out << style.part("Live for nothing, by bytes times steps:") << (rows.wasted.empty() ? " nothing\n" : "\n");
  std::size_t longest = 0;
  const std::size_t shown = std::min(rows.wasted.size(), kMaxAdvices);
  for (std::size_t i = 0; i < shown; ++i)
    longest = std::max(longest, rows.wasted[i].variable.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const WastedRow &w = rows.wasted[i];
    out << "  " << padRight(w.variable, longest) << alignRight(commas(w.bytes), 14) << " B at most, "
        << commas(w.bytesOnWorstTile) << " B of it on " << tile << ", at " << commas(w.steps)
        << (w.steps == 1 ? " step\n" : " steps\n");
  }
  if (rows.wasted.size() > shown)
    out << "  and " << commas(rows.wasted.size() - shown) << " variables more\n";
}

} // namespace popscope
