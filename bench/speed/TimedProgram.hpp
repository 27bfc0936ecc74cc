// Step programs of fixed cost for the speed benchmarks: every vertex has an estimate, and no step depends on computed
// values.
//
//   Repeat n: { Sync, DoExchange on every tile, OnTileExecute } x computeSets
#pragma once
#include "graph/codelets/CodeletSet.hpp"
#include "graph/steps/StepProgram.hpp"

namespace bench {

struct TimedShape {
  std::uint32_t tiles = 1472, computeSets = 1, verticesPerTile = 6, repeats = 1;
};
/// Returns a program with three vertex types. The estimate of each vertex is between 100 and 163 thread cycles. The
/// seed is fixed, so equal shapes give equal programs.
popscope::StepProgram timedProgram(const TimedShape &shape);
/// Returns the codelet set for programs of timedProgram. The set contains one vertex class, which all vertex types of
/// these programs use. The class has no fields and computes nothing.
popscope::CodeletSet timedCodelets();

} // namespace bench
