// Writes Perfetto's own trace format: protobuf, with units and a tree of tracks. A file has about a quarter of the size
// of the same trace in Chrome's JSON format (ChromeTrace.hpp).
//
// The encoder is hand-written (docs/decisions/0006 states the reasons). The encoder writes fields as varints,
// length-delimited data and eight-byte numbers. Names are interned: a name is written once with a number, and later
// packets contain only the number. The file can be cut after any packet and stays readable.
#pragma once
#include "report/export/Timeline.hpp"

#include <iosfwd>

namespace popscope {

TimelineResult writePerfettoTrace(std::ostream &out, const pva::Report &report, const TimelineOptions &options);

} // namespace popscope
