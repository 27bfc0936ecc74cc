#include "report/whatif/MessageCosts.hpp"

#include "base/WideLoops.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace popscope {

POPSCOPE_WIDE_LOOPS void MessageCosts::setKeys(const ByTile &tiles) {
  const std::uint64_t *sent = tiles.sent.data(), *sizes = tiles.sizes.data(), *distance = tiles.distance.data(),
                      *controls = tiles.controls.data(), *transfer = tiles.transfer.data();
  std::uint64_t *keys = keys_.data(), *over = over_.data();
  const std::size_t count = keys_.size();
  for (std::size_t t = 0; t < count; ++t) {
    keys[t] =
        sent[t] | sizes[t] << kSent | distance[t] << (kSent + kSizes) | controls[t] << (kSent + kSizes + kDistance);
    over[t] = sent[t] >> kSent | sizes[t] >> kSizes | distance[t] >> kDistance | controls[t] >> kControls;
  }
  if (!tiles.transfer.empty())
    for (std::size_t t = 0; t < count; ++t)
      over[t] |= transfer[t];
}

// Gives each tile's messages a number; equal messages have equal numbers. Packs the messages of each tile into a key,
// in one loop, then looks each key up in the hash table. Messages that do not fit into a key are in a map. Cost: linear
// in tiles, plus the computation of the cycles of new messages for each kind of machine.
void MessageCosts::begin(const ByTile &tiles) {
  of_.clear();
  if (first_.size() > kMost || exchange_ == std::numeric_limits<std::uint32_t>::max())
    forget();
  ++exchange_;
  const std::size_t count = tiles.sent.size();
  keys_.resize(count);
  over_.resize(count);
  numbers_.resize(count);
  setKeys(tiles);
  const auto messagesOf = [&](std::size_t t) {
    return TileMessages{tiles.sent[t], tiles.sizes[t], tiles.distance[t], tiles.controls[t],
                        tiles.transfer.empty() ? 0 : tiles.transfer[t]};
  };
  const auto note = [&](std::size_t t, std::uint32_t number, std::uint32_t &seenIn) {
    numbers_[t] = number;
    if (seenIn == exchange_)
      return;
    seenIn = exchange_;
    of_.push_back(number);
  };
  for (std::size_t t = 0; t < count; ++t) {
    if (over_[t] != 0) {
      const auto [at, isNew] = wide_.try_emplace(messagesOf(t));
      if (isNew)
        at->second.number = add(at->first);
      note(t, at->second.number, at->second.seenIn);
      continue;
    }
    Slot *slot = &slotOf(keys_[t]);
    if (slot->number == 0) {
      insert(keys_[t], messagesOf(t));
      slot = &slotOf(keys_[t]);
    }
    note(t, slot->number - 1, slot->seenIn);
  }
}

std::uint32_t MessageCosts::add(const TileMessages &messages) {
  for (std::size_t kind = 0; kind < kinds_; ++kind)
    cycles_.push_back(cost_(kind, messages));
  first_.push_back(cycles_[cycles_.size() - kinds_]);
  return static_cast<std::uint32_t>(first_.size() - 1);
}

void MessageCosts::insert(std::uint64_t key, const TileMessages &messages) {
  if (2 * ++taken_ > slots_.size()) {
    const std::vector<Slot> before = std::exchange(slots_, std::vector<Slot>(2 * slots_.size()));
    for (const Slot &slot : before)
      if (slot.number != 0)
        slotOf(slot.key) = slot;
  }
  slotOf(key) = {key, add(messages) + 1, 0};
}

bool MessageCosts::firstAre(std::span<const std::uint64_t> cycles) const {
  for (std::size_t t = 0; t < numbers_.size(); ++t)
    if (first_[numbers_[t]] != cycles[t])
      return false;
  return true;
}

void MessageCosts::forget() {
  std::fill(slots_.begin(), slots_.end(), Slot());
  taken_ = 0;
  exchange_ = 0;
  wide_.clear();
  cycles_.clear();
  first_.clear();
}

} // namespace popscope
