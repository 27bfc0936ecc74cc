// Elements get their tiles: at once, or, where a variable has many ranges and further ones come in no order, all
// together when somebody asks.
#pragma once
#include "graph/api/GraphShared.hpp"

namespace popscope {

/// Maps `ranges` (sorted, disjoint), which replace earlier mappings of the same elements. Not thread-safe.
void mapElements(GraphShared &graph, GraphVarId var, const std::vector<MappedRange> &ranges);
/// Applies all recorded mappings; every reader of GraphVar::mapping calls it first.
void settleMappings(GraphShared &graph);

} // namespace popscope
