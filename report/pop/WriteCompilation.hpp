// Writes the rows of the compilation part of a profile. Call writeCompilation inside a transaction.
#pragma once
#include "report/pop/PopDatabase.hpp"

namespace popscope {
/// Writes the rows of `record`, and the tables that `rows` provides. If `settings` is not null, its options and
/// warnings replace those of `record`.
void writeCompilation(PopFile &file, const CompilationRecord &record, const CompilationRows &rows,
                      const SettingsRecord *settings);
} // namespace popscope
