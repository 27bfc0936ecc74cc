// DumpTables: lists the sizes of a program's tables, for dumps after passes that change tables but no steps.
#pragma once
#include "graph/steps/StepProgram.hpp"

#include <string>

namespace popscope {

/// Returns a heading, and one line for each large table with its number of rows. For a table of sizes, the line also
/// contains the sum of the sizes in bytes.
[[nodiscard]] std::string dumpTables(const StepProgram &program);

} // namespace popscope
