// The critical path of a run: the chain of steps and tiles that determined the end of the run, traced back to the start
// of the run. The slack of a tile's work in a step is the number of cycles by which this work could take longer without
// making the run longer.
//
//   tile 0  |=== a ===|          ,-| b |    |        A barrier ends after the last signal (here of tile 1). An exchange
//   tile 1  |====== a ======|----'          |        begins when its last tile is ready, and ends with its
//                     last to arrive       end       slowest tile. Each wait leads back to its cause.
//
// Invariant: the pieces of the path are contiguous, so their cycles add up to the length of the run. Work on the path
// has no slack. The viewer draws the same path.
//
// The segments between two barriers of all tiles (RunSegment) are examined independently, in several threads. The path
// passes through each such barrier, so neighbouring segments share only the tile at which the path crosses the barrier.
#pragma once
#include "base/Parallel.hpp"
#include "report/answers/ReplayRun.hpp"

namespace popscope {

struct PathSums {
  std::uint64_t cycles = 0;   // cycles on the path
  std::uint64_t counters = 0; // the part of `cycles` in which a tile reads counters of instrumentation
  std::uint64_t even = 0;     // cycles that the work on the path would take if all tiles had the same work in each step
  std::uint64_t pieces = 0;
  std::map<std::size_t, std::uint64_t> byTile; // cycles on the path, by tile
};
struct CriticalPath {
  std::string whyNot;                                    // why the path is unknown; "" if the path is known
  std::map<std::size_t, PathSums> byProgram;             // by program id
  std::map<std::size_t, std::uint64_t> slack;            // by program id: minimum slack over the executions of the
                                                         // program
  std::vector<std::uint64_t> cyclesOfTile;               // per tile: cycles on the path
  std::vector<std::optional<std::uint64_t>> slackOfTile; // per tile: minimum slack of the tile's work; has no value if
                                                         // the tile never works
  // The following members are tile cycles of the counted tiles (see findCriticalPath). A key of `waits` is the cause of
  // the work that the tile that arrives last does during the wait. The key StepCause::HostWait stands for the time of
  // the signals of barriers that wait for the host. All values of the two maps, plus `waitedForCounters`, `released`
  // and `counters`, add up to the number of counted tiles times the length of the run.
  std::map<StepCause, std::uint64_t> work, waits;
  std::uint64_t waitedForCounters = 0;           // waits while the tile that arrives last reads counters of
                                                 // instrumentation
  std::uint64_t released = 0;                    // waits while signals of barriers are in transit, except barriers that
                                                 // wait for the host
  std::uint64_t counters = 0;                    // time in which the counted tiles read counters of instrumentation
  std::map<std::size_t, std::uint64_t> waitsFor; // the cycles of `waits`, by the id of the program for which the tiles
                                                 // wait
};

/// Returns the path over all tiles. `counted[tile]` states whether the sums of work and waits include the tile's
/// cycles; an empty `counted` includes all tiles.
[[nodiscard]] CriticalPath findCriticalPath(const RunReplay &replay, const std::vector<bool> &counted = {},
                                            Threads threads = {});
/// Adds the sums of `part` to `all`. For each program and for each tile, keeps the smaller of the two slacks.
void addPath(const CriticalPath &part, CriticalPath &all);

} // namespace popscope
