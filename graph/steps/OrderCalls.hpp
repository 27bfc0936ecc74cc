// OrderCalls: functions by their calls: an order in which callees come first, or a cycle of calls.
#pragma once
#include <cstdint>
#include <vector>

namespace popscope {

struct CallOrder {
  std::vector<std::uint32_t> calleesFirst; // every function once, after all that it calls; empty where there is a cycle
  /// Functions of which each calls the next and the last the first; empty where there is none. A shortest one that
  /// begins with the lowest function that calls itself, directly or not.
  std::vector<std::uint32_t> cycle;
};

/// `callees`: by function, those that it calls, in any order. Linear in calls.
[[nodiscard]] CallOrder orderCalls(const std::vector<std::vector<std::uint32_t>> &callees);

} // namespace popscope
