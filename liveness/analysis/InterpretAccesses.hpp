// Turns the accesses of one variable into events of liveness: the steps that read or kill the variable. Also finds the
// steps at which the accesses need memory for the variable.
#pragma once
#include "liveness/analysis/BuildFlowGraph.hpp"
#include "liveness/analysis/CollectAccesses.hpp"
#include "liveness/data/LiveRanges.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace popscope {

/// A step that reads or kills a variable. If a step does both, the read comes first.
struct AccessEvent {
  std::uint32_t step = 0;
  bool read = false, kill = false;
};

/// Returns whether a variable with these live intervals and events is live-in at the step. Both lists must be sorted by
/// step.
[[nodiscard]] bool liveBefore(std::uint32_t step, std::span<const StepInterval> live,
                              const std::vector<AccessEvent> &events);

/// The tables that interpretAccesses() reads, all of one program. All these tables must outlive the context.
struct AccessContext {
  const StepProgram &program;
  const AccessTable &table;
  const std::vector<FlowStep> &steps;
  [[nodiscard]] AccessKind kindOf(const AccessTable::Entry &entry) const { return program.accesses[entry.access].kind; }
};

/// The accesses of one source to one variable: the entries [begin, end) of the access table. `firstRead` is the step of
/// the first read in these entries, and `lastWrite` the step of the last write. The accesses of a step without a source
/// form a group. Each of several merged copies counts as a source of its own. Copies are merged only if no copy
/// accesses the elements that another copy writes. So if several merged copies access the variable, none of these
/// copies writes the whole variable.
struct SourceGroup {
  static constexpr std::uint32_t kNever = ~std::uint32_t(0);
  std::uint32_t begin = 0, end = 0;
  std::uint32_t firstRead = kNever, lastWrite = kNever; // steps
  [[nodiscard]] bool writes() const { return lastWrite != kNever; }
  /// Returns whether writes up to this step may kill the variable. A read in an earlier step of the group prevents the
  /// kill.
  [[nodiscard]] bool mayKillAt(std::uint32_t step) const { return step <= firstRead; }
};
/// Returns the group that starts with entry `at`. `end` is the end of the variable's entries.
SourceGroup sourceGroup(const AccessContext &context, std::uint32_t at, std::uint32_t end);
/// Returns the first step by which the group's writes cover the variable, or kNever. The step kills the variable if
/// mayKillAt(step) is true. Cost: linear in the group's entries if the group's first write covers the variable. In all
/// other cases, the cost is O(n log n) for n ranges, times the logarithm of the number of the group's entries.
std::uint32_t coveringStep(const AccessContext &context, const SourceGroup &group, VarId var);

/// The events of one variable. The caller reuses one object for all variables, so that the vectors keep their memory.
struct VariableAccesses {
  std::vector<AccessEvent> events;    // sorted by step; a partial write is no event
  std::vector<StepInterval> accessed; // per source (merged copies count as one source): the steps from the source's
                                      // first to its last read or write; ascending; neighbouring intervals may touch
  bool everRead = false;
};
/// Adds to `accessed` (VariableAccesses::accessed) a step that reads or writes the variable. Call addAccessed() for the
/// steps in ascending order.
void addAccessed(const std::vector<FlowStep> &steps, std::uint32_t step, std::vector<StepInterval> &accessed);
/// Fills `out` with the events of one variable.
///
/// The writes of one source count together. The writes kill the variable at the first step by which the source has
/// written all elements. There is no kill if an earlier step of the source has read the variable. Later writes of the
/// source have no further effect. The Undefs of one step count together, separately from writes: these Undefs kill the
/// variable if they cover all elements. Cost: linear in the variable's accesses, plus the cost of coveringStep() for
/// groups of several accesses or ranges.
void interpretAccesses(const AccessContext &context, VarId var, VariableAccesses &out);

} // namespace popscope
