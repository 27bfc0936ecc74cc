// The answers that the viewer's page shows beside the profile: what takes an analysis of all tiles and steps is made
// once, by the views that the command line has, and the page has no second copy of their logic.
//
//   {"views": {"loss": {"lines": [...], "facts": {...}, "tables": {"causes": {"title", "columns", "rows", "more"}},
//   "notes": [...]}},
//    "lossOfRuns": [{...}, ...]}
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

/// The views of the page that are among `views`, and those of `more`, as JSON; one that the profile lacks something for
/// is left out. `lossOfRuns` has `loss` of each run, where there are 2 to 32.
[[nodiscard]] std::string pageAnswers(const pva::Report &report, const std::vector<ViewRow> &views,
                                      const std::vector<ViewRow> &more);

} // namespace popscope
