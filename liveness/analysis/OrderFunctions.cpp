#include "liveness/analysis/OrderFunctions.hpp"

#include "base/Check.hpp"
#include "graph/steps/OrderCalls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace popscope {
namespace {

using Ids = std::vector<std::uint32_t>;

std::vector<Ids> calleesOf(const StepProgram &program) {
  std::vector<Ids> out(program.functions.size());
  const auto &steps = program.steps.raw();
  for (std::uint32_t f = 0; f < out.size(); ++f) {
    const std::uint32_t root = program.functions.raw()[f].root.index();
    for (std::uint32_t s = root; s < steps[root].end; ++s)
      if (steps[s].kind == StepKind::Call) {
        const FunctionId callee = program.calls.at(steps[s].payload).function;
        POPSCOPE_CHECK(callee.valid() && callee.index() < out.size(), "the Call at step {} names function {} of {}", s,
                       callee.index(), out.size());
        out[f].push_back(callee.index());
      }
    std::sort(out[f].begin(), out[f].end());
    out[f].erase(std::unique(out[f].begin(), out[f].end()), out[f].end());
  }
  return out;
}

class Returns {
public:
  Returns(const StepProgram &program, const std::vector<bool> &known) : program_(program), known_(known) {}

  // Returns whether some path from the step reaches the end of its subtree.
  [[nodiscard]] bool passes(std::uint32_t step) const {
    const auto &steps = program_.steps.raw();
    const Step &s = steps[step];
    switch (stepKindRow(s.kind).flow) {
    case StepFlow::Stop: return false;
    case StepFlow::Call: return known_[program_.calls.at(s.payload).function.index()];
    case StepFlow::Repeat: return program_.repeats.at(s.payload).count == 0 || allPass(step + 1, s.end);
    case StepFlow::While: { // the last child is the body, unless it is the only one
      std::uint32_t last = step + 1;
      while (last < s.end && steps[last].end < s.end)
        last = steps[last].end;
      return allPass(step + 1, last == step + 1 ? s.end : last);
    }
    case StepFlow::Branch: {
      std::size_t children = 0;
      bool any = false;
      for (std::uint32_t c = step + 1; c < s.end; c = steps[c].end, ++children)
        any = any || passes(c);
      return any || mayGoStraightOn(program_, s, children);
    }
    case StepFlow::Straight: return allPass(step + 1, s.end);
    }
    return false;
  }

private:
  [[nodiscard]] bool allPass(std::uint32_t child, std::uint32_t end) const {
    for (; child < end; child = program_.steps.raw()[child].end)
      if (!passes(child))
        return false;
    return true;
  }
  const StepProgram &program_;
  const std::vector<bool> &known_; // per function: whether it returns; known for the callees of the steps
};

} // namespace

bool repeatsOnce(const StepProgram &program, const Step &step) {
  return step.kind == StepKind::Repeat && program.repeats.at(step.payload).count == 1;
}

bool mayGoStraightOn(const StepProgram &program, const Step &step, std::size_t numChildren) {
  if (step.kind == StepKind::If)
    return false; // an If has two children
  const SwitchStep &payload = program.switches.at(step.payload);
  return numChildren == 0 || (!payload.engineSwitch && numChildren <= payload.labels.size());
}

FunctionOrder orderFunctions(const StepProgram &program) {
  const std::vector<Ids> callees = calleesOf(program);
  FunctionOrder out;
  CallOrder calls = orderCalls(callees);
  POPSCOPE_CHECK(calls.cycle.empty(), "a function calls itself: {} and the first again",
                 fmt::join(calls.cycle, " -> "));
  out.calleesFirst = std::move(calls.calleesFirst);
  out.rank.resize(callees.size());
  out.lowest.resize(callees.size());
  out.returns.resize(callees.size());
  const Returns returns(program, out.returns);
  for (std::uint32_t i = 0; i < out.calleesFirst.size(); ++i) {
    const std::uint32_t f = out.calleesFirst[i];
    out.rank[f] = out.lowest[f] = i;
    for (const std::uint32_t callee : callees[f])
      out.lowest[f] = std::min(out.lowest[f], out.lowest[callee]);
    out.returns[f] = returns.passes(program.functions.raw()[f].root.index());
  }
  return out;
}

} // namespace popscope
