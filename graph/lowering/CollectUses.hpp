// CollectUses: what the engine's programs reach. Also the place where recursion of functions is refused.
#pragma once
#include "graph/ir/GraphIr.hpp"

#include <string>
#include <vector>

namespace popscope {

struct ViewUse { const View *view; bool write; std::string user; }; // user: "Copy 'name'", for messages
struct GraphUses {
  std::vector<ComputeSetId> computeSets;  // executed; ascending
  std::vector<FunctionId> functions;      // called; in the order of first use
  std::vector<ViewUse> views;             // of programs and host accesses; views of vertices are not among them
};

/// The views inside point into `graph` and `programs`, which must outlive the result.
/// Throws poplar::graph_recursion_error, poplar::control_program_error.
GraphUses collectUses(const GraphIr &graph, const std::vector<ProgramPtr> &programs);

} // namespace popscope
