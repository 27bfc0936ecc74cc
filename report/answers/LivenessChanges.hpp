// The variables whose live steps differ between two profiles, for `popscope diff`.
#pragma once
#include "report/answers/LiveTable.hpp"
#include "report/answers/View.hpp"

namespace popscope {

/// Compares liveness at the steps that both profiles have (AlignSteps). Returns one row for each name and category of
/// variables whose liveness differs. The row with the largest change of the product of bytes and steps is first.
/// `count` is the maximum number of rows. Steps and variables that only one profile has are not compared. The variables
/// of one name and category can have different total sizes in the two profiles. In this case, a step counts only if at
/// least one of these variables is live at the step in one profile, and none in the other profile. So a change of only
/// the sizes of variables is not a change of liveness. Both tables must contain the tiles of the request.
[[nodiscard]] Table livenessChanges(const Request &request, const LiveTable &before, const LiveTable &after,
                                    std::size_t count);

} // namespace popscope
