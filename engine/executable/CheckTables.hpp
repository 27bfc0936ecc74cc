// CheckTables: checks that the indices in a program that was read from a file lie inside its tables, so that later code
// need not check them. verifySteps, which runs next, checks their meaning.
#pragma once
#include "engine/compile/Compile.hpp"

namespace popscope {

/// Throws ArchiveError, which names the first wrong table. `classes`: the number of codelet classes.
void checkTables(const CompiledProgram &compiled, std::size_t classes);

} // namespace popscope
