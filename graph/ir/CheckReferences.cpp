#include "graph/ir/CheckReferences.hpp"

#include "graph/ir/ProgramKinds.hpp"
#include "graph/ir/ProgramWalk.hpp"

#include <poplar/exceptions.hpp>

#include <fmt/format.h>

namespace popscope {
void checkReferences(const ProgramNode &program, const GraphIr &graph) {
  if (isForeign(program, graph))
    throw poplar::control_program_error(fmt::format(
        "{} belongs to another graph; build the program with this graph's tensors, compute sets and functions.",
        programLabel(program)));
  if (!namesMissing(program, graph))
    return;
  if (program.kind == ProgramKind::Execute)
    throw poplar::control_program_error(fmt::format(
        "{}: the graph has no compute set {}; it has {}, which are numbered from 0. Graph::addComputeSet makes them.",
        programLabel(program), program.as<ExecuteArguments>().computeSet.index(), graph.computeSets.size()));
  throw poplar::control_program_error(fmt::format(
      "{}: the graph has no function {}; it has {}, which are numbered from 0. Graph::addFunction makes them.",
      programLabel(program), program.as<CallArguments>().function.index(), graph.functions.size()));
}

void checkReferences(const std::vector<ProgramPtr> &programs, const GraphIr &graph) {
  ProgramWalk walk(graph);
  for (const ProgramPtr &program : programs)
    walk.from(program, [&](const ProgramNode &node) { checkReferences(node, graph); });
}

} // namespace popscope
