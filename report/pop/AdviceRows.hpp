// Explained liveness in the file: written once with the compilation, read whole.
#pragma once
#include "report/pop/PopReader.hpp"

namespace popscope {

void writeAdvice(PopFile &file, const AdviceRecord &advice, const CompilationRows &rows);
/// `present` is false when the file holds none. A corrupt file: ProfileError.
[[nodiscard]] AdviceRecord readAdvice(PopFile &file, const ProfileLimits &limits);
/// What trying changes gave; empty where nothing was tried. Alone in the file: nothing else need be explained.
[[nodiscard]] std::vector<AdviceTrialRecord> readAdviceTrials(PopFile &file, const ProfileLimits &limits);

/// Whether the file says what programs do to variables.
[[nodiscard]] bool hasVariableAccesses(PopFile &file);
/// Of one variable, by program. A corrupt file: ProfileError.
[[nodiscard]] std::vector<VariableAccessRecord> readVariableAccesses(PopFile &file, const ProfileLimits &limits,
                                                                     std::uint32_t variable);

} // namespace popscope
