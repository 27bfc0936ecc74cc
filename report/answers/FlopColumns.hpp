// Floating-point operations in the tables of compute sets, vertex types and operations. They are the program's
// estimates or, without an estimate, the stand-in's counts (pva::Flops), multiplied by the executions. The machine's
// peak is next to them. A profile without operations gets no columns. Two columns contain the shares of vertices with
// estimated and with counted operations.
//
//   Operations  Per cycle  Of float peak  Of half peak  Estimated  Counted
//   12,042,240   1,003.52           2.2%          0.5%      75.0%    25.0%
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

/// Floating-point operations of several executions.
struct FlopSum {
  std::uint64_t operations = 0; // a lower bound
  pva::Flops each;              // the terms of the sum: vertices, those with an estimate, those counted
  void add(const pva::Flops &flops, std::uint64_t executions = 1);
  [[nodiscard]] bool known() const { return each.known() && each.vertices != 0; }
  /// Returns "estimated", "counted" or "both"; unknown if the operations are unknown.
  [[nodiscard]] Cell origin() const;
};

class FlopColumns {
public:
  /// Reads the estimates. Adds no columns with --ipu or if `everyTile` is false, because operations are known only for
  /// all tiles together.
  explicit FlopColumns(const Request &request, bool everyTile = true);
  /// Returns true if there is nothing to show: no estimate and no stand-in run reported an operation, or the operations
  /// of the selected tiles are not known.
  [[nodiscard]] bool empty() const { return none_; }
  /// Returns the reason for empty(), as a part of a sentence.
  [[nodiscard]] std::string whyNone() const;
  /// Returns the sum over all compute sets, each once.
  [[nodiscard]] const pva::Flops &whole() const { return whole_; }
  /// Returns the operations of one execution. For -1 (no compute set), returns operations of zero vertices.
  [[nodiscard]] const pva::Flops &ofSet(std::int64_t computeSet) const;
  [[nodiscard]] const std::vector<pva::VertexTypeFlops> &all() const { return all_; }
  /// Returns the maximum of one tile in a cycle, by the machine's description; 0 = not known.
  [[nodiscard]] std::uint64_t floatPeak() const { return floatPeak_; }
  [[nodiscard]] std::uint64_t halfPeak() const { return halfPeak_; }

  /// Returns the share of the maximum of `tiles` in `cycles`; unknown without a peak.
  [[nodiscard]] static Cell shareOfPeak(std::uint64_t peak, std::uint64_t operations, std::uint64_t cycles,
                                        std::uint64_t tiles);
  /// Adds the columns and cells of a table whose rows have cycles. Does nothing if empty().
  void addTo(Table &table) const;
  void addTo(std::vector<Cell> &row, const FlopSum &sum, bool cyclesKnown, std::uint64_t cycles,
             std::uint64_t tiles) const;
  /// Adds only operations and the shares of vertices, for a table without cycles or with little space.
  void addSumTo(Table &table) const;
  void addSumTo(std::vector<Cell> &row, const FlopSum &sum) const;
  /// Adds a note that explains the columns, with the number of vertices without an estimate.
  void addNote(Rows &rows) const;

private:
  static void addShares(std::vector<Cell> &row, const FlopSum &sum);

  std::vector<pva::VertexTypeFlops> all_;
  std::vector<pva::Flops> sets_;
  pva::Flops whole_;
  bool none_ = true, oneIpu_ = false, everyTile_ = true;
  std::uint64_t floatPeak_ = 0, halfPeak_ = 0;
};

/// The tile cycles of all executions of a compute set by what bounds them. Each cycle counts for exactly one cause, so
/// the sum is tiles times cycles. `floating point` is the cycles of its operations at the float peak, at most the busy
/// cycles of its threads.
struct Roofline {
  std::uint64_t floatingPoint = 0, otherInstructions = 0, idleThreads = 0, waiting = 0;
  /// Returns the largest: "floating point", "other instructions", "idle threads" or "slower tiles".
  [[nodiscard]] const char *bound() const;
  [[nodiscard]] std::uint64_t most() const;
};
/// Returns the roofline. `busy` and `threads` as in StepTime.
[[nodiscard]] Roofline rooflineOf(std::uint64_t operations, std::uint64_t peakOfTile, std::uint64_t tiles,
                                  std::uint64_t cycles, std::uint64_t busy, std::uint64_t threads);

} // namespace popscope
