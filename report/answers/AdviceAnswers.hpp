// Answers about advice: changes that popscope.tryAdvice tried by compiling the program with them, and places at which a
// WriteUndef would end a life that no read needs (autoReport.outputLivenessExplanation).
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

Rows collectAdvise(const Request &request);
/// Returns the smallest set of changes with which the program fits. If no tried set makes it fit, the answer is a
/// finding: the set that leaves the fewest bytes past the end, and what is still missing. With --write, also writes the
/// set to a file, in the form of popscope.applyAdvice.
Rows collectFit(const Request &request);
/// Returns whether the profile has a trial in which the program fits, unchanged or with a set of changes.
[[nodiscard]] bool hasFit(const pva::Report &report);

} // namespace popscope
