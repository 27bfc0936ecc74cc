#include "report/answers/LivenessAdvice.hpp"

#include "report/answers/AdviceChanges.hpp"
#include "report/answers/MovedNames.hpp"
#include "report/answers/Ranking.hpp"
#include "report/answers/StepNames.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace popscope {
namespace {

/// Returns the program whose name describes the place before children[at]. The author of the program knows this name.
/// If a compute set or a named copy begins at this place, its exchange has the same name plus the compiler's part. The
/// trials of changes use the same name for the place:
///
///   Sync                           <- before
///   DoExchange: fast/ExchangePre
///   OnTileExecute: fast            <- the result; without it, the exchange
std::shared_ptr<pva::Program> namedFrom(const pva::ProgramList &children, std::size_t at) {
  using Type = pva::Program::Type;
  const auto isBarrier = [&](std::size_t i) {
    return children[i]->type() == Type::Sync || children[i]->type() == Type::SyncAns;
  };
  while (at + 1 < children.size() && isBarrier(at))
    ++at;
  const std::string name = children[at]->name();
  const std::size_t slash = name.rfind('/');
  if (slash == std::string::npos || !isCompilersName(name.substr(slash + 1)))
    return children[at];
  for (std::size_t i = at + 1; i < children.size(); ++i) {
    const std::string other = children[i]->name();
    if (children[i]->type() == Type::OnTileExecute && other == name.substr(0, slash))
      return children[i];
    if (!isBarrier(i) && other.compare(0, slash + 1, name, 0, slash + 1) != 0) // a step of another program
      break;
  }
  return children[at];
}

/// Returns the programs that name the places of the placements (namedFrom), by the id of UndefPlacement::before.
std::map<std::size_t, std::shared_ptr<pva::Program>>
namedPlaces(const pva::Report &report, const std::vector<const pva::UndefPlacement *> &undefs) {
  std::map<std::size_t, std::shared_ptr<pva::Program>> places;
  for (const pva::UndefPlacement *p : undefs)
    places.emplace(p->before->_id(), p->before);
  if (places.empty())
    return places;
  for (const auto &parent : allPrograms(report)) {
    const pva::ProgramList children = parent->children();
    for (std::size_t i = 0; i < children.size(); ++i)
      if (const auto at = places.find(children[i]->_id()); at != places.end())
        at->second = namedFrom(children, i);
  }
  return places;
}

/// Adds a note if the peak is at a step between the place of a WriteUndef and the compute set that gives the place its
/// name. In this case, the table seems to contain a place after the peak.
void notePlacesBeforePeak(const pva::Report &report, const pva::LivenessAdvice &advice,
                          const std::vector<const pva::UndefPlacement *> &undefs, Rows &rows) {
  const auto places = namedPlaces(report, undefs);
  const std::size_t peak = advice.worstProgram->_id();
  if (std::any_of(places.begin(), places.end(),
                  [&](const auto &place) { return place.first <= peak && peak < place.second->_id(); }))
    rows.notes.emplace_back(
        "a WriteUndef before a compute set is before the exchange and the barrier of the compute set, "
        "too, so it can save memory at step " +
        std::to_string(peak));
}

/// Returns whether the placements marked UndefPlacement::together lower the peak of the worst tile. If not, they lower
/// the peak of all tiles together.
bool togetherOnWorstTile(const pva::LivenessAdvice &advice) {
  std::uint64_t best = 0;
  for (const pva::UndefPlacement &p : advice.placements)
    best = std::max(best, p.savedOnWorstTile);
  return advice.worstPeakAfterAll + best < advice.worstPeak;
}

/// Returns the WriteUndefs, the best first. `together`: whether some of them save bytes only together.
Table placementTable(const Request &request, std::vector<const pva::UndefPlacement *> undefs, bool together,
                     MovedNames &names) {
  Table table{"placements",
              "WriteUndefs before a step, by the bytes that each saves alone",
              {{"variable", "Variable"},
               {"step", "Step", Unit::Id},
               {"program", "Program"},
               {"savedOnPeakTile", "On that tile", Unit::Bytes},
               {"savedOnAllTiles", "On all tiles", Unit::Bytes}}};
  if (together)
    table.columns.push_back({"together", "Together"});
  const std::size_t shown = std::min(undefs.size(), request.selection.countOr(kUsualAdviceRows));
  table.more = undefs.size() - shown;
  undefs.resize(shown);
  const auto places = namedPlaces(request.report, undefs);
  for (const pva::UndefPlacement *p : undefs) {
    const pva::Program &place = *places.at(p->before->_id());
    table.rows.push_back({nameOr(p->variable.name()), std::uint64_t(place._id()), names.titleOf(place),
                          p->savedOnWorstTile, p->savedOnDevice});
    if (together)
      table.rows.back().emplace_back(p->together ? "yes" : "");
  }
  return table;
}

/// The false-live bytes of the variables of one name and category.
struct FalseLiveGroup {
  struct Change {
    std::int64_t bytes = 0, onTile = 0;
  };
  std::set<std::size_t> variables;
  std::map<std::size_t, Change> changes; // by position in the list of selected liveness steps
};

/// Returns the false-live bytes by name. The maximum is over steps, so the bytes of variables of one name add up only
/// if these variables are false-live at the same step.
Table falseLiveTable(const Request &request, const pva::LivenessAdvice &advice, const ChosenChanges &chosen) {
  const StepChoice steps(request.report, request.selection);
  std::vector<std::size_t> liveness; // the selected liveness steps, ascending
  for (const auto &step : request.report.compilation().livenessProgramSteps())
    if (const std::size_t id = step.program()->_id(); steps.contains(id))
      liveness.push_back(id);
  const auto before = [&](std::size_t step) {
    return static_cast<std::size_t>(std::lower_bound(liveness.begin(), liveness.end(), step) - liveness.begin());
  };
  std::map<std::pair<std::string, std::string>, FalseLiveGroup> groups; // by name and category
  for (const pva::FalseLive &f : advice.falseLive) {
    const std::size_t first = before(f.firstProgram), end = before(f.endProgram);
    if (first >= end || !chosen.contains(f.variable))
      continue;
    FalseLiveGroup &group = groups[{f.variable.name(), f.variable.category()}];
    group.variables.insert(f.variable._id());
    for (const auto &[at, sign] : {std::pair(first, 1), std::pair(end, -1)}) {
      group.changes[at].bytes += sign * static_cast<std::int64_t>(f.bytes);
      group.changes[at].onTile += sign * static_cast<std::int64_t>(f.bytesOnWorstTile);
    }
  }
  Ranking ranking({"falseLive",
                   "False-live bytes (no path reads them), by bytes times liveness steps",
                   {{"variable", "Variable"},
                    {"category", "Category"},
                    {"variables", "Variables"},
                    {"maxBytes", "At most", Unit::Bytes},
                    {"maxBytesOnPeakTile", "On that tile", Unit::Bytes},
                    {"steps", "Steps"},
                    {"byteSteps", "Byte steps"}}});
  for (const auto &[key, group] : groups) {
    FalseLiveGroup::Change now;
    std::int64_t most = 0, mostOnTile = 0;
    std::uint64_t count = 0, byteSteps = 0;
    std::size_t from = 0;
    for (const auto &[at, change] : group.changes) {
      count += now.bytes > 0 ? at - from : 0;
      byteSteps += static_cast<std::uint64_t>(now.bytes) * (at - from);
      now.bytes += change.bytes;
      now.onTile += change.onTile;
      most = std::max(most, now.bytes);
      mostOnTile = std::max(mostOnTile, now.onTile);
      from = at;
    }
    ranking.add(byteSteps,
                {nameOr(key.first), key.second, std::uint64_t(group.variables.size()), static_cast<std::uint64_t>(most),
                 static_cast<std::uint64_t>(mostOnTile), count, byteSteps});
  }
  return ranking.take(request.selection.countOr(kUsualAdviceRows));
}

} // namespace

