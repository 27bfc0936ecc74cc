// CollectUses: what the engine's programs reach. Also the place where recursion of functions is refused.
#pragma once
#include "graph/ir/GraphIr.hpp"

#include <string>
#include <vector>

namespace popscope {

/// `user`: "Copy 'name'", for messages. `other`: where the same elements stand at the other end of a copy; an element
/// that both have at one position stays where it is, and nothing needs a place for that. Null = every element is used.
struct ViewUse {
  const View *view;
  bool write;
  std::string user;
  const View *other = nullptr;
};
struct GraphUses {
  std::vector<ComputeSetId> computeSets;   // executed; ascending
  std::vector<ComputeSetId> firstExecutes; // the same, in the order of first use
  std::vector<FunctionId> functions;       // called; in the order of first use
  std::vector<ViewUse> views;              // of programs and host accesses; views of vertices are not among them
};

/// The views inside point into `graph` and `programs`, which must outlive the result.
/// Throws poplar::graph_recursion_error, poplar::control_program_error.
GraphUses collectUses(const GraphIr &graph, const std::vector<ProgramPtr> &programs);

/// The parts of two views of equally many elements that are not the same element at the same position.
struct MovedParts {
  View from, to;
};
MovedParts movedParts(const View &from, const View &to);

/// A copy to or from all elements of a variable, each once, may go in the order of the variable where the other side
/// goes through a variable alike: the views become a run each. How the user looked at the two does not matter then.
void straighten(const GraphIr &graph, View &whole, View &other);

} // namespace popscope
