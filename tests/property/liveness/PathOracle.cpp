#include "tests/property/liveness/PathOracle.hpp"

#include "graph/ir/ProgramKinds.hpp"

#include <algorithm>
#include <set>

namespace popscope::testing {
namespace {

using Element = std::pair<std::uint32_t, std::uint64_t>;

std::set<Element> elementsOf(const RunList &runs) {
  std::set<Element> out;
  for (const ViewRun &run : runs)
    for (std::uint64_t i = 0; i < run.count; ++i)
      out.insert({run.var.index(), run.begin + static_cast<std::uint64_t>(run.stride * static_cast<std::int64_t>(i))});
  return out;
}

} // namespace

PathOracle::PathOracle(const GraphIr &graph, const std::vector<ProgramPtr> &programs) : graph_(graph) {
  const std::size_t start = add({}); // the engine may run any program any number of times
  std::vector<std::size_t> entries;
  for (const ProgramPtr &p : programs)
    entries.push_back(flow(p, start));
  for (const HostAccess &a : graph.hostWrites)
    entries.push_back(hostAccess(a.view, true, start));
  for (const HostAccess &a : graph.hostReads)
    entries.push_back(hostAccess(a.view, false, start));
  nodes_[start].next = entries;
  const std::vector<bool> reached = reachedFrom(start);
  std::vector<bool> everRead(graph.vars.size(), false); // by any compiled program, executed or not
  for (std::size_t n = 0; n < nodes_.size(); ++n)
    for (std::size_t v = 0; v < everRead.size(); ++v)
      everRead[v] = everRead[v] || nodes_[n].reads[v];
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    if (nodes_[n].point.empty() || !reached[n])
      continue;
    std::vector<bool> &live = liveAt_[nodes_[n].point];
    live.resize(graph.vars.size());
    for (std::size_t v = 0; v < graph.vars.size(); ++v)
      live[v] = live[v] || (graph.vars.raw()[v].constant ? everRead[v] : lives(n, v));
  }
}

std::size_t PathOracle::add(std::vector<std::size_t> next) {
  Node node;
  node.reads.resize(graph_.vars.size());
  node.kills.resize(graph_.vars.size());
  node.next = std::move(next);
  nodes_.push_back(std::move(node));
  return nodes_.size() - 1;
}

void PathOracle::reads(std::size_t node, const RunList &view) {
  for (const Element &e : elementsOf(view))
    nodes_[node].reads[e.first] = true;
}

void PathOracle::writes(std::size_t node, const std::vector<RunList> &views) {
  std::set<Element> written;
  for (const RunList &view : views)
    for (const Element &e : elementsOf(view))
      written.insert(e);
  std::vector<std::uint64_t> count(graph_.vars.size(), 0);
  for (const Element &e : written)
    ++count[e.first];
  for (std::size_t v = 0; v < count.size(); ++v)
    nodes_[node].kills[v] = count[v] == graph_.vars.raw()[v].elements;
}

void PathOracle::executes(std::size_t node, const ProgramNode &p) {
  std::vector<RunList> written{p.a}; // the result, if any
  for (const VertexId v : graph_.computeSets[p.as<ExecuteArguments>().computeSet].vertices)
    for (const GraphEdge &edge : graph_.vertices[v].edges()) {
      const FieldDirection direction = graph_.codelets.at(graph_.vertices[v].codelet).fields[edge.field].direction;
      if (direction != FieldDirection::Output)
        reads(node, edge.runs);
      if (direction != FieldDirection::Input)
        written.push_back(edge.runs);
    }
  writes(node, written);
}

std::size_t PathOracle::hostAccess(const View &view, bool write, std::size_t next) {
  const std::size_t node = add({next});
  if (write)
    writes(node, {view});
  else
    reads(node, view);
  return node;
}

std::size_t PathOracle::leaf(const ProgramNode &p, std::size_t next) {
  const std::size_t node = add({next});
  const ProgramKindRow &row = programKindRow(p.kind);
  if (p.kind == ProgramKind::Execute) {
    executes(node, p);
    return node;
  }
  if (row.a == ViewRole::Read)
    reads(node, p.a);
  reads(node, p.offset);
  if (row.a == ViewRole::Undef)
    writes(node, {p.a});
  if (row.b != ViewRole::None)
    writes(node, {p.b});
  if (p.kind == ProgramKind::Abort || p.kind == ProgramKind::ErrorProgram)
    nodes_[node].next.clear();
  if (p.kind == ProgramKind::Sync)
    nodes_[node].point = p.name;
  return node;
}

