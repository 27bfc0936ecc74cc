// The rows of advice: explained liveness, and the trials of popscope.tryAdvice. The compilation writes these rows once.
// Accesses are read per variable, and all other rows are read together; trials can also be read alone.
#pragma once
#include "report/pop/PopReader.hpp"

namespace popscope {

void writeAdvice(PopFile &file, const AdviceRecord &advice, const CompilationRows &rows);
/// Reads the advice without the accesses. AdviceRecord::present is false if the file has no explained liveness. Throws
/// ProfileError for a corrupt file.
[[nodiscard]] AdviceRecord readAdvice(PopFile &file, const ProfileLimits &limits);
/// Returns the results of trials of changes, or an empty list if nothing was tried. A file may have trials without
/// explained liveness.
[[nodiscard]] std::vector<AdviceTrialRecord> readAdviceTrials(PopFile &file, const ProfileLimits &limits);

/// Returns whether the file contains the accesses of programs to variables.
[[nodiscard]] bool hasVariableAccesses(PopFile &file);
/// Reads the accesses to one variable, sorted by program. Throws ProfileError for a corrupt file.
[[nodiscard]] std::vector<VariableAccessRecord> readVariableAccesses(PopFile &file, const ProfileLimits &limits,
                                                                     std::uint32_t variable);

} // namespace popscope
