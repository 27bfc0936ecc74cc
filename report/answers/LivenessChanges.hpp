// The variables that are live at other steps in a later profile, for `popscope diff`.
#pragma once
#include "report/answers/LiveTable.hpp"
#include "report/answers/View.hpp"

namespace popscope {

/// Returns the variables, by name and category, whose liveness differs at steps that both profiles have (AlignSteps).
/// The largest change of bytes times steps is first; `count` is the maximum number of rows. Steps and variables that
/// only one profile has are not compared. Variables of a name can have different total sizes in the two profiles. Then
/// a step counts only if, in one of the profiles, none of these variables is live. So a change of the size alone is not
/// a change of liveness. Both tables must contain the tiles of the request.
[[nodiscard]] Table livenessChanges(const Request &request, const LiveTable &before, const LiveTable &after,
                                    std::size_t count);

} // namespace popscope
