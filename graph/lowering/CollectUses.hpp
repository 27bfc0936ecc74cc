// CollectUses: collects everything that the engine's programs reach, and refuses recursive functions.
#pragma once
#include "graph/ir/GraphIr.hpp"

#include <string>
#include <vector>

namespace popscope {

/// A use of a view. `user` names the program in messages: "Copy 'name'". `other` is the view at the other end of a
/// copy; an element that both views have at the same position does not move, so the copy does not need the element's
/// tile. Null = every element is used.
struct ViewUse {
  const View *view;
  bool write;
  std::string user;
  const View *other = nullptr;
};
struct GraphUses {
  std::vector<ComputeSetId> computeSets;   // the executed compute sets; ascending
  std::vector<ComputeSetId> firstExecutes; // the same compute sets, in the order of first use
  std::vector<FunctionId> functions;       // the called functions, in the order of first use
  std::vector<ViewUse> views;              // the views of programs and host accesses, but not those of vertices
};

/// Collects the uses of all views. The views inside point into `graph` and `programs`, which must outlive the result.
/// Throws poplar::graph_recursion_error and poplar::control_program_error.
GraphUses collectUses(const GraphIr &graph, const std::vector<ProgramPtr> &programs);

/// The parts of two views of equal size that remain without the positions at which both have the same element.
struct MovedParts {
  View from, to;
};
MovedParts movedParts(const View &from, const View &to);

/// Turns both views of a copy into one run each, if one view has every element of a variable once, and the other view
/// visits a variable in the same order. The order of the copy then has no effect.
void straighten(const GraphIr &graph, View &whole, View &other);

} // namespace popscope
