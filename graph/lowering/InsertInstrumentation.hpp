// InsertInstrumentation: adds the counters that debug.instrument requests, as storage and instructions. A counter holds
// only its latest measurement. The level (CounterLevel) decides which counters a compute set has:
//   tile      one on every tile that runs a part of the set
//   vertex    one for each vertex and copy vertex of the set
//   ipu       one for each IPU that runs a part of the set, on the IPU's first tile, after a sync of all tiles
//   device    one on the first tile of the device, after a sync of all tiles
// External exchange: each tile that takes part has one counter for each begin, middle and end of a host copy, and one
// counter for each exchange between IPUs. Control flow: each If, Switch, Repeat and RepeatWhile has one counter for its
// cycles. Each If, Switch and RepeatWhile also has a counter for its result, which is the branch taken or the number of
// iterations. A Repeat needs no such counter, because its count is known. The counters of control flow are on one tile
// only, because all tiles take the same path. The engine's own Switch has no counters, because the host knows which
// program runs.
#pragma once
#include "graph/lowering/Lower.hpp"

namespace popscope {

/// Adds rows to StepProgram::storage, and sorts the table by (step, category, tile). If several steps of one kind share
/// a payload, only the first of these steps has counters.
void insertInstrumentation(StepProgram &program, const TileMachine &machine, const LoweringOptions &options);

/// Returns whether counters of this level need a sync at the end of the compute set. With the sync, the counter of one
/// tile measures the slowest tile.
inline bool countersNeedSync(CounterLevel level) { return level == CounterLevel::Ipu || level == CounterLevel::Device; }

} // namespace popscope
