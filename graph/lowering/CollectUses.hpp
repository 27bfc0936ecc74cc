// CollectUses: collects the compute sets, functions and views that the engine's programs reach, and refuses recursive
// functions.
#pragma once
#include "graph/ir/GraphIr.hpp"

#include <string>
#include <vector>

namespace popscope {

/// The use of a view by a program or host access. `user` names the program or the host access in messages: "Copy
/// 'name'". `other` is the view at the other end of a copy. An element that both views have at the same position does
/// not move, so the copy does not use the element. If `other` is null, every element is used. If `other` is the view
/// itself, no element is used (AssumeEqualAcrossReplicas).
struct ViewUse {
  const View *view;
  bool write;
  std::string user;
  const View *other = nullptr;
};
struct GraphUses {
  std::vector<ComputeSetId> computeSets;   // the executed compute sets, in ascending order of ids
  std::vector<ComputeSetId> firstExecutes; // the compute sets of `computeSets`, in the order of first use
  std::vector<FunctionId> functions;       // the called functions, in the order of first use
  std::vector<ViewUse> views;              // the views of programs and host accesses, but not the views of vertices
};

/// Collects the compute sets, functions and views that the programs reach, and the views of host accesses. Omits views
/// without elements. The result points into `graph` and `programs`, which must outlive the result. Throws
/// poplar::graph_recursion_error for recursion, and poplar_error for a copy between views of different sizes. Throws
/// control_program_error for nesting above kMaxNesting, for a control tensor that does not have exactly one element,
/// and for the mistakes that checkReferences finds.
GraphUses collectUses(const GraphIr &graph, const std::vector<ProgramPtr> &programs);

/// Two views of equal size, without the positions at which both views had the same element.
struct MovedParts {
  View from, to;
};
MovedParts movedParts(const View &from, const View &to);

/// Turns both views of a copy into one run each, under two conditions: `whole` has every element of a variable, and
/// `other` visits its only variable in the same pattern (SameWalk). Under these conditions, the order in which the
/// elements are copied has no effect. Otherwise changes nothing. `whole` must not have an element twice.
void straighten(const GraphIr &graph, View &whole, View &other);

} // namespace popscope
