// The cycles of exchanges on each tile, for several kinds of machine. Machines of one kind have equal costs of
// exchanges.
//
// Problem: compute the cycles of 1,472 tiles in ten thousand exchanges on many machines. Idea: the messages of most
// tiles equal the messages of another tile, or of a tile in an earlier exchange. Messages are equal if all members of
// TileMessages are equal. The table gives equal messages one number, and computes the cycles once for each number and
// each kind of machine. The messages of a tile are packed into one 64-bit key of a hash table with open addressing. A
// separate map contains the messages that do not fit into a key. Invariant: a number is valid for one exchange only,
// because begin() clears a table with more than 2^16 numbers.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

namespace popscope {

/// The messages of a tile in an exchange, reduced to the five numbers on which the tile's cycles depend.
struct TileMessages {
  std::uint64_t sent, sizes, distance, controls, transfer;
  friend auto operator<=>(const TileMessages &, const TileMessages &) = default;
};

/// A table of costs. The table is not thread-safe, so each thread needs a separate table.
class MessageCosts {
public:
  using Cost = std::function<std::uint64_t(std::size_t kind, const TileMessages &)>; // returns the cycles on a kind of
                                                                                     // machine
  MessageCosts(std::size_t kinds, Cost cost) : kinds_(kinds), cost_(std::move(cost)), slots_(kFirstSlots) {}

  /// The messages of an exchange, per tile. An empty `transfer` means 0 for all tiles.
  struct ByTile {
    std::span<const std::uint64_t> sent, sizes, distance, controls, transfer;
  };
  /// Begins another exchange. The numbers of the previous exchange become invalid.
  void begin(const ByTile &tiles);
  /// Returns, for each tile, the number that identifies its messages.
  [[nodiscard]] const std::vector<std::uint32_t> &numbers() const { return numbers_; }
  /// Returns the cycles that the messages with this number take: one value for each kind of machine.
  [[nodiscard]] std::span<const std::uint64_t> cycles(std::uint32_t number) const {
    return std::span(cycles_).subspan(number * kinds_, kinds_);
  }
  /// Returns whether `cycles` (per tile) equal the cycles of the exchange on the first kind of machine.
  [[nodiscard]] bool firstAre(std::span<const std::uint64_t> cycles) const;
  /// Returns the numbers that occur in the exchange, without repetitions.
  [[nodiscard]] const std::vector<std::uint32_t> &ofExchange() const { return of_; }

private:
  static constexpr std::size_t kFirstSlots = 1024, kMost = std::size_t(1) << 16;
  // The number of bits of each part of a key. A key has no part for TileMessages::transfer. Messages are looked up in
  // wide_ if one of their numbers needs more bits (2^20 bytes sent, for example), or if their transfer is not 0.
  static constexpr unsigned kSent = 20, kSizes = 18, kDistance = 13, kControls = 13;

  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t number = 0; // number plus 1, or 0 for a free slot
    std::uint32_t seenIn = 0; // the latest exchange in which the messages occurred
  };
  struct Wide {
    std::uint32_t number = 0, seenIn = 0;
  };

  void setKeys(const ByTile &tiles);
  [[nodiscard]] std::size_t homeOf(std::uint64_t key) const {
    const std::uint64_t mixed = key * 0x9E3779B97F4A7C15;
    return (mixed ^ (mixed >> 32)) & (slots_.size() - 1);
  }
  /// Returns the slot that has the key, or else the free slot for the key.
  [[nodiscard]] Slot &slotOf(std::uint64_t key) {
    std::size_t slot = homeOf(key);
    while (slots_[slot].number != 0 && slots_[slot].key != key)
      slot = (slot + 1) & (slots_.size() - 1);
    return slots_[slot];
  }
  /// Adds messages to the table and computes their cycles. Returns the number for which cycles() returns these cycles.
  std::uint32_t add(const TileMessages &messages);
  void insert(std::uint64_t key, const TileMessages &messages);
  void forget();

  std::size_t kinds_;
  Cost cost_;
  std::vector<Slot> slots_; // the size is a power of two; at most half of the slots are taken
  std::size_t taken_ = 0;
  std::map<TileMessages, Wide> wide_;  // messages that do not fit into a key
  std::vector<std::uint64_t> cycles_;  // [number][kind]
  std::vector<std::uint64_t> first_;   // per number: cycles on the first kind of machine
  std::vector<std::uint32_t> of_;      // numbers that occur in the exchange
  std::vector<std::uint64_t> keys_;    // per tile: key of its messages
  std::vector<std::uint64_t> over_;    // per tile: not 0 if the messages do not fit into a key
  std::vector<std::uint32_t> numbers_; // per tile: the number that identifies its messages
  std::uint32_t exchange_ = 0;
};

} // namespace popscope
