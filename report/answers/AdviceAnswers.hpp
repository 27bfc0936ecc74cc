// Advice: changes that were tried by compiling the program with them (popscope.tryAdvice), and places where a
// WriteUndef ends lives that no read needs (autoReport.outputLivenessExplanation).
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

Rows collectAdvise(const Request &request);
/// Returns the smallest set of changes with which the program fits. With --write it also writes them, in the form of
/// popscope.applyAdvice. If there is no such set, the answer is a finding.
Rows collectFit(const Request &request);
/// Returns whether collectFit has an answer other than a finding: the program fits, or a set of changes was found.
[[nodiscard]] bool hasFit(const pva::Report &report);

} // namespace popscope
