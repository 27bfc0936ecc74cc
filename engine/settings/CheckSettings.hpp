// Finds settings that have no effect, and the reason for each. There are five reasons: another setting is missing,
// another setting takes precedence, the target does not support the setting, Popscope accepts the setting only for
// compatibility, or the graph was compiled earlier with another value. A setting without effect is not an error,
// because programs use the same settings for several targets.
#pragma once
#include "base/settings/OptionTable.hpp"
#include "engine/settings/Settings.hpp"

namespace popscope {

/// Returns a warning for each option that `values` sets without effect, in the order of the option table. `settings`
/// was read from `values`.
[[nodiscard]] std::vector<WarningRecord> settingsWithoutEffect(const OptionValues &values,
                                                               const EngineSettings &settings);
/// Returns a warning if the settings request a profile or debug information, because a CPU target has no profile.
/// Otherwise returns an empty list.
[[nodiscard]] std::vector<WarningRecord> settingsWithoutEffectOnCpu(const EngineSettings &settings);
/// Returns whether the option `key` acts only when a graph is compiled. An engine that was made from an executable
/// cannot change such an option. For some options, the result depends on the kind of the device.
[[nodiscard]] bool actsWhenCompiled(const std::string &key, DeviceKind kind);
/// Adds a warning for each option that is set in `settings`, acts only when a graph is compiled, and has another value
/// in `compiled`. `compiled` are the settings of an executable. `settings` are the settings of an engine that was made
/// from the executable. A warning replaces earlier warnings about the same option.
void warnOfCompiledOptions(EngineSettings &settings, const EngineSettings &compiled, DeviceKind kind);
/// Sets `settings.all` to the option values that act in an engine that was made from an executable. Sets
/// `settings.warnings` to the warnings about these values. The engine's profile reports these values and warnings.
/// Options that act only when a graph is compiled have the values and warnings of `compiled`, the settings of the
/// executable. Warnings of `compiled` that are not about an option stay, too. debug.allowOutOfMemory is "true" if
/// this option is "true" in `settings` or in `compiled`. The typed settings do not change.
void takeCompiledOptions(EngineSettings &settings, const EngineSettings &compiled, DeviceKind kind);
/// Prints the warnings on stderr. One common line lists all options that are accepted only for compatibility; each
/// other warning has its own line. A process does not print the same common line twice.
void sayWarnings(const std::vector<WarningRecord> &warnings);

} // namespace popscope
