#include "graph/lowering/ElideCopies.hpp"

#include "graph/ir/ProgramKinds.hpp"
#include "graph/ir/ViewOps.hpp"
#include "graph/lowering/CheckGraph.hpp"
#include "graph/lowering/CopyPrograms.hpp"
#include "graph/lowering/LoweringContext.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

namespace popscope {
namespace {

constexpr std::uint64_t kHomeAlign = kWideCopyBytes; // of a run that stands for a home

/// Programs in one straight line, sequences opened; where it is nested.
struct ProgramPlace {
  std::uint32_t body = 0, item = 0;
};
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
  std::vector<PlacedLeaf> leaves; // control programs, too: they read their operand

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
      call(program->function, at);
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
  std::unordered_map<std::uint32_t, std::uint32_t> functions_; // asked only
};

/// Which side of a copy keeps its variable: readers of the destination read the source, or writers of the source write
/// the destination.
enum class Kept : std::uint8_t { Source, Destination };

/// Elements [begin, begin + count) of the variable that goes are those of `source`, which stays, from sourceBegin on.
struct ForwardPiece {
  std::uint64_t begin = 0, count = 0;
  GraphVarId source;
  std::uint64_t sourceBegin = 0;
};
struct Forward {
  const ProgramNode *copy = nullptr;
  ProgramPlace at;
  GraphVarId gone;
  std::vector<ForwardPiece> pieces; // ascending
  std::vector<GraphVarId> sources;  // that stay; ascending
  bool refused = false;
};

bool isPlain(const GraphVar &var) { return !var.constant && var.split == 0 && var.replicas.empty(); }

/// Calls visit with each pair of pieces of two views of as many elements that is a piece in both, until it gives false.
template <class Visit> bool eachPair(const View &a, const View &b, const Visit &visit) {
  const RunList runsA(a), runsB(b);
  PieceReader readA(runsA), readB(runsB);
  auto pieceA = readA.next(), pieceB = readB.next();
  while (pieceA && pieceB) {
    const std::uint64_t count = std::min(pieceA->count, pieceB->count);
    if (!visit(*pieceA, *pieceB, count))
      return false;
    const auto advance = [count](std::optional<ViewPiece> &piece, PieceReader &reader) {
      piece->begin += count;
      if ((piece->count -= count) == 0)
        piece = reader.next();
    };
    advance(pieceA, readA);
    advance(pieceB, readB);
  }
  return true;
}

/// Where the elements of variables lie in their tiles' homes.
class HomePlaces {
public:
  explicit HomePlaces(const GraphIr &graph) : graph_(graph) {}

  /// Whether each home of what goes, a whole variable, is one run of a home of its tile: on each tile all elements lie
  /// as far behind their place in what goes. Most copies fail at one of their first elements.
  bool inPlace(const View &goes, const View &stays) {
    std::unordered_map<std::uint32_t, std::pair<GraphVarId, std::uint64_t>> known; // by tile; asked only
    Finder to(*this), from(*this);
    return eachPair(goes, stays, [&](ViewPiece goesPiece, ViewPiece staysPiece, std::uint64_t count) {
      while (count != 0) {
        const auto [toTile, toPlace, toLeft] = to.find(goesPiece);
        const auto [fromTile, fromPlace, fromLeft] = from.find(staysPiece);
        const std::uint64_t taken = std::min({count, toLeft, fromLeft});
        if (taken == 0 || toTile != fromTile || fromPlace < toPlace)
          return false;
        const std::pair behind(staysPiece.var, fromPlace - toPlace);
        const auto [at, first] = known.try_emplace(toTile.index(), behind);
        if (first ? behind.second * elementBytes(graph_.vars[staysPiece.var].type) % kHomeAlign != 0
                  : at->second != behind)
          return false;
        goesPiece.begin += taken;
        staysPiece.begin += taken;
        count -= taken;
      }
      return true;
    });
  }

private:
  struct Place {
    TileId tile;
    std::uint64_t place = 0, left = 0; // in the tile's home; elements of the mapped range from there on, 0: not mapped
  };
  /// Of one element after the other: mostly in the range of the last one, or the next.
  class Finder {
  public:
    explicit Finder(HomePlaces &places) : places_(places) {}
    Place find(const ViewPiece &piece) {
      const auto &mapping = places_.graph_.vars[piece.var].mapping;
      if (piece.var != var_) {
        var_ = piece.var;
        offsets_ = &places_.offsetsOf(var_);
        range_ = 0;
      }
      const auto holds = [&](std::size_t r) {
        return r < mapping.size() && mapping[r].begin <= piece.begin && piece.begin < mapping[r].end;
      };
      if (!holds(range_) && !holds(++range_)) {
        const auto it = std::upper_bound(mapping.begin(), mapping.end(), piece.begin,
                                         [](std::uint64_t b, const MappedRange &r) { return b < r.end; });
        range_ = static_cast<std::size_t>(it - mapping.begin());
        if (!holds(range_))
          return {};
      }
      const MappedRange &range = mapping[range_];
      return {range.tile, (*offsets_)[range_] + piece.begin - range.begin, range.end - piece.begin};
    }

