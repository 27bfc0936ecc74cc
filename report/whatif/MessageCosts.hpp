// The cycles of exchanges per tile, on several kinds of machine.
//
// Problem: costs of 1,472 tiles in ten thousand exchanges on many machines. Idea: most tiles send and receive the same
// as another tile, and most exchanges have messages that an earlier one had. So equal messages get a common number, and
// the cost of each number is computed once per kind of machine. Messages are packed into a 64-bit key for a hash table
// with open addressing; those that do not fit go to a map. Invariant: numbers are valid for one exchange only, because
// the table is cleared if it grows too large.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

namespace popscope {

/// The messages of a tile in an exchange, as far as its cycles depend on them.
struct TileMessages {
  std::uint64_t sent, sizes, distance, controls, transfer;
  friend auto operator<=>(const TileMessages &, const TileMessages &) = default;
};

/// A table of costs. Not thread-safe: each thread has its own.
class MessageCosts {
public:
  using Cost = std::function<std::uint64_t(std::size_t kind, const TileMessages &)>; // returns cycles
  MessageCosts(std::size_t kinds, Cost cost) : kinds_(kinds), cost_(std::move(cost)), slots_(kFirstSlots) {}

  /// The messages of an exchange, per tile. An empty `transfer` means 0 for all tiles.
  struct ByTile {
    std::span<const std::uint64_t> sent, sizes, distance, controls, transfer;
  };
  /// Begins another exchange and invalidates the numbers of the previous one.
  void begin(const ByTile &tiles);
  /// Returns, per tile, the number of its messages.
  [[nodiscard]] const std::vector<std::uint32_t> &numbers() const { return numbers_; }
  /// Returns the cycles per kind of machine.
  [[nodiscard]] std::span<const std::uint64_t> cycles(std::uint32_t number) const {
    return std::span(cycles_).subspan(number * kinds_, kinds_);
  }
  /// Returns whether `cycles`, per tile, are those of the first kind.
  [[nodiscard]] bool firstAre(std::span<const std::uint64_t> cycles) const;
  /// Returns the numbers of the exchange, each once.
  [[nodiscard]] const std::vector<std::uint32_t> &ofExchange() const { return of_; }

private:
  static constexpr std::size_t kFirstSlots = 1024, kMost = std::size_t(1) << 16;
  // Bits of the parts of a key. Messages that do not fit, such as 2^20 bytes sent, are looked up by all their members.
  static constexpr unsigned kSent = 20, kSizes = 18, kDistance = 13, kControls = 13;

  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t number = 0; // number plus 1; 0 = free
    std::uint32_t seenIn = 0; // the latest exchange
  };
  struct Wide {
    std::uint32_t number = 0, seenIn = 0;
  };

  void setKeys(const ByTile &tiles);
  [[nodiscard]] std::size_t homeOf(std::uint64_t key) const {
    const std::uint64_t mixed = key * 0x9E3779B97F4A7C15;
    return (mixed ^ (mixed >> 32)) & (slots_.size() - 1);
  }
  /// Returns the slot of the key, or the free slot where it belongs.
  [[nodiscard]] Slot &slotOf(std::uint64_t key) {
    std::size_t slot = homeOf(key);
    while (slots_[slot].number != 0 && slots_[slot].key != key)
      slot = (slot + 1) & (slots_.size() - 1);
    return slots_[slot];
  }
  /// Adds messages, computes their cycles and returns their number.
  std::uint32_t add(const TileMessages &messages);
  void insert(std::uint64_t key, const TileMessages &messages);
  void forget();

  std::size_t kinds_;
  Cost cost_;
  std::vector<Slot> slots_; // the size is a power of two; at most half of the slots are taken
  std::size_t taken_ = 0;
  std::map<TileMessages, Wide> wide_;  // messages that do not fit into a key
  std::vector<std::uint64_t> cycles_;  // [number][kind]
  std::vector<std::uint64_t> first_;   // per number: cycles of the first kind
  std::vector<std::uint32_t> of_;      // numbers of the exchange
  std::vector<std::uint64_t> keys_;    // per tile
  std::vector<std::uint64_t> over_;    // per tile: not 0 if the messages do not fit into a key
  std::vector<std::uint32_t> numbers_; // per tile
  std::uint32_t exchange_ = 0;
};

} // namespace popscope
