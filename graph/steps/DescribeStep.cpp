#include "graph/steps/DescribeStep.hpp"

#include "base/ShownText.hpp"

#include <fmt/format.h>

namespace popscope {

std::string describeStep(const StepProgram &program, StepIndex step) {
  const std::string &name = program.names[program.steps[step].name];
  return fmt::format("step {}, {}{}", step.index(), stepKindName(program.steps[step].kind),
                     name.empty() ? "" : " '" + shownText(name) + "'");
}

} // namespace popscope
