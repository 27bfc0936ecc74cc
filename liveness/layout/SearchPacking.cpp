#include "liveness/layout/SearchPacking.hpp"

#include "liveness/layout/ScanTable.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace popscope {
namespace {

// A value above every height. As an item's lowest address, this value marks a placed item. As a floor, this value means
// that no unplaced item is left in the section.
constexpr std::uint32_t kPlaced = std::numeric_limits<std::int32_t>::max();
constexpr std::uint32_t kNoHope = kPlaced; // returned instead of a section if the bounds show that nothing fits

std::uint64_t mixBits(std::uint64_t x) { // a finaliser with full avalanche
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

// Returns the position of each item in the order in which a node tries them.
std::vector<std::uint32_t> rankItems(const PackSections &p, const SearchSettings &settings) {
  const std::size_t n = p.numItems();
  std::vector<std::array<double, 3>> keys(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    const double random = static_cast<double>(mixBits(settings.seed * 1000003 + p.original[i]) >> 11) * 0x1p-53;
    const double vary = 1 + settings.noise * (2 * random - 1);
    const double life = static_cast<double>(p.life[i]) * vary, area = life * p.size[i], full = p.fullest[i] * vary;
    switch (settings.item) {
    case ItemChoice::LifeAreaFullest: keys[i] = {life, area, full}; break;
    case ItemChoice::FullestAreaLife: keys[i] = {full, area, life}; break;
    case ItemChoice::FullestLifeArea: keys[i] = {full, life, area}; break;
    case ItemChoice::AreaFullest: keys[i] = {area, full, life}; break;
    }
  }
  std::vector<std::uint32_t> order(n), rank(n);
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return keys[a] > keys[b]; });
  for (std::uint32_t r = 0; r < n; ++r)
    rank[order[r]] = r;
  return rank;
}

// One attempt to find a packing. All state is in flat tables. The trail records every change with the old value, so
// that a node can undo its changes without copies. A node mostly scans the floors and the lowest addresses of its part.
class Search {
public:
  Search(const PackSections &problem, const SearchSettings &settings, SearchMemory &memory)
      : p_(problem), settings_(settings), hopeless_(memory), height_(settings.height),
        rank_(rankItems(problem, settings)), lowest_(problem.numItems(), 0), floor_(problem.numSections, 0),
        keys_(problem.numItems()), toCome_(problem.total), spanning_(problem.numSections, 0),
        witness_(problem.numSections), count_(problem.numSections + 1, 0), offsets_(problem.numItems(), 0),
        trail_(memory.trail) {
    trail_.clear();
    for (std::size_t i = 0; i < keys_.size(); ++i)
      keys_[i] = static_cast<std::uint32_t>(mixBits(i + 1));
    for (const SectionRange &hull : p_.hull)
      for (std::uint32_t s = hull.begin; s + 1 < hull.end; ++s)
        ++spanning_[s];
    for (std::uint32_t s = 0; s < p_.numSections; ++s)
      witness_[s] = p_.members[p_.firstMember[s]];
  }

  SearchResult run() {
    SearchResult result;
    const bool tooHigh = std::any_of(toCome_.begin(), toCome_.end(), [&](std::uint32_t t) { return t > height_; });
    const std::vector<std::uint32_t> cuts = splitAt(0, p_.numSections, 0, p_.numSections);
    result.outcome = SearchOutcome::Impossible;
    for (bool again = !tooHigh; again;) {
      const std::uint32_t before = height_;
      result.outcome = solveParts(cuts);
      undoTo(0);
      if (settings_.raiseAfter > 0 && result.outcome == SearchOutcome::Impossible && height_ == before)
        raiseHeight(); // the result proves that the height is too low; tries again if the height is not at its limit
      again = result.outcome == SearchOutcome::Impossible && height_ != before;
    }
    result.nodes = nodes_;
    if (result.outcome == SearchOutcome::Found)
      result.offsets = std::move(offsets_);
    return result;
  }

private:
  bool raiseHeight() {
    failed_ = 0;
    const std::uint32_t before = height_;
    height_ = std::min(height_ + settings_.raiseBy, std::max(height_, settings_.maxHeight));
    return height_ != before;
  }

