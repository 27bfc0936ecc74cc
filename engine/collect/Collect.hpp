// Collect: translates the results of the compile stages into the profile's CompilationRecord. Each section of the
// record has its own function. Collect makes no decisions about the program: the numbers come from rows of the compile
// stages and from the machine's costs.
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
  const CodeletSet *codelets = nullptr; // codelets of the graph, for the fields of vertex types; null if unknown
  bool explained = false;               // autoReport.all or autoReport.outputLivenessExplanation
  Threads threads{};
  std::shared_ptr<const AccessTable> accesses{}; // if null, a request for rows collects the accesses
};

/// The record that belongs to a variable of the program.
struct VariableRow {
  static constexpr std::uint32_t kNone = ~std::uint32_t(0);
  std::uint32_t row = kNone; // index among the records of variables
  NameId name;               // index into the names of the records
  bool constant = false, always = false;
  [[nodiscard]] bool recorded() const { return row != kNone; }
  /// Returns the id by which other records refer to the variable, or -1 if the variable has no record.
  [[nodiscard]] std::int64_t id() const { return recorded() ? std::int64_t(row) : -1; }
};
static_assert(sizeof(VariableRow) == 12); // small, because collecting lowered variables looks up rows in random order

/// Returns the compilation record. The record has no options, warnings, advice trials and version: compileProgram adds
/// them. Sets `rows` to an object that provides further rows: rows about variables, lowered variables and accesses, and
/// rows with per-tile data of programs. `advice` may be null. The tables of the input must outlive `rows`.
CompilationRecord collectCompilation(const CollectInput &input, const LivenessAdvice *advice,
                                     std::unique_ptr<const CompilationRows> &rows);
/// Returns the object to which collectCompilation sets `rows`, for a loaded executable. Adds the names in the rows to
/// `names`.
std::unique_ptr<const CompilationRows> collectRows(const CollectInput &input, StringTable &names);

TargetRecord collectTarget(const TileMachine &machine, unsigned replicas);
void collectPrograms(const CollectInput &input, CompilationRecord &record);  // sets programs, control programs and
                                                                             // compute sets
void collectRecosting(const CollectInput &input, CompilationRecord &record); // sets barriers, delays of syncs, the
                                                                             // machine and its costs
void collectOperands(const CollectInput &input, CompilationRecord &record);  // sets the operands of vertices
void collectVertices(const CollectInput &input, CompilationRecord &record);  // sets vertex types and vertices on tiles
void collectMemory(const CollectInput &input, CompilationRecord &record);    // sets tiles and tilesOutOfMemory
void collectLiveness(const CollectInput &input, CompilationRecord &record);  // sets liveness classes, liveness steps
                                                                             // and maxLiveBytes
void collectAdvice(const LivenessAdvice &advice, const LiveRanges &ranges, const std::vector<VariableRow> &variables,
                   CompilationRecord &record);
/// Returns the records of single vertices in the order of `times`, with the names of the variables that are connected
/// to the vertices.
std::vector<VertexRecord> collectVertexTimes(const StepProgram &program, const CodeletSet &codelets,
                                             const std::vector<VertexTime> &times);
/// Emits one record for each pair of a recorded variable and a program that reads, writes or undefines a part of this
/// variable. The records are sorted by variable, then program. Cost: linear in variables, accesses and ranges. If one
/// program accesses a variable several times, the cost of these accesses is n log n for the n ranges of these accesses.
void collectVariableAccesses(const StepProgram &program, const AccessTable &accesses,
                             const std::vector<VariableRow> &variables,
                             const CompilationRows::TakeSome<VariableAccessRecord> &take);

} // namespace popscope
