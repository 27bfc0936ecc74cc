#include "report/answers/AdviceAnswers.hpp"

#include "base/WholeFile.hpp"
#include "report/answers/ChangePlaces.hpp"
#include "report/answers/MovedNames.hpp"
#include "report/answers/Ranking.hpp"

#include <algorithm>
#include <map>
#include <system_error>
#include <tuple>

namespace popscope {
namespace {

constexpr std::size_t kUsualAdviceRows = 8;
constexpr const char *kTryHint = "popscope run --set popscope.tryAdvice=64 -- PROGRAM";

std::int64_t change(std::uint64_t before, std::uint64_t after) {
  return static_cast<std::int64_t>(after) - static_cast<std::int64_t>(before);
}

/// Returns the relative change of a figure. If the figure was 0, any increase counts as 1.
double relative(std::uint64_t before, std::uint64_t after) {
  if (before == 0)
    return after == 0 ? 0 : 1;
  return static_cast<double>(change(before, after)) / static_cast<double>(before);
}
/// Returns what a trial costs: the sum of the relative changes of the highest address, of the bytes on all tiles, and
/// of the exchange cycles. A negative result is a gain.
double costOf(const pva::AdviceTrial &t, const pva::AdviceTrial &before) {
  return relative(before.fullestBytes, t.fullestBytes) + relative(before.allTilesBytes, t.allTilesBytes) +
         relative(before.exchangeCycles, t.exchangeCycles);
}
/// Returns the key of the order in which trials are listed: fewest bytes past the end, least cost, fewest changes.
auto rankOf(const pva::AdviceTrial &t, const pva::AdviceTrial &before) {
  return std::make_tuple(t.pastEndBytes, costOf(t, before), t.numChanges);
}
/// Returns whether a trial reduces the bytes past the end or, if the program fits, gains more than it costs.
bool helps(const pva::AdviceTrial &t, const pva::AdviceTrial &before) {
  return before.pastEndBytes != 0 ? t.pastEndBytes < before.pastEndBytes : t.pastEndBytes == 0 && costOf(t, before) < 0;
}
/// Returns the sentence about the program without changes, which does not fit.
std::string asItIs(const pva::AdviceTrial &before) {
  return std::string("!Without changes, {tilesOutOfMemory} ") + (before.tilesOutOfMemory == 1 ? "does" : "do") +
         " not fit, with {pastEnd} past the end in total.";
}
/// Returns the sentence about trials of which none fits. `best`: the trial with the fewest bytes past the end; the
/// program without changes if no set improves on it.
std::string noneFits(const pva::AdviceTrial &best) {
  const std::string none = "!The program was compiled with {compilations:set} of changes, and does not fit with any";
  if (best.numChanges == 0)
    return none + ". No set reduces what is past the end.";
  return none + ". With the set that comes nearest, {leftTiles} still " + (best.tilesOutOfMemory == 1 ? "does" : "do") +
         " not fit, with {leftPastEnd} past the end in total:";
}
/// Returns the note about a file to which the changes of `best` were written.
std::string noteOfFile(const std::string &file, const pva::AdviceTrial &best) {
  if (best.numChanges == 0)
    return file + " contains an empty list, because " +
           (best.tilesOutOfMemory == 0 ? "the program needs no change" : "no set of changes that was tried helps");
  if (best.tilesOutOfMemory != 0)
    return "with the changes in " + file +
           ", the program still does not fit: popscope oom lists what is too large without them";
  return "apply them with POPLAR_ENGINE_OPTIONS='{\"popscope.applyAdvice\":\"" + file + "\"}' PROGRAM";
}
bool isFit(const pva::AdviceTrial &t) { return t.purpose == "smallest" || t.purpose == "fit" || t.purpose == "fits"; }
std::vector<Column> changeColumns() {
  return {{"number", "No.", Unit::Id}, {"change", "Change"}, {"tile", "Tile", Unit::Id}, {"step", "Step", Unit::Id}};
}
std::vector<Cell> rowOf(std::uint64_t number, const TrialChange &change, ChangePlaces &places) {
  const ChangePlace place = places.of(change);
  return {number, change.description, place.tileCell(), place.stepCell()};
}
bool isProposal(const pva::AdviceTrial &t) { return t.purpose == "alone" || t.purpose == "together"; }

/// Adds the facts and the tables of trials: the changes of each trial that helps, and their effects. The best trial
/// comes first, by the order of rankOf.
void addTrials(const Request &request, const std::vector<pva::AdviceTrial> &trials, Rows &rows) {
  const pva::AdviceTrial &before = trials.front();
  std::vector<const pva::AdviceTrial *> useful;
  std::uint64_t tried = 0;
  const ChosenChanges chosen(request);
  for (const pva::AdviceTrial &t : trials) {
    tried += isProposal(t) ? 1 : 0;
    if (isProposal(t) && helps(t, before) && chosen.contains(t))
      useful.push_back(&t);
  }
  std::stable_sort(useful.begin(), useful.end(),
                   [&](const auto *a, const auto *b) { return rankOf(*a, before) < rankOf(*b, before); });
  rows.fact("proposalsTried", tried);
  rows.fact("proposalsThatHelp", std::uint64_t(useful.size()));
  rows.fact("fullestTile", before.fullestTile, Unit::Id);
  rows.fact("fullestBytes", before.fullestBytes, Unit::Bytes);
  rows.fact("tilesOutOfMemory", before.tilesOutOfMemory, Unit::Tiles);
  rows.fact("pastEnd", before.pastEndBytes, Unit::Bytes);
  rows.lines.emplace_back(
      "Proposals that were compiled, one at a time: {proposalsTried}; of these {proposalsThatHelp} help.");
  rows.lines.push_back(before.tilesOutOfMemory == 0
                           ? "Without changes, the highest address is on tile {fullestTile}: {fullestBytes}."
                           : asItIs(before));
  Table changes{"changes", "Proposals that help, best first", changeColumns(), {}};
  Table effects{"effects",
                "What each proposal changes",
                {{"number", "No.", Unit::Id},
                 {"pastEnd", "Past end", Unit::Bytes},
                 {"fullest", "Highest", Unit::Bytes},
                 {"allTiles", "All tiles", Unit::Bytes},
                 {"exchangeCode", "Exch. code", Unit::Bytes},
                 {"exchangeCycles", "Exch. cycles", Unit::Cycles}},
                {}};
  const bool withChanges = !request.options.at("changes").empty();
  if (withChanges)
    effects.columns.push_back({"applyAdvice", "popscope.applyAdvice"});
  ChangePlaces places(request.report);
  const std::size_t shown = std::min(useful.size(), request.selection.countOr(kUsualAdviceRows));
  for (std::size_t i = 0; i < shown; ++i) {
    const pva::AdviceTrial &t = *useful[i];
    const auto number = static_cast<std::uint64_t>(i + 1);
    for (const TrialChange &one : changesOf(t))
      changes.rows.push_back(rowOf(number, one, places));
    effects.rows.push_back({number, change(before.pastEndBytes, t.pastEndBytes),
                            change(before.fullestBytes, t.fullestBytes), change(before.allTilesBytes, t.allTilesBytes),
                            change(before.exchangeCodeBytes, t.exchangeCodeBytes),
                            change(before.exchangeCycles, t.exchangeCycles)});
    if (withChanges)
      effects.rows.back().emplace_back(t.changes);
  }
  effects.more = useful.size() - shown;
  rows.tables.push_back(std::move(changes));
  rows.tables.push_back(std::move(effects));
  if (shown != 0 && !withChanges)
    suggest(rows, request, "advise", "--changes --json");
  rows.notes.emplace_back(
      "each proposal was compiled: bytes are those of its layout, exchange code and cycles are those of "
      "exchanges within IPUs, each counted once, and the program computes the same values");
}

// Adds the figures of explained liveness: false-live bytes at the peak, the WriteUndefs by the bytes that they save,
// and the false-live variables by bytes times liveness steps. All figures are within the selection.
void addLiveness(const Request &request, const pva::LivenessAdvice &advice, Rows &rows) {
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
    rows.lines.emplace_back("The {placementsTogether} places marked in the column Together are enough for this.");
  const std::size_t count = request.selection.countOr(kUsualAdviceRows);
  Table placements{"placements",
                   "WriteUndefs before a step, by the bytes that each saves alone",
                   {{"variable", "Variable"},
                    {"step", "Step", Unit::Id},
                    {"program", "Program"},
                    {"savedOnPeakTile", "On that tile", Unit::Bytes},
                    {"savedOnAllTiles", "On all tiles", Unit::Bytes}},
                   {}};
  if (together != 0)
    placements.columns.push_back({"together", "Together"});
  const std::size_t shown = std::min(undefs.size(), count);
  placements.more = undefs.size() - shown;
  for (std::size_t i = 0; i < shown; ++i) {
    const pva::UndefPlacement &p = *undefs[i];
    placements.rows.push_back({nameOr(p.variable.name()), std::uint64_t(p.before->_id()), names.titleOf(*p.before),
                               p.savedOnWorstTile, p.savedOnDevice});
    if (together != 0)
      placements.rows.back().emplace_back(p.together ? "yes" : "");
  }
  rows.tables.push_back(std::move(placements));

  struct Wasted {
    std::string name;
    std::uint64_t bytes = 0, onTile = 0, steps = 0, byteSteps = 0;
  };
  const StepChoice steps(request.report, request.selection);
  std::vector<std::size_t> liveness; // the selected liveness steps, ascending
  for (const auto &step : request.report.compilation().livenessProgramSteps())
    if (const std::size_t id = step.program()->_id(); steps.contains(id))
      liveness.push_back(id);
  const auto before = [&](std::size_t step) {
    return std::lower_bound(liveness.begin(), liveness.end(), step) - liveness.begin();
  };
  std::map<std::size_t, Wasted> byVariable;
  for (const auto &f : advice.falseLive) {
    const auto inside = static_cast<std::uint64_t>(before(f.endProgram) - before(f.firstProgram));
    if (inside == 0 || !chosen.contains(f.variable))
      continue;
    Wasted &w = byVariable[f.variable._id()];
    w.name = f.variable.name();
    w.bytes = std::max(w.bytes, f.bytes);
    w.onTile = std::max(w.onTile, f.bytesOnWorstTile);
    w.steps += inside;
    w.byteSteps += f.bytes * inside;
  }
  Ranking ranking({"falseLive",
                   "False-live bytes (no path reads them), by bytes times liveness steps",
                   {{"variable", "Variable"},
                    {"maxBytes", "At most", Unit::Bytes},
                    {"maxBytesOnPeakTile", "On that tile", Unit::Bytes},
                    {"steps", "Steps"},
                    {"byteSteps", "Byte steps"}},
                   {}});
  for (const auto &entry : byVariable) {
    const Wasted &w = entry.second;
    ranking.add(w.byteSteps, {nameOr(w.name), w.bytes, w.onTile, w.steps, w.byteSteps});
  }
  rows.tables.push_back(ranking.take(count));
}

} // namespace

Rows collectAdvise(const Request &request) {
  Rows rows;
  rows.view = "advise";
  const std::vector<pva::AdviceTrial> trials = request.report.popscope().adviceTrials();
  const pva::LivenessAdvice advice = request.report.popscope().livenessAdvice();
  if (trials.empty() && !advice.present)
    throw AnswerError(
        "the profile contains neither liveness explanations nor trials; run the program with autoReport.all "
        "and popscope.tryAdvice set: popscope fit --help shows the command");
  if (!trials.empty())
    addTrials(request, trials, rows);
  if (advice.present)
    addLiveness(request, advice, rows);
  else
    rows.notes.emplace_back("false-live bytes are not in the profile (autoReport.outputLivenessExplanation)");
  if (trials.empty())
    rows.notes.emplace_back(std::string("changes of mapping and options were not tried; to try them, run ") + kTryHint);
  if (!trials.empty() && trials.front().tilesOutOfMemory != 0)
    suggest(rows, request, "fit");
  if (advice.present)
    for (const Table &table : rows.tables)
      if ((table.key == "placements" || table.key == "falseLive") && !table.rows.empty()) {
        suggest(rows, request, "why", shellWord(cellText(table.rows[0][0])));
        break;
      }
  suggest(rows, request, "peak");
  return rows;
}

bool hasFit(const pva::Report &report) {
  const std::vector<pva::AdviceTrial> trials = report.popscope().adviceTrials();
  return !trials.empty() && (trials.front().tilesOutOfMemory == 0 || std::any_of(trials.begin(), trials.end(), isFit));
}

namespace {

/// Writes the changes of `best` to the file, and adds a note about it.
void writeChanges(const std::string &file, const pva::AdviceTrial &best, Rows &rows) {
  try {
    writeWholeFile(file, best.changes + "\n");
  } catch (const std::system_error &e) {
    throw AnswerError(file + ": cannot be written: " + e.code().message());
  }
  rows.notes.push_back(noteOfFile(file, best));
}

} // namespace

// Collects the answer: the set of changes with which the program fits, and its effect. If the program fits with no set,
// the answer is a finding about the best trial by rankOf. Writes the changes to the file of --write.
Rows collectFit(const Request &request) {
  Rows rows;
  rows.view = "fit";
  const std::vector<pva::AdviceTrial> trials = request.report.popscope().adviceTrials();
  const std::string file = request.options.at("write");
  if (trials.empty() && request.report.popscope().tilesOutOfMemory().empty()) {
    rows.fact("fits", true);
    rows.lines.emplace_back("The program fits without changes.");
    pva::AdviceTrial none{};
    none.changes = "[]";
    if (!file.empty())
      writeChanges(file, none, rows);
    suggest(rows, request, "info");
    return rows;
  }
  if (trials.empty())
    throw AnswerError(std::string("the profile has no trials; compile with them: ") + kTryHint);
  const pva::AdviceTrial &before = trials.front();
  rows.fact("compilations",
            std::uint64_t(std::count_if(trials.begin() + 1, trials.end(), [](const auto &t) { return !isFit(t); })));
  const auto found = std::find_if(trials.begin(), trials.end(), [](const auto &t) { return isFit(t); });
  const auto nearest = std::min_element(trials.begin(), trials.end(), [&](const auto &a, const auto &b) {
    return rankOf(a, before) < rankOf(b, before);
  });
  const pva::AdviceTrial &best = found != trials.end() ? *found : before.tilesOutOfMemory == 0 ? before : *nearest;
  rows.fact("tilesOutOfMemory", before.tilesOutOfMemory, Unit::Tiles);
  rows.fact("pastEnd", before.pastEndBytes, Unit::Bytes);
  rows.fact("fits", best.tilesOutOfMemory == 0);
  rows.fact("least", found != trials.end() && found->purpose != "fits");
  rows.fact("smallest", found != trials.end() && found->purpose == "smallest");
  rows.fact("numChanges", best.numChanges);
  rows.fact("leftPastEnd", best.pastEndBytes, Unit::Bytes);
  rows.fact("applyAdvice", best.changes);
  if (before.tilesOutOfMemory == 0) {
    rows.lines.emplace_back("The program fits without changes.");
  } else if (found != trials.end()) {
    rows.lines.push_back(asItIs(before));
    rows.lines.emplace_back(
        best.numChanges == 1           ? "With this change the program fits, as its compilation with the change shows."
        : found->purpose == "smallest" ? "With these {numChanges:change} the program fits, as its compilation with "
                                         "them shows. No smaller set of the proposed changes is enough: each was "
                                         "compiled and does not fit, or leaves more on a tile than it has."
        : found->purpose == "fit"
            ? "With these {numChanges:change} the program fits, as its compilation with them shows. Each of them is "
              "needed: the program was also compiled without each of them, and did not fit."
            : "With these {numChanges:change} the program fits, as its compilation with them shows. Fewer may be "
              "enough: the compilations that popscope.tryAdvice allows ran out before Popscope had compiled the "
              "program without each single change.");
  } else {
    rows.finding = true;
    rows.fact("leftTiles", best.tilesOutOfMemory, Unit::Tiles);
    rows.lines.push_back(asItIs(before));
    rows.lines.emplace_back(noneFits(best));
  }
  Table changes{"changes", "Changes", changeColumns(), {}};
  ChangePlaces places(request.report);
  const ChosenChanges chosen(request);
  std::uint64_t number = 0;
  for (const TrialChange &change : changesOf(best)) {
    ++number;
    if (!chosen.contains(change))
      continue;
    if (changes.rows.size() == request.selection.countOr(~std::size_t(0))) {
      ++changes.more;
      continue;
    }
    changes.rows.push_back(rowOf(number, change, places));
  }
  rows.tables.push_back(std::move(changes));
  Table effect{"effect",
               "What they do",
               {{"figure", "Figure"}, {"before", "Before"}, {"after", "After"}, {"change", "Change"}},
               {}};
  const auto add = [&](const char *figure, std::uint64_t was, std::uint64_t is) {
    effect.rows.push_back({std::string(figure), was, is, change(was, is)});
  };
  add("tiles that do not fit", before.tilesOutOfMemory, best.tilesOutOfMemory);
  add("bytes past the end", before.pastEndBytes, best.pastEndBytes);
  add("highest address on a tile", before.fullestBytes, best.fullestBytes);
  add("bytes on all tiles", before.allTilesBytes, best.allTilesBytes);
  add("bytes of internal exchange code", before.exchangeCodeBytes, best.exchangeCodeBytes);
  add("cycles of internal exchanges, each once", before.exchangeCycles, best.exchangeCycles);
  if (best.numChanges != 0)
    rows.tables.push_back(std::move(effect));
  if (best.numChanges != 0)
    rows.notes.emplace_back(
        "the program computes the same values; its compute cycles are known after a run with the changes");
  if (found != trials.end() && found->purpose != "smallest")
    rows.notes.emplace_back(
        "a smaller set may be enough: with a larger popscope.tryAdvice, the engine compiles smaller sets, too");
  rows.counted = false;
  if (!file.empty()) {
    writeChanges(file, best, rows);
  } else if (best.numChanges != 0 && hasFit(request.report)) {
    suggest(rows, request, "fit", "--write changes.json");
  }
  if (rows.finding)
    suggest(rows, request, "oom");
  suggest(rows, request, "advise");
  return rows;
}

} // namespace popscope
