// The writer of .pvti files: one line per record (docs/TRACES.md, "Traces of the host").
#include <pvti/pvti.hpp>

#include "base/EditDistance.hpp"
#include "base/Environment.hpp"
#include "base/FileSizeSignal.hpp"
#include "base/JsonEvents.hpp"
#include "base/TerminalText.hpp"
#include "base/WholeFile.hpp"
#include "report/pvti/HostTrace.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <mutex>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <vector>

namespace pvti {
namespace {

using Json = nlohmann::json;

// The settings from the environment. An invalid text is reported once and disables tracing, because instrumentation
// must not stop a program.
struct Options {
  bool enabled = false;
  std::string directory = ".";
  std::string name; // "" = made from the time and the process id
};

const std::vector<std::string> &knownKeys() {
  static const std::vector<std::string> keys = {"enable", "directory"};
  return keys;
}

/// Finds the first key that an object of a JSON text has twice.
class SecondKey : public popscope::IgnoredJsonEvents {
public:
  void key(const std::string &name, bool again) override {
    if (again && !name_)
      name_ = name;
  }
  [[noreturn]] void noJson(const popscope::JsonError &error) override { throw error; }
  [[nodiscard]] const std::optional<std::string> &name() const { return name_; }

private:
  std::optional<std::string> name_;
};

/// Returns the mistake in the settings, or "" if there is no mistake.
std::string problemOf(const std::string &text, const nlohmann::json &json) {
  if (!json.is_object())
    return "it is no JSON object; write e.g. {\"enable\":\"true\"}";
  SecondKey second;
  popscope::JsonPlace place;
  popscope::readJsonEvents(text, second, place);
  if (second.name())
    return fmt::format("\"{}\" is given twice; leave one of the two out", *second.name());
  for (const auto &entry : json.items())
    if (std::find(knownKeys().begin(), knownKeys().end(), entry.key()) == knownKeys().end())
      return fmt::format("unknown key \"{}\".{} There are: {}", entry.key(),
                         popscope::didYouMean(entry.key(), knownKeys()), fmt::join(knownKeys(), ", "));
  if (json.contains("directory") && !json["directory"].is_string())
    return fmt::format("\"directory\" is {}; give the name of a folder in quotes",
                       popscope::jsonText(json["directory"]));
  return "";
}

std::string textOf(const Json &value) {
  return value.is_string() ? value.get<std::string>() : popscope::jsonText(value);
}

Options readOptions() {
  Options options;
  const char *text = std::getenv("PVTI_OPTIONS");
  if (text == nullptr || *text == '\0')
    return options;
  const Json json = popscope::jsonOf(text);
  if (const std::string problem = problemOf(text, json); !problem.empty()) {
    popscope::printMessage("Popscope: error in PVTI_OPTIONS: " + problem + ". Nothing is traced.");
    return options;
  }
  if (json.contains("enable")) {
    const std::string enable = textOf(json["enable"]);
    options.enabled = enable == "true" || enable == "1";
    if (!options.enabled && enable != "false" && enable != "0")
      popscope::printMessage("Popscope: error in PVTI_OPTIONS: \"enable\" is \"" + enable +
                             "\"; give \"true\", \"1\", \"false\" or \"0\". Nothing is traced.");
  }
  if (json.contains("directory") && !textOf(json["directory"]).empty())
    options.directory = popscope::homePath(textOf(json["directory"]));
  return options;
}

// Returns microseconds since 1970 that never run back.
std::uint64_t now() {
  using namespace std::chrono;
  static const auto wall = system_clock::now();
  static const auto steady = steady_clock::now();
  return static_cast<std::uint64_t>(
      duration_cast<microseconds>(wall.time_since_epoch() + (steady_clock::now() - steady)).count());
}

/// Maximum number of bytes of a label. The reader (report/pva/Trace.cpp) accepts records of at most 1 MiB, and JSON needs
/// up to six bytes for a byte of the label.
constexpr std::size_t kLongestLabel = 100'000;

std::string fileName(long pid) {
  const std::time_t time = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&time, &utc);
  char text[64];
  const std::size_t length = std::strftime(text, sizeof text, "%a_%b_%d_%H:%M:%S_%Y_GMT", &utc);
  return std::string(text, length) + fmt::format("_{}.pvti", pid);
}

// Writes the file of this process. A forked child begins a file of its own.
class Writer {
public:
  [[nodiscard]] bool enabled() const { return enabled_; }
  void enable(const std::string &directory, const std::string &name) {
    const std::lock_guard guard(mutex_);
    const char *given = std::getenv("PVTI_OPTIONS");
    if (enabled_ || (given != nullptr && *given != '\0'))
      return;
    options_.directory = directory;
    options_.name = name;
    enabled_ = true;
  }
  [[nodiscard]] std::string path() {
    const std::lock_guard guard(mutex_);
    return file_ >= 0 && pid_ == getpid() ? path_.string() : "";
  }
  void write(const char *phase, const TraceChannel *channel, const std::string &label, const Metadata *metadata) {
    const std::lock_guard guard(mutex_);
    const popscope::FileSizeSignal quiet;
    if (pid_ != getpid())
      open();
    if (file_ < 0 || !balanced(*phase)) // why there is no file was reported before
      return;
    Json record = {{"ph", phase}, {"pid", pid_}, {"tid", syscall(SYS_gettid)}, {"ts", now()}};
    if (channel != nullptr) {
      record["cat"] = channel->name();
      record["name"] = label.size() <= kLongestLabel ? label : label.substr(0, kLongestLabel) + "...";
    }
    if (*phase == 'i')
      record["s"] = "t";
    if (metadata != nullptr && !metadata->json().empty()) {
      const Json parsed = popscope::jsonOf(metadata->json());
      record["args"] =
          parsed.is_object() ? parsed : Json{{"metadata", parsed.is_discarded() ? Json(metadata->json()) : parsed}};
    }
    put(popscope::jsonText(record) + ",\n"); // at once, so that a fork copies no buffered records
  }

private:
  /// Returns false for the end of an event that the parent process began before the fork.
  [[nodiscard]] bool balanced(char phase) const {
    struct Open {
      long pid = 0;
      std::size_t events = 0;
    };
    thread_local Open open;
    if (open.pid != pid_)
      open = {pid_, 0};
    if (phase == 'B')
      ++open.events;
    return phase != 'E' || (open.events > 0 && open.events-- > 0);
  }
  void put(std::string_view text) {
    while (file_ >= 0 && !text.empty()) {
      const ssize_t got = ::write(file_, text.data(), text.size());
      if (got >= 0)
        text.remove_prefix(static_cast<std::size_t>(got));
      else if (errno != EINTR)
        stop();
    }
  }
  /// Stops writing because the disk is full. The reader uses the complete records and ignores a truncated one.
  void stop() {
    popscope::printMessage(fmt::format("Popscope: the trace {} ends: {}. Nothing more is traced; the program goes on.",
                                       path_.string(), std::strerror(errno)));
    ::close(file_);
    file_ = -1;
  }
  void open() {
    pid_ = getpid();
    if (file_ >= 0)
      ::close(file_); // the parent's file
    file_ = -1;
    std::error_code error;
    std::filesystem::create_directories(options_.directory, error);
    try { // two processes with one id within a second would get one name
      path_ = std::filesystem::path(options_.directory) / (options_.name.empty() ? fileName(pid_) : options_.name);
      for (int other = 2; file_ < 0; ++other)
        try {
          file_ = popscope::openNew(path_);
        } catch (const std::system_error &e) {
          if (e.code() != std::errc::file_exists || other > 100)
            throw;
          path_ = std::filesystem::path(options_.directory) / fmt::format("{}_{}.pvti", path_.stem().string(), other);
        }
    } catch (const std::system_error &e) {
      popscope::printMessage(fmt::format("Popscope: the trace {} cannot be written: {}; check \"directory\" of "
                                         "PVTI_OPTIONS. Nothing is traced.",
                                         path_.string(), e.code().message()));
      return;
    }
    put("[" +
        popscope::jsonText(Json{{"ph", "M"}, {"name", "popscope_pvti"}, {"pid", pid_}, {"args", {{"version", 1}}}}) +
        ",\n");
  }

