// Formats the table of options as text, for `popscope options` and docs/OPTIONS.md.
#pragma once
#include "base/settings/OptionTable.hpp"

namespace popscope {

/// Returns three lines: the key; the allowed values and the default; and the help.
[[nodiscard]] std::string optionText(const OptionRow &row);
/// Returns Markdown tables in the order of the option table: options with an effect, then options that change nothing.
[[nodiscard]] std::string optionsMarkdown(const OptionTable &table);

} // namespace popscope
