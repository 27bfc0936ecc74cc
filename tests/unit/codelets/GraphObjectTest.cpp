#include "graph/codelets/GraphObject.hpp"
#include "tests/unit/codelets/Support.hpp"

#include <doctest/doctest.h>
#include <poplar/exceptions.hpp>

using namespace popscope;
using namespace popscope::test;

namespace {

GraphObjectEntry entryOf(const std::string &target) {
  GraphObjectEntry e;
  e.source = "a.cpp";
  e.target = target;
  e.flags = "-DX=\"1\"";
  e.sharedObject = std::string("\0binary\xff", 8);
  e.text = "text";
  e.standInProblem = "no \"linker\"";
  return e;
}

} // namespace

TEST_SUITE_BEGIN("graph.codelets");

TEST_CASE("a graph object gives back what was written") {
  const std::vector<GraphObjectEntry> read =
      readGraphObject("x.gp", writeGraphObject({entryOf("ipu1"), entryOf("cpu")}));
  REQUIRE(read.size() == 2);
  CHECK(read[1].target == "cpu");
  CHECK(read[0].sharedObject == entryOf("ipu1").sharedObject);
  CHECK(read[0].standInImage.empty());
  CHECK(read[0].flags == entryOf("ipu1").flags);
  CHECK(read[0].standInProblem == entryOf("ipu1").standInProblem);
}

TEST_CASE("a text that is not the compiled one is refused") {
  std::string bytes = writeGraphObject({entryOf("ipu1")});
  const std::string mark = "\"sourceHash\":\"";
  const std::size_t at = bytes.find(mark) + mark.size();
  bytes[at] = bytes[at] == '0' ? '1' : '0';
  CHECK_THROWS_AS(readGraphObject("x.gp", bytes), poplar::graph_object_load_error);
  std::vector<std::string> targets;
  CHECK(readGraphObject("x.gp", bytes, "ipu1", false, targets).size() == 1); // the code alone is valid
  CHECK(readGraphObject("x.gp", bytes, "cpu", false, targets).empty());
  CHECK(targets == std::vector<std::string>{"ipu1"});
}

TEST_CASE("a graph object cut off at any byte is refused") {
  const std::string whole = writeGraphObject({entryOf("ipu1")});
  for (std::size_t size = 0; size != whole.size(); ++size)
    CHECK_THROWS_AS(readGraphObject("x.gp", whole.substr(0, size)), poplar::graph_object_load_error);
}

TEST_CASE("a flipped bit anywhere is refused or changes no binary") {
  const std::string whole = writeGraphObject({entryOf("ipu1")});
  for (std::size_t at = 0; at != whole.size(); ++at)
    for (const int bit : {0, 4, 7}) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
      try {
        for (const GraphObjectEntry &e : readGraphObject("x.gp", damaged))
          CHECK((e.sharedObject.empty() || e.sharedObject == entryOf("ipu1").sharedObject || e.sharedObject == "text"));
      } catch (const poplar::graph_object_load_error &) {
      }
    }
}

TEST_CASE("a file that only ends in .gp is refused, not loaded") {
  useBuildTree();
  CodeletSet set;
  CHECK_THROWS_AS(set.addFile(writeSource("fake.gp", "int main() {}"), CodeletSourceKind::Auto, {}, nullptr),
                  poplar::graph_object_load_error);
}

TEST_SUITE_END();
