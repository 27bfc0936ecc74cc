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

  /// Another exchange: numbers of the one before are no longer valid.
  void begin() {
    of_.clear();
    ++exchange_;
    if (messages_.size() > kMost)
      forget();
  }
  /// The number of such messages; the tile has them in the exchange.
  std::uint32_t add(const TileMessages &messages) {
    const std::uint32_t number = numberOf(messages);
    if (seenIn_[number] != exchange_) {
      seenIn_[number] = exchange_;
      of_.push_back(number);
    }
    return number;
  }
  /// By kind of machine.
  [[nodiscard]] std::span<const std::uint64_t> cycles(std::uint32_t number) const {
    return std::span(cycles_).subspan(number * kinds_, kinds_);
  }
  /// The numbers of the exchange, each once.
  [[nodiscard]] const std::vector<std::uint32_t> &ofExchange() const { return of_; }

private:
  static constexpr std::size_t kFirstSlots = 4096, kMost = std::size_t(1) << 16;

  [[nodiscard]] static std::uint64_t hashOf(const TileMessages &m) {
    // Odd, their bits without a pattern: what is added up does not wait for each other.
    const std::uint64_t hash = m.sent * 0x9E3779B97F4A7C15 + m.sizes * 0xC2B2AE3D27D4EB4F +
                               m.distance * 0x165667B19E3779F9 + m.controls * 0xD6E8FEB86659FD93 +
                               m.transfer * 0xA0761D6478BD642F;
    return hash >> 32;
  }
  /// Where it is, or would be.
  [[nodiscard]] std::size_t slotOf(const TileMessages &messages) const {
    std::size_t slot = hashOf(messages) & (slots_.size() - 1);
    while (slots_[slot] != 0 && !(messages_[slots_[slot] - 1] == messages))
      slot = (slot + 1) & (slots_.size() - 1);
    return slot;
  }
  std::uint32_t numberOf(const TileMessages &messages) {
    const std::size_t slot = slotOf(messages);
    return slots_[slot] != 0 ? slots_[slot] - 1 : insert(messages, slot);
  }
  std::uint32_t insert(const TileMessages &messages, std::size_t slot);
  void forget();

  std::size_t kinds_;
  Cost cost_;
  std::vector<std::uint32_t> slots_; // number plus 1; 0 = free. A power of two, at most half of them taken
  std::vector<TileMessages> messages_;
  std::vector<std::uint64_t> cycles_; // by number, then kind
  std::vector<std::uint64_t> seenIn_; // by number: the latest exchange
  std::vector<std::uint32_t> of_;     // the exchange
  std::uint64_t exchange_ = 0;
};

} // namespace popscope
