// OrderCalls: orders functions so that callees come first, or finds a cycle of calls.
#pragma once
#include <cstdint>
#include <vector>

namespace popscope {

struct CallOrder {
  std::vector<std::uint32_t> calleesFirst; // every function once, after all functions that it calls; empty if there is
                                           // a cycle
  /// A cycle of calls. Each function calls the next function, and the last function calls the first. The first function
  /// is the recursive function with the lowest number. No shorter cycle contains this function. The list is empty
  /// without recursion.
  std::vector<std::uint32_t> cycle;
};

/// Orders functions. `callees` lists the callees of each function, in any order. Cost: linear in functions and calls.
[[nodiscard]] CallOrder orderCalls(const std::vector<std::vector<std::uint32_t>> &callees);

} // namespace popscope
