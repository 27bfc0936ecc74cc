#include "graph/lowering/NaiveProgram.hpp"

#include "base/DebugSites.hpp"
#include "base/ShownText.hpp"
#include "graph/ir/ProgramKinds.hpp"

#include <fmt/format.h>

namespace popscope {
namespace {

/// Returns the context of a program. For an Execute without a DebugInfo, returns the context of the compute set, if
/// there is one.
std::uint64_t ownContext(const GraphIr &graph, const ProgramNode &p) {
  const bool ofSet = p.kind == ProgramKind::Execute && (p.context == 0 || isDebugSite(p.context)) &&
                     graph.computeSets[p.as<ExecuteArguments>().computeSet].context != 0;
  return ofSet ? graph.computeSets[p.as<ExecuteArguments>().computeSet].context : p.context;
}

void append(const GraphIr &graph, const ProgramPtr &program, std::uint64_t around, NaiveBody &body) {
  if (!program)
    return;
  const NaiveProgram row{program.get(), innerContext(around, ownContext(graph, *program))};
  if (program->kind != ProgramKind::Sequence)
    return body.add(NaiveRow::Kind::Programs, {&row, 1});
  body.add(NaiveRow::Kind::OpenSequence, {&row, 1});
  for (const ProgramPtr &child : program->children)
    append(graph, child, row.context, body);
  body.add(NaiveRow::Kind::CloseSequence, {});
}

std::string label(const GraphIr &graph, const ProgramNode &p) {
  const std::string &name = p.kind == ProgramKind::Execute
                                ? graph.names[graph.computeSets[p.as<ExecuteArguments>().computeSet].name]
                                : p.name;
  return name.empty() ? programKindName(p.kind) : fmt::format("{} '{}'", programKindName(p.kind), name);
}

} // namespace

std::uint64_t innerContext(std::uint64_t around, std::uint64_t own) {
  const bool inDebugInfo = around != 0 && !isDebugSite(around);
  return own == 0 || (isDebugSite(own) && inDebugInfo) ? around : own;
}

void NaiveBody::add(NaiveRow::Kind kind, std::span<const NaiveProgram> of) {
  rows.push_back({kind, static_cast<std::uint32_t>(programs.size()), static_cast<std::uint32_t>(of.size())});
  programs.insert(programs.end(), of.begin(), of.end());
}

NaiveBody naiveBody(const GraphIr &graph, const ProgramPtr &program, std::uint64_t context) {
  if (program && program->kind == ProgramKind::Sequence)
    return naiveBody(graph, program->children, innerContext(context, program->context));
  return naiveBody(graph, std::vector<ProgramPtr>{program}, context);
}

NaiveBody naiveBody(const GraphIr &graph, const std::vector<ProgramPtr> &programs, std::uint64_t context) {
  NaiveBody body;
  for (const ProgramPtr &program : programs)
    append(graph, program, context, body);
  return body;
}

std::string dumpNaive(const GraphIr &graph, const NaiveBody &body, std::size_t depth) {
  std::string out;
  for (const NaiveRow &row : body.rows) {
    if (row.kind == NaiveRow::Kind::CloseSequence) {
      --depth;
      continue;
    }
    std::string text;
    for (const NaiveProgram &program : body.programsOf(row))
      text += (text.empty() ? "" : " + ") + label(graph, *program.node);
    out += std::string(2 * depth, ' ') + shownText(text) + '\n';
    depth += row.kind == NaiveRow::Kind::OpenSequence ? 1 : 0;
  }
  return out;
}

} // namespace popscope
