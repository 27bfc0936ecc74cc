#include <pva/Measured.hpp>

#include "report/pop/MeasuredCycles.hpp"
#include "report/pva/Model.hpp"

namespace pva {

namespace {

List<MeasuredCycles> measuredOf(popscope::PopFile *file) {
  using Of = popscope::MeasuredRecord::Of;
  const popscope::ProfileLimits limits = popscope::readLimits(*file);
  std::vector<MeasuredCycles> result;
  std::vector<popscope::MeasuredRecord> rows = popscope::readMeasured(*file, limits);
  if (rows.empty())
    return detail::listOf(std::move(result));
  const auto sets = popscope::readComputeSetNames(*file);
  const auto types = popscope::readVertexTypes(*file);
  const auto programs = popscope::readPrograms(*file, limits);
  for (popscope::MeasuredRecord &row : rows) {
    MeasuredCycles m;
    m.of = row.of == Of::Step         ? MeasuredCycles::Of::Step
           : row.of == Of::ComputeSet ? MeasuredCycles::Of::ComputeSet
                                      : MeasuredCycles::Of::VertexType;
    m.id = row.id;
    m.name = row.of == Of::Step         ? programs.at(row.id).name
             : row.of == Of::ComputeSet ? sets.at(row.id)
                                        : types.at(row.id).name;
    m.tileKnown = row.tile >= 0;
    m.tile = m.tileKnown ? static_cast<std::size_t>(row.tile) : 0;
    m.cycles = row.cycles;
    m.source = std::move(row.source);
    m.line = row.line;
    result.push_back(std::move(m));
  }
  return detail::listOf(std::move(result));
}

} // namespace

List<MeasuredCycles> openMeasured(const std::string &path) { return measuredOf(popscope::openPop(path).get()); }
List<MeasuredCycles> measuredCycles(const Report &report) { return measuredOf(&report.model_->file()); }

} // namespace pva
