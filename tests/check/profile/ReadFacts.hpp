// Copies a saved profile into Facts. Reads the allocations with plain SQL, and everything else through the public
// profile API.
#pragma once
#include "tests/check/profile/Facts.hpp"

#include <pva/pva.hpp>

namespace profile_check {

MemoryFacts readMemory(const pva::Report &report);
LivenessFacts readLiveness(const pva::Report &report);
ExecutionFacts readExecution(const pva::Report &report);
AllocationTable readAllocations(const std::string &profile);

} // namespace profile_check
