// The answers that the viewer's page shows. The views of the command line compute these answers, so that the page needs
// no second implementation of the analyses over all tiles and steps.
//
//   {"views": {"loss": {"lines": [...], "facts": {...}, "tables": {"causes": {"title", "columns", "rows", "more"}},
//                       "notes": [...]}},
//    "refused": {"whatifGrid": "run 0 cannot be estimated again: ..."},
//    "lossOfRuns": [{...}, ...], "oomOfTiles": [{...}, ...]}
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

/// Returns the answers of the views that the page shows, as JSON. Looks up each view in `views`, then in `more`. If the
/// profile lacks data for a view, `refused` has the reason in place of the answer. If the profile has 2 to 32 runs,
/// `lossOfRuns` contains the view `loss` of each run, or null if the view refuses the run. `oomOfTiles` contains the
/// view `oom` of each tile that does not fit, the fullest first, at most 16 tiles.
[[nodiscard]] std::string pageAnswers(const pva::Report &report, const std::vector<ViewRow> &views,
                                      const std::vector<ViewRow> &more);

} // namespace popscope
