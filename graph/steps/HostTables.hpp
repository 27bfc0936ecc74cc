// The payloads of stream copies: the data that stream copies move between tiles and the host, and the streams and
// functions of the host. This header is part of StepProgram.hpp.
#pragma once
#include "base/ElementType.hpp"
#include "graph/steps/StepVariables.hpp"

#include <cstdint>
#include <string>

namespace popscope {

/// Pieces of equal length at equal distances in one home.
struct HomePieces {
  HomeBytes first;
  std::uint32_t count = 1;
  std::int64_t step = 0; // bytes from one piece to the next; may be negative

  [[nodiscard]] HomeBytes at(std::uint32_t piece) const {
    return {first.home,
            Bytes(static_cast<std::uint64_t>(static_cast<std::int64_t>(first.offset.count()) + piece * step)),
            first.bytes};
  }
  [[nodiscard]] Bytes bytes() const { return first.bytes * count; }
};

/// Pieces of a home that follow each other in a stream without gaps.
struct StreamTransfer {
  HomePieces home;
  Bytes streamOffset; // offset of the first piece within one transfer of the stream
};

/// The data that one stream moves in a host copy.
struct StreamPart {
  StreamId stream;
  std::uint32_t firstTransfer = 0, numTransfers = 0;
};

struct HostTile {
  TileId tile;
  Bytes bytes;
  Bytes32 codeBytes, headerBytes;
};

struct StreamCopyStep {
  // The range of the copy's StreamPart rows. Each row has a different stream. A copy with an offset has exactly one
  // row. The engine's own copies (programId, sync id, flush of blocks) have no row.
  std::uint32_t firstPart = 0, numParts = 0;
  bool toDevice = true;
  std::uint32_t firstTransfer = 0, numTransfers = 0; // the transfers of all parts, in the order of the parts
  std::uint32_t firstTile = 0, numTiles = 0;         // HostTile rows
  Bytes bytes;
  Cycles cycles;
  enum class Engine : std::uint8_t { None, SyncId, ProgramId, BlockFlush } engine = Engine::None;
  // `offset` holds the numbers of the rows of a remote buffer (`remote`), or of the blocks of a stream's host buffer.
  // If the home of `offset` is invalid, the copy uses row 0, or the stream's next block.
  bool remote = false;
  bool waitsForHost =
      false; // on a device, the copy waits for the host to act; false for the engine's own copies, for remote buffers,
             // and on machines whose host copies begin and end without cycles
  HomeBytes offset;
  std::uint32_t blocks = 0; // for a stream with an offset: number of blocks from which each replica can choose
};

struct StreamInfo {
  std::string handle;
  bool toDevice = true;
  ElementType type = ElementType::Float;
  std::uint64_t elements = 0; // number of elements of one transfer
  std::uint64_t repeats = 1;  // number of rows of a remote buffer
  enum class Kind : std::uint8_t { Fifo, Remote, HostAccess, HostFunction } kind = Kind::Fifo;
  bool broadcast = false;            // every replica gets the same data
  std::uint32_t bufferingDepth = 1;  // number of transfers that the host may prepare ahead
  std::uint32_t part = 0, parts = 1; // for a stream of a replicated graph: the replica that uses this stream, and the
                                     // number of replicas that share the host's buffer
  std::uint32_t hostFunction = 0, argument = 0; // for kind HostFunction: the function and the argument; toDevice is
                                                // true if the argument is an output
};

/// A function on the host. A call has one transfer for each input, and then one for each output; a function without
/// arguments has one empty transfer to the host.
struct HostFunctionInfo {
  std::string handle;
  std::uint32_t numInputs = 0, numOutputs = 0;
};

} // namespace popscope
