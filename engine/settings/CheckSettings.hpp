// Settings that a program sets and that nothing comes of: because another one is not set or wins, because the target
// has nothing of the kind, or because they are accepted only. They are no errors: programs carry settings from one
// target to the next.
#pragma once
#include "base/settings/OptionTable.hpp"
#include "engine/settings/Settings.hpp"

namespace popscope {

/// Beside the other settings, in the order of the table. `settings` is read from `values`.
[[nodiscard]] std::vector<WarningRecord> settingsWithoutEffect(const OptionValues &values,
                                                               const EngineSettings &settings);
/// With a CPU as target.
[[nodiscard]] std::vector<WarningRecord> settingsWithoutEffectOnCpu(const EngineSettings &settings);
/// A line on stderr for each; those that are accepted only together in one.
void sayWarnings(const std::vector<WarningRecord> &warnings);

} // namespace popscope
