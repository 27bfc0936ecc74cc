// Perfetto's own trace format: protobuf, about a third of the JSON, with units and a tree of tracks.
//
// The encoder is hand-written (docs/decisions/0006 states the reasons): fields are varints, lengths and eight-byte
// numbers. Names are interned: written once, then a number. Every packet is self-contained, so the file can be cut
// after any packet.
#pragma once
#include "report/export/Timeline.hpp"

#include <iosfwd>

namespace popscope {

TimelineResult writePerfettoTrace(std::ostream &out, const pva::Report &report, const TimelineOptions &options);

} // namespace popscope
