#include "engine/HostSide.hpp"

#include "base/Check.hpp"
#include "base/EditDistance.hpp"
#include "engine/PrintTensorFormat.hpp"

#include <poplar/exceptions.hpp>

#include <cstring>
#include <iostream>

namespace popscope {

HostSide::HostSide(const StepProgram &program, const std::vector<PrintFormat> &formats)
    : program_(program), formats_(formats), connections_(program.streams.size()), print_(&std::cerr) {}

StreamId HostSide::find(const std::string &handle) const {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < program_.streams.size(); ++i) {
    const StreamId id = program_.streams.idAt(i);
    if (program_.streams[id].kind == StreamInfo::Kind::HostAccess)
      continue;
    if (program_.streams[id].handle == handle)
      return id;
    known.push_back(program_.streams[id].handle);
  }
  const std::string near = nearest(handle, known);
  throw poplar::stream_connection_error(
      fmt::format("no stream or remote buffer has the handle '{}'{}; streams are made by Graph::addHostToDeviceFIFO, "
                  "addDeviceToHostFIFO and addRemoteBuffer and exist in the engine when a program copies from or to them",
                  handle, near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near)));
}

void HostSide::connect(const std::string &handle, void *begin, void *end) {
  const StreamId id = find(handle);
  const StreamInfo &info = program_.streams[id];
  const std::size_t block = info.elements * elementBytes(info.type);
  const auto *first = static_cast<std::uint8_t *>(begin);
  const std::size_t size = end == nullptr ? block : static_cast<std::size_t>(static_cast<std::uint8_t *>(end) - first);
  if (size < block || (block != 0 && size % block != 0))
    throw poplar::stream_connection_error(
        fmt::format("stream '{}' moves {} bytes at a time, but the buffer connected to it has {} bytes; connect a buffer "
                    "of a whole number of transfers",
                    handle, block, size));
  connections_[id] = Connection{static_cast<std::uint8_t *>(begin), size, 0, nullptr, nullptr};
}

void HostSide::connect(const std::string &handle, std::shared_ptr<poplar::StreamCallback> callback) {
  connections_[find(handle)] = Connection{nullptr, 0, 0, std::move(callback), nullptr};
}

void HostSide::setHostBuffer(StreamId id, void *data, const void *source) {
  connections_[id].begin = static_cast<std::uint8_t *>(data);
  connections_[id].source = source;
}

std::uint8_t *HostSide::nextBlock(StreamId stream, std::size_t bytes) {
  Connection &c = connections_[stream];
  if (c.begin == nullptr)
    throw poplar::stream_connection_error(fmt::format(
        "stream '{}' is used by the program that runs, but nothing is connected to it; call Engine::connectStream or "
        "connectStreamToCallback before run",
        program_.streams[stream].handle));
  if (c.position + bytes > c.size)
    c.position = 0;
  std::uint8_t *block = c.begin + c.position;
  c.position += bytes;
  return block;
}

void HostSide::fetch(StreamId stream, void *data, std::size_t bytes) {
  Connection &c = connections_[stream];
  if (c.callback) {
    if (c.callback->prefetch(data) != poplar::StreamCallback::Result::Success)
      c.callback->fetch(data);
    c.callback->complete();
    return;
  }
  if (program_.streams[stream].kind == StreamInfo::Kind::HostAccess) {
    POPSCOPE_CHECK(c.source != nullptr, "host write '{}' without a buffer", program_.streams[stream].handle);
    std::memcpy(data, c.source, bytes);
    return;
  }
  const std::uint8_t *block = nextBlock(stream, bytes);
  if (bytes != 0)
    std::memcpy(data, block, bytes);
}

void HostSide::deliver(StreamId stream, const void *data, std::size_t bytes) {
  Connection &c = connections_[stream];
  if (c.callback) {
    // The callback may not keep or change device memory: it gets a copy.
    std::vector<std::uint8_t> copy(bytes);
    std::memcpy(copy.data(), data, bytes);
    c.callback->fetch(copy.data());
    c.callback->complete();
    return;
  }
  if (program_.streams[stream].kind == StreamInfo::Kind::HostAccess) {
    POPSCOPE_CHECK(c.begin != nullptr, "host read '{}' without a buffer", program_.streams[stream].handle);
    std::memcpy(c.begin, data, bytes);
    return;
  }
  std::uint8_t *block = nextBlock(stream, bytes);
  if (bytes != 0)
    std::memcpy(block, data, bytes);
}

std::vector<std::uint8_t> &HostSide::rowOf(StreamId buffer, std::uint64_t row) {
  const StreamInfo &info = program_.streams[buffer];
  if (row >= info.repeats)
    throw poplar::application_runtime_error(
        fmt::format("remote buffer '{}' has {} rows (repeats), row {} was asked for", info.handle, info.repeats, row));
  auto &bytes = remote_[{buffer, row}];
  if (bytes.empty())
    bytes.resize(info.elements * elementBytes(info.type));
  return bytes;
}

std::vector<std::uint8_t> &HostSide::remoteRow(const std::string &handle, std::uint64_t row) {
  const StreamId id = find(handle);
  if (program_.streams[id].kind != StreamInfo::Kind::Remote)
    throw poplar::stream_connection_error(fmt::format("'{}' is a stream, not a remote buffer", handle));
  return rowOf(id, row);
}

void HostSide::readRemote(StreamId buffer, std::uint64_t row, void *data, std::size_t bytes) {
  const auto &source = rowOf(buffer, row);
  POPSCOPE_CHECK(bytes <= source.size(), "remote read of {} bytes from a row of {}", bytes, source.size());
  std::memcpy(data, source.data(), bytes);
}

void HostSide::writeRemote(StreamId buffer, std::uint64_t row, const void *data, std::size_t bytes) {
  auto &target = rowOf(buffer, row);
  POPSCOPE_CHECK(bytes <= target.size(), "remote write of {} bytes to a row of {}", bytes, target.size());
  std::memcpy(target.data(), data, bytes);
}

void HostSide::print(const std::string &title, ElementType type, const std::vector<std::size_t> &shape,
                     std::uint32_t format, const void *data) {
  *print_ << formatTensor(title, type, shape, formats_.at(format), data) << std::flush;
}

} // namespace popscope
