// Copies program trees and the bodies of a graph's functions. If several trees share a program, the program is copied
// once, and the copies of the trees share this copy.
#pragma once
#include "graph/ir/GraphIr.hpp"

#include <memory>
#include <unordered_map>
#include <vector>

namespace popscope {

/// Returns copies of `programs`. Also replaces the body of each function of `graph` by a copy. A node for which
/// `keeps(node)` is false becomes null. Calls `change(copy)` on each copy, after the children of the copy are copied.
template <class Keeps, class Change>
std::vector<ProgramPtr> copyPrograms(const std::vector<ProgramPtr> &programs, GraphIr &graph, const Keeps &keeps,
                                     const Change &change) {
  std::unordered_map<const ProgramNode *, ProgramPtr> done; // lookup only
  const auto copy = [&](const ProgramPtr &program, const auto &self) -> ProgramPtr {
    if (!program || !keeps(*program))
      return nullptr;
    if (const auto known = done.find(program.get()); known != done.end())
      return known->second;
    auto node = std::make_shared<ProgramNode>(*program);
    for (ProgramPtr &child : node->children)
      child = self(child, self);
    change(*node);
    done.emplace(program.get(), node);
    return node;
  };
  std::vector<ProgramPtr> out;
  for (const ProgramPtr &program : programs)
    out.push_back(copy(program, copy));
  for (auto &function : graph.functions)
    function.body = copy(function.body, copy);
  return out;
}

} // namespace popscope
