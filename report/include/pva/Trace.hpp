// Traces of what programs did on the host (PVTI): files that <pvti/pvti.hpp> or the Python package libpvti wrote.
// Included by <pva/pva.hpp>. Times in microseconds of the host's clock, since 1970.
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

/// Something with a begin and an end on one thread.
class Event {
public:
  Event() : index_(0) {}
  Event(std::shared_ptr<const detail::TraceData> data, std::size_t index) : data_(data), index_(index) {}
  std::string label() const;
  /// Name of the channel that it was traced on.
  std::string channel() const;
  /// When it began.
  std::uint64_t timestamp() const;
  /// 0 of an instant.
  std::uint64_t duration() const;
  /// Extension: false where the trace ends before it; it lasts until the thread's last record then.
  bool isClosed() const;
  /// Events within it.
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
  /// Those that lie within no other.
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
  /// In the order of their first records.
  List<Thread> threads() const;
  /// Throws std::out_of_range if the process has none of this number.
  Thread thread(std::uint64_t tid) const;

private:
  std::shared_ptr<const detail::TraceData> data_;
  std::size_t index_;
};

class Trace {
public:
  Trace() {}
  explicit Trace(std::shared_ptr<const detail::TraceData> data) : data_(data) {}
  /// In the order of their first records.
  List<Process> processes() const;
  /// Throws std::out_of_range if the trace has none of this number.
  Process process(std::uint64_t pid) const;

private:
  std::shared_ptr<const detail::TraceData> data_;
};

/// Reads a .pvti file, all of it. Throws std::runtime_error (popscope::ProfileError), of one line that names the path,
/// if it cannot be used. A file whose program was stopped while it wrote is read as far as it goes.
Trace openTrace(const std::string &path);

} // namespace pva
#endif
