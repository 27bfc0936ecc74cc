// debug.cbor next to the profile: the engine writes it, and the ids of contexts identify the programs.
#include "tests/TemporaryFolder.hpp"
#include "tests/unit/engine/Programs.hpp"

#include <cstring>
#include <doctest/doctest.h>
#include <filesystem>
#include <map>
#include <memory>
#include <poplar/exceptions.hpp>
#include <pva/pva.hpp>
#include <set>
#include <sstream>
#include <unistd.h>

using namespace poplar;
using namespace poplar::program;
using namespace engine_tests;
namespace fs = std::filesystem;

namespace {

struct DebugFolder : TemporaryFolder {
  DebugFolder() : TemporaryFolder("debug-info") {}
  [[nodiscard]] OptionFlags options(std::initializer_list<OptionFlags::OptionFlag> more = {}) const {
    OptionFlags options = {{"autoReport.all", "true"}, {"autoReport.directory", path.string()}};
    for (const auto &option : more)
      options.set(option.first, option.second);
    return options;
  }
  [[nodiscard]] pva::Report report() const { return pva::openReport(file("profile.pop"), file("debug.cbor")); }
};

std::map<std::string, pva::Operation> byName(const pva::Report &report) {
  std::map<std::string, pva::Operation> found;
  for (const auto &operation : pva::OperationAnalysis(report).operations())
    found[operation.name()] = operation;
  return found;
}

std::string types(const pva::Operation &operation) {
  std::string names;
  for (const auto &p : operation.programs())
    names += pva::programTypeName(p->type()) + " ";
  return names;
}

} // namespace

