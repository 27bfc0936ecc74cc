#include "report/answers/Limits.hpp"

#include "base/EditDistance.hpp"
#include "base/FileErrors.hpp"
#include "base/JsonEvents.hpp"
#include "base/JsonText.hpp"
#include "base/ReadNumber.hpp"
#include "report/answers/RecordFilter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

namespace popscope {
namespace {

using Json = nlohmann::json;

constexpr const char *kRules[] = {"max", "min", "maxIncrease"};

/// Reads the allowed increase: "2%" or "100".
bool readIncrease(const std::string &text, Limit &limit) {
  if (!text.empty() && text.back() == '%') {
    limit.maxIncreasePercent = readReal(std::string_view(text).substr(0, text.size() - 1));
    return limit.maxIncreasePercent.has_value() && *limit.maxIncreasePercent >= 0;
  }
  const auto number = readWhole(text, {0, static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())});
  if (number)
    limit.maxIncrease = static_cast<std::int64_t>(*number);
  return number.has_value();
}

void readRule(const std::string &file, const std::string &rule, const Json &value, Limit &limit) {
  const auto bad = [&](const char *what) {
    return AnswerError(file + ": \"" + limit.pattern + "\": the value " +
                       (value.is_primitive() ? value.dump() + " " : "") + "of \"" + rule + "\" cannot be used; give " +
                       what);
  };
  if (rule == "maxIncrease") {
    const std::string text = value.is_string()            ? value.get<std::string>()
                             : value.is_number_unsigned() ? std::to_string(value.get<std::uint64_t>())
                                                          : "";
    if (!readIncrease(text, limit))
      throw bad("a whole number of 0 or more, or a percentage such as \"2%\"");
    return;
  }
  if (rule != "max" && rule != "min")
    throw AnswerError(file + ": \"" + limit.pattern + "\" has the unknown rule \"" + rule + "\"." +
                      didYouMean(rule, {std::begin(kRules), std::end(kRules)}) +
                      fmt::format(" The rules are {}.", fmt::join(kRules, ", ")));
  constexpr double kExactWhole = 9007199254740992.0; // 2^53
  if (value.is_number_float()) {                     // 1e9 is a whole number, too
    const double real = value.get<double>();
    if (real != std::floor(real) || std::abs(real) > kExactWhole)
      throw bad("a whole number");
    (rule == "max" ? limit.max : limit.min) = static_cast<std::int64_t>(real);
    return;
  }
  const bool fits =
      value.is_number_integer() &&
      (!value.is_number_unsigned() ||
       value.get<std::uint64_t>() <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()));
  if (!fits)
    throw bad("a whole number");
  (rule == "max" ? limit.max : limit.min) = value.get<std::int64_t>();
}

constexpr std::int64_t kMostIncrease = std::numeric_limits<std::int64_t>::max();

/// Returns the allowed increase over `before`, at most kMostIncrease.
std::int64_t increaseOver(std::int64_t before, const Limit &limit) {
  if (!limit.maxIncreasePercent)
    return *limit.maxIncrease;
  const double more = std::abs(static_cast<double>(before)) * *limit.maxIncreasePercent / 100;
  return more < static_cast<double>(kMostIncrease) ? static_cast<std::int64_t>(more) : kMostIncrease;
}

void judge(const Limit &limit, const std::string &name, const Number &number, const Numbers *baseline,
           std::vector<Breach> &out) {
  const auto value = valueOf(number);
  const auto add = [&](const char *rule, std::int64_t bound, bool kept,
                       const Cell &before) { // if a metric is unknown, every limit on it fails
    out.push_back({name, number.unit, number.value, bound, before, rule, value.has_value() && kept, limit.line, {}});
  };
  if (limit.max)
    add("max", *limit.max, value && *value <= *limit.max, Unknown{false});
  if (limit.min)
    add("min", *limit.min, value && *value >= *limit.min, Unknown{false});
  if (!limit.maxIncrease && !limit.maxIncreasePercent)
    return;
  if (baseline == nullptr)
    throw AnswerError("the limit on the increase of \"" + name + "\" needs a profile to compare with: --baseline FILE");
  const auto found = baseline->find(name);
  if (found != baseline->end() && !valueOf(found->second)) {
    out.push_back({name, number.unit, number.value, Unknown(), Unknown(), "max increase", false, limit.line, {}});
    return; // the increase over an unknown value is unknown
  }
  const std::int64_t before =
      found == baseline->end() ? 0 : *valueOf(found->second); // a number that did not exist counts as 0
  const std::int64_t more = increaseOver(before, limit);
  const std::int64_t bound = before > kMostIncrease - more ? kMostIncrease : before + more;
  add("max increase", bound, value && *value <= bound, before);
}

