#include "report/answers/CompareAnswers.hpp"

#include "base/EditDistance.hpp"
#include "base/JsonText.hpp"
#include "base/Parallel.hpp"
#include "base/ShownText.hpp"
#include "report/answers/Limits.hpp"
#include "report/answers/LivenessChanges.hpp"
#include "report/answers/NoMatch.hpp"
#include "report/answers/Ranking.hpp"
#include "report/answers/RunsAnswer.hpp"
#include "report/summary/WhyNoRun.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

namespace popscope {
namespace {

constexpr std::size_t kUsualChanges = 15;

struct Change {
  std::string name;
  Unit unit = Unit::None;
  Cell before, after, change;
  std::uint64_t size = 0; // size of the change
  const char *what = "changed";
};

std::vector<Change> changes(const Numbers &a, const Numbers &b) {
  Numbers either = a;
  either.insert(b.begin(), b.end());
  std::vector<Change> all;
  for (const auto &[name, number] : either) {
    const auto before = a.find(name), after = b.find(name);
    Change c;
    c.name = name;
    c.unit = number.unit;
    c.before = before == a.end() ? Cell(Unknown{false}) : before->second.value;
    c.after = after == b.end() ? Cell(Unknown{false}) : after->second.value;
    c.what = before == a.end() ? "new" : after == b.end() ? "gone" : "changed";
    // A number that only one profile has counts as 0 in the other. The difference to an unknown number is unknown.
    const auto was = before == a.end() ? std::optional<std::int64_t>(0) : valueOf(before->second);
    const auto is = after == b.end() ? std::optional<std::int64_t>(0) : valueOf(after->second);
    if (was == is && before != a.end() && after != b.end())
      continue;
    if (was && is) {
      c.change = *is - *was;
      c.size = static_cast<std::uint64_t>(*is > *was ? *is - *was : *was - *is);
    }
    all.push_back(std::move(c));
  }
  return all;
}

Table changeTable(const std::vector<Change> &all, Unit unit, const char *key, const char *title,
                  const Request &request) {
  Ranking ranking({key,
                   title,
                   {{"name", "Number"},
                    {"what", "What"},
                    {"before", "Before", unit},
                    {"after", "After", unit},
                    {"change", "Change", unit}}});
  for (const Change &c : all)
    if (c.unit == unit && nameMatches(request.selection.name, c.name))
      ranking.add(c.size, {c.name, c.what, c.before, c.after, c.change});
  return ranking.take(request.selection.countOr(kUsualChanges));
}

using ValuesOfBoth = std::map<std::string, std::pair<std::string, std::string>>; // by name: before and after

/// Returns the rows of a table for the names whose values differ.
Table differing(Table table, const ValuesOfBoth &values) {
  for (const auto &[key, value] : values)
    if (value.first != value.second)
      table.rows.push_back({key, value.first, value.second});
  return table;
}

Table optionTable(const pva::Report &a, const pva::Report &b) {
  ValuesOfBoth values;
  const auto read = [&](const pva::CompilationReport &report, std::string ValuesOfBoth::mapped_type::*side) {
    for (const auto &list : {report.engineOptions(), report.targetOptions()})
      for (const pva::Option &option : list)
        if (option.key != "autoReport.directory") // the folder of a profile has no effect on its contents
          values[option.scope + " " + option.key].*side = option.value;
  };
  read(a.compilation(), &ValuesOfBoth::mapped_type::first);
  read(b.compilation(), &ValuesOfBoth::mapped_type::second);
  return differing({"options", "Options that differ", {{"option", "Option"}, {"before", "Before"}, {"after", "After"}}},
                   values);
}

/// Returns whether an option of the engine replaces the machine's rule for copies that only rename values.
bool optionSetsRenaming(const pva::Report &report) {
  const auto options = report.compilation().engineOptions();
  return std::any_of(options.begin(), options.end(), [](const pva::Option &option) {
    return option.key == "popscope.elideCopies" && option.value != "machine";
  });
}

/// Returns the liveness of the selected tiles, or nothing if the profile has no liveness.
std::optional<LiveTable> livenessOf(const pva::Report &report, const Selection &selection) {
  if (report.compilation().livenessProgramSteps().empty())
    return std::nullopt;
  return LiveTable(report, selection);
}

/// Adds the variables that are live at other steps. Adds a note if a profile has no liveness.
void addLivenessChanges(const Request &request, const std::optional<LiveTable> &before,
                        const std::optional<LiveTable> &after, Rows &rows) {
  if (!before || !after) {
    rows.notes.emplace_back(std::string("variables that are live at other steps are unknown: ") +
                            (!before && !after ? "the profiles have"
                             : !before         ? "the profile before has"
                                               : "the profile after has") +
                            " no liveness (autoReport.outputGraphProfile)");
    return;
  }
  Table table = livenessChanges(request, *before, *after, request.selection.countOr(kUsualChanges));
  if (table.rows.empty())
    return;
  rows.fact("livenessChanges", std::uint64_t(table.rows.size() + table.more));
  rows.lines.emplace_back("Variables that are live at other steps: {livenessChanges}.");
  rows.tables.push_back(std::move(table));
}

/// Returns the fields in which the machines differ, by their paths in a machine file. Also returns the numbers of IPUs
/// and replicas that differ. Long lists of a machine have one row for each element. A field that an engine option sets
/// is no difference between machines.
Table machineTable(const pva::Report &a, const pva::Report &b) {
  ValuesOfBoth values;
  const auto read = [&](const pva::Target &target, std::string ValuesOfBoth::mapped_type::*side) {
    values["IPUs"].*side = std::to_string(target.numIPUs());
    values["replicas"].*side = std::to_string(target.numReplicas());
    const std::string machine = target.machine();
    const nlohmann::json fields = machine.empty() ? nlohmann::json() : jsonOf(machine).flatten();
    for (const auto &[path, value] : fields.items())
      values[path].*side = value.is_string() ? value.get<std::string>() : jsonText(value);
  };
  read(a.compilation().target(), &ValuesOfBoth::mapped_type::first);
  read(b.compilation().target(), &ValuesOfBoth::mapped_type::second);
  if (optionSetsRenaming(a) || optionSetsRenaming(b))
    values.erase("/rules/renamingCopies");
  return differing(
      {"machine", "Machines: what differs", {{"field", "Field"}, {"before", "Before"}, {"after", "After"}}}, values);
}

Table breachTable(const std::vector<Breach> &judged, bool withKept) {
  Table table{"limits",
              withKept ? "Limits" : "Limits that do not hold",
              {{"number", "Number"},
               {"rule", "Rule"},
               {"value", "Value"},
               {"limit", "Limit"},
               {"baseline", "Baseline"},
               {"unit", "Unit"},
               {"kept", "Holds"}}};
  if (withKept)
    table.columns.push_back({"line", "Line", Unit::Id}); // the line of the budget file
  for (const bool kept : {false, true})                  // breaches first
    for (const Breach &b : judged)
      if (b.kept == kept && (withKept || !kept)) {
        table.rows.push_back({b.name, b.rule, b.value, b.limit, b.baseline, unitName(b.unit), b.kept});
        if (withKept)
          table.rows.back().emplace_back(b.line);
      }
  return table;
}

std::uint64_t breaches(const std::vector<Breach> &judged) {
  return static_cast<std::uint64_t>(
      std::count_if(judged.begin(), judged.end(), [](const Breach &b) { return !b.kept; }));
}

/// Returns the reason why a profile without runs has no number of cycles, to follow a message.
std::string hintOf(const pva::Report &report) {
  return report.execution().runs().empty() ? "; it has no recorded run. " + whyNoRun(report) : "";
}

/// Explains why the numbers of a selection do not contain a number. The constructor's arguments must outlive the object.
class WhyMissing {
public:
  WhyMissing(const pva::Report &report, const Selection &selection, const Numbers &numbers)
      : report_(report), selection_(selection) {
    for (const auto &entry : numbers)
      names_.push_back(entry.first);
  }
  std::string operator()(const std::string &pattern) {
    if (!all_)
      all_ = selection_.flags().empty() ? Numbers() : numbersOf(report_, {});
    if (std::any_of(all_->begin(), all_->end(), [&](const auto &n) { return wholeNameMatches(pattern, n.first); }))
      return "the number \"" + pattern + "\" is not known for " + selection_.flags() +
             "; popscope numbers with the same flags lists the numbers that are";
    return "the profile has no number \"" + pattern + "\"." + didYouMean(pattern, names_) +
           " popscope numbers lists them" + hintOf(report_);
  }

private:
  const pva::Report &report_;
  const Selection &selection_;
  std::vector<std::string> names_;
  std::optional<Numbers> all_; // the numbers of the whole profile; read at the first use
};

/// Adds a note that begins with `which` if the numbers leave out selected runs because these runs were cut short.
void noteUnfinished(const pva::Report &report, const Selection &selection, const std::string &which, Rows &rows) {
  if (const std::uint64_t cut = cutRuns(report, selection); cut != 0)
    rows.notes.push_back(which + noteOfCutRuns(cut));
}

/// Adds a note that explains the number category.multiple, if a table has this number.
void noteMultiple(Rows &rows) {
  const auto isMultiple = [](const std::vector<Cell> &row) {
    const auto *name = std::get_if<std::string>(&row.front());
    return name != nullptr && *name == "category.multiple";
  };
  if (std::any_of(rows.tables.begin(), rows.tables.end(),
                  [&](const Table &table) { return std::any_of(table.rows.begin(), table.rows.end(), isMultiple); }))
    rows.notes.emplace_back("category.multiple counts addresses that allocations of several categories occupy at "
                            "different times. The other categories count these bytes, too, so a larger number means a "
                            "denser packing and not more memory; bytes.allTiles counts each address once");
}

/// Adds a note for each number that the profile does not have.
void noteMissing(const std::vector<Breach> &judged, Rows &rows) {
  for (const Breach &breach : judged)
    if (!breach.missing.empty() && std::find(rows.notes.begin(), rows.notes.end(), breach.missing) == rows.notes.end())
      rows.notes.push_back(breach.missing);
}

/// Returns the sentence "N of LIMITS do not hold." for `count` limits; N stands for the fact "breaches".
std::string doNotHold(const std::string &limits, std::uint64_t count) {
  return "!{breaches} of " + limits + (count == 1 ? " does" : " do") + " not hold.";
}

/// Adds a note if the sums of cycles cover different numbers of runs.
void noteRuns(const Selection &selection, const Numbers &before, const Numbers &after, Rows &rows) {
  if (selection.runs.empty() && valueOf(before.at("runs")) != valueOf(after.at("runs")))
    rows.notes.emplace_back("the profiles have different numbers of runs that ended: cycles are sums over these runs, "
                            "and --runs selects runs to compare");
}

} // namespace

void checkCompared(const pva::Report &other, Selection selection) {
  selection.steps.clear();
  checkSelection(other, selection);
}

// Reads the numbers and the liveness of both profiles in parallel. Lists the differences of numbers by unit, then the
// variables that are live at other steps, then the options that differ. With --fail-on, evaluates limits on the
// increases.
Rows collectDiff(const Request &request) {
  Rows rows("diff");
  Numbers both[2]; // each is read from its own file
  std::optional<LiveTable> liveness[2];
  parallelFor({2}, 2, [&](std::size_t i) {
    const pva::Report &report = i == 0 ? request.report : *request.other;
    ofProfile(i == 0 ? request.profile : request.otherProfile, [&] {
      both[i] = numbersOf(report, request.selection);
      liveness[i] = livenessOf(report, request.selection);
    });
  });
  const Numbers &a = both[0], &b = both[1];
  const auto all = changes(a, b);
  rows.fact("numbersCompared", std::uint64_t(std::max(a.size(), b.size())));
  rows.fact("differences", std::uint64_t(all.size()));
  const auto main = [&](const char *key, const char *number) {
    const auto before = a.find(number), after = b.find(number);
    if (before == a.end() || after == b.end())
      return false;
    rows.fact(std::string(key) + "Before", before->second.value, before->second.unit);
    rows.fact(std::string(key) + "After", after->second.value, after->second.unit);
    return true;
  };
  if (main("cycles", "cycles"))
    rows.lines.emplace_back("Cycles: {cyclesBefore} before, {cyclesAfter} after, estimated.");
  if (main("fullestTile", "bytes.fullestTile"))
    rows.lines.emplace_back("Fullest tile: {fullestTileBefore} before, {fullestTileAfter} after.");
  if (main("live", "bytes.live"))
    rows.lines.emplace_back("Most live on all tiles: {liveBefore} before, {liveAfter} after.");
  rows.lines.emplace_back(all.empty()       ? "No number differs."
                          : all.size() == 1 ? "{differences} number differs."
                                            : "{differences} numbers differ.");
  for (const auto &[unit, key, title] : {std::make_tuple(Unit::Cycles, "cycles", "Cycles, largest change first"),
                                         {Unit::TileCycles, "tileCycles", "Tile cycles"},
                                         {Unit::Bytes, "bytes", "Bytes, largest change first"},
                                         {Unit::Vertices, "vertices", "Vertices"},
                                         {Unit::Tiles, "tiles", "Tiles"},
                                         {Unit::None, "counts", "Counts"}})
    if (Table table = changeTable(all, unit, key, title, request); !table.rows.empty() || unit == Unit::Cycles)
      rows.tables.push_back(std::move(table));
  addLivenessChanges(request, liveness[0], liveness[1], rows);
  if (Table options = optionTable(request.report, *request.other); !options.rows.empty())
    rows.tables.push_back(std::move(options));
  if (Table machine = machineTable(request.report, *request.other); !machine.rows.empty()) {
    cutRows(machine, request.selection.countOr(kUsualChanges));
    rows.tables.push_back(std::move(machine));
    rows.notes.emplace_back("the two programs were compiled for different machines");
  }
  noteRuns(request.selection, a, b, rows);
  noteUnfinished(request.report, request.selection, "before: ", rows);
  noteUnfinished(*request.other, request.selection, "after: ", rows);
  noteSelection(request.selection, rows);
  if (const std::string failOn = request.options.at("fail-on"); !failOn.empty()) {
    const auto judged =
        evaluate(readIncreases("--fail-on", failOn, b), b, &a, WhyMissing(*request.other, request.selection, b));
    noteMissing(judged, rows);
    rows.fact("breaches", breaches(judged));
    rows.finding = breaches(judged) != 0;
    if (rows.finding)
      rows.tables.insert(rows.tables.begin(), breachTable(judged, false));
    rows.lines.emplace_back(rows.finding ? doNotHold("the limits of --fail-on", breaches(judged))
                                         : "The limits of --fail-on hold.");
  }
  noteMultiple(rows);
  for (const Table &table : rows.tables)
    if (table.key == "liveness" && table.rows[0][0] != Cell(nameOr("")))
      rows.next.push_back("popscope vars " + shellWord(request.otherProfile) + " " +
                          shellWord(std::get<std::string>(table.rows[0][0])));
  rows.next.push_back("popscope numbers " + shellWord(request.otherProfile));
  rows.next.push_back("popscope info " + shellWord(request.otherProfile));
  return rows;
}

// Evaluates the limits of the budget on the profile's numbers, relative to the baseline if there is one.
Rows collectCheck(const Request &request) {
  Rows rows("check");
  const std::string budget = request.options.at("budget"), baseline = request.options.at("baseline");
  if (budget.empty())
    throw AnswerError(
        "give the limits: --budget FILE, a JSON object such as {\"limits\": {\"cycles\": {\"max\": 1000}}}");
  const auto own = [&] { return numbersOf(request.report, request.selection); };
  const Numbers numbers = baseline.empty() ? own() : ofProfile(request.profile, own);
  std::optional<Numbers> before;
  if (!baseline.empty()) {
    const pva::Report other = pva::openReport(baseline);
    before = ofProfile(baseline, [&] {
      checkCompared(other, request.selection);
      return numbersOf(other, request.selection);
    });
    if (!machineTable(other, request.report).rows.empty())
      rows.notes.emplace_back("the baseline was compiled for a different machine; popscope diff lists the fields");
    noteRuns(request.selection, *before, numbers, rows);
  }
  const std::string &name = request.selection.name;
  const auto judged = evaluate(readBudget(budget), numbers, before ? &*before : nullptr,
                               WhyMissing(request.report, request.selection, numbers), name);
  if (judged.empty())
    throw AnswerError("--name: no limit of " + budget + " is on a metric that matches \"" + name + "\"");
  rows.fact("budget", budget);
  rows.fact("profile", request.profile);
  rows.fact("limits", std::uint64_t(judged.size()));
  rows.fact("breaches", breaches(judged));
  rows.finding = breaches(judged) != 0;
  rows.lines.emplace_back(rows.finding         ? doNotHold("{limits:limit}", breaches(judged))
                          : judged.size() == 1 ? "The limit holds."
                                               : "All {limits} limits hold.");
  noteMissing(judged, rows);
  noteUnfinished(request.report, request.selection, "", rows);
  rows.tables.push_back(breachTable(judged, true));
  cutRows(rows.tables.back(), request.selection.countOr(rows.tables.back().rows.size()));
  noteMultiple(rows);
  noteSelection(request.selection, rows);
  if (rows.finding && !baseline.empty())
    rows.next.push_back("popscope diff " + shellWord(baseline) + " " + shellWord(request.profile));
  suggest(rows, request, "numbers");
  return rows;
}

Rows collectNumbers(const Request &request) {
  Rows rows("numbers");
  Table table{"numbers",
              "Numbers that diff compares and check limits",
              {{"name", "Name"}, {"value", "Value"}, {"unit", "Unit"}}};
  const std::size_t most = request.selection.countOr(static_cast<std::size_t>(-1));
  bool isThere = false; // whether a number matches the argument
  bool ofCode = false;  // a listed number is bytes of exchange code
  for (const auto &[name, number] : numbersOf(request.report, request.selection)) {
    if (!nameMatches(request.argument, name))
      continue;
    isThere = true;
    if (!nameMatches(request.selection.name, name))
      continue;
    ofCode = ofCode || name == "bytes.exchangeCode" || (name.rfind("step.", 0) == 0 && name.ends_with(".code"));
    if (table.rows.size() < most)
      table.rows.push_back({name, number.value, unitName(number.unit)});
    else
      ++table.more;
  }
  if (!isThere && !request.argument.empty())
    throw noMatch({.what = "number",
                   .list = "numbers",
                   .isMatch = [&](const std::string &name) { return nameMatches(request.argument, name); },
                   .within =
                       [&](const Selection &selection) {
                         std::vector<std::string> names;
                         for (const auto &entry : numbersOf(request.report, selection))
                           names.push_back(entry.first);
                         return names;
                       }},
                  request.argument, request.selection);
  rows.tables.push_back(std::move(table));
  noteUnfinished(request.report, request.selection, "", rows);
  noteMultiple(rows);
  noteSelection(request.selection, rows);
  if (ofCode)
    noteNoCode(rows, request);
  rows.notes.emplace_back(
      "a budget sets limits on these numbers (docs/BUDGET.md): popscope check PROFILE --budget FILE");
  suggest(rows, request, "info");
  return rows;
}

} // namespace popscope
