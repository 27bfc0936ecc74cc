// The critical path of a run: what its end waited for, back to its start; the viewer draws the same one. And slack: by
// how much work could take longer before the run does.
//
//   tile 0  |=== a ===|          ,-| b |    |        A barrier ends when the last signal has come (tile 1), an exchange
//   tile 1  |====== a ======|----'          |        begins with the last of its tiles and ends with the longest. The
//   path
//                     last to arrive       end       is what is left when each wait is traced to whom it waited for.
//
// Pieces of the path follow each other without gap, so their cycles add up to the length of the run. Work on the path
// has no slack.
//
// What lies between two barriers of all tiles is looked at alone (RunSegment), by several threads; the path passes
// each such barrier, so all that joins two of them is the tile on which it does.
#pragma once
#include "base/Parallel.hpp"
#include "report/answers/ReplayRun.hpp"

namespace popscope {

struct PathSums {
  std::uint64_t cycles = 0;   // on the path
  std::uint64_t counters = 0; // of these, reading counters of instrumentation
  std::uint64_t pieces = 0;
  std::map<std::size_t, std::uint64_t> byTile;
};
struct CriticalPath {
  std::string whyNot;                                    // "" = it is known
  std::map<std::size_t, PathSums> byProgram;             // by id
  std::map<std::size_t, std::uint64_t> slack;            // by id of the program: the least over its executions
  std::vector<std::uint64_t> cyclesOfTile;               // on the path
  std::vector<std::optional<std::uint64_t>> slackOfTile; // the least of its work; nothing: it never works
  // Tile cycles of the tiles that are counted. Work, and waiting by what was waited for: what the tile that came last
  // did meanwhile. All of these add up to tiles x length.
  std::map<StepCause, std::uint64_t> work, waits;
  std::uint64_t waitedForCounters = 0; // it read counters of instrumentation
  std::uint64_t released = 0;          // signals of barriers on their way
  std::uint64_t counters = 0;          // reading them
};

/// `counted`: by tile, those of which cycles are counted; empty = all. The path is that of all.
[[nodiscard]] CriticalPath findCriticalPath(const RunReplay &replay, const std::vector<bool> &counted = {},
                                            Threads threads = {});
/// Sums of both, and the smaller slack.
void addPath(const CriticalPath &part, CriticalPath &all);

} // namespace popscope
