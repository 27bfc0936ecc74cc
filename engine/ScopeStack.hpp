// The open popscope::profile::Scopes of one engine, innermost last. Shared by the engine and its scopes, so that either
// may end first.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace popscope {

struct ScopeStack {
  struct Entry {
    std::uint64_t id = 0;
    std::string label;
    bool records = true, paused = false;
  };
  std::vector<Entry> open;
  std::uint64_t next = 0;

  /// One that is paused pauses those within it.
  [[nodiscard]] bool paused() const {
    return std::any_of(open.begin(), open.end(), [](const Entry &entry) { return entry.paused; });
  }
};

} // namespace popscope
