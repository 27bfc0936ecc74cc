#include "report/answers/RecordFilter.hpp"

#include "base/EditDistance.hpp"
#include "base/ReadNumber.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace popscope {
namespace {

std::string keysOf(const RecordReport &report) {
  std::string keys;
  for (const Column &column : report.columns)
    keys += (keys.empty() ? "" : ", ") + column.key;
  return keys;
}

std::string withoutBlanks(const std::string &text) {
  const std::size_t from = text.find_first_not_of(' '), to = text.find_last_not_of(' ');
  return from == std::string::npos ? "" : text.substr(from, to - from + 1);
}

} // namespace

std::size_t columnOf(const RecordReport &report, const std::string &flag, const std::string &key) {
  std::vector<std::string> keys;
  for (std::size_t c = 0; c < report.columns.size(); ++c) {
    if (report.columns[c].key == key)
      return c;
    keys.push_back(report.columns[c].key);
  }
  throw AnswerError(flag + ": the report " + report.name + " has no column \"" + key + "\"." + didYouMean(key, keys) +
                    " It has " + keysOf(report));
}

std::vector<std::string> partsOf(const std::string &text) {
  return text.empty() ? std::vector<std::string>()
                      : partsWithCommas(text, [](const std::string &) { return true; }); // each comma ends a part
}

std::vector<std::string> partsWithCommas(const std::string &text,
                                         const std::function<bool(const std::string &)> &isKnown) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t first = std::min(text.find(',', at), text.size());
    const auto partTo = [&](std::size_t end) { return withoutBlanks(text.substr(at, end - at)); };
    std::size_t end = first;
    while (!isKnown(partTo(end))) {
      if (end == text.size()) {
        end = first;
        break;
      }
      end = std::min(text.find(',', end + 1), text.size());
    }
    parts.push_back(partTo(end));
    at = end + 1;
  }
  return parts;
}

std::uint64_t readTime(const std::string &flag, const std::string &text, double clockHertz) {
  constexpr double kMost = 9e15; // the largest number of cycles that a double represents exactly
  static const std::vector<std::pair<const char *, double>> kUnits = {
      {"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"c", 0}}; // "c": cycles
  std::string digits = text;
  std::optional<double> given; // the seconds of the unit
  for (const auto &[unit, scale] : kUnits) {
    const std::string suffix = unit;
    if (text.size() > suffix.size() && text.compare(text.size() - suffix.size(), suffix.size(), suffix) == 0) {
      digits = text.substr(0, text.size() - suffix.size());
      given = scale;
      break;
    }
  }
  if (given.value_or(0) == 0)
    if (const auto whole = readWhole(digits))
      return *whole;
  const double seconds = given.value_or(1); // "1e-4", the form of other profilers
  if (const auto real = readReal(digits); seconds > 0 && real && *real >= 0 && *real * seconds * clockHertz <= kMost)
    return static_cast<std::uint64_t>(std::llround(*real * seconds * clockHertz));
  throw AnswerError(
      flag + ": \"" + text +
      "\" is not allowed; give cycles, such as 2000, or a time such as 1.5us (s, ms, us, ns) or 1e-4, in seconds");
}

RecordFilter::RecordFilter(const Request &request, const RecordReport &report) : name_(request.selection.name) {
  if (!name_.empty()) {
    if (*report.named == '\0')
      throw AnswerError(std::string("--name: the records of ") + report.name +
                        " have no name; select records by other columns with --where");
    named_ = columnOf(report, "--name", report.named);
  }
  for (const auto &part : partsOf(request.options.at("where")))
    addWhere(report, part);
  std::optional<std::uint64_t> least, most; // in cycles
  for (const char *option : {"min-time", "max-time"}) {
    const std::string text = request.options.at(option), flag = std::string("--") + option;
    if (text.empty())
      continue;
    if (*report.time == '\0')
      throw AnswerError(flag + ": the records of " + report.name + " take no time");
    Condition c;
    const std::string &of = request.options.at("of");
    const std::size_t measure = columnOf(report, "--of", of.empty() ? report.measure : of);
    c.column = report.columns[measure].unit == Unit::Cycles ? measure : columnOf(report, flag, report.time);
    c.compare = option[1] == 'i' ? Compare::AtLeast : Compare::AtMost;
    c.number = readTime(flag, text, request.report.compilation().target().clockFrequency());
    (c.compare == Compare::AtLeast ? least : most) = c.number;
    conditions_.push_back(std::move(c));
  }
  if (least && most && *least > *most)
    throw AnswerError("--min-time " + request.options.at("min-time") + " is more than --max-time " +
                      request.options.at("max-time") + ": no record can be in this range");
}

void RecordFilter::addWhere(const RecordReport &report, const std::string &part) {
  static const std::vector<std::pair<const char *, Compare>> kSigns = {
      {"!=", Compare::NotEqual}, {"<=", Compare::AtMost}, {">=", Compare::AtLeast},
      {"=", Compare::Equal},     {"<", Compare::Less},    {">", Compare::More}};
  const std::size_t at = part.find_first_of("!<>=");
  for (const auto &[sign, compare] : kSigns) {
    const std::string text = sign;
    if (at == 0 || at == std::string::npos || part.compare(at, text.size(), text) != 0)
      continue;
    Condition c;
    c.column = columnOf(report, "--where", withoutBlanks(part.substr(0, at)));
    c.compare = compare;
    c.text = withoutBlanks(part.substr(at + text.size()));
    c.number = readWhole(c.text);
    if (!c.number && compare != Compare::Equal && compare != Compare::NotEqual)
      throw AnswerError("--where: \"" + part + "\" is not allowed; " + text + " compares with " + describeRange({}));
    conditions_.push_back(std::move(c));
    return;
  }
  throw AnswerError("--where: \"" + part +
                    "\" is not allowed; give conditions such as kind=compute,cycles>=1000 (=, !=, <, <=, >, >=)");
}

bool RecordFilter::holds(const Condition &c, const Cell &cell) {
  const auto *value = std::get_if<std::uint64_t>(&cell);
  if (c.compare == Compare::Equal || c.compare == Compare::NotEqual) {
    const std::string text = value != nullptr ? std::to_string(*value) : cellText(cell);
    return wholeNameMatches(c.text, text) == (c.compare == Compare::Equal);
  }
  if (value == nullptr) // not known, or no number
    return false;
  switch (c.compare) {
  case Compare::Less: return *value < *c.number;
  case Compare::AtMost: return *value <= *c.number;
  case Compare::More: return *value > *c.number;
  case Compare::AtLeast: return *value >= *c.number;
  case Compare::Equal:
  case Compare::NotEqual: break; // handled above
  }
  return false;
}

bool RecordFilter::wants(const Record &record) const {
  if (named_ && !nameMatches(name_, cellText(record[*named_])))
    return false;
  return std::all_of(conditions_.begin(), conditions_.end(),
                     [&](const Condition &c) { return holds(c, record[c.column]); });
}

} // namespace popscope
