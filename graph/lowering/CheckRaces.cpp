// CheckRaces: a sweep over the elements that one compute set touches, in the order of (variable, first element). What
// reaches furthest among the writes and among the reads so far is all that the next interval can collide with.
#include "base/Parallel.hpp"
#include "graph/lowering/CheckGraph.hpp"
#include "graph/lowering/LoweringContext.hpp"

#include <poplar/exceptions.hpp>

#include <algorithm>
#include <tuple>

namespace popscope {
namespace {

struct Interval {
  GraphVarId var;
  VertexId vertex;
  std::uint64_t begin = 0, end = 0;
  bool write = false;
};

void addRuns(const RunList &runs, VertexId vertex, bool write, std::vector<Interval> &out) {
  for (const ViewRun &run : runs) {
    if (run.count == 0)
      continue;
    if (run.stride == 1 || run.count == 1) {
      out.push_back({run.var, vertex, run.begin, run.begin + run.count, write});
      continue;
    }
    if (run.stride == 0 && !write) {
      out.push_back({run.var, vertex, run.begin, run.begin + 1, write});
      continue;
    }
    for (std::uint64_t i = 0; i < run.count; ++i) {
      const std::uint64_t e = run.begin + static_cast<std::uint64_t>(run.stride * static_cast<std::int64_t>(i));
      out.push_back({run.var, vertex, e, e + 1, write});
    }
  }
}

class RaceSweep {
public:
  RaceSweep(const GraphIr &graph, ComputeSetId cs, std::vector<VertexId> &flagged)
      : g_(graph), cs_(cs), flagged_(flagged) {}

  void run() {
    const std::vector<Interval> all = collect();
    for (const Interval &i : all) {
      if (i.var != var_) {
        var_ = i.var;
        written_ = read_ = otherRead_ = Reach();
      }
      step(i);
    }
  }

private:
  struct Reach {
    std::uint64_t end = 0;
    VertexId vertex;
  };

  std::vector<Interval> collect() const {
    std::vector<Interval> all;
    std::size_t runs = 0;
    for (const VertexId v : g_.computeSets[cs_].vertices)
      for (const GraphEdge &edge : g_.vertices[v].edges())
        runs += edge.runs.size();
    all.reserve(runs);
    for (const VertexId v : g_.computeSets[cs_].vertices) {
      const VertexClass &type = g_.codelets.at(g_.vertices[v].codelet);
      for (const GraphEdge &edge : g_.vertices[v].edges())
        addRuns(edge.runs, v, type.fields[edge.field].direction != FieldDirection::Input, all);
    }
    std::sort(all.begin(), all.end(), [](const Interval &a, const Interval &b) {
      return std::tie(a.var, a.begin, a.end, a.vertex, a.write) < std::tie(b.var, b.begin, b.end, b.vertex, b.write);
    });
    return all;
  }
  void step(const Interval &i) {
    if (i.begin < written_.end) {
      if (i.write || i.vertex != written_.vertex)
        refuse(i, written_.vertex, true);
      flagged_.push_back(i.vertex);
    }
    if (i.write) {
      for (const Reach &r : {read_, otherRead_}) {
        if (i.begin >= r.end)
          continue;
        if (r.vertex != i.vertex)
          refuse(i, r.vertex, false);
        flagged_.push_back(i.vertex);
      }
      if (i.end > written_.end)
        written_ = {i.end, i.vertex};
    } else {
      addRead({i.end, i.vertex});
    }
  }
  /// read_ reaches furthest; otherRead_ furthest among the other vertices.
  void addRead(const Reach &r) {
    if (r.vertex == read_.vertex) {
      read_.end = std::max(read_.end, r.end);
    } else if (r.end > read_.end) {
      otherRead_ = read_;
      read_ = r;
    } else if (r.end > otherRead_.end) {
      otherRead_ = r;
    }
  }
  [[noreturn]] void refuse(const Interval &i, VertexId other, bool otherWrites) const {
    const auto label = [&](VertexId v) {
      return fmt::format("vertex {} ({})", v.index(), g_.codelets.at(g_.vertices[v].codelet).name);
    };
    const std::string name = g_.names[g_.computeSets[cs_].name];
    if (i.write && otherWrites && i.vertex == other)
      throw poplar::poplar_error(fmt::format("in compute set '{}' {} writes element {} of variable '{}' more than "
                                             "once: connect its outputs to distinct elements",
                                             name, label(other), i.begin, displayName(g_, i.var)));
    throw poplar::poplar_error(fmt::format("in compute set '{}' {} {} element {} of variable '{}' that {} {}: give "
                                           "them distinct elements or separate compute sets",
                                           name, label(i.vertex), i.write ? "writes" : "reads", i.begin,
                                           displayName(g_, i.var), label(other), otherWrites ? "writes" : "reads"));
  }

  const GraphIr &g_;
  ComputeSetId cs_;
  std::vector<VertexId> &flagged_;
  GraphVarId var_;
  Reach written_, read_, otherRead_;
};

} // namespace

std::vector<VertexId> checkRaces(const GraphIr &g, const std::vector<ComputeSetId> &computeSets, Threads threads) {
  std::vector<std::vector<VertexId>> flagged(computeSets.size());
  parallelFor(threads, computeSets.size(), [&](std::size_t i) { RaceSweep(g, computeSets[i], flagged[i]).run(); });
  std::vector<VertexId> all;
  for (const auto &part : flagged)
    all.insert(all.end(), part.begin(), part.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

} // namespace popscope
