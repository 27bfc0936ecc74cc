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
  /// What is done with the record of a program, by its number: on any thread, for several at once. What it returns is
  /// called on the thread of the caller, for one program after the other.
  using Prepare = std::function<std::function<void()>(std::size_t program, const ProgramTilesRecord &)>;
  virtual ~CompilationRows() = default;
  /// One for each of CompilationRecord::programs.
  virtual void programTiles(const Prepare &prepare) const = 0;
  virtual void variables(const Take<LiveVariableRecord> &take) const = 0;
  virtual void loweredVariables(const Take<LoweredVariableRecord> &take) const = 0;
  /// Of AdviceRecord.
  virtual void accesses(const Take<VariableAccessRecord> &take) const = 0;
};

} // namespace popscope
