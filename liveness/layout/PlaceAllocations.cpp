#include "liveness/layout/PlaceAllocations.hpp"

#include "base/Check.hpp"
#include "base/Parallel.hpp"
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

struct Solution {
  std::vector<std::uint32_t> order; // of the problem's allocations, ascending addresses
  std::vector<Allocation> placed;   // in that order; owners are those of the tile that was solved
  TileMemory memory;
};

class Placer {
public:
  Placer(const StepProgram &program, const LiveRanges &ranges, const TileMachine &machine, const LayoutOptions &options,
         TileProblems problems)
      : program_(program), ranges_(ranges), zones_(buildZones(machine)), options_(options),
        problems_(std::move(problems)), heaps_(program, ranges, zones_) {}

  LayoutResult place() {
    groupTiles();
    solutions_.resize(distinct_.size());
    parallelFor(options_.threads, solutions_.size(),
                [&](std::size_t i) { solutions_[i] = solve(problemOf(distinct_[i]), 0); });
    searchFullest();
    const std::size_t numTiles = solutionOf_.size();
    parallelFor(options_.threads, numTiles, [&](std::size_t t) { applySolution(t); });
    LayoutResult out;
    out.distinctProblems = distinct_.size();
    for (std::size_t t = 0; t < numTiles; ++t)
      out.tiles.push_back(solutions_[solutionOf_[t]].memory);
    out.allocations = std::move(problems_.allocations);
    out.firstOfTile = std::move(problems_.firstOfTile);
    out.tilesOutOfMemory = fullTiles(out);
    return out;
  }

private:
  [[nodiscard]] Problem problemOf(std::size_t tile) const {
    return Problem(problems_.allocations)
        .subspan(problems_.firstOfTile[tile], problems_.firstOfTile[tile + 1] - problems_.firstOfTile[tile]);
  }

  [[nodiscard]] LiveRole roleOf(const Allocation &a) const {
    if (a.owner != OwnerKind::Home)
      return {};
    const VarId var = program_.homes[HomeId(a.ownerIndex)].var;
    return {ranges_.live[var], ranges_.always[var] != 0};
  }

