#include "liveness/analysis/CollectAccesses.hpp"

#include "base/Check.hpp"
#include "base/Parallel.hpp"

#include <algorithm>

namespace popscope {
namespace {

using Entry = AccessTable::Entry;
using Counts = std::vector<std::uint32_t>;

constexpr std::size_t kVariablesPerTask = 16384, kAccessesPerLane = 65536;

Entry entryOf(const StepProgram &program, std::uint32_t step, std::uint32_t a, std::uint64_t elements) {
  const Access &access = program.accesses[a];
  if (access.kind == AccessKind::Read)
    return {step, a, true, false, false};
  if (access.numRanges != 1)
    return {step, a, false, false, true};
  const ElementRange &range = program.ranges[access.firstRange];
  return {step, a, false, range.begin == 0 && range.end >= elements, false};
}

// Turns the lanes' counts of each variable into where each lane puts its entries; lanes follow one another.
void placeLanes(std::vector<Counts> &lanes, std::vector<std::uint32_t> &first) {
  const std::size_t numVars = first.size() - 1, tasks = (numVars + kVariablesPerTask - 1) / kVariablesPerTask;
  std::vector<std::uint32_t> startOf(tasks + 1, 0);
  const auto variables = [&](std::size_t task, auto use) {
    for (std::size_t v = task * kVariablesPerTask, end = std::min(v + kVariablesPerTask, numVars); v < end; ++v)
      use(v);
  };
  parallelFor(tasks, [&](std::size_t task) {
    std::uint32_t sum = 0;
    for (const Counts &lane : lanes)
      variables(task, [&](std::size_t v) { sum += lane[v]; });
    startOf[task + 1] = sum;
  });
  for (std::size_t task = 0; task < tasks; ++task)
    startOf[task + 1] += startOf[task];
  parallelFor(tasks, [&](std::size_t task) {
    std::uint32_t at = startOf[task];
    variables(task, [&](std::size_t v) {
      first[v] = at;
      for (Counts &lane : lanes)
        at += std::exchange(lane[v], at);
    });
  });
  first[numVars] = startOf[tasks];
}

} // namespace

std::vector<VariableFacts> describeVariables(const StepProgram &program) {
  std::vector<VariableFacts> out(program.vars.size());
  parallelRanges(out.size(), kVariablesPerTask, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      const StepVar &var = program.vars.raw()[v];
      std::uint64_t elements = 0;
      for (std::uint32_t h = var.firstHome; h < var.firstHome + var.numHomes; ++h)
        elements += program.homes.raw()[h].elements;
      out[v] = {var.elements, elements * elementBytes(var.type),
                var.constant || var.category == StorageCategory::Constant || isSystemCategory(var.category),
                var.category == StorageCategory::Rearrangement};
    }
  });
  return out;
}

AccessTable collectAccesses(const StepProgram &program, const std::vector<VariableFacts> &facts) {
  const auto &steps = program.steps.raw();
  POPSCOPE_CHECK(steps.size() < (1U << 29U), "{} steps; liveness takes fewer than 2^29", steps.size());
  POPSCOPE_CHECK(program.accesses.size() < (std::uint64_t(1) << 32U), "{} accesses; liveness takes fewer than 2^32",
                 program.accesses.size());
  const std::size_t numLanes = std::clamp<std::size_t>(program.accesses.size() / kAccessesPerLane, 1, parallelThreads());
  std::vector<Counts> lanes(numLanes);
  const auto stepsOf = [&](std::size_t lane, auto use) {
    const std::size_t end = steps.size() * (lane + 1) / numLanes;
    for (std::size_t s = steps.size() * lane / numLanes; s < end; ++s)
      for (std::uint32_t a = steps[s].firstAccess, last = a + steps[s].numAccesses; a < last; ++a)
        use(static_cast<std::uint32_t>(s), a);
  };
  parallelFor(numLanes, [&](std::size_t lane) {
    Counts &counts = lanes[lane];
    counts.assign(facts.size(), 0);
    stepsOf(lane, [&](std::uint32_t, std::uint32_t a) { ++counts[program.accesses[a].var.index()]; });
  });
  AccessTable table;
  table.first.resize(facts.size() + 1);
  placeLanes(lanes, table.first);
  table.entries = std::make_unique_for_overwrite<Entry[]>(table.first.back());
  parallelFor(numLanes, [&](std::size_t lane) {
    std::uint32_t *const next = lanes[lane].data();
    Entry *const entries = table.entries.get();
    stepsOf(lane, [&](std::uint32_t step, std::uint32_t a) {
      const std::uint32_t v = program.accesses[a].var.index();
      entries[next[v]++] = entryOf(program, step, a, facts[v].elements);
    });
  });
  return table;
}

} // namespace popscope
