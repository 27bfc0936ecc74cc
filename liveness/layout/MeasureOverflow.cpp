#include "liveness/layout/MeasureOverflow.hpp"

#include "base/StorageCategory.hpp"
#include "liveness/layout/BuildHeap.hpp"
#include "liveness/layout/BuildProblem.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace popscope {
namespace {

constexpr std::uint64_t kPrecision = kWordBytes;
constexpr int kSearches = 4; // the number of searches for a smaller set that must go

class Measurer {
public:
  Measurer(const StepProgram &program, const LiveRanges &ranges, const TileMachine &machine,
           const LayoutOptions &options, TileId tile)
      : program_(program), ranges_(ranges), options_(options), zones_(buildZones(machine)),
        heaps_(program, ranges, zones_) {
    ProblemBuilder(program, ranges, machine, options).build(tile.index(), problem_);
    std::vector<std::int64_t> change(program.steps.size() + 1, 0);
    for (const Allocation &a : problem_)
      eachInterval(a, [&](std::uint32_t begin, std::uint32_t end) {
        change[begin] += a.bytes.count();
        change[end] -= a.bytes.count();
      });
    std::partial_sum(change.begin(), change.end(), change.begin());
    change.pop_back();
    occupied_.assign(change.begin(), change.end());
  }

  TileOverflow measure(Bytes highest, std::span<const Allocation> allocations) const {
    TileOverflow out;
    const auto worst = std::max_element(occupied_.begin(), occupied_.end());
    out.worstStep = StepIndex(static_cast<std::uint32_t>(worst - occupied_.begin()));
    out.bytesThere = Bytes(*worst);
    out.over = highest - Bytes(zones_.memoryEnd);
    out.gaps = gapsAt(out.worstStep, allocations);
    findCuts(out);
    return out;
  }

private:
  template <class Body> void eachInterval(const Allocation &a, const Body &body) const {
    for (const StepInterval &i : ranges_.intervalsOf(a.occupied))
      body(i.begin.index(), i.end.index());
  }

  /// Returns the bytes past the end of memory in the layout that placeAllocations finds, with or without its search.
  [[nodiscard]] std::uint64_t overOf(const HeapProblem &heap, bool searched) const {
    std::uint64_t high = heapHeight(heap, packHeap(heap)).first;
    if (high > zones_.memoryEnd && searched && options_.searchNodes > 0 && heapLowerBound(heap) <= zones_.memoryEnd)
      high = heapHeight(heap, packHeap(heap, options_.searchNodes)).first;
    return high - std::min(high, zones_.memoryEnd);
  }

  // ---- why: the causes of the gaps
  [[nodiscard]] TileGaps gapsAt(StepIndex step, std::span<const Allocation> allocations) const {
    const std::uint64_t interleaved = regionStart(zones_, AllocationRegion::Interleaved);
    const std::uint64_t element = zones_.regions.empty() ? 0 : zones_.regions.front().elementSize;
    std::vector<PlacedBytes> placed;
    for (const Allocation &a : allocations)
      if (a.bytes.count() != 0)
        placed.push_back({a.address, a.end(), a.alignment, holdsCode(a.category),
                          interleaved != zones_.memoryEnd && a.address >= interleaved,
                          ranges_.contains(a.occupied, step)});
    return gapsOf(placed, {zones_.memoryEnd, element});
  }

