// Answers about advice. There are two kinds of advice. One is a change with which popscope.tryAdvice compiled the
// program. The other is a place at which a WriteUndef would end the life of a value that no later program reads
// (autoReport.outputLivenessExplanation).
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

Rows collectAdvise(const Request &request);
/// Returns a set of changes with which the program fits. The set comes from the trials in the profile. If the program
/// fits without changes, the set is empty. If the program fits with none of the tried sets, Rows::finding is true. In
/// this case, the answer contains the set with which the program comes nearest to fitting. For this set, the answer
/// also states the number of bytes past the end of memory, summed over all tiles. With --write, also writes the set to
/// a file, in the form of popscope.applyAdvice. Throws AnswerError for a profile without trials, with two exceptions:
/// the program fits, or the mapping is skewed (MappingSkew.hpp) and --write is not given. A skewed mapping without
/// trials is a finding. Also throws AnswerError if the file cannot be written.
Rows collectFit(const Request &request);
/// Returns whether the profile has a trial in which the program fits, unchanged or with a set of changes.
[[nodiscard]] bool hasFit(const pva::Report &report);

} // namespace popscope
