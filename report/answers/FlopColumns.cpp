#include "report/answers/FlopColumns.hpp"

#include "report/answers/Ranking.hpp"

#include <algorithm>
#include <limits>
#include <pva/pva.hpp>

namespace popscope {
namespace {

std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = Wide(a) * b;
  return product > std::numeric_limits<std::uint64_t>::max()
             ? throw AnswerError("estimates of floating-point operations are too large to add up")
             : static_cast<std::uint64_t>(product);
}
std::uint64_t plus(std::uint64_t a, std::uint64_t b) {
  return b > std::numeric_limits<std::uint64_t>::max() - a
             ? throw AnswerError("estimates of floating-point operations are too large to add up")
             : a + b;
}

} // namespace

void FlopSum::add(const pva::Flops &flops, std::uint64_t executions) {
  if (flops.vertices == 0)
    return;
  operations = plus(operations, times(flops.operations, executions));
  each += flops;
}

FlopColumns::FlopColumns(const Request &request, bool everyTile)
    : all_(request.report.compilation().flops()), everyTile_(everyTile) {
  const pva::Report &report = request.report;
  sets_.resize(report.compilation().computeSets().size());
  for (const pva::VertexTypeFlops &one : all_) {
    sets_[one.computeSet._id()] += one.flops;
    whole_ += one.flops;
  }
  oneIpu_ = request.selection.ipu.has_value();
  none_ = whole_.operations == 0 || !areOfSelection();
  for (const pva::MachineCost &cost : report.compilation().machineCosts())
    if (cost.value > 0 && cost.value < 1e9) {
      if (cost.key == "tile.floatFlopsPerCycle")
        floatPeak_ = static_cast<std::uint64_t>(cost.value);
      else if (cost.key == "tile.halfFlopsPerCycle")
        halfPeak_ = static_cast<std::uint64_t>(cost.value);
    }
}

std::string FlopColumns::whyNone() const {
  return oneIpu_           ? "floating-point operations are those of all tiles, not of one IPU"
         : !everyTile_     ? "floating-point operations are those of all tiles, not of the selected tiles"
         : whole_.recorded ? "no estimate of the program contains floating-point operations (setPerfEstimate, "
                             "registerPerfEstimator), and the stand-in counted none"
                           : "floating-point operations are not recorded in this profile";
}

const pva::Flops &FlopColumns::ofSet(std::int64_t computeSet) const {
  static const pva::Flops none;
  return computeSet < 0 ? none : sets_.at(static_cast<std::size_t>(computeSet));
}

void FlopColumns::addTo(Table &table) const {
  if (empty())
    return;
  table.columns.insert(table.columns.end(), {{"operations", "Operations", Unit::Operations},
                                             {"operationsPerCycle", "Per cycle", Unit::OperationsPerCycle},
                                             {"ofFloatPeak", "Of float peak", Unit::Percent},
                                             {"ofHalfPeak", "Of half peak", Unit::Percent},
                                             {"estimated", "Estimated", Unit::Percent},
                                             {"counted", "Counted", Unit::Percent}});
}

Cell FlopColumns::shareOfPeak(std::uint64_t peak, std::uint64_t operations, std::uint64_t cycles, std::uint64_t tiles) {
  return Share{operations, times(times(peak, tiles), cycles)};
}

void FlopColumns::addTo(std::vector<Cell> &row, const FlopSum &sum, bool cyclesKnown, std::uint64_t cycles,
                        std::uint64_t tiles) const {
  if (empty())
    return;
  const bool rate = sum.known() && cyclesKnown;
  row.push_back(knownOr(sum.known(), sum.operations));
  row.push_back(rate ? Cell(Ratio{sum.operations, cycles}) : Cell(Unknown()));
  for (const std::uint64_t peak : {floatPeak_, halfPeak_})
    row.push_back(rate ? shareOfPeak(peak, sum.operations, cycles, tiles) : Cell(Unknown()));
  addShares(row, sum);
}

void FlopColumns::addShares(std::vector<Cell> &row, const FlopSum &sum) {
  row.push_back(shareOr(sum.each.vertices != 0, sum.each.estimatedVertices, sum.each.vertices));
  row.push_back(shareOr(sum.each.vertices != 0, sum.each.countedVertices, sum.each.vertices));
}

Cell FlopSum::origin() const {
  if (!known())
    return Unknown();
  return each.countedVertices == 0 ? "estimated" : each.countedOperations == each.operations ? "counted" : "both";
}

void FlopColumns::addSumTo(Table &table) const {
  if (!empty())
    table.columns.insert(table.columns.end(), {{"operations", "Operations", Unit::Operations},
                                               {"estimated", "Estimated", Unit::Percent},
                                               {"counted", "Counted", Unit::Percent}});
}
void FlopColumns::addSumTo(std::vector<Cell> &row, const FlopSum &sum) const {
  if (empty())
    return;
  row.push_back(knownOr(sum.known(), sum.operations));
  addShares(row, sum);
}

void FlopColumns::addNote(Rows &rows) const {
  if (empty())
    return;
  rows.notes.emplace_back(
      "Operations are floating-point operations. Of all vertices, executed or not, " +
      cellText(Share{whole_.estimatedVertices, whole_.vertices}) +
      " have estimates by the program or are copies of the runtime, which have no operations; for " +
      cellText(Share{whole_.countedVertices, whole_.vertices}) +
      ", Popscope counted the operations of their last execution. Other vertices are not included. Peaks: " +
      (floatPeak_ == 0 ? std::string("not known") : cellText(floatPeak_) + " operations of float") +
      (halfPeak_ == 0 ? std::string() : " and " + cellText(halfPeak_) + " of half") + " per tile and cycle");
}

std::uint64_t Roofline::most() const { return std::max({floatingPoint, otherInstructions, idleThreads, waiting}); }
const char *Roofline::bound() const {
  return most() == floatingPoint       ? "floating point"
         : most() == otherInstructions ? "other instructions"
         : most() == idleThreads       ? "idle threads"
                                       : "slower tiles";
}

Roofline rooflineOf(std::uint64_t operations, std::uint64_t peakOfTile, std::uint64_t tiles, std::uint64_t cycles,
                    std::uint64_t busy, std::uint64_t threads) {
  Roofline parts;
  const std::uint64_t whole = times(tiles, cycles);
  busy = std::min(busy, whole);
  threads = std::min(threads, busy);
  parts.floatingPoint =
      std::min(peakOfTile == 0 ? 0 : operations / peakOfTile + (operations % peakOfTile != 0), threads);
  parts.otherInstructions = threads - parts.floatingPoint;
  parts.idleThreads = busy - threads;
  parts.waiting = whole - busy;
  return parts;
}

} // namespace popscope
