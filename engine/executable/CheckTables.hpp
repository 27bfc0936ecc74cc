// CheckTables: checks that all indices in a program that was read from a file are within its tables, so that later code
// need not check them. The next check, verifySteps, checks whether the contents of the tables are consistent.
#pragma once
#include "engine/compile/Compile.hpp"

namespace popscope {

/// Throws ArchiveError if a table contains an invalid index; the message contains the first such table. `classes` is
/// the number of codelet classes.
void checkTables(const CompiledProgram &compiled, std::size_t classes);

} // namespace popscope
