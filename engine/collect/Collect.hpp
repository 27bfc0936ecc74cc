// Collect: translates the compile stages' results into the profile's CompilationRecord, one function per section.
// Nothing is decided here; every figure is a sum over rows of the stage that owns it.
#pragma once
#include "graph/codelets/CodeletSet.hpp"
#include "graph/steps/StepProgram.hpp"
#include "instrument/profile/Records.hpp"
#include "liveness/data/Advice.hpp"
#include "liveness/data/Layout.hpp"
#include "liveness/data/LiveRanges.hpp"
#include "target-models/model/TileMachine.hpp"

namespace popscope {

struct CollectInput {
  const StepProgram &program;
  const LiveRanges &ranges;
  const LayoutResult &layout;
  const TileMachine &machine;
  bool codeIncluded = true;
  bool loweredVariables = false;          // autoReport.outputLoweredVars
  const CodeletSet *codelets = nullptr;   // of the graph, for the fields of vertex types; null = not told
  const LivenessAdvice *advice = nullptr; // with autoReport.all or outputLivenessExplanation
};

/// All sections but options and the version, which the engine knows.
CompilationRecord collectCompilation(const CollectInput &input);

TargetRecord collectTarget(const TileMachine &machine, unsigned replicas);
void collectPrograms(const CollectInput &input, CompilationRecord &record);  // programs, control programs, compute sets
void collectRecosting(const CollectInput &input, CompilationRecord &record); // of programs, and costs of the machine
void collectOperands(const CollectInput &input, CompilationRecord &record);  // what vertices read and write
void collectTraffic(const CollectInput &input, CompilationRecord &record);   // who sends to whom in each exchange
void collectVertices(const CollectInput &input, CompilationRecord &record);  // vertex types, vertices on tiles
void collectMemory(const CollectInput &input, CompilationRecord &record);    // tiles, lowered variables
/// Variables, classes, steps, maxima. Returns each variable's record id, -1 = not recorded.
std::vector<std::int64_t> collectLiveness(const CollectInput &input, CompilationRecord &record);
void collectAdvice(const LivenessAdvice &advice, const LiveRanges &ranges, const std::vector<std::int64_t> &variableIds,
                   CompilationRecord &record);
/// Of every variable that is recorded: each program that reads, writes or undefines some of it. n log n in accesses.
std::vector<VariableAccessRecord> collectVariableAccesses(const StepProgram &program,
                                                          const std::vector<std::int64_t> &variableIds);

} // namespace popscope
