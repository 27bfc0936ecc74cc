// What each variable's accesses mean for liveness: where it is read, where it is killed, where it needs a place.
#pragma once
#include "graph/steps/StepProgram.hpp"
#include "liveness/data/LiveRanges.hpp"

#include <cstdint>
#include <vector>

namespace popscope {

/// One step that reads or kills a variable. Where it does both, the read comes first.
struct AccessEvent {
  std::uint32_t step = 0;
  bool read = false, kill = false;
};

/// Every access of the program by variable, then by step: of v, [first[v], first[v + 1]).
struct AccessTable {
  struct Entry {
    std::uint32_t step, access;
    std::uint32_t source;    // of the step; invalid = the step stands alone
    AccessKind kind;
    enum class Cover : std::uint8_t { Part, Whole, Unknown } cover; // of one range; Unknown of several. Reads: Part
  };
  std::vector<std::uint32_t> first;
  std::vector<Entry> entries;
};
/// Linear in accesses. A program has fewer than 2^32 of them.
AccessTable collectAccesses(const StepProgram &program);

/// Entries [begin, end) of one source (or of one step without a source); of a write by it, its last writing step.
struct SourceGroup {
  std::uint32_t begin = 0, end = 0;
  std::uint32_t lastWrite = 0;
  bool writes = false;
};
/// The group that starts with entry `at` of a variable whose entries end at `end`.
SourceGroup sourceGroup(const AccessTable &table, std::uint32_t at, std::uint32_t end);

/// Refilled for one variable after the other, so that its vectors keep their memory.
struct VariableAccesses {
  std::vector<AccessEvent> events;    // ascending steps; partial writes are none
  std::vector<StepInterval> accessed; // of each source from its first to its last access; ascending, may touch
  bool everRead = false;
};
/// Writes of one source count together, and kill at the last step of the source that writes when they cover all
/// elements. An Undef kills alone when it covers all elements. Linear in the variable's accesses and, where no single
/// access covers it, n log n in their ranges.
void interpretAccesses(const StepProgram &program, const AccessTable &table, VarId var, VariableAccesses &out);

} // namespace popscope
