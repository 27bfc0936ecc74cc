// First half of buildFlowGraph: the step tree as blocks and edges, without asking what can be reached.
#pragma once
#include "graph/steps/StepProgram.hpp"
#include "liveness/analysis/BuildFlowGraph.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace popscope {

/// The block that ends with a Call, and the empty one where it comes back.
struct CallSite {
  std::uint32_t block, function, back;
};

struct RawFlow {
  std::vector<FlowBlock> blocks;
  std::vector<std::uint32_t> echoOf, jumpOf;                  // by block; as in FlowGraph
  std::vector<FlowControl> controls;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges; // without those from a function's exit back to its calls
  std::vector<CallSite> calls;
  std::vector<std::uint32_t> exitOf;                          // by function
  std::uint32_t root = 0;
};

/// Linear in steps. Throws InternalError when a Call names no function.
RawFlow collectFlow(const StepProgram &program);

} // namespace popscope