  Options options_ = readOptions();
  std::atomic<bool> enabled_ = options_.enabled;
  std::mutex mutex_;
  long pid_ = 0;
  std::filesystem::path path_;
  int file_ = -1;
};

// Lives until the end of the process, like the tracepoints of static objects.
Writer &writer() {
  static Writer instance;
  return instance;
}

void write(const char *phase, const TraceChannel *channel, const std::string &label,
           const Metadata *metadata = nullptr) {
  Writer &w = writer();
  if (w.enabled())
    w.write(phase, channel, label, metadata);
}

} // namespace

} // namespace pvti

namespace popscope {

void traceHost(const std::string &directory, const std::string &name) { pvti::writer().enable(directory, name); }
std::string hostTraceFile() { return pvti::writer().path(); }
std::uint64_t hostMicroseconds() { return pvti::now(); }

} // namespace popscope

namespace pvti {

const std::string *TraceChannel::keep(const std::string &name) {
  static std::mutex mutex;
  static std::set<std::string> names;
  const std::lock_guard<std::mutex> lock(mutex);
  return &*names.insert(name).first;
}

Tracepoint::Tracepoint(TraceChannel *channel, const std::string &label) { write("B", channel, label); }
Tracepoint::Tracepoint(TraceChannel *channel, const char *label) { write("B", channel, label); }
Tracepoint::Tracepoint(TraceChannel *channel, const char *label, std::size_t length, Metadata *metadata) {
  write("B", channel, std::string(label, length), metadata);
}
Tracepoint::~Tracepoint() { write("E", nullptr, std::string()); }

void Tracepoint::begin(TraceChannel *channel, const std::string &label) { write("B", channel, label); }
void Tracepoint::end(TraceChannel *, const std::string &) { write("E", nullptr, std::string()); }
void Tracepoint::event(TraceChannel *channel, const std::string &label) { write("i", channel, label); }

} // namespace pvti
