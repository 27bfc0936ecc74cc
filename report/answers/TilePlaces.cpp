#include "report/answers/TilePlaces.hpp"

#include <algorithm>

namespace popscope {
namespace {

constexpr std::uint64_t kMaxBytes = std::uint64_t(1) << 40; // of an address: more than any tile has

bool isCode(const std::string &category) {
  const std::string end = "Code";
  return category == "sharedCodeStorage" ||
         (category.size() >= end.size() && category.compare(category.size() - end.size(), end.size(), end) == 0);
}

/// A range of addresses that nothing occupies at any step, and its neighbours.
struct Empty {
  std::uint64_t begin = 0, end = 0;
  const Place *below = nullptr, *above = nullptr;
};

std::vector<Empty> emptyStretches(const std::vector<Place> &places) {
  std::vector<Empty> found;
  std::uint64_t end = 0;
  const Place *below = nullptr;
  for (const Place &p : places) {
    if (p.begin > end)
      found.push_back({end, p.begin, below, &p});
    if (p.end > end) {
      end = p.end;
      below = &p;
    }
  }
  return found;
}

std::uint64_t &causeOf(const Empty &empty, std::uint64_t elementBytes, Gaps &gaps) {
  const std::uint64_t alignment = std::max<std::uint64_t>(empty.above->alignment, 1);
  if (empty.end - empty.begin < alignment && empty.end % alignment == 0)
    return gaps.alignment;
  const bool otherKind = empty.below != nullptr && (empty.below->code != empty.above->code ||
                                                    empty.below->interleaved != empty.above->interleaved);
  if (otherKind || empty.below == nullptr) // with nothing below: a region begins higher
    return gaps.regions;
  return elementBytes != 0 && empty.end % elementBytes == 0 ? gaps.elements : gaps.fragmentation;
}

} // namespace

bool Place::thereAt(std::size_t step) const {
  return always || std::any_of(spans->begin(), spans->end(),
                               [&](const pva::StepInterval &s) { return s.start() <= step && step < s.end(); });
}

std::uint64_t TileFacts::elementBytes(const pva::Report &report) {
  if (!elementBytes_) {
    elementBytes_ = 0;
    for (const pva::MachineCost &cost : report.compilation().machineCosts())
      if (cost.key == "tile.memoryElementBytes" && cost.value >= 1)
        elementBytes_ = static_cast<std::uint64_t>(cost.value);
  }
  return *elementBytes_;
}

std::shared_ptr<const std::vector<pva::StepInterval>> TileFacts::of(const pva::EquivalenceClass &which) {
  auto &known = known_[which.id()];
  if (!known) {
    std::vector<pva::StepInterval> spans;
    for (const auto &span : which.steps())
      spans.push_back(span);
    known = std::make_shared<const std::vector<pva::StepInterval>>(std::move(spans));
  }
  return known;
}

TilePlaces::TilePlaces(const pva::Report &report, std::size_t tile, TileFacts &spans, const std::vector<bool> &chosen)
    : lowered_(report.compilation().loweredVariables().forTile(tile)), elementBytes_(spans.elementBytes(report)) {
  steps_ = std::max<std::size_t>(report.compilation().livenessProgramSteps().size(), 1);
  Changes changes{{0, 0}};
  std::size_t row = 0;
  for (const pva::LoweredVariable &v : lowered_) {
    Place p;
    p.begin = v.offset();
    if (p.begin > kMaxBytes || v.bytes() > kMaxBytes)
      throw AnswerError("the profile has an allocation at an address beyond every tile");
    p.end = p.begin + v.bytes();
    p.alignment = v.alignment();
    p.row = row++;
    p.code = isCode(v.category());
    p.interleaved = v.inInterleavedMem();
    p.always = v.alwaysLive();
    if (p.end == p.begin)
      continue;
    p.spans = spans.of(v.equivalenceClass());
    highest_ = std::max(highest_, p.end);
    if (p.always) {
      changes.emplace_back(0, static_cast<std::int64_t>(v.bytes()));
    } else
      for (const pva::StepInterval &s : *p.spans) {
        changes.emplace_back(s.start(), static_cast<std::int64_t>(v.bytes()));
        changes.emplace_back(s.end(), -static_cast<std::int64_t>(v.bytes()));
      }
    places_.push_back(std::move(p));
  }
  std::stable_sort(places_.begin(), places_.end(), [](const Place &a, const Place &b) { return a.begin < b.begin; });
  setLevels(std::move(changes));
  findWorst(chosen);
}

// Sorts the changes of occupied bytes by step and adds them up, so that each step with a change begins a level. Time:
// changes times their logarithm.
void TilePlaces::setLevels(Changes changes) {
  std::sort(changes.begin(), changes.end());
  std::int64_t there = 0;
  for (std::size_t i = 0; i < changes.size() && changes[i].first < steps_;) {
    const std::size_t step = changes[i].first;
    for (; i < changes.size() && changes[i].first == step; ++i)
      there += changes[i].second;
    levels_.push_back({step, static_cast<std::uint64_t>(there)});
  }
}

// Finds the first chosen step with the most occupied bytes. Skips levels that do not exceed the maximum so far.
void TilePlaces::findWorst(const std::vector<bool> &chosen) {
  std::uint64_t most = 0;
  bool any = false;
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    if (any && levels_[i].bytes <= most)
      continue;
    const std::size_t end = i + 1 < levels_.size() ? levels_[i + 1].first : steps_;
    std::size_t step = levels_[i].first;
    while (step < end && !chosen.empty() && !chosen[step])
      ++step;
    if (step == end)
      continue;
    any = true;
    most = levels_[i].bytes;
    worst_ = step;
  }
}

std::uint64_t TilePlaces::bytesAt(std::size_t step) const {
  const auto after = std::upper_bound(levels_.begin(), levels_.end(), step,
                                      [](std::size_t s, const Level &level) { return s < level.first; });
  return (after - 1)->bytes; // the first level is that of step 0
}

Gaps TilePlaces::gaps() const {
  Gaps gaps;
  std::uint64_t empty = 0, taken = 0, end = 0;
  for (const Empty &stretch : emptyStretches(places_)) {
    causeOf(stretch, elementBytes_, gaps) += stretch.end - stretch.begin;
    empty += stretch.end - stretch.begin;
  }
  for (const Place &p : places_) // addresses occupied at the worst step, each once
    if (p.thereAt(worst_) && p.end > end) {
      taken += p.end - std::max(end, p.begin);
      end = p.end;
    }
  gaps.fragmentation += highest_ - taken - empty; // occupied at other steps
  return gaps;
}

} // namespace popscope
