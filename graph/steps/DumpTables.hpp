// DumpTables: lists the sizes of a program's tables, for dumps after passes that change tables but no steps.
#pragma once
#include "graph/steps/StepProgram.hpp"

#include <string>

namespace popscope {

/// Returns one line for each large table, with the number of its rows and, for tables of sizes, the sum of their bytes.
[[nodiscard]] std::string dumpTables(const StepProgram &program);

} // namespace popscope
