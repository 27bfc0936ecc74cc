// Floating-point operations in the tables of compute sets, vertex types and operations. The numbers are the program's
// estimates or, for a vertex without an estimate, the stand-in's counts (pva::Flops). Each number is multiplied by the
// number of executions. Two columns compare the operations with the machine's peak rates for float and half. Two more
// columns contain the share of vertices with estimated operations and the share of vertices with counted operations.
// Tables of a profile without floating-point operations do not have these columns.
//
//   Operations  Per cycle  Of float peak  Of half peak  Estimated  Counted
//   12,042,240   1,003.52           2.2%          0.5%      75.0%    25.0%
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

/// Floating-point operations of several executions.
struct FlopSum {
  std::uint64_t operations = 0; // a lower bound: excludes vertices with neither an estimate nor a count
  pva::Flops each;              // sums of the added numbers of vertices and operations, without the factor `executions`
  /// Adds the operations of `executions` executions. Throws AnswerError if the sum exceeds 64 bits.
  void add(const pva::Flops &flops, std::uint64_t executions = 1);
  [[nodiscard]] bool known() const { return each.known() && each.vertices != 0; }
  /// Returns "estimated", "counted" or "both", or Unknown if the operations are unknown.
  [[nodiscard]] Cell origin() const;
};

class FlopColumns {
public:
  /// Reads the estimates and counts. There are no columns (empty() is true) with --ipu or if `everyTile` is false,
  /// because operations are known only for all tiles together.
  explicit FlopColumns(const Request &request, bool everyTile = true);
  /// Returns true if there is nothing to show: neither an estimate nor the stand-in reported an operation, or the
  /// operations of the selected tiles are unknown.
  [[nodiscard]] bool empty() const { return none_; }
  /// Returns whether all tiles are selected, so that the operations are those of the selected tiles. The operations can
  /// be 0.
  [[nodiscard]] bool areOfSelection() const { return !oneIpu_ && everyTile_; }
  /// Returns the reason why empty() is true, as a part of a sentence.
  [[nodiscard]] std::string whyNone() const;
  /// Returns the operations of one execution of the compute set. For -1 (no compute set), returns a value with 0
  /// vertices.
  [[nodiscard]] const pva::Flops &ofSet(std::int64_t computeSet) const;
  [[nodiscard]] const std::vector<pva::VertexTypeFlops> &all() const { return all_; }
  /// These functions return the maximum number of operations on floats, or on halves, that one tile can execute per
  /// cycle. The numbers come from the machine's description. A function returns 0 if its number is unknown.
  [[nodiscard]] std::uint64_t floatPeak() const { return floatPeak_; }
  [[nodiscard]] std::uint64_t halfPeak() const { return halfPeak_; }

  /// Returns the share operations / (peak * tiles * cycles). The share is printed as unknown if the divisor is 0.
  /// Throws AnswerError if the divisor exceeds 64 bits.
  [[nodiscard]] static Cell shareOfPeak(std::uint64_t peak, std::uint64_t operations, std::uint64_t cycles,
                                        std::uint64_t tiles);
  /// These functions add the columns to a table whose rows have cycles, or the cells to one row of the table. If
  /// empty() is true, the functions do nothing.
  void addTo(Table &table) const;
  void addTo(std::vector<Cell> &row, const FlopSum &sum, bool cyclesKnown, std::uint64_t cycles,
             std::uint64_t tiles) const;
  /// These functions add only the operations and the two shares of vertices, for a table without cycles or with little
  /// space.
  void addSumTo(Table &table) const;
  void addSumTo(std::vector<Cell> &row, const FlopSum &sum) const;
  /// Adds a note that explains the columns. The note contains the share of vertices whose operations were estimated,
  /// and the share of vertices whose operations were counted.
  void addNote(Rows &rows) const;

private:
  static void addShares(std::vector<Cell> &row, const FlopSum &sum);

  std::vector<pva::VertexTypeFlops> all_;
  std::vector<pva::Flops> sets_;
  pva::Flops whole_;
  bool none_ = true, oneIpu_ = false, everyTile_ = true;
  std::uint64_t floatPeak_ = 0, halfPeak_ = 0;
};

/// The tile cycles of all executions of a compute set, split by cause. Each tile cycle has exactly one cause, so the
/// parts add up to the number of tiles times the cycles of the executions. `floatingPoint` is the time that the set's
/// operations take at the float peak, but at most the cycles in which the set's threads work.
struct Roofline {
  std::uint64_t floatingPoint = 0, otherInstructions = 0, idleThreads = 0, waiting = 0;
  /// Returns the name of the largest part: "floating point", "other instructions", "idle threads" or "slower tiles".
  [[nodiscard]] const char *bound() const;
  [[nodiscard]] std::uint64_t most() const;
};
/// Returns the roofline of a compute set. `busy` and `threads` are tile cycles as in StepTime.
[[nodiscard]] Roofline rooflineOf(std::uint64_t operations, std::uint64_t peakOfTile, std::uint64_t tiles,
                                  std::uint64_t cycles, std::uint64_t busy, std::uint64_t threads);

} // namespace popscope
