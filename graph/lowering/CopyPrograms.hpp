// Copies program trees and the bodies of a graph's functions. If several trees share a program, the program is copied
// once, and the copies of the trees share this copy.
#pragma once
#include "graph/ir/GraphIr.hpp"

#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace popscope {

/// Copies programs. A node for which `keeps(node)` is false becomes null. Calls `change(copy)` on each copy, after the
/// children of the copy are copied.
template <class Keeps, class Change> class ProgramCopier {
public:
  ProgramCopier(Keeps keeps, Change change) : keeps_(std::move(keeps)), change_(std::move(change)) {}

  ProgramPtr operator()(const ProgramPtr &program) {
    if (!program || !keeps_(*program))
      return nullptr;
    const auto known = done_.find(program.get());
    if (known != done_.end())
      return known->second;
    auto node = std::make_shared<ProgramNode>(*program);
    for (ProgramPtr &child : node->children)
      child = (*this)(child);
    change_(*node);
    done_.emplace(program.get(), node);
    return node;
  }

private:
  Keeps keeps_;
  Change change_;
  std::unordered_map<const ProgramNode *, ProgramPtr> done_; // lookup only
};

/// Returns copies of `programs`. Also replaces the body of each function of `graph` by a copy.
template <class Keeps, class Change>
std::vector<ProgramPtr> copyPrograms(const std::vector<ProgramPtr> &programs, GraphIr &graph, Keeps keeps,
                                     Change change) {
  ProgramCopier<Keeps, Change> copy(std::move(keeps), std::move(change));
  std::vector<ProgramPtr> out;
  for (const ProgramPtr &program : programs)
    out.push_back(copy(program));
  for (auto &function : graph.functions)
    function.body = copy(function.body);
  return out;
}

} // namespace popscope
