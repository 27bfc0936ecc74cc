#include "report/whatif/MessageCosts.hpp"

#include <algorithm>

namespace popscope {

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
      slots_[slotOf(messages_[i])] = i + 1;
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
