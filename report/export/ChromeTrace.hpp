// Chrome's Trace Event Format, an object with traceEvents: read by Perfetto, chrome://tracing, speedscope and DevTools.
//
//   {"ph":"X","pid":1,"tid":2000000,"ts":0.020,"dur":0.010,"name":"in","cat":"exchange","args":{"program":2}}
//
// Times are microseconds with three decimals, so a cycle of a nanosecond is exact. Arguments are flat objects. Counters
// are written only when they change. Arrows are s and f events with bp "e". There are no \u escapes, because readers
// show them unchanged.
#pragma once
#include "report/export/Timeline.hpp"

#include <iosfwd>

namespace popscope {

TimelineResult writeChromeTrace(std::ostream &out, const pva::Report &report, const TimelineOptions &options);

} // namespace popscope
