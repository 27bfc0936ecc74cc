#include "report/whatif/MessageCosts.hpp"

#include "base/WideLoops.hpp"

#include <algorithm>

namespace popscope {
namespace {

std::uint32_t low(std::uint64_t value) { return static_cast<std::uint32_t>(value); }

} // namespace

std::uint32_t MessageCosts::hashOf(const TileMessages &m) {
  return hashOf(low(m.sent), low(m.sizes), low(m.distance), low(m.controls), low(m.transfer));
}

POPSCOPE_WIDE_LOOPS void MessageCosts::setHashes(const ByTile &tiles) {
  const std::uint64_t *sent = tiles.sent.data(), *sizes = tiles.sizes.data(), *distance = tiles.distance.data(),
                      *controls = tiles.controls.data(), *transfer = tiles.transfer.data();
  std::uint32_t *hashes = hashes_.data();
  for (std::size_t t = 0, count = hashes_.size(); t < count; ++t)
    hashes[t] = hashOf(low(sent[t]), low(sizes[t]), low(distance[t]), low(controls[t]), low(transfer[t]));
}

void MessageCosts::begin(const ByTile &tiles) {
  of_.clear();
  ++exchange_;
  if (messages_.size() > kMost)
    forget();
  const std::size_t count = tiles.sent.size();
  hashes_.resize(count);
  numbers_.resize(count);
  setHashes(tiles);
  for (std::size_t t = 0; t < count; ++t) {
    const TileMessages messages{tiles.sent[t], tiles.sizes[t], tiles.distance[t], tiles.controls[t], tiles.transfer[t]};
    const std::size_t slot = slotOf(messages, hashes_[t]);
    const std::uint32_t number = slots_[slot] != 0 ? slots_[slot] - 1 : insert(messages, slot);
    if (seenIn_[number] != exchange_) {
      seenIn_[number] = exchange_;
      of_.push_back(number);
    }
    numbers_[t] = number;
  }
}

std::uint32_t MessageCosts::insert(const TileMessages &messages, std::size_t slot) {
  messages_.push_back(messages);
  seenIn_.push_back(0);
  for (std::size_t kind = 0; kind < kinds_; ++kind)
    cycles_.push_back(cost_(kind, messages));
  const auto number = static_cast<std::uint32_t>(messages_.size());
  slots_[slot] = number;
  if (2 * messages_.size() > slots_.size()) {
    std::fill(slots_.begin(), slots_.end(), 0);
    slots_.resize(2 * slots_.size());
    for (std::uint32_t i = 0; i < messages_.size(); ++i)
      slots_[slotOf(messages_[i], hashOf(messages_[i]))] = i + 1;
  }
  return number - 1;
}

void MessageCosts::forget() {
  std::fill(slots_.begin(), slots_.end(), 0);
  messages_.clear();
  cycles_.clear();
  seenIn_.clear();
}

} // namespace popscope
