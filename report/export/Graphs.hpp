// Writes graphs in the DOT language of Graphviz.
#pragma once
#include "report/export/Timeline.hpp"

#include <iosfwd>

namespace popscope {

/// Writes the nesting of programs, with the executions and cycles of each program in the selected runs.
TimelineResult writeProgramGraph(std::ostream &out, const pva::Report &report, const TimelineOptions &options);
/// Writes the flow of data. An edge goes from the last program that replaced all elements of a variable to a program
/// that reads this variable next. The graph is empty if the profile was recorded without
/// autoReport.outputLivenessExplanation.
TimelineResult writeDataGraph(std::ostream &out, const pva::Report &report, const TimelineOptions &options);
/// Writes the exchanges that move most bytes, each with the pairs of tiles that exchange most bytes. If the profile
/// does not contain the pairs of an exchange, writes the tiles that send and receive most bytes in this exchange.
TimelineResult writeExchangeGraph(std::ostream &out, const pva::Report &report, const TimelineOptions &options);

} // namespace popscope