TEST_SUITE("engine.debugInfo") {
  TEST_CASE("the copies of a host function have the place of its call") {
    const DebugFolder folder;
    const Device device = smallModel();
    Graph graph(device.getTarget());
    const Tensor x = graph.addVariable(INT, {1}, "x");
    graph.setTileMapping(x, 3);
    const HostFunction f = graph.addHostFunction("next", {}, {Graph::HostFunctionArgument(INT, 1)});
    { const Engine engine(graph, Call(f, {}, {x}), folder.options()); }
    const auto found = byName(folder.report());
    REQUIRE(found.count("next") == 1);
    CHECK(found.at("next").debugContext().location().fileName().find("DebugInfoTests.cpp") != std::string::npos);
  }

  TEST_CASE("programs belong to the innermost context that they were made in, whatever their names are") {
    const DebugFolder folder;
    const Device device = smallModel();
    IncrementProgram p(device, 8);
    const Tensor y = p.graph.addVariable(FLOAT, {8}, "y");
    p.graph.setTileMapping(y, 2);
    auto outer = std::make_unique<DebugInfo>(DebugContext("outer"), "application");
    Sequence program;
    std::uint64_t innerId = 0;
    {
      const DebugInfo inner(DebugContext(*outer, "inner"), "library");
      innerId = inner.getId();
      program.add(Copy(p.x, y, false, {inner}));                          // its name has no information
      const ComputeSet cs = p.graph.addComputeSet({inner, "of the set"}); // Execute(cs) without a context
      p.graph.setTileMapping(p.graph.addVertex(cs, "Increment", {{"x", y}}), 2);
      program.add(Execute(cs));
      program.add(Repeat(2, Sequence({WriteUndef(p.x, {"unrelated"})}, {*outer}), {inner, "loop"}));
    }
    program.add(p.step); // not in a DebugInfo
    {
      Engine engine(p.graph, program, folder.options());
      CHECK(fs::exists(folder.file("debug.cbor"))); // written when the graph is compiled
      engine.getReport(false).popscope().save(folder.file("saved.pop"));
      const auto early = byName(pva::openReport(folder.file("saved.pop"), folder.file("debug.cbor")));
      // it has not ended, but its record so far exists
      CHECK(early.at("outer").debugContext().json().find("\"late\"") == std::string::npos);
      outer->setValue("late", "yes");
      outer.reset(); // ends before the engine
    }
    const pva::Report report = folder.report();
    const auto operations = byName(report);
    const pva::Operation inner = operations.at("outer/inner"), whole = operations.at("outer");
    CHECK(types(inner) == "Sync DoExchange OnTileExecute OnTileExecute Repeat ");
    CHECK(types(whole) == "Sequence WriteUndef ");
    CHECK(whole.debugContext().json().find("\"late\"") != std::string::npos);
    CHECK(inner.debugContext().id() == innerId);
    CHECK(inner.debugContext().parents()[0].id() == whole.debugContext().id());
    CHECK(inner.firstStepIndex() < inner.lastStepIndex());
    std::size_t without = 0;
    for (const auto &lowered : report.compilation().programs()) {
      if (lowered->debugContextId() == innerId)
        CHECK(lowered->debugContext().name() == "outer/inner");
      without += lowered->debugContextId() == 0 && lowered->debugContext().id() == 0 ? 1 : 0;
    }
    CHECK(without > 0);
  }

  TEST_CASE("a program around others does not take the name of a copy in it that was made at no known place") {
    const DebugFolder folder;
    IncrementProgram p(smallModel(), 8);
    const Tensor y = p.graph.clone(p.x);
    std::vector<Copy> copies;
    copies.emplace_back(p.x, y); // constructed inside the standard library
    Sequence body;
    body.add(copies.front());
    { Engine engine(p.graph, Repeat(2, body), folder.options()); }
    std::size_t around = 0;
    for (const auto &operation : pva::OperationAnalysis(folder.report()).operations())
      if (types(operation).find("Sequence") != std::string::npos ||
          types(operation).find("Repeat") != std::string::npos) {
        CHECK(operation.name() == "");
        ++around;
      }
    CHECK(around > 0);
  }

  TEST_CASE("no file without the option, for a CPU, or for an executable that was loaded") {
    const DebugFolder folder;
    const DebugInfo info(DebugContext("op"), "library");
    {
      IncrementProgram p(smallModel(), 8);
      Engine engine(p.graph, p.step, folder.options({{"autoReport.outputDebugInfo", "false"}}));
    }
    CHECK_FALSE(fs::exists(folder.file("debug.cbor")));
    std::stringstream bytes;
    {
      IncrementProgram p(smallModel(), 8);
      const Sequence program({p.step}, {info});
      compileGraph(p.graph, {program}, {}).serialize(bytes);
    }
    { Engine engine(Executable::deserialize(bytes), folder.options()); }
    CHECK_FALSE(fs::exists(folder.file("debug.cbor")));
    for (const auto &program : pva::openReport(folder.file("profile.pop")).compilation().programs())
      CHECK(program->debugContextId() == 0);
    {
      IncrementProgram p(smallModel(), 8);
      Engine engine(p.graph, p.step,
                    {{"autoReport.outputDebugInfo", "true"}, {"autoReport.directory", folder.path.string()}});
    }
    CHECK(fs::exists(folder.file("debug.cbor")));
  }

  TEST_CASE("debug information of another profile is refused") {
    const DebugFolder folder;
    const auto run = [&](const std::string &name, bool debug) {
      const Device device = smallModel();
      IncrementProgram p(device, 8);
      Engine engine(p.graph, Sequence({p.step}, {name}),
                    folder.options({{"autoReport.outputDebugInfo", debug ? "true" : "false"}}));
    };
    const auto namesOf = [&] {
      std::set<std::string> names;
      for (const auto &program : folder.report().compilation().programs())
        names.insert(program->debugContext().name());
      return names;
    };
    run("first", true);
    CHECK(namesOf().count("first") == 1);
    fs::rename(folder.file("debug.cbor"), folder.file("first.cbor"));
    fs::rename(folder.file("profile.pop"), folder.file("first.pop"));
    run("second", true);
    CHECK(namesOf().count("second") == 1);
    fs::rename(folder.file("first.pop"), folder.file("profile.pop")); // the state after a second program was killed
    CHECK_THROWS_WITH(namesOf(), doctest::Contains("is the debug information of another profile"));
    fs::rename(folder.file("first.cbor"), folder.file("debug.cbor"));
    CHECK(namesOf().count("first") == 1);
    run("third", false); // keeps the file of the first program
    CHECK_THROWS_WITH(namesOf(), doctest::Contains("is the debug information of another profile"));
  }

  TEST_CASE("debug.cbor is not written through a link") {
    const DebugFolder folder;
    fs::create_symlink(folder.file("victim"), folder.file("debug.cbor"));
    IncrementProgram p(smallModel(), 8);
    { Engine engine(p.graph, p.step, folder.options()); }
    CHECK_FALSE(fs::exists(folder.file("victim")));
    CHECK(fs::is_regular_file(fs::symlink_status(folder.file("debug.cbor"))));
  }

  TEST_CASE("a folder that cannot hold the file is named") {
    const DebugFolder folder;
    fs::create_directories(folder.file("debug.cbor") + "/in-the-way");
    IncrementProgram p(smallModel(), 8);
    try {
      Engine engine(p.graph, p.step, folder.options());
      FAIL("written over a folder");
    } catch (const poplar_error &e) {
      CHECK(std::strstr(e.what(), folder.file("debug.cbor").c_str()) != nullptr);
    }
    for (const auto &entry : fs::directory_iterator(folder.path))
      CHECK(entry.path().extension() != ".part");
  }
}
