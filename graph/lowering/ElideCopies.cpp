#include "graph/lowering/ElideCopies.hpp"

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

/// Where the elements of variables lie in their tiles' homes.
class HomePlaces {
public:
  explicit HomePlaces(const GraphIr &graph) : graph_(graph) {}

  /// Whether each home of what goes is one run of a home of its tile.
  bool inPlace(const Forward &f) {
    const GraphVar &to = graph_.vars[f.gone];
    std::unordered_map<std::uint32_t, std::pair<GraphVarId, std::uint64_t>> next; // by tile; asked only
    std::uint64_t mapped = 0;
    auto piece = f.pieces.begin();
    for (const MappedRange &range : to.mapping) {
      mapped += range.end - range.begin;
      for (std::uint64_t at = range.begin; at < range.end;) {
        while (piece->begin + piece->count <= at)
          ++piece;
        const std::uint64_t offset = at - piece->begin, left = std::min(range.end, piece->begin + piece->count) - at;
        const std::uint64_t taken = continueRun(piece->source, piece->sourceBegin + offset, left, range.tile, next);
        if (taken == 0)
          return false;
        at += taken;
      }
    }
    return mapped == to.elements;
  }

private:
  using Next = std::unordered_map<std::uint32_t, std::pair<GraphVarId, std::uint64_t>>;
  /// How many of the elements continue what the tile has so far; 0 = they do not.
  std::uint64_t continueRun(GraphVarId source, std::uint64_t begin, std::uint64_t count, TileId tile, Next &next) {
    const GraphVar &from = graph_.vars[source];
    const std::vector<std::uint64_t> &offsets = offsetsOf(source);
    const auto it = std::upper_bound(from.mapping.begin(), from.mapping.end(), begin,
                                     [](std::uint64_t b, const MappedRange &r) { return b < r.end; });
    if (it == from.mapping.end() || it->begin > begin || it->tile != tile)
      return 0;
    const std::uint64_t taken = std::min(count, it->end - begin),
                        place = offsets[static_cast<std::size_t>(it - from.mapping.begin())] + begin - it->begin;
    const auto [known, first] = next.try_emplace(tile.index(), source, place);
    if (first ? place * elementBytes(from.type) % kHomeAlign != 0
              : known->second != std::pair<GraphVarId, std::uint64_t>(source, place))
      return 0;
    known->second.second = place + taken;
    return taken;
  }
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

/// The pieces of a copy of a whole variable; none when it is something else.
std::optional<Forward> forwardOf(const GraphIr &graph, const ProgramNode &p, Kept kept, HomePlaces &homes) {
  if (p.kind != ProgramKind::Copy || viewCount(p.b) == 0 || p.a.type != p.b.type)
    return std::nullopt;
  const View &goes = kept == Kept::Source ? p.b : p.a, &stays = kept == Kept::Source ? p.a : p.b;
  Forward f;
  f.copy = &p;
  f.gone = goes.runs.front().var;
  const GraphVar &to = graph.vars[f.gone];
  if (!isPlain(to) || !to.initial.empty() || to.elements != viewCount(goes) ||
      std::any_of(goes.runs.begin(), goes.runs.end(), [&](const ViewRun &r) { return r.var != f.gone; }) ||
      std::any_of(stays.runs.begin(), stays.runs.end(), [&](const ViewRun &r) {
        return r.var == f.gone || !isPlain(graph.vars[r.var]) ||
               (kept == Kept::Destination && !graph.vars[r.var].initial.empty());
      }))
    return std::nullopt;
  const std::vector<ViewPiece> from = contiguousPieces(stays), into = contiguousPieces(goes);
  for (std::size_t a = 0, b = 0; a < from.size() && b < into.size();) {
    const std::uint64_t begin = std::max(from[a].position, into[b].position), endA = from[a].position + from[a].count,
                        endB = into[b].position + into[b].count, end = std::min(endA, endB);
    f.pieces.push_back(
        {into[b].begin + begin - into[b].position, end - begin, from[a].var, from[a].begin + begin - from[a].position});
    a += end == endA ? 1 : 0;
    b += end == endB ? 1 : 0;
  }
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
  if (!homes.inPlace(f))
    return std::nullopt;
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
      for (const ViewRun &run : access.view.runs)
        hostWrites_.insert(run.var);
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
    for (const ViewRun &run : view.runs)
      if (role_[run.var.index()] < kSource)
        candidates_[role_[run.var.index()]].refused = true;
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
    for (const ViewRun &run : view.runs)
      addSite(run.var, leaf, write);
  }
  void addSites(const PlacedLeaf &leaf) {
    const ProgramNode &p = *leaf.program;
    addView(p.offset, leaf, false);
    switch (p.kind) {
    case ProgramKind::Execute:
      for (const SetUse &use : usesOfSet(p.computeSet)) {
        if (use.read)
          addSite(use.var, leaf, false);
        if (use.write)
          addSite(use.var, leaf, true);
      }
      addView(p.a, leaf, true);
      break;
    case ProgramKind::WriteUndef: addView(p.a, leaf, true); break;
    case ProgramKind::AssumeEqualAcrossReplicas: break; // a promise: it reads nothing
    case ProgramKind::Sequence:
    case ProgramKind::Copy:
    case ProgramKind::StreamToTensor:
    case ProgramKind::TensorToStream:
    case ProgramKind::RemoteToTensor:
    case ProgramKind::TensorToRemote:
    case ProgramKind::Repeat:
    case ProgramKind::RepeatWhileTrue:
    case ProgramKind::RepeatWhileFalse:
    case ProgramKind::If:
    case ProgramKind::Switch:
    case ProgramKind::Call:
    case ProgramKind::Sync:
    case ProgramKind::PrintTensor:
    case ProgramKind::ErrorProgram:
    case ProgramKind::Abort:
    case ProgramKind::AbortOnCondition:
    case ProgramKind::CrossReplicaCopy:
    case ProgramKind::Block:
    case ProgramKind::ReadTileRegister:
    case ProgramKind::WriteTileRegister:
      addView(p.a, leaf, false);
      addView(p.b, leaf, true);
      break;
    }
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
    switch (program.kind) {
    case ProgramKind::WriteUndef: mark(program.a); break;
    case ProgramKind::Copy:
    case ProgramKind::StreamToTensor:
    case ProgramKind::RemoteToTensor: mark(program.b); break;
    case ProgramKind::Execute:
      for (const VertexId v : graph_.computeSets[program.computeSet].vertices) {
        const GraphVertex vertex = graph_.vertices[v];
        const auto &fields = graph_.codelets.at(vertex.codelet).fields;
        for (const GraphEdge &edge : vertex.edges())
          if (fields[edge.field].direction == FieldDirection::Output)
            mark(edge.runs);
      }
      break;
    case ProgramKind::Sequence:
    case ProgramKind::TensorToStream:
    case ProgramKind::TensorToRemote:
    case ProgramKind::Repeat:
    case ProgramKind::RepeatWhileTrue:
    case ProgramKind::RepeatWhileFalse:
    case ProgramKind::If:
    case ProgramKind::Switch:
    case ProgramKind::Call:
    case ProgramKind::Sync:
    case ProgramKind::PrintTensor:
    case ProgramKind::ErrorProgram:
    case ProgramKind::Abort:
    case ProgramKind::AbortOnCondition:
    case ProgramKind::CrossReplicaCopy:
    case ProgramKind::AssumeEqualAcrossReplicas:
    case ProgramKind::Block:
    case ProgramKind::ReadTileRegister:
    case ProgramKind::WriteTileRegister: break; // writes no variable, or not for certain
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
