#include "liveness/layout/PlaceAllocations.hpp"

#include "base/Check.hpp"
#include "base/HashIndex.hpp"
#include "base/Log.hpp"
#include "base/Parallel.hpp"
#include "base/TouchPages.hpp"
#include "liveness/layout/BuildHeap.hpp"
#include "liveness/layout/BuildProblem.hpp"
#include "liveness/layout/PackHeap.hpp"
#include "liveness/layout/SummariseTile.hpp"

#include <fmt/format.h>
#include <poplar/exceptions.hpp>

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>
#include <unordered_map>

namespace popscope {
namespace {

using Problem = std::span<const Allocation>;

constexpr std::size_t kTilesCompared = 64; // the members of a group that one task compares with the first tile

// Places all tiles. Tiles with equal problems form a group (found by hash, then compared in full), and the placer
// solves only the first tile of each group. The work is parallel over groups, and over the tiles of a group. Groups and
// tiles that are equally full come in the order of tiles.
class Placer {
public:
  Placer(const StepProgram &program, const LiveRanges &ranges, const TileMachine &machine, const LayoutOptions &options)
      : program_(program), ranges_(ranges), zones_(buildZones(machine)), options_(options),
        problems_(program, ranges, machine, options), heaps_(program, ranges, zones_) {}

  LayoutResult place() {
    measureTiles();
    groupTiles();
    TouchPages().behind(out_.allocations, out_.firstOfTile.back()).run(options_.threads);
    out_.allocations.resize(out_.firstOfTile.back());
    out_.tiles.resize(numTiles());
    orders_.resize(groups_.size());
    parallelFor(options_.threads, groups_.size(), [&](std::size_t g) { solve(g, 0); });
    searchFullest();
    applySolutions();
    out_.distinctProblems = groups_.size();
    out_.tilesOutOfMemory = fullTiles(out_);
    writeLog();
    return std::move(out_);
  }

private:
  /// Tiles with equal problems. The placer solves the first tile; the others get its addresses.
  using Group = std::vector<std::uint32_t>;

  [[nodiscard]] std::size_t numTiles() const { return program_.numTiles; }
  [[nodiscard]] LiveRole roleOf(const Allocation &a) const {
    if (a.owner != OwnerKind::Home)
      return {};
    const HomeId home(a.ownerIndex);
    const VarId var = program_.homes[home].var;
    return {ranges_.liveOf(var, home), ranges_.always[var] != 0};
  }

  // Returns everything about an allocation that affects its address and the totals of its tile. This is everything
  // except the identity of the owner.
  [[nodiscard]] std::array<std::uint64_t, 5> keyOf(const Allocation &a) const {
    const LiveRole role = roleOf(a);
    const auto pair = [](std::uint64_t high, std::uint64_t low) { return high << 32 | low; };
    return {pair(a.bytes.count(), a.alignment), pair(a.occupied.index(), role.live.index()),
            pair(static_cast<std::uint64_t>(a.category), static_cast<std::uint64_t>(a.owner)),
            pair(static_cast<std::uint64_t>(a.region), role.always ? 1 : 0), heaps_.limitOf(a)};
  }
  [[nodiscard]] std::uint64_t hashOf(Problem problem) const {
    std::uint64_t hash = problem.size();
    for (const Allocation &a : problem)
      for (const std::uint64_t word : keyOf(a))
        hash = mixHash(hash, word);
    return hash;
  }
  [[nodiscard]] bool equal(Problem a, Problem b) const {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [this](const Allocation &x, const Allocation &y) { return keyOf(x) == keyOf(y); }) &&
           heaps_.apartIn(a) == heaps_.apartIn(b);
  }

  // Computes the length and the hash of every tile's list.
  void measureTiles() {
    hashes_.resize(numTiles());
    std::vector<std::uint64_t> sizes(numTiles());
    parallelRanges(options_.threads, numTiles(), 1, [&](std::size_t begin, std::size_t end) {
      std::vector<Allocation> list;
      for (std::size_t t = begin; t < end; ++t) {
        problems_.build(static_cast<std::uint32_t>(t), list);
        hashes_[t] = hashOf(list);
        sizes[t] = list.size();
      }
    });
    std::uint64_t total = 0;
    for (const std::uint64_t size : sizes) {
      out_.firstOfTile.push_back(static_cast<std::uint32_t>(total));
      total += size;
    }
    POPSCOPE_CHECK(total <= std::numeric_limits<std::uint32_t>::max(), "{} allocations; a layout has fewer than 2^32",
                   total);
    out_.firstOfTile.push_back(static_cast<std::uint32_t>(total));
  }

