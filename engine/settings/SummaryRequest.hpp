// SummaryRequest: the options of printProfileSummary as typed values, with the use of colour decided.
#pragma once
#include "report/summary/Summary.hpp"

#include <poplar/OptionFlags.hpp>

#include <iosfwd>

namespace popscope {

/// Returns true for std::cout, std::cerr and std::clog if they are connected to a terminal.
bool isTerminal(const std::ostream &out);
/// Reads the options. Throws poplar::invalid_option for an unknown option (with the nearest known one) or a bad value.
SummaryOptions readSummaryOptions(const poplar::OptionFlags &options, bool terminal);

} // namespace popscope
