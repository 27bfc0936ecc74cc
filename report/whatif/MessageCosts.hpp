// What tiles send and receive in exchanges, and what it takes them on several kinds of machine. Of 1,472 tiles most do
// the same as another, and of ten thousand exchanges most have messages that another had.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace popscope {

/// What a tile sends and receives in an exchange, as far as it tells how long that takes.
struct TileMessages {
  std::uint64_t sent, sizes, distance, controls, transfer;
  friend bool operator==(const TileMessages &, const TileMessages &) = default;
};

/// Of one thread.
class MessageCosts {
public:
  using Cost = std::function<std::uint64_t(std::size_t kind, const TileMessages &)>; // cycles
  MessageCosts(std::size_t kinds, Cost cost) : kinds_(kinds), cost_(std::move(cost)), slots_(kFirstSlots) {}

  /// Another exchange: numbers of the one before are no longer valid. Its messages by tile.
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
  /// The numbers of the exchange, each once.
  [[nodiscard]] const std::vector<std::uint32_t> &ofExchange() const { return of_; }

private:
  static constexpr std::size_t kFirstSlots = 1024, kMost = std::size_t(1) << 16;

  [[nodiscard]] static std::uint32_t hashOf(std::uint32_t sent, std::uint32_t sizes, std::uint32_t distance,
                                            std::uint32_t controls, std::uint32_t transfer) {
    // Odd, their bits without a pattern: what is added up does not wait for each other.
    const std::uint32_t hash =
        sent * 0x9E3779B1 + sizes * 0x85EBCA77 + distance * 0xC2B2AE3D + controls * 0x27D4EB2F + transfer * 0x165667B1;
    return hash ^ (hash >> 15);
  }
  [[nodiscard]] static std::uint32_t hashOf(const TileMessages &m);
  /// Where it is, or would be.
  [[nodiscard]] std::size_t slotOf(const TileMessages &messages, std::uint32_t hash) const {
    std::size_t slot = hash & (slots_.size() - 1);
    while (slots_[slot] != 0 && !(messages_[slots_[slot] - 1] == messages))
      slot = (slot + 1) & (slots_.size() - 1);
    return slot;
  }
  std::uint32_t insert(const TileMessages &messages, std::size_t slot);
  void setHashes(const ByTile &tiles);
  void forget();

  std::size_t kinds_;
  Cost cost_;
  std::vector<std::uint32_t> slots_; // number plus 1; 0 = free. A power of two, at most half of them taken
  std::vector<TileMessages> messages_;
  std::vector<std::uint64_t> cycles_;           // by number, then kind
  std::vector<std::uint64_t> seenIn_;           // by number: the latest exchange
  std::vector<std::uint32_t> of_;               // the exchange
  std::vector<std::uint32_t> hashes_, numbers_; // by tile
  std::uint64_t exchange_ = 0;
};

} // namespace popscope
