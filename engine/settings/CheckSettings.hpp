// Finds settings that have no effect, because another setting is missing or wins, because the target does not support
// them, or because they are only accepted. Such settings are no errors, because programs carry settings from one target
// to another.
#pragma once
#include "base/settings/OptionTable.hpp"
#include "engine/settings/Settings.hpp"

namespace popscope {

/// Returns the warnings in the order of the option table. `settings` was read from `values`.
[[nodiscard]] std::vector<WarningRecord> settingsWithoutEffect(const OptionValues &values,
                                                               const EngineSettings &settings);
/// Returns the warnings for a CPU target.
[[nodiscard]] std::vector<WarningRecord> settingsWithoutEffectOnCpu(const EngineSettings &settings);
/// Prints one line per warning on stderr; options that are only accepted share a line.
void sayWarnings(const std::vector<WarningRecord> &warnings);

} // namespace popscope
