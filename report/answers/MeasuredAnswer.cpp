#include "report/answers/MeasuredAnswer.hpp"

#include "report/answers/Ranking.hpp"
#include "report/answers/StepTimes.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace popscope {
namespace {

using Of = pva::MeasuredCycles::Of;

const char *nameOf(Of of) { return of == Of::Step ? "step" : of == Of::ComputeSet ? "compute set" : "vertex type"; }

/// Returns the cycles of one execution of a step, or nothing if the instrumentation did not record them.
std::optional<std::uint64_t> cyclesOf(const pva::ExecutionStep &step, std::int64_t tile) {
  if (tile >= 0) {
    const pva::Values byTile = step.cyclesByTile();
    const auto at = static_cast<std::size_t>(tile);
    return at < byTile.size() ? std::optional(byTile[at]) : std::nullopt;
  }
  std::uint64_t most = 0;
  for (const pva::ExecutionStepIpu &on : step.ipus()) {
    if (!on.cyclesKnown())
      return std::nullopt;
    most = std::max(most, on.cycles());
  }
  return most;
}

void addSteps(const pva::Report &report, const Selection &selection, std::vector<MeasuredPlace> &places) {
  std::multimap<std::size_t, MeasuredPlace *> bySteps, bySets;
  for (MeasuredPlace &place : places)
    if (place.of == Of::Step)
      bySteps.emplace(place.id, &place);
    else if (place.of == Of::ComputeSet)
      bySets.emplace(place.id, &place);
  if (bySteps.empty() && bySets.empty())
    return;
  StepPrograms programs;
  const NumberSet steps = selectedSteps(selection);
  const auto runs = report.execution().runs();
  for (const std::size_t run : selectedRuns(report, selection))
    for (const pva::ExecutionStep &step : runs[run].steps()) {
      const StepProgramInfo &info = programs.of(*step.program());
      if (!steps.contains(info.id))
        continue;
      const auto add = [&](const auto &range) {
        for (auto at = range.first; at != range.second; ++at)
          if (const auto cycles = cyclesOf(step, at->second->tile)) {
            ++at->second->executions;
            at->second->estimated += *cycles;
          }
      };
      add(bySteps.equal_range(info.id));
      if (info.computeSet >= 0)
        add(bySets.equal_range(static_cast<std::size_t>(info.computeSet)));
    }
}

// Cycles by type are not known for a single tile.
void addTypes(const pva::Report &report, std::vector<MeasuredPlace> &places) {
  for (const pva::VertexTypeCycles &type : report.execution().vertexTypes())
    for (MeasuredPlace &place : places)
      if (place.of == Of::VertexType && place.tile < 0 && place.id == type.type._id() && type.known) {
        place.executions += type.instances;
        place.estimated += type.cycles;
      }
}

/// The places that --steps, --tiles and --ipu select. A place belongs to a step, to a compute set that one of the steps
/// executes, or to a tile.
class ChosenPlaces {
public:
  explicit ChosenPlaces(const Request &request) : steps_(selectedSteps(request.selection)) {
    if (!request.selection.everyTile())
      tiles_ = tileMask(request.report, request.selection);
    if (steps_.everything())
      return;
    for (const auto &program : allPrograms(request.report))
      if (const auto *execute = dynamic_cast<const pva::OnTileExecuteProgram *>(program.get());
          execute != nullptr && steps_.contains(program->_id()))
        sets_.insert(execute->computeset()._id());
  }
  [[nodiscard]] bool contains(const MeasuredPlace &place) const {
    if (!tiles_.empty() && (place.tile < 0 || static_cast<std::size_t>(place.tile) >= tiles_.size() ||
                            !tiles_[static_cast<std::size_t>(place.tile)]))
      return false;
    return steps_.everything() || (place.of == Of::Step         ? steps_.contains(place.id)
                                   : place.of == Of::ComputeSet ? sets_.count(place.id) != 0
                                                                : false);
  }

private:
  NumberSet steps_;
  std::vector<bool> tiles_; // empty = all tiles, and the slowest tile
  std::set<std::size_t> sets_;
};

std::uint64_t apart(std::uint64_t a, std::uint64_t b) { return a > b ? a - b : b - a; }

} // namespace

