#include "report/answers/RunsAnswer.hpp"

#include "report/answers/Ranking.hpp"
#include "report/answers/RunCategories.hpp"
#include "report/answers/StepTimes.hpp"
#include "report/summary/WhyNoRun.hpp"

#include <algorithm>

namespace popscope {

namespace {

/// The selected part of each run: the cycles that the selected steps add to its length, and the work of the selected
/// tiles in these steps.
class ChosenParts {
public:
  explicit ChosenParts(const Request &request)
      : steps_(!request.selection.steps.empty()), tiles_(!request.selection.everyTile()) {
    if (!steps_ && !tiles_)
      return;
    Selection selection = request.selection;
    selection.ipu.reset(); // parts refer to the whole run
    StepTimes times = readStepTimes(request.report, selection);
    if (tiles_)
      readChosenWork(request.report, request.selection, times);
    const NumberSet chosen = selectedSteps(request.selection);
    for (const StepTime &step : times.steps)
      if (chosen.contains(step.program->id)) {
        Part &part = parts_[step.run];
        part.cycles += step.part;
        part.work += step.chosenWork;
        part.timeKnown = part.timeKnown && step.timeKnown;
        part.workKnown = part.workKnown && step.known;
      }
  }
  void addTo(Table &table) const {
    if (steps_)
      table.columns.push_back({"chosenCycles", "In steps chosen", Unit::Cycles});
    if (tiles_)
      table.columns.push_back({"chosenWork", "Tiles chosen work", Unit::TileCycles});
  }
  void addTo(std::vector<Cell> &row, std::size_t run) const {
    const auto found = parts_.find(run);
    const Part part = found == parts_.end() ? Part() : found->second;
    if (steps_)
      row.push_back(knownOr(part.timeKnown, part.cycles));
    if (tiles_)
      row.push_back(knownOr(part.workKnown, part.work));
  }

private:
  struct Part {
    std::uint64_t cycles = 0, work = 0;
    bool timeKnown = true, workKnown = true;
  };
  bool steps_, tiles_;
  std::map<std::size_t, Part> parts_;
};

} // namespace

std::string noteOfCutRuns(std::uint64_t cut) {
  return std::to_string(cut) + (cut == 1 ? " run was cut short and is" : " runs were cut short and are") +
         " in no sum of cycles";
}

std::uint64_t cutRuns(const pva::Report &report, const Selection &selection) {
  const auto runs = report.execution().runs();
  const std::vector<std::size_t> selected = selectedRuns(report, selection);
  return static_cast<std::uint64_t>(
      std::count_if(selected.begin(), selected.end(), [&](std::size_t run) { return !runs[run].complete(); }));
}

void noteCutRuns(const pva::Report &report, const Selection &selection, Rows &rows) {
  const std::uint64_t cut = cutRuns(report, selection);
  if (cut == 0)
    return;
  rows.notes.push_back(cut != selectedRuns(report, selection).size() ? noteOfCutRuns(cut)
                       : cut == 1 ? "the run was cut short: its length is unknown, and cycles and executions "
                                    "are those of the steps up to its last step"
                                  : "no run ended: the length of the runs is unknown, and cycles and "
                                    "executions are those of the steps of runs that were cut short");
}

void refuseWithoutRun(const pva::Report &report, const std::string &instead) {
  throw AnswerError("the profile has no recorded run" + (instead.empty() ? "" : "; " + instead) + ". " +
                    whyNoRun(report));
}

bool someCategories(const pva::Report &report) {
  const auto runs = report.execution().runs();
  return std::any_of(runs.begin(), runs.end(), [](const pva::Run &run) { return !hasEveryStep(run); });
}

void noteCategories(const pva::Report &report, Rows &rows) {
  if (someCategories(report))
    rows.notes.emplace_back(
        "some runs have no times of some categories (popscope runs names them). A step may run at "
        "the same time as such steps, so its cycles are then the most that it can add to the length of the run");
}

// Lists the selected runs with their cycles and the selected part of each, then the spans of runs that were not
// recorded.
Rows collectRuns(const Request &request) {
  Rows rows("runs");
  const auto runs = request.report.execution().runs();
  const std::uint64_t tiles = request.report.compilation().target().tilesPerReplica();
  Table table{"runs",
              "Recorded runs",
              {{"run", "Run", Unit::Id},
               {"number", "Call", Unit::Id},
               {"name", "Name"},
               {"label", "Label"},
               {"program", "Program"},
               {"steps", "Steps"},
               {"cycles", "Cycles", Unit::Cycles},
               {"tilesCompute", "Tiles compute", Unit::Percent},
               {"complete", "Complete"}}};
  const ChosenParts chosen(request);
  chosen.addTo(table);
  const std::size_t shown = request.selection.countOr(20);
  std::uint64_t cycles = 0;
  bool ended = false, known = true;
  for (const std::size_t i : selectedRuns(request.report, request.selection)) {
    const pva::Run run = runs[i];
    if (!request.selection.name.empty() && !nameMatches(request.selection.name, run.name()))
      continue;
    const pva::CycleTotals totals = run.totalCycles();
    cycles += totals.total();
    ended = ended || run.complete();
    known = known && (!run.complete() || totals.totalKnown());
    if (table.rows.size() == shown) {
      ++table.more;
      continue;
    }
    table.rows.push_back({std::uint64_t(i), knownOr(run.numberKnown(), run.number()), run.name(), run.label(),
                          run.program(), std::uint64_t(run.steps().size()),
                          knownOr(totals.totalKnown(), totals.total()),
                          shareOr(totals.computeKnown(), totals.compute(), tiles * totals.total()), run.complete()});
    chosen.addTo(table.rows.back(), i);
  }
  Table paused{"notRecorded",
               "Runs that were not recorded",
               {{"firstCall", "First call", Unit::Id},
                {"runs", "Runs"},
                {"reason", "Reason"},
                {"cycles", "Cycles", Unit::Cycles}}};
  ended = ended || table.rows.empty();
  std::uint64_t left = 0;
  for (const pva::PausedSpan &span : request.report.execution().pausedSpans()) {
    left += span.runs;
    if (paused.rows.size() < shown)
      paused.rows.push_back({span.firstRun, span.runs, span.reason, knownOr(span.cyclesKnown, span.cycles)});
    else
      ++paused.more;
  }
  rows.fact("recordedRuns", std::uint64_t(runs.size()));
  rows.fact("cycles", knownOr(ended && known, cycles), Unit::Cycles);
  rows.fact("runsNotRecorded", left);
  if (runs.empty() && left == 0)
    rows.fact("whyNoRun", whyNoRun(request.report));
  rows.lines.emplace_back(runs.empty() && left == 0 ? "Runs: none recorded. {whyNoRun}"
                          : runs.empty()            ? "Runs: none recorded, {runsNotRecorded} not."
                          : ended ? "Runs: {recordedRuns} recorded, {runsNotRecorded} not; those below took {cycles}, "
                                    "estimated."
                                  : "Runs: {recordedRuns} recorded, {runsNotRecorded} not; none of those below ended.");
  if (someCategories(request.report)) {
    table.columns.push_back({"categories", "Time of"});
    for (auto &row : table.rows) {
      std::string names;
      for (const std::string &name : runs[std::get<std::uint64_t>(row.front())].categories())
        names += (names.empty() ? "" : ",") + name;
      row.emplace_back(names);
    }
    rows.notes.emplace_back("\"Time of\" names the categories whose steps have a time in the profile "
                            "(popscope.profileCategories, popscope::profile::Scope)");
  }
  rows.tables.push_back(std::move(table));
  if (!paused.rows.empty())
    rows.tables.push_back(std::move(paused));
  if (runs.empty())
    suggest(rows, request, "info");
  else
    suggest(rows, request, "top", "--runs 0");
  return rows;
}

} // namespace popscope
