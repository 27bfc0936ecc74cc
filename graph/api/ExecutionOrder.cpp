#include "graph/api/ExecutionOrder.hpp"

#include "graph/ir/ProgramWalk.hpp"

#include <unordered_set>

namespace popscope {

std::vector<ComputeSetId> executionOrder(const GraphIr &ir, const std::vector<ProgramPtr> &programs) {
  std::vector<ComputeSetId> order;
  std::unordered_set<std::uint32_t> sets; // lookup only
  ProgramWalk walk(ir);
  for (const ProgramPtr &program : programs)
    walk.from(program, [&](const ProgramNode &node) {
      if (const auto *const execute = std::get_if<ExecuteArguments>(&node.arguments);
          execute && sets.insert(execute->computeSet.index()).second)
        order.push_back(execute->computeSet);
    });
  return order;
}

} // namespace popscope
