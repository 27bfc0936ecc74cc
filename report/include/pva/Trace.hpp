// Reads traces of programs on the host (PVTI files). Programs write these files with <pvti/pvti.hpp> or with the Python
// package libpvti. Timestamps are microseconds since 1970 on the host's clock; durations are in microseconds.
// <pva/pva.hpp> includes this header.
#ifndef PVA_TRACE_HPP
#define PVA_TRACE_HPP

#include <pva/List.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace pva {
namespace detail {
struct TraceData;
}

/// An event with a start and an end on one thread.
class Event {
public:
  Event() : index_(0) {}
  Event(std::shared_ptr<const detail::TraceData> data, std::size_t index) : data_(data), index_(index) {}
  std::string label() const;
  /// Returns the name of the event's channel.
  std::string channel() const;
  /// Returns the start of the event.
  std::uint64_t timestamp() const;
  /// Returns the duration of the event, or 0 for an instant.
  std::uint64_t duration() const;
  /// Extension: returns false if the trace does not contain the end of the event. duration() then counts until the last
  /// record of the event's thread.
  bool isClosed() const;
  /// Returns the events directly within this event.
  List<Event> children() const;

private:
  std::shared_ptr<const detail::TraceData> data_;
  std::size_t index_;
};

class Thread {
public:
  Thread() : index_(0) {}
  Thread(std::shared_ptr<const detail::TraceData> data, std::size_t index) : data_(data), index_(index) {}
  std::uint64_t tid() const;
  /// Returns the events that are not within another event.
  List<Event> events() const;

private:
  std::shared_ptr<const detail::TraceData> data_;
  std::size_t index_;
};

class Process {
public:
  Process() : index_(0) {}
  Process(std::shared_ptr<const detail::TraceData> data, std::size_t index) : data_(data), index_(index) {}
  std::uint64_t pid() const;
  /// Returns the threads in the order of their first records.
  List<Thread> threads() const;
  /// Returns the thread with this number. Throws std::out_of_range if the process has no such thread.
  Thread thread(std::uint64_t tid) const;

private:
  std::shared_ptr<const detail::TraceData> data_;
  std::size_t index_;
};

class Trace {
public:
  Trace() {}
  explicit Trace(std::shared_ptr<const detail::TraceData> data) : data_(data) {}
  /// Returns the processes in the order of their first records.
  List<Process> processes() const;
  /// Returns the process with this number. Throws std::out_of_range if the trace has no such process.
  Process process(std::uint64_t pid) const;

private:
  std::shared_ptr<const detail::TraceData> data_;
};

/// Reads a whole .pvti file. If the program was stopped while it wrote the file, reads the complete records. Throws
/// std::runtime_error (popscope::ProfileError), with one line that names the path, if the file cannot be read or is
/// corrupt.
Trace openTrace(const std::string &path);

} // namespace pva
#endif
