#include "report/answers/View.hpp"

#include "base/Check.hpp"
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

// The following functions are requirements of views on a profile.

// Returns whether the times of all steps were recorded, as far as the first run and the totals show.
bool hasAllTimes(const pva::Report &report) {
  const auto runs = report.execution().runs();
  if (runs.empty() || someCategories(report) || !totalsOfRuns(report, selectedRuns(report, {})).syncKnown())
    return false;
  for (const auto &step : runs[0].steps())
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
  return {"stats",
          "A named report: filtered, grouped, sorted, with percentiles",
          kAllFlags,
          "",
          "",
          false,
          {{"--report", reportNames(), "NAME", "executions", "What the records are"},
           {"--list-reports", {}, "", "", "List the reports, and the columns of --report; needs no profile"},
           {"--of", {}, "COLUMN", "", "What is described; default: the report's time or bytes"},
           {"--aggregate-by,--group-by",
            {},
            "COLUMNS",
            "",
            "One row for each value of these, separated by commas; all: one row; none: each record by itself"},
           {"--aggregate",
            {"sum", "min", "mean", "median", "max", "p90", "p95", "p97", "p99", "p999", "count"},
            "WHAT",
            "",
            "Only this; default all"},
           {"--order-by", {}, "COLUMN", "", "Largest first, with + before it smallest first; default: the sum"},
           {"--where",
            {},
            "CONDITIONS",
            "",
            "Only records such as kind=compute,cycles>=1000 (=, !=, <, <=, >, >=; * and ? in names)"},
           {"--min-time", {}, "TIME", "", "Only records that take as long: cycles, 1.5us, or 1e-4 (seconds)"},
           {"--max-time", {}, "TIME", "", "Only records that take no longer"},
           {"--in", {"cycles", "ns"}, "UNIT", "cycles", "What times are told in"}},
          {"stats profile.pop --report compute-sets --order-by p99 -n 5",
           "stats profile.pop --report tiles --aggregate-by all --of live"},
          collectStats,
          "--list-reports"};
}

ViewRow operatorsRow() {
  return {"operators",
          "One table of what ran: self time, running total, operations, memory and their rates, shapes",
          kCount | kSteps | kRuns | kName,
          "",
          "",
          false,
          {{"--aggregate-by", {"operator", "type", "layer"}, "WHAT", "operator", "One row for each of these"},
           {"--aggregate", {"sum", "mean", "min", "max"}, "HOW", "sum", "What a row of several operators shows"},
           {"--order-by", {}, "COLUMN", "", "Largest first, with + before it smallest first; default selfTime"},
           {"--type", {}, "PATTERN", "", "Only operators whose type has this in it, or matches"},
           {"--min-time", {}, "TIME", "", "Only operators that take as long: cycles, 1.5us, or 1e-4 (seconds)"},
           {"--max-time", {}, "TIME", "", "Only operators that take no longer"}},
          {"operators profile.pop -t 5 --aggregate-by type",
           "operators profile.pop -t 5 --order-by memory --min-time 1e-4"},
          collectOperators,
          "",
          false,
          hasRuns};
}

} // namespace

std::string keyOf(const ViewOption &option) {
  const std::string name = option.name;
  return name.substr(2, std::min(name.find(','), name.size()) - 2);
}

