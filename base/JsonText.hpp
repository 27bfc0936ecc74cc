// JSON from text and to text, in one place (a rule of tests/meta): what reads and writes it is a large part of what
// nlohmann's header makes the compiler do, and each place would have to remember that names may hold bytes that are no
// UTF-8, that a text of a stranger may nest without end, and that nobody can use the words of the library.
#pragma once
#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

namespace popscope {

/// Arrays and objects inside each other. Nothing of ours needs more; what walks a value calls itself for each level.
constexpr int kMaxJsonDepth = 64;

/// A text that is no JSON, or is nested deeper than kMaxJsonDepth. what() begins "no valid JSON at byte N: " and says
/// what stands there.
class JsonError : public std::runtime_error {
public:
  JsonError(std::size_t byte, const std::string &why);
  [[nodiscard]] std::size_t byte() const { return byte_; } // from 0; the text's length where it ends too early

private:
  std::size_t byte_;
};

/// A value that is_discarded() where the text is no JSON, or has more than `deepest` arrays and objects inside each
/// other.
nlohmann::json jsonOf(std::string_view text, int deepest = kMaxJsonDepth);
/// The same with the members of objects in the order of the text.
nlohmann::ordered_json orderedJsonOf(std::string_view text);

/// Throws JsonError.
nlohmann::json jsonOrThrow(std::string_view text);
nlohmann::ordered_json orderedJsonOrThrow(std::string_view text);

/// Why jsonOf refuses `text`.
[[nodiscard]] JsonError whyNoJson(std::string_view text);

/// On one line, or with `indent` blanks a level. Bytes that are no UTF-8 become U+FFFD.
std::string jsonText(const nlohmann::json &value, int indent = -1);
std::string jsonText(const nlohmann::ordered_json &value, int indent = -1);

} // namespace popscope
