// JSON Lines: one object per line, its "type" first: profile, program, computeSet, tile, variable, run, step.
#pragma once
#include "report/export/Timeline.hpp"

#include <iosfwd>

namespace popscope {

/// Writes the lines. Steps beyond options.maxEvents are left out, and the last line reports it. Writes only complete
/// lines.
TimelineResult writeJsonLines(std::ostream &out, const pva::Report &report, const TimelineOptions &options);

} // namespace popscope
