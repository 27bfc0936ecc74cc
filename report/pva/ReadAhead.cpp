#include "report/pva/ReadAhead.hpp"

#include <algorithm>
#include <limits>

namespace pva::detail {
namespace {

using popscope::ProgramVector;

constexpr std::size_t kMaxAhead = 512; // vectors
constexpr std::uint64_t kStepsAhead = 32;
constexpr std::uint64_t kMaxStep = std::numeric_limits<std::int64_t>::max();
constexpr std::uint64_t kStride = 3; // distance to the next requested step, because syncs between such steps have no
                                     // cycles
constexpr std::size_t kProgramsKnown = 16;

} // namespace

std::optional<std::optional<std::string>> ReadAhead::take(Key key) {
  const auto at = ahead_.find(key);
  if (at == ahead_.end())
    return std::nullopt;
  std::optional<std::string> packed = std::move(at->second);
  ahead_.erase(at);
  order_.erase(std::find(order_.begin(), order_.end(), key));
  return packed;
}

void ReadAhead::keep(Key key, std::optional<std::string> packed) {
  if (ahead_.insert_or_assign(key, std::move(packed)).second)
    order_.push_back(key);
  if (order_.size() > kMaxAhead) {
    ahead_.erase(order_.front());
    order_.pop_front();
  }
}

bool ReadAhead::goesOnWith(std::uint64_t step) {
  for (std::uint64_t &asked : askedSteps_)
    if (asked <= step && step - asked <= kStride) {
      const bool goesOn = asked < step;
      asked = step;
      return goesOn;
    }
  askedSteps_[nextAsked_++ % kAskers] = step;
  return false;
}

std::optional<std::string> ReadAhead::stepCycles(std::uint64_t step) {
  bool goesOn = false;
  {
    const std::lock_guard guard(mutex_);
    goesOn = goesOnWith(step);
    if (auto known = take({kSteps, step}))
      return *std::move(known);
  }
  if (!goesOn || step > kMaxStep - kStepsAhead)
    return popscope::readPackedStepCycles(file_, step);
  auto rows = popscope::readPackedStepCycles(file_, {step, step + kStepsAhead});
  std::optional<std::string> asked;
  const std::lock_guard guard(mutex_);
  for (auto &[id, packed] : rows)
    if (id == step)
      asked = std::move(packed);
    else // a step without a row may get one later
      keep({kSteps, id}, std::move(packed));
  return asked;
}

std::vector<ProgramVector> ReadAhead::likelyOf(std::uint32_t program, ProgramVector which) {
  const Asked *before = nullptr; // the nearest program before this one: the same vectors are likely
  for (Asked &asked : askedPrograms_) {
    if (asked.program == program) {
      if (std::find(asked.vectors.begin(), asked.vectors.end(), which) == asked.vectors.end())
        asked.vectors.push_back(which);
      return {which};
    }
    if (asked.program < program && (before == nullptr || asked.program > before->program))
      before = &asked;
  }
  std::vector<ProgramVector> likely{which};
  if (before != nullptr && std::find(before->vectors.begin(), before->vectors.end(), which) != before->vectors.end())
    likely = before->vectors;
  askedPrograms_.push_back({program, {which}});
  if (askedPrograms_.size() > kProgramsKnown)
    askedPrograms_.pop_front();
  return likely;
}

std::optional<std::string> ReadAhead::programVector(std::uint32_t program, ProgramVector which) {
  std::vector<ProgramVector> likely;
  {
    const std::lock_guard guard(mutex_);
    likely = likelyOf(program, which);
    if (auto known = take(keyOf(program, which)))
      return *std::move(known);
  }
  auto packed = popscope::readPackedProgramVectors(file_, program, likely);
  std::optional<std::string> asked;
  const std::lock_guard guard(mutex_);
  for (std::size_t i = 0; i < likely.size(); ++i)
    if (likely[i] == which)
      asked = std::move(packed[i]);
    else
      keep(keyOf(program, likely[i]), std::move(packed[i]));
  return asked;
}

} // namespace pva::detail
