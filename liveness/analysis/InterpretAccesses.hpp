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

/// Entries [begin, end) of one source (or of one step without a source), and what it does in which step. Of merged
/// copies each is a source: what several of them access lies in several groups, and none of them covers all of it.
struct SourceGroup {
  static constexpr std::uint32_t kNever = ~std::uint32_t(0);
  std::uint32_t begin = 0, end = 0;
  std::uint32_t firstRead = kNever, lastWrite = kNever; // steps
  [[nodiscard]] bool writes() const { return lastWrite != kNever; }
  /// What the group has written by the end of a step replaces what stood there before the group, unless an earlier step
  /// read it.
  [[nodiscard]] bool mayKillAt(std::uint32_t step) const { return step <= firstRead; }
};
/// The group that starts with entry `at` of a variable whose entries end at `end`.
SourceGroup sourceGroup(const AccessContext &context, std::uint32_t at, std::uint32_t end);
/// The first step by which the group's writes cover the variable, or kNever. It kills if mayKillAt() it. n log n in
/// ranges, times the logarithm of the group's steps where no single access covers it.
std::uint32_t coveringStep(const AccessContext &context, const SourceGroup &group, VarId var);

/// Refilled for one variable after the other, so that its vectors keep their memory.
struct VariableAccesses {
  std::vector<AccessEvent> events;    // ascending steps; partial writes are none
  std::vector<StepInterval> accessed; // of each source (of merged ones together) from its first to its last access;
                                      // ascending, may touch
  bool everRead = false;
};
/// Writes of one source count together: they kill at the first step of the source by which they cover all elements, if
/// no step of the source has read the variable before. What the source writes later changes nothing. An Undef kills
/// alone when it covers all elements. Linear in the variable's accesses, plus coveringStep() for groups of several.
void interpretAccesses(const AccessContext &context, VarId var, VariableAccesses &out);

} // namespace popscope
