#include "report/answers/MeasuredColumn.hpp"

#include "report/answers/Ranking.hpp"

namespace popscope {
namespace {

std::uint64_t rounded(std::uint64_t sum, std::uint64_t samples) { return (sum + samples / 2) / samples; }

} // namespace

MeasuredColumn::MeasuredColumn(const pva::Report &report) {
  for (const pva::MeasuredCycles &row : pva::measuredCycles(report)) {
    if (row.tileKnown)
      continue; // a measurement of one tile need not be that of the slowest tile
    Mean &mean = means_[{row.of, row.id}];
    if (mean.source != row.source)
      mean = {row.source, 0, 0};
    ++mean.samples;
    mean.sum += row.cycles;
    sources_.insert(row.source);
  }
}

const MeasuredColumn::Mean *MeasuredColumn::find(Of of, std::size_t id) const {
  const auto at = means_.find({of, id});
  return at == means_.end() ? nullptr : &at->second;
}
const MeasuredColumn::Mean *MeasuredColumn::findStep(std::size_t program, std::int64_t computeSet) const {
  const Mean *step = find(Of::Step, program);
  return step != nullptr || computeSet < 0 ? step : find(Of::ComputeSet, static_cast<std::size_t>(computeSet));
}

std::optional<std::uint64_t> MeasuredColumn::ofStep(std::size_t program, std::int64_t computeSet) const {
  const Mean *mean = findStep(program, computeSet);
  return mean == nullptr ? std::nullopt : std::optional(rounded(mean->sum, mean->samples));
}

std::string MeasuredColumn::sourceOfStep(std::size_t program, std::int64_t computeSet) const {
  const Mean *mean = findStep(program, computeSet);
  return mean == nullptr ? std::string() : mean->source;
}

void MeasuredColumn::addTo(Table &table) const {
  if (!empty())
    table.columns.push_back({"measuredEach", "Measured each", Unit::Cycles});
}
void MeasuredColumn::addTo(std::vector<Cell> &row, std::optional<std::uint64_t> measured) const {
  if (!empty())
    row.push_back(knownOr(measured.has_value(), measured.value_or(0)));
}
void MeasuredColumn::addNote(Rows &rows) const {
  if (empty())
    return;
  std::string sources;
  for (const std::string &source : sources_)
    sources += (sources.empty() ? "" : ", ") + source;
  rows.notes.emplace_back("Measured each: imported cycles of one execution (" + sources +
                          "), the mean; all other cycles are estimates. popscope measured compares them");
}

} // namespace popscope
