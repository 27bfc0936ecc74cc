// Compares the text that the program prints with that of its saved profile, and checks the file while the engine
// exists.
#include "Programs.hpp"
#include "tests/TemporaryFolder.hpp"

#include <doctest/doctest.h>
#include <filesystem>
#include <functional>
#include <pva/pva.hpp>
#include <sstream>
#include <unistd.h>

using namespace poplar;
using namespace poplar::program;
using namespace engine_tests;

namespace {

const char *const kFlags[] = {"showVarStorage", "showExecutionSteps", "showOptimizations", "showPerIpuMemoryUsage",
                              "colours"};

OptionFlags combination(unsigned bits) {
  OptionFlags options;
  for (unsigned i = 0; i < 5; ++i)
    options.set(kFlags[i], (bits >> i & 1) != 0 ? "true" : "false");
  return options;
}

/// Returns the 32 texts, in order.
std::vector<std::string> texts(const std::function<void(std::ostream &, const OptionFlags &)> &print) {
  std::vector<std::string> all;
  for (unsigned bits = 0; bits < 32; ++bits) {
    std::ostringstream out;
    print(out, combination(bits));
    all.push_back(out.str());
  }
  return all;
}

/// Runs a program with a report, and compares its texts with those of the saved file and of the file that remains after
/// the run.
void compare(const Device &device, const Graph &graph, const Program &program, const OptionFlags &more = {}) {
  const TemporaryFolder folder("profile-file");
  OptionFlags options = {{"autoReport.all", "true"}, {"autoReport.directory", folder.path.string()}};
  for (const auto &option : more)
    options.set(option.first, option.second);
  const std::string saved = (folder.path / "saved.pop").string(), left = (folder.path / "profile.pop").string();
  std::vector<std::string> live;
  {
    Engine engine(graph, program, options);
    engine.load(device);
    engine.run(0, "a run");
    live = texts([&](std::ostream &out, const OptionFlags &o) { engine.printProfileSummary(out, o); });
    engine.getReport().popscope().save(saved);
    CHECK_FALSE(std::filesystem::exists(left));
  }
  for (const std::string &path : {saved, left}) {
    CAPTURE(path);
    CHECK(pva::openReport(path).popscope().complete());
    const auto read = texts([&](std::ostream &out, const OptionFlags &o) { printProfileSummary(out, path, o); });
    for (unsigned bits = 0; bits < 32; ++bits) {
      CAPTURE(bits);
      CHECK(read[bits] == live[bits]);
    }
  }
  CHECK(live[0] != live[31]);
}

} // namespace

TEST_SUITE("engine.profileFile") {
  TEST_CASE("the text of a program is that of its file for every combination of options: a step on one IPU") {
    const Device device = smallModel();
    IncrementProgram p(device, 10);
    compare(device, p.graph, p.step);
  }

  TEST_CASE("the same: two IPUs, a loop and a copy between them") {
    const Device device = smallModel(4, 2);
    IncrementProgram p(device, 40);
    const Tensor far = p.graph.addVariable(FLOAT, {40}, "far");
    p.graph.setTileMapping(far, 6);
    compare(device, p.graph, Sequence(Repeat(3, p.step), Copy(p.x, far)));
  }

  TEST_CASE("the same: without code for the IPU") {
    const Device device = smallModel(4, 1, false);
    IncrementProgram p(device, 100);
    compare(device, p.graph, Repeat(2, p.step));
  }

  TEST_CASE("the same: a machine that counts, with explained liveness") {
    const Device device = smallModel(8);
    IncrementProgram p(device, 64);
    const Tensor y = p.graph.addVariable(FLOAT, {64}, VariableMappingMethod::LINEAR, "y");
    compare(device, p.graph, Sequence(Copy(p.x, y), p.step, Copy(y.reverse(0), p.x)),
            {{"debug.instrument", "true"}, {"autoReport.outputLivenessExplanation", "true"}});
  }

  TEST_CASE("a variable that nothing reads is among the variables of any profile, and is never live") {
    for (const char *const lowered : {"false", "true"}) {
      const Device device = smallModel();
      IncrementProgram p(device, 10);
      const Tensor sink = p.graph.addVariable(FLOAT, {10}, "sink");
      p.graph.setTileMapping(sink, 2);
      Engine engine(p.graph, Sequence(p.step, Copy(p.x, sink)), {{"autoReport.outputLoweredVars", lowered}});
      std::uint64_t bytes = 0;
      for (const pva::Variable &variable : engine.getReport().compilation().variables())
        if (variable.name() == "sink") {
          bytes += variable.size();
          CHECK(variable.bytesOn(2) == 40);
          CHECK(variable.liveSteps().empty());
          CHECK_FALSE(variable.alwaysLive());
        }
      CHECK(bytes == 40);
    }
  }

  TEST_CASE("a long name of a debug context becomes a folder of at most 200 bytes, in whole characters") {
    const TemporaryFolder folder("profile-file");
    const Device device = smallModel();
    IncrementProgram p(device, 10);
    std::string name;
    for (int i = 0; i < 200; ++i)
      name += "\u00e4";
    const OptionFlags options = {{"autoReport.all", "true"}, {"autoReport.directory", folder.path.string()}};
    { const Engine engine(p.graph, p.step, options, {}, DebugContext(name)); }
    const std::filesystem::directory_iterator made(folder.path);
    const std::string folderName = made->path().filename().string();
    CHECK(folderName.size() <= 200);
    CHECK(folderName.compare(0, 182, name, 0, 182) == 0);
    CHECK(folderName[182] == '.');
    CHECK(std::filesystem::exists(made->path() / "profile.pop"));
  }

  TEST_CASE("a saved profile grows with the engine's runs, and an engine without a report saves too") {
    const TemporaryFolder folder("profile-file");
    const std::string path = (folder.path / "now.pop").string();
    const Device device = smallModel();
    IncrementProgram p(device, 10);
    Engine engine(p.graph, {p.step, Sequence(p.step, p.step)});
    engine.load(device);
    engine.getReport().popscope().save(path);
    CHECK(pva::openReport(path).execution().totalCycles().total() == 0);
    for (std::size_t runs = 1; runs <= 2; ++runs) {
      engine.run(static_cast<unsigned>(runs - 1));
      engine.getReport().popscope().save(path);
      CHECK(pva::openReport(path).execution().runs().size() == runs);
    }
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path), std::filesystem::directory_iterator()) == 1);
  }
}
