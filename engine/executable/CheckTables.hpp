// CheckTables: whether the indices in a program that was read from a file lie inside its tables, so that what uses them
// need not ask again. What the indices mean is verifySteps' job, which comes after.
#pragma once
#include "engine/compile/Compile.hpp"

namespace popscope {

/// `classes`: how many codelet classes there are. Throws ArchiveError naming the first table that is wrong.
void checkTables(const CompiledProgram &compiled, std::size_t classes);

} // namespace popscope
