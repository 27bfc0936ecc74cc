// CollectedRows: rows for the profile of a compiled program. The rows describe variables, lowered variables, accesses,
// and programs on each tile. The calls programTiles(), variables(), loweredVariables() and accesses() compute a row
// only when they emit this row. Only the rows of code and system data exist before these calls.
#pragma once
#include "engine/collect/Collect.hpp"
#include "engine/collect/CollectProgramTiles.hpp"
#include "instrument/profile/CompilationRows.hpp"

#include <array>
#include <vector>

namespace popscope {

class CollectedRows : public CompilationRows {
public:
  /// Prepares the rows. The tables of the input must outlive this object. Adds names to `names`. Cost: linear in
  /// variables, allocations and always-live homes, plus the cost of the constructor of ProgramTiles.
  CollectedRows(const CollectInput &input, StringTable &names);
  void programTiles(const Prepare &prepare) const override { programTiles_.each(prepare); }
  void variables(const Take<LiveVariableRecord> &take) const override;
  void loweredVariables(const TakeSome<LoweredVariableRecord> &take) const override;
  void accesses(const TakeSome<VariableAccessRecord> &take) const override;
  /// Returns one row per variable of the program.
  [[nodiscard]] const std::vector<VariableRow> &variableRows() const { return variables_; }
  [[nodiscard]] Bytes alwaysLiveBytes() const { return alwaysLiveBytes_; }
  [[nodiscard]] const ProgramTiles &tilesOfPrograms() const { return programTiles_; }

private:
  void nameOwners(StringTable &names);
  void collectPseudoVariables();
  [[nodiscard]] NameId ownerName(const Allocation &a) const;
  [[nodiscard]] LoweredVariableRecord lowered(std::uint32_t tile, const Allocation &a) const;
  const StepProgram &program_;
  const LiveRanges &ranges_;
  const LayoutResult &layout_;
  ProgramTiles programTiles_;
  Threads threads_;
  bool lowered_, explained_;
  std::shared_ptr<const AccessTable> accesses_; // null if not collected yet
  std::vector<VariableRow> variables_;          // per variable of the program
  Bytes alwaysLiveBytes_;
  NameId nothing_;
  std::array<NameId, kNumStorageCategories> categories_;
  std::vector<NameId> types_, libraries_, steps_;
  std::vector<LiveVariableRecord> pseudo_; // rows of code and system data, which follow the rows of the variables
};

} // namespace popscope
