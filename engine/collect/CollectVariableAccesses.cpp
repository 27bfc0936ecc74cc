#include "engine/collect/Collect.hpp"

#include "base/UniteRanges.hpp"

#include <algorithm>

namespace popscope {
namespace {

using Ranges = std::vector<ElementRange>;

/// Returns the number of distinct elements in accesses of one kind to one variable. The ranges of one access are
/// disjoint; the ranges of merged copies may overlap.
std::uint64_t countElements(const StepProgram &program, const AccessTable::Entry *first, const AccessTable::Entry *last,
                            AccessKind kind, Ranges &scratch) {
  scratch.clear();
  for (const AccessTable::Entry *e = first; e != last; ++e)
    if (const Access &access = program.accesses[e->access]; access.kind == kind)
      scratch.insert(scratch.end(), program.ranges.begin() + access.firstRange,
                     program.ranges.begin() + access.firstRange + access.numRanges);
  return coveredElements(scratch);
}

} // namespace

void collectVariableAccesses(const StepProgram &program, const AccessTable &table,
                             const std::vector<VariableRow> &variables,
                             const CompilationRows::TakeSome<VariableAccessRecord> &take) {
  SomeRows<VariableAccessRecord> rows(take);
  Ranges scratch;
  for (std::size_t v = 0; v < variables.size(); ++v) {
    if (!variables[v].recorded())
      continue;
    const AccessTable::Entry *const end = table.entries.get() + table.first[v + 1];
    for (const AccessTable::Entry *at = table.entries.get() + table.first[v]; at != end;) {
      const AccessTable::Entry *const first = at;
      while (at != end && at->step() == first->step())
        ++at;
      VariableAccessRecord row{variables[v].row, first->step(),
                               program.vars[VarId(static_cast<std::uint32_t>(v))].elements};
      if (at - first == 1) { // the usual case
        const Access &access = program.accesses[first->access];
        std::uint64_t &count = access.kind == AccessKind::Read    ? row.read
                               : access.kind == AccessKind::Write ? row.written
                                                                  : row.undefined;
        for (std::uint32_t r = access.firstRange; r < access.firstRange + access.numRanges; ++r)
          count += program.ranges[r].end - program.ranges[r].begin;
        if (access.numRanges == 0)
          continue;
      } else {
        row.read = countElements(program, first, at, AccessKind::Read, scratch);
        row.written = countElements(program, first, at, AccessKind::Write, scratch);
        row.undefined = countElements(program, first, at, AccessKind::Undef, scratch);
        if (std::all_of(first, at,
                        [&](const AccessTable::Entry &e) { return program.accesses[e.access].numRanges == 0; }))
          continue;
      }
      rows.add(row);
    }
  }
  rows.finish();
}

} // namespace popscope
