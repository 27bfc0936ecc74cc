#include "ReferenceLower.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace popscope {
namespace {

using Element = std::pair<std::uint32_t, std::uint64_t>; // variable, element

std::uint32_t ownerOf(const GraphIr &g, const Element &e) {
  for (const MappedRange &m : g.vars[GraphVarId(e.first)].mapping)
    if (m.begin <= e.second && e.second < m.end)
      return m.tile.index();
  return ~0u;
}

/// Returns the position of the element among those of its variable on its tile.
std::uint64_t positionOf(const GraphIr &g, const Element &e) {
  const std::uint32_t owner = ownerOf(g, e);
  std::uint64_t n = 0;
  for (const MappedRange &m : g.vars[GraphVarId(e.first)].mapping) // ranges do not overlap
    if (m.tile.index() == owner && m.begin < e.second)
      n += std::min(m.end, e.second) - m.begin;
  return n;
}

bool inPlace(const GraphIr &g, const std::vector<Element> &elements, std::uint32_t tile) {
  for (std::size_t i = 0; i < elements.size(); ++i)
    if (ownerOf(g, elements[i]) != tile || (i > 0 && (elements[i].first != elements[0].first ||
                                                      positionOf(g, elements[i]) != positionOf(g, elements[0]) + i)))
      return false;
  return true;
}

using Memory = std::vector<std::vector<std::uint64_t>>; // tokens by home and element

class Replay {
public:
  Replay(const GraphIr &graph, const StepProgram &program) : g_(graph), p_(program) {
    for (const Home &home : p_.homes)
      memory_.emplace_back(home.elements, 0);
    for (std::uint32_t v = 0; v < g_.vars.size(); ++v)
      if (g_.vars[GraphVarId(v)].constant)
        placeConstant(v);
      else
        for (std::uint64_t e = 0; e < g_.vars[GraphVarId(v)].elements; ++e)
          if (const Element element{v, e}; ownerOf(g_, element) != ~0u)
            expected_[element] = isPlaced(v) ? at(element) = ++lastToken_ : (unplaced_[element] = ++lastToken_);
  }

  std::string run(const std::vector<ProgramPtr> &leaves) {
    std::uint32_t s = 1;
    for (std::size_t next = 0; next < leaves.size();) {
      // The steps of one source, or of merged copies and a compute set: as many leaves as were merged. Each leaf sees
      // the results of the previous one.
      std::uint32_t end = s;
      const SourceId source = s < p_.steps.size() ? p_.steps[StepIndex(s)].source : SourceId();
      while (source.valid() && end < p_.steps.size() && p_.steps[StepIndex(end)].source == source)
        ++end;
      for (std::size_t members = membersOf(s, end); next < leaves.size() && (members > 0 || idle(*leaves[next]));
           ++next) {
        if (idle(*leaves[next]))
          continue;
        expect(*leaves[next]);
        --members;
      }
      if (s == end && next < leaves.size())
        return "a program without steps";
      for (; s < end; ++s)
        step(p_.steps[StepIndex(s)]);
      for (const auto &entry : expected_)
        if (!g_.vars[GraphVarId(entry.first.first)].constant && found(entry.first) != entry.second && problem_.empty())
          problem_ =
              fmt::format("element {} of variable {} is wrong after a program", entry.first.second, entry.first.first);
      if (!problem_.empty())
        return problem_;
    }
    return s == p_.steps.size() ? "" : "steps are left over";
  }

private:
  /// Returns whether the leaf copies elements onto themselves, which needs no steps.
  static bool idle(const ProgramNode &leaf) {
    return leaf.kind == ProgramKind::Copy && viewElements(leaf.a) == viewElements(leaf.b);
  }
  std::size_t membersOf(std::uint32_t begin, std::uint32_t end) const {
    std::size_t members = 0;
    for (std::uint32_t s = begin; s < end; ++s)
      for (std::uint32_t a = p_.steps[StepIndex(s)].firstAccess;
           a < p_.steps[StepIndex(s)].firstAccess + p_.steps[StepIndex(s)].numAccesses; ++a)
        members = std::max<std::size_t>(members, p_.accesses[a].member + std::size_t(1));
    return members;
  }
  /// Gives equal elements of constants one token, on every tile that holds them.
  void placeConstant(std::uint32_t v) {
    const GraphVar &constant = g_.vars[GraphVarId(v)];
    for (std::uint64_t e = 0; e < constant.elements; ++e) {
      std::uint64_t &token = tokens_[{constant.initial.begin() + static_cast<std::ptrdiff_t>(4 * e),
                                      constant.initial.begin() + static_cast<std::ptrdiff_t>(4 * e + 4)}];
      expected_[{v, e}] = token != 0 ? token : token = ++lastToken_;
    }
    const StepVar &var = p_.vars[VarId(v)];
    for (std::uint32_t p = var.firstPiece; p < var.firstPiece + var.numPieces; ++p)
      for (std::uint64_t e = p_.pieces[p].elements.begin; e < p_.pieces[p].elements.end; ++e)
        memory_[p_.pieces[p].home.index()].at(p_.pieces[p].homeElement + e - p_.pieces[p].elements.begin) =
            expected_[{v, e}];
  }
  std::uint64_t &at(const Element &e) {
    for (std::uint32_t h = 0; h < p_.homes.size(); ++h)
      if (p_.homes[HomeId(h)].var.index() == e.first && p_.homes[HomeId(h)].tile.index() == ownerOf(g_, e))
        return memory_[h].at(positionOf(g_, e));
    return missing_;
  }
  /// Returns whether the variable has homes. A variable without homes keeps its values: no program may write it, and
  /// none can read it.
  bool isPlaced(std::uint32_t variable) const { return p_.vars[VarId(variable)].numHomes > 0; }
  std::uint64_t found(const Element &e) { return isPlaced(e.first) ? at(e) : unplaced_.at(e); }
  std::uint64_t &cell(HomeId home, std::uint64_t byte) { return memory_[home.index()].at(byte / 4); }