std::vector<MeasuredPlace> measuredPlaces(const pva::List<pva::MeasuredCycles> &measured, const pva::Report &report,
                                          const Selection &selection) {
  std::map<std::tuple<std::string, Of, std::size_t, std::int64_t>, MeasuredPlace> byKey;
  for (const pva::MeasuredCycles &row : measured) {
    const std::int64_t tile = row.tileKnown ? static_cast<std::int64_t>(row.tile) : -1;
    MeasuredPlace &place = byKey[{row.source, row.of, row.id, tile}];
    place.of = row.of;
    place.id = row.id;
    place.tile = tile;
    place.source = row.source;
    place.name = row.name;
    ++place.samples;
    place.sum += row.cycles;
    place.least = std::min(place.least, row.cycles);
    place.most = std::max(place.most, row.cycles);
  }
  std::vector<MeasuredPlace> places;
  for (auto &entry : byKey)
    places.push_back(std::move(entry.second));
  addSteps(report, selection, places);
  addTypes(report, places);
  return places;
}

// Compares measurements with estimates per place, the largest difference first. The error is the sum of the absolute
// differences over the sum of the measured cycles.
Rows collectMeasured(const Request &request) {
  Rows rows("measured");
  Ranking ranking({"places",
                   "Measured and estimated, largest difference first",
                   {{"of", "Of"},
                    {"id", "Id", Unit::Id},
                    {"name", "Name"},
                    {"tile", "Tile", Unit::Id},
                    {"samples", "Samples"},
                    {"measured", "Measured", Unit::Cycles},
                    {"least", "Least", Unit::Cycles},
                    {"most", "Most", Unit::Cycles},
                    {"estimated", "Estimated", Unit::Cycles},
                    {"estimatedOfMeasured", "Of measured", Unit::Percent},
                    {"source", "Source"}}});
  std::uint64_t measurements = 0, compared = 0, measured = 0, error = 0;
  const auto places = measuredPlaces(pva::openMeasured(request.profile), request.report, request.selection);
  if (places.empty())
    throw AnswerError("the profile holds no measured cycles; " + commandFor(request, "import-cycles", "FILE.csv") +
                      " adds them");
  std::set<std::string> sources;
  std::uint64_t shown = 0;
  const ChosenPlaces chosen(request);
  for (const MeasuredPlace &place : places) {
    if (!chosen.contains(place) || !nameMatches(request.selection.name, place.name))
      continue;
    ++shown;
    sources.insert(place.source);
    measurements += place.samples;
    const auto estimate = place.estimate();
    const std::uint64_t mean = place.mean();
    if (estimate) {
      ++compared;
      measured += mean;
      error += apart(mean, *estimate);
    }
    ranking.add(estimate ? std::optional(apart(mean, *estimate)) : std::nullopt,
                {std::string(nameOf(place.of)), std::uint64_t(place.id), nameOr(place.name),
                 place.tile < 0 ? Cell(std::string("slowest")) : Cell(static_cast<std::uint64_t>(place.tile)),
                 place.samples, mean, place.least, place.most, knownOr(estimate.has_value(), estimate.value_or(0)),
                 shareOr(estimate.has_value(), estimate.value_or(0), mean), place.source});
  }
  rows.fact("measurements", measurements);
  rows.fact("places", shown);
  rows.fact("sources", std::uint64_t(sources.size()));
  rows.fact("compared", compared);
  rows.fact("error", shareOr(compared != 0, error, measured), Unit::Percent);
  rows.lines.emplace_back("Measured: {measurements:measurement} of {places:place}; sources: {sources}.");
  if (compared != 0)
    rows.lines.emplace_back("Compared: {compared:place}. The differences between measured and estimated cycles add up "
                            "to {error} of the measured cycles.");
  rows.tables.push_back(ranking.take(request.selection.countOr(20)));
  rows.notes.emplace_back("Measured cycles are means of the imported measurements; estimated ones are means over the "
                          "recorded executions, from the model of the machine.");
  if (compared < shown)
    rows.notes.emplace_back("An estimate is unknown where no recorded run executes the place, and for a vertex type on "
                            "one tile.");
  suggest(rows, request, "sources");
  return rows;
}

} // namespace popscope