// The table of views. To add one, add its row and its function.
const std::vector<ViewRow> &views() {
  static const std::vector<ViewRow> rows = {
      {"info",
       "The verdict: does it fit, what fills it, where the cycles went; also without any sub-command",
       kAllFlags,
       "",
       "",
       false,
       {{"--compile", {}, "", "", "What each part of compiling took: wall, CPU, memory (popscope.recordCompilePhases)"},
        {"--report", {}, "", "", "What a report of a fault needs: versions, compiler, system, machine, options"}},
       {"profile.pop", "info profile.pop --json", "info profile.pop --report"},
       collectInfoAnswer,
       "--report"},
      {"top",
       "What is largest: compute sets, steps, vertex types, variables, tiles, operations or layers",
       kAllFlags,
       "",
       "",
       false,
       {{"--of",
         {"compute-sets", "steps", "vertex-types", "vertices", "variables", "tiles", "operations", "layers"},
         "KIND",
         "compute-sets",
         "What is ranked"},
        {"--by",
         {"cycles", "bytes", "code", "vertices", "flops"},
         "MEASURE",
         "",
         "By what; default: cycles, and bytes of variables and tiles"}},
       {"top profile.pop -n 5", "top profile.pop --of variables --tiles worst:1"},
       collectTop},
      operatorsRow(),
      statsRow(),
      {"loss",
       "Where the cycles of all tiles went, with nothing left over, and what balance would save",
       kAllFlags,
       "",
       "",
       false,
       {},
       {"loss profile.pop", "loss profile.pop --runs 1 --name 'Layer1/*'"},
       collectLoss,
       "",
       false,
       hasAllTimes},
      {"peak",
       "The steps at which most is live, and what is live there",
       kAllFlags,
       "",
       "",
       false,
       {},
       {"peak profile.pop", "peak profile.pop --tiles worst:1"},
       collectPeak,
       "",
       false,
       hasLiveness},
      {"vars",
       "Variables with their bytes, tiles and the steps at which they live; of those of a pattern what reads and "
       "writes them",
       kAllFlags,
       "[PATTERN]",
       "Part of a name, or a pattern with * and ?",
       false,
       {},
       {"vars profile.pop 'Layer1/*' -n 0", "vars profile.pop weights --json"},
       collectVars,
       "",
       false,
       hasLiveness},
      {"tile",
       "One tile at its worst step: what lives there, and its addresses drawn",
       kAllFlags,
       "[TILE]",
       "Its number; default: worst, the fullest (of --ipu)",
       false,
       {},
       {"tile profile.pop", "tile profile.pop 12 -n 20"},
       collectTile,
       "",
       false,
       hasTile},
      {"oom",
       "The tiles that do not fit: by how much, why, what fills them, and the least that must go",
       kAllFlags,
       "",
       "",
       false,
       {},
       {"oom profile.pop", "oom profile.pop --tiles worst:3 -n 20"},
       collectOom,
       "",
       false,
       hasMemory},
      {"gap",
       "How far the packing of each tile is from what is there at one time, and why",
       kAllFlags,
       "",
       "",
       false,
       {},
       {"gap profile.pop", "gap profile.pop --tiles worst:16 --json"},
       collectGap,
       "",
       false,
       hasMemory},
      {"advise",
       "What would help, and by how much: changes that were tried, and places for a WriteUndef",
       kAllFlags,
       "",
       "",
       false,
       {{"--changes", {}, "", "", "Also the changes themselves, as the engine option popscope.applyAdvice takes them"}},
       {"advise profile.pop", "advise profile.pop --changes --json"},
       collectAdvise,
       "",
       false,
       hasAdvice},
      {"fit",
       "The least changes under which a program fits that does not, as they were found by compiling",
       kAllFlags,
       "",
       "",
       false,
       {{"--write", {}, "FILE", "", "Also write the changes, as the engine option popscope.applyAdvice takes them"}},
       {"fit profile.pop", "fit profile.pop --write changes.json"},
       collectFit,
       "",
       false,
       hasFit},
      {"exchange",
       "What exchanges move, and the tiles that send and receive most",
       kAllFlags,
       "",
       "",
       false,
       {},
       {"exchange profile.pop", "exchange profile.pop --tiles 0-9 -n 3"},
       collectExchange},
      {"tree",
       "Programs as a tree, with the cycles of each",
       kAllFlags,
       "",
       "",
       false,
       {{"--depth", {}, "N", "", "Levels that are shown; default all"}},
       {"tree profile.pop --depth 3", "tree profile.pop --name 'Layer1/*'"},
       collectTree},
      {"live",
       "What is live at a step, or what changed between two",
       kAllFlags,
       "",
       "",
       false,
       {{"--at", {}, "STEP", "", "The id of a step; default: where most is live"},
        {"--vs", {}, "STEP", "", "Another step to compare with"}},
       {"live profile.pop --at 65", "live profile.pop --at 12 --vs 65"},
       collectLive,
       "",
       false,
       hasLiveness},
      {"runs",
       "The recorded runs, and those that were not recorded",
       kAllFlags,
       "",
       "",
       false,
       {},
       {"runs profile.pop", "runs profile.pop --csv"},
       collectRuns},
      {"measured",
       "Cycles of a real machine, brought in by import-cycles, beside the estimates",
       kAllFlags,
       "",
       "",
       false,
       {},
       {"measured profile.pop", "measured profile.pop --name 'Layer1/*' --csv"},
       collectMeasured,
       "",
       false,
       hasMeasured},
      {"why",
       "Explain why a variable is live",
       kAllFlags,
       "[VAR]",
       "Name of a variable, as liveness lists show it, or a pattern with * and ?; default: all that --name and --step "
       "choose",
       false,
       {{"--step", {}, "N", "", "Only at this step: an id, as popscope tree lists them"}},
       {"why profile.pop Layer1/Fwd/partials", "why profile.pop --step 40 -n 5 --json"},
       collectWhyAnswer,
       "",
       false,
       hasExplanations},
      {"overhead",
       "State what instrumentation cost in bytes and cycles",
       kAllFlags,
       "",
       "",
       false,
       {},
       {"overhead profile.pop", "overhead profile.pop --csv"},
       collectOverheadAnswer},
      {"sources",
       "Say where the cycles of vertices come from",
       kAllFlags,
       "",
       "",
       false,
       {},
       {"sources profile.pop", "sources profile.pop --name 'Layer1/*' --csv"},
       collectSourcesAnswer},
      {"diff",
       "What moved between two profiles, largest first",
       kAllFlags,
       "",
       "",
       true,
       {{"--fail-on", {}, "LIMITS", "", "End with 1 if a number grew by more: cycles+2%,bytes.fullestTile+0"}},
       {"diff old.pop new.pop", "diff old.pop new.pop --fail-on 'cycles+2%,computeSet.*.cycles+500'"},
       collectDiff},
      {"check",
       "Whether the limits of a budget hold; ends with 1 if not",
       kAllFlags,
       "",
       "",
       false,
       {{"--budget", {}, "FILE", "", "Limits as JSON, see docs/BUDGET.md"},
        {"--baseline", {}, "FILE", "", "Profile that limits on increases compare with"},
        {"--junit", {}, "", "", "Print XML for build servers: a test case for each limit"},
        {"--sarif", {}, "", "", "Print SARIF 2.1.0, for code scanning: a result for each limit that does not hold"}},
       {"check profile.pop --budget budget.json", "check new.pop --budget budget.json --baseline old.pop --markdown"},
       collectCheck},
      {"history",
       "The same numbers over all profiles of a folder",
       kAllFlags,
       "[NUMBERS]",
       "Names or patterns, separated by commas; default cycles,bytes.fullestTile,bytes.live",
       false,
       {{"--by",
         {"name", "time"},
         "ORDER",
         "name",
         "Order of the profiles: of their names, run9 before run10, or the age of the files"}},
       {"history profiles", "history profiles 'cycles,category.*Code' -n 10"},
       collectHistory,
       "",
       true},
      {"numbers",
       "The numbers that diff compares and check limits, by name",
       kAllFlags,
       "[PATTERN]",
       "Part of a name, or a pattern with * and ?",
       false,
       {},
       {"numbers profile.pop", "numbers profile.pop 'computeSet.*'"},
       collectNumbers},
  };
  return rows;
}

