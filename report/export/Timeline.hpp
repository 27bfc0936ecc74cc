// The contents of traces in all formats: processes, lanes, slices, counters and arrows. A TimelineSink receives the
// slices of each lane, and the values of each counter, in the order of time. Only the counter "active tiles" can go
// back in time, because a step can begin on its tiles before the previous step begins on other tiles.
//
//   IPU 0   Program    |run 1            |        runs, nested programs, and steps; the steps add up to the run
//           Compute    |==|   |====|              from the start on the first tile to the end on the last tile; a
//           Exchange      |===|                   step that overlaps the previous one is in "Compute 2"
//           Tile 7     |=|    |====|              selected tiles: their own cycles, with arrows from the sender in an
//                                                 exchange to the receiver's next slice
//   Memory  live bytes _/--\__                    by storage category, when they change
//   Host    thread 12  |setUp|                    spans of a PVTI file
//           CPU Usage  _/--\__                    from samples (popscope.sampleHost); also Memory Usage, Disk Usage
//
// One cycle is drawn as one nanosecond, or as its real duration by the target's clock.
#pragma once
#include "report/answers/Selection.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace popscope {

struct TimelineOptions {
  Selection selection;               // the runs, the steps, and the tiles with lanes of their own; if `tiles` is empty,
                                     // no tile has a lane
  std::uint64_t maxEvents = 1000000; // maximum number of events; 0 stands for no limit
  bool byClock = false;              // true: real time by the target's clock, if its frequency is known; false: 1 cycle
                                     // is 1 ns
  std::string pvti;                  // path of a PVTI file, whose host spans appear next to the device's lanes; with a
                                     // path, byClock counts as true
};

/// An additional named value of a slice.
struct SliceArgument {
  SliceArgument(const char *name, std::uint64_t value) : key(name), number(value) {}
  SliceArgument(const char *name, std::string value) : key(name), text(std::move(value)), isText(true) {}
  const char *key;
  std::uint64_t number = 0;
  std::string text;
  bool isText = false;
};
/// A named interval of time on a lane.
struct Slice {
  std::uint32_t lane = 0;
  std::uint64_t start = 0, end = 0; // in nanoseconds
  std::string name;
  const char *category = "";
  std::vector<SliceArgument> arguments;
  std::vector<std::uint64_t> flowsOut{}, flowsIn{}; // ids of the arrows that begin at this slice, and ids of the arrows
                                                    // that end at this slice
};
/// The value of one series of a counter.
struct CounterValue {
  std::string key;
  std::uint64_t value = 0;
};

/// A receiver of a timeline. Slices of one lane arrive in the order of their starts. If two slices of a lane overlap,
/// one of the two contains the other. The functions process() and lane() declare a process or lane before any other
/// function receives the number of this process or lane.
class TimelineSink {
public:
  virtual ~TimelineSink();
  virtual void process(std::uint32_t process, const std::string &name) = 0;
  virtual void lane(std::uint32_t process, std::uint32_t lane, const std::string &name) = 0;
  /// Begins a slice whose end is not known yet. The sink ignores `slice.end`.
  virtual void begin(const Slice &slice) = 0;
  virtual void end(std::uint32_t lane, std::uint64_t at) = 0;
  virtual void slice(const Slice &slice) = 0;
  /// Receives the values that changed, or the values of a sample. `unit` is "bytes", "tiles" or "percent".
  virtual void counter(std::uint32_t process, const std::string &name, const char *unit, std::uint64_t at,
                       const std::vector<CounterValue> &values) = 0;
};

struct TimelineResult {
  std::uint64_t events = 0;
  bool cut = false;                    // true: the timeline stops at maxEvents
  std::size_t cutRun = 0, cutStep = 0; // where the timeline stops: the run, and the step's position in the run
  std::uint64_t stepsWithoutTime = 0;  // steps left out because their time was not recorded
  std::uint64_t exchangesByGroups = 0; // executed exchanges without arrows between the lanes of tiles, because the file
                                       // has only traffic between groups of tiles
};

/// Writes the timeline. Throws AnswerError if no recorded run is selected, or if the selection is malformed or names a
/// run or tile that the profile does not have. Throws std::runtime_error if the PVTI file is unusable.
TimelineResult writeTimeline(const pva::Report &report, const TimelineOptions &options, TimelineSink &sink);
/// Returns an estimate of the number of events that writeTimeline writes. Does not read the steps.
[[nodiscard]] std::uint64_t estimateTimelineEvents(const pva::Report &report, const TimelineOptions &options);

/// A property of the whole trace, for its metadata: a text, a number, or no value.
struct TraceFact {
  const char *key;
  std::string text;
  std::optional<std::uint64_t> number; // the value if it is a number; `text` is then empty
};
/// Returns the properties, which are the same in all formats of traces. A property without a number and with an empty
/// text is unknown or does not exist.
[[nodiscard]] std::vector<TraceFact> traceFacts(const pva::Report &report, const TimelineOptions &options,
                                                const TimelineResult &result);

} // namespace popscope
