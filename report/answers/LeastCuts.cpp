#include "report/answers/LeastCuts.hpp"

#include <algorithm>
#include <tuple>

namespace popscope {
namespace {

constexpr std::uint64_t kWord = 4;

std::vector<std::int64_t> tooMuch(const LiveTable &live, std::uint64_t memory, const StepChoice &steps) {
  std::vector<std::int64_t> need;
  for (std::size_t s = 0; s < live.bytes().size(); ++s)
    need.push_back(steps.contains(live.programOf(s))
                       ? static_cast<std::int64_t>(live.bytes()[s] + live.alwaysLiveBytes()) -
                             static_cast<std::int64_t>(memory)
                       : 0);
  return need;
}

std::uint64_t words(std::int64_t bytes) { return (static_cast<std::uint64_t>(bytes) + kWord - 1) / kWord * kWord; }

/// Counts the steps with too many live bytes.
class FullSteps {
public:
  explicit FullSteps(const std::vector<std::int64_t> &need) : before_(need.size() + 1) {
    for (std::size_t s = 0; s < need.size(); ++s)
      before_[s + 1] = before_[s] + (need[s] > 0 ? 1 : 0);
  }
  [[nodiscard]] std::size_t count() const { return before_.back(); }
  /// Returns the number of steps with too many live bytes at which the variable is live.
  [[nodiscard]] std::size_t of(const LiveVariable &v) const {
    const std::size_t steps = before_.size() - 1;
    std::size_t count = 0;
    for (const auto &span : v.spans)
      count += before_[std::min<std::size_t>(span.end(), steps)] - before_[std::min<std::size_t>(span.start(), steps)];
    return count;
  }

private:
  std::vector<std::size_t> before_; // by step: the number of steps with too many live bytes before this step
};

} // namespace

bool mayGo(const LiveVariable &v) { return v.variable.category() == "variable" || v.variable.category() == "constant"; }

std::vector<Cut> enoughAlone(const LiveTable &live, std::uint64_t memory, const StepChoice &steps) {
  const auto need = tooMuch(live, memory, steps);
  const FullSteps full(need);
  std::vector<Cut> found;
  if (full.count() == 0)
    return found;
  const std::uint64_t most = words(*std::max_element(need.begin(), need.end()));
  for (std::size_t i = 0; i < live.variables().size(); ++i)
    if (const LiveVariable &v = live.variables()[i]; v.bytes >= most && mayGo(v) && full.of(v) == full.count())
      found.push_back({i, most});
  std::stable_sort(found.begin(), found.end(), [&](const Cut &a, const Cut &b) {
    return live.variables()[a.variable].bytes > live.variables()[b.variable].bytes;
  });
  return found;
}

// Looks for few variables to cut so that no step has more live bytes than the memory holds. If one variable alone is
// enough, this is the answer. Otherwise the function is greedy: while some steps have too many bytes, it takes the
// worst of these steps. Of the variables that are live at this step, it cuts the variable that is live at the largest
// number of steps with too many bytes. Among equals, it cuts the largest variable. Invariant: each variable is cut at
// most once, so the loop ends. The result need not be minimal. Time: cuts times (steps + spans of all variables).
std::optional<std::vector<Cut>> leastCuts(const LiveTable &live, std::uint64_t memory, const StepChoice &steps) {
  if (const auto alone = enoughAlone(live, memory, steps); !alone.empty())
    return std::vector<Cut>{alone.front()};
  auto need = tooMuch(live, memory, steps);
  std::vector<std::uint64_t> left;
  std::vector<Cut> cuts;
  for (const LiveVariable &v : live.variables())
    left.push_back(mayGo(v) ? v.bytes : 0);
  for (;;) {
    const auto step = std::max_element(need.begin(), need.end());
    if (*step <= 0)
      break;
    const auto at = static_cast<std::size_t>(step - need.begin());
    const FullSteps full(need);
    std::tuple<std::size_t, std::uint64_t> best;
    std::optional<std::size_t> chosen;
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (left[i] == 0 || live.variables()[i].spanAt(at) == nullptr)
        continue;
      const std::tuple key{full.of(live.variables()[i]), left[i]};
      if (!chosen || key > best) {
        best = key;
        chosen = i;
      }
    }
    if (!chosen)
      return std::nullopt;
    const std::uint64_t bytes = std::min(words(*step), left[*chosen]);
    cuts.push_back({*chosen, bytes});
    left[*chosen] = 0;
    for (const auto &span : live.variables()[*chosen].spans)
      for (std::size_t s = span.start(); s < std::min<std::size_t>(span.end(), need.size()); ++s)
        need[s] -= static_cast<std::int64_t>(bytes);
  }
  return cuts;
}

} // namespace popscope
