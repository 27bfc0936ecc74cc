// Step programs of fixed cost for the benchmarks of time: every vertex has an estimate, no value decides anything.
//
//   Repeat n: { Sync, DoExchange on every tile, OnTileExecute } x computeSets
#pragma once
#include "graph/codelets/CodeletSet.hpp"
#include "graph/steps/StepProgram.hpp"

namespace bench {

struct TimedShape {
  std::uint32_t tiles = 1472, computeSets = 1, verticesPerTile = 6, repeats = 1;
};
/// Estimates between 100 and 163 thread cycles, three vertex types, one fixed seed: equal shapes give equal programs.
popscope::StepProgram timedProgram(const TimedShape &shape);
/// The vertex class that its types name: no fields, computes nothing.
popscope::CodeletSet timedCodelets();

} // namespace bench
