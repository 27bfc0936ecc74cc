#include "engine/EngineProfile.hpp"

#include "base/DebugStreamer.hpp"
#include "engine/SummaryRequest.hpp"
#include "instrument/counters/Counters.hpp"
#include "instrument/counters/EveryExecution.hpp"
#include "instrument/counters/StepStatistics.hpp"
#include "instrument/machine/LastExecution.hpp"
#include "report/pva/MakeReport.hpp"
#include "report/summary/Summary.hpp"

#include <poplar/exceptions.hpp>
#include <pva/pva.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <optional>
#include <system_error>

namespace popscope {
namespace {

/// Of a file in the report's folder, which is made.
std::string reportPath(const EngineSettings &settings, const char *file) {
  const std::filesystem::path folder = settings.reportDirectory.empty() ? "." : settings.reportDirectory;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw poplar::invalid_option(fmt::format("autoReport.directory '{}' cannot be made: {}; name a folder that can be "
                                             "written",
                                             folder.string(), error.message()));
  return (folder / file).string();
}

} // namespace

EngineProfile::EngineProfile(std::shared_ptr<const CompiledProgram> compiled, const EngineSettings &settings)
    : compiled_(std::move(compiled)), everyExecution_(settings.path.everyExecution), quota_(settings.profiledRuns), recorded_(compiled_->program.programs.size(), 0) {
  const DeviceKind kind = compiled_->machine.kind;
  // The IPU Model knows its execution without instrumentation; a (simulated) IPU only what instrumentation records.
  throughCounters_ = kind == DeviceKind::Ipu;
  if (throughCounters_)
    detail_ = compiled_->settings.recordedDetail(); // counters are part of what was compiled
  recording_ = kind == DeviceKind::IpuModel ||
               (kind == DeviceKind::Ipu && (detail_.compute != ComputeDetail::Nothing || detail_.external || detail_.controlFlow));
  // Contexts of a loaded executable were those of another process: this one's records would say nothing about it.
  if (kind != DeviceKind::Cpu && settings.files.debugInfo && !compiled_->program.contexts.empty())
    debugPath_ = reportPath(settings, "debug.cbor");
  writeDebugInfo();
  if (kind == DeviceKind::Cpu || !(settings.writeGraphProfile || settings.writeExecutionProfile))
    return;
  path_ = reportPath(settings, "profile.pop");
  onDisk_ = std::make_unique<PopWriter>(path_);
  onDisk_->compilation(compiled_->record);
  executionOnDisk_ = settings.writeExecutionProfile;
  if (!executionOnDisk_)
    onDisk_->finish();
}

EngineProfile::~EngineProfile() {
  try {
    writeDebugInfo(); // again: DebugInfos have ended since
  } catch (const std::exception &e) {
    std::cerr << "Popscope: debug information was not written: " << e.what() << '\n';
  }
}

void EngineProfile::writeDebugInfo() {
  if (!debugPath_.empty())
    popscope::writeDebugInfo(debugPath_);
}

PopWriter &EngineProfile::writer() {
  if (executionOnDisk_)
    return *onDisk_;
  if (!inMemory_) {
    inMemory_ = std::make_unique<PopWriter>();
    inMemory_->compilation(compiled_->record);
  }
  return *inMemory_;
}

void EngineProfile::run(Machine &machine, std::uint32_t program, const std::string &name, HostPort &host) {
  if (!recording_ || recorded_[program] >= quota_) {
    machine.run(program, name, host, nullptr);
    return;
  }
  ++recorded_[program];
  try {
    record(machine, program, name, host);
  } catch (...) { // the user's program may stop at any step; the engine can be loaded again and run on
    writer().cutRun();
    throw;
  }
}

void EngineProfile::record(Machine &machine, std::uint32_t program, const std::string &name, HostPort &host) {
  const StepProgram &steps = compiled_->program;
  Counters counters(steps, compiled_->machine.tilesPerIpu, writer(), detail_);
  std::optional<LastExecution> last;
  if (throughCounters_)
    last.emplace(steps, CostModel(compiled_->machine), counters);
  StepStatistics statistics(steps.steps.size(), last ? static_cast<EventSink &>(*last) : counters, writer());
  EveryExecution every(everyExecution_ ? steps.steps.size() : 0, statistics, writer());
  try {
    machine.run(program, name, host, everyExecution_ ? static_cast<EventSink *>(&every) : &statistics);
  } catch (...) {
    if (everyExecution_)
      every.cutRun();
    if (last)
      last->cutRun();
    throw;
  }
  recordSources(machine);
}

void EngineProfile::recordSources(const Machine &machine) {
  std::vector<CycleSourceRecord> rows;
  for (const CycleOrigin &o : machine.cycleOrigins())
    rows.push_back({o.computeSet.index(), o.type.index(), o.source, o.vertices, o.reason});
  writer().cycleSources(rows);
}

void EngineProfile::resetExecution() {
  writer().resetExecution();
  recorded_.assign(recorded_.size(), 0);
}

std::shared_ptr<PopFile> EngineProfile::file() {
  PopWriter &w = writer();
  w.flush();
  return w.file();
}

std::string EngineProfile::finish() {
  if (onDisk_)
    onDisk_->finish();
  return path_;
}

void EngineProfile::printSummary(std::ostream &out, const poplar::OptionFlags &options) {
  popscope::printSummary(out, pva::makeReport(file()), readSummaryOptions(options, isTerminal(out)));
}

} // namespace popscope
