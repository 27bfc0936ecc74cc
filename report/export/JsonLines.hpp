// JSON Lines: one object per line, its "type" first: profile, program, computeSet, tile, variable, run, step.
#pragma once
#include "report/export/Timeline.hpp"

#include <iosfwd>

namespace popscope {

/// Writes the lines, each of them complete. Leaves out steps beyond options.maxEvents; the last line then reports that
/// steps are missing.
TimelineResult writeJsonLines(std::ostream &out, const pva::Report &report, const TimelineOptions &options);

} // namespace popscope
