#include "report/answers/RecordReports.hpp"

#include "report/answers/FlopColumns.hpp"
#include "report/answers/LiveTable.hpp"
#include "report/answers/MeasuredColumn.hpp"
#include "report/answers/MovedNames.hpp"
#include "report/answers/Ranking.hpp"
#include "report/answers/StepTimes.hpp"

#include <algorithm>

namespace popscope {
namespace {

Record executionRecord(const StepTime &s, const FlopColumns &flops, const MeasuredColumn &measured, MovedNames &names) {
  const pva::Flops &operations = flops.ofSet(s.program->computeSet);
  const auto cycles = measured.ofStep(s.program->id, s.program->computeSet);
  return {std::uint64_t(s.run),
          std::uint64_t(s.program->id),
          names.nameOf(*s.program),
          names.titleOf(*s.program),
          stepCauseName(s.program->kind),
          knownOr(s.timeKnown, s.part),
          s.activeTiles == 0 ? Cell(Unknown{false}) : knownOr(s.cyclesKnown, s.cycles),
          knownOr(s.known, s.busy),
          knownOr(s.threadsKnown, s.threads),
          s.dataIn,
          s.dataOut,
          s.activeTiles,
          s.program->vertices(),
          knownOr(flops.areOfSelection() && operations.vertices != 0 && operations.known(), operations.operations),
          knownOr(cycles.has_value(), cycles.value_or(0))};
}
const std::vector<Column> kExecutionColumns = {{"run", "Run", Unit::Id},
                                               {"step", "Step", Unit::Id},
                                               {"name", "Name"},
                                               {"program", "Program"},
                                               {"kind", "Kind"},
                                               {"cycles", "Cycles", Unit::Cycles},
                                               {kSpanColumn, "Start to end", Unit::Cycles},
                                               {"work", "Work", Unit::TileCycles},
                                               {"threadWork", "Thread work", Unit::TileCycles},
                                               {"received", "Received", Unit::Bytes},
                                               {"sent", "Sent", Unit::Bytes},
                                               {"activeTiles", "Tiles at work", Unit::Tiles},
                                               {"vertices", "Vertices", Unit::Vertices},
                                               {"operations", "Operations", Unit::Operations},
                                               {kMeasuredColumn, "Measured", Unit::Cycles}};

void eachExecution(const Request &request, const RecordSink &sink,
                   const std::function<bool(const StepProgramInfo &)> &wanted) {
  StepTimes times = readStepTimes(request.report, request.selection);
  const NumberSet steps = selectedSteps(request.selection);
  const MeasuredColumn measured(request.report);
  const FlopColumns flops(request);
  MovedNames names(request.report);
  for (const StepTime &step : times.steps)
    if (steps.contains(step.program->id) && wanted(*step.program))
      sink(executionRecord(step, flops, measured, names));
}

void readExecutions(const Request &request, const RecordSink &sink) {
  eachExecution(request, sink, [](const StepProgramInfo &) { return true; });
}
void readComputeSets(const Request &request, const RecordSink &sink) {
  eachExecution(request, sink, [](const StepProgramInfo &p) { return p.computeSet >= 0; });
}
void readExchanges(const Request &request, const RecordSink &sink) {
  eachExecution(request, sink, [](const StepProgramInfo &p) {
    return p.kind == StepCause::Exchange || p.kind == StepCause::GlobalExchange || p.kind == StepCause::HostExchange;
  });
}

const std::vector<Column> kRunsColumns = {{"run", "Run", Unit::Id},
                                          {"name", "Name"},
                                          {"label", "Label"},
                                          {"program", "Program", Unit::Id},
                                          {"steps", "Steps"},
                                          {"cycles", "Cycles", Unit::Cycles},
                                          {"compute", "Compute", Unit::TileCycles},
                                          {"exchange", "Exchange", Unit::TileCycles},
                                          {"sync", "Sync", Unit::TileCycles}};
void readRuns(const Request &request, const RecordSink &sink) {
  const auto runs = request.report.execution().runs();
  for (const std::size_t i : selectedRuns(request.report, request.selection)) {
    const pva::CycleTotals t = runs[i].totalCycles();
    sink({std::uint64_t(i), nameOr(runs[i].name()), runs[i].label(), runs[i].program(),
          std::uint64_t(runs[i].steps().size()), knownOr(t.totalKnown(), t.total()),
          knownOr(runs[i].complete() && t.computeKnown(), t.compute()), knownOr(runs[i].complete(), t.exchange()),
          knownOr(runs[i].complete() && t.syncKnown(), t.sync())});
  }
}

const std::vector<Column> kMemorySamplesColumns = {{"run", "Run", Unit::Id},     {"position", "Position", Unit::Id},
                                                   {"cycle", "Cycle", Unit::Id}, {"step", "Step", Unit::Id},
                                                   {"program", "Program"},       {"live", "Live", Unit::Bytes}};
void readMemorySamples(const Request &request, const RecordSink &sink) {
  const auto runs = request.report.execution().runs();
  const NumberSet steps = selectedSteps(request.selection);
  StepPrograms programs;
  MovedNames names(request.report);
  for (const std::size_t run : selectedRuns(request.report, request.selection))
    for (const pva::MemorySample &sample : runs[run].memorySamples()) {
      const StepProgramInfo &program = programs.of(*sample.program);
      if (steps.contains(program.id))
        sink({std::uint64_t(run), sample.position, sample.cycle, std::uint64_t(program.id), names.titleOf(program),
              sample.bytes});
    }
}

const std::vector<Column> kVertexTypesColumns = {{"run", "Run", Unit::Id},
                                                 {"step", "Step", Unit::Id},
                                                 {"computeSet", "Compute set"},
                                                 {"type", "Type"},
                                                 {"vertices", "Vertices", Unit::Vertices},
                                                 {"cycles", "Thread cycles of the execution", Unit::TileCycles},
                                                 {"operations", "Operations", Unit::Operations}};
void readVertexTypes(const Request &request, const RecordSink &sink) {
  StepPrograms programs;
  MovedNames moved(request.report);
  std::map<std::size_t, std::string> names;
  for (const auto &type : request.report.compilation().vertexTypes())
    names[type._id()] = type.name();
  std::map<std::pair<std::int64_t, std::size_t>, pva::Flops> flops; // by compute set and type
  if (const FlopColumns known(request); known.areOfSelection())
    for (const pva::VertexTypeFlops &one : known.all())
      flops[{static_cast<std::int64_t>(one.computeSet._id()), one.type._id()}] = one.flops;
  eachVertexTypes(request.report, request.selection, programs,
                  [&](std::size_t run, const StepProgramInfo &program, const auto &types) {
                    for (const pva::VertexTypeCycles &v : types) {
                      const auto done = flops.find({program.computeSet, v.type._id()});
                      const bool known = done != flops.end() && done->second.known();
                      sink({std::uint64_t(run), std::uint64_t(program.id), moved.nameOf(program), names[v.type._id()],
                            v.instances, knownOr(v.known, v.cycles),
                            knownOr(known, known ? done->second.operations : 0)});
                    }
                  });
}

const std::vector<Column> kOperandsColumns = {
    {"computeSet", "Compute set"},   {"type", "Type"},          {"field", "Field"},
    {"elementType", "Element type"}, {"access", "Access"},      {"edges", "Edges"},
    {"elements", "Elements"},        {"least", "Least of one"}, {"most", "Most of one"},
    {"bytes", "Bytes", Unit::Bytes}};
void readOperands(const Request &request, const RecordSink &sink) {
  MovedNames moved(request.report);
  std::map<std::size_t, std::string> names;
  for (const auto &type : request.report.compilation().vertexTypes())
    names[type._id()] = type.name();
  for (const auto &set : request.report.compilation().computeSets())
    for (const pva::VertexOperand &o : set.operands())
      sink({moved.nameOf(set), names[o.type._id()], o.field, o.elementType,
            std::string(o.read && o.written ? "read and written"
                        : o.written         ? "written"
                                            : "read"),
            o.edges, o.elements, o.leastElements, o.mostElements, o.bytes});
}

const std::vector<Column> kTilesColumns = {{"tile", "Tile", Unit::Id},
                                           {"ipu", "IPU", Unit::Id},
                                           {"used", "Used", Unit::Bytes},
                                           {"highest", "With gaps", Unit::Bytes},
                                           {"free", "Free", Unit::Bytes},
                                           {"over", "Past the end", Unit::Bytes},
                                           {"alwaysLive", "Always live", Unit::Bytes},
                                           {"live", "Most live", Unit::Bytes}};
void readTiles(const Request &request, const RecordSink &sink) {
  const auto tiles = request.report.compilation().tiles();
  const pva::Target target = request.report.compilation().target();
  for (const std::size_t tile : selectedTiles(request.report, request.selection)) {
    const pva::TileMemory m = tiles[tile].memory();
    const std::uint64_t used = m.total().excludingGaps(), highest = m.total().includingGaps();
    sink({std::uint64_t(tile), std::uint64_t(tile / std::max<std::uint64_t>(target.tilesPerIpu(), 1)), used, highest,
          used > target.bytesPerTile() ? std::uint64_t(0) : target.bytesPerTile() - used,
          m.overflowed().excludingGaps(), m.alwaysLiveBytes(), m.alwaysLiveBytes() + m.notAlwaysLiveBytes()});
  }
}

const std::vector<Column> kTileCyclesColumns = {
    {"tile", "Tile", Unit::Id}, {"ipu", "IPU", Unit::Id}, {"kind", "Kind"}, {"cycles", "Cycles", Unit::Cycles}};
void readTileCycles(const Request &request, const RecordSink &sink) {
  const std::uint64_t perIpu = std::max<std::uint64_t>(request.report.compilation().target().tilesPerIpu(), 1);
  const std::map<StepCause, TileWork> work = readTileWork(request.report, request.selection);
  for (const std::size_t tile : selectedTiles(request.report, request.selection))
    for (const auto &[kind, sum] : work)
      sink({std::uint64_t(tile), std::uint64_t(tile / perIpu), stepCauseName(kind),
            knownOr(sum.known, sum.cycles[tile])});
}

const std::vector<Column> kCategoriesColumns = {{"tile", "Tile", Unit::Id},
                                                {"category", "Category"},
                                                {"bytes", "Bytes", Unit::Bytes},
                                                {"shared", "Shared over time", Unit::Bytes}};
void readCategories(const Request &request, const RecordSink &sink) {
  const auto tiles = request.report.compilation().tiles();
  const auto names = pva::storageCategoryNames();
  for (const std::size_t tile : selectedTiles(request.report, request.selection)) {
    const pva::Categories categories = tiles[tile].memory().category();
    for (std::size_t i = 0; i < names.size(); ++i) {
      const pva::Category c = categories.byIndex(i);
      if (c.total() != 0 && names[i] != "multiple") // no allocation has this category
        sink({std::uint64_t(tile), names[i], c.total(),
              c.nonInterleaved().overlapped() + c.interleaved().overlapped() + c.overflowed().overlapped()});
    }
  }
}

const std::vector<Column> kVerticesColumns = {{"tile", "Tile", Unit::Id},
                                              {"type", "Type"},
                                              {"vertices", "Vertices", Unit::Vertices},
                                              {"code", "Code", Unit::Bytes},
                                              {"state", "State", Unit::Bytes},
                                              {"pointers", "Pointers", Unit::Bytes},
                                              {"padding", "Padding", Unit::Bytes},
                                              {"descriptors", "Descriptors", Unit::Bytes}};
void readVertices(const Request &request, const RecordSink &sink) {
  const auto tiles = request.report.compilation().tiles();
  std::map<std::size_t, std::string> names;
  for (const auto &type : request.report.compilation().vertexTypes())
    names[type._id()] = type.name();
  for (const std::size_t tile : selectedTiles(request.report, request.selection))
    for (const pva::VertexOnTile &v : tiles[tile].memory().vertices())
      sink({std::uint64_t(tile), names[v.type()._id()], v.count(), v.codeBytes(), v.vertexDataBytes(),
            v.edgePtrBytes() + v.copyPtrBytes(), v.paddingBytes(), v.descriptorBytes()});
}

const std::vector<Column> kVariablesColumns = {{"name", "Name"},
                                               {"category", "Category"},
                                               {"bytes", "Bytes", Unit::Bytes},
                                               {"tiles", "Tiles", Unit::Tiles},
                                               {"largestPart", "Largest part", Unit::Bytes},
                                               {"liveSteps", "Steps live"},
                                               {"alwaysLive", "Always live"}};
void readVariables(const Request &request, const RecordSink &sink) {
  const LiveTable live(request.report, request.selection);
  for (const LiveVariable &v : live.variables()) {
    std::uint64_t steps = 0;
    for (const auto &span : v.spans)
      steps += span.end() - span.start();
    sink({v.variable.name(), v.variable.category(), v.bytes, v.tiles, v.largestPart, steps, v.variable.alwaysLive()});
  }
}

const std::vector<Column> kAllocationsColumns = {{"tile", "Tile", Unit::Id},
                                                 {"name", "Name"},
                                                 {"category", "Category"},
                                                 {"bytes", "Bytes", Unit::Bytes},
                                                 {"sizeFrom", "Size from", Unit::Id},
                                                 {"address", "Address", Unit::Id},
                                                 {"alignment", "Alignment", Unit::Id},
                                                 {"shared", "Shared over time"}};
void readAllocations(const Request &request, const RecordSink &sink) {
  const auto lowered = request.report.compilation().loweredVariables();
  for (const std::size_t tile : selectedTiles(request.report, request.selection))
    for (const pva::LoweredVariable &v : lowered.forTile(tile)) {
      std::uint64_t power = 1;
      while (power <= v.bytes() / 2)
        power *= 2;
      sink({std::uint64_t(tile), v.name(), v.category(), v.bytes(), power, v.offset(), v.alignment(), v.overlapped()});
    }
}

const std::vector<Column> kLiveStepsColumns = {{"step", "Step", Unit::Id},
                                               {"program", "Program"},
                                               {"live", "Live", Unit::Bytes},
                                               {"notAlways", "Not always", Unit::Bytes}};
void readLiveSteps(const Request &request, const RecordSink &sink) {
  const LiveTable live(request.report, request.selection);
  const NumberSet steps = selectedSteps(request.selection);
  for (std::size_t s = 0; s < live.bytes().size(); ++s)
    if (steps.contains(live.programOf(s)))
      sink({std::uint64_t(live.programOf(s)), live.titleOf(s), live.bytes()[s] + live.alwaysLiveBytes(),
            live.bytes()[s]});
}

} // namespace

// The table of all reports: names, columns, defaults and readers.
const std::vector<RecordReport> &recordReports() {
  static const std::vector<RecordReport> reports = {
      {"executions", "Every recorded execution of a step", kExecutionColumns, "name", "program", "cycles", "cycles",
       kSteps | kRuns | kIpu, readExecutions},
      {"compute-sets", "Every recorded execution of a compute set", kExecutionColumns, "name", "name", "cycles",
       "cycles", kSteps | kRuns | kIpu, readComputeSets},
      {"exchanges", "Every recorded execution of an exchange or host copy", kExecutionColumns, "name", "program",
       "cycles", "cycles", kSteps | kRuns | kIpu, readExchanges},
      {"runs", "Every recorded run", kRunsColumns, "name", "name", "cycles", "cycles", kRuns, readRuns},
      {"memory-samples", "Live memory at every n-th step of a run (popscope.sampleMemory)", kMemorySamplesColumns,
       "program", "run", "live", "", kSteps | kRuns, readMemorySamples, true},
      {"vertex-types", "Each vertex type in each recorded execution of a compute set", kVertexTypesColumns, "type",
       "type", "cycles", "cycles", kSteps | kRuns, readVertexTypes},
      {"operands", "Elements that the vertices of a compute set read and write through one field", kOperandsColumns,
       "computeSet", "computeSet", "bytes", "", 0, readOperands},
      {"tile-cycles", "Each kind of step on each tile", kTileCyclesColumns, "kind", "kind", "cycles", "cycles",
       kTiles | kSteps | kRuns | kIpu, readTileCycles},
      {"tiles", "Each tile's memory", kTilesColumns, "", "ipu", "used", "", kTiles | kIpu, readTiles},
      {"categories", "Each storage category on each tile", kCategoriesColumns, "category", "category", "bytes", "",
       kTiles | kIpu, readCategories},
      {"vertices", "Each vertex type on each tile", kVerticesColumns, "type", "type", "vertices", "", kTiles | kIpu,
       readVertices},
      {"variables", "Each variable of the liveness lists", kVariablesColumns, "name", "category", "bytes", "",
       kTiles | kIpu, readVariables},
      {"allocations", "Each allocation on a tile", kAllocationsColumns, "name", "category", "bytes", "", kTiles | kIpu,
       readAllocations},
      {"live-steps", "Each step at which something is live", kLiveStepsColumns, "program", "", "live", "",
       kTiles | kSteps | kIpu, readLiveSteps, true},
  };
  return reports;
}

} // namespace popscope
