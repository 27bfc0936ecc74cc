// Conversion between JSON and text, in one place (a rule of tests/meta). There are two reasons. Code that reads and
// writes JSON is a large part of the compile time of nlohmann's header. And each use would have to handle invalid
// UTF-8, unlimited nesting in foreign texts, and the library's unclear messages.
#pragma once
#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

namespace popscope {

/// Maximum nesting of arrays and objects. Our files need less; functions that walk a value recurse once per level.
constexpr int kMaxJsonDepth = 64;

/// The error for a text that is no JSON, or is nested deeper than kMaxJsonDepth. what() begins "no valid JSON at byte
/// N: " and describes what is there.
class JsonError : public std::runtime_error {
public:
  JsonError(std::size_t byte, const std::string &why);
  [[nodiscard]] std::size_t byte() const {
    return byte_;
  } // counted from 0; the text's length if the text ends too early

private:
  std::size_t byte_;
};

/// Parses JSON. Returns a value that is_discarded() if the text is no JSON, or nests more than `deepest` arrays and
/// objects.
nlohmann::json jsonOf(std::string_view text, int deepest = kMaxJsonDepth);
/// Parses JSON with the members of objects in the order of the text.
nlohmann::ordered_json orderedJsonOf(std::string_view text);

/// Parses JSON. Throws JsonError.
nlohmann::json jsonOrThrow(std::string_view text);
nlohmann::ordered_json orderedJsonOrThrow(std::string_view text);

/// Returns the reason why jsonOf refuses `text`.
[[nodiscard]] JsonError whyNoJson(std::string_view text);

/// Returns the value on one line, or with `indent` blanks per level. Bytes that are no UTF-8 become U+FFFD.
std::string jsonText(const nlohmann::json &value, int indent = -1);
std::string jsonText(const nlohmann::ordered_json &value, int indent = -1);

} // namespace popscope
