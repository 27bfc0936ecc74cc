// Converts between JSON and text. No other code of the product may parse JSON (a rule of tests/meta), for two reasons.
// First, the code in nlohmann's header that reads and writes JSON takes a long time to compile. Second, each caller of
// nlohmann's library would have to handle invalid UTF-8, unlimited nesting in foreign texts, and the library's unclear
// messages.
#pragma once
#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

namespace popscope {

/// Maximum nesting depth of arrays and objects. Popscope's own files nest less deeply. Functions that visit all parts
/// of a value recurse once per level.
constexpr int kMaxJsonDepth = 64;

/// The error for a text that is not JSON, or that is nested deeper than kMaxJsonDepth. what() begins with "no valid
/// JSON at byte N: " and describes the text at that byte.
class JsonError : public std::runtime_error {
public:
  JsonError(std::size_t byte, const std::string &why);
  /// Returns the position of the error in bytes, counted from 0. If the text ends too early, the position is the length
  /// of the text.
  [[nodiscard]] std::size_t byte() const { return byte_; }

private:
  std::size_t byte_;
};

/// Parses JSON. If the text is not JSON, or nests arrays and objects more than `deepest` levels deep, is_discarded() of
/// the result is true.
nlohmann::json jsonOf(std::string_view text, int deepest = kMaxJsonDepth);
/// Parses JSON and keeps the order of the members of objects.
nlohmann::ordered_json orderedJsonOf(std::string_view text);

/// Parses JSON. Throws JsonError if the text is not JSON, nests arrays and objects more than kMaxJsonDepth levels deep,
/// or has an object with two values for one key. (Without this check, the library would keep only the last value.)
nlohmann::json jsonOrThrow(std::string_view text);
nlohmann::ordered_json orderedJsonOrThrow(std::string_view text);

/// Returns the value on one line or, if `indent` >= 0, on several lines with `indent` blanks per level. Bytes that are
/// not UTF-8 become \xNN, as in validUtf8(). Characters that control a terminal become \uNNNN, as in shownJson().
std::string jsonText(const nlohmann::json &value, int indent = -1);
std::string jsonText(const nlohmann::ordered_json &value, int indent = -1);

} // namespace popscope
