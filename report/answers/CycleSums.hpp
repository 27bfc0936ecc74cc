// Sums of cycles, by cause, over the selected runs that ended.
#pragma once
#include "report/answers/Selection.hpp"

namespace popscope {

/// Sums of cycles. `runs` is the number of summed runs; if `runs` is 0, all sums are unknown. `cycles` is elapsed time
/// in cycles. The other sums are tile cycles.
struct CycleSums {
  std::uint64_t runs = 0, cycles = 0, compute = 0, threads = 0, exchange = 0, global = 0, host = 0, counters = 0,
                sync = 0, counterReads = 0, controlFlowReads = 0;
  bool cyclesKnown = true, computeKnown = true, externalKnown = true, threadsKnown = true;
  [[nodiscard]] bool known() const { return runs != 0; }
  [[nodiscard]] bool lengthKnown() const { return known() && cyclesKnown; } // whether `cycles` is known
  [[nodiscard]] bool syncKnown() const { return computeKnown && externalKnown; }
};
/// Returns the sums over the runs of `runs` that ended. A run that was cut short has no length and no totals.
[[nodiscard]] CycleSums totalsOfRuns(const pva::Report &report, const std::vector<std::size_t> &runs);

} // namespace popscope
