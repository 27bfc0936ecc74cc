#include "instrument/machine/ComputeTime.hpp"

#include "base/Parallel.hpp"

#include <poplar/exceptions.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace popscope {
namespace {

constexpr std::size_t kChunkVertices = 4096; // minimum number of vertices per task

} // namespace

ComputeTime::ComputeTime(const StepProgram &program, const VertexObjects &objects, const ComputeGroups &groups,
                         VertexCycles &cycles, std::uint32_t workerContexts, Threads threads, bool keepsVertexCycles)
    : program_(program), objects_(objects), groups_(groups), cycles_(cycles), workerContexts_(workerContexts),
      threads_(threads), onWorkers_(program.vertexTypes.size(), 0), timings_(program.executes.size()),
      timed_(program.executes.size(), false), last_(keepsVertexCycles ? program.vertices.size() : 0) {
  for (std::uint32_t t = 0; t < onWorkers_.size(); ++t)
    if (program.vertexTypes[VertexTypeId(t)].codelet >= 0)
      onWorkers_[VertexTypeId(t)] = objects.classOf(VertexTypeId(t)).kind == VertexClassKind::Worker ? 1 : 0;
}

void ComputeTime::takeRecords(ComputeTime &&earlier) {
  timed_ = std::move(earlier.timed_);
  last_ = std::move(earlier.last_);
}

void ComputeTime::pass(StepIndex step, Clocks &clocks, const CounterTimes &counters) {
  const std::uint32_t execute = program_.steps[step].payload;
  Timing &timing = timings_[execute];
  if (timing.kind != Timing::Kind::Kept) {
    cycles_.countFlops(program_.executes[execute]);
    measure(execute, timing);
  }
  emit(step, timing, clocks, counters);
}

void ComputeTime::replay(StepIndex step, Clocks &clocks, const CounterTimes &counters) {
  const std::uint32_t execute = program_.steps[step].payload;
  Timing &timing = timings_[execute];
  if (!timing.measured) {
    if (const StepVertex *vertex = needsValues(program_.executes[execute]))
      throw poplar::poplar_error(fmt::format(
          "The run without values cannot time vertices of type {} (compute set '{}'), whose cycles depend on their "
          "values. Give them "
          "Graph::setPerfEstimate or a registered estimator, or run the program with its values first.",
          program_.vertexTypes[vertex->type].name, program_.names[program_.steps[step].name]));
    measure(execute, timing);
  }
  emit(step, timing, clocks, counters);
}

const StepVertex *ComputeTime::needsValues(const ExecuteStep &step) const {
  for (std::uint32_t v = step.firstVertex; v < step.firstVertex + step.numVertices; ++v)
    if (program_.vertices[v].estimate < 0 && objects_.classOf(v).cycleEstimate == nullptr)
      return &program_.vertices[v];
  return nullptr;
}

void ComputeTime::emit(StepIndex step, const Timing &timing, Clocks &clocks, const CounterTimes &counters) const {
  if (clocks.repeat(step, timing.slots))
    return;
  const auto groups = groups_.groups(program_.steps[step].payload);
  for (std::size_t g = 0; g < groups.size(); ++g)
    clocks.addBusy(groups[g].tile, timing.busy[g]);
  counters.addTo(step, clocks);
  clocks.step(step, TimeKind::Compute, timing.threadCycles, timing.types, timing.slots);
}

void ComputeTime::measure(std::uint32_t execute, Timing &timing) {
  const ExecuteStep &step = program_.executes[execute];
  if (timing.kind == Timing::Kind::New)
    timing.kind = cycles_.isStatic(step) ? Timing::Kind::Kept : Timing::Kind::Changing;
  if (timing.kind == Timing::Kind::Kept) {
    const StepVertex *const vertices = program_.vertices.data();
    sum(
        execute, [vertices](std::uint32_t v) { return std::optional(Cycles(vertices[v].estimate)); }, timing);
  } else {
    const auto cycles = cycles_.of(step);
    sum(
        execute, [cycles, first = step.firstVertex](std::uint32_t v) { return cycles[v - first]; }, timing);
  }
  timing.measured = true;
  timed_[execute] = true;
  if (timing.kind == Timing::Kind::Kept)
    cycles_.noteStatic(step);
}

