// Rows about variables, and rows with per-tile data of programs. A profile may have millions of these rows. The owner
// of the source tables emits the rows one after another, so that the rows are never all in memory at once.
#pragma once
#include "instrument/profile/Records.hpp"

#include <functional>
#include <span>
#include <vector>

namespace popscope {

/// A source of rows. Each function stands for the list with the same name (a member of CompilationRecord or
/// AdviceRecord), and emits the rows of this list in order. A row is valid only during the call that passes the row to
/// the caller's function. The most frequent kinds of rows are emitted several at a time, so that a reader can process
/// them column by column.
class CompilationRows {
public:
  template <class Row> using Take = std::function<void(const Row &)>;
  template <class Row> using TakeSome = std::function<void(std::span<const Row>)>;
  /// A function that receives the record of one program and the program's number. programTiles() calls a Prepare
  /// function on any thread, for several programs at once. The Prepare function returns a second function.
  /// programTiles() calls the second functions on the caller's thread, in the order of programs.
  using Prepare = std::function<std::function<void()>(std::size_t program, const ProgramTilesRecord &)>;
  virtual ~CompilationRows() = default;
  /// Emits one record for each of CompilationRecord::programs.
  virtual void programTiles(const Prepare &prepare) const = 0;
  virtual void variables(const Take<LiveVariableRecord> &take) const = 0;
  virtual void loweredVariables(const TakeSome<LoweredVariableRecord> &take) const = 0;
  /// Emits AdviceRecord::accesses.
  virtual void accesses(const TakeSome<VariableAccessRecord> &take) const = 0;
};

/// A buffer of rows for a reader that takes several rows at a time.
template <class Row> class SomeRows {
public:
  explicit SomeRows(const CompilationRows::TakeSome<Row> &take) : take_(take) { rows_.reserve(kTogether); }
  void add(const Row &row) {
    rows_.push_back(row);
    if (rows_.size() == kTogether)
      finish();
  }
  /// Passes the collected rows on. add() calls finish() when kTogether rows are collected. The caller must call
  /// finish() after the last row.
  void finish() {
    if (!rows_.empty())
      take_(rows_);
    rows_.clear();
  }

private:
  static constexpr std::size_t kTogether = 512; // this number of rows fits into the processor's cache
  const CompilationRows::TakeSome<Row> &take_;
  std::vector<Row> rows_;
};

} // namespace popscope
