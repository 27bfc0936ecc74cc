// The table of options as text: for `popscope options` and docs/OPTIONS.md.
#pragma once
#include "base/settings/OptionTable.hpp"

namespace popscope {

/// Three lines: the key; values and default; what it means.
[[nodiscard]] std::string optionText(const OptionRow &row);
/// Markdown tables: options that do something, then those that are accepted only. Sorted as the table is.
[[nodiscard]] std::string optionsMarkdown(const OptionTable &table);

} // namespace popscope
