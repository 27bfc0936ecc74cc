#include "engine/collect/Collect.hpp"
#include "engine/collect/TileSums.hpp"

#include "base/Parallel.hpp"
#include "graph/steps/ExecutedSets.hpp"
#include "graph/steps/StepPayloads.hpp"
#include "target-models/timing/TileClocks.hpp"

#include <fmt/format.h>
#include <limits>
#include <map>
#include <poplar/exceptions.hpp>

namespace popscope {
namespace {

std::string programType(const StepProgram &program, const Step &step) {
  return isEngineSwitch(program, step) ? "OnEveryTileSwitch" : stepKindName(step.kind);
}

std::string programName(const StepProgram &program, const Step &step) {
  if (step.kind != StepKind::Sync)
    return program.names[step.name];
  // A sync between IPUs uses another wire than a sync with the host, but profiles use the same name for both.
  return static_cast<SyncKind>(program.syncs[step.payload].kind) == SyncKind::Internal ? "Internal" : "External";
}

/// Adds the children's bytes to their parents. Goes backwards, because the index of a parent is lower than the indices
/// of its children.
void collectControlCode(const StepProgram &program, CompilationRecord &record) {
  for (std::size_t s = program.steps.size(); s-- > 0;) {
    ProgramRecord &p = record.programs[s];
    p.controlCodeEveryTile += program.steps[program.steps.idAt(s)].controlCode.everyTile;
    if (p.parent >= 0)
      record.programs[static_cast<std::size_t>(p.parent)].controlCodeEveryTile += p.controlCodeEveryTile;
  }
}

// Finds the parent of each step from the nesting of [index, end) ranges.
void collectTree(const StepProgram &program, CompilationRecord &record) {
  std::vector<std::uint32_t> open;
  for (std::uint32_t s = 0; s < program.steps.size(); ++s) {
    while (!open.empty() && program.steps[StepIndex(open.back())].end <= s)
      open.pop_back();
    record.programs[s].parent = open.empty() ? -1 : static_cast<std::int64_t>(open.back());
    open.push_back(s);
  }
  for (const StepProgram::FunctionInfo &function : program.functions)
    record.programs[function.root.index()].isFunction = true;
  record.controlPrograms.push_back(program.root.index());
}

/// Adds the cycles of a compute set that are known before the compute set runs: estimates, and the costs of copies. For
/// a device, no cycles are known before the run, because the device measures them. `all` is the sum over the compute
/// sets so far. Throws poplar::overflow_error if this sum exceeds 2^63 - 1.
void addEstimates(const StepProgram &program, const ExecuteStep &execute, bool device, Cycles &all,
                  ComputeSetRecord &set) {
  struct Sum {
    std::int64_t vertices = 0;
    Cycles cycles;
  };
  std::map<std::uint32_t, Sum> sums;
  const auto add = [&](VertexTypeId type, Cycles cycles) {
    constexpr Cycles kMost{static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())};
    if (cycles > kMost - all)
      throw poplar::overflow_error(fmt::format(
          "Compute set '{}': the estimated cycles of its vertices and of the compute sets before it are more "
          "than {} (2^63 - 1) together; give smaller estimates.",
          program.names[program.computeSets[execute.computeSet]], kMost.count()));
    all += cycles;
    Sum &sum = sums[type.index()];
    ++sum.vertices;
    sum.cycles += cycles;
  };
  if (!device) {
    for (const StepVertex &vertex : verticesOf(program, execute))
      if (vertex.estimate >= 0)
        add(vertex.type, Cycles(static_cast<std::uint64_t>(vertex.estimate)));
    for (const CopyVertex &copy : copiesOf(program, execute))
      add(copy.type, copy.cycles);
  }
  for (ComputeSetVertices &type : set.vertices) {
    const Sum &sum = sums[type.vertexType]; // 0 for a type without known cycles
    type.estimatedVertices = sum.vertices;
    type.estimatedCycles = sum.cycles;
  }
}

/// Returns the cycles that a compute set takes on each tile, by the rule of instrument/machine/ComputeTime.hpp: workers
/// share the slots of the tile, and a supervisor vertex occupies the whole tile. Returns an empty list if a vertex has
/// no estimate, because the cycles of the tile are then known only in a run.
TileValues estimatedTileCycles(const StepProgram &program, const ExecuteStep &execute, const TileMachine &machine) {
  struct Load {
    explicit Load(std::uint32_t contexts) : workers(contexts) {}
    SlotLoads workers;
    Cycles supervisor;
  };
  std::map<std::uint32_t, Load> loads;
  auto last = loads.end();
  const auto add = [&](TileId tile, bool supervisor, Cycles cycles) {
    if (last == loads.end() || last->first != tile.index()) // vertices are sorted by tile
      last = loads.try_emplace(tile.index(), machine.workerContexts).first;
    if (supervisor)
      last->second.supervisor += cycles;
    else
      last->second.workers.deal(cycles.count());
  };
  for (const StepVertex &vertex : verticesOf(program, execute)) {
    if (vertex.estimate < 0)
      return {};
    add(vertex.tile, program.vertexTypes[vertex.type].kind != VertexKind::Worker,
        Cycles(static_cast<std::uint64_t>(vertex.estimate)));
  }
  for (const CopyVertex &copy : copiesOf(program, execute))
    add(copy.tile, copyVertexIsSupervisor(static_cast<CopyVertexKind>(copy.kind)), copy.cycles);
  TileValues cycles;
  for (const auto &tile : loads)
    addRow(cycles, TileId(tile.first), Cycles(tile.second.workers.tileCycles()) + tile.second.supervisor);
  return cycles;
}

/// Returns a row for each type of the vertices and copies of a compute set, with their number on each tile. The rows
/// lack estimates. Only the rows of copies have floating-point operations.
std::vector<ComputeSetVertices> countVertices(const StepProgram &program, const ExecuteStep &execute) {
  std::map<std::uint32_t, TileValues> counts; // by type
  const auto count = [&](const auto &vertex) {
    TileValues &ofType = counts[vertex.type.index()];
    if (ofType.empty() || ofType.back().first != vertex.tile.index())
      ofType.emplace_back(vertex.tile.index(), 0);
    ++ofType.back().second;
  };
  for (const StepVertex &vertex : verticesOf(program, execute))
    count(vertex);
  for (const CopyVertex &copy : copiesOf(program, execute))
    count(copy);
  std::vector<ComputeSetVertices> rows;
  for (auto &[type, tiles] : counts) {
    joinTiles(tiles);
    ComputeSetVertices &row = rows.emplace_back();
    row.vertexType = type;
    row.flopVertices = 0;
    if (program.vertexTypes[VertexTypeId(type)].kind == VertexKind::Copy) {
      row.flops = 0; // a copy moves bytes and needs no estimate
      for (const auto &tile : tiles)
        row.flopVertices += static_cast<std::int64_t>(tile.second);
    }
    row.countByTile = std::move(tiles);
  }
  return rows;
}

// Collects the vertices of each compute set by type and tile, with their estimates and floating-point operations.
void collectComputeSets(const StepProgram &program, const TileMachine &machine, CompilationRecord &record) {
  record.computeSets.resize(program.computeSets.size());
  for (std::size_t i = 0; i < program.computeSets.size(); ++i)
    record.computeSets[i].name = program.names[program.computeSets[program.computeSets.idAt(i)]];
  Cycles estimated;
  forEachExecutedSet(program, [&](const ExecuteStep &execute) {
    ComputeSetRecord &out = record.computeSets[execute.computeSet.index()];
    out.vertices = countVertices(program, execute);
    const bool device = machine.kind == DeviceKind::Ipu;
    addEstimates(program, execute, device, estimated, out);
    if (!device)
      out.estimatedCyclesByTile = estimatedTileCycles(program, execute, machine);
  });
  for (const TypeFlops &sum : program.typeFlops)
    for (ComputeSetVertices &type : record.computeSets[sum.computeSet.index()].vertices)
      if (type.vertexType == sum.type.index()) {
        type.flopVertices = static_cast<std::int64_t>(sum.vertices);
        type.flops = static_cast<std::int64_t>(sum.flops);
      }
}

} // namespace

