// Writes and reads the rows of advice: explained liveness, and the trials of popscope.tryAdvice. The compilation writes
// these rows once. readVariableAccesses reads the accesses to one variable. readAdvice reads all other rows;
// readAdviceTrials reads only the trials.
#pragma once
#include "report/pop/PopReader.hpp"

#include <functional>

namespace popscope {

void writeAdvice(PopFile &file, const AdviceRecord &advice, const CompilationRows &rows);
/// Reads the advice without the accesses. AdviceRecord::present is false if the file has no explained liveness. Throws
/// ProfileError for a corrupt file.
[[nodiscard]] AdviceRecord readAdvice(PopFile &file, const ProfileLimits &limits);
/// Returns the results of the trials, or an empty list if no change was tried. Throws ProfileError for a corrupt file.
/// A file without explained liveness can still have trials.
[[nodiscard]] std::vector<AdviceTrialRecord> readAdviceTrials(PopFile &file, const ProfileLimits &limits);

/// Returns whether the file contains the accesses of programs to variables.
[[nodiscard]] bool hasVariableAccesses(PopFile &file);
/// Reads the accesses to one variable, sorted by program. Throws ProfileError for a corrupt file.
[[nodiscard]] std::vector<VariableAccessRecord> readVariableAccesses(PopFile &file, const ProfileLimits &limits,
                                                                     std::uint32_t variable);
/// Calls `visit` for each access that reads or writes elements, sorted by variable and then by program. Throws
/// ProfileError for a corrupt file.
void eachVariableAccess(PopFile &file, const ProfileLimits &limits,
                        const std::function<void(const VariableAccessRecord &)> &visit);

} // namespace popscope
