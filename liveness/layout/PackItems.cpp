#include "liveness/layout/PackItems.hpp"

#include "liveness/layout/FirstFit.hpp"
#include "liveness/layout/PackOrder.hpp"
#include "liveness/layout/SearchPacking.hpp"

#include <algorithm>
#include <array>

namespace popscope {
namespace {

// Returns the settings of the k-th attempt below a fixed height. The first attempts use each combination of choices;
// later attempts add random noise to the choices. Most successes need almost no backtracking, so an attempt ends when
// it needs many more nodes than there are items. Some attempts run longer (Luby's sequence of restarts).
SearchSettings strictAttempt(std::uint64_t k, std::size_t numItems) {
  constexpr std::array<std::uint64_t, 15> luby{1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8};
  constexpr std::uint64_t plain = 24; // 4 item choices * 3 section choices * 2 directions
  SearchSettings s;
  s.item = static_cast<ItemChoice>(k % kNumItemChoices);
  s.section = static_cast<SectionChoice>(k / 4 % 3);
  s.fromRight = k / 12 % 2 != 0;
  s.noise = k < plain ? 0 : 0.05 * static_cast<double>(1 + k / plain % 8);
  s.seed = k;
  s.maxNodes = (2 * numItems + 50) * (k < plain ? 1 : luby[k / plain % luby.size()]);
  return s;
}

// Returns the settings of the k-th attempt with a growing height. Each attempt ends with a packing, or at the height of
// the best known packing.
SearchSettings growingAttempt(std::uint64_t k, std::size_t numItems) {
  constexpr std::array<ItemChoice, kNumItemChoices> choices{ItemChoice::FullestLifeArea, ItemChoice::FullestAreaLife,
                                                            ItemChoice::LifeAreaFullest, ItemChoice::AreaFullest};
  SearchSettings s;
  s.item = choices[k % choices.size()];
  s.fromRight = k / 4 % 2 != 0;
  s.noise = k < 8 ? 0 : 0.05 * static_cast<double>(1 + k / 8 % 6);
  s.seed = k;
  s.maxNodes = 8 * numItems + 200;
  s.raiseAfter = k < 2 ? 10 : k < 8 ? 30 : std::min<std::uint64_t>(numItems, 30 + 10 * k);
  return s;
}

class Packer {
public:
  Packer(const PackProblem &problem, const PackOptions &options) : problem_(problem), options_(options) {}

  PackResult pack() {
    best_.lowerBound = packLowerBound(problem_);
    best_.addresses = firstFit(problem_, decreasingWeight(problem_));
    best_.peak = packPeak(problem_, best_.addresses);
    if (!done() && options_.maxNodes > 0 && problem_.items.size() <= kMaxSearchedItems)
      search();
    return std::move(best_);
  }

private:
  [[nodiscard]] std::uint64_t goal() const { return std::max(best_.lowerBound, options_.goodEnough); }
  [[nodiscard]] bool far() const { return best_.peak - best_.lowerBound > best_.lowerBound / 32; }
  [[nodiscard]] std::uint64_t maxNodes() const {
    return far() ? std::max(options_.maxNodes, options_.maxNodesFar) : options_.maxNodes;
  }
  [[nodiscard]] bool done() const { return best_.peak <= goal() || best_.nodes >= maxNodes(); }

  void search() {
    const PackSections sections = cutIntoSections(problem_);
    if (sections.numItems() == 0)
      return;
    SearchMemory memory;
    for (std::uint64_t k = 0; !done(); ++k) {
      const bool strict = options_.goodEnough > 0 || (k >= 8 && k % 2 == 1 && !far());
      SearchSettings s = strict ? strictAttempt(options_.goodEnough > 0 ? k : k / 2, sections.numItems())
                                : growingAttempt(k, sections.numItems());
      s.height = static_cast<std::uint32_t>(goal() / sections.unit);
      s.maxHeight = static_cast<std::uint32_t>((best_.peak - 1) / sections.unit);
      s.raiseBy = std::max<std::uint32_t>(1, s.height / 1000);
      s.maxNodes = std::min(s.maxNodes, maxNodes() - best_.nodes);
      const SearchResult result = searchPacking(sections, s, memory);
      best_.nodes += std::max<std::uint64_t>(1, result.nodes);
      if (result.outcome == SearchOutcome::Impossible)
        return;
      if (result.outcome == SearchOutcome::Found)
        keep(sections, result);
    }
  }
  void keep(const PackSections &sections, const SearchResult &result) {
    std::vector<std::uint64_t> addresses(problem_.items.size(), 0);
    for (std::size_t i = 0; i < sections.numItems(); ++i)
      addresses[sections.original[i]] = result.offsets[i] * sections.unit;
    if (const std::uint64_t peak = packPeak(problem_, addresses); peak < best_.peak) {
      best_.peak = peak;
      best_.addresses = std::move(addresses);
    }
  }

  const PackProblem &problem_;
  const PackOptions &options_;
  PackResult best_;
};

} // namespace

PackResult packItems(const PackProblem &problem, const PackOptions &options) { return Packer(problem, options).pack(); }

} // namespace popscope
