// The critical path of a run: the steps and tiles for which the end of the run waited, back to its start. It also
// contains slack: the cycles by which work could take longer without making the run longer.
//
//   tile 0  |=== a ===|          ,-| b |    |        A barrier ends when the last signal has come (tile 1), an exchange
//   tile 1  |====== a ======|----'          |        begins with the last of its tiles and ends with the longest. The
//                     last to arrive       end       path remains when each wait is traced to the tile waited for.
//
// Invariant: pieces of the path are contiguous, so their cycles add up to the length of the run. Work on the path has
// no slack. The viewer draws the same path.
//
// Segments between two barriers of all tiles (RunSegment) are examined independently, by several threads. The path
// passes through each such barrier, so two segments share only the tile at which the path passes.
#pragma once
#include "base/Parallel.hpp"
#include "report/answers/ReplayRun.hpp"

namespace popscope {

struct PathSums {
  std::uint64_t cycles = 0;   // on the path
  std::uint64_t counters = 0; // part of them: reading counters of instrumentation
  std::uint64_t pieces = 0;
  std::map<std::size_t, std::uint64_t> byTile;
};
struct CriticalPath {
  std::string whyNot;                                    // "" = the path is known
  std::map<std::size_t, PathSums> byProgram;             // by program id
  std::map<std::size_t, std::uint64_t> slack;            // the minimum over the executions of a program, by program id
  std::vector<std::uint64_t> cyclesOfTile;               // on the path
  std::vector<std::optional<std::uint64_t>> slackOfTile; // minimum over its work; no value: it never works
  // Tile cycles of the counted tiles. `waits` is split by the work of the last tile during the wait. All of the
  // following add up to tiles x length.
  std::map<StepCause, std::uint64_t> work, waits;
  std::uint64_t waitedForCounters = 0; // waits while the last tile read counters of instrumentation
  std::uint64_t released = 0;          // signals of barriers in transit
  std::uint64_t counters = 0;          // reading counters
};

/// Returns the path of all tiles. `counted`, per tile: whether its cycles count; empty = all.
[[nodiscard]] CriticalPath findCriticalPath(const RunReplay &replay, const std::vector<bool> &counted = {},
                                            Threads threads = {});
/// Adds the sums of `part` to `all`, and keeps the smaller slack.
void addPath(const CriticalPath &part, CriticalPath &all);

} // namespace popscope
