// CheckRaces: first marks each element that a compute set writes with one bit. Most sets write every element once and
// read none of these elements; such sets need no sorting. For other sets, sweeps over the accesses in the order of
// (variable, first element). Invariant: if the next interval collides with an earlier interval, the next interval also
// collides with the write or the read that reaches furthest so far.
#include "base/Check.hpp"
#include "base/Parallel.hpp"
#include "graph/lowering/CheckGraph.hpp"
#include "graph/lowering/LoweringContext.hpp"

#include <poplar/exceptions.hpp>

#include <algorithm>
#include <array>
#include <tuple>

namespace popscope {
namespace {

/// One bit per element of the graph's variables, in pages that exist only if one of their bits is set.
class ElementMarks {
public:
  explicit ElementMarks(const GraphIr &graph) {
    firstPage_.reserve(graph.vars.size());
    for (const GraphVar &var : graph.vars) {
      firstPage_.push_back(numPages_);
      numPages_ += (var.elements + kPageBits - 1) / kPageBits;
      if (numPages_ > kMaxPages)
        return;
    }
    pageOf_.resize(numPages_, 0);
  }
  /// Returns false if the variables have too many elements for a table of pages.
  [[nodiscard]] bool usable() const { return numPages_ <= kMaxPages; }
  /// Sets the bits of [begin, end). Returns false if one of these bits was already set; the other bits are then
  /// undefined.
  bool set(GraphVarId var, std::uint64_t begin, std::uint64_t end) {
    return eachWord(var, begin, end, [&](std::uint64_t page, std::uint64_t word, std::uint64_t bits) {
      if (pageOf_[page] == 0)
        open(page);
      std::uint64_t &known = pages_[pageOf_[page] - 1][word];
      const bool free = (known & bits) == 0;
      known |= bits;
      return free;
    });
  }
  [[nodiscard]] bool none(GraphVarId var, std::uint64_t begin, std::uint64_t end) const {
    return eachWord(var, begin, end, [&](std::uint64_t page, std::uint64_t word, std::uint64_t bits) {
      return pageOf_[page] == 0 || (pages_[pageOf_[page] - 1][word] & bits) == 0;
    });
  }
  void clear() {
    for (const std::uint64_t page : opened_)
      pageOf_[page] = 0;
    opened_.clear();
    pages_.clear();
  }

private:
  static constexpr std::uint64_t kPageBits = 4096, kMaxPages = std::uint64_t(1) << 24;

  /// Calls use(page, word, bits) for each word as long as use returns true. Returns whether every call returned true.
  template <class Use> bool eachWord(GraphVarId var, std::uint64_t begin, std::uint64_t end, const Use &use) const {
    while (begin < end) {
      const std::uint64_t stop = std::min(end, begin / 64 * 64 + 64);
      const std::uint64_t bits = (~std::uint64_t(0) << (begin % 64)) & (~std::uint64_t(0) >> (63 - (stop - 1) % 64));
      if (!use(firstPage_[var.index()] + begin / kPageBits, begin % kPageBits / 64, bits))
        return false;
      begin = stop;
    }
    return true;
  }
  void open(std::uint64_t page) {
    pages_.emplace_back();
    pages_.back().fill(0);
    pageOf_[page] = static_cast<std::uint32_t>(pages_.size());
    opened_.push_back(page);
  }

  std::uint64_t numPages_ = 0;
  std::vector<std::uint64_t> firstPage_; // by variable
  std::vector<std::uint32_t> pageOf_;    // 0 = none, otherwise its number in pages_ plus one
  std::vector<std::array<std::uint64_t, kPageBits / 64>> pages_;
  std::vector<std::uint64_t> opened_;
};

/// Returns whether the compute set writes no element twice and reads no element that it writes. `marks` must be empty,
/// and is empty afterwards.
bool writesOnceReadsOthers(const GraphIr &g, ComputeSetId cs, ElementMarks &marks) {
  if (!marks.usable())
    return false;
  const auto each = [&](bool writes, const auto &use) {
    for (const VertexId v : g.computeSets[cs].vertices) {
      const GraphVertex vertex = g.vertices[v];
      const std::vector<FieldInfo> &fields = g.codelets.at(vertex.codelet).fields;
      for (const GraphEdge &edge : vertex.edges())
        if ((fields[edge.field].direction != FieldDirection::Input) == writes)
          for (const ViewRun &run : edge.runs)
            if (!eachRange(run, !writes,
                           [&](std::uint64_t begin, std::uint64_t end) { return use(run.var, begin, end); }))
              return false;
    }
    return true;
  };
  const bool apart =
      each(true, [&](GraphVarId var, std::uint64_t begin, std::uint64_t end) { return marks.set(var, begin, end); }) &&
      each(false, [&](GraphVarId var, std::uint64_t begin, std::uint64_t end) { return marks.none(var, begin, end); });
  marks.clear();
  return apart;
}

/// A range of elements that a vertex reads or writes.
struct VertexTouch {
  GraphVarId var;
  VertexId vertex;
  std::uint64_t begin = 0, end = 0;
  bool write = false;
};

void addRuns(const RunList &runs, VertexId vertex, bool write, std::vector<VertexTouch> &out) {
  for (const ViewRun &run : runs)
    if (run.count != 0)
      eachRange(run, !write, [&](std::uint64_t begin, std::uint64_t end) {
        out.push_back({run.var, vertex, begin, end, write});
        return true;
      });
}

class RaceSweep {
public:
  RaceSweep(const GraphIr &graph, ComputeSetId cs, std::vector<VertexId> &flagged)
      : g_(graph), cs_(cs), flagged_(flagged) {}

