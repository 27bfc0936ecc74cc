// JSON from text and to text, in one place: what reads and writes it is a large part of what nlohmann's header makes
// the compiler do, and each place would have to remember that names may hold bytes that are no UTF-8.
#pragma once
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace popscope {

/// A value that is_discarded() where the text is no JSON, or has more than `deepest` arrays and objects inside each
/// other.
nlohmann::json jsonOf(std::string_view text, int deepest = std::numeric_limits<int>::max());
/// The same with the members of objects in the order of the text.
nlohmann::ordered_json orderedJsonOf(std::string_view text);

/// Throws nlohmann::json::parse_error, which tells where and what was expected.
nlohmann::json jsonOrThrow(std::string_view text);
nlohmann::ordered_json orderedJsonOrThrow(std::string_view text);

/// On one line, or with `indent` blanks a level. Bytes that are no UTF-8 become U+FFFD.
std::string jsonText(const nlohmann::json &value, int indent = -1);
std::string jsonText(const nlohmann::ordered_json &value, int indent = -1);

} // namespace popscope
