// Reads .pvti files: one record per line, see docs/TRACES.md, "Traces of the host".
#include <pva/Trace.hpp>

#include "base/JsonText.hpp"
#include "report/pop/PopFile.hpp"
#include "report/pva/Model.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <map>

namespace pva {
namespace detail {

struct TraceData {
  struct EventRow {
    std::string label;
    std::size_t channel = 0;
    std::uint64_t timestamp = 0, duration = 0;
    bool closed = false;
    std::vector<std::size_t> children;
  };
  struct ThreadRow {
    std::uint64_t tid = 0, last = 0;
    std::vector<std::size_t> events, open; // `open` is used while reading only
  };
  struct ProcessRow {
    std::uint64_t pid = 0;
    std::vector<std::size_t> threads;
  };
  std::vector<ProcessRow> processes;
  std::vector<ThreadRow> threads;
  std::vector<EventRow> events;
  std::vector<std::string> channels;
};

namespace {

constexpr const char *kFirst = "popscope_pvti"; // name of the first record
constexpr int kVersion = 1;
constexpr std::size_t kLongestLine = 1u << 20;
constexpr int kDeepest = 16;                 // nesting of JSON in a record
constexpr std::size_t kDeepestEvents = 4000; // readers of a trace recurse over nested events

using Json = nlohmann::json;

class TraceReader {
public:
  explicit TraceReader(const std::string &path) : path_(path) {}

  TraceData read() {
    std::ifstream file(path_, std::ios::binary);
    if (!file)
      throw popscope::ProfileError(path_ + ": cannot be read: no such file, or no permission");
    std::string line;
    while (nextLine(file, line))
      readLine(line);
    if (file.bad())
      throw popscope::ProfileError(path_ + ": cannot be read; give a trace (.pvti), not a folder");
    if (number_ == 0)
      fail(line.empty() ? "this is no trace: the file is empty" : "this is no trace: the file has no whole line");
    for (TraceData::ThreadRow &thread : data_.threads)
      for (const std::size_t event : thread.open)
        data_.events[event].duration = thread.last - data_.events[event].timestamp;
    return std::move(data_);
  }

private:
  [[noreturn]] void fail(const std::string &what) const {
    throw popscope::ProfileError(fmt::format("{}: line {}: {}", path_, std::max<std::size_t>(1, number_), what));
  }
  [[noreturn]] void corrupt(const std::string &what) const { fail("the trace is corrupt: " + what); }

  /// Reads a whole line, without its end. A truncated last line of a stopped program does not count.
  bool nextLine(std::istream &in, std::string &line) {
    line.clear();
    for (int c = in.get(); c != std::char_traits<char>::eof(); c = in.get()) {
      if (c == '\n') {
        ++number_;
        return true;
      }
      line.push_back(static_cast<char>(c));
      if (line.size() > kLongestLine) {
        ++number_;
        corrupt(fmt::format("a record is longer than {} bytes", kLongestLine));
      }
    }
    return false;
  }

  void readLine(std::string_view body) {
    const auto trim = [&](std::string_view characters) {
      while (!body.empty() && characters.find(body.back()) != std::string_view::npos)
        body.remove_suffix(1);
    };
    trim(" \r\t");
    if (number_ == 1)
      body = body.starts_with('[') ? body.substr(1) : "";
    else if (body.empty() || body == "]")
      return;
    trim(",");
    const Json record = popscope::jsonOf(body, kDeepest);
    if (number_ == 1)
      return readFirst(record);
    if (!record.is_object())
      corrupt("no record");
    readRecord(record);
  }
  void readFirst(const Json &record) const {
    if (!record.is_object() || textOf(record, "name") != kFirst)
      fail("this is no trace of libpvti (of Popscope)");
    const auto arguments = record.find("args");
    const Json none, &version = arguments != record.end() && arguments->is_object() && arguments->contains("version")
                                    ? arguments->at("version")
                                    : none;
    // The message shows the version in ASCII, because the version is text of a file and goes to a terminal.
    if (!version.is_number_integer() || version != kVersion)
      fail(fmt::format("the trace has format {}, this library reads {}",
                       version.dump(-1, ' ', true, Json::error_handler_t::replace), kVersion));
  }
  static std::optional<std::string> textOf(const Json &record, const char *key) {
    const auto found = record.find(key);
    return found != record.end() && found->is_string() ? std::optional(found->get<std::string>()) : std::nullopt;
  }
  std::uint64_t numberOf(const Json &record, const char *key) const {
    const auto found = record.find(key);
    if (found == record.end() || !found->is_number_unsigned())
      corrupt("process, thread and time must be numbers");
    return found->get<std::uint64_t>();
  }