/// Finds the line, from 1, of each key of the file and of each limit.
class BudgetKeys : public IgnoredJsonEvents {
public:
  BudgetKeys(std::string file, const JsonPlace &place) : file_(std::move(file)), place_(place) {}
  void beginObject() override { ++depth_; }
  void endObject() override { --depth_; }
  void key(const std::string &name, bool) override {
    if (depth_ == 1)
      linesOfFile.insert({name, place_.line});
    else if (depth_ == 2)
      linesOfLimits.insert({name, place_.line});
  }
  [[noreturn]] void noJson(const JsonError &error) override {
    throw AnswerError(file_ + ": is no budget: " + error.what());
  }

  std::map<std::string, std::uint64_t> linesOfFile, linesOfLimits;

private:
  std::string file_;
  const JsonPlace &place_;
  std::size_t depth_ = 0;
};

} // namespace

std::vector<Limit> readBudget(const std::string &file) {
  std::string text;
  try {
    text = contentsOf(file);
  } catch (const std::system_error &e) {
    throw AnswerError(file + ": cannot be read: " + e.code().message());
  }
  Json json;
  try {
    json = jsonOrThrow(text);
  } catch (const JsonError &e) {
    throw AnswerError(file + ": is no budget: " + e.what());
  }
  JsonPlace place;
  BudgetKeys keys(file, place);
  readJsonEvents(text, keys, place);
  if (json.is_object())
    for (const auto &entry : json.items())
      if (entry.key() != "limits")
        throw AnswerError(file + ":" + std::to_string(keys.linesOfFile.at(entry.key())) + ": a budget has no key \"" +
                          entry.key() + "\"; its only key is \"limits\"");
  if (!json.is_object() || !json.contains("limits") || !json["limits"].is_object())
    throw AnswerError(file + ": is no budget; it is a JSON object {\"limits\": {\"cycles\": {\"max\": 1000}}}");
  std::vector<Limit> limits;
  for (const auto &entry : json["limits"].items()) {
    Limit limit;
    limit.pattern = entry.key();
    limit.line = keys.linesOfLimits.at(limit.pattern);
    if (!entry.value().is_object() || entry.value().empty())
      throw AnswerError(file + ": \"" + limit.pattern +
                        "\" has no rule; give {\"max\": N}, {\"min\": N} or {\"maxIncrease\": N or \"2%\"}");
    for (const auto &rule : entry.value().items())
      readRule(file, rule.key(), rule.value(), limit);
    limits.push_back(std::move(limit));
  }
  if (limits.empty())
    throw AnswerError(file + ": has no limit; give one, such as {\"limits\": {\"cycles\": {\"max\": 1000}}}");
  return limits;
}

namespace {

/// Reads "cycles+2%". Returns nothing for any other text.
std::optional<Limit> readIncreaseOf(const std::string &text) {
  const std::size_t plus = text.rfind('+');
  Limit limit;
  limit.pattern = text.substr(0, plus);
  if (plus == std::string::npos || limit.pattern.empty() || !readIncrease(text.substr(plus + 1), limit))
    return std::nullopt;
  return limit;
}

} // namespace

std::vector<Limit> readIncreases(const std::string &flag, const std::string &text, const Numbers &numbers) {
  const auto isKnown = [&](const std::string &part) {
    const std::optional<Limit> limit = readIncreaseOf(part);
    return limit && std::any_of(numbers.begin(), numbers.end(),
                                [&](const auto &n) { return wholeNameMatches(limit->pattern, n.first); });
  };
  std::vector<Limit> limits;
  for (const std::string &part : partsWithCommas(text, isKnown)) {
    std::optional<Limit> limit = readIncreaseOf(part);
    if (!limit)
      throw AnswerError(flag + ": \"" + part +
                        "\" is not allowed; give a number's name and its largest increase, such as cycles+2% or "
                        "bytes.fullestTile+0");
    limits.push_back(*std::move(limit));
  }
  return limits;
}

std::vector<Breach> evaluate(const std::vector<Limit> &limits, const Numbers &numbers, const Numbers *baseline,
                             const std::function<std::string(const std::string &pattern)> &explain,
                             const std::string &shown) {
  std::vector<Breach> judged, missing;
  for (const Limit &limit : limits) {
    const std::size_t before = judged.size();
    if (const auto at = numbers.find(limit.pattern); at != numbers.end() && !isPattern(limit.pattern))
      judge(limit, at->first, at->second, baseline, judged);
    else if (isPattern(limit.pattern))
      for (const auto &[name, number] : numbers)
        if (wholeNameMatches(limit.pattern, name))
          judge(limit, name, number, baseline, judged);
    if (judged.size() == before)
      judge(limit, limit.pattern, {Unit::None, Unknown{}}, baseline, missing);
  }
  if (!shown.empty())
    for (std::vector<Breach> *rows : {&judged, &missing})
      rows->erase(
          std::remove_if(rows->begin(), rows->end(), [&](const Breach &b) { return !nameMatches(shown, b.name); }),
          rows->end());
  if (!missing.empty() && std::all_of(judged.begin(), judged.end(), [](const Breach &b) { return b.kept; }))
    throw AnswerError(explain(missing.front().name));
  for (Breach &breach : missing)
    breach.missing = explain(breach.name);
  judged.insert(judged.end(), missing.begin(), missing.end());
  return judged;
}

} // namespace popscope
