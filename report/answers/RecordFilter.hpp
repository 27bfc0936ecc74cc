// Selects records of a report by the flags --where, --min-time, --max-time and --name.
#pragma once
#include "report/answers/RecordReports.hpp"

#include <functional>

namespace popscope {

/// Returns the position of the column with the key. Throws AnswerError if no column has the key; the message contains
/// `flag`, the nearest key if one is similar, and all keys.
[[nodiscard]] std::size_t columnOf(const RecordReport &report, const std::string &flag, const std::string &key);
/// Splits "a,b" into its parts, without the spaces around each part. Returns an empty list for "".
[[nodiscard]] std::vector<std::string> partsOf(const std::string &text);
/// Splits a list whose parts can contain commas, without the spaces around each part. A part ends at the first comma,
/// or at the end of the text, where `isKnown` accepts the part. If `isKnown` accepts the part at none of these
/// positions, the part ends at its first comma.
[[nodiscard]] std::vector<std::string> partsWithCommas(const std::string &text,
                                                       const std::function<bool(const std::string &)> &isKnown);
/// Reads a time and returns it in cycles. A whole number without a unit, or with the unit c, is a number of cycles
/// ("2000", "2000c"). Any other number without a unit is a number of seconds ("1e-4"). The other units are s, ms, us
/// and ns ("1.5us"). Converts seconds to the nearest cycle. Throws AnswerError for any other text, and for seconds that
/// are more than 9e15 cycles.
[[nodiscard]] std::uint64_t readTime(const std::string &flag, const std::string &text, double clockHertz);

class RecordFilter {
public:
  /// Reads the flags of `request`. Throws AnswerError for an unknown column or an invalid value. Also throws
  /// AnswerError for --name if the records have no name. Throws AnswerError for --min-time and --max-time if the
  /// records have no time, or if the minimum exceeds the maximum.
  RecordFilter(const Request &request, const RecordReport &report);
  [[nodiscard]] bool wants(const Record &record) const;

private:
  enum class Compare : std::uint8_t { Equal, NotEqual, Less, AtMost, More, AtLeast };
  struct Condition {
    std::size_t column = 0;
    Compare compare = Compare::Equal;
    std::string text;
    std::optional<std::uint64_t> number;
  };
  [[nodiscard]] static bool holds(const Condition &condition, const Cell &cell);
  void addWhere(const RecordReport &report, const std::string &part);
  std::vector<Condition> conditions_;
  std::optional<std::size_t> named_;
  std::string name_;
};

} // namespace popscope
