// MapElements: maps elements to tiles. Usually, mapElements inserts new ranges immediately. mapElements collects new
// ranges if an insertion would move many later ranges: the variable has thousands of ranges, and a few new ranges lie
// far before the end of the variable (the constants in MapElements.cpp are the limits). settleMappings inserts the
// collected ranges together before the mapping is read. If there are at least as many collected ranges as ranges of the
// mapping, mapElements inserts the collected ranges itself.
#pragma once
#include "graph/api/GraphShared.hpp"

namespace popscope {

/// Maps `ranges`, which must be sorted and disjoint. The new ranges replace earlier mappings of the same elements. Not
/// thread-safe.
void mapElements(GraphShared &graph, GraphVarId var, const std::vector<MappedRange> &ranges);
/// Inserts all ranges that mapElements has collected and not yet inserted. Thread-safe. Every function of graph/api
/// that reads GraphVar::mapping must call settleMappings first.
void settleMappings(GraphShared &graph);

} // namespace popscope
