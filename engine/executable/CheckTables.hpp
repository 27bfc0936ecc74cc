// CheckTables: checks a program that was read from a file. After the check, all indices lie within the tables of the
// program, so later code need not check the indices. After checkTables(), verifySteps() checks whether the contents of
// the tables are consistent.
#pragma once
#include "engine/compile/Compile.hpp"

namespace popscope {

/// Throws ArchiveError if a table contains an invalid index, range or size. The message names the first table with a
/// fault. `classes` is the number of codelet classes.
void checkTables(const CompiledProgram &compiled, std::size_t classes);

} // namespace popscope
