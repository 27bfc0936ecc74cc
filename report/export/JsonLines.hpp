// Writes JSON Lines: one object per line. The first member of an object is its "type": profile, compilePhase, program,
// tile, variable, run, memorySample, step or cut.
#pragma once
#include "report/export/Timeline.hpp"

#include <iosfwd>

namespace popscope {

/// Writes the lines. Each line is a complete object. Leaves out steps beyond options.maxEvents; the last line then
/// reports that steps are missing.
TimelineResult writeJsonLines(std::ostream &out, const pva::Report &report, const TimelineOptions &options);

} // namespace popscope
