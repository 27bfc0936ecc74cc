// InsertBlocks: the pass for lightweight profiling. Decides which Blocks are recorded, and puts implicit Blocks around
// steps of other kinds that take time and whose names match profiler.programs.filter. At the ends of loop bodies, adds
// flushes (copies of the buffers to the host):
//
//   Repeat                       Repeat
//     Sequence                     Sequence
//       OnTileExecute op    ->       Block op (recorded, implicit)
//                                      OnTileExecute op
//                                    StreamCopyBegin, Mid, End BlockFlush
//
// The pass puts the implicit Block of a Sequence inside the Sequence, because a branch, a body and a program of the
// engine must remain Sequences. With BlockOptions::implicitFlush, the pass examines the part of each loop body that
// lies outside of inner loops. The body gets a flush if this part records blocks or stream copies, or calls a function
// that records blocks or stream copies. The body gets no flush if a recorded Block can be open at the place of the
// flush, because an open block would have an incomplete record in the buffer. Without a filter, the pass changes
// nothing.
#pragma once
#include "graph/lowering/Lower.hpp"

namespace popscope {

/// Inserts blocks. Must be called after the program tree is lowered, and before any table refers to steps by index. The
/// caller must check that each IPU has the tile BlockOptions::tile. Throws poplar::invalid_option for a filter that
/// NameFilter does not accept, and for a buffer of 0 bytes, or of more bytes than a tile has.
void insertBlocks(StepProgram &program, const TileMachine &machine, const CostModel &costs,
                  const BlockOptions &options);

} // namespace popscope
