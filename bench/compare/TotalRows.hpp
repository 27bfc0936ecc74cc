// The rows that the programs with published totals have in common.
#pragma once
#include "bench/compare/Row.hpp"

#include <pva/pva.hpp>

namespace compare {

struct PublishedTotals {
  double compute, computeWithoutIdle, exchange, sync, hostExchange, total;
};

struct Tiles {
  double count;  // of the run
  bool averages; // were published, in place of sums over tiles
};

/// Adds a row for each; `total` is elapsed and never divided. What the program gave its vertices is marked as its
/// input, in the total by its mean over tiles. The row of the total comes last, after one of the total less the mean
/// host exchange with `hostless`.
void addTotalRows(Comparison &c, const pva::Report &report, const PublishedTotals &published, Tiles tiles,
                  bool hostless);

} // namespace compare
