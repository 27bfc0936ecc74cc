#include "bench/compare/TotalRows.hpp"

#include "bench/compare/Inputs.hpp"

namespace compare {

void addTotalRows(Comparison &c, const pva::Report &report, const PublishedTotals &published, Tiles tiles,
                  bool hostless) {
  const pva::CycleTotals t = report.execution().totalCycles();
  const double given = givenByProgram(report), perTile = tiles.averages ? tiles.count : 1, n = tiles.count;
  const auto row = [&](const char *quantity, double wanted, double ours, double input = 0) {
    c.rows.push_back({quantity, wanted, ours, false, input});
  };
  const auto sum = [&](std::uint64_t cycles) { return static_cast<double>(cycles) / perTile; };
  const double total = static_cast<double>(t.total()), givenOnTile = given * static_cast<double>(t.compute()) / n;
  row("compute, idle threads included", published.compute, sum(t.compute()), given);
  row("compute, idle threads excluded", published.computeWithoutIdle, sum(t.computeWithoutIdle()), given);
  row("IPU exchange", published.exchange, sum(t.exchange()));
  row("sync", published.sync, sum(t.sync()));
  if (hostless) {
    const double ours = total - static_cast<double>(t.hostExchange()) / n;
    row("total less mean host exchange", published.total - published.hostExchange * perTile / n, ours,
        givenOnTile / ours);
  }
  row("host exchange", published.hostExchange, sum(t.hostExchange()));
  row("total", published.total, total, givenOnTile / total);
}

} // namespace compare
