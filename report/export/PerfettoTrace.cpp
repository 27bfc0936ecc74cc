#include "report/export/PerfettoTrace.hpp"

#include "report/export/Text.hpp"

#include <map>
#include <ostream>
#include <unordered_map>

namespace popscope {
namespace {

/// A protocol buffer in its file format: keys (field << 3 | wire type), each with a varint, eight bytes, or a length
/// and bytes.
class Message {
public:
  Message &number(std::uint32_t field, std::uint64_t value) {
    varint(field << 3U);
    varint(value);
    return *this;
  }
  Message &fixed64(std::uint32_t field, std::uint64_t value) {
    varint(field << 3U | 1U);
    for (unsigned shift = 0; shift < 64; shift += 8)
      bytes_ += static_cast<char>(value >> shift & 0xFFU);
    return *this;
  }
  Message &text(std::uint32_t field, std::string_view value) {
    varint(field << 3U | 2U);
    varint(value.size());
    bytes_.append(value);
    return *this;
  }
  Message &message(std::uint32_t field, const Message &value) { return text(field, value.bytes_); }
  [[nodiscard]] const std::string &bytes() const { return bytes_; }
  [[nodiscard]] bool empty() const { return bytes_.empty(); }

private:
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U)
      bytes_ += static_cast<char>(value | 0x80U);
    bytes_ += static_cast<char>(value);
  }
  std::string bytes_;
};

// Field numbers of perfetto.protos: TracePacket.
enum Packet : std::uint32_t {
  kMetadataBundle = 5,
  kTimestamp = 8,
  kSequence = 10,
  kTrackEvent = 11,
  kInterned = 12,
  kFlags = 13,
  kDescriptor = 60,
  kFirstOfSequence = 87
};
// Field numbers of ChromeEventBundle and ChromeMetadata, which trace_processor shows as metadata.
enum Metadata : std::uint32_t { kEntry = 2, kEntryName = 1, kEntryText = 2, kEntryNumber = 4 };
enum Flags : std::uint32_t { kCleared = 1, kNeedsState = 2 };
// Field numbers of TrackDescriptor, ProcessDescriptor, ThreadDescriptor and CounterDescriptor.
enum Track : std::uint32_t {
  kUuid = 1,
  kTrackName = 2,
  kProcess = 3,
  kThread = 4,
  kParent = 5,
  kCounter = 8,
  kOrdering = 11,
  kRank = 12
};
enum Process : std::uint32_t { kPid = 1, kProcessName = 6 };
enum Counter : std::uint32_t { kUnit = 3, kUnitName = 6, kShareAxis = 7, kBytes = 3 };
// Field numbers of TrackEvent, DebugAnnotation and InternedData.
enum Event : std::uint32_t {
  kAnnotation = 4,
  kCategoryIid = 3,
  kType = 9,
  kNameIid = 10,
  kTrackUuid = 11,
  kCounterValue = 30,
  kFlow = 47,
  kTerminatingFlow = 48
};
enum EventType : std::uint32_t { kBegin = 1, kEnd = 2, kCounterType = 4 };
enum Annotation : std::uint32_t { kAnnotationIid = 1, kUint = 3, kString = 6 };
enum Interned : std::uint32_t { kCategories = 1, kNames = 2, kAnnotationNames = 3 };

constexpr std::uint32_t kOurSequence = 1, kExplicitOrder = 3;

class PerfettoSink : public TimelineSink {
public:
  explicit PerfettoSink(std::ostream &out) : out_(out) {}

  void metadata(const std::vector<TraceFact> &facts) {
    Message bundle;
    for (const TraceFact &fact : facts) {
      Message entry;
      entry.text(kEntryName, fact.key);
      if (fact.number)
        entry.number(kEntryNumber, *fact.number);
      else if (!fact.text.empty())
        entry.text(kEntryText, plainText(fact.text));
      else
        continue;
      bundle.message(kEntry, entry);
    }
    packetOf(Message().number(kSequence, kOurSequence).message(kMetadataBundle, bundle));
  }

