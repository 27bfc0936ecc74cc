// The part of `popscope advise` that reports explained liveness: where a WriteUndef saves memory, and which bytes are
// live although no path reads these bytes.
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

inline constexpr std::size_t kUsualAdviceRows = 8; // number of rows of each table of advice without -n

/// Adds the facts, the sentences and the tables "placements" and "falseLive". `advice.present` must be true.
void addLivenessAdvice(const Request &request, const pva::LivenessAdvice &advice, Rows &rows);

} // namespace popscope
