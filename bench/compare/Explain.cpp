#include "bench/compare/Explain.hpp"

namespace compare {
namespace {

void explainMatVec(Comparison &c) {
  c.explanations = {
      "*Copies.* Both sums of compute miss by copies of what already lies on the tile: 68 of the 50,000 partial sums do, by the\n"
      "program's own mapping, and we make 68 copies of 72 cycles, the report 63; why five fewer is not known. The published sum\n"
      "with idle threads exceeds ours although it has fewer copies. Its rest after 1,216 x (4,410 + 96) is 33,856, which is no\n"
      "multiple of 6 and more than 6 x 63 x 72: it cannot come from worker vertices alone, and the report names no others.",
      "*Exchange and sync.* The exchange misses by 346 cycles a tile, and sync has them instead. From the published figures: the\n"
      "whole run less host takes 5,969 cycles, compute 4,506 and at least one round of copies, 432. That leaves at most 1,031\n"
      "for exchange on the slowest tile; the mean is 793. Four tiles work on two segments and receive 400 words instead of 200,\n"
      "so a word costs about (1,031 - 793) / 200 = 1.2 cycles at most. Hence 200 and 41 words take some 280 cycles and not 793:\n"
      "the rest is a fixed cost that the broadcast of the sample report (104 cycles on average) does not have. Its cause is not\n"
      "known, so there is no constant for it.",
      "*Host.* The rate of the sample report's one large copy was used for all.",
  };
}

void explainHalo(Comparison &c) {
  c.explanations = {
      "*Exchange.* A tile in the middle receives 302 words in each of 20 exchanges, at 4 bytes a cycle no less than 302 cycles.\n"
      "The published mean, 5,682 / 20 = 284 with latency, is below that. The vendor's model must have moved part of it at twice\n"
      "the width, by a rule that the figures do not show: neighbours of a pair do not receive the same data here. We keep the\n"
      "documented width. The total misses by the same 2,195 cycles.",
      "*Sync.* 118 for each exchange, plus the opening of the run (the engine has two programs) and the wait for the slowest tile.",
  };
}

void explainTimeline(Comparison &c) {
  c.explanations = {
      "*Sync.* Release and arrival each take up to 27 cycles by position, linear in the tile's number. The report shows 20 cycles\n"
      "between tile 391 and the furthest, we have 18; the real wiring is not linear.",
      "*Data of the batch.* The report has 34 more, 68 bytes both ways: headers or padding that it does not name.",
      "*Exchange of the convolution.* The report does not say where the data lie; see the program.",
  };
}

} // namespace

void explain(Comparison &c) {
  if (c.title.find("Matrix") == 0)
    return explainMatVec(c);
  if (c.title.find("Halo") == 0)
    return explainHalo(c);
  explainTimeline(c);
}

} // namespace compare
