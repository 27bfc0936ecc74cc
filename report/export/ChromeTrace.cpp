#include "report/export/ChromeTrace.hpp"

#include "report/export/Text.hpp"

#include <fmt/format.h>
#include <map>
#include <ostream>

namespace popscope {
namespace {

class ChromeSink : public TimelineSink {
public:
  explicit ChromeSink(std::ostream &out) : out_(out) {}

  void process(std::uint32_t process, const std::string &name) override {
    meta("process_name", process, 0, "\"name\":" + jsonString(name));
    meta("process_sort_index", process, 0, fmt::format("\"sort_index\":{}", process));
  }
  void lane(std::uint32_t process, std::uint32_t lane, const std::string &name) override {
    processes_[lane] = process;
    meta("thread_name", process, lane, "\"name\":" + jsonString(name));
    meta("thread_sort_index", process, lane, fmt::format("\"sort_index\":{}", lane));
  }
  void begin(const Slice &slice) override {
    closeUntil(slice.lane, slice.start);
    event("B", slice.lane, slice.start, "", slice);
    open_[slice.lane].push_back({slice.name, kNoEnd});
  }
  void end(std::uint32_t lane, std::uint64_t at) override {
    closeUntil(lane, at);
    close(lane, at);
  }
  // Writes a begin event and an end event, each with its time. An "X" event would have a start and a length; readers
  // add the two as floating-point microseconds, and rounding then makes consecutive slices overlap. The arguments let
  // speedscope match an end to a begin of the same time.
  void slice(const Slice &slice) override {
    closeUntil(slice.lane, slice.start);
    event("B", slice.lane, slice.start, "", slice);
    if (slice.end == slice.start)
      event("E", slice.lane, slice.start, "", slice);
    else
      open_[slice.lane].push_back({slice.name, slice.end});
    for (const std::uint64_t id : slice.flowsIn)
      if (const auto from = arrows_.find(id); from != arrows_.end()) {
        arrow("s", "", from->second.lane, from->second.start, id);
        arrow("f", R"("bp":"e",)", slice.lane, slice.start, id);
        arrows_.erase(from);
      }
    for (const std::uint64_t id : slice.flowsOut)
      arrows_[id] = {slice.lane, slice.start};
  }
  void counter(std::uint32_t process, const std::string &name, const char *unit, std::uint64_t at,
               const std::vector<CounterValue> &values) override {
    std::string args;
    for (const CounterValue &value : values)
      args += fmt::format("{}{}:{}", args.empty() ? "" : ",",
                          jsonString(value.key == unit ? value.key : value.key + " (" + unit + ")"), value.value);
    write(fmt::format(R"({{"ph":"C","pid":{},"tid":{},"ts":{},"name":{},"args":{{{}}}}})", process, process, time(at),
                      jsonString(name), args));
  }

  /// Ends the open slices.
  void finish() {
    for (const auto &entry : open_)
      closeUntil(entry.first, kNoEnd - 1);
  }

private:
  static constexpr std::uint64_t kNoEnd = ~std::uint64_t(0);
  struct Open {
    std::string name;
    std::uint64_t end; // kNoEnd: not known yet
  };
  /// Ends the slices of the lane that do not extend beyond `at`.
  void closeUntil(std::uint32_t lane, std::uint64_t at) {
    std::vector<Open> &open = open_[lane];
    while (!open.empty() && open.back().end <= at)
      close(lane, open.back().end);
  }
  // The name is included, because some readers only end the slice with this name.
  void close(std::uint32_t lane, std::uint64_t at) {
    std::vector<Open> &open = open_.at(lane);
    write(fmt::format(R"({{"ph":"E","pid":{},"tid":{},"ts":{},"name":{}}})", processes_.at(lane), lane, time(at),
                      jsonString(open.back().name)));
    open.pop_back();
  }
  struct Start {
    std::uint32_t lane = 0;
    std::uint64_t start = 0;
  };

  static std::string time(std::uint64_t ns) { return fmt::format("{}.{:03}", ns / 1000, ns % 1000); }
  void write(const std::string &event) {
    out_ << (first_ ? "\n" : ",\n") << event;
    first_ = false;
  }
  void meta(const char *name, std::uint32_t process, std::uint32_t lane, const std::string &args) {
    write(fmt::format(R"({{"ph":"M","pid":{},"tid":{},"name":"{}","args":{{{}}}}})", process,
                      lane == 0 ? process : lane, name, args));
  }
  void event(const char *phase, std::uint32_t lane, std::uint64_t start, const std::string &more, const Slice &slice) {
    std::string args;
    for (const SliceArgument &argument : slice.arguments) {
      args += fmt::format("{}\"{}\":{}", args.empty() ? "" : ",", argument.key,
                          argument.isText ? jsonString(argument.text) : std::to_string(argument.number));
    }
    write(fmt::format(R"({{"ph":"{}","pid":{},"tid":{},"ts":{},{}"name":{},"cat":"{}","args":{{{}}}}})", phase,
                      processes_.at(lane), lane, time(start), more, jsonString(slice.name), slice.category, args));
  }
  void arrow(const char *phase, const char *more, std::uint32_t lane, std::uint64_t at, std::uint64_t id) {
    write(fmt::format(R"({{"ph":"{}","pid":{},"tid":{},"ts":{},{}"name":"data","cat":"data","id":{}}})", phase,
                      processes_.at(lane), lane, time(at), more, id));
  }

  std::ostream &out_;
  bool first_ = true;
  std::map<std::uint32_t, std::uint32_t> processes_; // by lane
  std::map<std::uint32_t, std::vector<Open>> open_;  // by lane, the innermost slice last
  std::map<std::uint64_t, Start> arrows_;            // arrows that have not ended
};

} // namespace

TimelineResult writeChromeTrace(std::ostream &out, const pva::Report &report, const TimelineOptions &options) {
  out << R"({"displayTimeUnit":"ns","traceEvents":[)";
  ChromeSink sink(out);
  const TimelineResult result = writeTimeline(report, options, sink);
  sink.finish();
  out << "\n],\"metadata\":{";
  const char *separator = "";
  for (const TraceFact &fact : traceFacts(report, options, result)) {
    out << separator << '"' << fact.key << "\":"
        << (fact.number         ? std::to_string(*fact.number)
            : fact.text.empty() ? std::string("null")
                                : jsonString(fact.text));
    separator = ",";
  }
  out << "}}\n";
  return result;
}

} // namespace popscope
