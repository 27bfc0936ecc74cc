// First half of buildFlowGraph: the step tree as blocks and edges, without asking what can be reached.
#pragma once
#include "graph/steps/StepProgram.hpp"
#include "liveness/analysis/BuildFlowGraph.hpp"
#include "liveness/analysis/OrderFunctions.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace popscope {

struct RawFlow {
  std::vector<FlowBlock> blocks;
  std::vector<std::uint32_t> echoOf, jumpOf; // by block; as in FlowGraph
  std::vector<FlowControl> controls;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges; // without those of calls
  std::vector<FlowCall> calls;                                // all; `back` is an empty block
  std::vector<std::uint32_t> functionOf;                      // by block; kNone = the root's
  std::vector<std::uint32_t> entryOf, exitOf;                 // by function
  std::vector<FlowStep> steps;                                // as in FlowGraph, but for runs that cannot be reached
  std::vector<FlowRegion> regions;
  std::vector<std::uint32_t> regionOfRun;
  std::uint32_t root = 0;
};

/// Linear in steps. `order` is that of the program's functions.
RawFlow collectFlow(const StepProgram &program, const FunctionOrder &order);

} // namespace popscope
