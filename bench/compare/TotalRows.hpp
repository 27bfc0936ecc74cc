// Adds the rows of published totals to a comparison.
#pragma once
#include "bench/compare/Row.hpp"

#include <pva/pva.hpp>

namespace compare {

struct PublishedTotals {
  double compute, computeWithoutIdle, exchange, sync, hostExchange, total;
};

struct Tiles {
  double count;  // number of tiles in the run
  bool averages; // true: averages were published instead of sums over tiles
};

/// Adds one row per figure of `published`. If averages were published, divides sums over tiles by the number of tiles.
/// Never divides the total, because the total is elapsed time. Row::input is the fraction of the row's cycles that the
/// program sets for its vertices. In a row of elapsed time, Row::input is the mean over tiles of the cycles that the
/// program sets, divided by the row's cycles. If `hostless` is true, also adds a row with the total minus the mean
/// cycles of host exchange per tile. The row of the total comes last.
void addTotalRows(Comparison &c, const pva::Report &report, const PublishedTotals &published, Tiles tiles,
                  bool hostless);

} // namespace compare