// Collects one record per step in parallel. Then collects the tree, the control code and the compute sets, which need
// all records.
void collectPrograms(const CollectInput &input, CompilationRecord &record) {
  const StepProgram &program = input.program;
  record.programs.resize(program.steps.size());
  record.debugContexts = !program.contexts.empty();
  if (record.debugContexts)
    for (const StepContext &more : program.moreContexts)
      record.programs[more.step.index()].moreContexts.push_back(more.context);
  parallelFor(input.threads, program.steps.size(), [&](std::size_t s) {
    const Step &step = program.steps[program.steps.idAt(s)];
    ProgramRecord &p = record.programs[s];
    p.type = programType(program, step);
    p.name = programName(program, step);
    p.livenessPoint = stepKindRow(step.kind).livenessPoint;
    if (record.debugContexts)
      p.debugContext = program.contexts[s];
    visitPayload(program, step,
                 Overloaded{[&](const ExecuteStep &execute) {
                              p.computeSet = execute.computeSet.valid()
                                                 ? static_cast<std::int64_t>(execute.computeSet.index())
                                                 : -1;
                            },
                            [&](const RepeatStep &repeat) { p.count = repeat.count; },
                            [&](const CallStep &call) { p.callee = program.functions[call.function].root.index(); },
                            [](const auto &) {}});
  });
  collectTree(program, record);
  collectControlCode(program, record);
  collectComputeSets(program, input.machine, record);
}

} // namespace popscope
