// PlanCopies: chooses the copy vertices for the on-tile moves of one tile. All moves from homes to the same home form
// one copy, and so do all fills of one home with the same value. There is one exception: without
// LoweringOptions::sortsAsSent, the moves of whole words from one message buffer to a home form a separate copy. This
// copy reads the words without gaps, even if the home also gets data from elsewhere. Workers share a long copy, in
// shares that take about the same time:
//   runs of 400 B, 6 workers   share 0: [0, 64) of run 0, ...   about CopyChoice::shareMinCycles or more per share
// For a copy that is one long aligned run, the cost model may choose the supervisor. If a tile has two or more copies
// for the supervisor, and if workers are faster, the workers share these copies instead.
#pragma once
#include "graph/lowering/LoweringContext.hpp"

#include <utility>
#include <vector>

namespace popscope {

/// One copy vertex: runs [firstRun, firstRun + numRuns) of the plan.
struct CopyShare {
  CopyVertexKind kind = CopyVertexKind::ShortMemcpy;
  std::size_t firstRun = 0, numRuns = 0;
};
struct TileCopies {
  Moves runs;
  std::vector<CopyShare> shares;
};

/// The number of a copy among the copies to one home. For a fill, the pair consists of true and the position of the
/// value in StepProgram::data. For any other copy, the pair consists of false and a number. This number is 0 unless all
/// moves of the copy come from one message buffer.
using CopyNumber = std::pair<bool, std::uint64_t>;
/// Returns the number of the copy to which the move belongs.
CopyNumber copyOf(const LoweringContext &context, const Move &move);

/// Plans the copies of one tile. [begin, end) are the moves on this tile. Moves of one copy (the same home and copyOf)
/// must be adjacent. These moves must be in the order of their destination addresses or, with
/// LoweringOptions::sortsAsSent, possibly in the order of their source addresses. Moves that continue each other must
/// be joined. The plan may choose 64-bit kinds, which need homes aligned to 8 bytes; the caller aligns these homes.
TileCopies planTileCopies(const LoweringContext &context, const Move *begin, const Move *end);

} // namespace popscope
