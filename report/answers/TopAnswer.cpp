#include "report/answers/TopAnswer.hpp"

#include "report/answers/MeasuredColumn.hpp"
#include "report/answers/RunsAnswer.hpp"
#include "report/answers/StepTimes.hpp"
#include "report/answers/TopTables.hpp"

#include <algorithm>
#include <optional>

namespace popscope {

namespace {

bool hasCycles(const Table &table) {
  return std::any_of(table.columns.begin(), table.columns.end(),
                     [](const Column &c) { return c.unit == Unit::Cycles || c.unit == Unit::TileCycles; });
}

/// Proposes the view of exchanges if the first step of the table is an exchange.
void suggestExchange(const Request &request, Rows &rows) {
  if (rows.tables[0].rows.empty())
    return;
  const auto step = std::get<std::uint64_t>(rows.tables[0].rows[0][0]);
  const StepCause kind = stepCauseOf(*request.report.compilation().programs()[step]);
  if (kind == StepCause::Exchange || kind == StepCause::GlobalExchange)
    suggest(rows, request, "exchange", "--steps " + std::to_string(step));
}

} // namespace

// Collects the table of --of and the notes that explain its numbers.
Rows collectTop(const Request &request) {
  Rows rows("top");
  const std::string of = request.options.at("of");
  if (of != "layers" && of != "operations" && !request.options.at("depth").empty())
    throw AnswerError("--depth: " + of + " have no levels; give --of layers");
  if (of == "tiles" && !request.selection.name.empty())
    throw AnswerError("--name: tiles have no names; give --tiles N, or another --of");
  if (of == "vertices" && !request.selection.runs.empty())
    throw AnswerError("--runs: a vertex has the cycles of its last execution, in whichever run that was; give --steps, "
                      "or --of vertex-types for the cycles of chosen runs");
  const bool withFlops = of == "compute-sets" || of == "vertex-types" || of == "operations" || of == "layers";
  std::optional<FlopColumns> flops;
  if (withFlops)
    flops.emplace(request, request.selection.everyTile());
  const auto vertices = of == "vertices" ? request.report.execution().vertices() : pva::List<pva::VertexExecution>();
  if (of == "compute-sets")
    rows.tables.push_back(top::topComputeSets(request, *flops));
  else if (of == "steps")
    rows.tables.push_back(top::topSteps(request));
  else if (of == "vertex-types")
    rows.tables.push_back(top::topVertexTypes(request, *flops));
  else if (of == "vertices")
    rows.tables.push_back(top::topVertices(request, vertices));
  else if (of == "variables")
    rows.tables.push_back(top::topVariables(request));
  else if (of == "tiles")
    rows.tables.push_back(top::topTiles(request));
  else
    rows.tables.push_back(top::topOperations(request, *flops));
  if (of == "vertices")
    rows.notes.emplace_back(
        vertices.empty() ? "single vertices are not recorded: set debug.computeInstrumentationLevel to "
                           "\"vertex\", on a device with debug.instrument, and run again"
                         : "cycles are those of the last recorded execution: thread cycles of a worker vertex, tile "
                           "cycles of a supervisor vertex or MultiVertex");
  else if (!request.report.execution().runs().empty() && hasCycles(rows.tables.back()))
    rows.notes.emplace_back("cycles are estimates, summed over the selected recorded runs");
  if (hasCycles(rows.tables.back()))
    noteCutRuns(request.report, request.selection, rows);
  if (request.selection.everyTile() && !request.report.execution().runs().empty() &&
      (of == "compute-sets" || of == "steps" || of == "operations"))
    rows.notes.emplace_back(
        "the cycles of a step are what it adds to the length of the runs; a step that runs next to earlier ones adds "
        "none, so the cycles of all steps add up to the length of the runs, except for the cycles in which counters "
        "are read after the last step of a run");
  if (request.selection.ipu && !top::someTiles(request) && !request.report.execution().runs().empty() &&
      (of == "compute-sets" || of == "steps" || of == "operations"))
    rows.notes.emplace_back(
        "the cycles of a step are what it adds to the time of the chosen IPU; popscope numbers --ipu "
        "has the cycles of the slowest tile of the IPU");
  if (request.selection.everyTile() && of != "tiles" && of != "variables")
    noteCategories(request.report, rows);
  if (of == "vertex-types" && !request.selection.everyStep())
    rows.notes.emplace_back(
        "only types of the chosen steps are listed; their vertices, memory and code are those of the whole program");
  if (of == "vertex-types" && !request.selection.everyTile())
    rows.notes.emplace_back("cycles of vertex types are known only for all tiles together");
  if (of == "tiles" && !request.selection.everyStep() && request.options.at("by") != "cycles")
    rows.notes.emplace_back("bytes and code are those of the whole program, whatever steps were chosen; popscope peak "
                            "--steps lists what is live at the chosen steps");
  if (top::someTiles(request) && (of == "compute-sets" || of == "steps" || of == "operations" || of == "layers"))
    rows.notes.emplace_back("vertices, code and data are those of the chosen tiles, and cycles those of the slowest of "
                            "them; shares are shares of the whole runs");
  if (of == "compute-sets" && !request.selection.everyTile() && !request.report.execution().runs().empty())
    rows.notes.emplace_back("Threads busy is unknown for a part of the tiles: the profile has the cycles of working "
                            "threads only for all tiles together");
  if (of == "steps" || of == "operations" || of == "layers")
    noteNoCode(rows, request);
  if (of == "tiles" && !request.report.popscope().codeIncluded())
    rows.notes.emplace_back("memory is without code: this is an IPU Model without compileIPUCode");
  if (request.report.execution().runs().empty() && request.options.at("by").empty() && of != "variables" &&
      of != "tiles" && of != "vertices")
    rows.notes.emplace_back("no run was recorded, so the ranking is by compiled sizes, not by cycles");
  if (of == "compute-sets" || of == "steps")
    MeasuredColumn(request.report).addNote(rows);
  if (withFlops)
    flops->addNote(rows);
  suggest(rows, request, "top", of == "compute-sets" ? "--of steps" : "--of compute-sets");
  if (of == "tiles" && !rows.tables[0].rows.empty())
    suggest(rows, request, "tile", std::to_string(std::get<std::uint64_t>(rows.tables[0].rows[0][0])));
  if (of == "compute-sets" || of == "steps")
    suggest(rows, request, "loss");
  if (of == "steps")
    suggestExchange(request, rows);
  return rows;
}

} // namespace popscope