  void readRecord(const Json &record) {
    const std::string phase = textOf(record, "ph").value_or("");
    if (phase != "B" && phase != "E" && phase != "i")
      return; // written by a later version or another tool
    const std::uint64_t pid = numberOf(record, "pid"), tid = numberOf(record, "tid"), time = numberOf(record, "ts");
    TraceData::ThreadRow &thread = threadOf(pid, tid);
    if (time < thread.last)
      corrupt(fmt::format("time runs back on thread {}", tid));
    thread.last = time;
    if (phase == "E")
      return endEvent(thread);
    const auto label = textOf(record, "name"), channel = textOf(record, "cat");
    if (!label || !channel)
      corrupt("an event has no label or no channel");
    const std::size_t event = data_.events.size();
    auto &siblings = thread.open.empty() ? thread.events : data_.events[thread.open.back()].children;
    siblings.push_back(event);
    data_.events.push_back({*label, channelOf(*channel), time, 0, phase == "i", {}});
    if (phase == "B")
      thread.open.push_back(event);
    if (thread.open.size() > kDeepestEvents)
      corrupt(fmt::format("events are nested more than {} deep", kDeepestEvents));
  }
  void endEvent(TraceData::ThreadRow &thread) {
    if (thread.open.empty())
      corrupt("an event ends that did not begin");
    TraceData::EventRow &event = data_.events[thread.open.back()];
    thread.open.pop_back();
    event.duration = thread.last - event.timestamp;
    event.closed = true;
  }
  TraceData::ThreadRow &threadOf(std::uint64_t pid, std::uint64_t tid) {
    const auto [process, newProcess] = processes_.emplace(pid, data_.processes.size());
    if (newProcess)
      data_.processes.push_back({pid, {}});
    const auto [thread, newThread] = threads_.emplace(std::pair(pid, tid), data_.threads.size());
    if (newThread) {
      data_.processes[process->second].threads.push_back(thread->second);
      data_.threads.push_back({tid, 0, {}, {}});
    }
    return data_.threads[thread->second];
  }
  std::size_t channelOf(const std::string &name) {
    const auto [channel, isNew] = channels_.emplace(name, data_.channels.size());
    if (isNew)
      data_.channels.push_back(name);
    return channel->second;
  }

  std::string path_;
  std::size_t number_ = 0;
  TraceData data_;
  std::map<std::uint64_t, std::size_t> processes_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::size_t> threads_;
  std::map<std::string, std::size_t> channels_;
};

template <class T>
List<T> partsOf(const std::shared_ptr<const TraceData> &data, const std::vector<std::size_t> &indices) {
  return makeList<T>(indices.size(),
                     [data, &indices](std::size_t i) { return T(data, indices[i]); }); // `data` keeps the indices alive
}

} // namespace
} // namespace detail

std::string Event::label() const { return data_->events.at(index_).label; }
std::string Event::channel() const { return data_->channels.at(data_->events.at(index_).channel); }
std::uint64_t Event::timestamp() const { return data_->events.at(index_).timestamp; }
std::uint64_t Event::duration() const { return data_->events.at(index_).duration; }
bool Event::isClosed() const { return data_->events.at(index_).closed; }
List<Event> Event::children() const { return detail::partsOf<Event>(data_, data_->events.at(index_).children); }

std::uint64_t Thread::tid() const { return data_->threads.at(index_).tid; }
List<Event> Thread::events() const { return detail::partsOf<Event>(data_, data_->threads.at(index_).events); }

std::uint64_t Process::pid() const { return data_->processes.at(index_).pid; }
List<Thread> Process::threads() const { return detail::partsOf<Thread>(data_, data_->processes.at(index_).threads); }
Thread Process::thread(std::uint64_t tid) const {
  for (const std::size_t t : data_->processes.at(index_).threads)
    if (data_->threads[t].tid == tid)
      return Thread(data_, t);
  throw std::out_of_range(fmt::format("pva: process {} has no thread {}", pid(), tid));
}

List<Process> Trace::processes() const {
  return detail::makeList<Process>(data_ ? data_->processes.size() : 0,
                                   [data = data_](std::size_t i) { return Process(data, i); });
}
Process Trace::process(std::uint64_t pid) const {
  for (std::size_t p = 0; data_ && p < data_->processes.size(); ++p)
    if (data_->processes[p].pid == pid)
      return Process(data_, p);
  throw std::out_of_range(fmt::format("pva: the trace has no process {}", pid));
}

Trace openTrace(const std::string &path) {
  return Trace(std::make_shared<const detail::TraceData>(detail::TraceReader(path).read()));
}

} // namespace pva
