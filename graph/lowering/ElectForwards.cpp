#include "graph/lowering/ElectForwards.hpp"

#include "graph/ir/ProgramKinds.hpp"
#include "graph/lowering/LoweringContext.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace popscope {
namespace {

/// The places at which a body is nested in other bodies.
struct ProgramBody {
  std::vector<ProgramPlace> parents; // none = a program of the engine
  std::uint32_t items = 0;
};
struct PlacedLeaf {
  const ProgramNode *program = nullptr;
  ProgramPlace at;
};

class BodyWalk {
public:
  explicit BodyWalk(const GraphIr &graph) : graph_(graph) {}
  std::vector<ProgramBody> bodies;
  std::vector<PlacedLeaf> leaves; // including control programs, which read their operand

  void addBody(const ProgramPtr &program, const std::vector<ProgramPlace> &parents) {
    const auto body = static_cast<std::uint32_t>(bodies.size());
    bodies.push_back({parents, 0});
    walk(program, body);
  }

private:
  void walk(const ProgramPtr &program, std::uint32_t body) {
    if (!program)
      return;
    if (program->kind == ProgramKind::Sequence) {
      for (const ProgramPtr &child : program->children)
        walk(child, body);
      return;
    }
    const ProgramPlace at{body, bodies[body].items++};
    leaves.push_back({program.get(), at});
    for (const ProgramPtr &child : program->children)
      addBody(child, {at});
    if (program->kind == ProgramKind::Call)
      call(program->as<CallArguments>().function, at);
  }
  void call(FunctionId f, ProgramPlace at) {
    const auto known = functions_.find(f.index());
    if (known != functions_.end()) {
      bodies[known->second].parents.push_back(at);
      return;
    }
    functions_.emplace(f.index(), static_cast<std::uint32_t>(bodies.size()));
    addBody(graph_.functions[f].body, {at});
  }

  const GraphIr &graph_;
  std::unordered_map<std::uint32_t, std::uint32_t> functions_; // lookup only
};

/// Problem: find the copies that can be removed. Idea: removing a copy removes one variable and keeps others. Each of
/// these variables has a list of sites. A site is a place in a body at which a program reads or writes the variable. A
/// body is a straight line of items. Replacing a nested site by the item that contains it (itemsIn) reduces "before",
/// "after" and "between" to comparisons of item numbers. Invariant: no elected copy has a source that another elected
/// copy removes. Cost: linear in the sites; each lookup walks the enclosing bodies.
class Elider {
public:
  Elider(const GraphIr &graph, const std::vector<ProgramPtr> &programs, Kept kept)
      : graph_(graph), kept_(kept), walk_(graph), role_(graph.vars.size(), kNone) {
    for (const ProgramPtr &program : programs)
      walk_.addBody(program, {});
    collect();
    if (candidates_.empty())
      return;
    for (const HostAccess &access : graph.hostWrites) {
      refuse(access.view);
      eachVariable(access.view, [&](GraphVarId var) { hostWrites_.insert(var); });
    }
    for (const HostAccess &access : graph.hostReads)
      refuse(access.view);
    for (const PlacedLeaf &leaf : walk_.leaves)
      addSites(leaf);
    elect();
  }
  [[nodiscard]] std::vector<Forward> takeElected() { return std::move(elected_); }

private:
  static constexpr std::uint32_t kNone = ~std::uint32_t(0), kSource = kNone - 1; // otherwise: number of a candidate
  struct Site {
    ProgramPlace at;
    const ProgramNode *program = nullptr;
    bool write = false;
  };
  struct SetUse {
    GraphVarId var;
    bool read = false, write = false;
  };

