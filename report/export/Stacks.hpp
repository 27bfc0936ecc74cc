// Writes cycles and bytes as stacks: folded lines for flame graphs, and files for speedscope.
//
//   run 0;Sequence;Repeat: train;OnTileExecute: fwd/Multiply 218040    cycles that each step adds to its run; the
//                                                                      cycles of all lines add up to those of the runs
//   variable;Layer1;weights 65536                                      bytes by storage category, then by the parts of
//                                                                      the variable's name
#pragma once
#include "report/export/Timeline.hpp"

#include <iosfwd>

namespace popscope {

/// Writes cycles as sorted lines like "run 0;Sequence;Repeat 218040". Covers the runs of summedRuns(), and ignores
/// TimelineOptions::maxEvents. Throws AnswerError if no recorded run is selected.
TimelineResult writeFoldedCycles(std::ostream &out, const pva::Report &report, const TimelineOptions &options);
/// Writes bytes of allocations, summed over all tiles of a replica. Each allocation counts in full, even if it shares
/// addresses with other allocations at different times.
TimelineResult writeFoldedBytes(std::ostream &out, const pva::Report &report, const TimelineOptions &options);
/// Returns the number of bytes that the second speedscope profile takes in the file of writeSpeedscope, with the names
/// of its frames.
[[nodiscard]] std::uint64_t speedscopeBytesOfMemory(const pva::Report &report);
/// Writes a speedscope file with two speedscope profiles. The first has the type "evented" and contains the cycles of
/// the runs of summedRuns(), in the order of execution. The second has the type "sampled" and contains the bytes of
/// allocations. Without recorded runs, writes only the bytes.
TimelineResult writeSpeedscope(std::ostream &out, const pva::Report &report, const TimelineOptions &options);

} // namespace popscope
