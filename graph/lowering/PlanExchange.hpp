// PlanExchange: plans the work of the tiles that take part in each exchange, with one row per tile and exchange:
//   sends     each merged range of memory once (all receivers listen to the same bus): a delay, then one send
//             instruction per maxSendWords words
//   receives  a pointer for each message, a multiplexer setting at each change of the sender, and a last setting that
//             resets the multiplexer
//   frame     the sync and the return
// The machine's CodeModel gives the number of instructions of each part. Invariant: each word of each message is sent
// once and received once by every receiver. Cost: a sort of the messages of each exchange.
#pragma once
#include "graph/lowering/Lower.hpp"

namespace popscope {

/// Fills exchangeTiles. Runs in parallel over exchanges. Throws poplar::poplar_error if an exchange between IPUs takes
/// 2^32 cycles or more.
void planExchange(StepProgram &program, const TileMachine &machine, const CostModel &costs,
                  const LoweringOptions &options);

} // namespace popscope
