// CompilePhases: measures the phases of a compilation and of writing its profile: wall and CPU time, and memory of the
// process. Each phase is also a span of the host trace (PVTI_OPTIONS). Measured times differ in every compilation, but
// the compilation record is always the same. So the phases are kept outside the compilation record, and only with
// popscope.recordCompilePhases.
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
  /// Starts the measurement. Keeps records if `records` is true. `channel` must outlive this object.
  CompilePhases(pvti::TraceChannel &channel, bool records);
  /// Continues a measurement. `ended` contains the phases so far; the first phase began at `began`. Keeps further
  /// records only if `ended` is not empty.
  CompilePhases(pvti::TraceChannel &channel, std::vector<CompilePhaseRecord> ended,
                std::chrono::steady_clock::time_point began);
  void begin(const char *name) override;
  void end() override;
  [[nodiscard]] std::chrono::steady_clock::time_point began() const { return first_; }
  /// Returns the records of all phases in the order in which the phases began, and removes the records from this
  /// object. All phases must have ended. Without `records`, returns an empty list.
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
