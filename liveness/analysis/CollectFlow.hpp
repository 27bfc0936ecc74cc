// The first half of buildFlowGraph: turns the step tree into blocks and edges, including unreachable blocks and edges.
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
  std::vector<std::uint32_t> echoOf, jumpOf; // per block, as in FlowGraph
  std::vector<FlowControl> controls;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges; // control-flow edges, except the edges of calls
  std::vector<FlowCall> calls;                                // all calls, including unreachable calls; FlowCall::back
                                                              // is an empty block, even if the function never returns
  std::vector<std::uint32_t> functionOf;                      // per block: its function; kNone in the root's tree
  std::vector<std::uint32_t> entryOf, exitOf;                 // per function
  std::vector<FlowStep> steps; // steps as in FlowGraph; the sequences (FlowStep::run) may also contain steps that
                               // cannot be reached
  std::vector<FlowRegion> regions;
  std::vector<std::uint32_t> regionOfRun;
  std::uint32_t root = 0;
};

/// Collects blocks and edges in time linear in steps. `order` is the result of orderFunctions(program).
RawFlow collectFlow(const StepProgram &program, const FunctionOrder &order);

} // namespace popscope
