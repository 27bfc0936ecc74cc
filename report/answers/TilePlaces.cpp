#include "report/answers/TilePlaces.hpp"

#include <algorithm>

namespace popscope {
namespace {

constexpr std::uint64_t kMaxBytes = std::uint64_t(1) << 40; // limit of an address, above the memory of every tile

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
    : lowered_(report.compilation().loweredVariables().forTile(tile)), sizes_{
                                                                           report.compilation().target().bytesPerTile(),
                                                                           spans.elementBytes(report)} {
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
    p.code = isCodeCategory(v.category());
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

TileGaps TilePlaces::gaps() const {
  std::vector<PlacedBytes> placed;
  placed.reserve(places_.size());
  for (const Place &p : places_)
    placed.push_back({p.begin, p.end, p.alignment, p.code, p.interleaved, p.thereAt(worst_)});
  return gapsOf(placed, sizes_);
}

} // namespace popscope
