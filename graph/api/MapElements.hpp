// Elements get their tiles: at once, or, where a variable has many ranges and further ones come in no order, all
// together when somebody asks.
#pragma once
#include "graph/api/GraphShared.hpp"

namespace popscope {

/// `ranges`: sorted, disjoint. They hold from now on, whatever was said before. Not for several threads at once.
void mapElements(GraphShared &graph, GraphVarId var, const std::vector<MappedRange> &ranges);
/// Whoever reads GraphVar::mapping calls it first: all that mapElements was told is in there then.
void settleMappings(GraphShared &graph);

} // namespace popscope
