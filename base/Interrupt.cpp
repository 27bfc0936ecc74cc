#include "base/Interrupt.hpp"

#include <utility>

namespace popscope {
namespace {

constexpr std::chrono::milliseconds kInterval{50};
// NOLINTNEXTLINE: a variable, because stages get no argument for it; thread_local, because each thread has its own
thread_local Interruptible *innermost = nullptr;

} // namespace

Interruptible::Interruptible(std::function<void()> check)
    : check_(std::move(check)), last_(std::chrono::steady_clock::now()), outer_(innermost) {
  innermost = this;
}

Interruptible::~Interruptible() { innermost = outer_; }

void checkInterrupt() {
  if (innermost == nullptr)
    return;
  const auto now = std::chrono::steady_clock::now();
  for (Interruptible *at = innermost; at != nullptr; at = at->outer_) {
    if (now - at->last_ < kInterval)
      continue;
    at->last_ = now;
    at->check_();
  }
}

} // namespace popscope