const char *usualRows(const std::string &view) {
  static const std::map<std::string, const char *> rows = {
      {"info", "5 categories, 3 compute sets"},
      {"top", "10"},
      {"operators", "10"},
      {"stats", "20"},
      {"loss", "10; 5 tiles of the path"},
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
      {"why", "40 reasons; of a pattern 8 variables, 3 reasons each"},
      {"overhead", "8 steps"},
      {"diff", "15"},
      {"whatif", "10"}};
  const auto found = rows.find(view);
  return found == rows.end() ? "all" : found->second;
}

std::string shellWord(const std::string &text) {
  const std::string plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/-+:,=@%";
  if (!text.empty() && text.find_first_not_of(plain) == std::string::npos)
    return text;
  std::string quoted = "'";
  for (const char c : text)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

bool canAnswer(const pva::Report &report, const char *view) {
  const auto &rows = views();
  const auto row =
      std::find_if(rows.begin(), rows.end(), [&](const ViewRow &r) { return r.name == std::string(view); });
  POPSCOPE_CHECK(row != rows.end(), "a hint names the view {}, which is none", view);
  return row->answers == nullptr || row->answers(report);
}

void suggest(Rows &rows, const Request &request, const char *view, const std::string &rest) {
  if (canAnswer(request.report, view))
    rows.next.push_back(commandFor(request, view, rest));
}

std::string commandFor(const Request &request, const std::string &command, const std::string &rest) {
  return "popscope " + command + " " + shellWord(request.profile) + (rest.empty() ? "" : " " + rest);
}

} // namespace popscope
