// Compares steps that a separate thread writes with steps that are written immediately.
#include "report/pop/StepQueue.hpp"
#include "RandomRecords.hpp"
#include "base/Check.hpp"
#include "report/pop/PopDatabase.hpp"
#include "report/pop/PopFile.hpp"
#include "report/pop/PopReader.hpp"
#include "tests/TemporaryFolder.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

using namespace popscope;

namespace {

std::string bytesOf(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// How the test reports steps to the writer.
enum class Told { Alone, Again, AgainBeside, Beside, BesideGathered };

/// Writes several runs, the last one cut, with records of other kinds between the steps. Every other step repeats an
/// earlier one at a later time.
void write(const std::string &path, Told told, std::size_t steps) {
  std::mt19937_64 random(23);
  const CompilationRecord record = randomCompilation(random);
  std::vector<std::shared_ptr<const StepRecord>> known;
  PopWriter writer(path);
  writer.compilation(record);
  if (told == Told::AgainBeside || told == Told::Beside || told == Told::BesideGathered)
    writer.writeStepsBeside();
  if (told == Told::BesideGathered)
    writer.gatherRuns(std::chrono::hours(1));
  for (int run = 0; run < 3; ++run) {
    writer.beginRun({"run", 0, 0, 0});
    for (std::size_t i = 0; i < steps; ++i) {
      if (known.size() < 5 || i % 2 == 0)
        known.push_back(std::make_shared<StepRecord>(randomStep(random, record)));
      const auto &like = i % 2 == 0 ? known.back() : known[random() % known.size()];
      const Cycles later(random() % 1000);
      if (told == Told::Again || told == Told::AgainBeside || told == Told::BesideGathered)
        writer.stepAgain(like, later);
      else
        writer.step(laterBy(*like, later));
      if (i % 301 == 300)
        writer.flush();
    }
    writer.statistics({{0, steps, Cycles(1), Cycles(2), Cycles(3)}});
    if (run == 2)
      writer.cutRun();
    else
      writer.endRun({}, 1);
  }
  writer.finish();
}

} // namespace

TEST_SUITE("report.life") {
  TEST_CASE("a file is the same whoever writes its steps, and whether they are told again or anew") {
    const TemporaryFolder folder("queue");
    for (const std::size_t steps : {std::size_t(5), std::size_t(64), std::size_t(700)}) {
      CAPTURE(steps);
      const std::string one = folder.file("one.pop"), other = folder.file("other.pop");
      write(one, Told::Alone, steps);
      const std::string bytes = bytesOf(one);
      CHECK(bytes.size() > 10000);
      for (const Told told : {Told::Again, Told::AgainBeside, Told::Beside, Told::BesideGathered}) {
        CAPTURE(static_cast<int>(told));
        write(other, told, steps);
        CHECK((bytesOf(other) == bytes));
      }
    }
  }

  TEST_CASE("who reads the file of a run sees the steps that were told so far") {
    std::mt19937_64 random(3);
    const CompilationRecord record = randomCompilation(random);
    PopWriter writer("");
    writer.compilation(record);
    writer.writeStepsBeside();
    writer.beginRun({"run", 0, 0, 0});
    for (std::size_t i = 1; i <= 500; ++i) {
      writer.step(randomStep(random, record));
      if (i % 97 == 0) {
        const StepIds ids = readStepIds(*writer.file());
        CHECK(ids.end - ids.first == i);
      }
    }
    writer.endRun({}, 1);
  }

  TEST_CASE("runs that end soon after each other are committed together, and not later than was asked for") {
    const TemporaryFolder folder("queue");
    for (const bool beside : {false, true}) {
      CAPTURE(beside);
      std::mt19937_64 random(5);
      const CompilationRecord record = randomCompilation(random);
      PopWriter writer(folder.file("p.pop"));
      writer.compilation(record);
      if (beside)
        writer.writeStepsBeside();
      constexpr std::chrono::milliseconds kMost(1500);
      writer.gatherRuns(kMost);
      const auto run = [&] {
        writer.beginRun({"run", 0, 0, 0});
        writer.step(randomStep(random, record));
        writer.endRun({}, 1);
      };
      const std::string partial = writer.file()->path();
      const auto committed = [&] { // as another process sees the file, or finds it after a kill
        const auto other = openPop(partial);
        Query q(*other, "SELECT COUNT(*) FROM runs WHERE complete = 1");
        return q.next() ? q.u64() : 0;
      };
      run(); // the first run: the last commit is long ago
      (void)writer.file();
      CHECK(committed() == 1);
      run();
      run();
      (void)writer.file(); // writes pending runs
      CHECK(committed() == 1);
      std::this_thread::sleep_for(2 * kMost);
      if (!beside)
        writer.settle();
      CHECK(committed() == 3);
      run();
      writer.flush();
      CHECK(committed() == 4);
    }
  }

  TEST_CASE("the first batch may call callAt before the call that started the writing thread returns") {
    for (int i = 0; i < 1000; ++i) {
      bool called = false;
      StepQueue queue([](const QueuedStep &) {});
      queue.writeBeside();
      queue.push({nullptr, false, {}, [&] {
                    queue.callAt(std::chrono::steady_clock::now() + std::chrono::hours(1), [] {});
                    called = true;
                  }});
      queue.hand();
      queue.wait();
      CHECK(called);
    }
  }

  TEST_CASE("an error of a step that is written later reaches the program, once") {
    for (const auto &[wrong, beside] : {std::pair(std::size_t(3), true), {100, true}, {1000, true}, {1000, false}}) {
      const std::size_t bad = wrong; // clang 14 does not capture structured bindings in lambdas
      CAPTURE(bad);
      std::vector<std::uint32_t> written;
      StepQueue queue([&](const QueuedStep &step) {
        if (step.record->program == bad)
          throw std::runtime_error("step " + std::to_string(bad));
        written.push_back(step.record->program);
      });
      if (beside)
        queue.writeBeside();
      std::size_t pushed = 0;
      std::string error;
      try {
        for (; pushed < 2000; ++pushed) {
          const auto step = std::make_shared<StepRecord>();
          step->program = static_cast<std::uint32_t>(pushed);
          queue.push({step});
        }
        queue.wait();
      } catch (const std::runtime_error &e) {
        error = e.what();
      }
      CHECK(error == "step " + std::to_string(bad));
      CHECK_NOTHROW(queue.wait()); // the error is reported once
      CHECK(std::is_sorted(written.begin(), written.end()));
      CHECK(written.size() >= bad);
      CHECK(pushed >= bad);
    }
  }
}
