#include "graph/lowering/Lower.hpp"
#include "graph/lowering/BuildControlTables.hpp"
#include "graph/lowering/CheckGraph.hpp"
#include "graph/lowering/CountFlops.hpp"
#include "graph/lowering/InsertBlocks.hpp"
#include "graph/lowering/InsertInstrumentation.hpp"
#include "graph/lowering/PlaceConstraints.hpp"
#include "graph/lowering/PlanExchange.hpp"
#include "graph/lowering/ProgramLowering.hpp"
#include "graph/lowering/ShareFieldData.hpp"
#include "graph/lowering/SizeControlCode.hpp"
#include "graph/lowering/TouchSteps.hpp"
#include "graph/steps/DumpTables.hpp"

#include <algorithm>

namespace popscope {
namespace {

constexpr std::uint64_t kMaxEdgesReserved = 64; // per vertex

/// Counts the figures after "Graph:" in summaries: the vertices, edges, variables and compute sets of the user and of
/// lowering.
void countGraph(const LoweringContext &c, StepProgram &p) {
  std::uint64_t edges = c.graph.vertices.numEdges();
  p.numVertices = c.graph.vertices.size() + p.copies.size();
  for (const CopyVertex &copy : p.copies) // a source and a destination; a fill has no source
    edges += p.copyRuns[copy.firstRun].src.valid() ? 2 : 1;
  p.numEdges = edges;
  p.numVariables = p.vars.size();
  p.numComputeSets = p.computeSets.size();
  p.passes.push_back({"LowerPrograms", "variables", c.graph.vars.size(), p.numVariables});
  p.passes.push_back({"LowerPrograms", "vertices", c.graph.vertices.size(), p.numVertices});
  p.passes.push_back({"LowerPrograms", "compute sets", c.graph.computeSets.size(), p.numComputeSets});
  p.passes.push_back({"ShareBuffers", "buffers", c.bufferedEdges, c.buffers});
  p.passes.push_back({"MergeCopies", "copies", c.copiesBeforeMerge, c.copiesAfterMerge});
  p.passes.push_back({"MergeStreams", "host copies of programs", c.hostCopiesBeforeMerge, c.hostCopiesAfterMerge});
  p.passes.push_back({"MergeMessages", "messages", c.messagesBeforeMerge, p.messages.size()});
}

std::vector<std::uint8_t> usedVariables(const GraphIr &graph, const GraphUses &uses, Threads threads) {
  std::vector<std::uint8_t> used(graph.vars.size(), 0);
  const auto mark = [](const RunList &runs, std::vector<std::uint8_t> &to) {
    const auto markRun = [&to](const ViewRun &run) { to[run.var.index()] |= run.count > 0 ? 1 : 0; };
    if (const ViewRuns *const groups = runs.groups())
      for (std::size_t g = 0; g != groups->numGroups(); ++g) // all runs of a group have one variable
        markRun(groups->firstRun(g));
    else
      for (const ViewRun &run : runs)
        markRun(run);
  };
  for (const ViewUse &use : uses.views)
    if (use.other == nullptr)
      mark(*use.view, used);
    else if (use.other != use.view)
      mark(movedParts(*use.view, *use.other).from, used);
  const std::size_t sets = uses.computeSets.size(), lanes = std::min<std::size_t>(sets, threads.count());
  std::vector<std::vector<std::uint8_t>> ofLane(lanes, std::vector<std::uint8_t>(graph.vars.size(), 0));
  parallelFor(threads, lanes, [&](std::size_t lane) {
    for (std::size_t i = sets * lane / lanes; i < sets * (lane + 1) / lanes; ++i)
      for (const VertexId v : graph.computeSets[uses.computeSets[i]].vertices) {
        const EdgeRange edges = graph.vertices[v].edges();
        for (std::size_t e = 0; e < edges.size(); ++e)
          if (const PlainEdge plain = edges.plain(e); plain.var.valid())
            ofLane[lane][plain.var.index()] = 1;
          else
            mark(edges[e].runs, ofLane[lane]);
      }
  });
  for (const std::vector<std::uint8_t> &lane : ofLane)
    for (std::size_t v = 0; v < used.size(); ++v)
      used[v] |= lane[v];
  return used;
}

/// Reserves table capacity from known counts, so that no table reallocates.
void reserveTables(const GraphIr &graph, const GraphUses &uses, StepProgram &program) {
  std::size_t vertices = 0;
  for (const ComputeSetId cs : uses.computeSets)
    vertices += graph.computeSets[cs].vertices.size();
  program.vertices.reserve(vertices);
  program.edges.reserve(std::min<std::uint64_t>(graph.vertices.numEdges(), vertices * kMaxEdgesReserved));
}

} // namespace

// Runs the passes in order. Checks come first, so that later passes may assume a valid graph. InsertBlocks comes before
// every pass that refers to steps by index. lower() measures the time of each pass, and can write out the program after
// each pass (options.afterPass).
StepProgram lower(const GraphIr &graph, const std::vector<ProgramPtr> &programs, const VertexEstimates &estimates,
                  const CostModel &costs, const LoweringOptions &options) {
  const auto timed = [&](const char *name, const auto &pass) {
    const Phase phase(options.phases, name);
    pass();
  };
  const GraphUses uses = collectUses(graph, programs);
  timed("CheckGraph", [&] {
    checkGraph(graph, uses, options.threads);
    checkMapping(graph, uses);
  });
  LoweringContext context(graph, estimates, costs, options);
  timed("CheckRaces", [&] { context.selfOverlapping = checkRaces(graph, uses.computeSets, options.threads); });
  timed("PlaceVariables", [&] {
    const std::vector<std::uint8_t> used = usedVariables(graph, uses, options.threads);
    const std::vector<GraphVarId> constants = equalConstants(graph, used);
    context.placeVariables(used, constants, readConstants(graph, uses, constants));
  });
  reserveTables(graph, uses, context.out);
  const auto after = [&](const char *pass, const auto &text) {
    if (options.afterPass)
      options.afterPass(pass, text);
  };
  timed("LowerPrograms", [&] { ProgramLowering(context, uses, programs).run(); });
  after("EmitNaive", [&] { return context.dumps.naive; });
  after("MergeStreams", [&] { return context.dumps.mergedStreams; });
  StepProgram &program = context.out;
  const auto steps = [&] { return dumpSteps(program) + dumpTables(program); };
  after("MergeCopies", [&] { return fmt::format("{}", fmt::join(context.dumps.mergedCopies, "")) + steps(); });
  timed("TouchSteps", [&] { touchSteps(context); });
  after("TouchSteps", steps);
  const TileMachine &machine = graph.machine;
  const auto pass = [&](const char *name, const auto &body) {
    timed(name, body);
    after(name, steps);
  };
  pass("InsertBlocks", [&] { insertBlocks(program, machine, costs, options.blocks); });
  countGraph(context, program);
  countFlops(program, graph.vertices, estimates.flops);
  pass("PlanExchange", [&] { planExchange(program, machine, costs, options); });
  pass("PlaceConstraints", [&] { placeConstraints(program, graph.codelets, machine); });
  pass("ShareFieldData", [&] { shareFieldData(program, graph.codelets, machine.architecture); });
  pass("BuildControlTables", [&] {
    if (options.tableScheduler)
      buildControlTables(program, machine.code);
  });
  pass("InsertInstrumentation", [&] { insertInstrumentation(program, machine, options); });
  pass("SizeControlCode", [&] { sizeControlCode(program, machine, options); });
  for (const PassRecord &record : program.passes)
    context.log.info("{}: {} {} -> {}", record.name, record.unit, record.before, record.after);
  return std::move(program);
}

} // namespace popscope
