// The profile file while it is written: killed writers, and growing files.
#include "RandomRecords.hpp"

#include "report/pop/GrowthNote.hpp"
#include "report/pop/PopDatabase.hpp"
#include "report/pop/Schema.hpp"
#include "report/pop/TileBlob.hpp"
#include "report/pva/MakeReport.hpp"
#include "report/summary/Summary.hpp"
#include "tests/TemporaryFolder.hpp"

#include <algorithm>
#include <csignal>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

using namespace popscope;
namespace fs = std::filesystem;

namespace {
RunTotals totalsOf(std::uint64_t cycles) {
  RunTotals totals;
  totals.totalCycles = Cycles(cycles);
  return totals;
}

void addRun(PopWriter &writer, const CompilationRecord &record, std::mt19937_64 &random, const std::string &name,
            int steps) {
  writer.beginRun({name, 0, 0, 0});
  for (int i = 0; i < steps; ++i)
    writer.step(randomStep(random, record));
  writer.endRun(totalsOf(10), 0);
}

std::string text(const pva::Report &report) {
  SummaryOptions options;
  options.showVarStorage = options.showExecutionSteps = options.showOptimizations = true;
  std::ostringstream out;
  printSummary(out, report, options);
  return out.str();
}

/// Writes until it is killed, and writes one byte to `stages` after each part.
[[noreturn]] void writeForever(const std::string &path, int stages) {
  const auto say = [stages] {
    const char byte = 0;
    if (::write(stages, &byte, 1) != 1)
      std::_Exit(1);
  };
  std::mt19937_64 random(5);
  for (;;) {
    PopWriter writer(path);
    const auto record = randomCompilation(random);
    say();
    writer.compilation(record);
    say();
    for (int run = 0; run < 3; ++run) {
      addRun(writer, record, random, "killed", 30);
      writer.flush();
      say();
      if (run == 1)
        writer.publish();
      say();
    }
  }
}

/// The state of a file that a killed writer left: it opens and its steps can be read, or it is refused with one line.
enum class Left { Readable, Refused };
Left examine(const std::string &path) {
  try {
    const pva::Report report = pva::openReport(path);
    std::size_t steps = 0;
    for (const auto &run : report.execution().runs())
      for (const auto &step : run.steps())
        steps += step.program() != nullptr ? 1 : 0;
    CHECK(steps == report.execution().steps().size());
    CHECK(text(report).size() > 0);
    return Left::Readable;
  } catch (const ProfileError &e) {
    CAPTURE(e.what());
    CHECK(std::string(e.what()).find('\n') == std::string::npos);
    return Left::Refused;
  }
}
} // namespace

