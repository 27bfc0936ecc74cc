// ExecuteParts: what lowering knows of one compute set, from where its operands were placed until it has steps.
#pragma once
#include "graph/lowering/PrepareExecute.hpp"

#include <memory>

namespace popscope {

inline constexpr std::size_t kMaxMembers = 65535; // that are merged to one step: Access::member

/// Bytes of homes, sorted and disjoint in each level; a level is at least twice as long as the one after it.
class HomeRanges {
public:
  struct Range {
    HomeId home;
    Bytes begin, end;
  };
  /// `ranges` in any order. Amortised n log n.
  void add(std::vector<Range> ranges);
  /// Whether any of them overlaps what was added.
  [[nodiscard]] bool meet(const std::vector<Range> &ranges) const;

private:
  std::vector<std::vector<Range>> levels_;
};

/// Which bytes something reads and writes.
struct HomeUses {
  std::vector<HomeRanges::Range> reads, writes;
};
struct HomeUseSets {
  HomeRanges reads, writes;
};

/// How much moves between tiles and on tiles move, and where.
struct MovesSummary {
  Bytes bytes;
  bool remote = false, local = false;
  std::vector<IpuId> ipus; // ascending
};

struct ExecuteParts {
  ComputeSetId computeSet;      // of the graph; invalid = not placed yet
  const View *result = nullptr; // of the program
  // Moves to the operands, first between tiles. Gone once `before` has them, see movesBefore.
  Moves receive, gather;
  MovesSummary moved;  // of these
  LoweredSteps before; // of an occurrence without copies beside it; empty until there is one
  // Until `steps` are made:
  PreparedExecute placed;
  Moves scatter, send;
  LoweredSteps steps;                // the compute set, and what takes its results where they live
  std::unique_ptr<HomeUseSets> uses; // by all of its steps; null until a copy behind it is looked at
};

} // namespace popscope
