// What tiles send and receive in exchanges, and what it takes them on several kinds of machine. Of 1,472 tiles most do
// the same as another, and of ten thousand exchanges most have messages that another had.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

namespace popscope {

/// What a tile sends and receives in an exchange, as far as it tells how long that takes.
struct TileMessages {
  std::uint64_t sent, sizes, distance, controls, transfer;
  friend auto operator<=>(const TileMessages &, const TileMessages &) = default;
};

/// Of one thread.
class MessageCosts {
public:
  using Cost = std::function<std::uint64_t(std::size_t kind, const TileMessages &)>; // cycles
  MessageCosts(std::size_t kinds, Cost cost) : kinds_(kinds), cost_(std::move(cost)), slots_(kFirstSlots) {}

  /// Another exchange: numbers of the one before are no longer valid. Its messages by tile; `transfer` may be empty: 0
  /// of all.
  struct ByTile {
    std::span<const std::uint64_t> sent, sizes, distance, controls, transfer;
  };
  void begin(const ByTile &tiles);
  /// By tile: the number of its messages.
  [[nodiscard]] const std::vector<std::uint32_t> &numbers() const { return numbers_; }
  /// By kind of machine.
  [[nodiscard]] std::span<const std::uint64_t> cycles(std::uint32_t number) const {
    return std::span(cycles_).subspan(number * kinds_, kinds_);
  }
  /// These are the cycles of the first kind, by tile.
  [[nodiscard]] bool firstAre(std::span<const std::uint64_t> cycles) const;
  /// The numbers of the exchange, each once.
  [[nodiscard]] const std::vector<std::uint32_t> &ofExchange() const { return of_; }

private:
  static constexpr std::size_t kFirstSlots = 1024, kMost = std::size_t(1) << 16;
  // Bits of what a tile sends and receives in one number. What does not fit, 2^20 bytes sent and the like, is looked up
  // by all of it.
  static constexpr unsigned kSent = 20, kSizes = 18, kDistance = 13, kControls = 13;

  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t number = 0; // plus 1; 0 = free
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
  /// Where it is, or would be.
  [[nodiscard]] Slot &slotOf(std::uint64_t key) {
    std::size_t slot = homeOf(key);
    while (slots_[slot].number != 0 && slots_[slot].key != key)
      slot = (slot + 1) & (slots_.size() - 1);
    return slots_[slot];
  }
  /// Its number.
  std::uint32_t add(const TileMessages &messages);
  void insert(std::uint64_t key, const TileMessages &messages);
  void forget();

  std::size_t kinds_;
  Cost cost_;
  std::vector<Slot> slots_; // a power of two, at most half of them taken
  std::size_t taken_ = 0;
  std::map<TileMessages, Wide> wide_;  // that do not fit into a key
  std::vector<std::uint64_t> cycles_;  // by number, then kind
  std::vector<std::uint64_t> first_;   // by number: of the first kind
  std::vector<std::uint32_t> of_;      // the exchange
  std::vector<std::uint64_t> keys_;    // by tile
  std::vector<std::uint64_t> over_;    // by tile: not 0 where it does not fit into a key
  std::vector<std::uint32_t> numbers_; // by tile
  std::uint32_t exchange_ = 0;
};

} // namespace popscope
