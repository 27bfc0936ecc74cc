// Traces of the host: pva::openTrace reads what pvti writes, and refuses other files.
#include <pva/pva.hpp>
#include <pvti/pvti.hpp>

#include "report/pop/PopFile.hpp"
#include "tests/TemporaryFolder.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <new>
#include <thread>
#include <type_traits>

#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace {

// The environment is read once in a process, so the traced program is a child.
template <class Program>
std::vector<fs::path> traced(const fs::path &folder, const char *options, const Program &program) {
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    fs::current_path(folder);
    setenv("PVTI_OPTIONS", options, 1);
    program();
    std::_Exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(status == 0);
  std::vector<fs::path> files;
  for (const auto &entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".pvti")
      files.push_back(entry.path());
  return files;
}

constexpr const char *kFirst = R"([{"ph":"M","name":"popscope_pvti","args":{"version":1}},)"
                               "\n";

std::string refusal(const std::string &path, const std::string &text) {
  std::ofstream(path, std::ios::binary) << text;
  try {
    (void)pva::openTrace(path);
  } catch (const popscope::ProfileError &e) {
    CHECK(std::string(e.what()).find(path) == 0);
    CHECK(std::string(e.what()).find('\n') == std::string::npos);
    return e.what();
  }
  return "";
}

} // namespace

