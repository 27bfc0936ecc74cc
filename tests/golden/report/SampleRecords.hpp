// The sample report of the user guide, section 10.5, as profile records: totals, maxima, histogram, lists and steps
// equal the sample's. The sample does not show how totals spread over tiles. Where the spread has no effect, tile 0 has
// the whole total.
#pragma once
#include "instrument/profile/Records.hpp"

namespace sample {
[[nodiscard]] popscope::CompilationRecord compilation();
/// Writes the sample's run: the steps that the sample shows, then one step with all remaining cycles.
void writeRun(popscope::ProfileSink &sink);
} // namespace sample
