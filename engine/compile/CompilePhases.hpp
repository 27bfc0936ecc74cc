// CompilePhases: measures the wall time, the CPU time and the memory of the process for each phase of a compilation.
// Writing the profile of the compilation is also a phase. Each phase is also a span of the host trace (PVTI_OPTIONS).
// With popscope.recordCompilePhases, the profile contains the phases. The compilation record does not contain the
// phases, because equal compilations must have equal compilation records, and measured times differ from run to run.
#pragma once
#include "base/Phases.hpp"
#include "instrument/profile/Records.hpp"

#include <chrono>
#include <vector>

namespace pvti {
class TraceChannel;
}

namespace popscope {

class CompilePhases : public PhaseListener {
public:
  /// Starts the measurement. If `records` is true, the object keeps a record of each phase. `channel` must outlive this
  /// object.
  CompilePhases(pvti::TraceChannel &channel, bool records);
  /// Continues a measurement. `ended` contains the records of the phases that have ended, and the first phase began at
  /// `began`. The new object keeps records of further phases only if `ended` is not empty.
  CompilePhases(pvti::TraceChannel &channel, std::vector<CompilePhaseRecord> ended,
                std::chrono::steady_clock::time_point began);
  void begin(const char *name) override;
  void end() override;
  [[nodiscard]] std::chrono::steady_clock::time_point began() const { return first_; }
  /// Returns the records of all phases in the order in which the phases began, and removes the records from this
  /// object. All phases must have ended. Returns an empty list if no records are kept (see the constructors).
  [[nodiscard]] std::vector<CompilePhaseRecord> take() { return std::move(records_); }

private:
  struct Open {
    const char *name;
    std::size_t record;
    std::chrono::steady_clock::time_point from;
    double cpuFrom; // microseconds
  };
  pvti::TraceChannel &channel_;
  bool on_;
  std::chrono::steady_clock::time_point first_;
  std::vector<Open> open_;
  std::vector<CompilePhaseRecord> records_;
};

} // namespace popscope
