#include "tests/unit/report/SmallProfile.hpp"

#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <poplar/DebugContext.hpp>
#include <pva/pva.hpp>
#include <unistd.h>

namespace fs = std::filesystem;

namespace {
struct Files {
  fs::path folder = fs::temp_directory_path() / ("popscope-debug-" + std::to_string(::getpid()));
  Files() { fs::create_directories(folder); }
  ~Files() { fs::remove_all(folder); }
  [[nodiscard]] std::string profile() const { return (folder / "p.pop").string(); }
  [[nodiscard]] std::string debug() const { return (folder / "debug.cbor").string(); }
};
} // namespace

TEST_SUITE("report.operations") {
  TEST_CASE("a recorded context is an operation with the programs of its name") {
    const Files files;
    (void)small::write(files.profile());
    poplar::DebugInfo::initializeStreamer(files.debug());
    {
      poplar::DebugInfo outer({"add"}, "framework");
      outer.setValue("api", "sum");
      const poplar::DebugInfo inner({outer, "deep"}, "poplibs"); // no program has the name "add/deep"
    }
    poplar::DebugInfo::closeStreamer();
    const pva::Report report = pva::openReport(files.profile(), files.debug());
    const pva::OperationAnalysis analysis(report);
    const auto operations = analysis.operations();
    REQUIRE(operations.size() == 2);
    CHECK(operations[0].name() == "add");
    REQUIRE(operations[0].programs().size() == 1);
    CHECK(operations[0].programs()[0]->type() == pva::Program::Type::OnTileExecute);
    CHECK(operations[0].firstStepIndex() == 1);
    CHECK(operations[0].lastStepIndex() == 1);
    CHECK(operations[0].debugContext().layer() == "{\"layer\":\"framework\"}");
    CHECK(operations[0].debugContext().json().find("\"api\":\"sum\"") != std::string::npos);
    CHECK(operations[0].debugContext().location().fileName().find("OperationsTest.cpp") != std::string::npos);
    CHECK(operations[1].name() == "add/deep");
    CHECK(operations[1].programs().empty());
    REQUIRE(operations[1].debugContext().parents().size() == 1);
    CHECK(operations[1].debugContext().parents()[0].id() == operations[0].debugContext().id());
    CHECK(pva::OperationAnalysis(pva::openReport(files.profile())).operations().empty());
  }

  TEST_CASE("damaged debug information is refused with its path, and deep nesting before it is parsed") {
    const Files files;
    (void)small::write(files.profile());
    const pva::Report report = pva::openReport(files.profile(), files.debug());
    CHECK_THROWS_AS(pva::OperationAnalysis{report}, std::runtime_error); // missing
    poplar::DebugInfo::initializeStreamer(files.debug());
    { const poplar::DebugInfo info({"add"}, "framework"); }
    poplar::DebugInfo::closeStreamer();
    std::ifstream in(files.debug(), std::ios::binary);
    const std::string good{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    std::vector<std::string> bad = {"",     "\x80",     std::string(1000000, '\x81'),
                                    "\x9f", good + "x", std::string("\xbb\xff\xff\xff\xff\xff\xff\xff\xff")};
    for (std::size_t size = 0; size < good.size(); ++size)
      bad.push_back(good.substr(0, size));
    for (const std::string &bytes : bad) {
      std::ofstream(files.debug(), std::ios::binary) << bytes;
      try {
        const pva::OperationAnalysis analysis(report);
        FAIL("accepted ", bytes.size(), " bytes");
      } catch (const std::runtime_error &e) {
        CHECK(std::string(e.what()).find(files.debug()) == 0);
      }
    }
  }
}
