// LegacyProfile: the profile in the forms of Poplar 1.x. The forms are the trees of Engine::getGraphProfile and
// getExecutionProfile, and the CSV of Engine::reportIntervals. The numbers in these forms come from the compilation
// record, and from the report that pva reads from the profile. A tree has no key for an unknown value.
//
//   graphProfile      target, graph {numVertices, numEdges, numVars, numComputeSets}, vertexTypes {names, sizes,
//                     counts}, computeSets {names}, memory {byTile {total, totalIncludingGaps, nonInterleaved, ...},
//                     byCategory {<category> {<region> {nonOverlapped, overlapped}, total}}, liveness}; values per
//                     tile are vectors over the tiles of one replica, in bytes
//   executionProfile  profilerMode, simulation {cycles, tileCycles {compute, doExchange, ...}, steps [...]}
//   both              popscope {profile}: the profile itself in base64. The functions that print a summary of a tree
//                     read this profile. So these functions print the same text as Engine::printProfileSummary
#pragma once
#include "instrument/profile/Records.hpp"

#include <poplar/ProfileValue.hpp>

#include <iosfwd>

namespace pva {
class Report;
}

namespace popscope {

class PopFile;

/// Returns the tree of the compilation. The tree contains all bytes of the open profile `file`.
poplar::ProfileValue graphProfileTree(const CompilationRecord &record, PopFile &file);
poplar::ProfileValue executionProfileTree(const pva::Report &report, PopFile &file);
/// Returns the profile that a tree contains. `which` is "Graph" or "Execution". Throws poplar_error for a tree without
/// a profile or with a damaged profile. The message names the function that returns the right tree:
/// Engine::getGraphProfile or Engine::getExecutionProfile.
pva::Report carriedReport(const poplar::ProfileValue &tree, const char *which);
/// Writes one row per recorded step and IPU. The columns are: index of the run, index of the step in the run, type and
/// name of the program, IPU, first and last cycle of the active tiles, number of active tiles, and sum of the busy
/// cycles of all tiles of the IPU. If no tile is active, the row contains the first and the last cycle of all tiles.
void writeIntervals(std::ostream &out, const pva::Report &report);

} // namespace popscope
