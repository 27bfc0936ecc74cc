// ReferenceLower: the slow, obvious twin of lowering, element by element. It shares no code with lowering: it keeps one
// value for every element, moves values as the steps say, and knows from the graph alone what each vertex must see.
#pragma once
#include "graph/ir/GraphIr.hpp"
#include "graph/steps/StepProgram.hpp"

#include <map>
#include <string>

namespace popscope {

/// Elements of a view, one by one, as (variable, element).
std::vector<std::pair<std::uint32_t, std::uint64_t>> viewElements(const RunList &runs);

/// Bytes that each tile must receive after a compute set, from views and mappings.
std::map<std::uint32_t, std::uint64_t> sentBytes(const GraphIr &graph, ComputeSetId cs);
/// Before a compute set: `least`, every remote element of an operand that is not in place, once a tile; `most`, once
/// for each different view on a tile. What is also written has a buffer of its own.
struct ReceivedBytes {
  std::map<std::uint32_t, std::uint64_t> least, most;
};
ReceivedBytes receivedBytes(const GraphIr &graph, ComputeSetId cs);

/// Runs the steps of a program without control flow on tokens. Returns what is wrong first, or "".
std::string replay(const GraphIr &graph, const std::vector<ProgramPtr> &leaves, const StepProgram &program);

} // namespace popscope
