// Graphs for Graphviz.
#pragma once
#include "report/export/Timeline.hpp"

#include <iosfwd>

namespace popscope {

/// Programs in programs, with the cycles that the recorded runs spent in their steps.
TimelineResult writeProgramGraph(std::ostream &out, const pva::Report &report, const TimelineOptions &options);
/// What one program writes and another reads, by variable; from the explained liveness of the profile.
TimelineResult writeDataGraph(std::ostream &out, const pva::Report &report, const TimelineOptions &options);
/// The largest exchanges, with the tiles that send and receive most.
TimelineResult writeExchangeGraph(std::ostream &out, const pva::Report &report, const TimelineOptions &options);

} // namespace popscope
