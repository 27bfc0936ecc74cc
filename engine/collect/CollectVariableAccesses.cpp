#include "engine/collect/Collect.hpp"

#include <algorithm>
#include <numeric>

namespace popscope {
namespace {

using Accesses = std::vector<const Access *>; // of one step: by record of the variable, then kind
using Ranges = std::vector<ElementRange>;

/// How many elements some accesses of one variable have together. The ranges of one are disjoint already; those of
/// copies that were merged may meet.
std::uint64_t countElements(const StepProgram &program, Accesses::const_iterator first, Accesses::const_iterator last,
                            Ranges &scratch) {
  scratch.clear();
  for (auto a = first; a != last; ++a)
    scratch.insert(scratch.end(), program.ranges.begin() + (*a)->firstRange,
                   program.ranges.begin() + (*a)->firstRange + (*a)->numRanges);
  if (last - first > 1)
    std::sort(scratch.begin(), scratch.end(),
              [](const ElementRange &a, const ElementRange &b) { return a.begin < b.begin; });
  std::uint64_t count = 0, end = 0;
  for (const ElementRange &r : scratch)
    if (r.end > end) {
      count += r.end - std::max(r.begin, end);
      end = r.end;
    }
  return count;
}

/// By variable; of each in the order in which they are.
std::vector<VariableAccessRecord> byVariable(const std::vector<VariableAccessRecord> &rows) {
  std::vector<std::size_t> first; // by variable, then where the next one of it goes
  for (const VariableAccessRecord &row : rows) {
    if (row.variable + std::size_t(2) > first.size())
      first.resize(row.variable + std::size_t(2));
    ++first[row.variable + std::size_t(1)];
  }
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<VariableAccessRecord> sorted(rows.size());
  for (const VariableAccessRecord &row : rows)
    sorted[first[row.variable]++] = row;
  return sorted;
}

} // namespace

std::vector<VariableAccessRecord> collectVariableAccesses(const StepProgram &program,
                                                          const std::vector<std::int64_t> &ids) {
  std::vector<VariableAccessRecord> rows;
  rows.reserve(program.accesses.size());
  Accesses here;
  Ranges scratch;
  const auto record = [&](const Access *a) { return static_cast<std::uint32_t>(ids[a->var.index()]); };
  for (std::uint32_t s = 0; s < program.steps.size(); ++s) {
    const Step &step = program.steps[StepIndex(s)];
    here.clear();
    for (std::uint32_t a = step.firstAccess; a < step.firstAccess + step.numAccesses; ++a)
      if (ids[program.accesses[a].var.index()] >= 0 && program.accesses[a].numRanges != 0)
        here.push_back(&program.accesses[a]);
    std::sort(here.begin(), here.end(), [&](const Access *a, const Access *b) {
      return record(a) != record(b) ? record(a) < record(b) : a->kind < b->kind;
    });
    for (auto a = here.cbegin(); a != here.cend();) {
      const auto end = std::find_if(
          a, here.cend(), [&](const Access *other) { return other->var != (*a)->var || other->kind != (*a)->kind; });
      if (rows.empty() || rows.back().program != s || rows.back().variable != record(*a))
        rows.push_back({record(*a), s, program.vars[(*a)->var].elements});
      VariableAccessRecord &row = rows.back();
      std::uint64_t &count = (*a)->kind == AccessKind::Read    ? row.read
                             : (*a)->kind == AccessKind::Write ? row.written
                                                               : row.undefined;
      count = countElements(program, a, end, scratch);
      a = end;
    }
  }
  return byVariable(rows);
}

} // namespace popscope
