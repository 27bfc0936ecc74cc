// The writer of .pvti files: a line a record, see docs/PROFILE.md, "Traces of the host".
#include <pvti/pvti.hpp>

#include "base/EditDistance.hpp"
#include "base/FileSizeSignal.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <vector>

namespace pvti {
namespace {

using Json = nlohmann::json;

// What the environment asks for. A text that cannot be used is said once and traces nothing: instrumentation must not
// stop a program.
struct Options {
  bool enabled = false;
  std::string directory = ".";
};

const std::vector<std::string> &knownKeys() {
  static const std::vector<std::string> keys = {"enable", "directory"};
  return keys;
}

/// What is wrong; "" = nothing.
std::string problemOf(const nlohmann::json &json) {
  if (!json.is_object())
    return "it is no JSON object; write e.g. {\"enable\":\"true\"}";
  for (const auto &entry : json.items())
    if (std::find(knownKeys().begin(), knownKeys().end(), entry.key()) == knownKeys().end())
      return fmt::format("unknown key \"{}\".{} There are: {}", entry.key(),
                         popscope::didYouMean(entry.key(), knownKeys()), fmt::join(knownKeys(), ", "));
  return "";
}

std::string textOf(const Json &value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

Options readOptions() {
  Options options;
  const char *text = std::getenv("PVTI_OPTIONS");
  if (text == nullptr || *text == '\0')
    return options;
  const Json json = Json::parse(text, nullptr, false);
  if (const std::string problem = problemOf(json); !problem.empty()) {
    std::fprintf(stderr, "Popscope: error in PVTI_OPTIONS: %s. Nothing is traced.\n", problem.c_str());
    return options;
  }
  if (json.contains("enable")) {
    const std::string enable = textOf(json["enable"]);
    options.enabled = enable == "true" || enable == "1";
    if (!options.enabled && enable != "false" && enable != "0")
      std::fprintf(
          stderr,
          "Popscope: error in PVTI_OPTIONS: \"enable\" is \"%s\"; give \"true\" or \"false\". Nothing is traced.\n",
          enable.c_str());
  }
  if (json.contains("directory") && !textOf(json["directory"]).empty())
    options.directory = textOf(json["directory"]);
  return options;
}

// Microseconds since 1970 that never run back.
std::uint64_t now() {
  using namespace std::chrono;
  static const auto wall = system_clock::now();
  static const auto steady = steady_clock::now();
  return static_cast<std::uint64_t>(
      duration_cast<microseconds>(wall.time_since_epoch() + (steady_clock::now() - steady)).count());
}

std::string fileName(long pid) {
  const std::time_t time = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&time, &utc);
  char text[64];
  const std::size_t length = std::strftime(text, sizeof text, "%a_%b_%d_%H:%M:%S_%Y_GMT", &utc);
  return std::string(text, length) + fmt::format("_{}.pvti", pid);
}

// The file of this process; a child that was forked begins its own.
class Writer {
public:
  [[nodiscard]] bool enabled() const { return options_.enabled; }
  void write(const char *phase, const TraceChannel *channel, const std::string &label, const Metadata *metadata) {
    const std::lock_guard guard(mutex_);
    const popscope::FileSizeSignal quiet;
    if (pid_ != getpid())
      open();
    if (!file_ || !balanced(*phase)) // why there is no file was said
      return;
    Json record = {{"ph", phase}, {"pid", pid_}, {"tid", syscall(SYS_gettid)}, {"ts", now()}};
    if (channel != nullptr) {
      record["cat"] = channel->name();
      record["name"] = label;
    }
    if (*phase == 'i')
      record["s"] = "t";
    if (metadata != nullptr && !metadata->json().empty()) {
      const Json parsed = Json::parse(metadata->json(), nullptr, false);
      record["args"] =
          parsed.is_object() ? parsed : Json{{"metadata", parsed.is_discarded() ? Json(metadata->json()) : parsed}};
    }
    file_ << record.dump(-1, ' ', false, Json::error_handler_t::replace) << ",\n"
          << std::flush; // a fork takes nothing along
    if (!file_)
      stop();
  }

private:
  /// An event that a fork's parent began does not end in the child's file.
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
  /// No room: the reader takes what there is, and leaves out a record that was cut.
  void stop() {
    const int error = errno;
    std::fprintf(stderr, "Popscope: the trace %s ends: %s. Nothing more is traced; the program goes on.\n",
                 path_.c_str(), std::strerror(error));
    file_ = std::ofstream(); // which tries once more, while the signal is held
    file_.setstate(std::ios::failbit);
  }
  void open() {
    pid_ = getpid();
    file_ = std::ofstream();
    std::error_code error;
    std::filesystem::create_directories(options_.directory, error);
    path_ = std::filesystem::path(options_.directory) / fileName(pid_);
    file_.open(path_, std::ios::app);
    if (!file_) {
      std::fprintf(
          stderr, "Popscope: the trace %s cannot be written; check \"directory\" of PVTI_OPTIONS. Nothing is traced.\n",
          path_.c_str());
      return;
    }
    file_ << "[" << Json{{"ph", "M"}, {"name", "popscope_pvti"}, {"pid", pid_}, {"args", {{"version", 1}}}}.dump()
          << ",\n"
          << std::flush;
    if (!file_)
      stop();
  }

  const Options options_ = readOptions();
  std::mutex mutex_;
  long pid_ = 0;
  std::filesystem::path path_;
  std::ofstream file_;
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
