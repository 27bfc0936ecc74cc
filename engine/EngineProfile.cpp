#include "engine/EngineProfile.hpp"

#include "engine/SummaryRequest.hpp"
#include "instrument/counters/Counters.hpp"
#include "report/pva/MakeReport.hpp"
#include "report/summary/Summary.hpp"

#include <poplar/exceptions.hpp>
#include <pva/pva.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <system_error>

namespace popscope {
namespace {

std::string profilePath(const EngineSettings &settings) {
  const std::filesystem::path folder = settings.reportDirectory.empty() ? "." : settings.reportDirectory;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw poplar::invalid_option(fmt::format("autoReport.directory '{}' cannot be made: {}; name a folder that can be "
                                             "written",
                                             folder.string(), error.message()));
  return (folder / "profile.pop").string();
}

} // namespace

EngineProfile::EngineProfile(std::shared_ptr<const CompiledProgram> compiled, const EngineSettings &settings)
    : compiled_(std::move(compiled)), quota_(settings.profiledRuns), recorded_(compiled_->program.programs.size(), 0) {
  const DeviceKind kind = compiled_->machine.kind;
  // The IPU Model knows its execution without instrumentation; a (simulated) IPU only what instrumentation records.
  recording_ = kind == DeviceKind::IpuModel ||
               (kind == DeviceKind::Ipu && (settings.instrument || settings.instrumentCompute));
  if (kind == DeviceKind::Cpu || !(settings.writeGraphProfile || settings.writeExecutionProfile))
    return;
  path_ = profilePath(settings);
  onDisk_ = std::make_unique<PopWriter>(path_);
  onDisk_->compilation(compiled_->record);
  executionOnDisk_ = settings.writeExecutionProfile;
  if (!executionOnDisk_)
    onDisk_->finish();
}

EngineProfile::~EngineProfile() = default;

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
  Counters counters(compiled_->program, compiled_->machine.tilesPerIpu, writer());
  try {
    machine.run(program, name, host, &counters);
  } catch (...) { // the user's program may stop at any step; the engine can be loaded again and run on
    writer().cutRun();
    throw;
  }
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
