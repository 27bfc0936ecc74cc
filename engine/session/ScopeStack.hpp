// The open popscope::profile::Scopes of one engine, innermost last. The engine and its scopes share the stack, so that
// the engine may be destroyed before its scopes.
#pragma once
#include "instrument/profile/Records.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace popscope {

struct ScopeStack {
  struct Entry {
    std::uint64_t id = 0;
    std::string label;
    const char *leftOut = nullptr; // the reason why the engine does not record the runs in this scope; null if the
                                   // engine records these runs
    bool paused = false;
    StepKindsMask kinds = kAllStepKinds, pausedKinds = 0;
  };
  std::vector<Entry> open;
  std::uint64_t next = 0;

  /// Returns whether any scope is paused. A paused scope also pauses the scopes within it.
  [[nodiscard]] bool paused() const {
    return std::any_of(open.begin(), open.end(), [](const Entry &entry) { return entry.paused; });
  }
  /// Returns the step kinds whose time every open scope records.
  [[nodiscard]] StepKindsMask kinds() const {
    StepKindsMask kinds = kAllStepKinds;
    for (const Entry &entry : open)
      kinds = static_cast<StepKindsMask>(kinds & entry.kinds & ~entry.pausedKinds);
    return kinds;
  }
};

} // namespace popscope
