#include "engine/host/HostSide.hpp"

#include "base/Check.hpp"
#include "base/EditDistance.hpp"
#include "engine/host/PrintTensorFormat.hpp"

#include <poplar/exceptions.hpp>
#include <pvti/pvti.hpp>

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <iostream>

namespace popscope {
namespace {

/// Returns the PVTI_OPTIONS channel of the user's callbacks.
pvti::TraceChannel &callbackChannel() {
  static pvti::TraceChannel channel("poplar");
  return channel;
}

/// Returns the bytes of one transfer of a stream, or of one row of a remote buffer.
std::size_t transferBytes(const StreamInfo &info) { return info.elements * elementBytes(info.type); }

} // namespace

HostSide::HostSide(const StepProgram &program, const std::vector<PrintFormat> &formats, PrefetchPolicy prefetch)
    : program_(program), formats_(formats), policy_(prefetch), replicas_(std::max(1u, program.replicationFactor)),
      connections_(program.streams.size()), broadcasts_(program.streams.size()), functions_(program, replicas_),
      print_(&std::cerr) {
  for (auto &ofStream : connections_)
    for (std::uint32_t r = 0; r < replicas_; ++r)
      ofStream.push_back(std::make_shared<Connection>());
  for (std::size_t i = 0; i < program_.streams.size(); ++i) {
    const StreamId id = program_.streams.idAt(i);
    const StreamInfo::Kind kind = program_.streams[id].kind;
    if (kind != StreamInfo::Kind::HostAccess && kind != StreamInfo::Kind::HostFunction)
      handles_.emplace(program_.streams[id].handle, id); // if two streams have the same handle, the first one counts
  }
}

void HostSide::checkReplica(const std::string &handle, std::uint32_t replica, std::size_t replicas) const {
  if (replica >= replicas)
    throw poplar::stream_connection_error(
        fmt::format("replica {} of '{}': the graph has {} replica(s), numbered from 0", replica, handle, replicas));
}

StreamId HostSide::find(const std::string &handle) const {
  if (const auto known = handles_.find(handle); known != handles_.end())
    return known->second;
  std::vector<std::string> known;
  for (const auto &[name, id] : handles_)
    known.push_back(name);
  const std::string near = nearest(handle, known);
  throw poplar::stream_connection_error(fmt::format(
      "no stream or remote buffer has the handle '{}'{}; streams are made by Graph::addHostToDeviceFIFO, "
      "addDeviceToHostFIFO and addRemoteBuffer and exist in the engine when a program copies from or to them",
      handle, near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near)));
}

StreamId HostSide::findFifo(const std::string &handle) const {
  const StreamId id = find(handle);
  if (program_.streams[id].kind == StreamInfo::Kind::Remote)
    throw poplar::stream_connection_error(
        fmt::format("'{}' is a remote buffer, not a stream; use Engine::copyToRemoteBuffer and copyFromRemoteBuffer "
                    "for its contents",
                    handle));
  return id;
}

StreamId HostSide::findRemote(const std::string &handle) const {
  const StreamId id = find(handle);
  if (program_.streams[id].kind != StreamInfo::Kind::Remote)
    throw poplar::stream_connection_error(fmt::format(
        "'{}' is a stream, not a remote buffer; use Engine::connectStream for the data of a stream", handle));
  return id;
}

std::vector<StreamId> HostSide::partsOf(StreamId first) const {
  std::vector<StreamId> parts{first};
  for (std::uint32_t k = 1; k < program_.streams[first].parts; ++k)
    parts.push_back(find(fmt::format("{}/replica{}", program_.streams[first].handle, k)));
  return parts;
}

void HostSide::connect(const std::string &handle, void *begin, std::optional<std::size_t> range) {
  const StreamId id = findFifo(handle);
  const StreamInfo &info = program_.streams[id];
  const std::size_t users = info.broadcast ? 1 : replicasOf(id);
  const std::size_t block = transferBytes(info), all = block * users;
  const std::size_t size = range.value_or(all);
  if (begin == nullptr && all != 0)
    throw poplar::stream_connection_error(fmt::format(
        "stream '{}' moves {} bytes at a time, but the buffer connected to it is a null pointer", handle, block));
  if (size < all || (all != 0 && size % all != 0))
    throw poplar::stream_connection_error(fmt::format(
        "stream '{}' moves {} bytes at a time{}, but the buffer connected to it has {} bytes; connect a buffer "
        "of a whole number of transfers{}",
        handle, block, users == 1 ? "" : fmt::format(" for each of {} replicas", users), size,
        users == 1 ? "" : " of all replicas"));
  broadcasts_[id].clear();
  for (const StreamId part : partsOf(id))
    for (auto &c : connections_[part]) {
      c = std::make_shared<Connection>();
      c->begin = static_cast<std::uint8_t *>(begin);
      c->size = size;
    }
}