  void expect(const ProgramNode &p) {
    if (p.kind == ProgramKind::Copy) {
      const auto from = viewElements(p.a), to = viewElements(p.b);
      const auto old = expected_;
      for (std::size_t i = 0; i < to.size(); ++i)
        expected_[to[i]] = old.at(from[i]);
      return;
    }
    before_ = expected_; // the values that vertices see; copies that run with them may not change these
    for (const VertexId v : g_.computeSets[p.as<ExecuteArguments>().computeSet].vertices)
      for (const GraphEdge &edge : g_.vertices[v].edges())
        if (g_.codelets.at(g_.vertices[v].codelet).fields[edge.field].direction != FieldDirection::Input) {
          const auto elements = viewElements(edge.runs);
          for (std::size_t i = 0; i < elements.size(); ++i)
            expected_[elements[i]] = token(v, edge.field, i);
        }
  }
  static std::uint64_t token(VertexId v, std::uint16_t field, std::size_t i) {
    return (v.index() + std::uint64_t(1)) * 1000000 + field * std::uint64_t(10000) + i;
  }

  void step(const Step &s) {
    if (s.kind == StepKind::DoExchange || s.kind == StepKind::GlobalExchange) {
      const Memory old = memory_; // all sends happen before all receives
      const ExchangeStep &e = p_.exchanges[s.payload];
      for (std::uint32_t m = e.firstMessage; m < e.firstMessage + e.numMessages; ++m)
        for (std::uint64_t b = 0; b < p_.messages[m].bytes.count(); b += 4)
          cell(p_.messages[m].dst, p_.messages[m].dstOffset.count() + b) =
              old[p_.messages[m].src.index()].at((p_.messages[m].srcOffset.count() + b) / 4);
    } else if (s.kind == StepKind::OnTileExecute) {
      execute(p_.executes[s.payload]);
    }
  }
  // Returns the token that a fill writes: the first element of a constant.
  std::uint64_t fillToken(const CopyRun &run) const {
    for (std::size_t v = 0; v < g_.vars.size(); ++v)
      if (p_.vars[VarId(static_cast<std::uint32_t>(v))].initialData == static_cast<std::int64_t>(run.srcOffset.count()))
        return expected_.at({static_cast<std::uint32_t>(v), 0});
    return missing_;
  }
  void execute(const ExecuteStep &e) {
    for (std::uint32_t c = e.firstCopy; c < e.firstCopy + e.numCopies; ++c)
      for (std::uint32_t r = p_.copies[c].firstRun; r < p_.copies[c].firstRun + p_.copies[c].numRuns; ++r)
        for (std::uint64_t b = 0; b < p_.copyRuns[r].bytes.count(); b += 4)
          cell(p_.copyRuns[r].dst, p_.copyRuns[r].dstOffset.count() + b) =
              p_.copyRuns[r].src.valid() ? cell(p_.copyRuns[r].src, p_.copyRuns[r].srcOffset.count() + b)
                                         : fillToken(p_.copyRuns[r]);
    for (std::uint32_t v = e.firstVertex; v < e.firstVertex + e.numVertices; ++v)
      vertex(p_.vertices[v]);
  }
  void vertex(const StepVertex &v) {
    const GraphVertex g = g_.vertices[VertexId(static_cast<std::uint32_t>(v.id))];
    // Handles writes first, so that a read that would see a new value of this or an earlier vertex is detected.
    for (const bool writes : {true, false})
      for (const VertexEdge edge : p_.edgesOf(v)) {
        for (const GraphEdge &original : g.edges())
          if (original.field == edge.field) {
            const auto elements = viewElements(original.runs);
            for (std::size_t i = 0; i < elements.size(); ++i) {
              std::uint64_t &value = cell(edge.home, edge.offset.count() + 4 * i);
              if (edge.reads && (writes || !edge.writes) && writes == edge.writes && value != before_[elements[i]] &&
                  problem_.empty())
                problem_ = fmt::format("vertex {} reads a wrong element {} through field {}", v.id, i, edge.field);
              if (writes && edge.writes)
                value = token(VertexId(static_cast<std::uint32_t>(v.id)), edge.field, i);
            }
          }
      }
  }