  // Everything about an allocation that its address and its tile's totals depend on: all but whose it is.
  [[nodiscard]] std::array<std::uint64_t, 5> keyOf(const Allocation &a) const {
    const LiveRole role = roleOf(a);
    const auto pair = [](std::uint64_t high, std::uint64_t low) { return high << 32 | low; };
    return {pair(a.bytes, a.alignment), pair(a.occupied.index(), role.live.index()),
            pair(static_cast<std::uint64_t>(a.category), static_cast<std::uint64_t>(a.owner)),
            pair(static_cast<std::uint64_t>(a.region), role.always ? 1 : 0), heaps_.limitOf(a)};
  }
  [[nodiscard]] std::uint64_t hashOf(Problem problem) const {
    std::uint64_t h = 0xcbf29ce484222325ULL;
    for (const Allocation &a : problem)
      for (const std::uint64_t word : keyOf(a))
        h = (h ^ (word + (h >> 29))) * 0x9e3779b97f4a7c15ULL;
    return h;
  }
  [[nodiscard]] bool equal(Problem a, Problem b) const {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [this](const Allocation &x, const Allocation &y) { return keyOf(x) == keyOf(y); }) &&
           heaps_.apartIn(a) == heaps_.apartIn(b);
  }

  void groupTiles() {
    const std::size_t numTiles = problems_.firstOfTile.size() - 1;
    std::vector<std::uint64_t> hashes(numTiles);
    parallelFor(options_.threads, numTiles, [&](std::size_t t) { hashes[t] = hashOf(problemOf(t)); });
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> byHash; // looked up, never iterated
    for (std::size_t t = 0; t < numTiles; ++t) {
      std::vector<std::uint32_t> &candidates = byHash[hashes[t]];
      const auto known = std::find_if(candidates.begin(), candidates.end(),
                                      [&](std::uint32_t d) { return equal(problemOf(distinct_[d]), problemOf(t)); });
      if (known != candidates.end()) {
        solutionOf_.push_back(*known);
        continue;
      }
      candidates.push_back(static_cast<std::uint32_t>(distinct_.size()));
      solutionOf_.push_back(candidates.back());
      distinct_.push_back(t);
    }
  }

  // Effort where it decides: the fullest tile says whether the program fits, and those that do not fit and might.
  void searchFullest() {
    std::vector<std::uint32_t> fullest(solutions_.size());
    std::iota(fullest.begin(), fullest.end(), 0U);
    std::stable_sort(fullest.begin(), fullest.end(), [&](std::uint32_t a, std::uint32_t b) {
      return solutions_[a].memory.totalIncludingGaps > solutions_[b].memory.totalIncludingGaps;
    });
    if (options_.searchNodes == 0)
      fullest.clear();
    parallelFor(options_.threads, fullest.size(), [&](std::size_t i) {
      const TileMemory &memory = solutions_[fullest[i]].memory;
      const bool over = memory.totalIncludingGaps > zones_.memoryEnd;
      if ((i < options_.searchedProblems && memory.afterOverlapping > memory.lowerBoundOverlapped) ||
          (over && heapLowerBound(heaps_.heapOf(problemOf(distinct_[fullest[i]]))) <= zones_.memoryEnd))
        solutions_[fullest[i]] = solve(problemOf(distinct_[fullest[i]]), options_.searchNodes);
    });
  }

  [[nodiscard]] Solution solve(Problem problem, std::uint64_t maxNodes) const {
    const std::vector<std::uint64_t> addresses = packHeap(heaps_.heapOf(problem), maxNodes);
    Solution out;
    out.order.resize(problem.size());
    std::iota(out.order.begin(), out.order.end(), 0U);
    std::stable_sort(out.order.begin(), out.order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return addresses[a] < addresses[b]; });
    std::vector<LiveRole> roles;
    for (const std::uint32_t i : out.order) {
      Allocation a = problem[i];
      if (addresses[i] + a.bytes > std::numeric_limits<std::uint32_t>::max())
        refuse(problem, addresses[i] + a.bytes);
      a.address = static_cast<std::uint32_t>(addresses[i]);
      a.region = regionAt(zones_, addresses[i]).region;
      out.placed.push_back(a);
      roles.push_back(roleOf(a));
    }
    markOverlapped(out.placed);
    out.memory = summariseTile(out.placed, roles, ranges_, zones_);
    return out;
  }

  [[noreturn]] void refuse(Problem problem, std::uint64_t end) const {
    const auto largest = std::max_element(problem.begin(), problem.end(), [](const Allocation &a, const Allocation &b) {
      return std::pair(a.owner == OwnerKind::Home, a.bytes) < std::pair(b.owner == OwnerKind::Home, b.bytes);
    });
    const std::string name = largest->owner == OwnerKind::Home
                                 ? program_.names[program_.vars[program_.homes[HomeId(largest->ownerIndex)].var].name]
                                 : std::string("its code");
    throw poplar::invalid_tile_mapping(fmt::format(
        "what is on tile {} needs addresses up to {}; addresses of 32 bits end at {}. Its largest variable is '{}', "
        "{} bytes there: map it over more tiles with Graph::setTileMapping",
        largest->tile.index(), end, std::numeric_limits<std::uint32_t>::max(), name, largest->bytes));
  }

  void applySolution(std::size_t tile) {
    const Solution &solution = solutions_[solutionOf_[tile]];
    const Problem problem = problemOf(tile);
    std::vector<Allocation> placed = solution.placed;
    for (std::size_t i = 0; i < placed.size(); ++i) {
      placed[i].tile = problem[solution.order[i]].tile;
      placed[i].ownerIndex = problem[solution.order[i]].ownerIndex;
    }
    std::copy(placed.begin(), placed.end(), problems_.allocations.begin() + problems_.firstOfTile[tile]);
  }

  [[nodiscard]] std::vector<TileId> fullTiles(const LayoutResult &result) const {
    std::vector<TileId> out;
    for (std::size_t t = 0; t < result.tiles.size(); ++t)
      if (result.tiles[t].totalIncludingGaps > zones_.memoryEnd)
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
  TileProblems problems_;
  HeapBuilder heaps_;
  std::vector<std::size_t> distinct_;     // a tile for each distinct problem
  std::vector<std::uint32_t> solutionOf_; // by tile
  std::vector<Solution> solutions_;
};

} // namespace

LayoutResult placeAllocations(const StepProgram &program, const LiveRanges &ranges, const TileMachine &machine,
                              const LayoutOptions &options) {
  return Placer(program, ranges, machine, options, buildProblems(program, ranges, machine, options)).place();
}

} // namespace popscope
