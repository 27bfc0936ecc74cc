// ProgramWalk: visits a program, all programs below this program, and the bodies of called functions.
#pragma once
#include "graph/ir/GraphIr.hpp"
#include "graph/ir/ProgramKinds.hpp"

#include <unordered_set>
#include <variant>
#include <vector>

namespace popscope {

/// A walk that visits each program once, even if several programs contain the program, or several calls run it.
class ProgramWalk {
public:
  explicit ProgramWalk(const GraphIr &graph) : graph_(graph) {}
  /// Calls visit(program) for `first` and for all programs that `first` contains or calls. A program comes before its
  /// children, and children come in their order. Does nothing if `first` is null. If `visit` throws, the walk ends.
  /// Does not recurse, because functions may call one another to any depth.
  template <class Visit> void from(const ProgramPtr &first, const Visit &visit) {
    std::vector<const ProgramNode *> next = {first.get()}; // the last program of the list is visited first
    while (!next.empty()) {
      const ProgramNode *program = next.back();
      next.pop_back();
      if (program == nullptr || !seen_.insert(program).second)
        continue;
      visit(*program);
      for (auto child = program->children.rbegin(); child != program->children.rend(); ++child)
        next.push_back(child->get());
      if (const auto *const call = std::get_if<CallArguments>(&program->arguments))
        next.push_back(graph_.functions[call->function].body.get());
    }
  }

private:
  const GraphIr &graph_;
  std::unordered_set<const ProgramNode *> seen_; // lookup only
};

} // namespace popscope