TEST_SUITE("report.life") {
  TEST_CASE("a profile that grows is reported at 1 GiB, and each time that its size has doubled") {
    constexpr std::uint64_t gib = std::uint64_t(1) << 30U;
    GrowthNote note;
    CHECK(note.at(gib - 1, "p.pop").empty());
    const std::string first = note.at(gib + gib / 2, "p.pop");
    CHECK(first.find("the profile p.pop has 1.5 GiB") != std::string::npos);
    CHECK(note.at(2 * gib - 1, "p.pop").empty());
    CHECK_FALSE(note.at(5 * gib, "p.pop").empty());
    CHECK(note.at(8 * gib - 1, "p.pop").empty());
    CHECK_FALSE(note.at(8 * gib, "p.pop").empty());
  }

  TEST_CASE("a writer killed at any moment leaves the old file or a new one, and a partial one that can be recovered") {
    const TemporaryFolder folder("life");
    const std::string path = folder.file("profile.pop");
    std::mt19937_64 random(1);
    const auto record = randomCompilation(random);
    {
      PopWriter writer(path);
      writer.compilation(record);
      addRun(writer, record, random, "old", 3);
    }
    int recovered = 0, left = 0;
    for (int kill = 0; kill < 50; ++kill) {
      int stages[2];
      REQUIRE(::pipe(stages) == 0);
      const pid_t child = ::fork();
      REQUIRE(child >= 0);
      if (child == 0)
        writeForever(path, stages[1]);
      ::close(stages[1]);
      // Kills the writer after some complete stages and a part of the next.
      for (std::uint64_t reached = random() % 12; reached > 0; --reached) {
        char byte = 0;
        REQUIRE(::read(stages[0], &byte, 1) == 1);
      }
      ::usleep(static_cast<useconds_t>(random() % 5000));
      ::kill(child, SIGKILL);
      REQUIRE(::waitpid(child, nullptr, 0) == child);
      ::close(stages[0]);
      CHECK(examine(path) == Left::Readable);
      CHECK(pva::openReport(path).popscope().complete());
      std::vector<fs::path> partial;
      for (const auto &entry : fs::directory_iterator(folder.path))
        if (entry.path().extension() == ".pop" && entry.path() != path)
          partial.push_back(entry.path());
      for (const auto &p : partial) {
        ++left;
        const std::string to = folder.file("out.pop");
        fs::remove(to);
        bool made = true;
        try {
          recoverPop(p.string(), to);
        } catch (const ProfileError &) {
          made = false; // killed before the compiled graph was written
        }
        CHECK(fs::exists(to) == made);
        if (made) {
          ++recovered;
          CHECK(examine(to) == Left::Readable);
        }
      }
      for (const auto &entry : fs::directory_iterator(folder.path))
        if (entry.path() != path)
          fs::remove(entry.path());
    }
    CAPTURE(left);
    CAPTURE(recovered);
    CHECK(left > 10);
    CHECK(recovered > 10);
  }

  TEST_CASE("a recovered profile keeps the committed steps and says that it is not complete") {
    const TemporaryFolder folder("life");
    std::mt19937_64 random(2);
    const auto record = randomCompilation(random);
    PopWriter writer(folder.file("p.pop"));
    writer.compilation(record);
    writer.beginRun({"open", 0, 0, 0});
    for (int i = 0; i < 7; ++i)
      writer.step(randomStep(random, record));
    writer.flush();
    writer.step(randomStep(random, record)); // not flushed
    recoverPop(writer.file()->path(), folder.file("r.pop"));
    const pva::Report report = pva::openReport(folder.file("r.pop"));
    CHECK_FALSE(report.popscope().complete());
    CHECK_FALSE(report.execution().runs()[0].complete());
    CHECK(report.execution().steps().size() == 7);
    CHECK_THROWS_AS(recoverPop(folder.file("none.pop"), folder.file("x.pop")), ProfileError);
    CHECK_FALSE(fs::exists(folder.file("x.pop")));
  }

  TEST_CASE("a published profile is complete under its name while the writer goes on") {
    const TemporaryFolder folder("life");
    const std::string path = folder.file("p.pop");
    std::mt19937_64 random(3);
    const auto record = randomCompilation(random);
    PopWriter writer(path);
    writer.compilation(record);
    addRun(writer, record, random, "one", 4);
    writer.publish();
    CHECK(pva::openReport(path).popscope().complete());
    CHECK(text(pva::openReport(path)) == text(pva::makeReport(writer.file())));
    writer.beginRun({"two", 0, 0, 0});
    writer.step(randomStep(random, record));
    writer.publish();
    CHECK_FALSE(pva::openReport(path).popscope().complete());
    CHECK(pva::openReport(path).execution().steps().size() == 5);
    writer.endRun({}, 0);
    writer.finish();
    CHECK(pva::openReport(path).popscope().complete());
  }

  TEST_CASE("a report saves its profile, in memory or not, without its engine's end") {
    const TemporaryFolder folder("life");
    std::mt19937_64 random(8);
    const auto record = randomCompilation(random);
    PopWriter writer;
    writer.compilation(record);
    const pva::Report report = pva::makeReport(writer.file());
    addRun(writer, record, random, "one", 2);
    report.popscope().save(folder.file("s.pop"));
    CHECK(pva::openReport(folder.file("s.pop")).popscope().complete());
    CHECK(text(pva::openReport(folder.file("s.pop"))) == text(report));
    pva::openReport(folder.file("s.pop")).popscope().save(folder.file("t.pop"));
    CHECK(text(pva::openReport(folder.file("t.pop"))) == text(report));
    CHECK_THROWS_AS(report.popscope().save(folder.file("no/s.pop")), std::runtime_error);
  }

  TEST_CASE("runs can be added to a cached profile; the cached file stays as it is") {
    const TemporaryFolder folder("life");
    std::mt19937_64 random(4);
    const auto record = randomCompilation(random);
    {
      PopWriter writer(folder.file("cached.pop"));
      writer.compilation(record);
    }
    std::vector<StepRecord> steps;
    for (int run = 0; run < 2; ++run) { // the second iteration appends to the first
      const auto writer = PopWriter::append(folder.file(run == 0 ? "cached.pop" : "p.pop"), folder.file("p.pop"));
      writer->beginRun({"run " + std::to_string(run), 0, 0, 0});
      for (int i = 0; i < 3; ++i) {
        steps.push_back(randomStep(random, record));
        writer->step(steps.back());
      }
      writer->endRun(totalsOf(7), 0);
    }
    CHECK(pva::openReport(folder.file("cached.pop")).execution().totalCycles().total() == 0);
    CHECK(pva::openReport(folder.file("cached.pop")).execution().runs().empty());
    const pva::Report report = pva::openReport(folder.file("p.pop"));
    CHECK(report.popscope().complete());
    REQUIRE(report.execution().runs().size() == 2);
    CHECK(report.execution().runs()[1].name() == "run 1");
    CHECK(report.execution().totalCycles().total() == 14);
    REQUIRE(report.execution().steps().size() == 6);
    for (std::size_t i = 0; i < 6; ++i) {
      const std::vector<std::uint64_t> cycles = report.execution().steps()[i].cyclesByTile();
      CHECK(cycles == std::vector<std::uint64_t>(steps[i].cyclesByTile.begin(), steps[i].cyclesByTile.end()));
    }
    // Written from scratch, the same two runs give the same text.
    PopWriter whole;
    whole.compilation(record);
    for (std::size_t run = 0; run < 2; ++run) {
      whole.beginRun({"run " + std::to_string(run), 0, 0, 0});
      for (std::size_t i = 0; i < 3; ++i)
        whole.step(steps[3 * run + i]);
      whole.endRun(totalsOf(7), 0);
    }
    CHECK(text(pva::makeReport(whole.file())) == text(report));
    { PopWriter empty(folder.file("empty.pop")); }
    CHECK_THROWS_AS((void)PopWriter::append(folder.file("empty.pop"), folder.file("q.pop")), ProfileError);
  }

  TEST_CASE("an open file is shared with readers, can be replaced, and is locked against writers until it is closed") {
    const TemporaryFolder folder("life");
    const std::string path = folder.file("profile.pop");
    std::mt19937_64 random(4);
    const auto record = randomCompilation(random);
    const auto write = [&](int runs) {
      PopWriter writer(path);
      writer.compilation(record);
      for (int i = 0; i < runs; ++i)
        addRun(writer, record, random, "run", 2);
    };
    write(1);
    {
      const pva::Report first = pva::openReport(path), second = pva::openReport(path);
      CHECK(text(first) == text(second));
      PopFile writer(path, PopFile::Mode::Write);
      CHECK_THROWS_AS(writer.execute("UPDATE meta SET value = '0' WHERE key = 'complete'"), ProfileError);
      write(3);
      CHECK(first.execution().runs().size() == 1);
      CHECK(pva::openReport(path).execution().runs().size() == 3);
    }
    PopFile writer(path, PopFile::Mode::Write);
    CHECK_NOTHROW(writer.execute("UPDATE meta SET value = '0' WHERE key = 'complete'"));
    CHECK_FALSE(pva::openReport(path).popscope().complete());
  }
}
