// HostTransfers: the values of host copies: streams, host accesses, remote buffers and the engine's control words.
//
//   to device    HostPort fills a block, transfers scatter it over homes
//   to host      transfers gather a block from homes, HostPort takes it
//   offsets      of a stream: the blocks of its host buffer that the offset operand names
//   several      streams: one after the other, each with a block of its own
//   remote       a block is the rows that the offset operand names, one after the other; no operand: row 0
#pragma once
#include "graph/steps/StepProgram.hpp"
#include "instrument/machine/DeviceState.hpp"
#include "instrument/machine/Machine.hpp"

#include <vector>

namespace popscope {

class HostTransfers {
public:
  /// Both must outlive this.
  HostTransfers(const StepProgram &program, const DeviceState &state) : program_(program), state_(state) {}

  /// Moves the data of one StreamCopyMid. `engineProgram` is the control word of the engine's own copies. Throws
  /// poplar::application_runtime_error when a remote offset names a row that the buffer does not have.
  void run(const StreamCopyStep &copy, HostPort &host, std::uint32_t engineProgram);

private:
  void sizeBlock(const StreamPart &part, Bytes bytes);
  void scatter(const StreamCopyStep &copy, const StreamPart &part) const;
  void gather(const StreamPart &part);
  void moveRows(const StreamCopyStep &copy, HostPort &host);
  [[nodiscard]] std::vector<std::uint64_t> rows(const StreamCopyStep &copy) const;

  const StepProgram &program_;
  const DeviceState &state_;
  std::vector<std::uint8_t> block_; // reused from copy to copy
};

} // namespace popscope
