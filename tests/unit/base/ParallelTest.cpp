#include "base/Parallel.hpp"
#include "base/Interrupt.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <sched.h>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace popscope;

namespace {

// Waits until `expected` threads are inside at the same time, or for half a minute.
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

// Returns the cores that this process may use.
std::vector<int> allowedCores() {
  cpu_set_t set;
  std::vector<int> cores;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    for (int core = 0; core < CPU_SETSIZE; ++core)
      if (CPU_ISSET(core, &set))
        cores.push_back(core);
  REQUIRE(!cores.empty());
  return cores;
}

} // namespace

TEST_SUITE("base.Parallel") {
  TEST_CASE("every index is visited exactly once, for any number of threads") {
    for (const unsigned threads : {1U, 2U, 3U, 16U}) {
      CHECK(Threads{threads}.count() == threads);
      for (const std::size_t grain : {std::size_t(0), std::size_t(1), std::size_t(7), std::size_t(5000)}) {
        std::vector<std::atomic<int>> visits(1000);
        parallelFor(
            {threads}, visits.size(), [&](std::size_t i) { ++visits[i]; }, grain);
        for (const std::atomic<int> &count : visits)
          REQUIRE(count == 1);
      }
    }
  }
  TEST_CASE("no index means no call") {
    parallelRanges({}, 0, 1, [](std::size_t, std::size_t) { FAIL("called"); });
  }
  TEST_CASE("zero threads means as many as the process may use") {
    CHECK(Threads().count() == allowedCores().size());
    CHECK(Threads{1000000}.count() == Threads::kMost);
  }
  TEST_CASE("of several exceptions the one of the lowest index is reported") {
    for (const unsigned threads : {1U, 2U, 16U}) {
      std::string message;
      try {
        parallelFor({threads}, 64, [](std::size_t i) {
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
    MeetingPoint meeting(threads);
    parallelFor({threads}, threads, [&](std::size_t) { meeting.arrive(); });
    CHECK(meeting.met() == threads);
  }
  TEST_CASE("a process that may use one core of several gets its threads, without a warning") {
    const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
    const std::string command = "taskset -c " + std::to_string(allowedCores().front()) + " '" + self +
                                "' -tc='zero threads*,more threads than cores*' 2>&1";
    FILE *pipe = popen(command.c_str(), "r");
    REQUIRE(pipe != nullptr);
    std::string out;
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe))
      out += static_cast<char>(c);
    CHECK_MESSAGE(pclose(pipe) == 0, out);
    CHECK_MESSAGE(out.find("TBB Warning") == std::string::npos, out);
  }
  TEST_CASE("callers at the same time each have their own number of threads") {
    // One caller keeps to its own thread while other callers start and end parallel work.
    std::atomic<bool> stop = false;
    std::atomic<unsigned> strangers = 0;
    std::thread alone([&] {
      while (!stop)
        parallelFor({1}, 8, [&, me = std::this_thread::get_id()](std::size_t) {
          strangers += std::this_thread::get_id() != me;
        });
    });
    std::vector<std::thread> others;
    for (const unsigned threads : {2U, 3U, 5U})
      others.emplace_back([threads] {
        for (int i = 0; i < 200; ++i) {
          std::vector<int> visits(100, 0);
          parallelFor({threads}, visits.size(), [&](std::size_t v) { ++visits[v]; });
          if (std::count(visits.begin(), visits.end(), 1) != 100)
            throw std::logic_error("an index was missed");
        }
      });
    for (std::thread &other : others)
      other.join();
    const unsigned most = std::max(1U, std::thread::hardware_concurrency()) + 3;
    MeetingPoint meeting(most); // earlier callers did not reduce the number
    parallelFor({most}, most, [&](std::size_t) { meeting.arrive(); });
    stop = true;
    alone.join();
    CHECK(strangers == 0);
    CHECK(meeting.met() == most);
  }

  TEST_CASE("an interrupt ends work between two parallel loops, on its own thread alone") {
    unsigned checks = 0;
    const auto work = [] {
      for (int i = 0; i < 60; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        parallelFor(Threads{2}, 100, [](std::size_t) {});
      }
    };
    {
      const Interruptible outer([&] {
        if (++checks == 1)
          throw std::runtime_error("stop");
      });
      CHECK_THROWS_WITH(work(), "stop");
      CHECK(checks == 1);
      std::thread other([&] { CHECK_NOTHROW(work()); });
      other.join();
      unsigned watched = 0;
      const Interruptible inner([&] { ++watched; });
      CHECK_NOTHROW(work());
      CHECK(checks > 1); // nested objects do not hide outer ones
      CHECK(watched > 0);
    }
    CHECK_NOTHROW(work());
  }
}
