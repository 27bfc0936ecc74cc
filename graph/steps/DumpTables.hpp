// DumpTables: the tables of a program next to its steps, for dumps of passes that leave the steps alone.
#pragma once
#include "graph/steps/StepProgram.hpp"

#include <string>

namespace popscope {

/// Returns one line per table, with its rows and, for tables of sizes, the sum of their bytes.
[[nodiscard]] std::string dumpTables(const StepProgram &program);

} // namespace popscope
