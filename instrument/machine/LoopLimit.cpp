#include "instrument/machine/LoopLimit.hpp"

#include <ctime>
#include <fmt/format.h>
#include <poplar/exceptions.hpp>

namespace popscope {
namespace {

std::chrono::nanoseconds processorTime() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

} // namespace

LoopLimit::Loop LoopLimit::begin(StepIndex step) const { return {step, 0, hostCopies_, processorTime()}; }

void LoopLimit::next(Loop &loop) {
  if (++loop.iterations == 1 && neverEnds(loop.step))
    throw poplar::application_runtime_error(fmt::format(
        "{} never ends: no step of its condition or body writes '{}', which decides whether the loop continues. "
        "Compute the condition in the loop, or use Repeat.",
        describe(loop.step), program_.names[program_.vars[predicateOf(loop.step)].name]));
  if (limit_.count() == 0)
    return;
  if (loop.hostCopies != hostCopies_) {
    loop.hostCopies = hostCopies_;
    loop.began = processorTime();
  } else if (processorTime() - loop.began > limit_) {
    throw poplar::application_runtime_error(
        fmt::format("{} has not ended within {} s of processor time and {} iterations without a copy from or to the "
                    "host (engine option popscope.loopSeconds; 0 = no limit).",
                    describe(loop.step), limit_.count(), loop.iterations));
  }
}

bool LoopLimit::neverEnds(StepIndex loop) {
  if (mayEnd_.count(loop.index()) != 0)
    return false;
  std::vector<bool> visited(program_.functions.size(), false);
  const bool ends = mayEnd(loop, predicateOf(loop), visited);
  if (ends)
    mayEnd_.insert(loop.index());
  return !ends;
}

VarId LoopLimit::predicateOf(StepIndex loop) const {
  const TestStep &test = program_.tests[program_.steps[loop].payload];
  return program_.homes[test.predicate.home].var;
}

// Returns whether a step of the subtree may change the predicate or end the run.
bool LoopLimit::mayEnd(StepIndex root, VarId predicate, std::vector<bool> &visitedFunctions) const {
  for (StepIndex s = root; s.index() < program_.steps[root].end; s = StepIndex(s.index() + 1)) {
    const Step &step = program_.steps[s];
    const StepKindRow &row = stepKindRow(step.kind);
    if (row.flow == StepFlow::Stop || row.payload == StepPayload::StreamCopy || step.kind == StepKind::PrintTensor ||
        step.kind == StepKind::AbortOnCondition)
      return true;
    if (row.flow == StepFlow::Call) {
      const FunctionId function = program_.calls[step.payload].function;
      if (!visitedFunctions[function.index()]) {
        visitedFunctions[function.index()] = true;
        if (mayEnd(program_.functions[function].root, predicate, visitedFunctions))
          return true;
      }
    }
    for (std::uint32_t a = step.firstAccess; a < step.firstAccess + step.numAccesses; ++a)
      if (program_.accesses[a].kind != AccessKind::Read && program_.accesses[a].var == predicate)
        return true;
  }
  return false;
}

std::string LoopLimit::describe(StepIndex loop) const {
  const std::string &name = program_.names[program_.steps[loop].name];
  return fmt::format("The RepeatWhile{} (step {})", name.empty() ? "" : " '" + name + "'", loop.index());
}

} // namespace popscope
