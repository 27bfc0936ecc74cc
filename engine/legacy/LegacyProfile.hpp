// LegacyProfile: the profile as the trees that Poplar 1.x gave: Engine::getGraphProfile, getExecutionProfile and the
// CSV of Engine::reportIntervals. Numbers come from the records and the report that the file holds; what they do not
// know has no key.
//
//   graphProfile      target, graph {numVertices, numEdges, numVars, numComputeSets}, vertexTypes {names, sizes,
//   counts},
//                     computeSets {names}, memory {byTile {total, totalIncludingGaps, nonInterleaved, ...},
//                     byCategory {<category> {<region> {nonOverlapped, overlapped}, total}}, liveness}; per-tile values
//                     are vectors by tile of one replica, bytes
//   executionProfile  profilerMode, simulation {cycles, tileCycles {compute, doExchange, ...}, steps [...]}, cycles
//   both              popscope {profile}: the profile itself in base64, from which the summaries of trees print all
//   that
//                     Engine::printProfileSummary does
#pragma once
#include "instrument/profile/Records.hpp"

#include <poplar/ProfileValue.hpp>

#include <iosfwd>

namespace pva {
class Report;
}

namespace popscope {

class PopFile;

/// `file` is the open profile, which the tree carries.
poplar::ProfileValue graphProfileTree(const CompilationRecord &record, PopFile &file);
poplar::ProfileValue executionProfileTree(const pva::Report &report, PopFile &file);
/// Returns the profile that a tree carries. Throws poplar_error, naming Engine::get<which>Profile, for a tree without
/// one, or with one that is damaged.
pva::Report carriedReport(const poplar::ProfileValue &tree, const char *which);
/// One row for each recorded step and IPU: run, step, program, IPU, first and last cycle of its active tiles, active
/// tiles, sum of their busy cycles, kind of the program.
void writeIntervals(std::ostream &out, const pva::Report &report);

} // namespace popscope