void HostSide::connect(const std::string &handle, std::shared_ptr<poplar::StreamCallback> callback) {
  const StreamId id = findFifo(handle);
  broadcasts_[id].clear();
  for (const StreamId part : partsOf(id))
    for (auto &c : connections_[part]) {
      c = std::make_shared<Connection>();
      c->callback = callback;
    }
}

void HostSide::connect(const std::string &handle, std::uint32_t replica,
                       std::shared_ptr<poplar::StreamCallback> callback) {
  const StreamId id = findFifo(handle);
  const std::vector<StreamId> parts = partsOf(id);
  checkReplica(handle, replica, replicasOf(id));
  broadcasts_[id].clear();
  auto &c = connections_[parts[replica % parts.size()]][replica / parts.size()];
  c = std::make_shared<Connection>();
  c->callback = std::move(callback);
}

void HostSide::setHostBuffer(StreamId id, void *data, const void *source) {
  const StreamInfo &info = program_.streams[id];
  const std::size_t bytes = transferBytes(info);
  for (std::uint32_t r = 0; r < replicas_; ++r) {
    Connection &c = *connections_[id][r];
    c.begin = data == nullptr ? nullptr : static_cast<std::uint8_t *>(data) + r * bytes;
    c.source = source == nullptr ? nullptr : static_cast<const std::uint8_t *>(source) + r * bytes;
  }
}

void HostSide::endRun() {
  for (auto &stream : connections_)
    for (const auto &c : stream)
      if (c->callback)
        c->prefetcher.drop(*c->callback);
}

void HostSide::requireConnected(StreamId stream, const Connection &c) const {
  if (c.callback == nullptr && c.begin == nullptr)
    throw poplar::stream_connection_error(fmt::format(
        "stream '{}' is used by the program that runs, but nothing is connected to it{}; call Engine::connectStream or "
        "connectStreamToCallback, then load the engine again and run it",
        program_.streams[stream].handle, replicas_ == 1 ? "" : fmt::format(" for replica {}", replica_)));
}

std::uint8_t *HostSide::nextBlock(StreamId stream, Connection &c, std::size_t bytes) {
  const bool shared = program_.streams[stream].broadcast;
  const std::size_t index = shared ? c.transfers : c.transfers * replicasOf(stream) + replicaOf(stream);
  ++c.transfers;
  return bytes == 0 ? c.begin : c.begin + index % (c.size / bytes) * bytes;
}

void HostSide::fetchFifo(StreamId stream, void *data, std::size_t bytes) {
  const std::shared_ptr<Connection> c = connection(stream);
  requireConnected(stream, *c);
  if (c->callback) {
    clearBar();
    const pvti::Tracepoint trace(&callbackChannel(), "callback " + program_.streams[stream].handle);
    return c->prefetcher.take(*c->callback, policy_, program_.streams[stream].bufferingDepth, data, bytes);
  }
  const std::uint8_t *block = nextBlock(stream, *c, bytes);
  if (bytes != 0)
    std::memcpy(data, block, bytes);
}

void HostSide::fetch(StreamId stream, void *data, std::size_t bytes) {
  const StreamInfo &info = program_.streams[stream];
  if (info.kind == StreamInfo::Kind::HostFunction) {
    clearBar();
    return functions_.giveOutput(info, replica_, data, bytes);
  }
  if (info.kind == StreamInfo::Kind::HostAccess) {
    const Connection &c = *connection(stream);
    POPSCOPE_CHECK(c.source != nullptr || bytes == 0, "host write '{}' without a buffer", info.handle);
    if (bytes != 0)
      std::memcpy(data, c.source, bytes);
    return;
  }
  // With a connected buffer, every replica finds the same blocks itself. A callback must be called once for all
  // replicas.
  if (!info.broadcast || replicas_ == 1 || connection(stream)->callback == nullptr)
    return fetchFifo(stream, data, bytes);
  const auto block = broadcasts_[stream].next(
      replica_, replicas_, bytes, [&](std::vector<std::uint8_t> &b) { fetchFifo(stream, b.data(), bytes); });
  if (bytes != 0)
    std::memcpy(data, block.data(), bytes);
}

void HostSide::fetchBlock(StreamId stream, std::uint32_t block, std::uint32_t blocks, void *data, std::size_t bytes) {
  const Connection &c = *connection(stream);
  requireConnected(stream, c);
  const StreamInfo &info = program_.streams[stream];
  if (c.callback)
    throw poplar::stream_connection_error(
        fmt::format("stream '{}' is copied from with an offset, but a callback cannot select a block; connect "
                    "a host buffer of {} blocks with Engine::connectStream",
                    info.handle, blocks));
  // Replicas with data of their own alternate in the buffer, as they do without an offset.
  const std::size_t index = info.broadcast ? block : std::size_t(block) * replicasOf(stream) + replicaOf(stream);
  const std::size_t need = std::size_t(blocks) * (info.broadcast ? 1 : replicasOf(stream)) * bytes;
  if (c.size < need)
    throw poplar::stream_connection_error(fmt::format(
        "the buffer of stream '{}' has {} bytes; a copy with an offset needs {} blocks of {} bytes{}, {} in all",
        info.handle, c.size, blocks, bytes,
        need == std::size_t(blocks) * bytes ? "" : fmt::format(" for each of {} replicas", replicasOf(stream)), need));
  if (bytes != 0)
    std::memcpy(data, c.begin + index * bytes, bytes);
}

