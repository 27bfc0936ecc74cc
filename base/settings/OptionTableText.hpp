// Formats the table of options as text, for `popscope options` and docs/OPTIONS.md.
#pragma once
#include "base/settings/OptionTable.hpp"

namespace popscope {

/// Returns three lines: the key; the allowed values and the default; the help and the first version with the option.
[[nodiscard]] std::string optionText(const OptionRow &row);
/// Returns the text of docs/OPTIONS.md in Markdown. After an introduction, the text contains:
/// - a table of the options with an effect;
/// - a list of the options that act when a graph is compiled;
/// - a table of the options that change nothing;
/// - a table of Poplar's environment variables.
/// Options are in the order of the option table.
[[nodiscard]] std::string optionsMarkdown(const OptionTable &table);

} // namespace popscope
