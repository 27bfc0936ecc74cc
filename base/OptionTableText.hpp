// The table of options as text: for `popscope options` and docs/OPTIONS.md.
#pragma once
#include "base/OptionTable.hpp"

namespace popscope {

/// Three lines a row: the key; values and default; what it means.
[[nodiscard]] std::string optionsText(const OptionTable &table);
/// Markdown tables: options that do something, then those that are accepted only. Sorted as the table is.
[[nodiscard]] std::string optionsMarkdown(const OptionTable &table);

/// A JSON array of objects: key, values, default, unit, meaning, since, hasEffect.
[[nodiscard]] std::string optionsJson(const OptionTable &table);

} // namespace popscope
