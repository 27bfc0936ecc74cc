// Random structured StepPrograms, valid by construction; equal seeds give equal programs.
#pragma once
#include "tests/unit/liveness/StepBuilder.hpp"

#include <cstdint>

namespace popscope::testing {

struct RandomOptions {
  std::uint32_t numTiles = 4, numVars = 8, maxDepth = 4, maxFunctions = 3, maxChildren = 4;
};
StepProgram randomSteps(std::uint32_t seed, const RandomOptions &options = {});

} // namespace popscope::testing
