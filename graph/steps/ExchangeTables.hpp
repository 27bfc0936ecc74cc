// The payloads of DoExchange and GlobalExchange: messages, and the time and the code that the messages take on each
// tile. This header is part of StepProgram.hpp.
#pragma once
#include "base/Ids.hpp"
#include "base/Units.hpp"
#include "base/Words.hpp"

#include <cstdint>

namespace popscope {

/// One move of data from a tile to another tile. The destination may also be the sending tile itself (if this tile
/// listens to its own send), or the corresponding tile of another replica.
struct Message {
  HomeId src;
  Bytes32 srcOffset;
  HomeId dst;
  Bytes32 dstOffset;
  Bytes32 bytes; // bytes of the data

  /// Returns the offset in the source of the first word with data.
  [[nodiscard]] Bytes firstWord() const { return Bytes(srcOffset.count() / kWordBytes * kWordBytes); }
  /// Returns the offset in the source at which the last word with data ends.
  [[nodiscard]] Bytes endOfWords() const { return roundUp(srcOffset + bytes, kWordBytes); }
  /// Returns the bytes of the words that contain the data. The exchange moves whole words.
  [[nodiscard]] Bytes wordBytes() const { return endOfWords() - firstWord(); }
};

/// The work of one tile in one exchange, as computed by PlanExchange.
struct ExchangeTile {
  TileId tile;
  Bytes32 bytesSent, bytesReceived; // bytes of whole words; multicast data counts once at the sender
  std::uint32_t messagesReceived = 0;
  std::uint32_t instructions = 0; // number of instructions of the tile's exchange code
  Bytes32 codeBytes;
  Bytes32 headerBytes; // bytes of packet headers for the data that the tile sends to other IPUs
  Cycles32 cycles;     // cycles from the start of the exchange, which all tiles share, to this tile's last event
  // In a DoExchange, cycles = max(ceil(bytesSent / width), latency + max(transfer, cycles of controls)), where width is
  // ExchangeModel::bytesPerCycle.
  Cycles32 latency;           // latency of the furthest sender
  Cycles32 transfer;          // cycles that the received words take on the bus
  std::uint32_t controls = 0; // number of control instructions that change the sender or the address between messages
  std::uint32_t buses = 1; // number of buses that carry the transfer: the tile's own bus, and the buses of neighbours
                           // that receive the same data; 0 if messages use different numbers of buses
};

/// The payload of DoExchange and GlobalExchange.
struct ExchangeStep {
  std::uint32_t firstMessage = 0, numMessages = 0;
  std::uint32_t firstTile = 0, numTiles = 0; // ExchangeTile rows, in ascending order of tiles
  std::int32_t replicaMap = -1;              // index into replicaMaps, for an exchange between replicas; -1 for an
                                             // exchange within each replica
};

/// One pair of a row of StepProgram::replicaMaps. For each pair of the row, an exchange with this row sends every
/// message from replica `from` to replica `to`.
struct ReplicaPair {
  std::uint32_t from = 0, to = 0;
};

} // namespace popscope
