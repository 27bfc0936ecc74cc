// Rows about variables, of which a program may have millions, and what programs are on single tiles: told one after the
// other by who has the tables that they follow from. Nobody holds them all.
#pragma once
#include "instrument/profile/Records.hpp"

#include <functional>

namespace popscope {

/// Each list in the order, and instead, of the one of CompilationRecord. A row is valid during the call only.
class CompilationRows {
public:
  template <class Row> using Take = std::function<void(const Row &)>;
  virtual ~CompilationRows() = default;
  /// One for each of CompilationRecord::programs.
  virtual void programTiles(const Take<ProgramTilesRecord> &take) const = 0;
  virtual void variables(const Take<LiveVariableRecord> &take) const = 0;
  virtual void loweredVariables(const Take<LoweredVariableRecord> &take) const = 0;
  /// Of AdviceRecord.
  virtual void accesses(const Take<VariableAccessRecord> &take) const = 0;
};

} // namespace popscope
