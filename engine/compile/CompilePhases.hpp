// CompilePhases: measures the parts of a compile, and of writing what came of it to a profile: wall and CPU time, and
// memory of the process. Each is a span of PVTI_OPTIONS too. A clock says something else each time, so that the records
// are kept only where popscope.recordCompilePhases asks for them, and beside the compilation record: that is the same
// each time.
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
  /// `channel` must outlive this.
  CompilePhases(pvti::TraceChannel &channel, bool records);
  /// Goes on after phases that have ended, if there are any; the first of them began at `began`.
  CompilePhases(pvti::TraceChannel &channel, std::vector<CompilePhaseRecord> ended,
                std::chrono::steady_clock::time_point began);
  void begin(const char *name) override;
  void end() override;
  [[nodiscard]] std::chrono::steady_clock::time_point began() const { return first_; }
  /// Those that ended, in the order of their begin; empty without `records`.
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
