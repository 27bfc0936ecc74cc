#include "report/answers/LiveAnswers.hpp"

#include "base/ReadNumber.hpp"
#include "base/ShownText.hpp"
#include "report/answers/LiveTable.hpp"
#include "report/answers/MovedNames.hpp"
#include "report/answers/NoMatch.hpp"
#include "report/answers/Ranking.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace popscope {
namespace {

constexpr std::size_t kUsualSteps = 5, kUsualLiveVariables = 15;
constexpr std::size_t kMaxVariablesRead = 32; // variables whose accesses `vars` lists; each costs a lookup in the file

std::string where(const Request &request, std::size_t tiles) {
  if (request.selection.everyTile())
    return "on all tiles";
  return "on the " + cellText(std::uint64_t(tiles), Unit::Tiles) + " chosen";
}

Table liveTable(const LiveTable &live, std::size_t step, const Request &request, const std::string &key,
                const std::string &title) {
  Ranking ranking({key,
                   title,
                   {{"name", "Name"},
                    {"category", "Category"},
                    {"variables", "Variables"},
                    {"bytes", "Bytes", Unit::Bytes},
                    {"share", "Of the live", Unit::Percent},
                    {"from", "From step", Unit::Id},
                    {"to", "To step", Unit::Id}}});
  const std::uint64_t all = live.bytes()[step] + live.alwaysLiveBytes();
  for (const LiveGroup &group : live.groupsAt(step, request.selection.name))
    ranking.add(group.bytes, {group.name, group.category, group.variables, group.bytes, Share{group.bytes, all},
                              std::uint64_t(live.programOf(group.from)), std::uint64_t(live.programOf(group.to))});
  return ranking.take(request.selection.countOr(kUsualLiveVariables));
}

std::size_t stepFor(const LiveTable &live, const std::string &flag, const std::string &text) {
  const auto id = readWhole(text);
  if (!id)
    throw AnswerError(flag + ": \"" + text + "\" is not allowed; give the id of a step, " +
                      describeRange({0, live.lastProgram()}));
  const auto step = live.stepOfProgram(static_cast<std::size_t>(*id));
  if (!step)
    throw AnswerError(flag + ": step " + text + " is no liveness step; the nearest is " +
                      std::to_string(live.programOf(live.nearestStep(static_cast<std::size_t>(*id)))));
  return *step;
}

/// Returns the steps of the table that --steps and --runs select, ascending.
std::vector<std::size_t> chosenSteps(const pva::Report &report, const Selection &selection, const LiveTable &live) {
  const StepChoice steps(report, selection);
  std::vector<std::size_t> chosen;
  for (std::size_t s = 0; s < live.bytes().size(); ++s)
    if (steps.contains(live.programOf(s)))
      chosen.push_back(s);
  return chosen;
}

bool liveAtSome(const LiveVariable &v, const std::vector<std::size_t> &steps) {
  return std::any_of(v.spans.begin(), v.spans.end(), [&](const pva::StepInterval &span) {
    const auto first = std::lower_bound(steps.begin(), steps.end(), span.start());
    return first != steps.end() && *first < span.end();
  });
}

/// Returns the error for a VAR that matches none of the variables that have a part on the selected tiles and are live
/// at a selected step.
AnswerError noVariable(const Request &request) {
  return noMatch({.what = "variable",
                  .list = "vars",
                  .isMatch = [&](const std::string &name) { return nameMatches(request.argument, name); },
                  .within =
                      [&](const Selection &selection) {
                        const LiveTable live(request.report, selection);
                        const std::vector<std::size_t> steps = chosenSteps(request.report, selection, live);
                        std::vector<std::string> names;
                        for (const LiveVariable &v : live.variables())
                          if (selection.everyStep() || liveAtSome(v, steps))
                            names.push_back(v.variable.name());
                        return names;
                      }},
                 request.argument, request.selection);
}

/// Returns "all", "16 of 64" or "".
std::string partText(std::uint64_t part, std::uint64_t elements) {
  if (part == 0)
    return "";
  return part == elements ? "all" : cellText(part) + " of " + cellText(elements);
}

/// Returns the accesses of the selected steps to some variables, by variable, then step.
Table accessTable(const Request &request, const std::vector<pva::Variable> &variables) {
  Table table{"accesses",
              "Steps that access them, and how many elements",
              {{"name", "Name"},
               {"step", "Step", Unit::Id},
               {"program", "Program"},
               {"reads", "Reads"},
               {"writes", "Writes"},
               {"undefines", "Undefines"}}};
  const StepChoice steps(request.report, request.selection);
  const std::size_t most = request.selection.countOr(kUsualLiveVariables);
  MovedNames names(request.report);
  for (const pva::Variable &variable : variables)
    for (const pva::VariableAccess &a : request.report.popscope().variableAccesses(variable)) {
      if (!steps.contains(a.program->_id()))
        continue;
      if (table.rows.size() == most)
        ++table.more;
      else
        table.rows.push_back({variable.name(), std::uint64_t(a.program->_id()), names.titleOf(*a.program),
                              partText(a.read, a.elements), partText(a.written, a.elements),
                              partText(a.undefined, a.elements)});
    }
  return table;
}

/// Variables of one name and category, like the buffers of one exchange.
class Namesakes {
public:
  explicit Namesakes(const std::vector<bool> &chosen) : chosen_(&chosen) {}
  /// `v` must outlive the object.
  void add(const LiveVariable &v, const std::string &spans) {
    if (variables_++ == 0) {
      first_ = &v;
      spans_ = spans;
    } else {
      if (variables_ == 2)
        spread(*first_);
      spread(v);
      if (spans_ != spans)
        spans_ = "differ";
    }
    bytes_ += v.bytes;
  }
  [[nodiscard]] std::uint64_t variables() const { return variables_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] std::uint64_t tiles() const { return variables_ == 1 ? first_->tiles : onTile_.size(); }
  [[nodiscard]] const std::string &spans() const { return spans_; }
  /// Returns the tile that holds most bytes of the variables (the lowest of equal tiles), and the number of these
  /// bytes. Returns no value if the tiles of the variables are not known.
  [[nodiscard]] std::optional<std::pair<std::size_t, std::uint64_t>> largest() const {
    if (tiles() == 0)
      return std::nullopt;
    if (variables_ == 1)
      return std::pair(first_->largestTile, first_->largestPart);
    return *std::max_element(onTile_.begin(), onTile_.end(),
                             [](const auto &a, const auto &b) { return a.second < b.second; });
  }

private:
  void spread(const LiveVariable &v) {
    if (v.tiles == 1)
      onTile_[v.largestTile] += v.largestPart;
    else
      for (const pva::VariablePart &part : v.variable.parts())
        for (const auto &[tile, bytes] : part.tiles)
          if (chosen_->empty() || (tile < chosen_->size() && (*chosen_)[tile]))
            onTile_[tile] += bytes;
  }

