// Where cycles and bytes are, as stacks: folded lines for flame graphs, and files for speedscope.
//
//   Sequence;Repeat: train;OnTileExecute: fwd/Multiply 218040        cycles: what each step adds to its run, so all add
//   up to the runs variable;Layer1;weights 65536                                    bytes: by storage category, then
//   the parts of the variable's name
#pragma once
#include "report/export/Timeline.hpp"

#include <iosfwd>

namespace popscope {

/// "Sequence;Repeat 218040": sorted lines.
TimelineResult writeFoldedCycles(std::ostream &out, const pva::Report &report, const TimelineOptions &options);
/// Bytes of allocations, all tiles of a replica. Those that share addresses over time count each.
TimelineResult writeFoldedBytes(std::ostream &out, const pva::Report &report, const TimelineOptions &options);
/// What the profile of bytes takes in that file.
[[nodiscard]] std::uint64_t speedscopeBytesOfMemory(const pva::Report &report);
/// Two profiles in one file: cycles in the order in which they went by (evented), and bytes (sampled).
TimelineResult writeSpeedscope(std::ostream &out, const pva::Report &report, const TimelineOptions &options);

} // namespace popscope
