// What traces of all formats show: processes, lanes, slices, counters and arrows, in the order of time, one at a time.
//
//   IPU 0   Program    |run 1            |        runs, programs in programs, steps: the parts that add up to the run
//           Compute    |==|   |====|              from the first tile's begin to the last one's end; what overlaps
//           Exchange      |===|                   the one before it goes to "Compute 2"
//           Tile 7     |=|    |====|              of chosen tiles: its own cycles, with arrows from what sends in an
//                                                 exchange to what the receiver does next
//   Memory  live bytes _/--\__                    by storage category, when they change
//   Host    thread 12  |setUp|                    spans of a PVTI file
//           CPU Usage  _/--\__                    of samples (popscope.sampleHost), and Memory Usage, Disk Usage
//
// One cycle is one nanosecond, or what it takes by the target's clock.
#pragma once
#include "report/answers/Selection.hpp"

namespace popscope {

struct TimelineOptions {
  Selection selection;               // runs, steps, tiles ("" = no tile has a lane of its own)
  std::uint64_t maxEvents = 1000000; // 0 = no limit
  bool byClock = false;              // real time by the target's clock; else 1 cycle = 1 ns
  std::string pvti;                  // a file of host spans to put beside the device; implies byClock
};

/// A value beside a slice.
struct SliceArgument {
  SliceArgument(const char *name, std::uint64_t value) : key(name), number(value) {}
  SliceArgument(const char *name, std::string value) : key(name), text(std::move(value)), isText(true) {}
  const char *key;
  std::uint64_t number = 0;
  std::string text;
  bool isText = false;
};
struct Slice {
  std::uint32_t lane = 0;
  std::uint64_t start = 0, end = 0; // ns
  std::string name;
  const char *category = "";
  std::vector<SliceArgument> arguments;
  std::vector<std::uint64_t> flowsOut{}, flowsIn{}; // arrows that begin and end here
};
struct CounterValue {
  std::string key;
  std::uint64_t value = 0;
};

/// Slices of one lane come in the order of their start and nest. Lanes and processes are told before they are used.
class TimelineSink {
public:
  virtual ~TimelineSink();
  virtual void process(std::uint32_t process, const std::string &name) = 0;
  virtual void lane(std::uint32_t process, std::uint32_t lane, const std::string &name) = 0;
  /// A slice whose end is not known yet; `end` of it counts for nothing.
  virtual void begin(const Slice &slice) = 0;
  virtual void end(std::uint32_t lane, std::uint64_t at) = 0;
  virtual void slice(const Slice &slice) = 0;
  /// Those whose value changed; `unit`: "bytes", "tiles" or "percent".
  virtual void counter(std::uint32_t process, const std::string &name, const char *unit, std::uint64_t at,
                       const std::vector<CounterValue> &values) = 0;
};

struct TimelineResult {
  std::uint64_t events = 0;
  bool cut = false;                    // maxEvents ended it
  std::size_t cutRun = 0, cutStep = 0; // there: of the run, position in it
  std::uint64_t stepsWithoutTime = 0;  // left out: when they ran was not recorded
  std::uint64_t exchangesByGroups = 0; // executed with lanes of tiles, without arrows between them: the file has groups
};

/// Throws AnswerError for a profile without recorded runs, or a wrong selection.
TimelineResult writeTimeline(const pva::Report &report, const TimelineOptions &options, TimelineSink &sink);
/// Events that writeTimeline would write, roughly and without reading all steps.
[[nodiscard]] std::uint64_t estimateTimelineEvents(const pva::Report &report, const TimelineOptions &options);

/// What the trace as a whole is, for its metadata: a text, a number, or nothing.
struct TraceFact {
  const char *key;
  std::string text;
  std::optional<std::uint64_t> number; // instead of the text
};
/// The same in every format of traces. A text that is empty is not known, or there is none.
[[nodiscard]] std::vector<TraceFact> traceFacts(const pva::Report &report, const TimelineOptions &options,
                                                const TimelineResult &result);

} // namespace popscope