  const std::vector<bool> *chosen_; // per tile; empty = all
  const LiveVariable *first_ = nullptr;
  std::uint64_t variables_ = 0, bytes_ = 0;
  std::string spans_;
  std::map<std::size_t, std::uint64_t> onTile_; // bytes; filled from the second variable on
};

void addStep(const LiveTable &live, std::size_t step, const std::string &prefix, Rows &rows) {
  rows.fact(prefix + "Step", std::uint64_t(live.programOf(step)), Unit::Id);
  rows.fact(prefix + "Program", live.titleOf(step));
  rows.fact(prefix + "Live", live.bytes()[step] + live.alwaysLiveBytes(), Unit::Bytes);
}

} // namespace

// Counts live variables per step by their intervals, ranks the selected steps by live bytes, and lists what is live at
// the worst step.
Rows collectPeak(const Request &request) {
  Rows rows("peak");
  const auto tiles = selectedTiles(request.report, request.selection);
  const LiveTable live(request.report, request.selection);
  const StepChoice steps(request.report, request.selection);
  Ranking ranking({"steps",
                   "Steps with most live bytes " + where(request, tiles.size()),
                   {{"step", "Step", Unit::Id},
                    {"program", "Program"},
                    {"live", "Live", Unit::Bytes},
                    {"notAlways", "Not always", Unit::Bytes},
                    {"variables", "Variables"}}});
  const std::size_t most = live.worstOf(steps);
  std::vector<std::uint64_t> counts(live.bytes().size());
  for (const LiveVariable &v : live.variables())
    if (!v.variable.alwaysLive())
      for (const auto &span : v.spans)
        for (std::size_t s = span.start(); s < std::min<std::size_t>(span.end(), counts.size()); ++s)
          ++counts[s];
  for (std::size_t s = 0; s < live.bytes().size(); ++s) {
    if (!steps.contains(live.programOf(s)))
      continue;
    ranking.add(live.bytes()[s], {std::uint64_t(live.programOf(s)), live.titleOf(s),
                                  live.bytes()[s] + live.alwaysLiveBytes(), live.bytes()[s], counts[s]});
  }
  rows.fact("alwaysLive", live.alwaysLiveBytes(), Unit::Bytes);
  addStep(live, most, "peak", rows);
  rows.lines.emplace_back("Most bytes are live at step {peakStep}, {peakProgram}: {peakLive} " +
                          where(request, tiles.size()) + ", {alwaysLive} of them at every step.");
  Table variables = liveTable(live, most, request, "variables", "Live at step " + std::to_string(live.programOf(most)));
  Table ranked = ranking.take(request.selection.count ? request.selection.countOr(0) : kUsualSteps);
  rows.tables.push_back(std::move(ranked));
  rows.tables.push_back(std::move(variables));
  suggest(rows, request, "live", "--at " + std::to_string(live.programOf(most)));
  suggest(rows, request, "advise");
  suggest(rows, request, "tile");
  return rows;
}

