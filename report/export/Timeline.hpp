// The contents of traces in all formats: processes, lanes, slices, counters and arrows, in the order of time, one at a
// time.
//
//   IPU 0   Program    |run 1            |        runs, programs in programs, steps: the parts that add up to the run
//           Compute    |==|   |====|              from the first tile's begin to the last one's end; a step that
//           Exchange      |===|                   overlaps the previous one goes to "Compute 2"
//           Tile 7     |=|    |====|              selected tiles: their own cycles, with arrows from the sender in an
//                                                 exchange to the receiver's next slice
//   Memory  live bytes _/--\__                    by storage category, when they change
//   Host    thread 12  |setUp|                    spans of a PVTI file
//           CPU Usage  _/--\__                    of samples (popscope.sampleHost), and Memory Usage, Disk Usage
//
// One cycle is one nanosecond, or its real duration by the target's clock.
#pragma once
#include "report/answers/Selection.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace popscope {

struct TimelineOptions {
  Selection selection;               // runs, steps, tiles ("" = no tile has a lane of its own)
  std::uint64_t maxEvents = 1000000; // 0 = no limit
  bool byClock = false;              // real time by the target's clock; otherwise 1 cycle = 1 ns
  std::string pvti;                  // a file of host spans to show next to the device; implies byClock
};

/// An additional value of a slice.
struct SliceArgument {
  SliceArgument(const char *name, std::uint64_t value) : key(name), number(value) {}
  SliceArgument(const char *name, std::string value) : key(name), text(std::move(value)), isText(true) {}
  const char *key;
  std::uint64_t number = 0;
  std::string text;
  bool isText = false;
};
/// A named time on a lane.
struct Slice {
  std::uint32_t lane = 0;
  std::uint64_t start = 0, end = 0; // ns
  std::string name;
  const char *category = "";
  std::vector<SliceArgument> arguments;
  std::vector<std::uint64_t> flowsOut{}, flowsIn{}; // arrows that begin and end here
};
/// The value of one series of a counter.
struct CounterValue {
  std::string key;
  std::uint64_t value = 0;
};

/// Receives a timeline. Slices of one lane come in the order of their start and nest. Lanes and processes are declared
/// before they are used.
class TimelineSink {
public:
  virtual ~TimelineSink();
  virtual void process(std::uint32_t process, const std::string &name) = 0;
  virtual void lane(std::uint32_t process, std::uint32_t lane, const std::string &name) = 0;
  /// Begins a slice whose end is not known yet; its `end` is ignored.
  virtual void begin(const Slice &slice) = 0;
  virtual void end(std::uint32_t lane, std::uint64_t at) = 0;
  virtual void slice(const Slice &slice) = 0;
  /// Receives the values that changed; `unit`: "bytes", "tiles" or "percent".
  virtual void counter(std::uint32_t process, const std::string &name, const char *unit, std::uint64_t at,
                       const std::vector<CounterValue> &values) = 0;
};

struct TimelineResult {
  std::uint64_t events = 0;
  bool cut = false;                    // the timeline stops at maxEvents
  std::size_t cutRun = 0, cutStep = 0; // where the trace stops: the run, and the position in it
  std::uint64_t stepsWithoutTime = 0;  // left out, because their time was not recorded
  std::uint64_t exchangesByGroups = 0; // executed exchanges with lanes of tiles but without arrows between them,
                                       // because the file has groups
};

/// Writes the timeline. Throws AnswerError for a profile without recorded runs, or for a wrong selection.
TimelineResult writeTimeline(const pva::Report &report, const TimelineOptions &options, TimelineSink &sink);
/// Returns the approximate number of events of writeTimeline, without reading all steps.
[[nodiscard]] std::uint64_t estimateTimelineEvents(const pva::Report &report, const TimelineOptions &options);

/// A property of the whole trace, for its metadata: a text, a number, or nothing.
struct TraceFact {
  const char *key;
  std::string text;
  std::optional<std::uint64_t> number; // instead of the text
};
/// Returns the properties, which are the same in all formats of traces. An empty text: not known, or none.
[[nodiscard]] std::vector<TraceFact> traceFacts(const pva::Report &report, const TimelineOptions &options,
                                                const TimelineResult &result);

} // namespace popscope
