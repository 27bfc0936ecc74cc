// Graph::outputVertexGraph and outputComputeGraph: DOT text.
#include "base/ShownText.hpp"
#include "graph/api/Describe.hpp"
#include "graph/api/ExecutionOrder.hpp"
#include "graph/api/GraphAccess.hpp"
#include "graph/api/GraphShared.hpp"

#include <poplar/Graph.hpp>

// Silences a false warning: the optimiser of GCC 12 does not see that the optional inside an edge iterator is read only
// if it has a value.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/graphviz.hpp>
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
#include <fmt/format.h>

#include <locale>
#include <map>
#include <set>
#include <sstream>

using popscope::ComputeSetId;
using popscope::FieldDirection;
using popscope::GraphAccess;
using popscope::GraphIr;
using popscope::GraphShared;
using popscope::VertexId;

namespace poplar {

namespace {

struct DotNode {
  std::string label;
  const char *shape = "box";
};
struct DotEdge {
  std::string label;
};
using Dot = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, DotNode, DotEdge>;
using DotId = boost::graph_traits<Dot>::vertex_descriptor;

/// Returns the contents of a DOT string. Bytes of names that control a terminal become \xNN, as in text views.
std::string escaped(const std::string &text) {
  std::string out;
  for (const char c : popscope::shownText(text, popscope::LineEnds::Kept)) {
    if (c == '\n') {
      out += "\\n";
      continue;
    }
    if (c == '"' || c == '\\')
      out += '\\';
    out += c;
  }
  return out;
}

void write(std::ostream &os, const Dot &dot) {
  std::ostringstream text;
  text.imbue(std::locale::classic()); // the program's locale may group the digits of the nodes' numbers
  boost::write_graphviz(
      text, dot,
      [&](std::ostream &out, DotId v) {
        out << "[label=\"" << escaped(dot[v].label) << "\",shape=" << dot[v].shape << ']';
      },
      [&](std::ostream &out, const boost::graph_traits<Dot>::edge_descriptor &e) {
        if (!dot[e].label.empty())
          out << "[label=\"" << escaped(dot[e].label) << "\"]";
      });
  os << text.str();
}

/// Returns the compute sets that the programs run, in the order of execution. Without programs, returns all compute
/// sets in the order of creation.
std::vector<ComputeSetId> computeSets(const GraphIr &ir, ArrayRef<program::Program> progs) {
  if (!progs.empty())
    return popscope::executionOrder(ir, popscope::nodesOf(progs, ir));
  std::vector<ComputeSetId> all;
  for (std::size_t i = 0; i < ir.computeSets.size(); ++i)
    all.push_back(ir.computeSets.idAt(i));
  return all;
}

/// The nodes of variables. Each node is made at the first use of its variable.
class VariableNodes {
public:
  VariableNodes(const GraphIr &ir, Dot &dot) : ir_(ir), dot_(dot) {}
  DotId operator()(popscope::GraphVarId var) {
    const auto known = nodes_.find(var);
    if (known != nodes_.end())
      return known->second;
    const popscope::GraphVar &v = ir_.vars[var];
    const DotId id = boost::add_vertex(
        DotNode{fmt::format("{} {}[{}]", ir_.names[v.name], popscope::elementTypeName(v.type), v.elements),
                v.constant ? "note" : "ellipse"},
        dot_);
    nodes_.emplace(var, id);
    return id;
  }

private:
  const GraphIr &ir_;
  Dot &dot_;
  std::map<popscope::GraphVarId, DotId> nodes_;
};

std::set<popscope::GraphVarId> variablesOf(const popscope::RunList &runs) {
  std::set<popscope::GraphVarId> vars;
  for (const popscope::ViewRun &run : runs)
    vars.insert(run.var);
  return vars;
}

/// Calls add(from, to, field) for each variable of each connected field. If the vertex reads the field, the edge goes
/// from the variable to the vertex's node. If the vertex writes the field, the edge goes from the node to the variable.
template <class Add>
void forEachEdge(const GraphIr &ir, const popscope::GraphVertex &vertex, DotId node, VariableNodes &variables,
                 const Add &add) {
  const popscope::VertexClass &type = ir.codelets.at(vertex.codelet);
  for (const popscope::GraphEdge &edge : vertex.edges()) {
    const popscope::FieldInfo &field = type.fields[edge.field];
    for (const popscope::GraphVarId var : variablesOf(edge.runs)) {
      const DotId variable = variables(var);
      if (field.direction != FieldDirection::Output)
        add(variable, node, field);
      if (field.direction != FieldDirection::Input)
        add(node, variable, field);
    }
  }
}

} // namespace

void Graph::outputVertexGraph(std::ostream &os, ArrayRef<program::Program> progs) const {
  const GraphIr &ir = popscope::irOf(*this);
  Dot dot;
  VariableNodes variables(ir, dot);
  for (const ComputeSetId cs : computeSets(ir, progs)) {
    for (const VertexId id : ir.computeSets[cs].vertices) {
      const popscope::GraphVertex vertex = ir.vertices[id];
      const DotId node = boost::add_vertex(
          DotNode{fmt::format("{}\n{}", ir.codelets.at(vertex.codelet).name, ir.names[ir.computeSets[cs].name]), "box"},
          dot);
      forEachEdge(ir, vertex, node, variables, [&](DotId from, DotId to, const popscope::FieldInfo &field) {
        boost::add_edge(from, to, DotEdge{field.name}, dot);
      });
    }
  }
  write(os, dot);
}

void Graph::outputComputeGraph(std::ostream &os, ArrayRef<program::Program> progs) const {
  const GraphIr &ir = popscope::irOf(*this);
  Dot dot;
  const std::vector<ComputeSetId> order = computeSets(ir, progs);
  std::vector<DotId> nodes;
  for (const ComputeSetId cs : order)
    nodes.push_back(boost::add_vertex(DotNode{ir.names[ir.computeSets[cs].name], "box"}, dot));
  VariableNodes variables(ir, dot);
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::set<std::pair<DotId, DotId>> edges; // one edge for all vertices of the compute set
    for (const VertexId id : ir.computeSets[order[i]].vertices)
      forEachEdge(ir, ir.vertices[id], nodes[i], variables,
                  [&](DotId from, DotId to, const popscope::FieldInfo &) { edges.emplace(from, to); });
    for (const auto &edge : edges)
      boost::add_edge(edge.first, edge.second, DotEdge{}, dot);
  }
  write(os, dot);
}

} // namespace poplar
