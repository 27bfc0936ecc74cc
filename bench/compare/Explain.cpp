#include "bench/compare/Explain.hpp"

namespace compare {
namespace {

void explainMatVec(Comparison &c) {
  c.explanations = {
      R"(*Copies.* The published report has 63 copy vertices of 72 thread cycles, 4,536 thread cycles together. Without these copies, the report's compute cycles
excluding idle threads would equal ours. With the program's own mapping, 68 of the 50,000 partial sums lie on the tile that adds them. Popscope lets a tile
receive these words from itself in the exchange, which takes 3 cycles for each word. A copy vertex would take 432 cycles of the tile, 6 x 72 ([cost
model](inside/cost-model.md#what-a-tile-sends-to-itself)). The report has copies for 63 words instead of 68, and the reason is unknown. The report's compute
cycles including idle threads are 33,856 more than ours, which are 1,216 x (4,410 + 96). The 33,856 cycles are not a multiple of 6, and are more than 6 x 63 x
72, so these cycles cannot come from worker vertices alone. But the report names no other vertices.)",
      R"(*Exchange.* There are three exchanges. The first sends the number of the current program to all tiles, the second sends the vector, and the third sends the
partial sums. In the last two exchanges, a tile receives messages of one word from different senders, 200.7 and 41.1 messages on average. For each message, the
receiver executes two instructions: one selects the sender, and one sets the address. So a word takes 2 cycles. For the three exchanges together, the published
mean is 792.6 cycles per tile. The words take 2 x (1 + 200.7 + 41.1) of these cycles. The remaining cycles are about 102 for each exchange. This number is close
to the mean latency of the broadcast in the sample report, 102.9 cycles. No constant was fitted to the published mean.)",
      R"(*Sync.* Most sync cycles are waiting time. All tiles wait for the four tiles that work on two segments and receive 400 words. The 216 tiles without a part of
the vector wait for the host copy of the vector. Not all tiles wait for the report's copy vertices: if all tiles waited for them, the total of the report would
be at least 400 cycles larger.)",
      "*Host.* All host copies use the rate (bytes per cycle) of the one large host copy in the sample report.",
  };
}

void explainMatVecOnIpu2(Comparison &c) {
  c.explanations = {
      R"(*Exchange.* In the published run, each tile receives about 8,000 words more than the program needs, on the model and on hardware (8,743 cycles of exchange per
tile). The part of the matrix on a tile is 6,793 words. So in this release, tiles seem to receive the matrix in the order of the stream, and then move the
matrix to the right tiles by an exchange. In Popscope, each word arrives directly at its final address, so Popscope has neither this exchange nor the sync after
it.)",
      "*Compute.* Without idle threads, our sum over all tiles is 2,355 cycles lower than the published sum. This\n"
      "difference is close to the 2,376 cycles of 33 copy vertices of 72 cycles.",
      "*Host.* In Popscope, the host rate of ipu2 equals the rate of ipu1, 7.57 GB/s. In the published run, the rate "
      "is "
      "8.0 GB/s.",
  };
}

void explainHalo(Comparison &c) {
  c.explanations = {
      R"(*Program.* The published program slices the southern halo to one word, and the northern, western and eastern halos to 99 words. Our program does the same. A
tile that is not at the border receives 99 + 99 + 1 words and two corners of one word each, together 201 words in each of the 20 exchanges.)",
      R"(*Exchange.* The published mean is 5,682 / 20 = 284.1 cycles, 83 more than the number of words. Our mean is 287 cycles, 86 more than the
number of words.)",
      "*Sync.* The figure consists of 118 cycles for each exchange, the opening of the run, and the wait for the "
      "slowest tile.",
  };
}

void explainTimeline(Comparison &c) {
  c.explanations = {
      R"(*Sync.* In Popscope, the signals of arrival and of release each take up to 27 cycles. The time of a signal grows linearly with the number of the tile. From tile
391 to the furthest tile, the time of a signal grows by 20 cycles in the report and by 18 cycles in Popscope. So on the machine, the growth is not exactly
linear.)",
      R"(*Data of the batch.* The total data is half of the 50,244 bytes that the copy moves. The batch has 50,176 of these bytes (16 x 784 floats).
One tile receives the other 68 bytes, in the same copy. In our program, these 68 bytes are 16 labels and one more word.)",
      "*Exchange of the convolution.* The report does not show on which tiles the data is, so our program chooses "
      "the tiles.",
  };
}

} // namespace

void explain(Comparison &c) {
  if (c.title.find("ipu2") != std::string::npos)
    return explainMatVecOnIpu2(c);
  if (c.title.find("Matrix") == 0)
    return explainMatVec(c);
  if (c.title.find("Halo") == 0)
    return explainHalo(c);
  explainTimeline(c);
}

} // namespace compare
