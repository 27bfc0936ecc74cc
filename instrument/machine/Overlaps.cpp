#include "instrument/machine/Overlaps.hpp"

#include <algorithm>
#include <array>
#include <tuple>

namespace popscope {
namespace {

// The two uses so far that reach furthest, by two different users. If any use by another user than `user` reaches past
// a byte, then one of these two uses is also by another user and reaches past the byte.
class Furthest {
public:
  void clear() { best_ = {nullptr, nullptr}; }
  void add(const ByteUse &use) {
    if (best_[0] == nullptr || best_[0]->user == use.user) {
      if (best_[0] == nullptr || use.end > best_[0]->end)
        best_[0] = &use;
    } else if (use.end > best_[0]->end) {
      best_[1] = best_[0];
      best_[0] = &use;
    } else if (best_[1] == nullptr || use.end > best_[1]->end) {
      best_[1] = &use;
    }
  }
  [[nodiscard]] const ByteUse *otherPast(std::uint32_t user, Bytes byte) const {
    for (const ByteUse *use : best_)
      if (use != nullptr && use->user != user && use->end > byte)
        return use;
    return nullptr;
  }

private:
  std::array<const ByteUse *, 2> best_{nullptr, nullptr};
};

auto order(const ByteUse &use) { return std::tuple(use.home, use.begin, use.end, use.user, use.writes); }

} // namespace

std::optional<ByteConflict> findConflict(std::vector<ByteUse> uses) {
  std::sort(uses.begin(), uses.end(), [](const ByteUse &a, const ByteUse &b) { return order(a) < order(b); });
  Furthest reads, writes;
  HomeId home;
  for (const ByteUse &use : uses) {
    if (use.begin >= use.end)
      continue;
    if (use.home != home) {
      home = use.home;
      reads.clear();
      writes.clear();
    }
    const ByteUse *other = writes.otherPast(use.user, use.begin);
    if (other == nullptr && use.writes)
      other = reads.otherPast(use.user, use.begin);
    if (other != nullptr)
      return ByteConflict{*other, use, use.begin, std::min(other->end, use.end)};
    (use.writes ? writes : reads).add(use);
  }
  return std::nullopt;
}

} // namespace popscope