void HostSide::deliver(StreamId stream, const void *data, std::size_t bytes) {
  const StreamInfo &info = program_.streams[stream];
  if (info.kind == StreamInfo::Kind::HostFunction) {
    clearBar();
    return functions_.takeInput(info, replica_, data, bytes);
  }
  const std::shared_ptr<Connection> kept = connection(stream);
  Connection &c = *kept;
  if (info.kind == StreamInfo::Kind::HostAccess) {
    POPSCOPE_CHECK(c.begin != nullptr || bytes == 0, "host read '{}' without a buffer", info.handle);
    if (bytes != 0)
      std::memcpy(c.begin, data, bytes);
    return;
  }
  requireConnected(stream, c);
  if (c.callback) {
    clearBar();
    const pvti::Tracepoint trace(&callbackChannel(), "callback " + info.handle);
    // The callback gets a copy, because it must not keep or change device memory.
    std::vector<std::uint8_t> copy(static_cast<const std::uint8_t *>(data),
                                   static_cast<const std::uint8_t *>(data) + bytes);
    fetchWhenReady(*c.callback, policy_, copy.data());
    c.callback->complete();
    return;
  }
  std::uint8_t *block = nextBlock(stream, c, bytes);
  if (bytes != 0)
    std::memcpy(block, data, bytes);
}

std::vector<std::uint8_t> &HostSide::rowOf(StreamId buffer, std::uint64_t row, std::uint32_t replica) {
  const StreamInfo &info = program_.streams[buffer];
  if (row >= info.repeats)
    throw poplar::application_runtime_error(
        fmt::format("remote buffer '{}' has {} rows (repeats), numbered from 0; row {} was requested", info.handle,
                    info.repeats, row));
  auto &bytes = remote_[{buffer, replica, row}];
  if (bytes.empty())
    bytes.resize(transferBytes(info));
  return bytes;
}

std::pair<StreamId, std::uint32_t> HostSide::remoteOf(const std::string &handle, std::uint32_t replica) const {
  // A replicated part of a graph has a buffer of its own for each replica.
  const std::string part = fmt::format("{}/replica{}", handle, replica);
  if (replica >= replicas_ &&
      std::any_of(program_.streams.raw().begin(), program_.streams.raw().end(),
                  [&](const StreamInfo &s) { return s.kind == StreamInfo::Kind::Remote && s.handle == part; }))
    return {findRemote(part), 0};
  const StreamId id = findRemote(handle);
  checkReplica(handle, replica, replicas_);
  return {id, replica};
}

void HostSide::copyRemoteRow(const std::string &handle, std::uint64_t row, std::uint32_t replica, void *host,
                             bool toDevice) {
  const auto [buffer, replicaOfBuffer] = remoteOf(handle, replica);
  const std::lock_guard guard(remoteMutex_);
  auto &bytes = rowOf(buffer, row, replicaOfBuffer);
  if (host == nullptr && !bytes.empty())
    throw poplar::stream_connection_error(
        fmt::format("copy {} remote buffer '{}': the host memory is a null pointer; a row has {} bytes",
                    toDevice ? "to" : "from", handle, bytes.size()));
  if (bytes.empty())
    return;
  if (toDevice)
    std::memcpy(bytes.data(), host, bytes.size());
  else
    std::memcpy(host, bytes.data(), bytes.size());
}

std::size_t HostSide::remoteRowBytes(const std::string &handle) const {
  return transferBytes(program_.streams[findRemote(handle)]);
}

void HostSide::readRemote(StreamId buffer, std::uint64_t row, void *data, std::size_t bytes) {
  const std::lock_guard guard(remoteMutex_);
  const auto &source = rowOf(buffer, row, replica_);
  POPSCOPE_CHECK(bytes <= source.size(), "remote read of {} bytes from a row of {}", bytes, source.size());
  std::memcpy(data, source.data(), bytes);
}

void HostSide::writeRemote(StreamId buffer, std::uint64_t row, const void *data, std::size_t bytes) {
  const std::lock_guard guard(remoteMutex_);
  auto &target = rowOf(buffer, row, replica_);
  POPSCOPE_CHECK(bytes <= target.size(), "remote write of {} bytes to a row of {}", bytes, target.size());
  std::memcpy(target.data(), data, bytes);
}

void HostSide::print(const std::string &title, ElementType type, const std::vector<std::size_t> &shape,
                     std::uint32_t format, const void *data) {
  clearBar();
  *print_ << formatTensor(title, type, shape, formats_.at(format), data) << std::flush;
}

} // namespace popscope
