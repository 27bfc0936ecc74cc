#include "report/export/Formats.hpp"

#include "base/EditDistance.hpp"
#include "report/answers/RunsAnswer.hpp"
#include "report/export/ChromeTrace.hpp"
#include "report/export/CsvMemory.hpp"
#include "report/export/Graphs.hpp"
#include "report/export/JsonLines.hpp"
#include "report/export/Papers.hpp"
#include "report/export/PerfettoTrace.hpp"
#include "report/export/Pictures.hpp"
#include "report/export/Stacks.hpp"

#include <algorithm>
#include <sstream>

namespace popscope {
namespace {

using WriteTimeline = TimelineResult (*)(std::ostream &, const pva::Report &, const TimelineOptions &);

ExportFile file(const ExportRequest &request, const char *name, std::uint64_t estimate, WriteTimeline writer) {
  return {name, estimate,
          [&request, writer](std::ostream &out) { return writer(out, request.report, request.options.timeline); }};
}

/// Returns a file that is always small. Its contents are made when the export is planned, so that its estimated size is
/// exact.
ExportFile made(const ExportRequest &request, const char *name, WriteTimeline writer) {
  std::ostringstream text;
  const TimelineResult result = writer(text, request.report, request.options.timeline);
  const auto contents = std::make_shared<const std::string>(std::move(text).str());
  return {name, contents->size(), [contents, result](std::ostream &out) {
            out << *contents;
            return result;
          }};
}

// Average bytes per row of each format, measured on the examples' profiles.
constexpr std::uint64_t kChromeEvent = 230, kPerfettoEvent = 50, kStepLine = 240, kVariableLine = 140, kTileLine = 130,
                        kCsvStep = 160, kCsvTask = 75, kCsvCell = 45, kSpeedscopeStep = 100;

std::uint64_t recordedSteps(const ExportRequest &r) {
  std::uint64_t steps = 0;
  const auto runs = r.report.execution().runs();
  for (const std::size_t run : selectedRuns(r.report, r.options.timeline.selection))
    steps += runs[run].steps().size();
  const std::uint64_t most = r.options.timeline.maxEvents;
  return most == 0 ? steps : std::min(steps, most);
}
std::uint64_t variables(const ExportRequest &r) { return r.report.compilation().variables().size(); }
std::uint64_t programs(const ExportRequest &r) { return r.report.compilation().livenessProgramSteps().size(); }

void needRuns(const ExportRequest &r) {
  if (selectedRuns(r.report, r.options.timeline.selection).empty())
    refuseWithoutRun(r.report);
}
std::vector<ExportFile> chrome(const ExportRequest &r) {
  needRuns(r);
  return {file(r, "chrome_timeline.json", 2000 + kChromeEvent * estimateTimelineEvents(r.report, r.options.timeline),
               writeChromeTrace)};
}
std::vector<ExportFile> perfetto(const ExportRequest &r) {
  needRuns(r);
  return {file(r, "timeline.pftrace", 2000 + kPerfettoEvent * estimateTimelineEvents(r.report, r.options.timeline),
               writePerfettoTrace)};
}
std::vector<ExportFile> jsonl(const ExportRequest &r) {
  return {file(r, "profile.jsonl",
               2000 + kStepLine * recordedSteps(r) + kVariableLine * (variables(r) + programs(r)) +
                   kTileLine * tileCount(r.report),
               writeJsonLines)};
}
std::vector<ExportFile> folded(const ExportRequest &r) {
  std::vector<ExportFile> files = {made(r, "bytes.folded", writeFoldedBytes)};
  if (recordedSteps(r) != 0)
    files.insert(files.begin(), made(r, "cycles.folded", writeFoldedCycles));
  return files;
}
std::vector<ExportFile> speedscope(const ExportRequest &r) {
  return {file(r, "speedscope.json", 500 + kSpeedscopeStep * recordedSteps(r) + speedscopeBytesOfMemory(r.report),
               writeSpeedscope)};
}

std::uint64_t csvEstimate(const ExportRequest &r, const std::string &name) {
  const std::uint64_t ipus = r.report.compilation().target().ipusPerReplica();
  if (name == "op_summary.csv")
    return kCsvStep * recordedSteps(r) * ipus;
  if (name == "task_time.csv")
    return kCsvTask * recordedSteps(r) * ipus;
  if (name == "memory_rate.csv")
    return kCsvTask * recordedSteps(r) / 2; // rows of compute sets
  if (name == "memory_record.csv")
    return sizeOfMemoryRecord(r.report);
  if (name == "npu_mem.csv")
    return kCsvCell / 2 * programs(r) * ipus;
  if (name == "npu_module_mem.csv")
    return 8 * kCsvCell * tileCount(r.report);
  if (name == "static_op_mem.csv")
    return 2 * kCsvCell * variables(r);
  return 2000;
}
std::vector<ExportFile> csv(const ExportRequest &r) {
  std::vector<ExportFile> files;
  for (const CsvTable &table : csvTables())
    files.push_back({std::string("csv/") + table.file, csvEstimate(r, table.file),
                     [&r, &table](std::ostream &out) { return writeCsv(out, table, r.report, r.options); }});
  files.push_back({"csv/README.txt", 3000, [](std::ostream &out) {
                     writeCsvReadme(out);
                     return TimelineResult();
                   }});
  return files;
}

std::vector<ExportFile> dot(const ExportRequest &r) {
  std::vector<ExportFile> files = {made(r, "programs.dot", writeProgramGraph),
                                   made(r, "exchanges.dot", writeExchangeGraph)};
  if (r.report.popscope().livenessAdvice().present)
    files.push_back(made(r, "data.dot", writeDataGraph));
  return files;
}

std::vector<ExportFile> svg(const ExportRequest &r) {
  std::vector<ExportFile> files = {made(r, "tile_map.svg", drawTileMap), made(r, "histogram.svg", drawHistogram)};
  if (hasLoweredVariables(r.report))
    files.push_back(made(r, "memory_flow.svg", drawMemoryFlow));
  if (programs(r) != 0)
    files.push_back(made(r, "liveness.svg", drawLiveness));
  if (recordedSteps(r) != 0)
    files.push_back(made(r, "timeline.svg", drawTimeline));
  return files;
}
std::vector<ExportFile> markdown(const ExportRequest &r) { return {made(r, "tables.md", writeMarkdownTables)}; }
std::vector<ExportFile> sqlite(const ExportRequest &r) {
  // Average bytes measured on the examples' profiles. Values per tile are JSON arrays, so the size of a program, step
  // or variable grows with the number of tiles. A database without rows already contains the schema.
  constexpr std::uint64_t kSchema = 550'000, kTile = 350, kAllocation = 28;
  const pva::CompilationReport compilation = r.report.compilation();
  const std::uint64_t tiles = compilation.tiles().size();
  const std::uint64_t estimate = kSchema + tiles * kTile +
                                 compilation.loweredVariables().allBriefVars().size() * kAllocation +
                                 compilation.programs().size() * (150 + 7 * tiles) +
                                 recordedSteps(r) * (300 + 2 * tiles) + variables(r) * (30 + 5 * tiles / 2);
  const auto write = [&r](std::ostream &out) {
    const std::string bytes = r.report.popscope().plainDatabase();
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return TimelineResult();
  };
  return {{"profile.db", estimate, write}};
}
std::vector<ExportFile> latex(const ExportRequest &r) { return {made(r, "tables.tex", writeLatexTables)}; }

} // namespace

const std::vector<FormatRow> &exportFormats() {
  static const std::vector<FormatRow> rows = {
      {"chrome", "Trace Event JSON for Perfetto, chrome://tracing and speedscope", chrome},
      {"perfetto", "Perfetto's protobuf trace", perfetto},
      {"csv", "a folder of tables with msprof's names", csv},
      {"jsonl", "JSON Lines: programs, tiles, variables, runs, steps", jsonl},
      {"folded", "stacks of cycles and of bytes for flame graphs", folded},
      {"speedscope", "cycles and bytes for speedscope", speedscope},
      {"dot", "graphs of programs, data and exchanges for Graphviz", dot},
      {"svg", "pictures: memory flow, tile map, liveness, timeline, histogram", svg},
      {"md", "tables as Markdown", markdown},
      {"latex", "tables for papers", latex},
      {"sqlite", "a plain SQLite database: every table and view, values per tile as JSON arrays", sqlite},
  };
  return rows;
}

const FormatRow &exportFormat(const std::string &name, const std::string &where) {
  std::vector<std::string> known;
  std::string all;
  for (const FormatRow &row : exportFormats()) {
    if (name == row.name)
      return row;
    known.emplace_back(row.name);
    all += (all.empty() ? "" : ", ") + known.back();
  }
  known.emplace_back(kMsprof);
  throw AnswerError(where + ": there is no format \"" + name + "\"." + didYouMean(name, known) + " The formats are " +
                    all + ", " + kMsprof);
}

} // namespace popscope