  void run() {
    const std::vector<VertexTouch> all = collect();
    for (const VertexTouch &i : all) {
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

  std::vector<VertexTouch> collect() const {
    std::vector<VertexTouch> all;
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
    std::sort(all.begin(), all.end(), [](const VertexTouch &a, const VertexTouch &b) {
      return std::tie(a.var, a.begin, a.end, a.vertex, a.write) < std::tie(b.var, b.begin, b.end, b.vertex, b.write);
    });
    return all;
  }
  void step(const VertexTouch &i) {
    if (i.begin < written_.end) {
      if (i.write || i.vertex != written_.vertex)
        refuse(i, written_, true);
      flagged_.push_back(i.vertex);
    }
    if (i.write) {
      for (const Reach &r : {read_, otherRead_}) {
        if (i.begin >= r.end)
          continue;
        if (r.vertex != i.vertex)
          refuse(i, r, false);
        flagged_.push_back(i.vertex);
      }
      if (i.end > written_.end)
        written_ = {i.end, i.vertex};
    } else {
      addRead({i.end, i.vertex});
    }
  }
  /// Adds a read. read_ is the read that reaches furthest; otherRead_ is the read of another vertex that reaches
  /// furthest.
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
  [[noreturn]] void refuse(const VertexTouch &i, const Reach &other, bool otherWrites) const {
    const auto label = [&](VertexId v) {
      return fmt::format("vertex {} ({})", v.index(), g_.codelets.at(g_.vertices[v].codelet).name);
    };
    const std::string name = g_.names[g_.computeSets[cs_].name],
                      elements = elementsText(i.begin, std::min(i.end, other.end));
    const std::vector<std::string> fields = fieldsAt(i.vertex, i.var, i.begin, i.write);
    if (i.write && otherWrites && i.vertex == other.vertex)
      throw poplar::graph_cycle_error(fmt::format(
          "in compute set '{}' {} writes {} of variable '{}' more than once, by its fields {}: connect its outputs to "
          "distinct elements",
          name, label(i.vertex), elements, displayName(g_, i.var), fmt::join(fields, " and ")));
    throw poplar::graph_cycle_error(fmt::format(
        "in compute set '{}' {} {} {} of variable '{}' that {} {}, by their fields {} and {}: give them distinct "
        "elements or separate compute sets",
        name, label(i.vertex), i.write ? "writes" : "reads", elements, displayName(g_, i.var), label(other.vertex),
        otherWrites ? "writes" : "reads", fields.front(), fieldsAt(other.vertex, i.var, i.begin, otherWrites).front()));
  }
  static std::string elementsText(std::uint64_t begin, std::uint64_t end) {
    return end - begin == 1 ? fmt::format("element {}", begin) : fmt::format("elements [{}, {})", begin, end);
  }
  /// Returns the fields by which the vertex writes (or reads) the element, once per access, each with the range of the
  /// access: "'out' (elements [0, 4))".
  [[nodiscard]] std::vector<std::string> fieldsAt(VertexId vertex, GraphVarId var, std::uint64_t element,
                                                  bool writes) const {
    std::vector<std::string> found;
    const VertexClass &type = g_.codelets.at(g_.vertices[vertex].codelet);
    for (const GraphEdge &edge : g_.vertices[vertex].edges()) {
      const FieldInfo &field = type.fields[edge.field];
      if (writes != (field.direction != FieldDirection::Input))
        continue;
      std::vector<VertexTouch> touches;
      addRuns(edge.runs, vertex, writes, touches);
      for (const VertexTouch &i : touches)
        if (i.var == var && i.begin <= element && element < i.end)
          found.push_back(fmt::format("'{}{}' ({})", field.name,
                                      field.shape == FieldShape::Scalar || field.shape == FieldShape::Vector
                                          ? std::string()
                                          : fmt::format("[{}]", edge.subIndex),
                                      elementsText(i.begin, i.end)));
    }
    POPSCOPE_CHECK(!found.empty(), "vertex {} does not access element {}", vertex.index(), element);
    return found;
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
  // Each lane takes sets in order, so the first mistake of the lowest lane is the first of all.
  const std::size_t lanes = std::min<std::size_t>(computeSets.size(), std::size_t(4) * threads.count());
  parallelFor(threads, lanes, [&](std::size_t lane) {
    ElementMarks marks(g);
    for (std::size_t i = computeSets.size() * lane / lanes; i < computeSets.size() * (lane + 1) / lanes; ++i)
      if (!writesOnceReadsOthers(g, computeSets[i], marks))
        RaceSweep(g, computeSets[i], flagged[i]).run();
  });
  std::vector<VertexId> all;
  for (const auto &part : flagged)
    all.insert(all.end(), part.begin(), part.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

} // namespace popscope
