// Computes element-exact liveness, for comparison with the array rule.
//
// Idea: elements form a group if every source accesses all elements of the group in the same way. Each group is
// analysed like a separate variable. A source is one occurrence of a compute set or a copy (LiveRanges.hpp). Let s be
// the first step by which the writes of one source cover the whole variable. If s comes before the source's first read
// of the variable, s kills all groups, including a group that an earlier step of the source wrote. So every
// element-exact life is contained in a life by the array rule.
//
//   v of 4 elements; write [0,4); read; write [0,2) ; write [2,4) ; read
//   array rule: live throughout          groups {0,1} and {2,3}: dead between the first read and their own write
#pragma once
#include "liveness/analysis/ExploreVariable.hpp"
#include "liveness/explain/ExplainVariable.hpp"

#include <vector>

namespace popscope {

struct ElementGroup {
  std::vector<ElementRange> elements; // ascending
  std::uint64_t numElements = 0;
  std::vector<AccessEvent> events;
  std::vector<StepInterval> live;
};
/// Returns the groups in order of their first element. If every access covers the whole variable, the array rule is
/// exact, and the result is empty. Cost: O(r log r) for r ranges of partial accesses. In addition, each group costs one
/// VariableExplorer::walk(), and O(n log n), where n counts the accesses that cover the group and the sources that kill
/// the whole variable.
std::vector<ElementGroup> groupElements(const ExplainContext &context, VarId var, VariableExplorer &explorer);
/// Returns one group of all elements, analysed by the array rule. Use this group if groupElements() returns an empty
/// list.
ElementGroup wholeGroup(const ExplainContext &context, VarId var, VariableExplorer &explorer);

} // namespace popscope
