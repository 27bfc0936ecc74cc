// The directions of the transfers of a host copy. All transfers have the direction of the copy, with one exception. The
// copy of programId follows a copy that brings a sync id to tile 0. In the copy of programId, tile 0 sends this sync id
// back to the host. The exception follows from the sample in the chapter "Profiling" of Poplar's user guide. In the
// sample, a word without a name is live during the copy of the sync id and the copy of programId, but not after these
// copies. The copy of programId moves 8 bytes, and programId takes only 4 of these bytes.
#pragma once
#include "graph/steps/StepProgram.hpp"

#include <algorithm>

namespace popscope {

/// Returns whether a transfer goes to the device. `transfer` is the index in StepProgram::transfers of a transfer of
/// `copy`.
inline bool isToDevice(const StreamCopyStep &copy, std::uint32_t transfer) {
  return copy.engine == StreamCopyStep::Engine::ProgramId ? transfer == copy.firstTransfer : copy.toDevice;
}

/// Returns the bytes that the tile of `row`, one of the copy's tiles, receives from the host. The tile sends the
/// remaining bytes of the row to the host.
inline Bytes bytesFromHost(const StepProgram &program, const StreamCopyStep &copy, const HostTile &row) {
  if (copy.engine == StreamCopyStep::Engine::ProgramId)
    return copy.numTransfers == 0 ? Bytes()
                                  : std::min(row.bytes, program.transfers[copy.firstTransfer].home.bytes()); // one tile
  return copy.toDevice ? row.bytes : Bytes();
}

} // namespace popscope
