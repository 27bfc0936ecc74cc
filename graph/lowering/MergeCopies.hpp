// MergeCopies: runs copies that do not depend on each other as one exchange and one compute set of copy vertices.
//
// Problem: each copy costs a sync and an exchange, even if the copy moves only a few bytes. Idea: consecutive rows of a
// body become a group. A new member is a copy, or a compute set with the moves to its operands. A copy joins the
// preceding group if neither the copy nor the group reads or writes data that the other writes. A compute set joins the
// preceding copies under two conditions. The moves to the set's operands must not read a variable that one of these
// copies writes. The moves must also not read a variable that one of these copies reads for a move within a tile. The
// vertices of the set may use all these variables in place, because the vertices run after the copies. In addition, the
// group must accept the member (CopyGrouper::joins). A member for which one of these conditions is false begins a new
// group.
//
//   Copy a -> b, Copy c -> d, Copy b -> e     the first two run together; the third reads what the first writes
//   Copy a -> b, Execute cs, Copy c -> d      one exchange before cs, if cs neither writes c nor touches d, and no
//                                             move to an operand of cs reads b
//
// Invariant: a group computes the values that the programs of the group would compute one after the other. Cost: an
// overlap query (HomeRanges) for each home range that a new copy touches, and a lookup for each move of a new set and
// of the set's group.
#pragma once
#include "graph/lowering/PlaceMoves.hpp"

#include <deque>
#include <optional>
#include <variant>
#include <vector>

namespace popscope {

/// One occurrence of a compute set.
struct PlacedSet {
  NaiveProgram program;
  ExecuteParts *parts = nullptr;
};

/// Copies, and at most one compute set, that run together.
struct CopyGroup {
  std::vector<PlacedCopy> copies; // in program order
  std::optional<PlacedSet> set;
  std::size_t before = 0; // number of copies before the set
  [[nodiscard]] bool empty() const { return copies.empty() && !set; }
};

/// A collector of one group. The collector decides which programs join the group.
class CopyGrouper {
public:
  explicit CopyGrouper(LoweringContext &context) : c_(&context), maxBytes_(context.options.maxCopyMergeBytes) {}
  /// Returns whether the copy may run together with the group. An empty group accepts any copy. Any other group accepts
  /// a copy under these conditions:
  /// - the copy uses the same IPUs as the moves of the group;
  /// - the copy and the group together move at most LoweringOptions::maxCopyMergeBytes bytes;
  /// - neither the copy nor the group reads or writes data that the other writes;
  /// - the group has fewer than kMaxMembers members;
  /// - if the group has a set, merging the copy saves a step: the copy and the group both have moves between tiles, or
  ///   both have moves within a tile.
  [[nodiscard]] bool joins(PlacedCopy &copy);
  /// Returns whether the moves to the set's operands may run together with the group. An empty group accepts any set. A
  /// group with a set accepts no further set. If merging is on (LoweringOptions::maxCopyMergeBytes is not 0), any other
  /// group accepts a set without moves. A group of copies also accepts a set if merging the moves of the set saves a
  /// step (see the last condition above), and if these moves meet the conditions above about IPUs, bytes and members.
  /// In addition, these moves must read neither a variable that a copy of the group writes, nor a variable that a copy
  /// of the group reads for a move within a tile.
  [[nodiscard]] bool joins(ExecuteParts &parts);
  void add(PlacedCopy copy);
  void add(PlacedSet set);
  [[nodiscard]] bool empty() const { return group_.empty(); }

  /// Returns a grouper with only the copies after the group's set. dropBehindSet() then removes these copies from this
  /// grouper. The data of these copies is live for less time if the copies run with the next set. Only take() may
  /// follow dropBehindSet().
  [[nodiscard]] CopyGrouper behindSet() const;
  void dropBehindSet();
  /// Returns the group, and begins a new, empty group.
  CopyGroup take();

private:
  [[nodiscard]] bool fits(const MovesSummary &moves) const;
  [[nodiscard]] bool gains(const MovesSummary &moves) const;
  void note(const MovesSummary &moves);
  void noteUses();

  LoweringContext *c_;
  Bytes maxBytes_; // the maximum bytes that merged copies move together; 0 if copies are not merged
  CopyGroup group_;
  std::size_t noted_ = 0; // number of copies whose ranges are in uses_
  MovesSummary sum_;      // summary of the group's moves; `ipus` are the IPUs of the first member that moves data
  HomeUseSets uses_;      // the uses of the group's copies
};

/// A row after the pass: an unchanged row of the body, a copy that runs alone, or a group.
using MergedRow = std::variant<NaiveRow, OverlappingCopy, CopyGroup>;

/// The pass that turns the rows of a body into merged rows. If a border of a Sequence lies between the members of a
/// group, the pass returns the border before the group. Each call of next() reads rows only up to the first program
/// that does not join the group, so that lowering numbers new objects in program order.
class MergeCopies {
public:
  /// Creates the pass. All three arguments must outlive the pass.
  MergeCopies(LoweringContext &context, MovePlacer &placer, const NaiveBody &body)
      : c_(context), placer_(placer), body_(body), grouper_(context) {}
  /// Returns the next row, or no value at the end.
  [[nodiscard]] std::optional<MergedRow> next();

private:
  void read(const NaiveRow &row);
  void readCopy(const NaiveProgram &program);
  void readExecute(const NaiveProgram &program);
  /// Moves the group, and then the borders after the group, to ready_.
  void closeGroup();
  void passBorders();

  LoweringContext &c_;
  MovePlacer &placer_;
  const NaiveBody &body_;
  std::size_t row_ = 0; // number of the row to read next
  CopyGrouper grouper_;
  std::vector<NaiveRow> borders_; // borders of Sequences after the group
  std::deque<MergedRow> ready_;   // rows to return
};

/// Returns the programs of the group in program order.
[[nodiscard]] std::vector<NaiveProgram> programsOf(const CopyGroup &group);
/// Adds the row to `to`, a body of merged rows for a dump. `body` is the body that the pass reads.
void addMerged(const MergedRow &row, const NaiveBody &body, NaiveBody &to);

} // namespace popscope
