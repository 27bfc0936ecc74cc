// Collect: translates the results of the compile stages into the profile's CompilationRecord, one function per section.
// It decides nothing; every figure is a sum over rows of the stage that owns it.
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
  const CodeletSet *codelets = nullptr; // the graph's codelets, for the fields of vertex types; null = unknown
  bool explained = false;               // true with autoReport.all or outputLivenessExplanation
  Threads threads{};
  std::shared_ptr<const AccessTable> accesses{}; // null = collected when rows are requested
};

/// The record of a variable of the program.
struct VariableRow {
  static constexpr std::uint32_t kNone = ~std::uint32_t(0);
  std::uint32_t row = kNone; // index among the records of variables
  NameId name;               // an index into the names of the records
  bool constant = false, always = false;
  [[nodiscard]] bool recorded() const { return row != kNone; }
  /// Returns the id by which records refer to it: -1 = it has none.
  [[nodiscard]] std::int64_t id() const { return recorded() ? std::int64_t(row) : -1; }
};
static_assert(sizeof(VariableRow) == 12); // small, because lowered variables look up those of a tile in random order

/// Returns all sections except options and the version, which the engine adds, and except the rows of `rows`: programs
/// on single tiles, variables, lowered variables and accesses. `advice` may be null. The tables of the input must
/// outlive `rows`.
CompilationRecord collectCompilation(const CollectInput &input, const LivenessAdvice *advice,
                                     std::unique_ptr<const CompilationRows> &rows);
/// Returns the same rows for an executable that was loaded. Adds names to `names`.
std::unique_ptr<const CompilationRows> collectRows(const CollectInput &input, StringTable &names);

TargetRecord collectTarget(const TileMachine &machine, unsigned replicas);
void collectPrograms(const CollectInput &input, CompilationRecord &record);  // programs, control programs, compute sets
void collectRecosting(const CollectInput &input, CompilationRecord &record); // barriers, and costs of the machine
void collectOperands(const CollectInput &input, CompilationRecord &record);  // accesses of vertices
void collectVertices(const CollectInput &input, CompilationRecord &record);  // vertex types, vertices on tiles
void collectMemory(const CollectInput &input, CompilationRecord &record);    // tiles
void collectLiveness(const CollectInput &input, CompilationRecord &record);  // classes, steps, maxima
void collectAdvice(const LivenessAdvice &advice, const LiveRanges &ranges, const std::vector<VariableRow> &variables,
                   CompilationRecord &record);
/// Returns the records of single vertices, in their order, with the names of the variables connected to them.
std::vector<VertexRecord> collectVertexTimes(const StepProgram &program, const CodeletSet &codelets,
                                             const std::vector<VertexTime> &times);
/// Emits, for every variable that is recorded, each program that reads, writes or undefines part of it, by variable and
/// program. Cost: linear in accesses; n log n in ranges if one program accesses a variable several times.
void collectVariableAccesses(const StepProgram &program, const AccessTable &accesses,
                             const std::vector<VariableRow> &variables,
                             const CompilationRows::TakeSome<VariableAccessRecord> &take);

} // namespace popscope
