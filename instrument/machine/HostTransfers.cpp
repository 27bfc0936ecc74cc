#include "instrument/machine/HostTransfers.hpp"

#include "base/Check.hpp"
#include "graph/steps/HostCopies.hpp"

#include <cstring>
#include <poplar/exceptions.hpp>

namespace popscope {
namespace {

constexpr Bytes kOffsetBytes(4); // remote offsets are UNSIGNED_INT or INT

/// Calls visit for each piece of a home with its position in the stream.
template <class Visit> void eachPiece(const StreamTransfer &transfer, const Visit &visit) {
  for (std::uint32_t i = 0; i != transfer.home.count; ++i)
    visit(transfer.home.at(i), transfer.streamOffset + i * transfer.home.first.bytes);
}

Bytes rowBytes(const StreamInfo &stream) { return Bytes(stream.elements * elementBytes(stream.type)); }

} // namespace

void HostTransfers::run(const StreamCopyStep &copy, HostPort &host, std::uint32_t engineProgram) {
  if (copy.engine != StreamCopyStep::Engine::None) {
    if (!copy.toDevice)
      return; // the host knows which row it requested
    const StreamPart all{StreamId(), copy.firstTransfer, copy.numTransfers};
    sizeBlock(all, roundUp(copy.bytes, sizeof engineProgram));
    for (std::size_t at = 0; at < block_.size(); at += sizeof engineProgram)
      std::memcpy(block_.data() + at, &engineProgram, sizeof engineProgram);
    return scatter(copy, all);
  }
  POPSCOPE_CHECK(copy.numParts > 0, "a host copy names no stream");
  if (copy.remote || copy.offset.home.valid())
    return moveRows(copy, host);
  for (std::uint32_t i = copy.firstPart; i < copy.firstPart + copy.numParts; ++i) {
    const StreamPart &part = program_.streamParts[i];
    sizeBlock(part, rowBytes(program_.streams[part.stream]));
    if (copy.toDevice) {
      host.fetch(part.stream, block_.data(), block_.size());
      scatter(copy, part);
    } else {
      gather(part);
      host.deliver(part.stream, block_.data(), block_.size());
    }
  }
}

void HostTransfers::moveRows(const StreamCopyStep &copy, HostPort &host) {
  const StreamPart &part = program_.streamParts[copy.firstPart];
  const Bytes rowSize = rowBytes(program_.streams[part.stream]);
  const std::uint64_t bytes = rowSize.count();
  const auto wanted = rows(copy);
  sizeBlock(part, wanted.size() * rowSize);
  if (!copy.toDevice)
    gather(part);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (!copy.remote)
      host.fetchBlock(part.stream, static_cast<std::uint32_t>(wanted[i]), copy.blocks, block_.data() + i * bytes,
                      bytes);
    else if (copy.toDevice)
      host.readRemote(part.stream, wanted[i], block_.data() + i * bytes, bytes);
    else
      host.writeRemote(part.stream, wanted[i], block_.data() + i * bytes, bytes);
  }
  if (copy.toDevice)
    scatter(copy, part);
}

std::vector<std::uint64_t> HostTransfers::rows(const StreamCopyStep &copy) const {
  const StreamInfo &buffer = program_.streams[program_.streamParts[copy.firstPart].stream];
  std::vector<std::uint64_t> result;
  if (!copy.offset.home.valid()) {
    result.push_back(0);
  } else {
    for (Bytes at; at < copy.offset.bytes; at += kOffsetBytes)
      result.push_back(static_cast<std::uint64_t>(
          state_.readInteger({copy.offset.home, copy.offset.offset + at, kOffsetBytes}, ElementType::UnsignedInt)));
  }
  if (!copy.remote) {
    for (const std::uint64_t block : result)
      if (block >= copy.blocks)
        throw poplar::application_runtime_error(
            fmt::format("The host buffer of stream '{}' has {} blocks (repeats), but a copy from it uses "
                        "offset {}. Check the offset tensor.",
                        buffer.handle, copy.blocks, block));
    return result;
  }
  for (const std::uint64_t row : result)
    if (row >= buffer.repeats)
      throw poplar::application_runtime_error(fmt::format(
          "Remote buffer '{}' has {} rows (repeats), but a copy {} it uses offset {}. Give Graph::addRemoteBuffer more "
          "repeats or check the offset tensor.",
          buffer.handle, buffer.repeats, copy.toDevice ? "from" : "to", row));
  return result;
}

void HostTransfers::sizeBlock(const StreamPart &part, Bytes bytes) {
  block_.assign(bytes.count(), 0);
  for (std::uint32_t t = part.firstTransfer; t < part.firstTransfer + part.numTransfers; ++t) {
    const StreamTransfer &transfer = program_.transfers[t];
    const Bytes end = transfer.streamOffset + transfer.home.bytes();
    POPSCOPE_CHECK(end <= bytes, "a host copy uses bytes [{}, {}) of a block of {} bytes",
                   transfer.streamOffset.count(), end.count(), bytes.count());
  }
}

void HostTransfers::scatter(const StreamCopyStep &copy, const StreamPart &part) const {
  for (std::uint32_t t = part.firstTransfer; t < part.firstTransfer + part.numTransfers; ++t)
    if (isToDevice(copy, t))
      eachPiece(program_.transfers[t],
                [&](const HomeBytes &piece, Bytes at) { state_.write(piece, block_.data() + at.count()); });
}

void HostTransfers::gather(const StreamPart &part) {
  for (std::uint32_t t = part.firstTransfer; t < part.firstTransfer + part.numTransfers; ++t)
    eachPiece(program_.transfers[t],
              [&](const HomeBytes &piece, Bytes at) { state_.read(piece, block_.data() + at.count()); });
}

} // namespace popscope
