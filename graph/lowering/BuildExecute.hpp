// BuildExecute: builds the steps of a compute set, in this order:
//   GlobalExchangePre, ExchangePre   remote inputs, sent directly into their buffers
//   OnTileCopyPre                    local parts of rearranged inputs, except parts that the tile sends to itself
//   the compute set
//   OnTileCopyPost                   rearranged outputs to homes on the vertex's own tile
//   GlobalExchangePost, ExchangePost outputs to homes on other tiles
// Two kinds of data arrive in message buffers (ReceiveWords): data that does not consist of whole words, and data that
// the receiving tile sorts. If inputs arrive in message buffers, OnTileCopyPre also copies these inputs to their
// places. If outputs arrive in message buffers, OnTileCopyPost follows the exchanges after the compute set, and also
// copies these outputs to their homes. Every vertex sees the values from before the compute set, because all inputs
// arrive before any vertex writes an output. buildExecute builds the compute set and the later steps. LowerGroup builds
// the earlier steps, because copies may run together with these steps (MergeCopies).
#pragma once
#include "graph/lowering/ExecuteParts.hpp"

namespace popscope {

/// Sets `parts.steps` to the steps that run the vertices and move the results of the vertices. Does nothing if
/// `parts.steps` already has steps. Consumes the members `placed`, `scatter` and `send` of `parts`.
void buildExecute(LoweringContext &context, ExecuteParts &parts);

} // namespace popscope
