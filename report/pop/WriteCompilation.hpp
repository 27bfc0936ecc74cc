// Writes the rows of the compilation part of a profile. Call writeCompilation inside a transaction.
#pragma once
#include "report/pop/PopDatabase.hpp"

namespace popscope {
/// Writes the rows. The options and warnings of `settings`, if it is not null, replace those of `record`.
void writeCompilation(PopFile &file, const CompilationRecord &record, const CompilationRows &rows,
                      const SettingsRecord *settings);
} // namespace popscope
