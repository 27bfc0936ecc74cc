// MergeCopies: consecutive copies of which none needs another become one exchange and one compute set of copy vertices.
//   Copy a -> b, Copy c -> d, Copy b -> e     the first two together; the third reads what the first wrote
#pragma once
#include "graph/lowering/LoweringContext.hpp"

#include <vector>

namespace popscope {

/// A copy that waits for what follows it.
struct WaitingCopy {
  const ProgramNode *program = nullptr;
  std::uint64_t context = 0;
  Moves remote, local;
};

/// Bytes of homes, sorted and disjoint in each level; a level is at least twice as long as the one after it.
class HomeRanges {
public:
  struct Range { HomeId home; std::uint64_t begin = 0, end = 0; };
  /// `ranges` in any order. Amortised n log n.
  void add(std::vector<Range> ranges);
  /// Whether any of them overlaps what was added.
  [[nodiscard]] bool meet(const std::vector<Range> &ranges) const;

private:
  std::vector<std::vector<Range>> levels_;
};

class CopyMerger {
public:
  /// `maxBytes`: that merged copies move together; 0 = no copy is merged.
  CopyMerger(const LoweringContext &context, std::uint64_t maxBytes) : c_(context), maxBytes_(maxBytes) {}
  /// Whether the copy may run together with those that wait: independent, on the same IPUs, not too large. True where none waits.
  [[nodiscard]] bool joins(const WaitingCopy &copy);
  void add(WaitingCopy copy);
  [[nodiscard]] bool empty() const { return copies_.empty(); }
  /// In program order. None waits afterwards.
  std::vector<WaitingCopy> take();

private:
  struct Uses { std::vector<HomeRanges::Range> reads, writes; };
  [[nodiscard]] static Uses usesOf(const WaitingCopy &copy);
  [[nodiscard]] std::vector<IpuId> ipusOf(const WaitingCopy &copy) const;
  void noteUses();

  const LoweringContext &c_;
  std::uint64_t maxBytes_;
  std::vector<WaitingCopy> copies_;
  std::size_t noted_ = 0; // of copies_: those whose ranges are in reads_ and writes_
  std::uint64_t bytes_ = 0;
  HomeRanges reads_, writes_;
};

/// "{a,b}" of the different names in their order, or the only one; without names "". Names past some 500 characters are "...".
std::string joinedNames(const std::vector<WaitingCopy> &copies);

} // namespace popscope
