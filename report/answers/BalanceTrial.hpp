// BalanceTrial: replays runs as if all tiles had equal work in the steps of one program, and measures the cycles by
// which the runs become shorter. A step can overlap the next step. If a tile that is slow in a step has less work in
// the next step, balancing the first of the two steps may save nothing. The replay accounts for this overlap.
//
// Barriers of all tiles divide a run into independent segments (RunSegment). A trial replays only the segments that
// contain a step of the program.
#pragma once
#include "report/answers/CriticalPath.hpp"

#include <list>

namespace popscope {

class BalanceTrial {
public:
  /// Adds a run. `path` is the run's critical path, from which most() computes the upper bounds.
  void add(RunReplay replay, const CriticalPath &path);
  /// Returns an upper bound of the saved cycles: the program's work on the critical path, minus the cycles of this work
  /// with perfect balance.
  [[nodiscard]] std::uint64_t most(std::size_t program) const;
  /// Replays the segments that contain the program as if the program's work had perfect balance. Returns the cycles by
  /// which all runs together become shorter, or 0 if the runs become longer.
  [[nodiscard]] std::uint64_t saved(std::size_t program) const;

private:
  struct Place {
    const RunReplay *run;
    RunSegment segment;
  };
  std::list<RunReplay> runs_;
  std::vector<Place> places_;
  std::map<std::size_t, std::vector<std::size_t>> placesOf_; // positions in places_, by program id
  std::map<std::size_t, std::uint64_t> most_;                // by program id
};

} // namespace popscope