  void groupTiles() {
    std::unordered_map<std::uint64_t, std::size_t> byHash; // looked up, never iterated
    for (std::uint32_t t = 0; t < numTiles(); ++t) {
      const auto [known, isNew] = byHash.try_emplace(hashes_[t], groups_.size());
      if (isNew)
        groups_.emplace_back();
      groups_[known->second].push_back(t);
    }
    splitGroups();
  }
  // Moves each tile that has the hash of its group but another list to a separate group. Sorts groups by first tile.
  void splitGroups() {
    std::vector<std::uint8_t> differs(numTiles(), 0);
    eachMember([&](std::uint32_t tile, Problem first, Problem own) { differs[tile] = equal(first, own) ? 0 : 1; });
    if (std::find(differs.begin(), differs.end(), 1) == differs.end())
      return;
    const std::size_t known = groups_.size();
    for (std::size_t g = 0; g < known; ++g) {
      for (const std::uint32_t tile : groups_[g])
        if (differs[tile] != 0)
          groups_.push_back({tile});
      std::erase_if(groups_[g], [&](std::uint32_t tile) { return differs[tile] != 0; });
    }
    std::sort(groups_.begin(), groups_.end(), [](const Group &a, const Group &b) { return a.front() < b.front(); });
  }
  /// Calls use(tile, list of the group's first tile, list of the tile) for all tiles except the first of each group, in
  /// parallel.
  template <class Use> void eachMember(const Use &use) const {
    struct MemberTask {
      std::size_t group, begin, end;
    };
    std::vector<MemberTask> tasks;
    for (std::size_t g = 0; g < groups_.size(); ++g)
      for (std::size_t begin = 1; begin < groups_[g].size(); begin += kTilesCompared)
        tasks.push_back({g, begin, std::min(begin + kTilesCompared, groups_[g].size())});
    parallelFor(options_.threads, tasks.size(), [&](std::size_t i) {
      const Group &group = groups_[tasks[i].group];
      std::vector<Allocation> first, own;
      problems_.build(group.front(), first);
      for (std::size_t k = tasks[i].begin; k < tasks[i].end; ++k) {
        problems_.build(group[k], own);
        use(group[k], first, own);
      }
    });
  }

  void writeLog() const {
    const LogChannel log("layout");
    for (std::size_t g = 0; log.shows(LogLevel::Debug) && g != groups_.size(); ++g) {
      const TileMemory &memory = out_.tiles[groups_[g].front()];
      log.debug("tile {}, and {} that are alike: {} allocations end at {} of {} bytes; those that overlap need {}, the "
                "lower bound is {}",
                groups_[g].front(), groups_[g].size() - 1,
                out_.firstOfTile[groups_[g].front() + 1] - out_.firstOfTile[groups_[g].front()],
                memory.totalIncludingGaps.count(), zones_.memoryEnd, memory.afterOverlapping.count(),
                memory.lowerBoundOverlapped.count());
    }
    log.info("{} allocations on {} tiles, {} of them different; {} tiles are out of memory", out_.allocations.size(),
             numTiles(), groups_.size(), out_.tilesOutOfMemory.size());
  }

  // Solves some groups again with the full search. These are the groups that do not fit although their lower bound
  // fits, and those of the fullest groups that are above their lower bound. The fullest tile decides whether the
  // program fits.
  void searchFullest() {
    std::vector<std::uint32_t> fullest(groups_.size());
    std::iota(fullest.begin(), fullest.end(), 0U);
    const auto memoryOf = [&](std::size_t group) -> const TileMemory & { return out_.tiles[groups_[group].front()]; };
    std::stable_sort(fullest.begin(), fullest.end(), [&](std::uint32_t a, std::uint32_t b) {
      return memoryOf(a).totalIncludingGaps > memoryOf(b).totalIncludingGaps;
    });
    if (options_.searchNodes == 0)
      fullest.clear();
    parallelFor(options_.threads, fullest.size(), [&](std::size_t i) {
      const TileMemory &memory = memoryOf(fullest[i]);
      const bool over = memory.totalIncludingGaps > Bytes(zones_.memoryEnd);
      if ((i < options_.searchedProblems && memory.afterOverlapping > memory.lowerBoundOverlapped) ||
          (over && mightFit(groups_[fullest[i]].front())))
        solve(fullest[i], options_.searchNodes);
    });
  }
  [[nodiscard]] bool mightFit(std::uint32_t tile) const {
    std::vector<Allocation> problem;
    problems_.build(tile, problem);
    return heapLowerBound(heaps_.heapOf(problem)) <= zones_.memoryEnd;
  }

