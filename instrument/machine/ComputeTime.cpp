#include "instrument/machine/ComputeTime.hpp"

#include "base/Parallel.hpp"

#include <algorithm>

namespace popscope {
namespace {

// The worker slots of one tile while vertices are dealt to them: each goes to the least loaded slot, the lowest on ties.
class WorkerSlots {
public:
  /// `load`: thread cycles of each slot, 0 so far. Must outlive this.
  explicit WorkerSlots(std::span<std::uint64_t> load) : load_(load) {}
  void deal(std::uint64_t threadCycles) { *std::min_element(load_.begin(), load_.end()) += threadCycles; }
  [[nodiscard]] std::uint64_t tileCycles() const { return load_.size() * *std::max_element(load_.begin(), load_.end()); }

private:
  std::span<std::uint64_t> load_;
};

} // namespace

ComputeTime::ComputeTime(const StepProgram &program, const VertexObjects &objects, const ComputeGroups &groups,
                         VertexCycles &cycles, std::uint32_t workerContexts)
    : program_(program), objects_(objects), groups_(groups), cycles_(cycles), workerContexts_(workerContexts),
      timings_(program.executes.size()) {}

void ComputeTime::pass(StepIndex step, Clocks &clocks, const CounterTimes &counters) {
  const std::uint32_t execute = program_.steps[step].payload;
  Timing &timing = timings_[execute];
  if (!timing.known)
    measure(execute, timing);
  const auto groups = groups_.groups(execute);
  for (std::size_t g = 0; g < groups.size(); ++g)
    clocks.addBusy(groups[g].tile, timing.busy[g]);
  counters.addTo(step, clocks);
  clocks.step(step, TimeKind::Compute, timing.threadCycles, timing.types, timing.slots);
}

void ComputeTime::measure(std::uint32_t execute, Timing &timing) {
  const ExecuteStep &step = program_.executes[execute];
  const auto cycles = cycles_.of(step);
  const auto groups = groups_.groups(execute);
  timing.busy.resize(groups.size());
  auto slots = std::make_shared<SlotCycles>();
  slots->slots = workerContexts_;
  slots->threadCycles.resize(groups.size() * workerContexts_);
  slots->supervisor.resize(groups.size());
  for (const TileGroup &group : groups)
    slots->tiles.push_back(group.tile.index());
  parallelFor(
      groups.size(),
      [&](std::size_t g) {
        timing.busy[g] = tileCycles(groups[g], cycles, step.firstVertex,
                                    std::span(slots->threadCycles).subspan(g * workerContexts_, workerContexts_), slots->supervisor[g]);
      },
      groups_.grain(execute));
  timing.slots = std::move(slots);
  sumTypes(execute, cycles, timing);
  timing.known = cycles_.isStatic(step);
}

std::uint64_t ComputeTime::tileCycles(const TileGroup &group, std::span<const std::optional<std::uint64_t>> cycles,
                                      std::uint32_t firstVertex, std::span<std::uint64_t> load, std::uint64_t &supervisor) const {
  WorkerSlots slots(load);
  for (std::uint32_t v = group.firstVertex; v < group.endVertex; ++v) {
    const std::uint64_t c = cycles[v - firstVertex].value_or(0); // unknown: left out here, and unknown in the sums
    if (objects_.classOf(v).kind == VertexClassKind::Worker)
      slots.deal(c);
    else
      supervisor += c;
  }
  for (std::uint32_t p = group.firstCopy; p < group.endCopy; ++p) {
    const CopyVertex &copy = program_.copies[groups_.copy(p)];
    if (copyVertexIsSupervisor(static_cast<CopyVertexKind>(copy.kind)))
      supervisor += copy.cycles;
    else
      slots.deal(copy.cycles);
  }
  return slots.tileCycles() + supervisor;
}

void ComputeTime::sumTypes(std::uint32_t execute, std::span<const std::optional<std::uint64_t>> cycles, Timing &timing) {
  const ExecuteStep &step = program_.executes[execute];
  timing.types.clear();
  timing.threadCycles = 0;
  // Few types a step, and neighbours share theirs: the last one found is mostly the next one wanted.
  StepEvent::TypeCycles *row = nullptr;
  const auto add = [&](VertexTypeId type, std::optional<std::uint64_t> c) {
    if (row == nullptr || row->type != type) {
      const auto at = std::lower_bound(timing.types.begin(), timing.types.end(), type,
                                       [](const StepEvent::TypeCycles &t, VertexTypeId id) { return t.type < id; });
      row = at != timing.types.end() && at->type == type ? &*at : &*timing.types.insert(at, {type, 0, 0});
    }
    ++row->instances;
    row->cycles = row->cycles && c ? std::optional(*row->cycles + *c) : std::nullopt;
    timing.threadCycles = timing.threadCycles && c ? std::optional(*timing.threadCycles + *c) : std::nullopt;
  };
  for (std::uint32_t v = 0; v < step.numVertices; ++v)
    add(program_.vertices[step.firstVertex + v].type, cycles[v]);
  for (std::uint32_t c = step.firstCopy; c < step.firstCopy + step.numCopies; ++c) {
    add(program_.copies[c].type, program_.copies[c].cycles);
    cycles_.noteRuntime(program_.copies[c].type);
  }
}

} // namespace popscope
