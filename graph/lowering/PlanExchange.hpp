// PlanExchange: what each tile does in each exchange. One row a tile and exchange:
//   sends     each merged range of memory once (receivers listen to the same bus): a delay, a send each maxSendWords
//   receives  a pointer for each message, a mux setting whenever the sender changes, one to neutralise at the end
//   frame     the sync and the return
// How many instructions each takes stands in the machine (CodeModel).
#pragma once
#include "graph/lowering/Lower.hpp"

namespace popscope {

/// Fills exchangeTiles. Parallel over exchanges.
void planExchange(StepProgram &program, const TileMachine &machine, const CostModel &costs,
                  const LoweringOptions &options);

} // namespace popscope
