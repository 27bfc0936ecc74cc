// SummaryRequest: the options of printProfileSummary as typed values. readSummaryOptions() also decides whether the
// summary has colours.
#pragma once
#include "report/summary/Summary.hpp"

#include <poplar/OptionFlags.hpp>

#include <iosfwd>

namespace popscope {

/// Reads the options of a summary that is printed to `out`. Throws poplar::invalid_option for a bad value or an unknown
/// option (the message suggests a similar option, or lists all options).
SummaryOptions readSummaryOptions(const poplar::OptionFlags &options, const std::ostream &out);

} // namespace popscope
