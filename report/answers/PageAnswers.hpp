// The answers that the viewer's page shows. Analyses of all tiles and steps are computed once, by the command line's
// views, so that the page has no second copy of their logic.
//
//   {"views": {"loss": {"lines": [...], "facts": {...}, "tables": {"causes": {"title", "columns", "rows", "more"}},
//                       "notes": [...]}},
//    "lossOfRuns": [{...}, ...]}
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

/// Returns the page's views among `views`, and those of `more`, as JSON. Leaves out each view for which the profile
/// lacks data. If the profile has 2 to 32 runs, `lossOfRuns` contains the view `loss` of each run.
[[nodiscard]] std::string pageAnswers(const pva::Report &report, const std::vector<ViewRow> &views,
                                      const std::vector<ViewRow> &more);

} // namespace popscope
