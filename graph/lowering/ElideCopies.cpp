#include "graph/lowering/ElideCopies.hpp"

#include "base/Log.hpp"
#include "graph/ir/MappingOps.hpp"
#include "graph/lowering/CheckGraph.hpp"
#include "graph/lowering/ElectForwards.hpp"
#include "graph/lowering/LoweringContext.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace popscope {
namespace {

/// Changes programs and vertices so that they name the kept variables instead of the removed variables.
class Renamer {
public:
  Renamer(GraphIr &graph, const std::vector<Forward> &forwards, Kept kept)
      : graph_(graph), kept_(kept), of_(graph.vars.size(), nullptr) {
    for (const Forward &f : forwards) {
      of_[f.gone.index()] = &f;
      gone_.insert(f.copy);
    }
  }
  void run(std::vector<ProgramPtr> &programs) {
    for (ProgramPtr &program : programs)
      program = copied(program);
    for (auto &function : graph_.functions)
      function.body = copied(function.body);
    for (std::size_t i = 0; i != graph_.vertices.size(); ++i) {
      const VertexId v = graph_.vertices.idAt(i);
      for (std::size_t e = 0; e != graph_.vertices[v].edges().size(); ++e)
        if (const GraphEdge edge = graph_.vertices[v].edges()[e]; names(edge.runs))
          graph_.vertices.replaceRuns(v, e, renamed(edge.runs));
    }
  }

private:
  /// Returns a copy of the program, or null for an elided copy. Copies of trees share the copies of shared programs.
  ProgramPtr copied(const ProgramPtr &program) {
    if (!program || gone_.count(program.get()) != 0)
      return nullptr;
    if (const auto known = copies_.find(program.get()); known != copies_.end())
      return known->second;
    auto node = std::make_shared<ProgramNode>(*program);
    for (ProgramPtr &child : node->children)
      child = copied(child);
    if (node->kind == ProgramKind::WriteUndef && kept_ == Kept::Source)
      drop(node->a);
    rename(node->a);
    rename(node->b);
    rename(node->offset);
    copies_.emplace(program.get(), node);
    return node;
  }
  /// Removes the elided variables from a WriteUndef, because the variables that replace the elided variables must keep
  /// their values.
  void drop(View &view) const {
    const auto goes = [&](const ViewRun &run) { return of_[run.var.index()] != nullptr; };
    if (std::none_of(view.runs.begin(), view.runs.end(), goes))
      return;
    std::vector<ViewRun> stay;
    std::remove_copy_if(view.runs.begin(), view.runs.end(), std::back_inserter(stay), goes);
    view.runs = stay;
    view.shape = {viewCount(view)};
  }
  [[nodiscard]] bool names(const RunList &runs) const {
    return std::any_of(runs.begin(), runs.end(), [&](const ViewRun &run) { return of_[run.var.index()] != nullptr; });
  }
  [[nodiscard]] ViewRuns renamed(const RunList &old) const {
    RunBuilder runs;
    for (const ViewRun &run : old)
      if (const Forward *f = of_[run.var.index()])
        append(*f, run, runs);
      else
        runs.append(run);
    return runs.take();
  }
  void rename(View &view) const {
    if (names(view))
      view.runs = renamed(view);
  }
  static void append(const Forward &f, const ViewRun &run, RunBuilder &runs) {
    for (std::uint64_t i = 0; i < run.count;) {
      const auto piece =
          std::prev(std::upper_bound(f.pieces.begin(), f.pieces.end(), run.at(i),
                                     [](std::uint64_t element, const ForwardPiece &p) { return element < p.begin; }));
      ViewRun part = run;
      part.var = piece->source;
      part.begin = piece->sourceBegin + (run.at(i) - piece->begin);
      part.count = lengthWithin(run, i, piece->begin, piece->begin + piece->count);
      runs.append(part);
      i += part.count;
    }
  }

  GraphIr &graph_;
  Kept kept_;
  std::vector<const Forward *> of_; // by variable
  std::set<const ProgramNode *> gone_;
  std::unordered_map<const ProgramNode *, ProgramPtr> copies_; // lookup only
};

} // namespace

std::unique_ptr<ElidedGraph> elideCopies(const GraphIr &graph, const std::vector<ProgramPtr> &programs) {
  if (!graph.splits.empty())
    return nullptr;
  const GraphUses uses = collectUses(graph, programs);
  checkGraph(graph, uses);
  checkMapping(graph, uses);
  std::unique_ptr<ElidedGraph> result;
  const LogChannel log("lowering");
  for (Kept kept = Kept::Source;;) {
    const std::vector<Forward> elected =
        electForwards(result ? result->graph : graph, result ? result->programs : programs, kept);
    if (elected.empty()) {
      if (kept == Kept::Destination)
        return result;
      kept = Kept::Destination;
      continue;
    }
    if (!result) {
      result = std::make_unique<ElidedGraph>();
      result->graph = graph;
      result->programs = programs;
    }
    result->copies += elected.size();
    for (const Forward &f : elected)
      log.debug("ElideCopies: copy \"{}\" is gone: \"{}\", {} elements, is now {} variables that stay", f.copy->name,
                result->graph.names[result->graph.vars[f.gone].name], result->graph.vars[f.gone].elements,
                f.sources.size());
    Renamer(result->graph, elected, kept).run(result->programs);
  }
}

} // namespace popscope