  const GraphIr &g_;
  const StepProgram &p_;
  Memory memory_;
  std::map<Element, std::uint64_t> expected_, before_, unplaced_;
  std::uint64_t lastToken_ = 0, missing_ = 0;
  std::map<std::string, std::uint64_t> tokens_; // of constants, by bytes
  std::string problem_;
};

} // namespace

std::vector<Element> viewElements(const RunList &runs) {
  std::vector<Element> elements;
  for (const ViewRun &run : runs)
    for (std::uint64_t i = 0; i < run.count; ++i)
      elements.emplace_back(run.var.index(),
                            run.begin + static_cast<std::uint64_t>(run.stride * static_cast<std::int64_t>(i)));
  return elements;
}

namespace {
/// Calls f(edge direction, tile, elements) for the operands of a compute set that are not in place.
template <class F> void forBuffered(const GraphIr &g, ComputeSetId cs, const F &f) {
  for (const VertexId v : g.computeSets[cs].vertices)
    for (const GraphEdge &edge : g.vertices[v].edges()) {
      const std::uint32_t tile = g.vertices[v].tile.index();
      const auto elements = viewElements(edge.runs);
      if (!inPlace(g, elements, tile))
        f(g.codelets.at(g.vertices[v].codelet).fields[edge.field].direction, tile, elements);
    }
}
bool travels(const GraphIr &g, const Element &e, std::uint32_t tile) {
  return ownerOf(g, e) != tile && !g.vars[GraphVarId(e.first)].constant; // constants do not travel
}
} // namespace

std::map<std::uint32_t, std::uint64_t> sentBytes(const GraphIr &g, ComputeSetId cs) {
  std::map<std::uint32_t, std::uint64_t> bytes;
  forBuffered(g, cs, [&](FieldDirection direction, std::uint32_t tile, const std::vector<Element> &elements) {
    for (const Element &e : elements)
      if (direction != FieldDirection::Input && travels(g, e, tile))
        bytes[ownerOf(g, e)] += 4;
  });
  return bytes;
}

ReceivedBytes receivedBytes(const GraphIr &g, ComputeSetId cs) {
  ReceivedBytes bytes;
  std::set<std::pair<std::uint32_t, Element>> once;
  std::set<std::pair<std::uint32_t, std::vector<Element>>> views;
  forBuffered(g, cs, [&](FieldDirection direction, std::uint32_t tile, const std::vector<Element> &elements) {
    if (direction == FieldDirection::Output)
      return;
    const bool own = direction == FieldDirection::InOut, newView = own || views.insert({tile, elements}).second;
    for (const Element &e : elements)
      if (travels(g, e, tile)) {
        if (own || once.insert({tile, e}).second)
          bytes.least[tile] += 4;
        if (newView)
          bytes.most[tile] += 4;
      }
  });
  return bytes;
}

std::string replay(const GraphIr &graph, const std::vector<ProgramPtr> &leaves, const StepProgram &program) {
  return Replay(graph, program).run(leaves);
}

} // namespace popscope
