// Explained liveness in the file. It is written once with the compilation, and read as a whole.
#pragma once
#include "report/pop/PopReader.hpp"

namespace popscope {

void writeAdvice(PopFile &file, const AdviceRecord &advice, const CompilationRows &rows);
/// Reads the advice; `present` is false if the file has none. Throws ProfileError for a corrupt file.
[[nodiscard]] AdviceRecord readAdvice(PopFile &file, const ProfileLimits &limits);
/// Reads the results of tried changes; empty if nothing was tried. A file may have them without explained liveness.
[[nodiscard]] std::vector<AdviceTrialRecord> readAdviceTrials(PopFile &file, const ProfileLimits &limits);

/// Returns whether the file lists the accesses of programs to variables.
[[nodiscard]] bool hasVariableAccesses(PopFile &file);
/// Reads the accesses of one variable, by program. Throws ProfileError for a corrupt file.
[[nodiscard]] std::vector<VariableAccessRecord> readVariableAccesses(PopFile &file, const ProfileLimits &limits,
                                                                     std::uint32_t variable);

} // namespace popscope