// Lists what is live at a step. With --vs, lists instead the change of each variable's bytes between two steps, the
// largest change first.
Rows collectLive(const Request &request) {
  Rows rows("live");
  const auto tiles = selectedTiles(request.report, request.selection);
  const LiveTable live(request.report, request.selection);
  const std::string at = request.options.at("at"), versus = request.options.at("vs");
  std::size_t step = 0;
  if (at.empty()) // the peak
    step = live.worstOf(StepChoice(request.report, request.selection));
  else
    step = stepFor(live, "--at", at);
  rows.fact("alwaysLive", live.alwaysLiveBytes(), Unit::Bytes);
  addStep(live, step, "at", rows);
  rows.lines.emplace_back("At step {atStep}, {atProgram}: {atLive} live " + where(request, tiles.size()) +
                          ", {alwaysLive} of them at every step.");
  if (versus.empty()) {
    rows.tables.push_back(liveTable(live, step, request, "variables", "Live there"));
    suggest(rows, request, "live",
            "--at " + std::to_string(live.programOf(0)) + " --vs " + std::to_string(live.programOf(step)));
    suggest(rows, request, "peak");
    return rows;
  }
  const std::size_t other = stepFor(live, "--vs", versus);
  addStep(live, other, "vs", rows);
  rows.fact("difference",
            static_cast<std::int64_t>(live.bytes()[other]) - static_cast<std::int64_t>(live.bytes()[step]),
            Unit::Bytes);
  rows.lines.emplace_back("At step {vsStep}, {vsProgram}: {vsLive}; the difference is {difference}.");
  Ranking ranking({"changes",
                   "What changed from the first step to the second",
                   {{"name", "Name"},
                    {"category", "Category"},
                    {"variables", "Variables"},
                    {"change", "Change"},
                    {"bytes", "Bytes", Unit::Bytes}}});
  struct Change {
    std::uint64_t variables = 0, first = 0, second = 0;
  };
  std::map<std::pair<std::string, std::string>, Change> changes; // by name and category
  std::uint64_t common = 0;
  for (const LiveVariable &v : live.variables()) {
    const std::uint64_t first = v.bytesAt(step), second = v.bytesAt(other);
    if (!v.variable.alwaysLive())
      common += std::min(first, second);
    if (first == second || (!request.selection.name.empty() && !nameMatches(request.selection.name, v.variable.name())))
      continue;
    Change &change = changes[{v.variable.name(), v.variable.category()}];
    ++change.variables;
    change.first += first;
    change.second += second;
  }
  for (const auto &[key, change] : changes) { // a variable may live longer on some tiles than on others
    const bool more = change.second > change.first;
    const std::uint64_t bytes = more ? change.second - change.first : change.first - change.second;
    ranking.add(bytes, {key.first, key.second, change.variables,
                        change.first == 0    ? "new"
                        : change.second == 0 ? "gone"
                        : more               ? "more"
                                             : "less",
                        bytes});
  }
  rows.fact("common", common, Unit::Bytes);
  rows.lines.emplace_back("{common} that are not always live are live at both steps.");
  rows.tables.push_back(ranking.take(request.selection.countOr(kUsualLiveVariables)));
  suggest(rows, request, "live", "--at " + std::to_string(live.programOf(other)));
  return rows;
}