  void collect() {
    HomePlaces homes(graph_);
    std::vector<Forward> all;
    for (const PlacedLeaf &leaf : walk_.leaves)
      if (auto f = forwardOf(graph_, *leaf.program, kept_, homes)) {
        f->at = leaf.at;
        all.push_back(std::move(*f));
      }
    if (kept_ == Kept::Destination)
      std::reverse(all.begin(), all.end());
    // Of several copies into a variable, the first is the candidate, because a second copy is a second writer. Of
    // several copies out of a variable, the last is the candidate, because the last copy reads last.
    for (Forward &f : all)
      if (role_[f.gone.index()] == kNone) {
        role_[f.gone.index()] = static_cast<std::uint32_t>(candidates_.size());
        candidates_.push_back(std::move(f));
      }
    for (const Forward &f : candidates_)
      for (const GraphVarId source : f.sources)
        if (role_[source.index()] == kNone)
          role_[source.index()] = kSource;
  }
  void refuse(const View &view) {
    eachVariable(view, [&](GraphVarId var) {
      if (role_[var.index()] < kSource)
        candidates_[role_[var.index()]].refused = true;
    });
  }
  void addSite(GraphVarId var, const PlacedLeaf &leaf, bool write) {
    if (role_[var.index()] == kNone)
      return;
    std::vector<Site> &sites = sites_[var.index()];
    if (sites.empty() || sites.back().program != leaf.program || sites.back().at.item != leaf.at.item ||
        sites.back().at.body != leaf.at.body || sites.back().write != write)
      sites.push_back({leaf.at, leaf.program, write});
  }
  void addView(const View &view, const PlacedLeaf &leaf, bool write) {
    eachVariable(view, [&](GraphVarId var) { addSite(var, leaf, write); });
  }
  void addSites(const PlacedLeaf &leaf) {
    const ProgramNode &p = *leaf.program;
    addView(p.offset, leaf, false);
    if (p.kind == ProgramKind::Execute)
      for (const SetUse &use : usesOfSet(p.as<ExecuteArguments>().computeSet)) {
        if (use.read)
          addSite(use.var, leaf, false);
        if (use.write)
          addSite(use.var, leaf, true);
      }
    const ProgramKindRow &row = programKindRow(p.kind);
    if (row.a != ViewRole::Promise)
      addView(p.a, leaf, row.a == ViewRole::Write || row.a == ViewRole::Undef);
    addView(p.b, leaf, true);
  }
  /// Returns the uses of candidates and sources by the vertices of `cs`. If a vertex touches both a candidate and one
  /// of its sources, refuses the candidate.
  const std::vector<SetUse> &usesOfSet(ComputeSetId cs) {
    const auto [known, fresh] = setUses_.try_emplace(cs.index());
    if (!fresh)
      return known->second;
    std::map<GraphVarId, SetUse> uses;
    std::vector<GraphVarId> touched;
    for (const VertexId v : graph_.computeSets[cs].vertices) {
      const GraphVertex vertex = graph_.vertices[v];
      const auto &fields = graph_.codelets.at(vertex.codelet).fields;
      touched.clear();
      for (const GraphEdge &edge : vertex.edges())
        for (const ViewRun &run : edge.runs) {
          if (role_[run.var.index()] == kNone)
            continue;
          touched.push_back(run.var);
          SetUse &use = uses[run.var];
          use.var = run.var;
          use.read = use.read || fields[edge.field].direction != FieldDirection::Output;
          use.write = use.write || fields[edge.field].direction != FieldDirection::Input;
        }
      refuseBoth(touched);
    }
    for (const auto &row : uses)
      known->second.push_back(row.second);
    return known->second;
  }
  void refuseBoth(const std::vector<GraphVarId> &touched) {
    for (const GraphVarId var : touched)
      if (role_[var.index()] < kSource) {
        Forward &f = candidates_[role_[var.index()]];
        f.refused = f.refused || std::any_of(touched.begin(), touched.end(), [&](GraphVarId other) {
                      return std::binary_search(f.sources.begin(), f.sources.end(), other);
                    });
      }
  }

  struct Items {
    std::vector<std::uint32_t> numbers;
    bool all = true; // false: control also reaches the place from outside the body
  };
  /// Returns the items of `body` within which control reaches the place.
  [[nodiscard]] Items itemsIn(ProgramPlace at, std::uint32_t body) const {
    Items items;
    std::set<std::uint32_t> seen;
    for (std::vector<ProgramPlace> open{at}; !open.empty();) {
      const ProgramPlace place = open.back();
      const std::vector<ProgramPlace> &parents = walk_.bodies[place.body].parents;
      open.pop_back();
      if (place.body == body)
        items.numbers.push_back(place.item);
      else if (parents.empty())
        items.all = false;
      else if (seen.insert(place.body).second)
        open.insert(open.end(), parents.begin(), parents.end());
    }
    return items;
  }

  /// Returns whether the site lies within one of the items [first, last] of the body.
  [[nodiscard]] bool meets(const Site &site, std::uint32_t body, std::uint32_t first, std::uint32_t last) const {
    const Items items = itemsIn(site.at, body);
    return std::any_of(items.numbers.begin(), items.numbers.end(),
                       [&](std::uint32_t item) { return item >= first && item <= last; });
  }

  [[nodiscard]] bool isLegal(const Forward &f) const {
    return kept_ == Kept::Source ? keepsSource(f) : keepsDestination(f);
  }
  [[nodiscard]] static bool isOwn(const Site &site, const Forward &f) {
    return site.program == f.copy && site.at.body == f.at.body && site.at.item == f.at.item;
  }
  [[nodiscard]] static bool isUndef(const Site &site) { return site.program->kind == ProgramKind::WriteUndef; }

