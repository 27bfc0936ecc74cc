#include "graph/api/ExecutionOrder.hpp"

#include <unordered_set>

namespace popscope {

namespace {

class OrderWalk {
public:
  explicit OrderWalk(const GraphIr &ir) : ir_(ir) {}
  void visit(const ProgramPtr &first) {
    std::vector<const ProgramNode *> next = {
        first.get()}; // no recursion, because functions may call one another deeply
    while (!next.empty()) {
      const ProgramNode *node = next.back();
      next.pop_back();
      if (node == nullptr || !seen_.insert(node).second) // only the first place of a shared body counts
        continue;
      if (const auto *const execute = std::get_if<ExecuteArguments>(&node->arguments);
          execute && sets_.insert(execute->computeSet.index()).second)
        order_.push_back(execute->computeSet);
      for (auto child = node->children.rbegin(); child != node->children.rend(); ++child)
        next.push_back(child->get());
      if (const auto *const call = std::get_if<CallArguments>(&node->arguments))
        next.push_back(ir_.functions[call->function].body.get());
    }
  }
  [[nodiscard]] std::vector<ComputeSetId> take() { return std::move(order_); }

private:
  const GraphIr &ir_;
  std::unordered_set<const ProgramNode *> seen_;
  std::unordered_set<std::uint32_t> sets_;
  std::vector<ComputeSetId> order_;
};

} // namespace

std::vector<ComputeSetId> executionOrder(const GraphIr &ir, const std::vector<ProgramPtr> &programs) {
  OrderWalk walk(ir);
  for (const ProgramPtr &p : programs)
    walk.visit(p);
  return walk.take();
}

} // namespace popscope
