// Collect: translates the compile stages' results into the profile's CompilationRecord, one function per section.
// Nothing is decided here; every figure is a sum over rows of the stage that owns it.
#pragma once
#include "base/Parallel.hpp"
#include "graph/codelets/CodeletSet.hpp"
#include "graph/steps/StepProgram.hpp"
#include "instrument/machine/Machine.hpp"
#include "instrument/profile/CompilationRows.hpp"
#include "liveness/analysis/CollectAccesses.hpp"
#include "liveness/data/Advice.hpp"
#include "liveness/data/Layout.hpp"
#include "liveness/data/LiveRanges.hpp"
#include "target-models/model/TileMachine.hpp"

#include <memory>

namespace popscope {

struct CollectInput {
  const StepProgram &program;
  const LiveRanges &ranges;
  const LayoutResult &layout;
  const TileMachine &machine;
  bool codeIncluded = true;
  bool loweredVariables = false;        // autoReport.outputLoweredVars
  const CodeletSet *codelets = nullptr; // of the graph, for the fields of vertex types; null = not told
  bool explained = false;               // with autoReport.all or outputLivenessExplanation
  Threads threads{};
  std::shared_ptr<const AccessTable> accesses{}; // null = collected when rows are asked for them
};

/// A variable of the program as records have it.
struct VariableRow {
  static constexpr std::uint32_t kNone = ~std::uint32_t(0);
  std::uint32_t row = kNone; // of `variables`
  NameId name;               // in the names of the records
  bool constant = false, always = false;
  [[nodiscard]] bool recorded() const { return row != kNone; }
  /// As records refer to it: -1 = it has none.
  [[nodiscard]] std::int64_t id() const { return recorded() ? std::int64_t(row) : -1; }
};
static_assert(sizeof(VariableRow) == 12); // lowered variables ask for those of a tile, which lie anywhere

/// All sections but options and the version, which the engine knows, and but what `rows` tells: programs on single
/// tiles, variables, lowered variables and accesses. `advice` may be null. What the input refers to must outlive
/// `rows`.
CompilationRecord collectCompilation(const CollectInput &input, const LivenessAdvice *advice,
                                     std::unique_ptr<const CompilationRows> &rows);
/// These rows again, of an executable that was loaded. Names are added to `names`.
std::unique_ptr<const CompilationRows> collectRows(const CollectInput &input, StringTable &names);

TargetRecord collectTarget(const TileMachine &machine, unsigned replicas);
void collectPrograms(const CollectInput &input, CompilationRecord &record);  // programs, control programs, compute sets
void collectRecosting(const CollectInput &input, CompilationRecord &record); // barriers, and costs of the machine
void collectOperands(const CollectInput &input, CompilationRecord &record);  // what vertices read and write
void collectVertices(const CollectInput &input, CompilationRecord &record);  // vertex types, vertices on tiles
void collectMemory(const CollectInput &input, CompilationRecord &record);    // tiles
void collectLiveness(const CollectInput &input, CompilationRecord &record);  // classes, steps, maxima
void collectAdvice(const LivenessAdvice &advice, const LiveRanges &ranges, const std::vector<VariableRow> &variables,
                   CompilationRecord &record);
/// Single vertices, in their order, with the names of what they are connected to.
std::vector<VertexRecord> collectVertexTimes(const StepProgram &program, const CodeletSet &codelets,
                                             const std::vector<VertexTime> &times);
/// Of every variable that is recorded: each program that reads, writes or undefines some of it. By variable, then
/// program. Linear in accesses; n log n in the ranges of several accesses of one variable by one program.
void collectVariableAccesses(const StepProgram &program, const AccessTable &accesses,
                             const std::vector<VariableRow> &variables,
                             const CompilationRows::TakeSome<VariableAccessRecord> &take);

} // namespace popscope
