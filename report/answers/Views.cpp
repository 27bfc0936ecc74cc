#include "report/answers/View.hpp"

#include "base/Check.hpp"
#include "base/ReadNumber.hpp"
#include "base/ShownText.hpp"
#include "report/answers/AdviceAnswers.hpp"
#include "report/answers/CompareAnswers.hpp"
#include "report/answers/CycleSums.hpp"
#include "report/answers/ExchangeAnswer.hpp"
#include "report/answers/GapAnswer.hpp"
#include "report/answers/HistoryAnswer.hpp"
#include "report/answers/InfoAnswer.hpp"
#include "report/answers/LiveAnswers.hpp"
#include "report/answers/LossAnswer.hpp"
#include "report/answers/MeasuredAnswer.hpp"
#include "report/answers/MeasuredColumn.hpp"
#include "report/answers/OomAnswer.hpp"
#include "report/answers/OperatorsAnswer.hpp"
#include "report/answers/OverheadAnswer.hpp"
#include "report/answers/RecordReports.hpp"
#include "report/answers/RunsAnswer.hpp"
#include "report/answers/SourcesAnswer.hpp"
#include "report/answers/StatsAnswer.hpp"
#include "report/answers/TileAnswer.hpp"
#include "report/answers/TopAnswer.hpp"
#include "report/answers/TreeAnswer.hpp"
#include "report/answers/UsualRows.hpp"
#include "report/answers/WhyAnswer.hpp"

#include <algorithm>

