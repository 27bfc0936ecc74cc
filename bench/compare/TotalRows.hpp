// The rows that the programs with published totals have in common.
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

/// Adds one row per figure. `total` is elapsed time and is never divided. Cycles that the program sets for its vertices
/// are marked as its input; in the total, by their mean over tiles. The row of the total comes last; with `hostless`, a
/// row of the total minus the mean host exchange precedes it.
void addTotalRows(Comparison &c, const pva::Report &report, const PublishedTotals &published, Tiles tiles,
                  bool hostless);

} // namespace compare
