// MergeCopies: runs copies that do not depend on each other as one exchange and one compute set of copy vertices.
//
// Problem: each copy costs a sync and an exchange, however few bytes it moves. Idea: a copy waits for what follows. A
// later copy, or a compute set with the copies of its operands, joins the waiting group if neither side reads or writes
// what the other writes; otherwise the group is built, and the newcomer waits alone.
//
//   Copy a -> b, Copy c -> d, Copy b -> e     the first two run together; the third reads what the first writes
//   Copy a -> b, Execute cs, Copy c -> d      one exchange before cs, if cs touches neither c nor d and does not get b
//                                             from another tile
//
// Invariant: a group gives the same values as its programs one after the other. Cost: an overlap query for each range
// of homes that the newcomer touches (HomeRanges).
#pragma once
#include "graph/lowering/ExecuteParts.hpp"

#include <optional>
#include <vector>

namespace popscope {

/// A copy that waits for later programs.
struct WaitingCopy {
  const ProgramNode *program = nullptr;
  std::uint64_t context = 0;
  Moves remote, local;
  MovesSummary moved;
  std::optional<HomeUses> uses; // the copy's uses, computed when they are first needed, until noteUses takes them
};
/// A compute set that waits for later programs.
struct WaitingSet {
  const ProgramNode *program = nullptr;
  std::uint64_t context = 0;
  ExecuteParts *parts = nullptr;
};

class CopyMerger {
public:
  /// Creates a merger. `maxBytes` limits the bytes that merged copies move together; 0 = no copy is merged.
  CopyMerger(const LoweringContext &context, Bytes maxBytes) : c_(&context), maxBytes_(maxBytes) {}
  /// Returns whether the copy may run together with the waiting group: it is independent, on the same IPUs and not too
  /// large. True if nothing waits.
  [[nodiscard]] bool joins(WaitingCopy &copy);
  /// Returns whether the moves to the set's operands may run together with the waiting group.
  [[nodiscard]] bool joins(ExecuteParts &parts);
  void add(WaitingCopy copy);
  void add(WaitingSet set);
  [[nodiscard]] bool empty() const { return group_.copies.empty() && !group_.set; }
  /// Returns the waiting set if the copy might join it; joins() then needs the uses of the set.
  [[nodiscard]] ExecuteParts *setBefore(const WaitingCopy &copy) const;

  /// Returns a merger with only the copies after the waiting set, and then drops them here. They may run with the next
  /// set instead and are live for less time. Only take() may follow dropBehindSet().
  [[nodiscard]] CopyMerger behindSet() const;
  void dropBehindSet();

  struct Group {
    std::vector<WaitingCopy> copies; // in program order
    std::optional<WaitingSet> set;
    std::size_t before = 0; // copies before the set
  };
  /// Returns the waiting group; nothing waits afterwards.
  Group take();

private:
  [[nodiscard]] bool fits(const MovesSummary &moves) const;
  [[nodiscard]] bool gains(const MovesSummary &moves) const;
  void note(const MovesSummary &moves);
  void noteUses();

  const LoweringContext *c_;
  Bytes maxBytes_;
  Group group_;
  std::size_t noted_ = 0; // number of copies whose ranges are in uses_
  MovesSummary sum_;      // the IPUs of the first copy that moves anything
  HomeUseSets uses_;      // of the copies
};

MovesSummary summaryOf(const LoweringContext &context, const Moves &remote, const Moves &local);
/// Restores the moves to a set's operands if only their steps are left.
void movesBefore(const LoweringContext &context, ExecuteParts &parts);
/// Sets `uses` from the steps, which must be there, and the moves.
void noteUses(const LoweringContext &context, ExecuteParts &parts);
/// Returns "{a,b}" of the different names in their order, or the only name; "" without names. Replaces names past about
/// 500 characters by "...".
std::string joinedNames(const std::vector<std::string> &names);

} // namespace popscope