  void process(std::uint32_t process, const std::string &name) override {
    Message track;
    track.number(kUuid, process)
        .message(kProcess, Message().number(kPid, process).text(kProcessName, plainText(name)))
        .number(kOrdering, kExplicitOrder);
    describe(track);
  }
  void lane(std::uint32_t process, std::uint32_t lane, const std::string &name) override {
    Message track; // a track of its own in the process, without an artificial thread
    track.number(kUuid, lane).number(kParent, process).text(kTrackName, plainText(name)).number(kRank, lane % 2000000);
    describe(track);
  }
  void begin(const Slice &slice) override {
    Message fresh, event = beginOf(slice, fresh);
    packet(slice.start, event, fresh);
  }
  void end(std::uint32_t lane, std::uint64_t at) override {
    packet(at, Message().number(kType, kEnd).number(kTrackUuid, lane), {});
  }
  void slice(const Slice &slice) override {
    Message fresh, event = beginOf(slice, fresh);
    for (const std::uint64_t id : slice.flowsOut)
      event.fixed64(kFlow, id);
    for (const std::uint64_t id : slice.flowsIn)
      event.fixed64(kTerminatingFlow, id);
    packet(slice.start, event, fresh);
    end(slice.lane, slice.end);
  }
  void counter(std::uint32_t process, const std::string &name, const char *unit, std::uint64_t at,
               const std::vector<CounterValue> &values) override {
    for (const CounterValue &value : values) {
      const std::uint64_t track = counterTrack(process, value.key == unit ? name : name + ": " + value.key, unit);
      packet(at, Message().number(kType, kCounterType).number(kTrackUuid, track).number(kCounterValue, value.value),
             {});
    }
  }

private:
  struct Names {
    std::unordered_map<std::string, std::uint64_t> ids;
    std::uint32_t field;
  };

  /// Returns the number of a name. The first time, adds the text of the name to `fresh`.
  static std::uint64_t idOf(Names &names, const std::string &text, Message &fresh) {
    const auto [at, isNew] = names.ids.emplace(text, names.ids.size() + 1);
    if (isNew)
      fresh.message(names.field, Message().number(1, at->second).text(2, plainText(text)));
    return at->second;
  }
  Message beginOf(const Slice &slice, Message &fresh) {
    Message event;
    event.number(kType, kBegin)
        .number(kTrackUuid, slice.lane)
        .number(kNameIid, idOf(names_, slice.name, fresh))
        .number(kCategoryIid, idOf(categories_, slice.category, fresh));
    for (const SliceArgument &argument : slice.arguments) {
      Message annotation;
      annotation.number(kAnnotationIid, idOf(annotations_, argument.key, fresh));
      argument.isText ? annotation.text(kString, plainText(argument.text)) : annotation.number(kUint, argument.number);
      event.message(kAnnotation, annotation);
    }
    return event;
  }
  std::uint64_t counterTrack(std::uint32_t process, const std::string &name, const char *unit) {
    const auto [at, isNew] = counters_.emplace(std::pair(process, name), (std::uint64_t(1) << 33U) + counters_.size());
    if (isNew) {
      const bool bytes = std::string_view(unit) == "bytes";
      Message counter;
      bytes ? counter.number(kUnit, kBytes).text(kShareAxis, "bytes") : counter.text(kUnitName, unit);
      describe(Message()
                   .number(kUuid, at->second)
                   .number(kParent, process)
                   .text(kTrackName, plainText(name))
                   .message(kCounter, counter));
    }
    return at->second;
  }
  void describe(const Message &track) { packetOf(Message().message(kDescriptor, track)); }
  void packet(std::uint64_t at, const Message &event, const Message &fresh) {
    Message packet;
    packet.number(kTimestamp, at).number(kSequence, kOurSequence).message(kTrackEvent, event);
    if (!fresh.empty())
      packet.message(kInterned, fresh);
    packet.number(kFlags, begun_ ? kNeedsState : kCleared | kNeedsState);
    if (!begun_)
      packet.number(kFirstOfSequence, 1);
    begun_ = true;
    packetOf(packet);
  }
  void packetOf(const Message &packet) { out_ << Message().message(1, packet).bytes(); } // Trace.packet

  std::ostream &out_;
  bool begun_ = false;
  Names names_{{}, kNames}, categories_{{}, kCategories}, annotations_{{}, kAnnotationNames};
  std::map<std::pair<std::uint32_t, std::string>, std::uint64_t> counters_;
};

} // namespace

TimelineResult writePerfettoTrace(std::ostream &out, const pva::Report &report, const TimelineOptions &options) {
  PerfettoSink sink(out);
  const TimelineResult result = writeTimeline(report, options, sink);
  sink.metadata(traceFacts(report, options, result));
  return result;
}

} // namespace popscope
