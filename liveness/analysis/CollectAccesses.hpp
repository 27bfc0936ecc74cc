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
  };
  std::vector<std::uint32_t> first;
  std::vector<Entry> entries;
};
AccessTable collectAccesses(const StepProgram &program);

struct VariableAccesses {
  std::vector<AccessEvent> events;    // ascending steps; partial writes are none
  std::vector<StepInterval> accessed; // of each source from its first to its last access; ascending, may touch
  bool everRead = false;
};
/// Writes of one source count together, and kill at the last step of the source that writes when they cover all
/// elements. An Undef kills alone when it covers all elements.
VariableAccesses interpretAccesses(const StepProgram &program, const AccessTable &table, VarId var);

} // namespace popscope
