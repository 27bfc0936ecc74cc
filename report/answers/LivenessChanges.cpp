#include "report/answers/LivenessChanges.hpp"

#include "report/answers/AlignSteps.hpp"
#include "report/answers/Ranking.hpp"

#include <algorithm>
#include <map>

namespace popscope {
namespace {

using Spans = std::vector<std::pair<std::size_t, std::size_t>>; // half-open intervals of steps

/// The variables of one name and category in one profile.
struct Lives {
  std::uint64_t variables = 0, bytes = 0;
  std::string text;                            // LiveTable::spansText of the variables, or "differ"
  Spans spans;                                 // steps at which a variable is live; may overlap
  std::map<std::size_t, std::int64_t> changes; // changes of the live bytes, by position in the list of common steps
};
using LivesByName = std::map<std::pair<std::string, std::string>, Lives>;

/// One profile of a comparison. Maps its steps to positions in the list of selected steps that both profiles have.
class Side {
public:
  Side(const pva::Report &report, const Selection &selection, const LiveTable &live)
      : choice_(report, selection), live_(live), chosenBefore_{0} {
    for (std::size_t step = 0; step < live.bytes().size(); ++step)
      chosenBefore_.push_back(chosenBefore_.back() + (isChosen(step) ? 1 : 0));
  }
  [[nodiscard]] bool isChosen(std::size_t step) const { return choice_.contains(live_.programOf(step)); }
  /// Sets the common steps, in ascending order.
  void setCommon(const std::vector<std::size_t> &steps) {
    commonBefore_.assign(1, 0);
    for (std::size_t step = 0, next = 0; step < live_.bytes().size(); ++step) {
      next += next < steps.size() && steps[next] == step ? 1 : 0;
      commonBefore_.push_back(next);
    }
  }
  [[nodiscard]] LivesByName lives() const {
    LivesByName all;
    for (const LiveVariable &v : live_.variables()) {
      Lives &lives = all[{v.variable.name(), v.variable.category()}];
      const std::string text = live_.spansText(v);
      lives.text = lives.variables++ == 0 || lives.text == text ? text : "differ";
      lives.bytes += v.bytes;
      for (const pva::StepInterval &span : v.spans)
        lives.spans.emplace_back(span.start(), last(span));
      for (const LiveVariable::Part &part : v.parts)
        for (const pva::StepInterval &span : part.spans) {
          lives.changes[commonBefore_[span.start()]] += static_cast<std::int64_t>(part.bytes);
          lives.changes[commonBefore_[last(span)]] -= static_cast<std::int64_t>(part.bytes);
        }
    }
    return all;
  }
  /// Returns the number of selected steps in the union of the spans.
  [[nodiscard]] std::uint64_t stepsIn(Spans spans) const {
    std::sort(spans.begin(), spans.end());
    std::uint64_t sum = 0;
    std::size_t reached = 0;
    for (const auto &[begin, end] : spans)
      if (end > reached) {
        sum += chosenBefore_[end] - chosenBefore_[std::max(begin, reached)];
        reached = end;
      }
    return sum;
  }

private:
  [[nodiscard]] std::size_t last(const pva::StepInterval &span) const {
    return std::min<std::size_t>(span.end(), live_.bytes().size());
  }
  StepChoice choice_;
  const LiveTable &live_;
  std::vector<std::uint64_t> chosenBefore_; // per step: the number of selected steps before it
  std::vector<std::size_t> commonBefore_;   // per step: the number of common steps before it
};

/// Sums of bytes times steps, over the steps at which a variable is live in only one of two profiles.
struct Difference {
  std::uint64_t gained = 0, lost = 0;
  [[nodiscard]] std::uint64_t sum() const { return gained + lost; }
  [[nodiscard]] const char *what() const { return lost == 0 ? "longer" : gained == 0 ? "shorter" : "moved"; }
};

Difference differenceOf(const Lives &before, const Lives &after) {
  std::map<std::size_t, std::pair<std::int64_t, std::int64_t>> changes; // by position; before and after
  for (const auto &[at, bytes] : before.changes)
    changes[at].first += bytes;
  for (const auto &[at, bytes] : after.changes)
    changes[at].second += bytes;
  const bool equalSizes = before.bytes == after.bytes;
  Difference difference;
  std::int64_t was = 0, is = 0;
  std::size_t from = 0;
  for (const auto &[at, change] : changes) {
    const auto steps = static_cast<std::uint64_t>(at - from);
    if ((equalSizes || was == 0) && is > was)
      difference.gained += static_cast<std::uint64_t>(is - was) * steps;
    else if ((equalSizes || is == 0) && is < was)
      difference.lost += static_cast<std::uint64_t>(was - is) * steps;
    was += change.first;
    is += change.second;
    from = at;
  }
  return difference;
}

} // namespace

// Sums the live bytes of each name over the common steps as changes at steps, so the cost depends on the number of
// intervals, not on the number of steps.
Table livenessChanges(const Request &request, const LiveTable &before, const LiveTable &after, std::size_t count) {
  Side first(request.report, request.selection, before), second(*request.other, request.selection, after);
  StepKeys keys;
  std::vector<std::size_t> stepsBefore, stepsAfter;
  const std::vector<std::size_t> keysBefore = keys.of(request.report), keysAfter = keys.of(*request.other);
  for (const auto &[i, j] : alignKeys(keysBefore, keysAfter))
    if (first.isChosen(i) && second.isChosen(j)) {
      stepsBefore.push_back(i);
      stepsAfter.push_back(j);
    }
  first.setCommon(stepsBefore);
  second.setCommon(stepsAfter);
  const LivesByName livesBefore = first.lives(), livesAfter = second.lives();
  Ranking ranking({"liveness",
                   "Variables that are live at other steps, largest change of bytes times steps first",
                   {{"name", "Name"},
                    {"what", "What"},
                    {"bytes", "Bytes", Unit::Bytes},
                    {"stepsBefore", "Before"},
                    {"stepsAfter", "After"},
                    {"byteSteps", "Byte steps"},
                    {"liveBefore", "Live before", Unit::Spans},
                    {"liveAfter", "Live after", Unit::Spans},
                    {"category", "Category"},
                    {"variables", "Variables"}}});
  for (const auto &[key, is] : livesAfter) {
    const auto was = livesBefore.find(key);
    if (was == livesBefore.end() || !nameMatches(request.selection.name, key.first))
      continue;
    const Difference difference = differenceOf(was->second, is);
    if (difference.sum() != 0)
      ranking.add(difference.sum(),
                  {nameOr(key.first), difference.what(), is.bytes, first.stepsIn(was->second.spans),
                   second.stepsIn(is.spans),
                   static_cast<std::int64_t>(difference.gained) - static_cast<std::int64_t>(difference.lost),
                   was->second.text, is.text, key.second, is.variables});
  }
  return ranking.take(count);
}

} // namespace popscope
