// ReferenceLower: the slow, obvious reference implementation of lowering, element by element. ReferenceLower shares no
// code with lowering. ReferenceLower keeps one value per element, moves values as the steps do, and derives from the
// graph alone which values each vertex must read.
#pragma once
#include "graph/ir/GraphIr.hpp"
#include "graph/steps/StepProgram.hpp"

#include <map>
#include <string>

namespace popscope {

/// Returns the elements of a view, one by one, as (variable, element).
std::vector<std::pair<std::uint32_t, std::uint64_t>> viewElements(const RunList &runs);

/// Returns, per tile, the bytes of results that the tile must receive after a compute set: the elements of the tile
/// that vertices on other tiles write. Computed from views and mappings.
std::map<std::uint32_t, std::uint64_t> sentBytes(const GraphIr &graph, ComputeSetId cs);
/// The bytes that a tile receives before a compute set. Counts the remote elements of operands that are not in place:
/// `least` counts each element once per tile, and `most` once per different view on the tile. An operand that is also
/// written has a separate buffer.
struct ReceivedBytes {
  std::map<std::uint32_t, std::uint64_t> least, most;
};
ReceivedBytes receivedBytes(const GraphIr &graph, ComputeSetId cs);

/// Runs the steps of a program that has no control flow, on tokens in place of values. Returns the first fault, or "".
std::string replay(const GraphIr &graph, const std::vector<ProgramPtr> &leaves, const StepProgram &program);

} // namespace popscope
