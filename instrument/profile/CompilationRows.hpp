// Rows about variables, of which a program may have millions, and what programs are on single tiles: told one after the
// other by who has the tables that they follow from. Nobody holds them all.
#pragma once
#include "instrument/profile/Records.hpp"

#include <functional>
#include <span>
#include <vector>

namespace popscope {

/// Each list in the order, and instead, of the one of CompilationRecord. Rows are valid during the call only. Rows that
/// a program may have millions of come several at a time: a reader takes them column by column.
class CompilationRows {
public:
  template <class Row> using Take = std::function<void(const Row &)>;
  template <class Row> using TakeSome = std::function<void(std::span<const Row>)>;
  /// What is done with the record of a program, by its number: on any thread, for several at once. What it returns is
  /// called on the thread of the caller, for one program after the other.
  using Prepare = std::function<std::function<void()>(std::size_t program, const ProgramTilesRecord &)>;
  virtual ~CompilationRows() = default;
  /// One for each of CompilationRecord::programs.
  virtual void programTiles(const Prepare &prepare) const = 0;
  virtual void variables(const Take<LiveVariableRecord> &take) const = 0;
  virtual void loweredVariables(const TakeSome<LoweredVariableRecord> &take) const = 0;
  /// Of AdviceRecord.
  virtual void accesses(const TakeSome<VariableAccessRecord> &take) const = 0;
};

/// Puts rows together for a reader that takes several at a time.
template <class Row> class SomeRows {
public:
  explicit SomeRows(const CompilationRows::TakeSome<Row> &take) : take_(take) { rows_.reserve(kTogether); }
  void add(const Row &row) {
    rows_.push_back(row);
    if (rows_.size() == kTogether)
      finish();
  }
  /// Call it once more after the last row.
  void finish() {
    if (!rows_.empty())
      take_(rows_);
    rows_.clear();
  }

private:
  static constexpr std::size_t kTogether = 512; // stay in the cache
  const CompilationRows::TakeSome<Row> &take_;
  std::vector<Row> rows_;
};

} // namespace popscope
