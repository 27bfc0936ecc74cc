#include "base/LongWork.hpp"

#include <utility>

namespace popscope {

constexpr std::chrono::seconds kSilent{2}; // most runs and compilations end earlier

LongWork::LongWork(Show show) : began_(std::chrono::steady_clock::now()) {
  if (!bar_.isVisible())
    return;
  ticks_.emplace([this, show = std::move(show)] {
    const auto passed = std::chrono::steady_clock::now() - began_;
    if (passed >= kSilent)
      show(bar_, std::chrono::duration_cast<std::chrono::seconds>(passed));
  });
}

} // namespace popscope
