#include "report/answers/CycleSums.hpp"

namespace popscope {

CycleSums totalsOfRuns(const pva::Report &report, const std::vector<std::size_t> &runs) {
  CycleSums sum;
  const auto all = report.execution().runs();
  for (const std::size_t run : runs) {
    if (!all[run].complete())
      continue;
    const pva::CycleTotals t = all[run].totalCycles();
    ++sum.runs;
    sum.cycles += t.total();
    sum.compute += t.compute();
    sum.threads += t.computeWithoutIdle();
    sum.exchange += t.exchange();
    sum.global += t.globalExchange();
    sum.host += t.hostExchange();
    sum.counters += t.unattributed();
    sum.sync += t.sync();
    sum.counterReads += t.counterReads();
    sum.controlFlowReads += t.controlFlowReads();
    sum.cyclesKnown = sum.cyclesKnown && t.totalKnown();
    sum.computeKnown = sum.computeKnown && t.computeKnown();
    sum.externalKnown = sum.externalKnown && t.externalExchangeKnown();
    sum.threadsKnown = sum.threadsKnown && t.computeWithoutIdleKnown();
  }
  return sum;
}

} // namespace popscope
