// poplar::program::dumpProgram: one line a program, with its arguments, indented by its depth.
#include "graph/api/Describe.hpp"
#include "graph/api/GraphAccess.hpp"
#include "graph/ir/GraphIr.hpp"
#include "graph/ir/ProgramKinds.hpp"

#include <poplar/Program.hpp>

#include <fmt/format.h>
#include <ostream>
#include <string>

namespace popscope {

namespace {

std::string viewText(const GraphIr &ir, const View &view) {
  if (view.type == ElementType::Invalid)
    return "";
  std::string names;
  std::size_t seen = 0;
  GraphVarId before;
  for (auto run = view.runs.begin(); run != view.runs.end() && seen < 4; ++run, ++seen)
    if (seen == 0 || run->var != before) {
      names += (seen == 0 ? "" : ",") + ir.names[ir.vars[run->var].name];
      before = run->var;
    }
  return fmt::format(" {}{}", names, shapeText(view.shape));
}

std::string arguments(const GraphIr &ir, const ProgramNode &n) {
  std::string text;
  if (n.computeSet.valid())
    text += " " + ir.names[ir.computeSets[n.computeSet].name];
  if (n.stream.valid())
    text += " \"" + ir.streams[n.stream].handle + "\"";
  if (n.function.valid())
    text += fmt::format(" function {}", n.function.index());
  if (n.kind == ProgramKind::Repeat)
    text += fmt::format(" {} times", n.count);
  text += viewText(ir, n.a);
  if (n.b.type != ElementType::Invalid)
    text += " ->" + viewText(ir, n.b);
  return n.text.empty() ? text : text + " \"" + n.text + "\"";
}

void dump(const GraphIr &ir, const ProgramNode &node, unsigned depth, const std::string &label, std::ostream &out) {
  out << std::string(depth * 2, ' ') << label << programKindName(node.kind)
      << (node.name.empty() ? "" : " '" + node.name + "'") << arguments(ir, node) << '\n';
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const std::string childLabel = node.kind != ProgramKind::Switch ? ""
                                   : i < node.labels.size()         ? fmt::format("case {}: ", node.labels[i])
                                                                    : "default: ";
    dump(ir, *node.children[i], depth + 1, childLabel, out);
  }
}

} // namespace

} // namespace popscope

void poplar::program::dumpProgram(const Graph &graph, const Program &program, std::ostream &out) {
  popscope::dump(popscope::irOf(graph), *popscope::nodeOf(program), 0, "", out);
}