// Lists variables by bytes within the selection. If a pattern selects few variables, adds the accesses of programs to
// these variables.
Rows collectVars(const Request &request) {
  Rows rows("vars");
  const std::string &pattern = request.argument.empty() ? request.selection.name : request.argument;
  const auto tiles = selectedTiles(request.report, request.selection);
  const LiveTable live(request.report, request.selection);
  Ranking ranking({"variables",
                   "Variables by bytes " + where(request, tiles.size()) +
                       (request.selection.everyStep() ? "" : ", of those live at the steps chosen"),
                   {{"name", "Name"},
                    {"category", "Category"},
                    {"variables", "Variables"},
                    {"bytes", "Bytes", Unit::Bytes},
                    {"tiles", "Tiles", Unit::Tiles},
                    {"largestTile", "Largest on tile", Unit::Id},
                    {"largestPart", "Bytes there", Unit::Bytes},
                    {"live", "Live at steps", Unit::Spans}}});
  std::uint64_t found = 0, bytes = 0;
  bool isThere = false; // whether a variable matches the argument
  std::vector<pva::Variable> read;
  std::vector<Namesakes> groups;
  const std::vector<bool> chosenTiles =
      request.selection.everyTile() ? std::vector<bool>() : tileMask(request.report, request.selection);
  std::map<std::pair<std::string, std::string>, std::size_t> known; // by name and category
  const std::vector<std::size_t> chosen = chosenSteps(request.report, request.selection, live);
  for (const LiveVariable &v : live.variables()) {
    if (!request.selection.everyStep() && !liveAtSome(v, chosen))
      continue;
    const std::string name = v.variable.name();
    if (!nameMatches(request.argument, name))
      continue;
    isThere = true;
    if (!nameMatches(request.selection.name, name))
      continue;
    ++found;
    if (found <= kMaxVariablesRead)
      read.push_back(v.variable);
    bytes += v.bytes;
    const auto [at, isNew] = known.try_emplace({name, v.variable.category()}, groups.size());
    if (isNew)
      groups.emplace_back(chosenTiles);
    groups[at->second].add(v, live.spansText(v));
  }
  for (const auto &[key, index] : known) {
    const Namesakes &group = groups[index];
    const auto most = group.largest();
    ranking.add(group.bytes(), {key.first, key.second, group.variables(), group.bytes(), group.tiles(),
                                most ? Cell(std::uint64_t(most->first)) : Cell(Unknown()),
                                most ? most->second : std::uint64_t(0), group.spans()});
  }
  if (!isThere)
    throw noVariable(request);
  rows.fact("variables", found);
  rows.fact("bytes", bytes, Unit::Bytes);
  rows.lines.emplace_back("{variables:variable}, {bytes} " + where(request, tiles.size()) +
                          " (variables may share addresses).");
  rows.tables.push_back(ranking.take(request.selection.countOr(kUsualLiveVariables)));
  if (!pattern.empty() && found <= kMaxVariablesRead) {
    if (request.report.popscope().hasVariableAccesses())
      rows.tables.push_back(accessTable(request, read));
    else
      rows.notes.emplace_back("which steps access them is not in the profile (autoReport.outputLivenessExplanation)");
  }
  std::set<std::string> explained;
  for (const pva::LiveExplanation &e : request.report.popscope().livenessAdvice().explanations)
    if (!pattern.empty() || !e.variable.alwaysLive())
      explained.insert(e.variable.name());
  const auto &shown = rows.tables[0].rows;
  const auto reasoned = std::find_if(shown.begin(), shown.end(), [&](const auto &row) {
    return explained.count(std::get<std::string>(row.front())) != 0;
  });
  if (reasoned != shown.end())
    suggest(rows, request, "why", shellWord(std::get<std::string>(reasoned->front())));
  suggest(rows, request, "peak");
  return rows;
}

} // namespace popscope