  using Table = std::vector<std::uint32_t>;
  // Changes are undone in reverse order. A placed item needs one entry, because all its sections had the same floor.
  using Change = SearchMemory::Change;
  enum Kind : std::uint32_t { Lowest = 0U << 30, Floor = 1U << 30, Placed = 2U << 30 }; // bits above the index
  static constexpr std::uint32_t kIndex = (1U << 30) - 1;
  void note(Kind kind, std::uint32_t index, std::uint32_t before) { trail_.push_back({kind | index, before}); }
  void undoTo(std::size_t mark) {
    for (; trail_.size() > mark; trail_.pop_back()) {
      const Change &change = trail_.back();
      const std::uint32_t index = change.what & kIndex;
      switch (static_cast<Kind>(change.what & ~kIndex)) {
      case Lowest: lowest_[index] = change.before; break;
      case Floor: floor_[index] = change.before; break;
      case Placed: takeAway(index, change.before); break;
      }
    }
  }
  void takeAway(std::uint32_t item, std::uint32_t level) {
    lowest_[item] = level;
    for (std::uint32_t r = p_.firstRange[item]; r < p_.firstRange[item + 1]; ++r)
      for (std::uint32_t s = p_.ranges[r].begin; s < p_.ranges[r].end; ++s) {
        toCome_[s] += p_.size[item];
        floor_[s] = level;
      }
    for (std::uint32_t s = p_.hull[item].begin; s + 1 < p_.hull[item].end; ++s)
      ++spanning_[s];
  }
  void putDown(std::uint32_t item, std::uint32_t top) {
    note(Placed, item, lowest_[item]);
    lowest_[item] = kPlaced;
    for (std::uint32_t r = p_.firstRange[item]; r < p_.firstRange[item + 1]; ++r)
      for (std::uint32_t s = p_.ranges[r].begin; s < p_.ranges[r].end; ++s) {
        toCome_[s] -= p_.size[item];
        floor_[s] = toCome_[s] == 0 ? kPlaced : top;
      }
    for (std::uint32_t s = p_.hull[item].begin; s + 1 < p_.hull[item].end; ++s)
      --spanning_[s];
  }
  void raiseFloor(std::uint32_t section, std::uint32_t to) {
    note(Floor, section, floor_[section]);
    floor_[section] = to;
  }

  // Returns the borders of the parts of [begin, end): begin, end, and each border between two sections of [from, to)
  // that no life of an unplaced item crosses.
  [[nodiscard]] Table splitAt(std::uint32_t begin, std::uint32_t end, std::uint32_t from, std::uint32_t to) const {
    Table cuts{begin};
    for (std::uint32_t s = from; s + 1 < to; ++s)
      if (spanning_[s] == 0)
        cuts.push_back(s + 1);
    cuts.push_back(end);
    return cuts;
  }
  SearchOutcome solveParts(const Table &cuts) {
    for (std::size_t c = 0; c + 1 < cuts.size(); ++c)
      if (const SearchOutcome outcome = solve(cuts[c], cuts[c + 1]); outcome != SearchOutcome::Found)
        return outcome;
    return SearchOutcome::Found;
  }

  [[nodiscard]] std::uint64_t stateOf(std::uint32_t begin, std::uint32_t end) const {
    const std::uint64_t where = (begin * 0x9e3779b97f4a7c15ULL + end) ^ mixBits(height_);
    return mixBits(where + hashOf(lowest_.data(), keys_.data(), p_.firstAt[begin], p_.firstAt[end])) | 1;
  }

  [[nodiscard]] bool covers(std::uint32_t item, std::uint32_t section) const {
    for (std::uint32_t r = p_.firstRange[item]; r < p_.firstRange[item + 1]; ++r)
      if (p_.ranges[r].begin <= section && section < p_.ranges[r].end)
        return true;
    return false;
  }
  void raise(std::uint32_t item, std::uint32_t to) {
    if (lowest_[item] >= to) // also true for placed items
      return;
    note(Lowest, item, lowest_[item]);
    lowest_[item] = static_cast<std::uint32_t>(roundUpTo(to, p_.alignment[item]));
    changedBegin_ = std::min(changedBegin_, p_.hull[item].begin);
    changedEnd_ = std::max(changedEnd_, p_.hull[item].end);
  }

  // Returns whether two bounds hold in each changed section. First, the unplaced items fit above the floor. Second, one
  // of the unplaced items can start so low that all unplaced items fit above its start.
  bool hopeInChanged() {
    for (std::uint32_t s = changedBegin_; s < changedEnd_; ++s) {
      if (toCome_[s] == 0)
        continue;
      if (floor_[s] + toCome_[s] > height_)
        return false;
      const std::uint32_t highestStart = height_ - toCome_[s];
      if (lowest_[witness_[s]] <= highestStart)
        continue;
      const auto first = p_.members.begin() + p_.firstMember[s], last = p_.members.begin() + p_.firstMember[s + 1];
      const auto found = std::find_if(first, last, [&](std::uint32_t i) { return lowest_[i] <= highestStart; });
      if (found == last)
        return false;
      witness_[s] = *found;
    }
    return true;
  }

  [[nodiscard]] std::uint32_t lowestOfMembers(std::uint32_t section) const {
    return smallestOf(
        lowest_.data(),
        std::span(p_.members).subspan(p_.firstMember[section], p_.firstMember[section + 1] - p_.firstMember[section]),
        kPlaced);
  }

