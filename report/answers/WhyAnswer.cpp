#include "report/answers/WhyAnswer.hpp"

#include "base/ReadNumber.hpp"
#include "base/ShownText.hpp"
#include "report/answers/EnginePrograms.hpp"
#include "report/answers/MovedNames.hpp"
#include "report/answers/NoMatch.hpp"
#include "report/answers/Ranking.hpp"
#include "report/answers/StepTimes.hpp"
#include "report/summary/Format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

namespace popscope {
namespace {

struct StepName {
  std::size_t id = 0;
  std::string title;
  std::string inProgram; // EnginePrograms::textOf
  bool loop = false;     // true: the step is a loop, and variables that are live at this step are live between its
                         // iterations
  bool writeUndef = false;
};
/// Everything that is live, but not always live, at a step.
struct LiveThere {
  StepName step;
  std::uint64_t bytes = 0;
  std::uint64_t own = 0; // bytes of the variable
};
struct WhyRow {
  StepName first, last; // both inclusive
  StepName read;
  std::optional<StepName> born, failedKill, carriedBy;
  std::uint64_t missedElements = 0;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> missed; // the first ranges
  std::string carrier;
  std::optional<LiveThere> fullest; // the step with most other live bytes; absent for always-live variables and bare
                                    // Sequences
};
struct FalseLiveRow {
  StepName first, last;
  std::uint64_t bytes = 0;
};
struct WhyVariable {
  std::string name, category;
  std::size_t count = 1;   // variables of this name that are live for the same reasons
  std::uint64_t bytes = 0; // on all tiles of one replica
  std::vector<std::pair<std::uint64_t, std::uint64_t>> parts; // (tile, bytes) of the selected tiles, ascending
  bool alwaysLive = false;
  std::vector<WhyRow> rows; // ascending steps; a single one if a step was requested
  std::vector<FalseLiveRow> falseLive;
  /// Returns the largest part, or {0, 0} if there is none. If several parts are largest, returns the first of these.
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> largest() const {
    const auto most =
        std::max_element(parts.begin(), parts.end(), [](const auto &a, const auto &b) { return a.second < b.second; });
    return most == parts.end() ? std::pair<std::uint64_t, std::uint64_t>() : *most;
  }
};
struct Whys {
  std::optional<StepName> step; // the requested step
  /// The variables with the requested name. If there are many such variables, or if the name is a pattern, contains
  /// only the largest variables that are live at the requested place.
  std::vector<WhyVariable> variables;
  bool pattern = false;
  std::size_t more = 0; // number of variables left out
};

/// Returns whether the program is a loop that can have several iterations. Returns false for a Repeat of one iteration.
bool hasNextIteration(const pva::Program &program) {
  const auto *repeat = dynamic_cast<const pva::RepeatProgram *>(&program);
  return isLoop(program.type()) && (repeat == nullptr || repeat->count() > 1);
}

/// Returns the name in the form of the summary, "OnTileExecute: name", with its id.
StepName stepName(const pva::Program &program, MovedNames &titles, const EnginePrograms &programs) {
  return {program._id(), titles.titleOf(program), programs.textOf(program._id()), hasNextIteration(program),
          program.type() == pva::Program::Type::WriteUndef};
}
/// Returns, for example, "step 12 OnTileExecute: forward".
std::string stepText(const StepName &step) {
  return "step " + std::to_string(step.id) + (step.title.empty() ? "" : " " + shownText(step.title));
}
/// Returns the place of something that is live at the step, for example, "at step 12 OnTileExecute: forward" or
/// "between the iterations of Repeat: train (step 4)".
std::string placeText(const StepName &step) {
  return step.loop ? "between the iterations of " + shownText(step.title) + " (step " + std::to_string(step.id) + ")"
                   : "at " + stepText(step);
}
/// Returns the place of something that is live from a step to another, both inclusive.
std::string spanText(const StepName &first, const StepName &last) {
  return first.id == last.id ? placeText(first)
                             : (first.loop ? "from " : "") + placeText(first) + " to " + stepText(last);
}

constexpr std::size_t kUsualReasons = 40;   // reasons of a variable, if no step was requested
constexpr std::size_t kUsualNamesakes = 40; // variables of one name
constexpr std::size_t kUsualExplained = 8;  // variables of a pattern
constexpr std::size_t kUsualOfEach = 3;     // reasons of each variable of a pattern

using ProgramNames = std::map<std::size_t, StepName>;

void addNames(const pva::Program &program, MovedNames &titles, const EnginePrograms &programs, ProgramNames &names) {
  names.emplace(program._id(), stepName(program, titles, programs));
  for (const auto &child : program.children())
    addNames(*child, titles, programs, names);
}

StepName nameOf(const ProgramNames &names, std::size_t id) {
  const auto known = names.find(id);
  return known == names.end() ? StepName{id, "", ""} : known->second;
}

std::optional<StepName> nameOf(const ProgramNames &names, const std::shared_ptr<pva::Program> &program) {
  return program ? std::optional<StepName>(nameOf(names, program->_id())) : std::nullopt;
}

/// The names of the variables to explain: a name, or the patterns of VAR and --name.
class AskedNames {
public:
  AskedNames(const Request &request, const pva::LivenessAdvice &advice)
      : argument_(request.argument), filter_(request.selection.name) {
    pattern_ = argument_.empty() || isPattern(argument_);
    if (pattern_ && !argument_.empty()) // a name may contain * and ?
      pattern_ = std::none_of(advice.explanations.begin(), advice.explanations.end(),
                              [&](const pva::LiveExplanation &e) { return isNamed(argument_, e.variable.name()); });
  }
  [[nodiscard]] bool contains(const std::string &name) const { return isArgument(name) && nameMatches(filter_, name); }
  /// Throws AnswerError with the nearest name if no variable of the profile has a name that VAR selects.
  void requireArgument(const pva::Report &report) const {
    const auto isMatch = [&](const std::string &name) { return isArgument(name); };
    std::vector<std::string> names;
    for (const auto &v : report.compilation().variables())
      names.push_back(v.name());
    if (!argument_.empty() && std::none_of(names.begin(), names.end(), isMatch))
      throw noMatch({.what = "variable",
                     .list = "vars",
                     .matches = pattern_ ? "matches" : "has the name",
                     .isMatch = isMatch,
                     .within = [&](const Selection &) { return names; }},
                    argument_, {});
  }
  [[nodiscard]] bool pattern() const { return pattern_; }
  /// Returns the text as the user gave it.
  [[nodiscard]] std::string text() const {
    return argument_.empty() ? filter_ : argument_ + (filter_.empty() ? "" : " --name " + filter_);
  }

private:
  [[nodiscard]] bool isArgument(const std::string &name) const {
    return argument_.empty() || (pattern_ ? nameMatches(argument_, name) : isNamed(argument_, name));
  }
  std::string argument_, filter_;
  bool pattern_ = false;
};

/// Throws AnswerError with the reason why no variable has an explanation.
[[noreturn]] void failUnknown(const pva::Report &report, const AskedNames &asked) {
  std::set<std::string> known;
  std::uint64_t neverLive = 0; // bytes of those requested variables that no program reads
  for (const auto &v : report.compilation().variables())
    if (v.alwaysLive() || !v.liveSteps().empty())
      known.insert(v.name());
    else if (!asked.pattern() && asked.contains(v.name()))
      neverLive += v.size();
  const std::string name = asked.text();
  if (asked.pattern())
    throw AnswerError(fmt::format("no variable{} needs an explanation: constants, code and system data are always live "
                                  "by nature, and what nothing reads is not live",
                                  name.empty() ? std::string() : " '" + name + "'"));
  if (std::any_of(known.begin(), known.end(), [&](const std::string &one) { return isNamed(name, one); }))
    throw AnswerError(
        fmt::format("'{}' is always live by nature (a constant, code or system data), or nothing reads it: "
                    "there is nothing to explain",
                    name));
  if (neverLive != 0)
    throw AnswerError(fmt::format("nothing reads '{}', so it is never live: there is nothing to explain. Its {} B "
                                  "take memory only at steps that write them",
                                  name, commas(neverLive)));
  throw AnswerError(fmt::format("'{}' is not live anywhere in the profile: there is nothing to explain", name));
}

// Live bytes at the steps of the profile, by program id.
class LiveSteps {
public:
  explicit LiveSteps(const pva::Report &report) {
    for (const auto &step : report.compilation().livenessProgramSteps())
      bytes_.emplace_back(step.program()->_id(), step.notAlwaysLiveMemory().bytes());
  }
  // Returns the position of the first of the fullest steps among programs [first, end), or nothing if there is no step.
  [[nodiscard]] std::optional<std::size_t> fullest(std::size_t first, std::size_t end) const {
    std::optional<std::size_t> found;
    const auto at = std::lower_bound(bytes_.begin(), bytes_.end(), std::pair<std::size_t, std::uint64_t>(first, 0)) -
                    bytes_.begin();
    for (auto i = static_cast<std::size_t>(at); i < bytes_.size() && bytes_[i].first < end; ++i)
      if (!found || bytes_[i].second > bytes_[*found].second)
        found = i;
    return found;
  }
  // Returns whether a variable can be live at the program: at a liveness step or, between its iterations, at a loop.
  [[nodiscard]] bool isPlace(std::size_t id, const ProgramNames &names) const {
    const auto at = std::lower_bound(bytes_.begin(), bytes_.end(), std::pair<std::size_t, std::uint64_t>(id, 0));
    return (at != bytes_.end() && at->first == id) || nameOf(names, id).loop;
  }
  // Returns the first and the last place of [first, end). If the range has no place, returns its last program twice.
  [[nodiscard]] std::pair<std::size_t, std::size_t> ends(std::size_t first, std::size_t end,
                                                         const ProgramNames &names) const {
    std::size_t last = end - 1;
    while (first < last && !isPlace(first, names))
      ++first;
    while (first < last && !isPlace(last, names))
      --last;
    return {first, last};
  }
  [[nodiscard]] LiveThere at(std::size_t index, const ProgramNames &names) const {
    return {nameOf(names, bytes_[index].first), bytes_[index].second, 0};
  }

private:
  std::vector<std::pair<std::size_t, std::uint64_t>> bytes_; // ascending program ids
};

WhyRow whyRow(const pva::LiveExplanation &e, const ProgramNames &names, const LiveSteps &steps) {
  WhyRow row;
  const auto [first, last] = steps.ends(e.firstProgram, e.endProgram, names);
  row.first = nameOf(names, first);
  row.last = nameOf(names, last);
  row.read = nameOf(names, e.read->_id());
  row.born = nameOf(names, e.born);
  row.failedKill = nameOf(names, e.failedKill);
  row.carriedBy = nameOf(names, e.carriedBy);
  row.missedElements = e.missedElements;
  row.missed = e.missed;
  row.carrier = e.carrier;
  return row;
}

/// Returns whether the step lies in one of the ascending intervals.
bool contains(const pva::List<pva::StepInterval> &spans, std::size_t step) {
  std::size_t first = 0, end = spans.size(); // the first interval that ends after the step lies in [first, end]
  while (first < end)
    if (const std::size_t middle = first + (end - first) / 2; spans[middle].end() <= step)
      first = middle + 1;
    else
      end = middle;
  return first < spans.size() && spans[first].start() <= step;
}

/// The bytes of one variable at each liveness step, on the tiles on which the variable is live at this step.
class BytesByStep {
public:
  explicit BytesByStep(const pva::Variable &variable) : whole_(variable.size()), parts_(variable.parts()) {}
  [[nodiscard]] std::uint64_t at(std::size_t step) const {
    std::uint64_t bytes = whole_;
    for (const pva::VariablePart &part : parts_)
      if (!part.isWhole && !contains(part.liveSteps, step))
        bytes -= part.bytes;
    return bytes;
  }

private:
  std::uint64_t whole_;
  std::vector<pva::VariablePart> parts_;
};

/// Adds the variable's bytes on each selected tile.
void findTiles(const pva::Variable &variable, const std::vector<bool> &chosen, WhyVariable &v) {
  for (const std::uint64_t tile : variable.tiles())
    if (tile < chosen.size() && chosen[tile])
      v.parts.emplace_back(tile, variable.bytesOn(tile));
}

/// Returns a text that is equal for variables of one name that are live at the same steps for the same reasons.
std::string reasonsKey(const WhyVariable &v) {
  std::string key = v.name + '\n' + v.category + (v.alwaysLive ? "\nalways" : "\n");
  const auto step = [&](const std::optional<StepName> &name) { key += name ? std::to_string(name->id) + ' ' : "- "; };
  for (const WhyRow &row : v.rows) {
    for (const auto &name : {std::optional(row.first), std::optional(row.last), std::optional(row.read), row.born,
                             row.failedKill, row.carriedBy})
      step(name);
    key += std::to_string(row.missedElements) + row.carrier + ' ';
    for (const auto &[begin, end] : row.missed)
      key += std::to_string(begin) + '-' + std::to_string(end) + ' ';
  }
  for (const FalseLiveRow &row : v.falseLive)
    key += "\n" + std::to_string(row.first.id) + '-' + std::to_string(row.last.id);
  return key;
}

void add(WhyVariable &to, const WhyVariable &v) {
  to.count += v.count;
  to.bytes += v.bytes;
  for (std::size_t i = 0; i < to.rows.size(); ++i)
    if (to.rows[i].fullest && v.rows[i].fullest)
      to.rows[i].fullest->own += v.rows[i].fullest->own;
  for (std::size_t i = 0; i < to.falseLive.size(); ++i)
    to.falseLive[i].bytes += v.falseLive[i].bytes;
  to.parts.insert(to.parts.end(), v.parts.begin(), v.parts.end());
}

/// Joins variables of one name that are live for the same reasons into one row, for example the buffers of one
/// exchange.
void joinNamesakes(std::vector<WhyVariable> &variables) {
  std::map<std::string, std::size_t> known;
  std::vector<WhyVariable> joined;
  for (WhyVariable &v : variables)
    if (const auto [at, isNew] = known.try_emplace(reasonsKey(v), joined.size()); isNew)
      joined.push_back(std::move(v));
    else
      add(joined[at->second], v);
  for (WhyVariable &v : joined)
    if (v.count > 1) {
      std::map<std::uint64_t, std::uint64_t> byTile;
      for (const auto &[tile, bytes] : v.parts)
        byTile[tile] += bytes;
      v.parts.assign(byTile.begin(), byTile.end());
    }
  variables = std::move(joined);
}

std::string tilesText(const WhyVariable &v, bool someTiles) {
  const auto [tile, bytes] = v.largest();
  if (v.parts.empty())
    return someTiles ? "and none of it on the tiles chosen" : "over all tiles";
  if (v.parts.size() == 1)
    return std::string(someTiles ? "of the tiles chosen " : "") + "on tile " + std::to_string(tile);
  return fmt::format("over {} tiles{}, at most {} B on one (tile {})", commas(v.parts.size()),
                     someTiles ? " of those chosen" : "", commas(bytes), tile);
}

/// Returns stepText. Adds the engine's program if the step belongs to another program than the steps of the row.
std::string stepTextFrom(const WhyRow &row, const StepName &step) {
  const bool elsewhere =
      !step.inProgram.empty() && (row.first.inProgram != step.inProgram || row.last.inProgram != step.inProgram);
  return stepText(step) + (elsewhere ? ", in " + step.inProgram : "");
}

void printRow(std::ostream &out, const WhyRow &row) {
  const bool undefined = row.born && row.born->writeUndef;
  out << "    read next by:           " << stepTextFrom(row, row.read)
      << (undefined ? "\n    made undefined by:      " : "\n    last fully written by:  ")
      << (row.born ? stepTextFrom(row, *row.born) : "nothing since the engine started: earlier contents stay needed")
      << "\n";
  if (row.failedKill) {
    out << "    not killed by:          " << stepTextFrom(row, *row.failedKill) << ", which leaves out "
        << commas(row.missedElements) << (row.missedElements == 1 ? " element: " : " elements: ");
    std::uint64_t shown = 0;
    for (const auto &range : row.missed) {
      out << "[" << range.first << "," << range.second << ")";
      shown += range.second - range.first;
    }
    out << (shown < row.missedElements ? "..." : "") << "\n";
  }
  if (row.carrier == "loop" || row.carrier == "call")
    out << "    brought there by:       the " << row.carrier << (row.carriedBy ? " at " + stepText(*row.carriedBy) : "")
        << "\n";
  else if (!row.carrier.empty())
    out << "    brought there by:       the engine, which may run a program again\n";
  if (row.fullest)
    out << (row.fullest->step.loop ? "    weighs most:            " + placeText(row.fullest->step)
                                   : "    weighs most at:         " + stepText(row.fullest->step))
        << ", " << commas(row.fullest->own) << " of " << commas(row.fullest->bytes) << " B live there ("
        << percent(row.fullest->own, row.fullest->bytes) << ")\n";
}

void printVariable(std::ostream &out, const WhyVariable &v, const std::optional<StepName> &step, std::size_t most,
                   bool someTiles) {
  out << (v.count == 1 ? std::string("Variable") : commas(v.count) + " variables") + " \"" + shownText(v.name) +
             "\": " + commas(v.bytes) + " B " + tilesText(v, someTiles) + ", category " + v.category +
             (v.alwaysLive ? ", always live" : "")
      << "\n";
  const std::string place = step ? placeText(*step) : "at the steps chosen";
  if (v.rows.empty() && v.falseLive.empty())
    out << (v.alwaysLive ? "  in memory " + place + ", as at every step, but no path reads it from there"
                         : "  not live " + place)
        << "\n";
  for (std::size_t i = 0; i < std::min(v.rows.size(), most); ++i) {
    const WhyRow &row = v.rows[i];
    out << "  live " << spanText(row.first, row.last) << "\n";
    printRow(out, row);
  }
  if (v.rows.size() > most)
    out << "  and " << counted(v.rows.size() - most, "part") << " more; --step N asks for one, -n 0 shows all\n";
  for (std::size_t i = 0; i < std::min(v.falseLive.size(), most); ++i) {
    const FalseLiveRow &f = v.falseLive[i];
    out << "  false-live: " << commas(f.bytes) << " B " << spanText(f.first, f.last) << ", where no path reads them\n";
  }
  if (v.falseLive.size() > most)
    out << "  and false-live at " << counted(v.falseLive.size() - most, "more place") << "\n";
}

/// Keeps the largest variables that are live at the requested place; `more` counts the others.
void keepLargest(std::size_t most, Whys &whys) {
  std::vector<WhyVariable> &all = whys.variables;
  std::erase_if(all, [](const WhyVariable &v) { return v.rows.empty() && v.falseLive.empty(); });
  std::stable_sort(all.begin(), all.end(), [](const auto &a, const auto &b) { return a.bytes > b.bytes; });
  whys.more = all.size() - std::min(all.size(), most);
  all.resize(all.size() - whys.more);
}

// Collects the reasons of the variables with the requested names: the explanations within the selection, the step with
// most live bytes in each explanation, and the false-live intervals. Keeps the largest variables if there are too many.
Whys collectWhys(const Request &request, std::optional<std::size_t> step) {
  const pva::Report &report = request.report;
  const pva::LivenessAdvice advice = report.popscope().livenessAdvice();
  if (!advice.present)
    throw AnswerError("the profile contains no liveness explanations; compile with the engine option "
                      "autoReport.all or autoReport.outputLivenessExplanation set to \"true\"");
  MovedNames titles(report);
  const EnginePrograms programs(report);
  ProgramNames names;
  for (const auto &program : report.compilation().controlPrograms())
    addNames(*program, titles, programs, names);
  for (const auto &program : report.compilation().functionPrograms())
    addNames(*program, titles, programs, names);
  Whys rows;
  if (step)
    rows.step = nameOf(names, *step);
  const AskedNames wanted(request, advice);
  std::map<std::size_t, WhyVariable> found; // by variable
  std::set<std::size_t> always;
  for (const auto &v : report.compilation().alwaysLiveVariables())
    always.insert(v._id());
  const LiveSteps steps(report);
  const std::vector<bool> tiles = tileMask(report, request.selection);
  const StepChoice choice(report, request.selection);
  const auto asked = [&](std::size_t first, std::size_t end) {
    if (step && (*step < first || end <= *step))
      return false;
    bool any = request.selection.everyStep();
    for (std::size_t s = first; s < end && !any; ++s)
      any = choice.contains(s);
    return any;
  };
  std::optional<std::pair<std::size_t, BytesByStep>> bytes;   // variable of the latest explanation, and its bytes
  for (const pva::LiveExplanation &e : advice.explanations) { // explanations of one variable follow each other
    const std::string name = e.variable.name();
    if (!wanted.contains(name))
      continue;
    WhyVariable &v = found[e.variable._id()];
    v.name = name;
    v.category = e.variable.category();
    v.bytes = e.variable.size();
    v.alwaysLive = always.count(e.variable._id()) != 0;
    const auto fullest = steps.fullest(e.firstProgram, e.endProgram);
    if (v.parts.empty() && (v.alwaysLive || fullest))
      findTiles(e.variable, tiles, v);
    if (!asked(e.firstProgram, e.endProgram))
      continue;
    v.rows.push_back(whyRow(e, names, steps));
    if (fullest && !v.alwaysLive) {
      v.rows.back().fullest = steps.at(*fullest, names);
      if (!bytes || bytes->first != e.variable._id())
        bytes.emplace(e.variable._id(), BytesByStep(e.variable));
      v.rows.back().fullest->own = bytes->second.at(*fullest);
    }
  }
  if (found.empty()) {
    wanted.requireArgument(report);
    if (request.selection.name.empty()) // otherwise, --name leaves out all variables, as in other views
      failUnknown(report, wanted);
  }
  for (const pva::FalseLive &f : advice.falseLive)
    if (const auto v = found.find(f.variable._id()); v != found.end() && asked(f.firstProgram, f.endProgram)) {
      const auto [first, last] = steps.ends(f.firstProgram, f.endProgram, names);
      if (steps.isPlace(first, names))
        v->second.falseLive.push_back({nameOf(names, first), nameOf(names, last), f.bytes});
    }
  for (auto &entry : found)
    rows.variables.push_back(std::move(entry.second));
  joinNamesakes(rows.variables);
  rows.pattern = wanted.pattern();
  const std::size_t most = request.selection.countOr(rows.pattern ? kUsualExplained : kUsualNamesakes);
  if (rows.pattern || rows.variables.size() > most)
    keepLargest(most, rows);
  return rows;
}

constexpr Unknown kNone{false}; // cell for a step that does not exist

/// Returns "12 OnTileExecute: forward", or kNone if there is no step.
Cell stepCell(const std::optional<StepName> &step) {
  return step ? Cell(std::to_string(step->id) + (step->title.empty() ? "" : " " + step->title)) : Cell(kNone);
}

std::string rangesText(const WhyRow &row) {
  std::string text;
  std::uint64_t shown = 0;
  for (const auto &range : row.missed) {
    text += "[" + std::to_string(range.first) + "," + std::to_string(range.second) + ")";
    shown += range.second - range.first;
  }
  return text + (shown < row.missedElements ? "..." : "");
}

Table variableTable(const Whys &whys) {
  Table table{"variables",
              whys.pattern ? "Variables" : "Variables of that name",
              {{"variable", "Variable"},
               {"category", "Category"},
               {"variables", "Variables"},
               {"bytes", "Bytes", Unit::Bytes},
               {"tiles", "Tiles", Unit::Tiles},
               {"largestTile", "Largest on tile", Unit::Id},
               {"bytesOnLargestTile", "Bytes there", Unit::Bytes},
               {"alwaysLive", "Always live"},
               {"reasons", "Reasons"}}};
  for (const WhyVariable &v : whys.variables) {
    const bool lies = !v.parts.empty();
    const auto [tile, bytes] = v.largest();
    table.rows.push_back({v.name, v.category, std::uint64_t(v.count), v.bytes, knownOr(lies, v.parts.size()),
                          knownOr(lies, tile), knownOr(lies, bytes), v.alwaysLive, std::uint64_t(v.rows.size())});
  }
  return table;
}

// Makes the table of reasons for all formats except text.
Table reasonTable(const Whys &whys, std::size_t most) {
  Table table{"reasons",
              "Why it is live, from step to step",
              {{"first", "From", Unit::Id},
               {"last", "To", Unit::Id},
               {"readNextBy", "Read next by"},
               {"readInProgram", "In"},
               {"lastFullyWrittenBy", "Last fully written by"},
               {"notKilledBy", "Not killed by"},
               {"missedElements", "It leaves out"},
               {"missedRanges", "Elements"},
               {"broughtBy", "Brought there by"},
               {"broughtByStep", "At"},
               {"weighsMostAt", "Weighs most at"},
               {"liveBytesThere", "Live there", Unit::Bytes},
               {"variable", "Variable no.", Unit::Id}}};
  for (std::size_t i = 0; i < whys.variables.size(); ++i)
    for (std::size_t r = 0; r < whys.variables[i].rows.size(); ++r) {
      const WhyRow &row = whys.variables[i].rows[r];
      if (r >= most) {
        ++table.more;
        continue;
      }
      table.rows.push_back({std::uint64_t(row.first.id), std::uint64_t(row.last.id), stepCell(row.read),
                            row.read.inProgram.empty() ? Cell(kNone) : Cell(row.read.inProgram), stepCell(row.born),
                            stepCell(row.failedKill), row.failedKill ? Cell(row.missedElements) : Cell(kNone),
                            rangesText(row), row.carrier.empty() ? Cell(kNone) : Cell(row.carrier),
                            stepCell(row.carriedBy), row.fullest ? stepCell(row.fullest->step) : Cell(kNone),
                            row.fullest ? Cell(row.fullest->bytes) : Cell(kNone), std::uint64_t(i)});
    }
  return table;
}

Table falseLiveTable(const Whys &whys, std::size_t most) {
  Table table{"falseLive",
              "False-live: no path reads it",
              {{"first", "From", Unit::Id},
               {"last", "To", Unit::Id},
               {"bytes", "Bytes", Unit::Bytes},
               {"variable", "Variable no.", Unit::Id}}};
  for (std::size_t i = 0; i < whys.variables.size(); ++i)
    for (std::size_t r = 0; r < whys.variables[i].falseLive.size(); ++r) {
      const FalseLiveRow &row = whys.variables[i].falseLive[r];
      if (r < most)
        table.rows.push_back({std::uint64_t(row.first.id), std::uint64_t(row.last.id), row.bytes, std::uint64_t(i)});
      else
        ++table.more;
    }
  return table;
}

/// Returns whether --name selects a variable of the profile.
bool anyVariable(const Request &request) {
  const auto variables = request.report.compilation().variables();
  return std::any_of(variables.begin(), variables.end(),
                     [&](const pva::Variable &v) { return nameMatches(request.selection.name, v.name()); });
}

} // namespace

// Collects the tables of reasons and false-live bytes, and the lines that text prints in their place.
Rows collectWhyAnswer(const Request &request) {
  std::optional<std::size_t> step;
  if (const std::string &text = request.options.at("step"); !text.empty())
    step = readIndex("--step", text, stepCount(request.report), "step");
  const Whys whys = collectWhys(request, step);
  const std::size_t most = request.selection.countOr(whys.pattern ? kUsualOfEach : kUsualReasons);
  Rows rows("why");
  const std::string asked = request.argument.empty() ? request.selection.name : request.argument;
  rows.fact("variable", asked.empty() ? Cell(Unknown()) : Cell(asked));
  rows.fact("step", step ? Cell(std::uint64_t(*step)) : Cell(Unknown()), Unit::Id);
  rows.tables = {reasonTable(whys, most), variableTable(whys), falseLiveTable(whys, most)};
  rows.drawn = true;
  std::ostringstream drawn;
  for (const WhyVariable &v : whys.variables) {
    drawn << (&v == &whys.variables.front() ? "" : "\n");
    printVariable(drawn, v, whys.step, most, !request.selection.everyTile());
  }
  if (whys.variables.empty() && !anyVariable(request))
    drawn << "No variable of the profile matches --name " << shellWord(request.selection.name) << "\n";
  else if (whys.variables.empty() && !whys.step && request.selection.everyStep())
    drawn << "No variable that --name selects needs an explanation\n";
  else if (whys.variables.empty())
    drawn << "No variable of that pattern is live " << (whys.step ? placeText(*whys.step) : "at the steps chosen")
          << "\n";
  if (whys.more != 0)
    drawn << "\nand " << commas(whys.more) << (whys.more == 1 ? " variable more; " : " variables more; ")
          << "-n 0 shows all\n";
  std::istringstream lines(drawn.str());
  for (std::string line; std::getline(lines, line);)
    rows.picture.push_back(line);
  bool forNothing = false;
  std::optional<std::size_t> heaviest;
  for (const WhyVariable &v : whys.variables) {
    forNothing = forNothing || !v.falseLive.empty();
    for (const WhyRow &row : v.rows)
      if (!heaviest && row.fullest)
        heaviest = row.fullest->step.id;
  }
  const std::string first = whys.variables.empty() ? asked : whys.variables.front().name;
  if (forNothing)
    suggest(rows, request, "advise", "--name " + shellWord(first));
  if (heaviest)
    suggest(rows, request, "live", "--at " + std::to_string(*heaviest));
  const bool none = whys.variables.empty() && request.argument.empty(); // perhaps no variable has the name
  suggest(rows, request, "vars", none || first.empty() ? "" : shellWord(first));
  return rows;
}

} // namespace popscope
