#include "instrument/machine/PlannedSteps.hpp"

#include <algorithm>
#include <unordered_map>

namespace popscope {
namespace {

constexpr std::uint64_t kMaxPlanned = std::uint64_t(1) << 63;

class Planner {
public:
  using Count = std::optional<std::uint64_t>;
  Planner(const StepProgram &program, IdleSteps &idle, std::uint32_t engineProgram)
      : program_(program), idle_(idle), engineProgram_(engineProgram) {}

  Count of(StepIndex s) {
    const Step &step = program_.steps[s];
    if (countsAsStep(program_, s))
      return 1;
    if (step.kind == StepKind::Call)
      return ofFunction(program_.calls[step.payload].function);
    if (step.kind == StepKind::RepeatWhile)
      return std::nullopt;
    if (step.kind == StepKind::Repeat)
      return times(sum(s), idle_.times(s));
    if (step.kind == StepKind::If)
      return same(s, 2);
    if (step.kind != StepKind::Switch)
      return sum(s);
    const SwitchStep &choice = program_.switches[step.payload];
    return choice.engineSwitch ? ofEngine(s) : same(s, choice.labels.size() + 1);
  }

private:
  Count ofFunction(FunctionId function) {
    const auto known = functions_.find(function.index());
    if (known != functions_.end())
      return known->second;
    const Count count = of(program_.functions[function].root);
    functions_.emplace(function.index(), count);
    return count;
  }
  template <class F> void eachChild(StepIndex s, const F &f) {
    const std::uint32_t end = program_.steps[s].end;
    for (StepIndex child(s.index() + 1); child.index() < end; child = StepIndex(program_.steps[child].end))
      f(child);
  }
  static Count times(Count one, std::uint64_t count) {
    if (!one || count == 0)
      return count == 0 ? Count(0) : std::nullopt;
    return *one > kMaxPlanned / count ? kMaxPlanned : *one * count;
  }
  Count sum(StepIndex s) {
    Count all = 0;
    eachChild(s, [&](StepIndex child) {
      const Count one = all ? of(child) : std::nullopt;
      all = one ? Count(std::min(kMaxPlanned, *all + *one)) : std::nullopt;
    });
    return all;
  }
  /// Returns the count that all children have. Returns no value if the counts differ or are unknown, or if the step has
  /// fewer than `children` children, so that perhaps no child runs.
  Count same(StepIndex s, std::size_t children) {
    Count all;
    std::size_t number = 0;
    bool differ = false;
    eachChild(s, [&](StepIndex child) {
      const Count one = of(child);
      differ = differ || !one || (number != 0 && one != all);
      ++number;
      all = one;
    });
    return differ || number < children ? std::nullopt : all;
  }
  Count ofEngine(StepIndex s) {
    std::uint32_t number = 0;
    Count count;
    eachChild(s, [&](StepIndex child) {
      if (number++ == engineProgram_)
        count = of(child);
    });
    return count;
  }

  const StepProgram &program_;
  IdleSteps &idle_;
  std::uint32_t engineProgram_;
  std::unordered_map<std::uint32_t, Count> functions_;
};

} // namespace

bool countsAsStep(const StepProgram &program, StepIndex s) {
  const Step &step = program.steps[s];
  return step.end == s.index() + 1 && step.kind != StepKind::Call;
}

std::optional<std::uint64_t> plannedSteps(const StepProgram &program, StepIndex root, IdleSteps &idle,
                                          std::uint32_t engineProgram) {
  return Planner(program, idle, engineProgram).of(root);
}

} // namespace popscope