// Adds the figures of explained liveness: false-live bytes at the peak, the WriteUndefs by the bytes that they save,
// and the false-live variables by bytes times liveness steps. All figures are within the selection.
void addLivenessAdvice(const Request &request, const pva::LivenessAdvice &advice, Rows &rows) {
  MovedNames names(request.report);
  rows.fact("peakTile", std::uint64_t(advice.worstTile), Unit::Id);
  rows.fact("peakStep", std::uint64_t(advice.worstProgram->_id()), Unit::Id);
  rows.fact("peakProgram", names.titleOf(*advice.worstProgram));
  rows.fact("liveBytes", advice.worstPeak, Unit::Bytes);
  rows.fact("falseLiveBytes", advice.falseLiveAtPeak, Unit::Bytes);
  rows.fact("falseLiveShare", shareOr(true, advice.falseLiveAtPeak, advice.worstPeak));
  rows.fact("candidates", advice.candidates);
  rows.fact("tried", advice.tried);
  rows.fact("liveBytesAfterAll", advice.worstPeakAfterAll, Unit::Bytes);
  rows.lines.emplace_back(
      "Most variable bytes are live on tile {peakTile} at step {peakStep}, {peakProgram}: {liveBytes}, "
      "{falseLiveBytes} ({falseLiveShare}) of it false-live (no path reads it).");
  const ChosenChanges chosen(request);
  std::vector<const pva::UndefPlacement *> undefs;
  std::uint64_t alone = 0, together = 0;
  for (const auto &p : advice.placements)
    if (chosen.contains(p.variable)) {
      alone += p.savedOnWorstTile != 0 || p.savedOnDevice != 0 ? 1 : 0;
      together += p.together ? 1 : 0;
      undefs.push_back(&p);
    }
  rows.fact("placementsThatSave", alone);
  rows.fact("placementsTogether", together);
  rows.lines.emplace_back(advice.tried == 0
                              ? "There is no place where a WriteUndef would help."
                              : "Places for a WriteUndef: {candidates} (tried: {tried}, saving memory alone: "
                                "{placementsThatSave}). With all of those tried, {liveBytesAfterAll} are live there.");
  if (together != 0)
    rows.lines.emplace_back(
        !togetherOnWorstTile(advice)
            ? "All places marked in the column Together lower the peak of all tiles by more bytes than the best place."
        : together == 1 ? "The {placementsTogether} place marked in the column Together is enough for this."
                        : "The {placementsTogether} places marked in the column Together are enough for this.");
  rows.tables.push_back(placementTable(request, undefs, together != 0, names));
  notePlacesBeforePeak(request.report, advice, undefs, rows);
  rows.tables.push_back(falseLiveTable(request, advice, chosen));
}

} // namespace popscope