std::size_t PathOracle::flowAll(const std::vector<ProgramPtr> &children, std::size_t next) {
  for (std::size_t i = children.size(); i-- > 0;)
    next = flow(children[i], next);
  return next;
}

std::size_t PathOracle::flow(const ProgramPtr &program, std::size_t next) {
  if (!program)
    return next;
  const ProgramNode &p = *program;
  const auto child = [&](std::size_t i) { return i < p.children.size() ? p.children[i] : nullptr; };
  switch (p.kind) {
  case ProgramKind::Sequence:
  case ProgramKind::Block: return flowAll(p.children, next);
  case ProgramKind::Call: return flow(graph_.functions[p.as<CallArguments>().function].body, add({next}));
  case ProgramKind::Repeat: {
    const std::size_t again = add({next});
    const std::size_t body = flow(child(0), again);
    if (p.as<RepeatArguments>().count == 0)
      return next;                         // the body is compiled but never entered
    if (p.as<RepeatArguments>().count > 1) // docs/LIVENESS.md, Control flow
      nodes_[again].next.push_back(body);
    return body;
  }
  case ProgramKind::RepeatWhileTrue:
  case ProgramKind::RepeatWhileFalse: {
    const std::size_t test = add({next});
    reads(test, p.a);
    const std::size_t condition = flow(child(0), test);
    const std::size_t body = flow(child(1), condition);
    nodes_[test].next.push_back(body);
    return condition;
  }
  case ProgramKind::If: {
    const std::size_t test = add({});
    reads(test, p.a);
    const std::size_t yes = flow(child(0), next), no = flow(child(1), next);
    nodes_[test].next = {yes, no};
    return test;
  }
  case ProgramKind::Switch: {
    const std::size_t test = add({});
    reads(test, p.a);
    std::vector<std::size_t> arms;
    for (const ProgramPtr &arm : p.children)
      arms.push_back(flow(arm, next));
    if (!p.as<SwitchArguments>().hasDefault)
      arms.push_back(next);
    nodes_[test].next = arms;
    return test;
  }
  case ProgramKind::Execute:
  case ProgramKind::Copy:
  case ProgramKind::StreamToTensor:
  case ProgramKind::TensorToStream:
  case ProgramKind::RemoteToTensor:
  case ProgramKind::TensorToRemote:
  case ProgramKind::WriteUndef:
  case ProgramKind::Sync:
  case ProgramKind::PrintTensor:
  case ProgramKind::ErrorProgram:
  case ProgramKind::Abort:
  case ProgramKind::AbortOnCondition:
  case ProgramKind::CrossReplicaCopy:
  case ProgramKind::AssumeEqualAcrossReplicas:
  case ProgramKind::ReadTileRegister:
  case ProgramKind::WriteTileRegister: break;
  }
  return leaf(p, next);
}

std::vector<bool> PathOracle::reachedFrom(std::size_t start) const {
  std::vector<bool> seen(nodes_.size(), false);
  std::vector<std::size_t> todo{start};
  while (!todo.empty()) {
    const std::size_t at = todo.back();
    todo.pop_back();
    if (seen[at])
      continue;
    seen[at] = true;
    todo.insert(todo.end(), nodes_[at].next.begin(), nodes_[at].next.end());
  }
  return seen;
}

bool PathOracle::lives(std::size_t from, std::size_t var) const {
  std::vector<bool> seen(nodes_.size(), false);
  std::vector<std::size_t> todo{from};
  while (!todo.empty()) {
    const std::size_t at = todo.back();
    todo.pop_back();
    if (seen[at])
      continue;
    seen[at] = true;
    if (nodes_[at].reads[var])
      return true;
    if (!nodes_[at].kills[var])
      todo.insert(todo.end(), nodes_[at].next.begin(), nodes_[at].next.end());
  }
  return false;
}

} // namespace popscope::testing
