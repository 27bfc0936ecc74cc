#include "engine/settings/Settings.hpp"

#include "base/CommaList.hpp"
#include "base/EditDistance.hpp"
#include "base/Environment.hpp"
#include "base/ProgramName.hpp"
#include "base/ReadNumber.hpp"
#include "base/settings/Configuration.hpp"
#include "base/settings/EngineOptionTable.hpp"
#include "engine/advice/AdviceChange.hpp"
#include "engine/settings/CheckSettings.hpp"
#include "graph/lowering/NameFilter.hpp"
#include "report/export/WriteExports.hpp"
#include "target-models/model/TileMachine.hpp"

#include <poplar/exceptions.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>

namespace popscope {
namespace {

constexpr const char *kEnvironment = "POPLAR_ENGINE_OPTIONS";
constexpr const char *kRuntimeEnvironment = "POPLAR_RUNTIME_OPTIONS";

// Merges the options. The constructor's options override those of configurations, and the environment overrides both.
poplar::OptionFlags mergedOptions(const poplar::OptionFlags &options, const Configuration &configuration) {
  const std::size_t engine = enginesBegun() + 1;
  poplar::OptionFlags merged;
  for (const auto &entry : Configuration::engineValues(configuration.below, engine))
    merged.set(entry.first, entry.second.value);
  for (const auto &option : options)
    merged.set(option.first, option.second);
  poplar::readJSONFromEnv(kRuntimeEnvironment, merged);
  poplar::readJSONFromEnv(kEnvironment, merged);
  for (const auto &entry : Configuration::engineValues(configuration.above, engine))
    merged.set(entry.first, entry.second.value);
  return merged;
}

Configuration environmentConfiguration() {
  try {
    return readEnvironmentConfiguration(environmentVariable);
  } catch (const ConfigurationError &e) {
    throw poplar::invalid_option(e.inOneLine());
  }
}

SessionSettings sessionSettings(const Configuration &configuration) {
  SessionSettings s;
  const auto value = [&](const char *key) {
    const auto at = configuration.session.find(key);
    return at == configuration.session.end() ? std::string() : at->second.value;
  };
  s.directory = homePath(value("directory"));
  if (const auto at = configuration.session.find("directory"); at != configuration.session.end())
    s.directorySetting = directorySetting(at->second);
  s.templateName = value("template");
  s.summary = value("summary") == "true";
  s.program = programName();
  s.trace = homePath(value("trace"));
  for (const std::string &name : commaList(value("formats"))) {
    const NamedExport named = exportNamed(name, configuration.session.at("formats").origin + ": \"formats\"");
    s.formats.push_back(named.layout == "flat" ? std::string(named.formats.front()->name) : name);
  }
  if (!s.trace.empty() && s.templateName == "trace") // the output of this template goes to the named file
    s.formats.erase(std::remove(s.formats.begin(), s.formats.end(), "chrome"), s.formats.end());
  return s;
}

// Reads a stack size. Programs write a stack size as 512 or as 0x200.
std::uint32_t stackBytes(const char *key, const OptionValues &values) {
  constexpr std::uint32_t kMost = 1U << 20, kAlign = kStackAlignment;
  const std::string &text = values.getString(key);
  const bool hex = text.rfind("0x", 0) == 0;
  const auto bytes =
      text.empty() ? 0 : readWhole(std::string_view(text).substr(hex ? 2 : 0), {0, kMost}, hex ? 16 : 10);
  if (!bytes || *bytes % kAlign != 0)
    throw poplar::invalid_option(fmt::format("engine option \"{}\": value \"{}\" is not allowed; give bytes from 0 to "
                                             "{} in multiples of {}, decimal or 0x...",
                                             key, text, kMost, kAlign));
  return static_cast<std::uint32_t>(*bytes);
}

// Reads "3-7,10,20-/5": single runs, spans, and a span without an end; "/n" selects every n-th run of a span.
std::vector<RunRange> runRanges(const char *key, const std::string &text) {
  const auto bad = [&](const char *why) {
    return poplar::invalid_option(
        fmt::format("engine option \"{}\": value \"{}\" is not allowed: {}; give numbers of calls of Engine::run, from "
                    "0 and ascending, such as \"3-7,10,20-/5\"",
                    key, text, why));
  };
  std::vector<RunRange> ranges;
  std::string_view rest = text;
  const auto number = [&] {
    const bool digit = !rest.empty() && rest[0] >= '0' && rest[0] <= '9';
    const auto value = takeWhole(rest);
    if (!value)
      throw bad(digit ? "a number is too large" : "a number is missing");
    return *value;
  };
  while (!rest.empty()) {
    if (!ranges.empty()) {
      if (rest[0] != ',')
        throw bad("runs are separated by commas");
      rest.remove_prefix(1);
    }
    RunRange range;
    range.first = range.last = number();
    if (!rest.empty() && rest[0] == '-') {
      rest.remove_prefix(1);
      range.last =
          rest.empty() || rest[0] == ',' || rest[0] == '/' ? std::numeric_limits<std::uint64_t>::max() : number();
    }
    if (!rest.empty() && rest[0] == '/') {
      rest.remove_prefix(1);
      range.every = number();
    }
    if (range.every == 0)
      throw bad("the step of a range must be at least 1");
    if (range.last < range.first || (!ranges.empty() && range.first <= ranges.back().last))
      throw bad("the runs are not ascending");
    ranges.push_back(range);
  }
  return ranges;
}

// Reads a span in seconds since the first run, such as "2-10" or "2-".
void readSeconds(const std::string &text, RunChoice &runs) {
  if (text.empty())
    return;
  const std::size_t dash = text.find('-');
  const auto from = readReal(text.substr(0, dash));
  const auto to = dash == std::string::npos || dash + 1 == text.size() ? std::optional<double>(-1)
                                                                       : readReal(text.substr(dash + 1));
  if (!from || !to || *from < 0 || (*to >= 0 && *to < *from))
    throw poplar::invalid_option(fmt::format("engine option \"popscope.profileSeconds\": value \"{}\" is not allowed; "
                                             "give seconds since the first run, such as \"2-10\" or \"2.5-\"",
                                             text));
  runs.fromSecond = *from;
  runs.toSecond = *to;
}

/// Reads names of `known`, separated by commas, such as "compute,exchange". Returns a bit for each name: 1 << its index.
std::uint32_t readNames(const char *key, const char *what, const OptionValues &values,
                        const std::vector<std::string> &known) {
  std::uint32_t bits = 0;
  for (const std::string &name : commaList(values.getString(key))) {
    const auto at = std::find(known.begin(), known.end(), name);
    if (at == known.end())
      throw poplar::invalid_option(
          fmt::format("engine option \"{}\": there is no {} \"{}\".{} Give one or more of {}, separated by commas", key,
                      what, name, didYouMean(name, known), fmt::join(known, ", ")));
    bits |= 1U << (at - known.begin());
  }
  return bits;
}

BlockOptions blockOptions(const OptionValues &values) {
  BlockOptions b;
  b.blocksFilter = values.getString("profiler.blocks.filter");
  b.programsFilter = values.getString("profiler.programs.filter");
  (void)NameFilter("profiler.blocks.filter", b.blocksFilter); // reports a bad filter before compilation
  (void)NameFilter("profiler.programs.filter", b.programsFilter);
  b.tile = static_cast<std::uint32_t>(values.getUnsigned("profiler.blocks.tile"));
  b.bufferBytes = static_cast<std::uint32_t>(values.getUnsigned("profiler.blocks.bufferSize"));
  b.implicitFlush = values.getBool("profiler.blocks.implicitFlush");
  return b;
}

std::int64_t recordTile(const OptionValues &values) {
  const std::string &text = values.getString("debug.branchRecordTile");
  const auto tile = readWhole(text, {0, std::numeric_limits<std::uint32_t>::max()});
  if (!text.empty() && !tile)
    throw poplar::invalid_option(fmt::format(
        "engine option \"debug.branchRecordTile\": value \"{}\" is not allowed; give the number of a tile", text));
  return text.empty() ? -1 : static_cast<std::int64_t>(*tile);
}

// Reads a limit in bytes. Empty or -1: no limit.
std::uint64_t maxCopyMergeBytes(const OptionValues &values) {
  const std::string &text = values.getString("opt.maxCopyMergeSize");
  if (text.empty() || text == "-1")
    return std::numeric_limits<std::uint64_t>::max();
  const auto bytes = readWhole(text, {0, std::numeric_limits<std::uint64_t>::max()});
  if (!bytes)
    throw poplar::invalid_option(fmt::format(
        "engine option \"opt.maxCopyMergeSize\": value \"{}\" is not allowed; give a number of bytes, or nothing "
        "for no limit",
        text));
  return *bytes;
}

// Returns the changes as JSON, also if `value` names a file, because a stored executable must not need the file.
std::string adviceText(const std::string &value) {
  const AdviceChanges changes = readAdviceChanges(value);
  return changes.empty() ? std::string() : toJson(changes);
}

} // namespace

bool RunChoice::inRanges(std::uint64_t run) const {
  return std::any_of(ranges.begin(), ranges.end(), [&](const RunRange &r) {
    return r.first <= run && run <= r.last && (run - r.first) % r.every == 0;
  });
}

RecordedDetail EngineSettings::recordedDetail() const {
  RecordedDetail detail{ComputeDetail::Nothing, instrumentExternalExchange, path.controlFlow};
  if (!instrumentCompute)
    return detail;
  switch (counterLevel) {
  case CounterLevel::Off: break;
  case CounterLevel::Device: detail.compute = ComputeDetail::Device; break;
  case CounterLevel::Ipu: detail.compute = ComputeDetail::Ipu; break;
  case CounterLevel::Tile: detail.compute = ComputeDetail::Tile; break;
  case CounterLevel::Vertex: detail.compute = ComputeDetail::Vertex; break;
  }
  return detail;
}

std::optional<SessionSettings> readSession() {
  const Configuration configuration = environmentConfiguration();
  try {
    return configuration.on ? std::optional(sessionSettings(configuration)) : std::nullopt;
  } catch (const AnswerError &e) {
    throw poplar::invalid_option(e.what());
  }
}

std::string whyNoProfile(const EngineSettings &settings) {
  const Configuration configuration = environmentConfiguration();
  const auto anyAsks = [](const std::vector<ConfigurationLayer> &layers) {
    return std::any_of(layers.begin(), layers.end(), asksForProfile);
  };
  std::string off;
  for (const OptionRecord &o : settings.all)
    if (!o.isDefault && o.value == "false" &&
        (o.key == "autoReport.all" || o.key == "autoReport.outputGraphProfile" ||
         o.key == "autoReport.outputExecutionProfile"))
      off += (off.empty() ? "" : " and ") + o.key + "=false";
  if (off.empty() || !(anyAsks(configuration.below) || anyAsks(configuration.above)))
    return std::string("a configuration is set from outside, but no option requests a profile; ") + kHowToAskForProfile;
  return "settings of higher precedence (--set of popscope run, POPLAR_ENGINE_OPTIONS, the program or a configuration "
         "file) switch the requested profile off: " +
         off;
}

namespace {

RenamingChoice renamingCopies(const OptionValues &values) {
  const std::string choice = values.getString("popscope.elideCopies");
  return choice == "machine" ? RenamingChoice::Machine
         : choice == "true"  ? RenamingChoice::Gone
                             : RenamingChoice::Copied;
}

} // namespace

RenamingCopies chosenRule(RenamingChoice choice, RenamingCopies machine) {
  switch (choice) {
  case RenamingChoice::Machine: break;
  case RenamingChoice::Copied: return RenamingCopies::Copied;
  case RenamingChoice::Gone: return RenamingCopies::Gone;
  }
  return machine;
}

void setAdviceOption(const std::string &key, const std::string &value, EngineSettings &settings) {
  poplar::OptionFlags flags;
  flags.set(key, value);
  const OptionValues values = engineOptionTable().parse(flags);
  if (key == "popscope.elideCopies")
    settings.renamingCopies = renamingCopies(values);
  else if (key == "opt.maxCopyMergeSize")
    settings.copies.maxMergeBytes = maxCopyMergeBytes(values);
  else if (key == "target.workerStackSizeInBytes")
    settings.workerStackBytes = stackBytes(key.c_str(), values);
}

bool isChosen(const EngineSettings &settings, const std::string &option) {
  return std::any_of(settings.all.begin(), settings.all.end(),
                     [&](const OptionRecord &o) { return o.key == option && !o.isDefault; });
}

namespace {

/// Returns the values of the options whose default follows another option, so that the profile's table of options shows
/// the values that the engine uses.
std::map<std::string, bool> defaultsThatFollow(const EngineSettings &s) {
  return {{"autoReport.outputGraphProfile", s.writeGraphProfile},
          {"autoReport.outputExecutionProfile", s.writeExecutionProfile},
          {"autoReport.outputLoweredVars", s.writeLoweredVars},
          {"autoReport.outputDebugInfo", s.files.debugInfo},
          {"autoReport.outputLivenessExplanation", s.advice.explainLiveness},
          {"debug.instrument", s.instrument},
          {"debug.instrumentCompute", s.instrumentCompute},
          {"debug.instrumentExternalExchange", s.instrumentExternalExchange},
          {"debug.instrumentControlFlow", s.path.controlFlow}};
}

/// Returns the names of the passes in "after:A,B".
std::vector<std::string> dumpedPasses(const std::string &value) {
  std::vector<std::string> names;
  if (value.empty())
    return names;
  const std::string prefix = "after:";
  for (const std::string &name : commaList((value.rfind(prefix, 0) == 0 ? value.substr(prefix.size()) : value) + ","))
    if (name == "all")
      names.insert(names.end(), kLoweringPasses.begin(), kLoweringPasses.end());
    else if (std::find(kLoweringPasses.begin(), kLoweringPasses.end(), name) != kLoweringPasses.end())
      names.push_back(name);
    else
      throw poplar::invalid_option(
          fmt::format("engine option \"popscope.dump\": there is no pass \"{}\". The passes are {}; all stands for "
                      "every pass. Write after:MergeCopies, or several as after:MergeStreams,MergeCopies",
                      name, fmt::join(kLoweringPasses, ", ")));
  return names;
}

} // namespace

// Reads the options of the program, of the environment and of the configuration; mergedOptions defines their
// precedence. Parses everything that may be wrong, so that a mistake is reported before the graph is compiled.
EngineSettings readSettings(const poplar::OptionFlags &options) {
  (void)readSession(); // reports a mistake before compilation
  const OptionTable &table = engineOptionTable();
  const Configuration configuration = environmentConfiguration();
  const poplar::OptionFlags merged = mergedOptions(options, configuration);
  const OptionValues values = table.parse(merged);
  EngineSettings s;
  s.reportDirectory = homePath(values.getString("autoReport.directory"));
  const bool all = values.getBool("autoReport.all");
  const auto part = [&](const char *key) { return values.isSet(key) ? values.getBool(key) : all; };
  s.writeGraphProfile = part("autoReport.outputGraphProfile");
  s.writeExecutionProfile = part("autoReport.outputExecutionProfile");
  s.writeLoweredVars = part("autoReport.outputLoweredVars");
  s.files.debugInfo = part("autoReport.outputDebugInfo");
  s.advice.explainLiveness = part("autoReport.outputLivenessExplanation");
  s.advice.trials = static_cast<std::uint32_t>(values.getUnsigned("popscope.tryAdvice"));
  s.advice.apply = adviceText(homePath(values.getString("popscope.applyAdvice")));
  s.recordedRuns.ofEachProgram =
      static_cast<std::uint32_t>(values.getUnsigned("autoReport.executionProfileProgramRunCount"));
  s.recordedRuns.ranges = runRanges("popscope.profileRuns", values.getString("popscope.profileRuns"));
  s.recordedRuns.names = values.getString("popscope.profileNames");
  s.recordedRuns.namesNot = values.getString("popscope.profileNamesNot");
  (void)NameFilter("popscope.profileNames",
                   s.recordedRuns.names); // reports a bad filter before compilation
  (void)NameFilter("popscope.profileNamesNot", s.recordedRuns.namesNot);
  readSeconds(values.getString("popscope.profileSeconds"), s.recordedRuns);
  if (!values.getString("popscope.profileCategories").empty())
    s.recordedRuns.kinds = static_cast<StepKindsMask>(readNames(
        "popscope.profileCategories", "category", values, {std::begin(kStepKindNames), std::end(kStepKindNames)}));
  s.allowOutOfMemory = values.getBool("debug.allowOutOfMemory");
  s.outOfMemoryChosen = values.isSet("debug.allowOutOfMemory");
  // On an IPU device only counters measure cycles, so a request for an execution profile switches the counters on.
  s.instrument = values.isSet("debug.instrument") ? values.getBool("debug.instrument") : s.writeExecutionProfile;
  const auto counted = [&](const char *key) { return values.isSet(key) ? values.getBool(key) : s.instrument; };
  s.instrumentCompute = counted("debug.instrumentCompute");
  s.instrumentExternalExchange = counted("debug.instrumentExternalExchange");
  s.blocks = blockOptions(values);
  s.blocks.streamCopies = s.instrumentExternalExchange;
  s.path.controlFlow = counted("debug.instrumentControlFlow");
  s.path.recordTile = recordTile(values);
  s.path.everyExecution = values.getBool("popscope.recordEveryExecution");
  s.path.sampleMemory = values.getUnsigned("popscope.sampleMemory");
  s.path.sampleHost = values.getUnsigned("popscope.sampleHost");
  const std::uint32_t metrics = readNames("popscope.sampleHostMetrics", "group", values, {"cpu", "memory", "disk"});
  s.path.hostMetrics = {(metrics & 1) != 0, (metrics & 2) != 0, (metrics & 4) != 0};
  static constexpr CounterLevel kLevels[] = {CounterLevel::Vertex, CounterLevel::Tile, CounterLevel::Ipu,
                                             CounterLevel::Device};
  s.counterLevel = kLevels[values.getIndex("debug.computeInstrumentationLevel")]; // in the order of the table
  s.tableScheduler = values.getString("popscope.scheduler") == "table";
  s.copies = {maxCopyMergeBytes(values), values.getString("popscope.hostCopies") == "merged"};
  s.alwaysSwitch = values.getBool("popscope.alwaysSwitch");
  s.multiAccessCopies = values.getBool("opt.enableMultiAccessCopies");
  s.renamingCopies = renamingCopies(values);
  s.workerStackBytes = stackBytes("target.workerStackSizeInBytes", values);
  if (s.workerStackBytes == 0)
    s.workerStackBytes = stackBytes("debug.workerStackSizeInBytes", values);
  s.supervisorStackBytes = stackBytes("target.supervisorStackSizeInBytes", values);
  if (s.supervisorStackBytes == 0)
    s.supervisorStackBytes = stackBytes("debug.supervisorStackSizeInBytes", values);
  s.verify = values.getBool("debug.verify");
  s.recordedRuns.eachAtOnce =
      values.isSet("autoReport.streamAtEachRun") && values.getBool("autoReport.streamAtEachRun");
  s.vertices.racesAndStrayWrites = values.getBool("debug.runtimeVerify");
  s.vertices.seconds = static_cast<std::uint32_t>(values.getUnsigned("popscope.vertexSeconds"));
  s.loopSeconds = static_cast<std::uint32_t>(values.getUnsigned("popscope.loopSeconds"));
  s.values = values.getString("popscope.values") == "computed";
  s.multiThread = values.getBool("debug.cpuMultiThreadExecution");
  s.prefetch.enabled = values.getBool("exchange.enablePrefetch");
  s.prefetch.lookAhead = values.getString("exchange.streamBufferOverlap") != "any";
  s.prefetch.patienceSeconds = values.getUnsigned("target.hostSyncTimeout");
  s.registers.fpExceptions = values.getBool("debug.floatPointOpException");
  s.registers.stochasticRounding = values.getBool("prng.enableStochasticRounding");
  s.registers.nanOverflow = values.getBool("debug.nanOverflowException");
  s.registers.seed = values.getUnsigned("prng.seed");
  s.compilationThreads = static_cast<std::uint32_t>(values.getUnsigned("opt.maxCompilationThreads"));
  s.files.serializedGraph =
      values.getBool("autoReport.outputSerializedGraph"); // not part of autoReport.all, because it may be large
  s.files.compilePhases = values.getBool("popscope.recordCompilePhases");
  s.files.dumpedPasses = dumpedPasses(values.getString("popscope.dump"));
  s.files.vertexGraph = homePath(values.getString("target.saveOutputVertexGraph"));
  s.files.loweredVariables = homePath(values.getString("debug.loweredVarDumpFile"));
  const auto followed = defaultsThatFollow(s);
  for (const OptionRow &row : table.rows()) {
    const auto given = merged.find(row.key);
    const auto follows = followed.find(row.key);
    s.all.push_back({"engine", row.key,
                     given != merged.end()       ? given->second
                     : follows != followed.end() ? (follows->second ? "true" : "false")
                                                 : row.defaultValue,
                     !values.isSet(row.key)});
  }
  s.warnings = settingsWithoutEffect(values, s);
  for (const AdviceChange &change : readAdviceChanges(s.advice.apply))
    s.warnings.push_back({"popscope.applyAdvice", "changes the program: " + describe(change)});
  return s;
}

} // namespace popscope