std::vector<VertexTime> ComputeTime::vertexTimes() const {
  std::vector<VertexTime> rows;
  if (last_.empty() && !program_.vertices.empty())
    return rows;
  std::vector<bool> seen(program_.computeSets.size(), false);
  for (std::size_t e = 0; e < timed_.size(); ++e) {
    const ExecuteStep &step = program_.executes[e];
    if (!timed_[e] || !step.computeSet.valid() || seen[step.computeSet.index()])
      continue;
    seen[step.computeSet.index()] = true;
    for (std::uint32_t v = step.firstVertex; v < step.firstVertex + step.numVertices; ++v)
      rows.push_back({step.computeSet, program_.vertices[v].type, program_.vertices[v].tile, v, last_[v]});
    for (std::uint32_t c = step.firstCopy; c < step.firstCopy + step.numCopies; ++c)
      rows.push_back({step.computeSet, program_.copies[c].type, program_.copies[c].tile, c, program_.copies[c].cycles});
  }
  return rows;
}

// Sums up the cycles of all vertices per tile, per worker slot and per type, in parallel over chunks of groups. Each
// task writes to its own slots of pre-sized tables. The sums by type are merged serially in the order of chunks. Cost:
// linear in the vertices of the compute set, times the number of slots if the vertices are assigned to slots.
template <class CyclesOf> void ComputeTime::sum(std::uint32_t execute, const CyclesOf &cyclesOf, Timing &timing) {
  const ExecuteStep &step = program_.executes[execute];
  for (std::uint32_t v = step.firstVertex; !last_.empty() && v < step.firstVertex + step.numVertices; ++v)
    last_[v] = cyclesOf(v);
  const auto groups = groups_.groups(execute);
  const std::size_t parts = std::size_t(step.numVertices) + step.numCopies;
  const std::size_t chunk = std::max<std::size_t>(1, groups.size() * kChunkVertices / std::max<std::size_t>(parts, 1));
  std::vector<TypeSums> sums((groups.size() + chunk - 1) / chunk);
  timing.busy.resize(groups.size());
  auto slotCycles = std::make_shared<SlotCycles>();
  slotCycles->slots = workerContexts_;
  slotCycles->threadCycles.resize(groups.size() * workerContexts_);
  slotCycles->supervisor.resize(groups.size());
  slotCycles->dealt.resize(groups.size());
  for (const TileGroup &group : groups)
    slotCycles->tiles.push_back(group.tile.index());
  parallelFor(threads_, sums.size(), [&](std::size_t c) {
    WorkerSlots slots(workerContexts_);
    TypeSums types; // sums in memory of the task's thread
    for (std::size_t g = c * chunk; g < std::min(groups.size(), (c + 1) * chunk); ++g) {
      timing.busy[g] = tileCycles(groups[g], cyclesOf, slots, slotCycles->supervisor[g], types);
      for (std::uint32_t slot = 0; slot < workerContexts_; ++slot)
        slotCycles->threadCycles[g * workerContexts_ + slot] = Cycles(slots.load()[slot]);
      slotCycles->dealt[g] = slots.dealt();
    }
    sums[c] = std::move(types);
  });
  if (std::all_of(slotCycles->dealt.begin(), slotCycles->dealt.end(), [](const auto &runs) { return runs.empty(); }))
    slotCycles->dealt = {};
  timing.slots = std::move(slotCycles);
  TypeSums all;
  timing.threadCycles = Cycles();
  for (const TypeSums &part : sums)
    for (const StepEvent::TypeCycles &row : part.rows()) {
      all.add(row);
      timing.threadCycles =
          timing.threadCycles && row.cycles ? std::optional(*timing.threadCycles + *row.cycles) : std::nullopt;
    }
  timing.types = all.rows();
}

template <class CyclesOf>
Cycles ComputeTime::tileCycles(const TileGroup &group, const CyclesOf &cyclesOf, WorkerSlots &slots, Cycles &supervisor,
                               TypeSums &types) const {
  slots.clear();
  supervisor = {};
  const auto add = [&](VertexTypeId type, bool worker, std::optional<Cycles> cycles) {
    types.add(type, cycles);
    if (worker)
      slots.deal(cycles.value_or(Cycles())); // unknown cycles count as 0 here, and make the sums unknown
    else
      supervisor += cycles.value_or(Cycles());
  };
  for (std::uint32_t v = group.firstVertex; v < group.endVertex; ++v) {
    const VertexTypeId type = program_.vertices[v].type;
    add(type, onWorkers_[type] != 0, cyclesOf(v));
  }
  for (std::uint32_t p = group.firstCopy; p < group.endCopy; ++p) {
    const CopyVertex &copy = program_.copies[groups_.copy(p)];
    add(copy.type, !copyVertexIsSupervisor(static_cast<CopyVertexKind>(copy.kind)), copy.cycles);
  }
  return slots.tileCycles() + supervisor;
}

} // namespace popscope
