// Writes the rows of the compilation part of a profile. Call it inside a transaction.
#pragma once
#include "report/pop/PopDatabase.hpp"

namespace popscope {
void writeCompilation(PopFile &file, const CompilationRecord &record, const CompilationRows &rows);
} // namespace popscope
