// poplar::program::dumpProgram: one line per program, with its arguments, indented by its depth.
#include "base/ShownText.hpp"
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

/// The text of the arguments that stand before a program's views, or "" if there are none.
struct ArgumentText {
  const GraphIr &ir;
  std::string operator()(const ExecuteArguments &a) const { return " " + ir.names[ir.computeSets[a.computeSet].name]; }
  std::string operator()(const HostCopyArguments &a) const { return " \"" + ir.streams[a.stream].handle + "\""; }
  std::string operator()(const CallArguments &a) const { return fmt::format(" function {}", a.function.index()); }
  std::string operator()(const RepeatArguments &a) const { return fmt::format(" {} times", a.count); }
  template <class Arguments> std::string operator()(const Arguments &) const { return ""; }
};

std::string arguments(const GraphIr &ir, const ProgramNode &n) {
  std::string text = std::visit(ArgumentText{ir}, n.arguments) + viewText(ir, n.a);
  if (n.b.type != ElementType::Invalid)
    text += " ->" + viewText(ir, n.b);
  if (const auto *const title = std::get_if<TextArguments>(&n.arguments); title && !title->text.empty())
    text += " \"" + title->text + "\"";
  return text;
}

void dump(const GraphIr &ir, const ProgramNode &node, unsigned depth, const std::string &label, std::ostream &out) {
  out << std::string(depth * 2, ' ') << label << shownText(programLabel(node) + arguments(ir, node)) << '\n';
  const auto *const cases = std::get_if<SwitchArguments>(&node.arguments);
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const std::string childLabel = cases == nullptr           ? ""
                                   : i < cases->labels.size() ? fmt::format("case {}: ", cases->labels[i])
                                                              : "default: ";
    dump(ir, *node.children[i], depth + 1, childLabel, out);
  }
}

} // namespace

} // namespace popscope

void poplar::program::dumpProgram(const Graph &graph, const Program &program, std::ostream &out) {
  const popscope::GraphIr &ir = popscope::irOf(graph);
  popscope::dump(ir, *popscope::nodesOf({program}, ir).front(), 0, "", out);
}
