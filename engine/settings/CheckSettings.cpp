#include "engine/settings/CheckSettings.hpp"

#include "base/TerminalText.hpp"
#include "base/settings/EngineOptionTable.hpp"

#include <algorithm>
#include <functional>
#include <mutex>
#include <set>
#include <string_view>

namespace popscope {
namespace {

constexpr std::string_view kAccepted = "Accepted; "; // the beginning of the help text of an option without effect

using Holds = std::function<bool(const OptionValues &, const EngineSettings &)>;

/// Returns whether the option gives a stack size. The values 0 and 0x0 give no stack size.
bool givesBytes(const OptionValues &values, const char *key) {
  return values.isSet(key) && values.getString(key).find_first_not_of("0x") != std::string::npos;
}

/// A rule: option `key` has an effect only if `holds` returns true; `need` is the message that states what is missing.
struct Need {
  const char *key;
  Holds holds;
  const char *need;
};

bool recordsBlocks(const OptionValues &, const EngineSettings &s) {
  return !s.blocks.blocksFilter.empty() || !s.blocks.programsFilter.empty();
}
bool writesReport(const OptionValues &, const EngineSettings &s) {
  return s.writesProfile() || s.files.debugInfo || s.files.serializedGraph || !s.files.dumpedPasses.empty();
}

// Returns the table of rules.
const std::vector<Need> &needs() {
  constexpr const char *kBlocks = "no block is recorded; set profiler.blocks.filter or profiler.programs.filter";
  static const std::vector<Need> table = {
      {"autoReport.directory", writesReport,
       "nothing is written there; set autoReport.all, or a part of the report, to \"true\""},
      {"autoReport.executionProfileProgramRunCount",
       [](const OptionValues &, const EngineSettings &s) { return s.recordedRuns.ranges.empty(); },
       "popscope.profileRuns chooses the runs"},
      {"debug.computeInstrumentationLevel",
       [](const OptionValues &, const EngineSettings &s) {
         return s.instrumentCompute || s.counterLevel == CounterLevel::Vertex; // also on a model
       },
       "compute is not instrumented; set debug.instrumentCompute, or debug.instrument, to \"true\""},
      {"debug.branchRecordTile", [](const OptionValues &, const EngineSettings &s) { return s.path.controlFlow; },
       "control flow is not instrumented; set debug.instrumentControlFlow, or debug.instrument, to \"true\""},
      {"debug.supervisorStackSizeInBytes",
       [](const OptionValues &v, const EngineSettings &) {
         return !givesBytes(v, "target.supervisorStackSizeInBytes");
       },
       "target.supervisorStackSizeInBytes wins"},
      {"debug.workerStackSizeInBytes",
       [](const OptionValues &v, const EngineSettings &) { return !givesBytes(v, "target.workerStackSizeInBytes"); },
       "target.workerStackSizeInBytes wins"},
      {"debug.floatPointOpException",
       [](const OptionValues &, const EngineSettings &s) { return s.values || !s.registers.fpExceptions; },
       "popscope.values is \"skipped\": nothing is computed"},
      {"debug.cpuMultiThreadExecution", [](const OptionValues &, const EngineSettings &s) { return s.values; },
       "popscope.values is \"skipped\": no vertex runs"},
      {"exchange.streamBufferOverlap",
       [](const OptionValues &, const EngineSettings &s) { return s.prefetch.enabled || !s.prefetch.lookAhead; },
       "exchange.enablePrefetch is \"false\": no data is requested ahead of its transfer"},
      {"profiler.blocks.tile", recordsBlocks, kBlocks},
      {"profiler.blocks.bufferSize", recordsBlocks, kBlocks},
      {"profiler.blocks.implicitFlush", recordsBlocks, kBlocks},
  };
  return table;
}

const std::string &valueOf(const EngineSettings &settings, const std::string &key) {
  static const std::string kNone;
  const auto it =
      std::find_if(settings.all.begin(), settings.all.end(), [&](const OptionRecord &o) { return o.key == key; });
  return it == settings.all.end() ? kNone : it->value;
}

bool isAccepted(const WarningRecord &w) { return w.text.compare(0, kAccepted.size(), kAccepted) == 0; }

} // namespace

std::vector<WarningRecord> settingsWithoutEffect(const OptionValues &values, const EngineSettings &settings) {
  std::vector<WarningRecord> warnings;
  for (const OptionRow &row : engineOptionTable().rows()) {
    if (!values.isSet(row.key))
      continue;
    const auto need = std::find_if(needs().begin(), needs().end(), [&](const Need &n) { return row.key == n.key; });
    if (need != needs().end() && !need->holds(values, settings))
      warnings.push_back({row.key, std::string("has no effect: ") + need->need});
    else if (!row.hasEffect && valueOf(settings, row.key) != row.defaultValue)
      warnings.push_back({row.key, row.help});
  }
  return warnings;
}

std::vector<WarningRecord> settingsWithoutEffectOnCpu(const EngineSettings &settings) {
  if (!settings.writesProfile() && !settings.files.debugInfo)
    return {};
  return {{"autoReport", "has no effect: a CPU target has no profile; use an IPU Model to get one"}};
}

bool actsWhenCompiled(const std::string &key, DeviceKind kind) {
  const OptionRow *row = engineOptionTable().find(key);
  if (!row || row->acts == OptionActs::WhenLoaded)
    return false;
  return row->acts == OptionActs::WhenCompiled || kind == DeviceKind::Ipu;
}

void warnOfCompiledOptions(EngineSettings &settings, const EngineSettings &compiled, DeviceKind kind) {
  for (const OptionRecord &option : settings.all) {
    const std::string &before = valueOf(compiled, option.key);
    if (option.isDefault || !actsWhenCompiled(option.key, kind) || option.value == before)
      continue;
    std::erase_if(settings.warnings, [&](const WarningRecord &w) { return w.about == option.key; });
    settings.warnings.push_back(
        {option.key, "has no effect: it acts when a graph is compiled, and the executable was compiled " +
                         (before.empty() ? "without it" : "with the value " + before)});
  }
}

void takeCompiledOptions(EngineSettings &settings, const EngineSettings &compiled, DeviceKind kind) {
  for (OptionRecord &option : settings.all) {
    // Memory may overflow if the compilation or the load allows it.
    const bool acted = option.key == "debug.allowOutOfMemory" ? compiled.allowOutOfMemory && !settings.allowOutOfMemory
                                                              : actsWhenCompiled(option.key, kind);
    const auto before = std::find_if(compiled.all.begin(), compiled.all.end(),
                                     [&](const OptionRecord &o) { return o.key == option.key; });
    if (acted && before != compiled.all.end())
      option = *before;
  }
  std::vector<WarningRecord> warnings;
  for (const WarningRecord &w : compiled.warnings)
    if (engineOptionTable().find(w.about) == nullptr || actsWhenCompiled(w.about, kind)) // or the warning is not about
                                                                                         // an option
      warnings.push_back(w);
  for (WarningRecord &w : settings.warnings)
    if (std::find(warnings.begin(), warnings.end(), w) == warnings.end())
      warnings.push_back(std::move(w));
  settings.warnings = std::move(warnings);
}

void sayWarnings(const std::vector<WarningRecord> &warnings) {
  std::string accepted;
  for (const WarningRecord &w : warnings)
    if (isAccepted(w))
      accepted += (accepted.empty() ? "" : ", ") + w.about;
    else
      printMessage("Popscope: engine option " + w.about + " " + w.text);
  // Frameworks set the same options for each engine of a process.
  static std::mutex mutex;
  static std::set<std::string> said;
  const std::lock_guard<std::mutex> lock(mutex);
  if (!accepted.empty() && said.insert(accepted).second)
    printMessage("Popscope: engine options that are accepted and change nothing: " + accepted +
                 "; popscope options explains each");
}

} // namespace popscope
