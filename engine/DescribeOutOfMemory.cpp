// The exception text of a program that does not fit: the worst tiles, the step that fills them most, the largest
// contributors at that step, and what would fit.
#include "engine/Compile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace popscope {
namespace {

constexpr std::size_t kTilesNamed = 3, kContributors = 5;

struct Contributor {
  std::string name; // with its debug path
  std::uint64_t bytes = 0;
  bool movable = false; // a variable: the user decides where it lives
};

class Describer {
public:
  explicit Describer(const CompiledProgram &compiled) : c_(compiled), p_(compiled.program), limit_(compiled.machine.bytesPerTile) {}

  std::string text() const {
    const auto &over = c_.layout.tilesOutOfMemory;
    std::string out = fmt::format("Out of memory: {} of {} tiles need more than the {} bytes that a tile has.", over.size(), p_.numTiles, limit_);
    for (std::size_t i = 0; i < std::min(over.size(), kTilesNamed); ++i)
      out += tileText(over[i]);
    if (over.size() > kTilesNamed)
      out += fmt::format("\n  and {} tiles more.", over.size() - kTilesNamed);
    if (!over.empty())
      out += whatWouldFit(over.front());
    return out;
  }

private:
  [[nodiscard]] const TileMemory &memory(TileId tile) const { return c_.layout.tiles[tile.index()]; }
  template <class Body> void eachAllocation(TileId tile, const Body &body) const {
    for (std::uint32_t i = c_.layout.firstOfTile[tile.index()]; i < c_.layout.firstOfTile[tile.index() + 1]; ++i)
      body(c_.layout.allocations[i]);
  }

  /// The step at which most bytes of the tile are occupied; the first of equals.
  [[nodiscard]] StepIndex fullestStep(TileId tile) const {
    std::vector<std::int64_t> change(p_.steps.size() + 1, 0);
    eachAllocation(tile, [&](const Allocation &a) {
      const LiveClass &k = c_.ranges.classes[a.occupied.index()];
      for (std::uint32_t i = k.firstInterval; i < k.firstInterval + k.numIntervals; ++i) {
        change[c_.ranges.intervals[i].begin.index()] += a.bytes;
        change[c_.ranges.intervals[i].end.index()] -= a.bytes;
      }
    });
    std::partial_sum(change.begin(), change.end(), change.begin());
    return StepIndex(static_cast<std::uint32_t>(std::max_element(change.begin(), change.end() - 1) - change.begin()));
  }
  [[nodiscard]] std::string stepText(StepIndex step) const {
    const std::string &name = p_.names[p_.steps[step].name];
    return fmt::format("step {}, {}{}", step.index(), stepKindName(p_.steps[step].kind), name.empty() ? "" : " '" + name + "'");
  }
  [[nodiscard]] std::string ownerText(const Allocation &a) const {
    const char *category = storageCategoryKey(a.category);
    const auto named = [&](const std::string &name) { return fmt::format("{} of '{}'", category, name.empty() ? "<anon>" : name); };
    switch (a.owner) {
    case OwnerKind::Home: return fmt::format("{} '{}'", category, p_.names[p_.vars[p_.homes[HomeId(a.ownerIndex)].var].name]);
    case OwnerKind::Vertex: return named(p_.vertexTypes[p_.vertices[a.ownerIndex].type].name);
    case OwnerKind::CopyVertex: return named(p_.vertexTypes[p_.copies[a.ownerIndex].type].name);
    case OwnerKind::VertexCode: return named(p_.vertexTypes[VertexTypeId(a.ownerIndex)].name);
    case OwnerKind::LibraryCode: return named(p_.libraryCode[a.ownerIndex].name);
    default: return category;
    }
  }
  /// What is there at the step, largest first. Allocations with one name are one contributor.
  [[nodiscard]] std::vector<Contributor> contributors(TileId tile, StepIndex step) const {
    std::map<std::string, Contributor> byName;
    eachAllocation(tile, [&](const Allocation &a) {
      if (!c_.ranges.contains(a.occupied, step))
        return;
      const std::string name = ownerText(a);
      Contributor &row = byName[name];
      row.name = name;
      row.bytes += a.bytes;
      row.movable = a.category == StorageCategory::Variable || a.category == StorageCategory::Constant;
    });
    std::vector<Contributor> rows;
    for (const auto &entry : byName)
      rows.push_back(entry.second);
    std::stable_sort(rows.begin(), rows.end(), [](const Contributor &a, const Contributor &b) { return a.bytes > b.bytes; });
    return rows;
  }
  [[nodiscard]] std::string tileText(TileId tile) const {
    const StepIndex step = fullestStep(tile);
    const std::uint64_t used = memory(tile).totalIncludingGaps;
    std::string out = fmt::format("\n  tile {}: {} bytes used (highest address), {} over; fullest at {}. Largest there:", tile.index(), used,
                                  used - limit_, stepText(step));
    const auto rows = contributors(tile, step);
    for (std::size_t i = 0; i < std::min(rows.size(), kContributors); ++i)
      out += fmt::format("\n    {} B  {}{}", rows[i].bytes, rows[i].name, rows[i].bytes > limit_ ? " (more than a whole tile)" : "");
    return out;
  }

  /// Which variables of the worst tile would have to go elsewhere, and whether there is room for all that is over.
  [[nodiscard]] std::string whatWouldFit(TileId worst) const {
    std::uint64_t over = 0, room = 0, mostRoom = 0;
    for (const TileMemory &tile : c_.layout.tiles)
      if (tile.totalIncludingGaps > limit_) {
        over += tile.totalIncludingGaps - limit_;
      } else {
        room += limit_ - tile.totalIncludingGaps;
        mostRoom = std::max(mostRoom, limit_ - tile.totalIncludingGaps);
      }
    if (room < over)
      return fmt::format("\nWhat would fit: {} bytes are over in all and only {} are free on all other tiles: less data, or a device with more "
                         "tiles.", over, room);
    const std::uint64_t need = memory(worst).totalIncludingGaps - limit_;
    std::uint64_t moved = 0;
    std::string names;
    for (const Contributor &row : contributors(worst, fullestStep(worst))) {
      if (moved >= need || !row.movable)
        continue;
      moved += row.bytes;
      names += (names.empty() ? "" : ", ") + row.name;
    }
    const std::string free = fmt::format("other tiles have {} bytes free, the emptiest {}", room, mostRoom);
    if (moved < need)
      return fmt::format("\nWhat would fit: tile {} is over with all its variables elsewhere; run fewer vertices there ({}).", worst.index(), free);
    return fmt::format("\nWhat would fit: tile {} with {} bytes less of {}; {}. Map it over more tiles.", worst.index(), need, names, free);
  }

  const CompiledProgram &c_;
  const StepProgram &p_;
  std::uint64_t limit_;
};

} // namespace

std::string describeOutOfMemory(const CompiledProgram &compiled) { return Describer(compiled).text(); }

} // namespace popscope
