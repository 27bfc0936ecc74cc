// OrderCalls: orders functions so that callees come first, or finds a cycle of calls.
#pragma once
#include <cstdint>
#include <vector>

namespace popscope {

struct CallOrder {
  std::vector<std::uint32_t> calleesFirst; // every function once, after all that it calls; empty if there is a cycle
  /// Functions of which each calls the next and the last calls the first; empty without recursion. A shortest cycle
  /// that begins with the lowest recursive function.
  std::vector<std::uint32_t> cycle;
};

/// Orders calls. `callees` lists by function its callees, in any order. Cost: linear in calls.
[[nodiscard]] CallOrder orderCalls(const std::vector<std::vector<std::uint32_t>> &callees);

} // namespace popscope
