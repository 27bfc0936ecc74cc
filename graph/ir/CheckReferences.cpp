#include "graph/ir/CheckReferences.hpp"

#include "graph/ir/ProgramKinds.hpp"

#include <poplar/exceptions.hpp>

#include <fmt/format.h>
#include <unordered_set>

namespace popscope {
namespace {

class ReferenceWalk {
public:
  explicit ReferenceWalk(const GraphIr &graph) : graph_(graph) {}
  void visit(const ProgramPtr &first) {
    std::vector<const ProgramNode *> next = {
        first.get()}; // no recursion, because functions may call one another deeply
    while (!next.empty()) {
      const ProgramNode *program = next.back();
      next.pop_back();
      if (program == nullptr || !seen_.insert(program).second)
        continue;
      checkReferences(*program, graph_);
      if (const auto *const call = std::get_if<CallArguments>(&program->arguments))
        next.push_back(graph_.functions[call->function].body.get());
      for (const ProgramPtr &child : program->children)
        next.push_back(child.get());
    }
  }

private:
  const GraphIr &graph_;
  std::unordered_set<const ProgramNode *> seen_; // lookup only
};

} // namespace

void checkReferences(const ProgramNode &program, const GraphIr &graph) {
  if (isForeign(program, graph))
    throw poplar::control_program_error(
        fmt::format("{} belongs to another graph; build the program with this graph's tensors, compute sets and "
                    "functions.",
                    programLabel(program)));
  if (!namesMissing(program, graph))
    return;
  if (program.kind == ProgramKind::Execute)
    throw poplar::control_program_error(fmt::format(
        "{}: the graph has no compute set {}; it has {}, which are numbered from 0. Graph::addComputeSet "
        "makes them.",
        programLabel(program), program.as<ExecuteArguments>().computeSet.index(), graph.computeSets.size()));
  throw poplar::control_program_error(
      fmt::format("{}: the graph has no function {}; it has {}, which are numbered from 0. Graph::addFunction makes "
                  "them.",
                  programLabel(program), program.as<CallArguments>().function.index(), graph.functions.size()));
}

void checkReferences(const std::vector<ProgramPtr> &programs, const GraphIr &graph) {
  ReferenceWalk walk(graph);
  for (const ProgramPtr &program : programs)
    walk.visit(program);
}

} // namespace popscope
