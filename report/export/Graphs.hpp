// Graphs for Graphviz.
#pragma once
#include "report/export/Timeline.hpp"

#include <iosfwd>

namespace popscope {

/// Writes the nesting of programs, with the cycles of their steps in the recorded runs.
TimelineResult writeProgramGraph(std::ostream &out, const pva::Report &report, const TimelineOptions &options);
/// Writes the flow of variables from writing to reading programs, as the explained liveness of the profile has it.
TimelineResult writeDataGraph(std::ostream &out, const pva::Report &report, const TimelineOptions &options);
/// Writes the largest exchanges, with the tiles that send and receive most.
TimelineResult writeExchangeGraph(std::ostream &out, const pva::Report &report, const TimelineOptions &options);

} // namespace popscope