  /// Returns whether the program writes or undefines every element of the variable.
  [[nodiscard]] bool writesAll(const ProgramNode &program, GraphVarId var) const {
    std::vector<std::uint8_t> written(graph_.vars[var].elements, 0);
    std::uint64_t left = written.size();
    const auto mark = [&](const RunList &runs) {
      for (const ViewRun &run : runs)
        for (std::uint64_t i = 0; run.var == var && i != run.count; ++i) {
          std::uint8_t &element = written[run.at(i)];
          left -= element == 0 ? 1 : 0;
          element = 1;
        }
    };
    const ProgramKindRow &row = programKindRow(program.kind);
    if (row.a == ViewRole::Undef)
      mark(program.a);
    if (row.b == ViewRole::Write)
      mark(program.b);
    if (program.kind == ProgramKind::Execute)
      for (const VertexId v : graph_.computeSets[program.as<ExecuteArguments>().computeSet].vertices) {
        const GraphVertex vertex = graph_.vertices[v];
        const auto &fields = graph_.codelets.at(vertex.codelet).fields;
        for (const GraphEdge &edge : vertex.edges())
          if (fields[edge.field].direction == FieldDirection::Output)
            mark(edge.runs);
      }
    return left == 0;
  }
  /// Returns whether the body overwrites the whole variable at `first`, the variable's first site in the body, and does
  /// not read the variable at this site. If so, no execution of the body reads an older value.
  [[nodiscard]] bool startsAnew(const Forward &f, std::uint32_t first) const {
    bool all = false;
    for (const Site &site : sites_.at(f.gone.index()))
      if (site.at.body == f.at.body && site.at.item == first) {
        if (!site.write)
          return false;
        all = all || writesAll(*site.program, f.gone);
      }
    return all;
  }

  /// Returns whether destination and source are equal from each copy until the source's first site in the body. This
  /// requires that only the copy writes the destination, or that the body overwrites the whole source first
  /// (startsAnew). All sites of the source must be within the body, before the copy. In addition, no program may read
  /// or write the destination between that first site and the copy.
  [[nodiscard]] bool keepsDestination(const Forward &f) const {
    std::uint32_t first = f.at.item;
    for (const Site &site : sites_.at(f.gone.index())) {
      if (isOwn(site, f))
        continue;
      const Items items = itemsIn(site.at, f.at.body);
      if (!items.all)
        return false;
      for (const std::uint32_t item : items.numbers) {
        if (item >= f.at.item)
          return false;
        first = std::min(first, item);
      }
    }
    if (first == f.at.item)
      return false; // no program writes the source, so the copy stays as the user wrote it
    const bool anew = startsAnew(f, first);
    for (const GraphVarId stays : f.sources) {
      if (!anew && hostWrites_.count(stays) != 0)
        return false;
      for (const Site &site : sites_.at(stays.index())) {
        if (isOwn(site, f))
          continue;
        if ((site.write && !anew) || meets(site, f.at.body, first, f.at.item))
          return false;
      }
    }
    return true;
  }

  /// Returns whether the source may replace the variable in all of its reads. All reads must come after the copy,
  /// within the copy's body, and no program may write the source between the copy and the last read.
  [[nodiscard]] bool keepsSource(const Forward &f) const {
    std::uint32_t last = f.at.item;
    for (const Site &site : sites_.at(f.gone.index())) {
      if (isUndef(site))
        continue; // removed with the variable; leaving the source defined is allowed
      if (site.write) {
        if (!isOwn(site, f))
          return false;
        continue;
      }
      const Items items = itemsIn(site.at, f.at.body);
      if (!items.all)
        return false;
      for (const std::uint32_t item : items.numbers) {
        if (item <= f.at.item)
          return false;
        last = std::max(last, item);
      }
    }
    if (last == f.at.item)
      return false; // no program reads the variable, so the copy stays as the user wrote it
    for (const GraphVarId source : f.sources)
      for (const Site &site : sites_.at(source.index()))
        if (site.write && meets(site, f.at.body, f.at.item + 1, last))
          return false;
    return true;
  }

  void elect() {
    std::set<GraphVarId> gone, sources;
    for (Forward &f : candidates_) {
      if (f.refused || !isLegal(f) || sources.count(f.gone) != 0 ||
          std::any_of(f.sources.begin(), f.sources.end(), [&](GraphVarId s) { return gone.count(s) != 0; }))
        continue;
      gone.insert(f.gone);
      sources.insert(f.sources.begin(), f.sources.end());
      elected_.push_back(f);
    }
  }

  const GraphIr &graph_;
  Kept kept_;
  BodyWalk walk_;
  std::set<GraphVarId> hostWrites_;
  std::vector<std::uint32_t> role_; // by variable
  std::vector<Forward> candidates_, elected_;
  std::unordered_map<std::uint32_t, std::vector<Site>> sites_;     // by variable; lookup only
  std::unordered_map<std::uint32_t, std::vector<SetUse>> setUses_; // by compute set; lookup only
};

} // namespace

std::vector<Forward> electForwards(const GraphIr &graph, const std::vector<ProgramPtr> &programs, Kept kept) {
  return Elider(graph, programs, kept).takeElected();
}

} // namespace popscope
