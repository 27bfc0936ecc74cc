// Compares reading ahead with reading each vector on request.
#include "report/pva/ReadAhead.hpp"

#include "RandomRecords.hpp"
#include "base/Parallel.hpp"
#include "report/pop/PopFile.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <numeric>

using namespace popscope;

namespace {

constexpr std::size_t kRecordedSteps = 200;

std::unique_ptr<PopWriter> written(std::mt19937_64 &random, CompilationRecord &record) {
  record = randomCompilation(random);
  auto writer = std::make_unique<PopWriter>("");
  writer->compilation(record);
  writer->beginRun({"run", 0, 0, 0});
  for (std::size_t i = 0; i < kRecordedSteps; ++i)
    writer->step(randomStep(random, record));
  writer->endRun({}, 0);
  writer->finish();
  return writer;
}

/// The vectors of a program in the order of ProgramVector.
constexpr std::array kVectors = {ProgramVector::ControlCode, ProgramVector::BytesSent, ProgramVector::BytesReceived,
                                 ProgramVector::EstimatedCycles, ProgramVector::MessageSizes};

} // namespace

TEST_SUITE("report.pva") {
  TEST_CASE("what is read ahead is what is read when it is asked for, in any order and by several threads") {
    std::mt19937_64 random(17);
    CompilationRecord record;
    const auto writer = written(random, record);
    PopFile &file = *writer->file();
    const StepIds ids = readStepIds(file);
    REQUIRE(ids.end - ids.first == kRecordedSteps);
    pva::detail::ReadAhead ahead(file);
    std::atomic<std::size_t> differ{0}, some{0};
    const auto askStep = [&](std::uint64_t id) {
      const auto asked = ahead.stepCycles(id);
      differ += asked == readPackedStepCycles(file, id) ? 0 : 1;
      some += asked ? 1 : 0;
    };
    const auto askProgram = [&](std::uint32_t program, std::size_t vectors) {
      for (std::size_t v = 0; v < vectors; ++v)
        differ +=
            ahead.programVector(program, kVectors[v]) == readPackedProgramVectors(file, program, {kVectors[v]}).front()
                ? 0
                : 1;
    };
    const auto programs = static_cast<std::uint32_t>(record.programs.size());
    parallelFor(
        {3}, 3,
        [&](std::size_t thread) {
          for (std::uint64_t id = ids.first + thread; id < ids.end + 2;
               id += 1 + thread) // including ids that do not exist
            askStep(id);
          for (std::uint32_t p = 0; p < programs; ++p)
            askProgram(p, kVectors.size() - thread);
        },
        1);
    for (int i = 0; i < 2000; ++i) { // back and forth
      askStep(ids.first + random() % (kRecordedSteps + 3));
      askProgram(static_cast<std::uint32_t>(random() % programs), 1 + random() % kVectors.size());
    }
    askStep(~std::uint64_t(0) >> 1);
    CHECK(differ == 0);
    CHECK(some > 500);
  }
}
