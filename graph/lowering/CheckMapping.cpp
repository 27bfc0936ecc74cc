#include "graph/lowering/CheckGraph.hpp"
#include "graph/lowering/LoweringContext.hpp"

#include <poplar/exceptions.hpp>

#include <algorithm>
#include <map>

namespace popscope {
namespace {

constexpr std::uint64_t kAddressable = 0xffffffffU;

class MappingCheck {
public:
  explicit MappingCheck(const GraphIr &graph) : g_(graph), incomplete_(graph.vars.size(), 0) {
    for (std::size_t i = 0; i < g_.vars.size(); ++i) {
      const GraphVar &var = g_.vars[g_.vars.idAt(i)];
      if (var.elements > ElementNumber::kMost)
        throw poplar::invalid_tile_mapping(
            fmt::format("variable '{}' has {} elements; a program has variables of at most {}: split it, and "
                        "poplar::concat makes one tensor of the parts",
                        displayName(g_, g_.vars.idAt(i)), var.elements, std::uint64_t(ElementNumber::kMost)));
      std::uint64_t mapped = 0;
      for (const MappedRange &m : var.mapping) {
        checkTile(i, m);
        mapped += m.end - m.begin;
      }
      incomplete_[i] = mapped < var.elements && !isOneHostTile(g_.machine);
      if (mapped * elementBytes(var.type) > kAddressable)
        checkTileBytes(i, var);
    }
  }
  [[nodiscard]] bool anyIncomplete() const {
    return std::find(incomplete_.begin(), incomplete_.end(), std::uint8_t(1)) != incomplete_.end();
  }
  /// Records which elements of incompletely mapped variables are used.
  void use(const RunList &runs, const std::string &user) {
    for (const ViewRun &run : runs)
      if (run.count != 0 && incomplete_[run.var.index()])
        eachRange(run, true, [&](std::uint64_t begin, std::uint64_t end) {
          used_.push_back({run.var, begin, end, addUser(user)});
          return true;
        });
  }
  void finish() {
    std::sort(used_.begin(), used_.end(),
              [](const Used &a, const Used &b) { return a.var != b.var ? a.var < b.var : a.begin < b.begin; });
    for (std::size_t begin = 0, end = 0; begin < used_.size(); begin = end) {
      while (end < used_.size() && used_[end].var == used_[begin].var)
        ++end;
      checkVariable(begin, end);
    }
  }

private:
  struct Used {
    GraphVarId var;
    std::uint64_t begin, end;
    std::uint32_t user;
  };

  std::uint32_t addUser(const std::string &user) {
    if (users_.empty() || users_.back() != user)
      users_.push_back(user);
    return static_cast<std::uint32_t>(users_.size() - 1);
  }
  void checkTile(std::size_t var, const MappedRange &m) const {
    if (m.tile.valid() && m.tile.index() < g_.machine.numTiles())
      return;
    throw poplar::invalid_tile_mapping(
        fmt::format("elements [{}, {}) of variable '{}' are mapped to tile {}, but the target has {} tiles: call "
                    "graph.setTileMapping with a smaller tile number",
                    m.begin, m.end, displayName(g_, g_.vars.idAt(var)), m.tile.index(), g_.machine.numTiles()));
  }
  /// Checks that 32-bit addresses reach the part of a variable on one tile. The layout checks later whether this part
  /// fits the tile's memory.
  void checkTileBytes(std::size_t i, const GraphVar &var) const {
    std::map<TileId, std::uint64_t> bytes;
    for (const MappedRange &m : var.mapping)
      if ((bytes[m.tile] += (m.end - m.begin) * elementBytes(var.type)) > kAddressable)
        throw poplar::invalid_tile_mapping(
            fmt::format("variable '{}' has more than {} bytes on tile {}, more than 32-bit addresses reach; a "
                        "tile of this target has {}: map it over more tiles with graph.setTileMapping",
                        displayName(g_, g_.vars.idAt(i)), kAddressable, m.tile.index(), g_.machine.bytesPerTile));
  }
  /// Checks that no used element is unmapped; both lists are sorted.
  void checkVariable(std::size_t begin, std::size_t end) const {
    const GraphVar &var = g_.vars[used_[begin].var];
    std::uint64_t missing = 0, first = 0, at = 0;
    std::uint32_t user = 0;
    std::size_t m = 0;
    for (std::size_t i = begin; i < end; ++i) {
      at = std::max(at, used_[i].begin);
      while (at < used_[i].end) {
        while (m < var.mapping.size() && var.mapping[m].end <= at)
          ++m;
        const std::uint64_t mappedFrom = m < var.mapping.size() ? var.mapping[m].begin : used_[i].end;
        if (at < mappedFrom) {
          const std::uint64_t stop = std::min(mappedFrom, used_[i].end);
          if (missing == 0)
            first = at, user = used_[i].user;
          missing += stop - at;
          at = stop;
        } else {
          at = var.mapping[m].end;
        }
      }
    }
    if (missing > 0)
      throw poplar::invalid_tile_mapping(fmt::format(
          "{} of the {} elements of variable '{}' are used but not mapped to a tile, first element {} (by {}): "
          "call graph.setTileMapping",
          missing, var.elements, displayName(g_, used_[begin].var), first, users_[user]));
  }

  const GraphIr &g_;
  std::vector<std::uint8_t> incomplete_;
  std::vector<Used> used_;
  std::vector<std::string> users_;
};

} // namespace

void checkMapping(const GraphIr &g, const GraphUses &uses) {
  MappingCheck check(g);
  if (!check.anyIncomplete())
    return;
  for (const ViewUse &use : uses.views)
    check.use(*use.view, use.user);
  for (const ComputeSetId cs : uses.computeSets) {
    const std::string user = fmt::format("compute set '{}'", g.names[g.computeSets[cs].name]);
    for (const VertexId v : g.computeSets[cs].vertices)
      for (const GraphEdge &edge : g.vertices[v].edges())
        check.use(edge.runs, user);
  }
  check.finish();
}

} // namespace popscope
