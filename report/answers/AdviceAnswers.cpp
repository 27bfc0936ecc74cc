#include "report/answers/AdviceAnswers.hpp"

#include "base/ReadNumber.hpp"
#include "base/ShownText.hpp"
#include "base/WholeFile.hpp"
#include "base/settings/EngineOptionTable.hpp"
#include "report/answers/ChangePlaces.hpp"
#include "report/answers/LivenessAdvice.hpp"
#include "report/answers/MappingSkew.hpp"

#include <algorithm>
#include <array>
#include <system_error>
#include <tuple>

namespace popscope {
namespace {

constexpr std::size_t kEvery = ~std::size_t(0);
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
    return none + ". No set reduces the bytes past the end.";
  return none + ". With the set that comes nearest, {leftTiles} still " + (best.tilesOutOfMemory == 1 ? "does" : "do") +
         " not fit, with {leftPastEnd} past the end in total.";
}
/// Returns the note about a file to which the changes of `best` were written.
std::string noteOfFile(const std::string &file, const pva::AdviceTrial &best) {
  if (best.numChanges == 0)
    return file + " contains an empty list, because " +
           (best.tilesOutOfMemory == 0 ? "the program needs no change" : "no set of changes that was tried helps");
  if (best.tilesOutOfMemory != 0)
    return "with the changes in " + file +
           ", the program still does not fit: popscope oom lists what is too large without the changes";
  return "apply them with POPLAR_ENGINE_OPTIONS='{\"popscope.applyAdvice\":\"" + file + "\"}' PROGRAM";
}
/// Returns whether popscope.tryAdvice can be larger than in this profile.
bool canTryMore(const pva::Report &report) {
  constexpr const char *kKey = "popscope.tryAdvice";
  const OptionRow &row = *engineOptionTable().find(kKey);
  for (const pva::Option &option : report.compilation().engineOptions())
    if (option.key == kKey)
      return readWhole(option.value, {row.min, row.max}).value_or(0) < row.max;
  return true;
}
bool isFit(const pva::AdviceTrial &t) { return t.purpose == "smallest" || t.purpose == "fit" || t.purpose == "fits"; }
std::vector<Column> changeColumns() {
  return {
      {"number", "No.", Unit::Id}, {"change", "Change"}, {"tile", "Tile", Unit::Id}, {"step", "Fullest at", Unit::Id}};
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
  Table changes{"changes", "Proposals that help, best first", changeColumns()};
  Table effects{"effects",
                "What each proposal changes",
                {{"number", "No.", Unit::Id},
                 {"pastEnd", "Past end", Unit::Bytes},
                 {"fullest", "Highest", Unit::Bytes},
                 {"allTiles", "All tiles", Unit::Bytes},
                 {"exchangeCode", "Exch. code", Unit::Bytes},
                 {"exchangeCycles", "Exch. cycles", Unit::Cycles}}};
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
      "each proposal was compiled: bytes are those of its layout; exchange code and cycles are those of exchanges "
      "within IPUs, and each exchange counts once. The program computes the same values");
}

} // namespace

Rows collectAdvise(const Request &request) {
  Rows rows("advise");
  const std::vector<pva::AdviceTrial> trials = request.report.popscope().adviceTrials();
  const pva::LivenessAdvice advice = request.report.popscope().livenessAdvice();
  const MappingSkew skew = mappingSkew(request.report, request.selection);
  if (trials.empty() && !advice.present && !skew.skewed)
    throw AnswerError(
        "the profile contains neither liveness explanations nor trials; run the program with autoReport.all "
        "and popscope.tryAdvice set: popscope fit --help shows the command");
  if (!trials.empty())
    addTrials(request, trials, rows);
  if (advice.present)
    addLivenessAdvice(request, advice, rows);
  else
    rows.notes.emplace_back("false-live bytes are not in the profile (autoReport.outputLivenessExplanation)");
  addMappingSkew(request, skew, kUsualAdviceRows, rows);
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
void writeChanges(const std::string &file, const pva::AdviceTrial &best, const Request &request, Rows &rows) {
  checkOutputIsNoInput(file, std::array{request.profile});
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
  Rows rows("fit");
  const std::vector<pva::AdviceTrial> trials = request.report.popscope().adviceTrials();
  const std::string file = request.options.at("write");
  if (trials.empty() && request.report.popscope().tilesOutOfMemory().empty()) {
    rows.fact("fits", true);
    rows.lines.emplace_back("The program fits without changes.");
    pva::AdviceTrial none{};
    none.changes = "[]";
    if (!file.empty())
      writeChanges(file, none, request, rows);
    suggest(rows, request, "info");
    return rows;
  }
  const MappingSkew skew = mappingSkew(request.report, request.selection);
  if (trials.empty() && (!skew.skewed || !file.empty()))
    throw AnswerError(std::string("the profile has no trials; compile with them: ") + kTryHint);
  if (trials.empty()) {
    rows.fact("fits", false);
    rows.finding = true;
    rows.lines.emplace_back("!The program does not fit, and was not compiled with changes.");
    addMappingSkew(request, skew, kEvery, rows);
    rows.notes.push_back(std::string("to find changes with which the program fits, compile with trials: ") + kTryHint);
    suggest(rows, request, "oom");
    return rows;
  }
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
                                         "compiled and does not fit, or leaves more bytes on a tile than the tile has."
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
  Table changes{"changes", "Changes", changeColumns()};
  ChangePlaces places(request.report);
  const ChosenChanges chosen(request);
  std::uint64_t number = 0;
  for (const TrialChange &change : changesOf(best)) {
    ++number;
    if (!chosen.contains(change))
      continue;
    if (changes.rows.size() == request.selection.countOr(kEvery)) {
      ++changes.more;
      continue;
    }
    changes.rows.push_back(rowOf(number, change, places));
  }
  rows.tables.push_back(std::move(changes));
  Table effect{
      "effect", "What they do", {{"figure", "Figure"}, {"before", "Before"}, {"after", "After"}, {"change", "Change"}}};
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
  if (best.tilesOutOfMemory != 0)
    addMappingSkew(request, skew, kEvery, rows);
  if (best.numChanges != 0)
    rows.notes.emplace_back(
        "the program computes the same values; its compute cycles are known after a run with the changes");
  if (found != trials.end() && found->purpose != "smallest" && canTryMore(request.report))
    rows.notes.emplace_back(
        "a smaller set may be enough: with a larger popscope.tryAdvice, the engine compiles smaller sets, too");
  rows.counted = false;
  if (!file.empty()) {
    writeChanges(file, best, request, rows);
  } else if (best.numChanges != 0 && hasFit(request.report)) {
    suggest(rows, request, "fit", "--write changes.json");
  }
  if (rows.finding)
    suggest(rows, request, "oom");
  suggest(rows, request, "advise");
  return rows;
}

} // namespace popscope