  private:
    HomePlaces &places_;
    GraphVarId var_;
    const std::vector<std::uint64_t> *offsets_ = nullptr;
    std::size_t range_ = 0;
  };
  /// Of each mapped range, in the home of its tile.
  const std::vector<std::uint64_t> &offsetsOf(GraphVarId var) {
    const auto [known, fresh] = offsets_.try_emplace(var.index());
    if (fresh) {
      std::unordered_map<std::uint32_t, std::uint64_t> used;
      for (const MappedRange &r : graph_.vars[var].mapping) {
        std::uint64_t &end = used[r.tile.index()];
        known->second.push_back(end);
        end += r.end - r.begin;
      }
    }
    return known->second;
  }

  const GraphIr &graph_;
  std::unordered_map<std::uint32_t, std::vector<std::uint64_t>> offsets_; // asked only
};

/// Calls visit with the variable of each group of runs; the runs of a group have one.
template <class Visit> void eachVariable(const View &view, const Visit &visit) {
  for (std::size_t g = 0; g != view.runs.numGroups(); ++g)
    visit(view.runs.firstRun(g).var);
}

/// The pieces of a copy of a whole variable; none when it is something else.
std::optional<Forward> forwardOf(const GraphIr &graph, const ProgramNode &p, Kept kept, HomePlaces &homes) {
  if (p.kind != ProgramKind::Copy || viewCount(p.b) == 0 || p.a.type != p.b.type)
    return std::nullopt;
  View goes = kept == Kept::Source ? p.b : p.a, stays = kept == Kept::Source ? p.a : p.b;
  Forward f;
  f.copy = &p;
  f.gone = goes.runs.front().var;
  const GraphVar &to = graph.vars[f.gone];
  bool possible = isPlain(to) && to.initial.empty() && to.elements == viewCount(goes);
  eachVariable(goes, [&](GraphVarId var) { possible = possible && var == f.gone; });
  eachVariable(stays, [&](GraphVarId var) {
    possible = possible && var != f.gone && isPlain(graph.vars[var]) &&
               (kept == Kept::Source || graph.vars[var].initial.empty());
  });
  if (!possible)
    return std::nullopt;
  // A destination names each element once (CheckGraph), and so does what is alike.
  straighten(graph, goes, stays);
  if (!homes.inPlace(goes, stays))
    return std::nullopt;
  eachPair(goes, stays, [&](const ViewPiece &into, const ViewPiece &from, std::uint64_t count) {
    f.pieces.push_back({into.begin, count, from.var, from.begin});
    return true;
  });
  std::sort(f.pieces.begin(), f.pieces.end(),
            [](const ForwardPiece &x, const ForwardPiece &y) { return x.begin < y.begin; });
  std::uint64_t covered = 0;
  for (const ForwardPiece &piece : f.pieces) {
    if (piece.begin != covered)
      return std::nullopt; // some are named twice
    covered += piece.count;
    f.sources.push_back(piece.source);
  }
  std::sort(f.sources.begin(), f.sources.end());
  f.sources.erase(std::unique(f.sources.begin(), f.sources.end()), f.sources.end());
  return f;
}

/// One round: copies of which none leads to another.
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
  [[nodiscard]] const std::vector<Forward> &elected() const { return elected_; }

private:
  static constexpr std::uint32_t kNone = ~std::uint32_t(0), kSource = kNone - 1; // else a number of a candidate
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
    // The first copy into a variable stands for it: a second one is a second writer. The last out of it: it reads last.
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
      for (const SetUse &use : usesOfSet(p.computeSet)) {
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
  /// Of candidates and sources. Refuses candidates of which a vertex touches a source, too.
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

  /// The items of `body` within which the place is reached; false when it is also reached from elsewhere.
  bool itemsIn(ProgramPlace at, std::uint32_t body, std::set<std::uint32_t> &seen,
               std::vector<std::uint32_t> &items) const {
    if (at.body == body) {
      items.push_back(at.item);
      return true;
    }
    if (walk_.bodies[at.body].parents.empty())
      return false;
    if (!seen.insert(at.body).second)
      return true; // looked at already
    bool inside = true;
    for (const ProgramPlace &parent : walk_.bodies[at.body].parents)
      inside = itemsIn(parent, body, seen, items) && inside;
    return inside;
  }

  [[nodiscard]] bool isLegal(const Forward &f) const {
    return kept_ == Kept::Source ? keepsSource(f) : keepsDestination(f);
  }
  [[nodiscard]] static bool isOwn(const Site &site, const Forward &f) {
    return site.program == f.copy && site.at.body == f.at.body && site.at.item == f.at.item;
  }
  [[nodiscard]] static bool isUndef(const Site &site) { return site.program->kind == ProgramKind::WriteUndef; }

  /// Whether the program writes every element of the variable, or undefines it.
  [[nodiscard]] bool writesAll(const ProgramNode &program, GraphVarId var) const {
    std::vector<std::uint8_t> written(graph_.vars[var].elements, 0);
    std::uint64_t left = written.size();
    const auto mark = [&](const RunList &runs) {
      for (const ViewRun &run : runs)
        for (std::uint64_t i = 0; run.var == var && i != run.count; ++i) {
          std::uint8_t &element = written[run.begin + static_cast<std::uint64_t>(run.stride) * i];
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
      for (const VertexId v : graph_.computeSets[program.computeSet].vertices) {
        const GraphVertex vertex = graph_.vertices[v];
        const auto &fields = graph_.codelets.at(vertex.codelet).fields;
        for (const GraphEdge &edge : vertex.edges())
          if (fields[edge.field].direction == FieldDirection::Output)
            mark(edge.runs);
      }
    return left == 0;
  }
  /// Whether each execution of the body overwrites the variable before anything reads it: its first site there, at
  /// `first`, writes all of it.
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

  /// Destination and source hold the same from each copy until the source's first site in the body: only the copy
  /// writes the destination, or the source starts anew each time, and the source has no site elsewhere. In between
  /// nobody reads or writes the destination.
  [[nodiscard]] bool keepsDestination(const Forward &f) const {
    std::uint32_t first = f.at.item;
    for (const Site &site : sites_.at(f.gone.index())) {
      std::set<std::uint32_t> seen;
      std::vector<std::uint32_t> items;
      if (isOwn(site, f))
        continue;
      if (!itemsIn(site.at, f.at.body, seen, items))
        return false;
      for (const std::uint32_t item : items) {
        if (item >= f.at.item)
          return false;
        first = std::min(first, item);
      }
    }
    if (first == f.at.item)
      return false; // nobody writes it: the copy stays, as the user wrote it
    const bool anew = startsAnew(f, first);
    for (const GraphVarId stays : f.sources) {
      if (!anew && hostWrites_.count(stays) != 0)
        return false;
      for (const Site &site : sites_.at(stays.index())) {
        if (isOwn(site, f))
          continue;
        std::set<std::uint32_t> seen;
        std::vector<std::uint32_t> items;
        (void)itemsIn(site.at, f.at.body, seen, items);
        if ((site.write && !anew) || std::any_of(items.begin(), items.end(), [&](std::uint32_t item) {
              return item >= first && item <= f.at.item;
            }))
          return false;
      }
    }
    return true;
  }

  [[nodiscard]] bool keepsSource(const Forward &f) const {
    std::uint32_t last = f.at.item;
    for (const Site &site : sites_.at(f.gone.index())) {
      if (isUndef(site))
        continue; // goes with the variable: what is undefined may as well be the source's
      if (site.write) {
        if (!isOwn(site, f))
          return false;
        continue;
      }
      std::set<std::uint32_t> seen;
      std::vector<std::uint32_t> items;
      if (!itemsIn(site.at, f.at.body, seen, items))
        return false;
      for (const std::uint32_t item : items) {
        if (item <= f.at.item)
          return false;
        last = std::max(last, item);
      }
    }
    if (last == f.at.item)
      return false; // nobody reads it: the copy stays, as the user wrote it
    for (const GraphVarId source : f.sources)
      for (const Site &site : sites_.at(source.index())) {
        std::set<std::uint32_t> seen;
        std::vector<std::uint32_t> items;
        if (!site.write)
          continue;
        (void)itemsIn(site.at, f.at.body, seen, items);
        if (std::any_of(items.begin(), items.end(),
                        [&](std::uint32_t item) { return item > f.at.item && item <= last; }))
          return false;
      }
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
  std::unordered_map<std::uint32_t, std::vector<Site>> sites_;     // by variable; asked only
  std::unordered_map<std::uint32_t, std::vector<SetUse>> setUses_; // by compute set; asked only
};

/// Programs and vertices that name what stays instead of what goes.
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
    programs = copyPrograms(
        programs, graph_, [this](const ProgramNode &node) { return gone_.count(&node) == 0; },
        [this](ProgramNode &copy) {
          if (copy.kind == ProgramKind::WriteUndef && kept_ == Kept::Source)
            drop(copy.a);
          rename(copy.a);
          rename(copy.b);
          rename(copy.offset);
        });
    for (std::size_t i = 0; i != graph_.vertices.size(); ++i) {
      const VertexId v = graph_.vertices.idAt(i);
      for (std::size_t e = 0; e != graph_.vertices[v].edges().size(); ++e)
        if (const GraphEdge edge = graph_.vertices[v].edges()[e]; names(edge.runs))
          graph_.vertices.replaceRuns(v, e, renamed(edge.runs));
    }
  }

private:
  /// What goes is undefined no more: its name is that of a variable that stays, which keeps its value.
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
    std::uint64_t at = run.begin;
    for (std::uint64_t left = run.count; left > 0;) {
      const auto piece =
          std::prev(std::upper_bound(f.pieces.begin(), f.pieces.end(), at,
                                     [](std::uint64_t element, const ForwardPiece &p) { return element < p.begin; }));
      const std::uint64_t offset = at - piece->begin;
      std::uint64_t taken = left;
      if (run.stride > 0)
        taken = std::min(left, (piece->count - 1 - offset) / static_cast<std::uint64_t>(run.stride) + 1);
      else if (run.stride < 0)
        taken = std::min(left, offset / static_cast<std::uint64_t>(-run.stride) + 1);
      ViewRun part = run;
      part.var = piece->source;
      part.begin = piece->sourceBegin + offset;
      part.count = taken;
      runs.append(part);
      at += static_cast<std::uint64_t>(run.stride * static_cast<std::int64_t>(taken));
      left -= taken;
    }
  }

  GraphIr &graph_;
  Kept kept_;
  std::vector<const Forward *> of_; // by variable
  std::set<const ProgramNode *> gone_;
};

} // namespace

std::unique_ptr<ElidedGraph> elideCopies(const GraphIr &graph, const std::vector<ProgramPtr> &programs) {
  if (!graph.splits.empty())
    return nullptr;
  const GraphUses uses = collectUses(graph, programs);
  checkGraph(graph, uses);
  checkMapping(graph, uses);
  std::unique_ptr<ElidedGraph> result;
  for (Kept kept = Kept::Source;;) {
    const Elider round(result ? result->graph : graph, result ? result->programs : programs, kept);
    if (round.elected().empty()) {
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
    result->copies += round.elected().size();
    Renamer(result->graph, round.elected(), kept).run(result->programs);
  }
}

} // namespace popscope
