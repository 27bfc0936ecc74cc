// JSON Lines: one object a line, its "type" first: profile, program, computeSet, tile, variable, run, step.
#pragma once
#include "report/export/Timeline.hpp"

#include <iosfwd>

namespace popscope {

/// Steps beyond options.maxEvents are left out, and the last line says so. Complete lines only.
TimelineResult writeJsonLines(std::ostream &out, const pva::Report &report, const TimelineOptions &options);

} // namespace popscope
