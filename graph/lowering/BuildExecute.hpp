// BuildExecute: builds the steps of a compute set, which becomes
//   GlobalExchangePre, ExchangePre   remote inputs, straight into their buffers
//   OnTileCopyPre                    local parts of rearranged inputs that the tile does not send to itself
//   the compute set
//   OnTileCopyPost                   rearranged outputs of the vertex's own tile
//   ExchangePost, GlobalExchangePost outputs that live on other tiles; if these are not whole words, copies follow
// Inputs arrive before anything is written, so every vertex sees the values from before the compute set. The steps
// before the compute set are built later (LowerGroup), because copies may run together with them (MergeCopies).
#pragma once
#include "graph/lowering/ExecuteParts.hpp"

namespace popscope {

/// Sets `parts.steps`: the steps that run the vertices and move their results. Does nothing if `parts.steps` is set.
/// Consumes the members of `parts` from which it builds the steps.
void buildExecute(LoweringContext &context, ExecuteParts &parts);

} // namespace popscope
