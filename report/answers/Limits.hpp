// Limits on named numbers (Numbers.hpp): absolute, or relative to another profile.
#pragma once
#include "report/answers/Numbers.hpp"

namespace popscope {

/// A limit. `pattern`: a name, or a pattern with * and ? that selects numbers.
struct Limit {
  std::string pattern;
  std::optional<std::int64_t> min, max;
  std::optional<std::int64_t> maxIncrease; // relative to the baseline, in the number's unit
  std::optional<double> maxIncreasePercent;
  std::uint64_t line = 1; // in the budget
};
struct Breach {
  std::string name;
  Unit unit = Unit::None;
  Cell value, limit, baseline;
  std::string rule; // "max", "min", "max increase"
  bool kept = true;
  std::uint64_t line = 1; // line of the limit in the budget
};

/// Reads {"limits": {"cycles": {"max": 1000, "maxIncrease": "2%"}, "bytes.headroom": {"min": 4096}}}. Throws
/// AnswerError, which names `file` and the key.
[[nodiscard]] std::vector<Limit> readBudget(const std::string &file);
/// Reads "cycles+2%", "bytes.fullestTile+0", "computeSet.*.cycles+100", separated by commas. Throws AnswerError.
[[nodiscard]] std::vector<Limit> readIncreases(const std::string &flag, const std::string &text);
/// Evaluates each limit on each number that it selects. Throws AnswerError for a name without a number, with the
/// nearest name, and for an increase without baseline.
[[nodiscard]] std::vector<Breach> evaluate(const std::vector<Limit> &limits, const Numbers &numbers,
                                           const Numbers *baseline);

} // namespace popscope
