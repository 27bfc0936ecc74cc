// The table of options as text, for `popscope options` and docs/OPTIONS.md.
#pragma once
#include "base/settings/OptionTable.hpp"

namespace popscope {

/// Returns three lines: the key; values and default; the help.
[[nodiscard]] std::string optionText(const OptionRow &row);
/// Returns Markdown tables: options with an effect, then those that are only accepted. In the order of the table.
[[nodiscard]] std::string optionsMarkdown(const OptionTable &table);

} // namespace popscope
