// The sample report of the user guide, section 10.5, as profile records: totals, maxima, histogram, lists and steps are
// the sample's. The sample does not show how totals spread over tiles. Where the spread has no effect, tile 0 has the
// whole total.
#pragma once
#include "instrument/profile/Records.hpp"

namespace sample {
[[nodiscard]] popscope::CompilationRecord compilation();
/// Writes the sample's run: the steps it shows, then one step with all cycles that it does not show.
void writeRun(popscope::ProfileSink &sink);
} // namespace sample
