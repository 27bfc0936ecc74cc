#include "liveness/analysis/CollectAccesses.hpp"

#include "base/Check.hpp"

#include <algorithm>
#include <array>

namespace popscope {
namespace {

using Entry = AccessTable::Entry;
using Counts = std::vector<std::uint32_t>;

constexpr std::size_t kVariablesPerTask = 16384, kAccessesPerLane = 65536;

// Packs one access into an entry. Has no branches, because the kinds of consecutive accesses follow no pattern.
Entry entryOf(const StepProgram &program, std::uint32_t step, std::uint32_t a, std::uint64_t elements) {
  static constexpr ElementRange kNone{1, 0};
  const Access &access = program.accesses[a];
  const bool one = access.numRanges == 1;
  const auto changes = std::uint32_t(access.kind != AccessKind::Read),
             undef = std::uint32_t(access.kind == AccessKind::Undef);
  const ElementRange *const range = one ? program.ranges.data() + access.firstRange : &kNone;
  const std::uint32_t whole = std::uint32_t(range->begin == 0) & std::uint32_t(range->end >= elements);
  return {step, a, static_cast<Entry::Effect>(changes * (1 + whole + 2 * std::uint32_t(!one) + 3 * undef))};
}

// Calls use(step, access) for every access of the steps [first, last), in order.
//
// Most steps have few accesses, and a branch predictor cannot learn the number of accesses per step. So one loop runs
// over the accesses of many steps. At each access, the loop advances the step by the number of steps that begin at this
// access.
template <class Use> void eachAccess(const LargeTable<Step> &steps, std::uint32_t first, std::uint32_t last, Use use) {
  constexpr std::uint32_t kTogether = 2048;
  std::array<std::uint8_t, kTogether + 1> starts{}; // steps that begin at an access, counted from `begin`
  std::uint32_t begin = 0, end = 0, firstStep = first;
  const auto useSome = [&] {
    std::uint32_t step = firstStep - 1;
    for (std::uint32_t a = begin; a < end; ++a) {
      step += starts[a - begin];
      use(step, a);
    }
    std::fill_n(starts.begin(), end - begin + 1, std::uint8_t(0));
  };
  for (std::uint32_t s = first; s < last; ++s) {
    const std::uint32_t from = steps[s].firstAccess, count = steps[s].numAccesses;
    const bool apart = count != 0 && from != end;
    if (apart || count > kTogether - (end - begin) || starts[end - begin] == 255) {
      useSome();
      begin = end = count != 0 ? from : end;
      firstStep = s;
      if (count > kTogether) {
        for (; end < from + count; ++end)
          use(s, end);
        begin = end;
        firstStep = s + 1;
        continue;
      }
    }
    ++starts[end - begin];
    end += count;
  }
  useSome();
}

} // namespace

AccessCollector::AccessCollector(const StepProgram &program, Threads threads, Facts facts)
    : program_(program), threads_(threads), facts_(facts == Facts::Yes ? program.vars.size() : 0) {
  POPSCOPE_CHECK(program.steps.size() < (1U << 29U), "{} steps; liveness takes fewer than 2^29", program.steps.size());
  POPSCOPE_CHECK(program.accesses.size() < (std::uint64_t(1) << 32U), "{} accesses; liveness takes fewer than 2^32",
                 program.accesses.size());
  lanes_.resize(std::clamp<std::size_t>(program.accesses.size() / kAccessesPerLane, 1, threads_.count()));
}

void AccessCollector::describe(std::size_t lane) {
  for (std::size_t v = facts_.size() * lane / lanes_.size(), last = facts_.size() * (lane + 1) / lanes_.size();
       v < last; ++v) {
    const StepVar &var = program_.vars.raw()[v];
    std::uint64_t elements = 0;
    for (std::uint32_t h = var.firstHome; h < var.firstHome + var.numHomes; ++h)
      elements += program_.homes.raw()[h].elements;
    facts_[v] = {var.elements, Bytes(elements * elementBytes(var.type)),
                 var.constant || var.category == StorageCategory::Constant || isSystemCategory(var.category),
                 var.category == StorageCategory::Rearrangement};
  }
}

void AccessCollector::count(std::size_t lane) {
  describe(lane);
  const auto &steps = program_.steps.raw();
  Counts &counts = lanes_[lane];
  counts.assign(program_.vars.size(), 0);
  eachAccess(steps, static_cast<std::uint32_t>(steps.size() * lane / lanes_.size()),
             static_cast<std::uint32_t>(steps.size() * (lane + 1) / lanes_.size()),
             [&](std::uint32_t, std::uint32_t a) { ++counts[program_.accesses[a].var.index()]; });
}

// Turns counts into positions: within a variable's entries, each lane's entries follow the entries of the previous
// lane.
void AccessCollector::placeLanes(std::vector<std::uint32_t> &first) {
  const std::size_t numVars = program_.vars.size(), tasks = (numVars + kVariablesPerTask - 1) / kVariablesPerTask;
  std::vector<std::uint32_t> startOf(tasks + 1, 0);
  const auto variables = [&](std::size_t task, auto use) {
    for (std::size_t v = task * kVariablesPerTask, end = std::min(v + kVariablesPerTask, numVars); v < end; ++v)
      use(v);
  };
  parallelFor(threads_, tasks, [&](std::size_t task) {
    std::uint32_t sum = 0;
    for (const Counts &lane : lanes_)
      variables(task, [&](std::size_t v) { sum += lane[v]; });
    startOf[task + 1] = sum;
  });
  for (std::size_t task = 0; task < tasks; ++task)
    startOf[task + 1] += startOf[task];
  parallelFor(threads_, tasks, [&](std::size_t task) {
    std::uint32_t at = startOf[task];
    variables(task, [&](std::size_t v) {
      first[v] = at;
      for (Counts &lane : lanes_)
        at += std::exchange(lane[v], at);
    });
  });
  first[numVars] = startOf[tasks];
}

AccessTable AccessCollector::collect() {
  AccessTable table;
  table.first.resize(program_.vars.size() + 1);
  placeLanes(table.first);
  table.entries = std::make_unique_for_overwrite<Entry[]>(table.first.back());
  const auto &steps = program_.steps.raw();
  parallelFor(threads_, lanes_.size(), [&](std::size_t lane) {
    std::uint32_t *const next = lanes_[lane].data();
    Entry *const entries = table.entries.get();
    const auto first = static_cast<std::uint32_t>(steps.size() * lane / lanes_.size());
    const auto last = static_cast<std::uint32_t>(steps.size() * (lane + 1) / lanes_.size());
    eachAccess(steps, first, last, [&](std::uint32_t step, std::uint32_t a) {
      const std::uint32_t v = program_.accesses[a].var.index();
      entries[next[v]++] = entryOf(program_, step, a, elements(v));
    });
  });
  return table;
}

AccessTable collectAccesses(const StepProgram &program, Threads threads) {
  AccessCollector collector(program, threads, AccessCollector::Facts::No);
  parallelFor(threads, collector.numLanes(), [&](std::size_t lane) { collector.count(lane); });
  return collector.collect();
}

} // namespace popscope
