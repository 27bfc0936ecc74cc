// HostFunctions: functions on the host that the device's program calls. The inputs of a call arrive one after another,
// and the function runs when the last input has arrived. A function without inputs runs when its first output is
// requested. A function without inputs and outputs runs when the empty transfer of the function (isSignal) arrives.
#pragma once
#include "graph/steps/StepProgram.hpp"

#include <poplar/HostFunctionCallback.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace popscope {

class HostFunctions {
public:
  /// Makes the table. `program` must outlive the table.
  HostFunctions(const StepProgram &program, std::uint32_t replicas);

  /// Connects a callback to the function `handle` of one replica. Throws poplar::stream_connection_error for an unknown
  /// handle or replica.
  void connect(const std::string &handle, std::uint32_t replica, std::shared_ptr<poplar::HostCallback> callback);
  void takeInput(const StreamInfo &stream, std::uint32_t replica, const void *data, std::size_t bytes);
  void giveOutput(const StreamInfo &stream, std::uint32_t replica, void *data, std::size_t bytes);

private:
  using Buffers = std::vector<std::vector<std::uint8_t>>;
  struct Connection {
    std::shared_ptr<poplar::HostCallback> callback;
    Buffers inputs, outputs;
  };
  /// Returns whether the stream is the empty transfer that calls a function without inputs and outputs.
  [[nodiscard]] bool isSignal(const StreamInfo &stream) const;
  void call(std::uint32_t function, Connection &connection) const;

  const StepProgram &program_;
  std::uint32_t replicas_;
  std::vector<std::vector<Connection>> connections_; // [function][replica]
};

} // namespace popscope