  // ---- what must go
  struct Candidate {
    std::uint32_t item = 0;
    std::uint64_t unit = 0, left = 0; // in bytes: the size of one cut, and the bytes that are not yet cut
  };
  [[nodiscard]] std::vector<Candidate> candidates() const {
    std::vector<Candidate> out;
    for (std::uint32_t i = 0; i < problem_.size(); ++i) {
      const Allocation &a = problem_[i];
      if (a.owner != OwnerKind::Home ||
          (a.category != StorageCategory::Variable && a.category != StorageCategory::Constant))
        continue;
      const Home &home = program_.homes[HomeId(a.ownerIndex)];
      const std::uint64_t bytes = a.bytes.count();
      out.push_back({i, home.elements > 0 ? bytes / home.elements : bytes, bytes});
    }
    return out;
  }
  /// Returns the bytes to cut from each item so that no step has more than `room` bytes, or an empty list if that is
  /// impossible.
  ///
  /// Handles the steps in order. At each overfull step, cuts the item that is present at the largest number of the
  /// remaining overfull steps. Among equals, prefers an item that was already cut, and then the largest item. So among
  /// the intervals that contain a step, this greedy rule takes the one that ends last. The rule is optimal if each item
  /// is present in only one interval. If one item suffices, the rule cuts only the largest item that suffices: this
  /// item is present at all overfull steps.
  [[nodiscard]] std::vector<std::uint64_t> cutsFor(std::uint64_t room) const {
    std::vector<std::int64_t> need(occupied_.size());
    std::vector<std::uint32_t> full(occupied_.size() + 1, 0); // number of overfull steps before this step
    for (std::size_t s = 0; s < need.size(); ++s) {
      need[s] = occupied_[s] - static_cast<std::int64_t>(room);
      full[s + 1] = full[s] + (need[s] > 0 ? 1 : 0);
    }
    std::vector<Candidate> all = candidates();
    std::vector<std::uint64_t> cuts(problem_.size(), 0);
    for (std::uint32_t s = 0; s < need.size(); ++s)
      while (need[s] > 0) {
        Candidate *const best = bestAt(s, all, full, cuts);
        if (best == nullptr)
          return {};
        const std::uint64_t cut = std::min(wholeUnits(need[s], best->unit), best->left);
        best->left -= cut;
        cuts[best->item] += cut;
        eachInterval(problem_[best->item], [&](std::uint32_t begin, std::uint32_t end) {
          for (std::uint32_t t = begin; t < end; ++t)
            need[t] -= static_cast<std::int64_t>(cut);
        });
      }
    return cuts;
  }
  [[nodiscard]] static std::uint64_t wholeUnits(std::int64_t bytes, std::uint64_t unit) {
    return (static_cast<std::uint64_t>(std::max<std::int64_t>(bytes, 0)) + unit - 1) / unit * unit;
  }
  [[nodiscard]] Candidate *bestAt(std::uint32_t step, std::vector<Candidate> &all,
                                  const std::vector<std::uint32_t> &full,
                                  const std::vector<std::uint64_t> &cuts) const {
    Candidate *best = nullptr;
    std::tuple<std::uint32_t, bool, std::uint64_t> bestKey;
    for (Candidate &c : all) {
      std::uint32_t ahead = 0;
      bool here = false;
      eachInterval(problem_[c.item], [&](std::uint32_t begin, std::uint32_t end) {
        here = here || (begin <= step && step < end);
        if (end > step)
          ahead += full[end] - full[std::max(begin, step)];
      });
      const std::tuple key{ahead, cuts[c.item] > 0, c.left};
      if (here && c.left > 0 && (best == nullptr || key > bestKey)) {
        best = &c;
        bestKey = key;
      }
    }
    return best;
  }
  [[nodiscard]] bool fitsWithout(const std::vector<std::uint64_t> &cuts, bool searched) const {
    if (cuts.empty())
      return false;
    std::vector<Allocation> rest; // heapOf finds by home the pairs that must lie in different elements
    for (std::size_t i = 0; i < problem_.size(); ++i)
      if (problem_[i].bytes > Bytes(cuts[i])) {
        rest.push_back(problem_[i]);
        rest.back().bytes -= narrow(Bytes(cuts[i]));
      }
    return overOf(heaps_.heapOf(rest), searched) == 0;
  }
  // Finds cuts that make the tile fit. Cuts down to the size of memory if the result fits. Otherwise finds the largest
  // size that fits: by bisection with first fit only, then in a few more steps with search.
  void findCuts(TileOverflow &out) const {
    std::vector<std::uint64_t> best = cutsFor(zones_.memoryEnd);
    if (!fitsWithout(best, true)) {
      best.assign(problem_.size(), 0);
      for (const Candidate &c : candidates())
        best[c.item] = c.left;
      if (!fitsWithout(best, true))
        return;
      std::uint64_t fits = 0, tooMuch = zones_.memoryEnd;
      while (tooMuch - fits > kPrecision)
        tryRoom(fits, tooMuch, false, best);
      tooMuch = zones_.memoryEnd;
      for (int i = 0; i < kSearches && tooMuch - fits > kPrecision; ++i)
        tryRoom(fits, tooMuch, true, best);
    }
    for (std::size_t i = 0; i < best.size(); ++i)
      if (best[i] > 0)
        out.mustGo.push_back({HomeId(problem_[i].ownerIndex), Bytes(best[i])});
    std::stable_sort(out.mustGo.begin(), out.mustGo.end(),
                     [](const HomeCut &a, const HomeCut &b) { return a.bytes > b.bytes; });
  }
  /// Tests the size in the middle between `fits` and `tooMuch`, and sets `fits` or `tooMuch` to this size.
  void tryRoom(std::uint64_t &fits, std::uint64_t &tooMuch, bool searched, std::vector<std::uint64_t> &best) const {
    const std::uint64_t room = fits + (tooMuch - fits) / 2;
    std::vector<std::uint64_t> cuts = cutsFor(room);
    if (fitsWithout(cuts, searched)) {
      fits = room;
      best = std::move(cuts);
    } else {
      tooMuch = room;
    }
  }

  const StepProgram &program_;
  const LiveRanges &ranges_;
  LayoutOptions options_;
  MemoryZones zones_;
  HeapBuilder heaps_;
  std::vector<Allocation> problem_;
  std::vector<std::int64_t> occupied_; // bytes per step
};

} // namespace

TileOverflow measureOverflow(const StepProgram &program, const LiveRanges &ranges, const TileMachine &machine,
                             const LayoutOptions &options, const LayoutResult &layout, TileId tile) {
  return Measurer(program, ranges, machine, options, tile)
      .measure(layout.tiles[tile.index()].totalIncludingGaps, layout.ofTile(tile));
}

} // namespace popscope
