// The open popscope::profile::Scopes of one engine, innermost last. Shared by the engine and its scopes, so that either
// may end first.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace popscope {

struct ScopeStack {
  struct Entry {
    std::uint64_t id = 0;
    std::string label;
    bool records = true;
  };
  std::vector<Entry> open;
  std::uint64_t next = 0;
};

} // namespace popscope
