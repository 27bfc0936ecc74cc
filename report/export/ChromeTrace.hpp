// Writes Chrome's Trace Event Format: an object with traceEvents. Perfetto, chrome://tracing, speedscope and DevTools
// read this format.
//
//   {"ph":"B","pid":1,"tid":2000000,"ts":0.020,"name":"in","cat":"exchange","args":{"program":2}}
//   {"ph":"E","pid":1,"tid":2000000,"ts":0.030,"name":"in"}
//
// Times are in microseconds with three decimals. If one cycle is drawn as one nanosecond, no time is rounded. The
// arguments of an event are an object without nested objects. A counter of samples is written for each sample. Any
// other counter is written only when its value changes. An arrow consists of two events: one with "ph" s, and one with
// "ph" f and "bp" e. Names contain no \u escapes, because some readers show these escapes undecoded.
#pragma once
#include "report/export/Timeline.hpp"

#include <iosfwd>

namespace popscope {

TimelineResult writeChromeTrace(std::ostream &out, const pva::Report &report, const TimelineOptions &options);

} // namespace popscope