namespace popscope {
namespace {

// The following functions check whether a profile has the data that a view requires.

// Returns whether the times of all steps were recorded, as far as the first run that ended and the totals show.
bool hasAllTimes(const pva::Report &report) {
  const auto runs = report.execution().runs();
  const std::vector<std::size_t> summed = summedRuns(report, {});
  const CycleSums totals = totalsOfRuns(report, summed);
  if (!totals.known() || someCategories(report) || !totals.syncKnown())
    return false;
  for (const auto &step : runs[summed.front()].steps())
    for (const pva::ExecutionStepIpu &on : step.ipus())
      if (!on.cyclesKnown() || !on.busyCyclesKnown() || !on.timeKnown())
        return false;
  return true;
}
bool hasRuns(const pva::Report &report) { return !report.execution().runs().empty(); }
bool hasLiveness(const pva::Report &report) { return !report.compilation().livenessProgramSteps().empty(); }
bool hasMemory(const pva::Report &report) { return tileCount(report) != 0; }
bool hasTile(const pva::Report &report) { return hasMemory(report) && hasLiveness(report); }
bool hasExplanations(const pva::Report &report) { return report.popscope().livenessAdvice().present; }
bool hasAdvice(const pva::Report &report) {
  return hasExplanations(report) || !report.popscope().adviceTrials().empty();
}
bool hasMeasured(const pva::Report &report) { return !MeasuredColumn(report).empty(); }

std::vector<const char *> reportNames() {
  std::vector<const char *> names;
  for (const RecordReport &report : recordReports())
    names.push_back(report.name);
  return names;
}

ViewRow statsRow() {
  return {.name = "stats",
          .help = "Filter, group and sort the records of a report, with percentiles",
          .options = {{"--report", reportNames(), "NAME", "executions", "Report that provides the records"},
                      viewFlag("--list-reports", "List the reports and the columns of --report; needs no profile"),
                      viewOption("--of", "COLUMN", "Column to describe; default: the report's time or bytes"),
                      viewOption("--aggregate-by,--group-by", "COLUMNS",
                                 "Print one row per value of these columns, separated by commas; all prints one row, "
                                 "none prints every record; default: the columns that --list-reports shows"),
                      {"--aggregate",
                       {"sum", "min", "mean", "median", "max", "p90", "p95", "p97", "p99", "p999", "count"},
                       "WHAT",
                       "",
                       "Print only this statistic; default all"},
                      viewOption("--order-by", "COLUMN",
                                 "Sort by this column, largest first; +COLUMN sorts smallest first; default: the sum"),
                      viewOption("--where", "CONDITIONS",
                                 "Keep records for which all conditions hold, such as kind=compute,cycles>=1000; "
                                 "operators are =, !=, <, <=, > and >=; names may contain * and ?"),
                      viewOption("--min-time", "TIME",
                                 "Keep records that take at least this time: cycles, 1.5us, or 1e-4 (seconds)"),
                      viewOption("--max-time", "TIME", "Keep records that take at most this time"),
                      {"--in", {"cycles", "ns"}, "UNIT", "cycles", "Unit of times"}},
          .examples = {"stats profile.pop --report compute-sets --order-by p99 -n 5",
                       "stats profile.pop --report tiles --aggregate-by all --of live"},
          .collect = collectStats,
          .alone = "--list-reports"};
}

ViewRow operatorsRow() {
  return {.name = "operators",
          .help = "List operators with self time, running total, operations, memory, rates and shapes",
          .flags = kCount | kSteps | kRuns | kName,
          .options =
              {{"--aggregate-by", {"operator", "type", "layer"}, "WHAT", "operator", "Print one row for each of these"},
               {"--aggregate",
                {"sum", "mean", "min", "max"},
                "HOW",
                "sum",
                "Statistic for a row that combines several operators"},
               viewOption("--order-by", "COLUMN",
                          "Sort by this column, largest first; +COLUMN sorts smallest first; default selfTime"),
               viewOption("--type", "PATTERN",
                          "Keep operators whose type contains this text, or matches the pattern if it has * or ?"),
               viewOption("--min-time", "TIME",
                          "Keep operators that take at least this time: cycles, 1.5us, or 1e-4 (seconds)"),
               viewOption("--max-time", "TIME", "Keep operators that take at most this time")},
          .examples = {"operators profile.pop -n 5 --aggregate-by type",
                       "operators profile.pop -n 5 --order-by memory --min-time 1e-4"},
          .collect = collectOperators,
          .answers = hasRuns};
}

} // namespace

std::string keyOf(const ViewOption &option) {
  const std::string name = option.name;
  return name.substr(2, std::min(name.find(','), name.size()) - 2);
}

std::string problemOf(const ViewOption &option, const std::string &value) {
  if (*option.type == '\0')
    return value.empty() || value == "true" ? "" : "\"" + value + "\" is not allowed; the flag takes only \"true\"";
  if (!option.values.empty() && option.type != std::string("FILE"))
    return notOneOf({option.values.begin(), option.values.end()}, value);
  return value.empty() ? "the value is empty; leave the option out" : "";
}

const std::vector<SelectionFlag> &selectionFlags() {
  static const std::vector<SelectionFlag> flags = {
      {kTiles, "--tiles", "TILES", "Keep these tiles: 0,5-9, or worst:16 for the 16 fullest; default all",
       &Selection::tiles, false},
      {kSteps, "--steps", "STEPS", "Keep steps with these ids, as popscope tree lists them: 12-40,60-; default all",
       &Selection::steps, false},
      {kRuns, "--runs", "RUNS", "Keep these recorded runs, counted from 0: 0,2-; default all", &Selection::runs, false},
      {kIpu, "--ipu", "N", "Keep only this IPU; default all", &Selection::ipuText, false},
      {kName, "--name", "PATTERN",
       "Keep names that contain this text; with * or ?, names that match the whole pattern; default all",
       &Selection::name, true}};
  return flags;
}

// The table of views. To add a view, add its row and its function.
const std::vector<ViewRow> &views() {
  static const std::vector<ViewRow> rows = {
      {.name = "info",
       .help = "Print the verdict: whether the program fits, what fills memory, where cycles go",
       .options =
           {viewFlag(
                "--compile",
                "Also list wall time, CPU time and memory of each compile phase; needs popscope.recordCompilePhases"),
            viewFlag("--report",
                     "Print versions, compiler, system, machine and options, for a bug report; needs no profile")},
       .examples = {"profile.pop", "info profile.pop --json", "info profile.pop --report"},
       .collect = collectInfoAnswer,
       .alone = "--report"},
      {.name = "top",
       .help = "Rank compute sets, steps, vertex types, vertices, variables, tiles, operations or layers",
       .options =
           {{"--of",
             {"compute-sets", "steps", "vertex-types", "vertices", "variables", "tiles", "operations", "layers"},
             "KIND",
             "compute-sets",
             "Kind of object to rank"},
            {"--by",
             {"cycles", "bytes", "code", "vertices", "flops"},
             "MEASURE",
             "",
             "Measure to rank by; default: bytes for variables and tiles, else cycles or, without a recorded run, a "
             "size"},
            viewOption(
                "--depth", "N",
                "Number of leading parts of a name that form a layer; default: as few as distinguish the layers")},
       .examples = {"top profile.pop -n 5", "top profile.pop --of variables --tiles worst:1",
                    "top profile.pop --of layers --depth 2"},
       .collect = collectTop},
      operatorsRow(),
      statsRow(),
      {.name = "loss",
       .help = "Attribute the cycles of all tiles to causes, and estimate what better balance would save",
       .examples = {"loss profile.pop", "loss profile.pop --runs 1 --name 'Layer1/*'"},
       .collect = collectLoss,
       .answers = hasAllTimes},
      {.name = "peak",
       .help = "List the steps with the most live bytes, and the variables live there",
       .examples = {"peak profile.pop", "peak profile.pop --tiles worst:1"},
       .collect = collectPeak,
       .answers = hasLiveness},
      {.name = "vars",
       .help = "List variables with bytes, tiles and live steps; with PATTERN also what reads and writes them",
       .argument = "[PATTERN]",
       .argumentHelp = "Part of a name, or a pattern with * and ?",
       .examples = {"vars profile.pop 'Layer1/*' -n 0", "vars profile.pop weights --json"},
       .collect = collectVars,
       .answers = hasLiveness},
      {.name = "tile",
       .help = "Show one tile at its fullest step: live variables and a map of addresses",
       .argument = "[TILE]",
       .argumentHelp = "Tile number, or worst: the fullest tile (of --ipu, if given); default worst",
       .examples = {"tile profile.pop", "tile profile.pop 12 -n 20"},
       .collect = collectTile,
       .answers = hasTile},
      {.name = "oom",
       .help = "List the tiles that do not fit: by how much, why, and the minimum to remove",
       .examples = {"oom profile.pop", "oom profile.pop --tiles worst:3 -n 20"},
       .collect = collectOom,
       .answers = hasMemory},
      {.name = "gap",
       .help = "Compare the highest address of each tile with its lower bound, and explain the gap",
       .examples = {"gap profile.pop", "gap profile.pop --tiles worst:16 --json"},
       .collect = collectGap,
       .answers = hasMemory},
      {.name = "advise",
       .help = "List changes that reduce memory, with their effect, and places for a WriteUndef",
       .options = {viewFlag("--changes", "Also print the changes as JSON for the engine option popscope.applyAdvice")},
       .examples = {"advise profile.pop", "advise profile.pop --changes --json"},
       .collect = collectAdvise,
       .answers = hasAdvice},
      {.name = "fit",
       .help = "List the smallest set of changes that the engine found to make a program fit",
       .options = {viewOption(
           "--write", "FILE",
           "Also write the changes to this file, as JSON for the engine option popscope.applyAdvice")},
       .examples = {"fit profile.pop", "fit profile.pop --write changes.json"},
       .collect = collectFit,
       .answers = hasFit},
      {.name = "exchange",
       .help = "List the bytes that exchanges and host copies move, and the tiles that move most",
       .examples = {"exchange profile.pop", "exchange profile.pop --tiles 0-9 -n 3"},
       .collect = collectExchange},
      {.name = "tree",
       .help = "Print the programs as a tree, with the cycles of each",
       .options = {viewOption("--depth", "N", "Number of levels to print; default all")},
       .examples = {"tree profile.pop --depth 3", "tree profile.pop --name 'Layer1/*'"},
       .collect = collectTree},
      {.name = "live",
       .help = "List the variables live at a step, or the changes between two steps",
       .options = {viewOption("--at", "STEP", "Id of a step; default: the step with the most live bytes"),
                   viewOption("--vs", "STEP", "Id of another step to compare with")},
       .examples = {"live profile.pop --at 65", "live profile.pop --at 12 --vs 65"},
       .collect = collectLive,
       .answers = hasLiveness},
      {.name = "runs",
       .help = "List the recorded runs, and count the runs that were not recorded",
       .examples = {"runs profile.pop", "runs profile.pop --csv"},
       .collect = collectRuns},
      {.name = "measured",
       .help = "Compare estimated cycles with cycles measured on a real machine (see import-cycles)",
       .examples = {"measured profile.pop", "measured profile.pop --name 'Layer1/*' --csv"},
       .collect = collectMeasured,
       .answers = hasMeasured},
      {.name = "why",
       .help = "Explain why a variable is live, and at which steps",
       .argument = "[VAR]",
       .argumentHelp = "Name of a variable, as liveness lists show it, or a pattern with * and ?; default: all "
                       "variables that --name and --step select",
       .options = {viewOption("--step", "N",
                              "Explain only this step; popscope tree lists the ids; default: all steps")},
       .examples = {"why profile.pop Layer1/Fwd/partials", "why profile.pop --step 40 -n 5 --json"},
       .collect = collectWhyAnswer,
       .answers = hasExplanations},
      {.name = "overhead",
       .help = "Report the bytes and cycles that instrumentation costs",
       .examples = {"overhead profile.pop", "overhead profile.pop --csv"},
       .collect = collectOverheadAnswer},
      {.name = "sources",
       .help = "List the sources of each vertex type's cycles, such as estimates or counted code",
       .examples = {"sources profile.pop", "sources profile.pop --name 'Layer1/*' --csv"},
       .collect = collectSourcesAnswer},
      {.name = "diff",
       .help = "Compare two profiles and list the differences, largest first",
       .twoProfiles = true,
       .options = {viewOption("--fail-on", "LIMITS",
                              "Exit with 1 if a metric grows by more than its limit: cycles+2%,bytes.fullestTile+0; a "
                              "metric's name may contain commas")},
       .examples = {"diff old.pop new.pop", "diff old.pop new.pop --fail-on 'cycles+2%,computeSet.*.cycles+500'"},
       .collect = collectDiff},
      {.name = "check",
       .help = "Check a profile against the limits of a budget; exit with 1 if a limit fails",
       .options = {viewOption("--budget", "FILE", "File of limits in JSON, see docs/BUDGET.md"),
                   viewOption("--baseline", "FILE", "Earlier profile for limits on increases"),
                   viewFlag("--junit", "Print JUnit XML for build servers, with a test case for each limit"),
                   viewFlag("--sarif", "Print SARIF 2.1.0 for code scanning, with a result for each failed limit")},
       .examples = {"check profile.pop --budget budget.json",
                    "check new.pop --budget budget.json --baseline old.pop --markdown"},
       .collect = collectCheck},
      {.name = "history",
       .help = "List metrics over all profiles of a folder",
       .argument = "[NUMBERS]",
       .argumentHelp = "Names or patterns of metrics, separated by commas; default cycles,bytes.fullestTile,bytes.live",
       .options = {{"--by",
                    {"name", "time"},
                    "ORDER",
                    "name",
                    "Order of the profiles: by name (run9 before run10), or by the time the file was written"}},
       .examples = {"history profiles", "history profiles 'cycles,category.*Code' -n 10"},
       .collect = collectHistory,
       .folder = true},
      {.name = "numbers",
       .help = "List the names and values of the metrics that diff and check use",
       .argument = "[PATTERN]",
       .argumentHelp = "Part of a name, or a pattern with * and ?",
       .examples = {"numbers profile.pop", "numbers profile.pop 'computeSet.*'"},
       .collect = collectNumbers},
  };
  return rows;
}

const char *usualRows(const std::string &view) {
  static const std::map<std::string, const char *> rows = {
      {"info", "5 categories, 3 compute sets"},
      {"top", "10"},
      {"operators", "10"},
      {"stats", "20"},
      {"loss", "10, and 5 tiles of the critical path"},
      {"peak", "5 steps, 15 variables"},
      {"vars", "15"},
      {"tile", "10"},
      {"oom", "5 tiles, 10 variables"},
      {"gap", "10"},
      {"advise", "8"},
      {"exchange", "10 exchanges, 5 tiles, 5 pairs"},
      {"tree", "60"},
      {"live", "15"},
      {"runs", "20"},
      {"measured", "20"},
      {"why", "40 reasons; with a pattern 8 variables, 3 reasons each"},
      {"overhead", "8 steps"},
      {"diff", "15"},
      {"whatif", "10"}};
  const auto found = rows.find(view);
  return found == rows.end() ? "all" : found->second;
}

bool canAnswer(const pva::Report &report, const char *view) {
  const auto &rows = views();
  const auto row =
      std::find_if(rows.begin(), rows.end(), [&](const ViewRow &r) { return r.name == std::string(view); });
  POPSCOPE_CHECK(row != rows.end(), "a hint names the view {}, which is none", view);
  return row->answers == nullptr || row->answers(report);
}

void noteReplica(Rows &rows, const Request &request) {
  const std::uint64_t replicas = request.report.compilation().target().numReplicas();
  if (replicas > 1)
    rows.notes.push_back("the numbers are those of one replica; each of the " + cellText(replicas) +
                         " replicas has the same");
}

void noteNoCode(Rows &rows, const Request &request) {
  if (!request.report.popscope().codeIncluded())
    rows.notes.emplace_back(
        "memory is without code: this is an IPU Model without compileIPUCode; bytes of exchange code "
        "are those that the exchanges take with compileIPUCode");
}

void suggest(Rows &rows, const Request &request, const char *view, const std::string &rest) {
  if (canAnswer(request.report, view))
    rows.next.push_back(commandFor(request, view, rest));
}

std::string commandFor(const Request &request, const std::string &command, const std::string &rest) {
  return "popscope " + command + " " + shellWord(request.profile) + (rest.empty() ? "" : " " + rest);
}

} // namespace popscope
