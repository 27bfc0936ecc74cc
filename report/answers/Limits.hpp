// Limits on named numbers (Numbers.hpp), absolute or against another profile.
#pragma once
#include "report/answers/Numbers.hpp"

namespace popscope {

/// `pattern`: a name, or a pattern with * and ? that each matching number has to keep.
struct Limit {
  std::string pattern;
  std::optional<std::int64_t> min, max;
  std::optional<std::int64_t> maxIncrease; // against the baseline, in the number's unit
  std::optional<double> maxIncreasePercent;
  std::uint64_t line = 1; // of the budget
};
struct Breach {
  std::string name;
  Unit unit = Unit::None;
  Cell value, limit, baseline;
  std::string rule; // "max", "min", "max increase"
  bool kept = true;
  std::uint64_t line = 1; // of the limit in the budget
};

/// {"limits": {"cycles": {"max": 1000, "maxIncrease": "2%"}, "bytes.headroom": {"min": 4096}}}. Throws AnswerError that
/// names `file` and the key.
[[nodiscard]] std::vector<Limit> readBudget(const std::string &file);
/// "cycles+2%", "bytes.fullestTile+0", "computeSet.*.cycles+100"; separated by commas. Throws AnswerError.
[[nodiscard]] std::vector<Limit> readIncreases(const std::string &flag, const std::string &text);
/// Each limit on each number that it is about. Throws AnswerError for a name that no number has, with the nearest, and
/// for an increase without baseline.
[[nodiscard]] std::vector<Breach> evaluate(const std::vector<Limit> &limits, const Numbers &numbers,
                                           const Numbers *baseline);

} // namespace popscope
