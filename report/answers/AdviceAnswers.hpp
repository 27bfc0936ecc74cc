// What would help: changes that were tried by compiling the program with them (popscope.tryAdvice), and where a
// WriteUndef ends what is live for nothing (autoReport.outputLivenessExplanation).
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

Rows collectAdvise(const Request &request);
/// The least set of changes under which the program fits. With --write it also writes them, as popscope.applyAdvice
/// takes them. A finding when there is none.
Rows collectFit(const Request &request);
/// Whether collectFit has an answer that is no finding: the program fits, or a set of changes was found.
[[nodiscard]] bool hasFit(const pva::Report &report);

} // namespace popscope