  // Raises floors on which no item can lie. Then returns the section that the node decides. This is one of the sections
  // with the lowest floor. Returns numSections if no item is unplaced, and kNoHope if the unplaced items do not fit.
  std::uint32_t decidingSection(std::uint32_t begin, std::uint32_t end) {
    for (;;) {
      const std::uint32_t level = smallestIn(floor_.data(), begin, end, kPlaced);
      if (level == kPlaced)
        return p_.numSections;
      onLevel_.clear();
      forEachEqual(floor_.data(), begin, end, level,
                   [&](std::size_t s) { onLevel_.push_back(static_cast<std::uint32_t>(s)); });
      countItemsAt(level, onLevel_.front(), onLevel_.back() + 1);
      std::uint32_t best = p_.numSections, count = 0, counted = onLevel_.front();
      std::uint64_t bestKey = ~std::uint64_t(0);
      for (const std::uint32_t s : onLevel_) {
        for (; counted <= s; ++counted)
          count += count_[counted];
        if (count == 0) {
          raiseFloor(s, lowestOfMembers(s));
          if (floor_[s] + toCome_[s] > height_)
            return kNoHope;
          continue;
        }
        const std::uint64_t key = keyOf(s, count);
        if (key < bestKey || (key == bestKey && settings_.fromRight)) {
          bestKey = key;
          best = s;
        }
      }
      if (best != p_.numSections)
        return best;
    }
  }
  // Counts the items with this lowest address in each section of [begin, end), as differences between neighbouring
  // sections. If the level is the section's floor, these items can lie on the floor.
  void countItemsAt(std::uint32_t level, std::uint32_t begin, std::uint32_t end) {
    std::fill(count_.begin() + begin, count_.begin() + end + 1, 0U);
    forEachEqual(lowest_.data(), p_.firstAt[begin], p_.firstAt[end], level, [&](std::size_t i) {
      for (std::uint32_t r = p_.firstRange[i]; r < p_.firstRange[i + 1]; ++r) {
        ++count_[p_.ranges[r].begin];
        --count_[p_.ranges[r].end];
      }
    });
  }
  [[nodiscard]] std::uint64_t keyOf(std::uint32_t section, std::uint32_t count) const {
    const std::uint32_t free = height_ - floor_[section] - toCome_[section];
    switch (settings_.section) {
    case SectionChoice::LeastFree: return free;
    case SectionChoice::FewestItems: return count;
    case SectionChoice::FewestItemsWhereFull: break;
    }
    return (free == 0 ? 0 : std::uint64_t(1) << 32) + count;
  }

  SearchOutcome solve(std::uint32_t begin, std::uint32_t end) {
    if (p_.firstAt[begin] == p_.firstAt[end])
      return SearchOutcome::Found;
    if (++nodes_ > settings_.maxNodes)
      return SearchOutcome::GaveUp;
    const std::uint32_t height = height_;
    const std::uint64_t state = stateOf(begin, end);
    if (hopeless_.contains(state))
      return SearchOutcome::Impossible;
    const std::size_t mark = trail_.size(), firstTried = tried_.size();
    const SearchOutcome outcome = branch(begin, end);
    tried_.resize(firstTried);
    if (outcome != SearchOutcome::Found)
      undoTo(mark);
    if (outcome == SearchOutcome::Impossible) {
      if (height == height_)
        hopeless_.add(state);
      if (settings_.raiseAfter > 0 && ++failed_ >= settings_.raiseAfter && !raiseHeight())
        return SearchOutcome::GaveUp;
    }
    return outcome;
  }

  SearchOutcome branch(std::uint32_t begin, std::uint32_t end) {
    for (;;) {
      const std::uint32_t section = decidingSection(begin, end);
      if (section == p_.numSections)
        return SearchOutcome::Found;
      if (section == kNoHope)
        return SearchOutcome::Impossible;
      const std::size_t firstTried = tried_.size();
      for (std::uint32_t m = p_.firstMember[section]; m < p_.firstMember[section + 1]; ++m)
        if (lowest_[p_.members[m]] == floor_[section])
          tried_.push_back(p_.members[m]);
      std::sort(tried_.begin() + static_cast<std::ptrdiff_t>(firstTried), tried_.end(),
                [&](std::uint32_t a, std::uint32_t b) { return rank_[a] < rank_[b]; });
      for (std::size_t t = firstTried; t < tried_.size(); ++t) {
        if (t > firstTried && alike(tried_[t - 1], tried_[t]))
          continue;
        const std::size_t size = tried_.size();
        if (const SearchOutcome outcome = place(tried_[t], begin, end); outcome != SearchOutcome::Impossible)
          return outcome;
        tried_.resize(size);
      }
      if (!leaveEmpty(section, firstTried))
        return SearchOutcome::Impossible;
      tried_.resize(firstTried);
    }
  }
  [[nodiscard]] bool alike(std::uint32_t a, std::uint32_t b) const {
    return p_.size[a] == p_.size[b] && p_.firstRange[a + 1] == p_.firstRange[a] + 1 &&
           p_.firstRange[b + 1] == p_.firstRange[b] + 1 && p_.hull[a].begin == p_.hull[b].begin &&
           p_.hull[a].end == p_.hull[b].end && p_.alignment[a] == p_.alignment[b];
  }

