// A program that was compiled with some changes: the results of the compile stages, without a profile.
#pragma once
#include "engine/advice/AdviceChange.hpp"
#include "graph/steps/StepProgram.hpp"
#include "liveness/data/Layout.hpp"
#include "liveness/data/LiveRanges.hpp"
#include "target-models/model/TileMachine.hpp"

namespace popscope {

struct Variant {
  TileMachine machine;
  StepProgram program;
  LiveRanges ranges;
  LayoutResult layout;
};

} // namespace popscope
