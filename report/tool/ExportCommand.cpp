#include "report/tool/ExportCommand.hpp"

#include "base/ShownText.hpp"
#include "report/export/WriteExports.hpp"
#include "report/summary/Format.hpp"
#include "report/tool/Arguments.hpp"

#include <CLI/CLI.hpp>
#include <iostream>

namespace popscope {
namespace {

struct ExportArguments {
  std::vector<std::string> formats;
  std::string time = "cycles";
  ExportTarget target;
  CsvOptions options;
  std::optional<std::uint64_t> maxEvents, maxBytes;
  bool estimate = false;
};

void addWhat(CLI::App &app, ExportArguments &a) {
  Selection &selection = a.options.timeline.selection;
  app.add_option("--runs", selection.runs, "Keep these recorded runs, counted from 0: 0,2-; default all")
      ->type_name("RUNS")
      ->check(notEmpty);
  app.add_option("--steps", selection.steps,
                 "Keep steps with these ids, as popscope tree lists them: 12-40,60-; default all")
      ->type_name("STEPS")
      ->check(notEmpty);
  app.add_option("--tiles", selection.tiles,
                 "Tiles: 0,5-9, worst:16 or all. A trace draws a lane for each of these tiles (default none), and a "
                 "table keeps only these tiles (default all)")
      ->type_name("TILES")
      ->check(notEmpty);
  addWhole(app, "--max-events", a.maxEvents, {},
           "Maximum number of events in a trace, or of rows for steps in a table; 0 = no limit; default 1000000");
  addWhole(app, "--max-bytes", a.maxBytes, {},
           "Maximum estimated bytes of all files together; if the estimate is larger, nothing is written; 0 = no "
           "limit; default 1073741824");
  app.add_option(
         "--time", a.time,
         "Time unit of traces: cycles (1 cycle is drawn as 1 ns) or clock (ns at the target's clock); default cycles")
      ->type_name("cycles|clock")
      ->check(oneOf({"cycles", "clock"}));
  app.add_option("--pvti", a.options.timeline.pvti,
                 "Trace of the host (.pvti) whose spans are added to the trace; implies --time clock; default none")
      ->type_name("FILE");
  app.add_option("--fp-point", a.options.fpPoint,
                 "Name of the first forward step, for step_trace.csv of msprof; default Fwd")
      ->type_name("PATTERN");
  app.add_option("--bp-point", a.options.bpPoint,
                 "Name of the last backward step, for step_trace.csv of msprof; default Bwd")
      ->type_name("PATTERN");
}

/// Returns the formats, and sets the layout if a name requires one.
std::vector<const FormatRow *> formatsOf(ExportArguments &a) {
  std::vector<const FormatRow *> rows;
  for (const std::string &name : a.formats) {
    const NamedExport named = exportNamed(name);
    if (named.layout != "flat")
      a.target.layout = named.layout;
    for (const FormatRow *row : named.formats)
      if (std::find(rows.begin(), rows.end(), row) == rows.end())
        rows.push_back(row);
  }
  if (rows.empty())
    rows.push_back(&exportFormats().front());
  return rows;
}

void printEstimate(std::ostream &out, const std::vector<PlannedFile> &plan) {
  std::uint64_t all = 0;
  for (const PlannedFile &file : plan) {
    out << file.path << "  about " << binarySize(file.file.estimate) << "\n";
    all += file.file.estimate;
  }
  out << "together about " << binarySize(all) << "; nothing was written\n";
}

void printWritten(std::ostream &out, const std::vector<WrittenFile> &files) {
  std::uint64_t withoutTime = 0, byGroups = 0;
  for (const WrittenFile &file : files) {
    out << shownText(file.path) << "  " << binarySize(file.bytes)
        << (file.result.events == 0
                ? ""
                : ", " + commas(file.result.events) + (file.result.events == 1 ? " event" : " events"))
        << "\n";
    if (file.result.cut)
      out << "  ends at --max-events, before step " << file.result.cutStep << " of run " << file.result.cutRun
          << "; --max-events 0 writes all, --runs and --steps choose\n";
    withoutTime = std::max(withoutTime, file.result.stepsWithoutTime);
    byGroups = std::max(byGroups, file.result.exchangesByGroups);
  }
  if (withoutTime != 0)
    out << counted(withoutTime, "step")
        << (withoutTime == 1 ? " is left out of traces and stacks, because its"
                             : " are left out of traces and stacks, because their")
        << " time was not recorded\n";
  if (byGroups != 0)
    out << counted(byGroups, "exchange") << (byGroups == 1 ? " has" : " have")
        << " no arrows from tile to tile in traces: for very many pairs of tiles, the profile has only "
           "groups\n";
}

} // namespace

CommandAction makeExport(CLI::App &app) {
  const auto path = profileArgument(app);
  const auto a = std::make_shared<ExportArguments>();
  std::string names;
  for (const FormatRow &row : exportFormats())
    names += (names.empty() ? "" : "; ") + std::string(row.name) + ": " + row.help;
  app.add_option("--format", a->formats,
                 "Formats to write, separated by commas; default chrome. " + names +
                     "; msprof: csv and chrome with --layout msprof")
      ->type_name(formatNames())
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("-o,--output", a->target.path,
                 "Folder to write. If there is only one file: this file, unless the name ends with / or is an existing "
                 "folder; or - for standard output. Default: the folder <profile>_export next to the profile")
      ->type_name("PATH");
  app.add_option(
         "--layout", a->target.layout,
         "Names of folders and files: flat, or msprof (PROF_000001_<time>_POPSCOPE, as in Ascend's tool); default "
         "flat")
      ->type_name("flat|msprof")
      ->check(oneOf({"flat", "msprof"}));
  app.add_flag("--overwrite", a->target.overwrite, "Replace files that exist");
  app.add_flag("--estimate", a->estimate, "Only list the files and their estimated sizes");
  addWhat(app, *a);
  app.footer("Examples:\n  popscope export profile.pop --format chrome,csv\n  popscope export profile.pop --format "
             "perfetto --tiles worst:4 --runs 1 -o run1.pftrace\n"
             "  popscope export profile.pop --format folded -o stacks");
  return [path, a](std::ostream &out, const Screen &) {
    ExportRequest request{pva::openReport(*path), *path, a->options};
    Selection &selection = request.options.timeline.selection;
    const std::string tiles = selection.tiles;
    checkSelection(request.report, selection);
    selection.tiles = tiles; // unlike "", "all" draws a lane for each tile of a trace
    request.options.timeline.byClock = a->time == "clock";
    request.options.timeline.maxEvents = a->maxEvents.value_or(request.options.timeline.maxEvents);
    a->target.maxBytes = a->maxBytes.value_or(std::uint64_t(1) << 30U);
    a->target.time = exportTimeNow();
    const auto plan = planExports(request, formatsOf(*a), a->target);
    if (a->estimate) {
      printEstimate(out, plan);
      return kDone;
    }
    if (a->target.path == "-") {
      if (plan.size() != 1)
        throw AnswerError("-o -: " + std::to_string(plan.size()) +
                          " files do not fit on standard output; give a folder");
      checkSize(plan, a->target);
      (void)plan.front().file.write(out);
      return kDone;
    }
    printWritten(out, writeExports(plan, a->target));
    return kDone;
  };
}

} // namespace popscope
