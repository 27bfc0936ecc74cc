// Steps that a thread of its own writes, against steps that are written when they come.
#include "report/pop/StepQueue.hpp"
#include "RandomRecords.hpp"
#include "base/Check.hpp"
#include "report/pop/PopFile.hpp"
#include "report/pop/PopReader.hpp"
#include "tests/TemporaryFolder.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

using namespace popscope;

namespace {

std::string bytesOf(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Several runs, the last one cut, with records of other kinds between the steps.
void write(const std::string &path, bool beside, std::size_t steps) {
  std::mt19937_64 random(23);
  const CompilationRecord record = randomCompilation(random);
  PopWriter writer(path);
  writer.compilation(record);
  if (beside)
    writer.writeStepsBeside();
  for (int run = 0; run < 3; ++run) {
    writer.beginRun({"run", 0, 0, 0});
    for (std::size_t i = 0; i < steps; ++i) {
      writer.step(randomStep(random, record));
      if (i % 301 == 300)
        writer.flush();
    }
    if (run == 2)
      writer.cutRun();
    else
      writer.endRun({}, 1);
  }
  writer.finish();
}

} // namespace

TEST_SUITE("report.life") {
  TEST_CASE("a file whose steps a thread wrote is the file that the program would have written") {
    const TemporaryFolder folder("queue");
    for (const std::size_t steps : {std::size_t(5), std::size_t(64), std::size_t(700)}) {
      CAPTURE(steps);
      const std::string one = folder.file("one.pop"), other = folder.file("other.pop");
      write(one, false, steps);
      write(other, true, steps);
      const std::string bytes = bytesOf(one);
      CHECK(bytes.size() > 10000);
      CHECK((bytesOf(other) == bytes));
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

  TEST_CASE("an error of a step that a thread writes reaches the program, once") {
    for (const std::size_t bad : {std::size_t(3), std::size_t(100), std::size_t(1000)}) {
      CAPTURE(bad);
      std::vector<std::uint32_t> written;
      StepQueue queue([&](const StepRecord &step) {
        if (step.program == bad)
          throw std::runtime_error("step " + std::to_string(bad));
        written.push_back(step.program);
      });
      std::size_t pushed = 0;
      std::string error;
      try {
        for (; pushed < 2000; ++pushed) {
          StepRecord step;
          step.program = static_cast<std::uint32_t>(pushed);
          queue.push(step);
        }
        queue.wait();
      } catch (const std::runtime_error &e) {
        error = e.what();
      }
      CHECK(error == "step " + std::to_string(bad));
      CHECK_NOTHROW(queue.wait()); // it is told once
      CHECK(std::is_sorted(written.begin(), written.end()));
      CHECK(written.size() >= bad);
      CHECK(pushed >= bad);
    }
  }
}
