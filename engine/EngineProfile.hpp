// EngineProfile: the engine's connection between the machine's events and the profile: which runs are recorded, where
// the profile is written, and how the summary is printed from it.
#pragma once
#include "engine/Compile.hpp"
#include "engine/HostSide.hpp"
#include "engine/Settings.hpp"
#include "instrument/machine/Machine.hpp"
#include "report/pop/PopFile.hpp"

#include <poplar/OptionFlags.hpp>

#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

namespace popscope {

class EngineProfile {
public:
  /// With autoReport the profile file is begun at once, so that a compile profile exists whatever happens later.
  EngineProfile(std::shared_ptr<const CompiledProgram> compiled, const EngineSettings &settings);
  ~EngineProfile();

  /// Runs a user program, recording it when recording is on and the program's quota of recorded runs is not used up.
  void run(Machine &machine, std::uint32_t program, const std::string &name, HostPort &host);
  void setRecording(bool on) { recording_ = on; }
  void resetExecution();
  void printSummary(std::ostream &out, const poplar::OptionFlags &options);
  /// What reports read; flushed.
  std::shared_ptr<PopFile> file();
  /// Completes the profile file; its path, or "" when none is written.
  std::string finish();

private:
  void writeDebugInfo();
  PopWriter &writer();
  void recordSources(const Machine &machine);
  void record(Machine &machine, std::uint32_t program, const std::string &name, HostPort &host);

  std::shared_ptr<const CompiledProgram> compiled_;
  std::string path_;                     // of the file; "" = none
  std::string debugPath_;                // of debug.cbor; "" = none
  std::unique_ptr<PopWriter> onDisk_;    // autoReport
  std::unique_ptr<PopWriter> inMemory_;  // otherwise, made when first needed
  bool executionOnDisk_ = false;
  bool recording_ = false;
  bool throughCounters_ = false;         // an IPU device: only what its counters hold is known
  bool everyExecution_ = false;          // popscope.recordEveryExecution
  RecordedDetail detail_;
  std::uint32_t quota_ = 0;              // recorded runs per program
  std::vector<std::uint32_t> recorded_;  // per program
};

} // namespace popscope