  /// Sets the allocations and totals of the group's first tile. Stores the order of items for the other tiles.
  void solve(std::size_t group, std::uint64_t maxNodes) {
    const std::uint32_t tile = groups_[group].front();
    std::vector<Allocation> problem;
    problems_.build(tile, problem);
    const std::vector<std::uint64_t> addresses = packHeap(heaps_.heapOf(problem), maxNodes);
    const std::span<Allocation> placed = allocationsOf(tile);
    std::vector<std::uint32_t> order;
    order.reserve(problem.size());
    RegionSpan region;
    for (const PlacedStretch &stretch : byAddress(problem, addresses))
      for (std::uint32_t i = stretch.first; i < stretch.first + stretch.count; ++i) {
        const std::uint64_t address = addresses[i], end = address + problem[i].bytes.count();
        if (end > std::numeric_limits<std::uint32_t>::max())
          refuse(tile, problem, end);
        if (address < region.begin || address >= region.end)
          region = regionAt(zones_, address);
        Allocation &a = placed[order.size()];
        a = problem[i];
        a.address = static_cast<std::uint32_t>(address);
        a.region = region.region;
        order.push_back(i);
      }
    markOverlapped(placed);
    out_.tiles[tile] = summariseTile(
        placed, [&](const Allocation &a) { return roleOf(a); }, ranges_, zones_);
    if (groups_[group].size() > 1)
      orders_[group] = std::move(order);
  }
  [[nodiscard]] std::span<Allocation> allocationsOf(std::uint32_t tile) {
    return std::span(out_.allocations)
        .subspan(out_.firstOfTile[tile], out_.firstOfTile[tile + 1] - out_.firstOfTile[tile]);
  }

  /// Items first, first + 1, ... of a problem: one item, or several that never share and are contiguous.
  struct PlacedStretch {
    std::uint64_t address = 0;
    std::uint32_t first = 0, count = 1;
  };
  /// Returns the stretches by address, then number.
  static std::vector<PlacedStretch> byAddress(Problem problem, const std::vector<std::uint64_t> &addresses) {
    std::vector<PlacedStretch> stretches;
    for (std::uint32_t i = 0; i < problem.size(); ++i)
      if (i > 0 && problem[i - 1].occupied == kAlwaysClass && problem[i].occupied == kAlwaysClass &&
          addresses[i] == addresses[i - 1] + problem[i - 1].bytes.count())
        ++stretches.back().count;
      else
        stretches.push_back({addresses[i], i, 1});
    std::sort(stretches.begin(), stretches.end(), [](const PlacedStretch &a, const PlacedStretch &b) {
      return std::pair(a.address, a.first) < std::pair(b.address, b.first);
    });
    return stretches;
  }

  void applySolutions() {
    std::vector<std::uint32_t> groupOf(numTiles());
    for (std::size_t g = 0; g < groups_.size(); ++g)
      for (const std::uint32_t tile : groups_[g])
        groupOf[tile] = static_cast<std::uint32_t>(g);
    eachMember([&](std::uint32_t tile, Problem, Problem own) {
      const std::uint32_t first = groups_[groupOf[tile]].front();
      const std::vector<std::uint32_t> &order = orders_[groupOf[tile]];
      const std::span<Allocation> from = allocationsOf(first), to = allocationsOf(tile);
      for (std::size_t i = 0; i < order.size(); ++i) {
        to[i] = from[i];
        to[i].ownerIndex = own[order[i]].ownerIndex;
      }
      out_.tiles[tile] = out_.tiles[first];
    });
  }

  [[noreturn]] void refuse(std::uint32_t tile, Problem problem, std::uint64_t end) const {
    const auto largest = std::max_element(problem.begin(), problem.end(), [](const Allocation &a, const Allocation &b) {
      return std::pair(a.owner == OwnerKind::Home, a.bytes) < std::pair(b.owner == OwnerKind::Home, b.bytes);
    });
    const std::string name = largest->owner == OwnerKind::Home
                                 ? program_.names[program_.vars[program_.homes[HomeId(largest->ownerIndex)].var].name]
                                 : std::string("its code");
    throw poplar::invalid_tile_mapping(fmt::format(
        "the contents of tile {} need addresses up to {}; 32-bit addresses end at {}. Its largest variable is '{}', "
        "{} bytes there: map it over more tiles with Graph::setTileMapping",
        tile, end, std::numeric_limits<std::uint32_t>::max(), name, largest->bytes.count()));
  }

  [[nodiscard]] std::vector<TileId> fullTiles(const LayoutResult &result) const {
    std::vector<TileId> out;
    for (std::size_t t = 0; t < result.tiles.size(); ++t)
      if (result.tiles[t].totalIncludingGaps > Bytes(zones_.memoryEnd))
        out.emplace_back(static_cast<std::uint32_t>(t));
    std::stable_sort(out.begin(), out.end(), [&](TileId a, TileId b) {
      return result.tiles[a.index()].totalIncludingGaps > result.tiles[b.index()].totalIncludingGaps;
    });
    return out;
  }

  const StepProgram &program_;
  const LiveRanges &ranges_;
  MemoryZones zones_;
  LayoutOptions options_;
  ProblemBuilder problems_;
  HeapBuilder heaps_;
  std::vector<std::uint64_t> hashes_;              // per tile
  std::vector<Group> groups_;                      // by first tile
  std::vector<std::vector<std::uint32_t>> orders_; // per group of several tiles: items by address
  LayoutResult out_;
};

} // namespace

LayoutResult placeAllocations(const StepProgram &program, const LiveRanges &ranges, const TileMachine &machine,
                              const LayoutOptions &options) {
  return Placer(program, ranges, machine, options).place();
}

} // namespace popscope