  SearchOutcome place(std::uint32_t item, std::uint32_t begin, std::uint32_t end) {
    const std::size_t mark = trail_.size();
    const std::uint32_t top = lowest_[item] + p_.size[item];
    const SectionRange hull = p_.hull[item];
    offsets_[item] = lowest_[item];
    putDown(item, top);
    changedBegin_ = hull.begin;
    changedEnd_ = hull.end;
    for (std::uint32_t m = p_.firstMeeting[item]; m < p_.firstMeeting[item + 1]; ++m)
      raise(p_.meeting[m], top);
    SearchOutcome outcome = SearchOutcome::Impossible;
    if (hopeInChanged())
      outcome = solveRest(begin, end, hull);
    if (outcome != SearchOutcome::Found)
      undoTo(mark);
    return outcome;
  }
  SearchOutcome solveRest(std::uint32_t begin, std::uint32_t end, SectionRange hull) {
    bool splits = false;
    for (std::uint32_t s = hull.begin; s + 1 < hull.end; ++s)
      splits = splits || spanning_[s] == 0;
    return splits ? solveParts(splitAt(begin, end, hull.begin, hull.end)) : solve(begin, end);
  }

  // Decides that the section's floor stays empty. Each item that could lie on the floor then rests on another unplaced
  // item. At least one of these items rests on an item that cannot lie on the floor. Raises the lowest addresses of
  // these items accordingly. Returns whether a packing is still possible.
  bool leaveEmpty(std::uint32_t section, std::size_t firstTried) {
    const std::uint32_t level = floor_[section];
    changedBegin_ = section;
    changedEnd_ = section + 1;
    supports_.clear();
    std::uint32_t onAnother = kPlaced; // the lowest top of an item that cannot lie on the floor
    for (std::size_t t = firstTried; t < tried_.size(); ++t) {
      supports_.push_back(lowestSupport(tried_[t], section, level));
      if (supports_.back() != kPlaced)
        onAnother = std::min(onAnother, supports_.back() + p_.size[tried_[t]]);
    }
    if (onAnother == kPlaced)
      return false;
    for (std::size_t t = firstTried; t < tried_.size(); ++t)
      raise(tried_[t], std::min(supports_[t - firstTried], onAnother));
    raiseFloor(section, lowestOfMembers(section));
    return hopeInChanged();
  }
  // Returns the lowest top of an unplaced item that meets `item` and cannot lie on the section's floor.
  [[nodiscard]] std::uint32_t lowestSupport(std::uint32_t item, std::uint32_t section, std::uint32_t level) const {
    std::uint32_t support = kPlaced;
    for (std::uint32_t m = p_.firstMeeting[item]; m < p_.firstMeeting[item + 1]; ++m) {
      const std::uint32_t other = p_.meeting[m];
      if (lowest_[other] != kPlaced && lowest_[other] + p_.size[other] < support &&
          (lowest_[other] != level || !covers(other, section)))
        support = lowest_[other] + p_.size[other];
    }
    return support;
  }

  const PackSections &p_;
  const SearchSettings &settings_;
  SearchMemory &hopeless_;
  std::uint32_t height_;
  std::uint64_t failed_ = 0; // failed nodes since the height last grew
  Table rank_;
  Table lowest_;   // per item: the lowest address that the placed items allow; kPlaced: the item is placed
  Table floor_;    // per section: the lowest address that an unplaced item can still take; kPlaced: no item is unplaced
  Table keys_;     // per item: key of stateOf
  Table toCome_;   // per section: sum of the sizes of the unplaced items, in units
  Table spanning_; // per section: unplaced items whose hull contains this section and the next
  Table witness_;  // per section: an unplaced item that could start low enough at the last check
  Table count_, onLevel_, tried_, supports_, offsets_;
  std::uint32_t changedBegin_ = 0, changedEnd_ = 0;
  std::vector<Change> &trail_;
  std::uint64_t nodes_ = 0;
};

} // namespace

SearchResult searchPacking(const PackSections &problem, const SearchSettings &settings, SearchMemory &memory) {
  return Search(problem, settings, memory).run();
}

} // namespace popscope