TEST_SUITE("report.trace") {

  TEST_CASE("events nest, and threads stay apart") {
    const TemporaryFolder folder("trace");
    const auto files = traced(folder.path, R"({"enable":"true","directory":"a/reports"})", [] {
      pvti::TraceChannel channel("app"), other{"other"};
      const pvti::Tracepoint outer(&channel, "outer");
      {
        pvti::Metadata metadata = pvti::createJsonMetadata(R"({"k": 1})");
        const pvti::Tracepoint inner(&channel, "inner and more", 5, &metadata);
        pvti::Tracepoint::event(&channel, "now");
      }
      std::thread([&] {
        pvti::Tracepoint::begin(&other, "in a thread");
        pvti::Tracepoint::end(&other, "in a thread");
      }).join();
    });
    REQUIRE(files.size() == 1);
    CHECK(files[0].parent_path() == folder.path / "a" / "reports");
    const pva::Trace trace = pva::openTrace(files[0].string());
    REQUIRE(trace.processes().size() == 1);
    const pva::Process process = trace.processes()[0];
    CHECK(trace.process(process.pid()).pid() == process.pid());
    CHECK_THROWS_AS((void)trace.process(process.pid() + 1), std::out_of_range);
    REQUIRE(process.threads().size() == 2);
    const pva::Thread first = process.threads()[0];
    CHECK(process.thread(first.tid()).events().size() == 1);
    CHECK_THROWS_AS((void)process.thread(0), std::out_of_range);
    const pva::Event outer = first.events()[0];
    CHECK(outer.label() == "outer");
    CHECK(outer.channel() == "app");
    REQUIRE(outer.children().size() == 1);
    const pva::Event inner = outer.children()[0];
    CHECK(inner.label() == "inner");
    CHECK(inner.isClosed());
    CHECK(outer.timestamp() <= inner.timestamp());
    CHECK(inner.timestamp() + inner.duration() <= outer.timestamp() + outer.duration());
    REQUIRE(inner.children().size() == 1);
    CHECK(inner.children()[0].label() == "now");
    CHECK(inner.children()[0].duration() == 0);
    CHECK(process.threads()[1].events()[0].channel() == "other");
  }

  TEST_CASE("a label of any length is written so that it can be read") {
    const TemporaryFolder folder("trace");
    const auto files = traced(folder.path, R"({"enable":"true","directory":"a"})", [] {
      pvti::TraceChannel channel("app");
      const pvti::Tracepoint outer(&channel, std::string(3'000'000, '\x01')); // six bytes each in JSON
    });
    REQUIRE(files.size() == 1);
    const pva::Trace trace = pva::openTrace(files[0].string());
    const std::string label = trace.processes()[0].threads()[0].events()[0].label();
    CHECK(label.size() > 50'000);
    CHECK(label.substr(label.size() - 3) == "...");
  }

  // The dynamic linker merges a global that several libraries export into one object, but each library constructs and
  // destroys it.
  TEST_CASE("a global channel of several libraries is made and destroyed once for each") {
    static_assert(std::is_trivially_destructible<pvti::TraceChannel>::value, "a second destruction must do nothing");
    alignas(pvti::TraceChannel) unsigned char place[sizeof(pvti::TraceChannel)];
    auto *const first = ::new (place) pvti::TraceChannel("graphConstruction/a name that is long");
    auto *const second = ::new (place) pvti::TraceChannel(std::string("graphConstruction/a name that is long"));
    CHECK(second->name() == "graphConstruction/a name that is long");
    second->~TraceChannel();
    first->~TraceChannel();
    const pvti::TraceChannel other("other"), copy = other;
    CHECK(copy.name() == "other");
    CHECK(pvti::TraceChannel("other").name() == "other");
  }

  TEST_CASE("nothing is written unless asked for, and options that are no JSON stop nothing") {
    const TemporaryFolder folder("trace");
    const auto program = [] {
      pvti::TraceChannel channel("app");
      const pvti::Tracepoint point(&channel, "x");
    };
    for (const char *options : {"", "{}", R"({"enable":"false"})"})
      CHECK(traced(folder.path, options, program).empty());
    CHECK(traced(folder.path, R"({"enable":"true","directory":5})", program).empty());
    CHECK_FALSE(fs::exists("5"));
  }

  TEST_CASE("a stopped program leaves what it wrote; its open events last until the last record") {
    const TemporaryFolder folder("trace");
    const std::string path = (folder.path / "x.pvti").string();
    std::ofstream(path) << kFirst << R"({"ph":"B","pid":1,"tid":2,"ts":10,"cat":"c","name":"outer"},)"
                        << "\n"
                        << R"({"ph":"B","pid":1,"tid":2,"ts":15,"cat":"c","name":"inner"},)"
                        << "\n"
                        << R"({"ph":"E","pi)";
    const pva::Event outer = pva::openTrace(path).process(1).thread(2).events()[0];
    CHECK(outer.duration() == 5);
    CHECK_FALSE(outer.isClosed());
    CHECK(outer.children()[0].duration() == 0);
  }

  TEST_CASE("files that are no trace are refused in one line") {
    const TemporaryFolder folder("trace");
    const std::string path = (folder.path / "x.pvti").string(), first = kFirst;
    const auto record = [](const char *time) {
      return std::string(R"({"ph":"B","pid":1,"tid":2,"ts":)") + time + R"(,"cat":"c","name":"x"},)" + "\n";
    };
    const auto says = [&](const std::string &text, const char *why) {
      CHECK_MESSAGE(refusal(path, text).find(why) != std::string::npos, why);
    };
    says("", "empty");
    says("SQLite format 3\n", "no trace");
    says("SQLite format 3", "this is no trace: the file has no whole line");
    CHECK_THROWS_WITH_AS((void)pva::openTrace(folder.path.string()),
                         (folder.path.string() + ": cannot be read; give a trace (.pvti), not a folder").c_str(),
                         popscope::ProfileError);
    says(R"([{"name":"popscope_pvti","args":{"version":2}},)"
         "\n",
         "format 2");
    says("[{\"name\":\"popscope_pvti\",\"args\":{\"version\":\"\xC2\x9B\"}},\n",
         R"(format "\u009b")"); // a control character of terminals
    says(first + "[1]\n", "no record");
    says(first + record("-1"), "numbers");
    says(first + record("10") + record("9"), "time runs back");
    says(first + R"({"ph":"E","pid":1,"tid":2,"ts":10},)" + "\n", "did not begin");
    says(first + R"({"ph":"B","pid":1,"tid":2,"ts":10,"cat":"c","name":7},)" + "\n", "no label");
    says(first + std::string(100000, '[') + "\n", "no record");
    says(first + std::string(1 << 21, ' ') + "\n", "longer than");
    std::string deep = first;
    for (int i = 0; i < 200'000; ++i)
      deep += record("10");
    says(deep, "events are nested more than 4000 deep");
    CHECK(refusal(path, first + R"({"ph":"X","pid":1,"name":"of another tool"},)" + "\n]\n").empty());
    CHECK_THROWS_AS((void)pva::openTrace((folder.path / "missing").string()), popscope::ProfileError);
  }
}
