// HostTransfers: moves the values of host copies. Streams, host accesses, remote buffers and control copies use host
// copies.
//
//   to device    HostPort fills a block, and transfers scatter the block over homes
//   to host      transfers gather a block from homes, and HostPort takes the block
//   offsets      for a stream with an offset operand, the operand selects the blocks of the host buffer
//   several      a copy of several streams moves one block per stream, in the order of the streams
//   remote       a block consists of the rows that the elements of the offset operand select, in the order of these
//                elements. Without an operand, a block is row 0
#pragma once
#include "graph/steps/StepProgram.hpp"
#include "instrument/machine/DeviceState.hpp"
#include "instrument/machine/Machine.hpp"

#include <vector>

namespace popscope {

class HostTransfers {
public:
  /// Keeps references to `program` and `state`, which must outlive the object.
  HostTransfers(const StepProgram &program, const DeviceState &state) : program_(program), state_(state) {}

  /// Moves the data of one StreamCopyMid. `engineProgram` is the number of the engine program that runs. Control copies
  /// to the device write this number, and control copies to the host move no data. Throws
  /// poplar::application_runtime_error if an offset selects a row that the remote buffer does not have, or a block that
  /// the host buffer of the stream does not have.
  void run(const StreamCopyStep &copy, HostPort &host, std::uint32_t engineProgram);

private:
  void sizeBlock(const StreamPart &part, Bytes bytes);
  void scatter(const StreamCopyStep &copy, const StreamPart &part) const;
  void gather(const StreamPart &part);
  void moveRows(const StreamCopyStep &copy, HostPort &host);
  [[nodiscard]] std::vector<std::uint64_t> rows(const StreamCopyStep &copy) const;

  const StepProgram &program_;
  const DeviceState &state_;
  std::vector<std::uint8_t> block_; // reused for all copies
};

} // namespace popscope
