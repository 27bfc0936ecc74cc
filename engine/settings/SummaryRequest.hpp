// SummaryRequest: the options of printProfileSummary as typed values. readSummaryOptions() also decides whether the
// summary has colours.
#pragma once
#include "report/summary/Summary.hpp"

#include <poplar/OptionFlags.hpp>

#include <iosfwd>

namespace popscope {

/// Returns true for std::cout, std::cerr and std::clog if they are connected to a terminal.
bool isTerminal(const std::ostream &out);
/// Reads the options. `terminal` states whether the output is a terminal. Throws poplar::invalid_option for a bad value
/// or an unknown option (the message suggests a similar option, or lists all options).
SummaryOptions readSummaryOptions(const poplar::OptionFlags &options, bool terminal);

} // namespace popscope
