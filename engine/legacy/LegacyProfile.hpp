// LegacyProfile: the profile as the trees of Poplar 1.x: Engine::getGraphProfile, getExecutionProfile and the CSV of
// Engine::reportIntervals. Numbers come from the records and the report that the file contains; unknown values have no
// key.
//
//   graphProfile      target, graph {numVertices, numEdges, numVars, numComputeSets}, vertexTypes {names, sizes,
//                     counts}, computeSets {names}, memory {byTile {total, totalIncludingGaps, nonInterleaved, ...},
//                     byCategory {<category> {<region> {nonOverlapped, overlapped}, total}}, liveness}; per-tile values
//                     are vectors per tile of one replica, bytes
//   executionProfile  profilerMode, simulation {cycles, tileCycles {compute, doExchange, ...}, steps [...]}, cycles
//   both              popscope {profile}: the profile itself in base64, from which the summaries of trees print all
//                     that Engine::printProfileSummary does
#pragma once
#include "instrument/profile/Records.hpp"

#include <poplar/ProfileValue.hpp>

#include <iosfwd>

namespace pva {
class Report;
}

namespace popscope {

class PopFile;

/// Returns the tree of the compilation. `file` is the open profile, which the tree carries.
poplar::ProfileValue graphProfileTree(const CompilationRecord &record, PopFile &file);
poplar::ProfileValue executionProfileTree(const pva::Report &report, PopFile &file);
/// Returns the profile that a tree carries. Throws poplar_error, which names Engine::get<which>Profile, for a tree
/// without one, or with a damaged one.
pva::Report carriedReport(const poplar::ProfileValue &tree, const char *which);
/// Writes one row per recorded step and IPU: run, step, program, IPU, first and last cycle of its active tiles, active
/// tiles, sum of their busy cycles, kind of the program.
void writeIntervals(std::ostream &out, const pva::Report &report);

} // namespace popscope
