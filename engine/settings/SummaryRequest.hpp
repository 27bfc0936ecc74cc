// SummaryRequest: the options of printProfileSummary as typed values, colour decided.
#pragma once
#include "report/summary/Summary.hpp"

#include <poplar/OptionFlags.hpp>

#include <iosfwd>

namespace popscope {

/// True for std::cout, std::cerr and std::clog when they go to a terminal.
bool isTerminal(const std::ostream &out);
/// Throws poplar::invalid_option for an unknown option (with the nearest known one) or a bad value.
SummaryOptions readSummaryOptions(const poplar::OptionFlags &options, bool terminal);

} // namespace popscope
