// What one variable's accesses mean for liveness: where it is read, where it is killed, where it needs a place.
#pragma once
#include "liveness/analysis/BuildFlowGraph.hpp"
#include "liveness/analysis/CollectAccesses.hpp"
#include "liveness/data/LiveRanges.hpp"

#include <cstdint>
#include <vector>

namespace popscope {

/// One step that reads or kills a variable. Where it does both, the read comes first.
struct AccessEvent {
  std::uint32_t step = 0;
  bool read = false, kill = false;
};

/// What interpreting needs of a program; all must outlive it.
struct AccessContext {
  const StepProgram &program;
  const AccessTable &table;
  const std::vector<FlowStep> &steps;
  [[nodiscard]] AccessKind kindOf(const AccessTable::Entry &entry) const { return program.accesses[entry.access].kind; }
};

/// Entries [begin, end) of one source (or of one step without a source); of a write by it, its last writing step.
struct SourceGroup {
  std::uint32_t begin = 0, end = 0;
  std::uint32_t lastWrite = 0;
  bool writes = false;
};
/// The group that starts with entry `at` of a variable whose entries end at `end`.
SourceGroup sourceGroup(const AccessContext &context, std::uint32_t at, std::uint32_t end);

/// Refilled for one variable after the other, so that its vectors keep their memory.
struct VariableAccesses {
  std::vector<AccessEvent> events;    // ascending steps; partial writes are none
  std::vector<StepInterval> accessed; // of each source from its first to its last access; ascending, may touch
  bool everRead = false;
};
/// Writes of one source count together, and kill at the last step of the source that writes when they cover all
/// elements. An Undef kills alone when it covers all elements. Linear in the variable's accesses and, where no single
/// access covers it, n log n in their ranges.
void interpretAccesses(const AccessContext &context, VarId var, VariableAccesses &out);

} // namespace popscope
