#include "engine/host/HostFunctions.hpp"

#include "base/EditDistance.hpp"

#include <poplar/exceptions.hpp>

#include <cstring>
#include <fmt/format.h>

namespace popscope {

HostFunctions::HostFunctions(const StepProgram &program, std::uint32_t replicas)
    : program_(program), replicas_(replicas),
      connections_(program.hostFunctions.size(), std::vector<Connection>(replicas)) {
  for (std::size_t f = 0; f < connections_.size(); ++f)
    for (Connection &c : connections_[f]) {
      c.inputs.resize(program.hostFunctions[f].numInputs);
      c.outputs.resize(program.hostFunctions[f].numOutputs);
    }
  for (const StreamInfo &stream : program.streams)
    if (stream.kind == StreamInfo::Kind::HostFunction && !isSignal(stream))
      for (Connection &c : connections_[stream.hostFunction])
        (stream.toDevice ? c.outputs : c.inputs)[stream.argument].resize(stream.elements * elementBytes(stream.type));
}

void HostFunctions::connect(const std::string &handle, std::uint32_t replica,
                            std::shared_ptr<poplar::HostCallback> callback) {
  if (replica >= replicas_)
    throw poplar::stream_connection_error(fmt::format(
        "replica {} of host function '{}': the graph has {} replica(s), numbered from 0", replica, handle, replicas_));
  std::vector<std::string> known;
  for (std::size_t f = 0; f < program_.hostFunctions.size(); ++f) {
    if (program_.hostFunctions[f].handle == handle) {
      connections_[f][replica].callback = std::move(callback);
      return;
    }
    known.push_back(program_.hostFunctions[f].handle);
  }
  const std::string near = nearest(handle, known);
  throw poplar::stream_connection_error(
      fmt::format("no host function has the handle '{}'{}; Graph::addHostFunction makes them", handle,
                  near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near)));
}

bool HostFunctions::isSignal(const StreamInfo &stream) const {
  return !stream.toDevice && program_.hostFunctions[stream.hostFunction].numInputs == 0;
}

void HostFunctions::call(std::uint32_t function, Connection &c) const {
  if (c.callback == nullptr)
    throw poplar::stream_connection_error(
        fmt::format("host function '{}' is called by the program that runs, but nothing is connected to it; call "
                    "Engine::connectHostFunction before run",
                    program_.hostFunctions[function].handle));
  std::vector<const void *> inputs;
  for (const auto &in : c.inputs)
    inputs.push_back(in.data());
  std::vector<void *> outputs;
  for (auto &out : c.outputs)
    outputs.push_back(out.data());
  const std::shared_ptr<poplar::HostCallback> callback = c.callback; // the callback may connect another one
  (*callback)(poplar::ArrayRef<const void *>(inputs), poplar::ArrayRef<void *>(outputs));
}

void HostFunctions::takeInput(const StreamInfo &stream, std::uint32_t replica, const void *data, std::size_t bytes) {
  Connection &c = connections_[stream.hostFunction][replica];
  if (bytes != 0)
    std::memcpy(c.inputs[stream.argument].data(), data, bytes);
  if (isSignal(stream) || stream.argument + 1 == c.inputs.size())
    call(stream.hostFunction, c);
}

void HostFunctions::giveOutput(const StreamInfo &stream, std::uint32_t replica, void *data, std::size_t bytes) {
  Connection &c = connections_[stream.hostFunction][replica];
  if (c.inputs.empty() && stream.argument == 0)
    call(stream.hostFunction, c);
  if (bytes != 0)
    std::memcpy(data, c.outputs[stream.argument].data(), bytes);
}

} // namespace popscope
