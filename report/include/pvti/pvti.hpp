// Traces the program on the host. The interface is the part of libpvti (PopVision tools) that public programs use. The
// library writes a trace only if the environment variable PVTI_OPTIONS, or a session of Popscope, requests it:
//
//   PVTI_OPTIONS='{"enable": "true", "directory": "reports"}'
//
// With this setting, each process that records an event writes one file with the suffix .pvti. The name of the file
// contains the time and the process id. pva::openTrace and viewers of Chrome's trace format can read the file. Programs
// link libpvti. All functions are thread-safe.
#ifndef PVTI_PVTI_HPP
#define PVTI_PVTI_HPP

#include <cstddef>
#include <string>

namespace pvti {

/// A source of events, identified by its name. A channel must outlive the tracepoints that use the channel.
///
/// A channel owns no memory. So several shared libraries may define the same global channel, although this channel is
/// then constructed and destroyed once per library.
class TraceChannel {
public:
  TraceChannel(const std::string &name) : name_(keep(name)) {}
  TraceChannel(const char *name) : name_(keep(name)) {}
  const std::string &name() const { return *name_; }

private:
  /// Returns the process's own copy of a name. The copy lives until the process ends.
  static const std::string *keep(const std::string &name);
  const std::string *name_;
};

/// The data of an event in addition to its label, as JSON text.
class Metadata {
public:
  Metadata() {}
  explicit Metadata(const std::string &json) : json_(json) {}
  const std::string &json() const { return json_; }

private:
  std::string json_;
};

/// Makes metadata from JSON text. In the trace, text that is not JSON becomes a string.
inline Metadata createJsonMetadata(const std::string &json) { return Metadata(json); }

/// An event of the calling thread that lasts as long as the object.
class Tracepoint {
public:
  Tracepoint(TraceChannel *channel, const std::string &label);
  Tracepoint(TraceChannel *channel, const char *label);
  /// Begins an event. `label` has `length` characters. `metadata` may be null, and is not used after the constructor.
  Tracepoint(TraceChannel *channel, const char *label, std::size_t length, Metadata *metadata = nullptr);
  ~Tracepoint();
  Tracepoint(const Tracepoint &) = delete;
  Tracepoint &operator=(const Tracepoint &) = delete;

  /// begin() begins an event without an object. end() ends the thread's latest open event, and ignores `channel` and
  /// `label`.
  static void begin(TraceChannel *channel, const std::string &label);
  static void end(TraceChannel *channel, const std::string &label);
  /// Records an event without a duration.
  static void event(TraceChannel *channel, const std::string &label);
};

} // namespace pvti
#endif
