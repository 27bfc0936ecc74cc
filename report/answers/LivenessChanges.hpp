// The variables that are live at other steps in a later profile, for `popscope diff`.
#pragma once
#include "report/answers/LiveTable.hpp"
#include "report/answers/View.hpp"

namespace popscope {

/// Returns the variables, by name and category, whose liveness differs at steps that both profiles have (AlignSteps).
/// The largest change of bytes times steps is first; `count` is the maximum number of rows. Steps of only one profile,
/// and variables of only one profile, are no changes. Bytes that only the size of a variable explains are no changes,
/// either: if the variables of a name have different sizes in both profiles, only steps at which none of them is live
/// in one of the profiles count. Both tables must contain the tiles of the request.
[[nodiscard]] Table livenessChanges(const Request &request, const LiveTable &before, const LiveTable &after,
                                    std::size_t count);

} // namespace popscope
