#include "base/Parallel.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace popscope;

namespace {

struct WithThreads {
  explicit WithThreads(unsigned threads) { setParallelThreads(threads); }
  ~WithThreads() { setParallelThreads(0); }
  WithThreads(const WithThreads &) = delete;
  WithThreads &operator=(const WithThreads &) = delete;
};

// Ends when `expected` threads are inside at once, or after half a minute.
class MeetingPoint {
public:
  explicit MeetingPoint(unsigned expected) : expected_(expected) {}
  void arrive() {
    std::unique_lock<std::mutex> lock(mutex_);
    present_.insert(std::this_thread::get_id());
    if (present_.size() == expected_)
      all_.notify_all();
    else
      all_.wait_for(lock, std::chrono::seconds(30), [&] { return present_.size() >= expected_; });
  }
  std::size_t met() const { return present_.size(); }

private:
  const unsigned expected_;
  std::mutex mutex_;
  std::condition_variable all_;
  std::set<std::thread::id> present_;
};

} // namespace

TEST_SUITE("base.Parallel") {
  TEST_CASE("every index is visited exactly once, for any number of threads") {
    for (const unsigned threads : {1U, 2U, 3U, 16U}) {
      const WithThreads setting(threads);
      CHECK(parallelThreads() == threads);
      for (const std::size_t grain : {std::size_t(0), std::size_t(1), std::size_t(7), std::size_t(5000)}) {
        std::vector<std::atomic<int>> visits(1000);
        parallelFor(
            visits.size(), [&](std::size_t i) { ++visits[i]; }, grain);
        for (const std::atomic<int> &count : visits)
          REQUIRE(count == 1);
      }
    }
  }
  TEST_CASE("no index means no call") {
    parallelRanges(0, 1, [](std::size_t, std::size_t) { FAIL("called"); });
  }
  TEST_CASE("zero threads means as many as the machine has") {
    setParallelThreads(0);
    CHECK(parallelThreads() >= 1);
    CHECK(parallelThreads() == std::max(1U, std::thread::hardware_concurrency()));
  }
  TEST_CASE("of several exceptions the one of the lowest index is reported") {
    for (const unsigned threads : {1U, 2U, 16U}) {
      const WithThreads setting(threads);
      std::string message;
      try {
        parallelFor(64, [](std::size_t i) {
          if (i >= 20)
            throw std::runtime_error(std::to_string(i));
        });
      } catch (const std::runtime_error &error) {
        message = error.what();
      }
      CHECK(message == "20");
    }
  }
  TEST_CASE("more threads than cores are really there when asked for") {
    const unsigned threads = std::max(1U, std::thread::hardware_concurrency()) + 3;
    const WithThreads setting(threads);
    MeetingPoint meeting(threads);
    parallelFor(threads, [&](std::size_t) { meeting.arrive(); });
    CHECK(meeting.met() == threads);
  }
}
