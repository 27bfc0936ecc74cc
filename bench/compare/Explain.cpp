#include "bench/compare/Explain.hpp"

namespace compare {
namespace {

void explainMatVec(Comparison &c) {
  c.explanations = {
      "*Copies.* The report has 63 copy vertices of 72 cycles: the 4,536 by which its sum without idle threads exceeds "
      "ours. By the\n"
      "program's own mapping 68 of the 50,000 partial sums lie on the tile that adds them; our compiler lets a tile "
      "hear such words\n"
      "from itself in the exchange, which takes 3 cycles where a copy vertex takes 432 (docs/inside/cost-model.md). "
      "Which five "
      "the report does\n"
      "not copy is not known. Its rest with idle threads, after 1,216 x (4,410 + 96), is 33,856, which is no multiple "
      "of 6 and more than\n"
      "6 x 63 x 72: it cannot come from worker vertices alone, and the report names no others.",
      "*Exchange.* Three exchanges: the number of the program to all tiles, the vector, the partial sums. The last two "
      "are messages of\n"
      "one word from a sender each, 200.7 and 41.1 of them on average. For each a receiver executes two controls "
      "(listen to that\n"
      "sender, write where its word belongs), so they take 2 cycles each and not 1. Nothing was fitted: the published "
      "mean, 792.6, is\n"
      "2 x (1 + 200.7 + 41.1) + 3 x 102.4, and 102.9 is the mean latency of the broadcast in the sample report.",
      "*Sync.* Most of it is waiting for the four tiles that work on two segments and receive 400 words, and of the "
      "216 tiles without\n"
      "a part of the vector for its host copy. If the report's copies kept all tiles waiting, its total would be at "
      "least 400 more.",
      "*Host.* The rate of the sample report's one large copy was used for all.",
  };
}

void explainMatVecOnIpu2(Comparison &c) {
  c.explanations = {
      "*Exchange.* The published run moves some 8,000 words a tile more than the program asks for, on the model as on "
      "hardware (8,743).\n"
      "A tile's part of the matrix is 6,793 words: this release seems to receive the stream in its own order and to "
      "move the matrix\n"
      "to its tiles by an exchange. We place what arrives where it belongs; the sync after such an exchange is missing "
      "with it.",
      "*Compute.* 2,355 cycles without idle threads are missing: 33 copy vertices of 72 would be 2,376.",
      "*Host.* The link of ipu1, 7.56 GB/s, at this machine's clock. The published figure is 8.0 GB/s.",
  };
}

void explainHalo(Comparison &c) {
  c.explanations = {
      "*Program.* The published program slices the southern halo to one word, the northern, western and eastern ones "
      "to 99. So does ours:\n"
      "a tile in the middle receives 99 + 99 + 1 words and two corners, 201 in each of 20 exchanges. (An earlier page "
      "had 302 words here\n"
      "and an exchange of 7,877: another program.)",
      "*Exchange.* The published mean is 5,682 / 20 = 284.1, 83 cycles of it beyond the 201 words; ours is 287, 86 "
      "beyond.",
      "*Sync.* 118 for each exchange, plus the opening of the run and the wait for the slowest tile.",
  };
}

void explainTimeline(Comparison &c) {
  c.explanations = {
      "*Sync.* Release and arrival each take up to 27 cycles by position, linear in the tile's number. The report "
      "shows 20 cycles\n"
      "between tile 391 and the furthest, we have 18; the real wiring is not linear.",
      "*Data of the batch.* The report has 34 more, 68 bytes both ways: headers or padding that it does not name.",
      "*Exchange of the convolution.* The report does not say where the data lie; see the program.",
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
