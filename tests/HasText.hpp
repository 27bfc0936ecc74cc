// Shared by tests of messages.
#pragma once
#include <string_view>

/// Returns whether `text` contains `part`.
inline bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }
