// Limits on named numbers (Numbers.hpp): absolute limits, and limits on the increase over a baseline profile.
#pragma once
#include "report/answers/Numbers.hpp"

#include <functional>

namespace popscope {

/// A limit. `pattern` is the name of a number, or a pattern with * and ? that may select several numbers.
struct Limit {
  std::string pattern;
  std::optional<std::int64_t> min, max;
  std::optional<std::int64_t> maxIncrease; // relative to the baseline, in the number's unit
  std::optional<double> maxIncreasePercent;
  std::uint64_t line = 1; // line of the limit in the budget file
};
struct Breach {
  std::string name;
  Unit unit = Unit::None;
  Cell value, limit, baseline;
  std::string rule; // "max", "min", "max increase"
  bool kept = true;
  std::uint64_t line = 1; // line of the limit in the budget file
  std::string missing;    // why the profile has no such number; empty if the profile has the number
};

/// Reads a budget file: {"limits": {"cycles": {"max": 1000, "maxIncrease": "2%"}, "bytes.headroom": {"min": 4096}}}.
/// Throws AnswerError for an invalid budget; the message contains `file` and, if one key is wrong, this key.
[[nodiscard]] std::vector<Limit> readBudget(const std::string &file);
/// Reads limits on increases, separated by commas: "cycles+2%,bytes.fullestTile+0". A comma can also belong to the name
/// of one of `numbers`, or to a pattern that selects some of `numbers`. Throws AnswerError for any other text; the
/// message contains `flag`.
[[nodiscard]] std::vector<Limit> readIncreases(const std::string &flag, const std::string &text,
                                               const Numbers &numbers);
/// Evaluates each limit on each number that the limit selects. A number that the baseline does not contain counts as 0
/// in the baseline. A limit on an unknown number fails. A limit on the increase over an unknown number fails, too. If a
/// limit selects no number, `explain` returns the message about its pattern. If any other limit fails, the result also
/// contains the limit that selects no number, with the message in Breach::missing. If no other limit fails, throws
/// AnswerError with the message. Also throws AnswerError for a limit on an increase without a baseline. If `shown` is
/// not empty, the result contains only numbers whose names match `shown` (nameMatches).
[[nodiscard]] std::vector<Breach> evaluate(const std::vector<Limit> &limits, const Numbers &numbers,
                                           const Numbers *baseline,
                                           const std::function<std::string(const std::string &pattern)> &explain,
                                           const std::string &shown = "");

} // namespace popscope
