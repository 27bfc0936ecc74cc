// Floating-point operations in the tables of compute sets, vertex types and operations: what estimates of the program
// say, else what the stand-in counted (pva::Flops), times the executions, next to the machine's peak. A profile without
// any gets no columns. Two columns give the shares of the vertices whose operations are estimated and counted.
//
//   Operations  Per cycle  Of float peak  Of half peak  Estimated  Counted
//   12,042,240   1,003.52           2.2%          0.5%      75.0%    25.0%
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

/// Floating-point operations of several executions.
struct FlopSum {
  std::uint64_t operations = 0; // the least
  pva::Flops each;              // of what they are a sum of: its vertices, those with an estimate, those counted
  void add(const pva::Flops &flops, std::uint64_t executions = 1);
  [[nodiscard]] bool known() const { return each.known() && each.vertices != 0; }
  /// "estimated", "counted" or "both"; unknown where the operations are.
  [[nodiscard]] Cell origin() const;
};

class FlopColumns {
public:
  /// With --ipu there are none, nor where `everyTile` is false: operations are those of all tiles.
  explicit FlopColumns(const Request &request, bool everyTile = true);
  /// Whether neither an estimate nor the stand-in gives an operation.
  [[nodiscard]] bool empty() const { return none_; }
  /// The one reason of empty(), as a part of a sentence.
  [[nodiscard]] std::string whyNone() const;
  /// Of all compute sets, each once.
  [[nodiscard]] const pva::Flops &whole() const { return whole_; }
  /// Of one execution; of a set that is none (-1): of no vertices.
  [[nodiscard]] const pva::Flops &ofSet(std::int64_t computeSet) const;
  [[nodiscard]] const std::vector<pva::VertexTypeFlops> &all() const { return all_; }
  /// The most that one tile does in a cycle, by the machine's description; 0 = not known.
  [[nodiscard]] std::uint64_t floatPeak() const { return floatPeak_; }
  [[nodiscard]] std::uint64_t halfPeak() const { return halfPeak_; }

  /// Of the most that `tiles` do in `cycles`; unknown without a peak.
  [[nodiscard]] static Cell shareOfPeak(std::uint64_t peak, std::uint64_t operations, std::uint64_t cycles,
                                        std::uint64_t tiles);
  /// The columns and cells of a table whose rows have cycles; nothing where empty().
  void addTo(Table &table) const;
  void addTo(std::vector<Cell> &row, const FlopSum &sum, bool cyclesKnown, std::uint64_t cycles,
             std::uint64_t tiles) const;
  /// Of a table without cycles, or without room: operations and the shares of vertices.
  void addSumTo(Table &table) const;
  void addSumTo(std::vector<Cell> &row, const FlopSum &sum) const;
  /// What the columns are, and how many vertices have no estimate.
  void addNote(Rows &rows) const;

private:
  static void addShares(std::vector<Cell> &row, const FlopSum &sum);

  std::vector<pva::VertexTypeFlops> all_;
  std::vector<pva::Flops> sets_;
  pva::Flops whole_;
  bool none_ = true, oneIpu_ = false, everyTile_ = true;
  std::uint64_t floatPeak_ = 0, halfPeak_ = 0;
};

/// A compute set at work, in tile cycles of all its executions: each lies in one of these, which add up to tiles times
/// cycles. Floating point: what its operations take at the float peak, and no more than its threads are busy.
struct Roofline {
  std::uint64_t floatingPoint = 0, otherInstructions = 0, idleThreads = 0, waiting = 0;
  /// "floating point", "other instructions", "idle threads" or "slower tiles": the largest.
  [[nodiscard]] const char *bound() const;
  [[nodiscard]] std::uint64_t most() const;
};
/// `busy` and `threads` as in StepTime.
[[nodiscard]] Roofline rooflineOf(std::uint64_t operations, std::uint64_t peakOfTile, std::uint64_t tiles,
                                  std::uint64_t cycles, std::uint64_t busy, std::uint64_t threads);

} // namespace popscope
