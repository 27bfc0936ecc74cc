// The code categories: one program for each, with its bytes. Instruction counts are in target-models/data/runtime.json.
#include "tests/check/memory/MemoryPrograms.hpp"

#include <doctest/doctest.h>

using namespace memory_tests;
using namespace poplar;
using namespace poplar::program;

namespace {

struct CodeFixture {
  Graph graph;
  ComputeSet cs;
  explicit CodeFixture(unsigned ipus = 1) : graph(modelTarget(4, ipus)) {
    addCodelets(graph);
    cs = graph.addComputeSet("cs");
  }
  void scaleOn(unsigned tile) {
    const VertexRef v = vertexOn(graph, cs, "Scale", tile);
    graph.connect(v["x"], onTile(graph, 4, tile, "x"));
    graph.setInitialValue(v["by"], 2.0f);
  }
  void exponentialOn(unsigned tile, const std::string &type) {
    const VertexRef v = vertexOn(graph, cs, type, tile);
    graph.connect(v["x"], onTile(graph, 1, tile, "x")[0]);
  }
};

std::uint64_t codeOf(const Compiled &c, const std::string &type) {
  for (const popscope::StepVertexType &t : c->program.vertexTypes)
    if (t.name == type)
      return t.codeBytes.count();
  FAIL("no type " << type);
  return 0;
}

} // namespace

TEST_SUITE("memory.code") {

  TEST_CASE("controlCode: a loop on every tile, and on the tiles that run something the launch of each vertex") {
    CodeFixture f;
    f.scaleOn(0);
    f.scaleOn(0);
    const Compiled c = compile(f.graph, {Repeat(3, Execute(f.cs))});
    CHECK(bytes(c, 1, StorageCategory::ControlCode) == 4 * 4);               // loop: 4 instructions
    CHECK(bytes(c, 0, StorageCategory::ControlCode) == (4 + 6 + 2 * 3) * 4); // 6 more for the compute set, 3 per vertex
  }

  TEST_CASE("controlTable: with the table scheduler a word and 8 bytes per vertex; the code is that of one call and of "
            "the loop") {
    CodeFixture f;
    for (int i = 0; i < 3; ++i)
      f.scaleOn(0);
    f.scaleOn(1);
    const Compiled code = compile(f.graph, {Execute(f.cs)}),
                   table = compile(f.graph, {Execute(f.cs)}, {{"popscope.scheduler", "table"}});
    CHECK(bytes(code, 0, StorageCategory::ControlTable) == 0);
    CHECK(bytes(table, 0, StorageCategory::ControlTable) == 4 + 3 * 8);
    CHECK(bytes(table, 1, StorageCategory::ControlTable) == 4 + 1 * 8);
    CHECK(bytes(table, 2, StorageCategory::ControlTable) == 0);
    CHECK(bytes(code, 0, StorageCategory::ControlCode) == (6 + 3 * 3) * 4);
    // 4 instructions per compute set, 14 for the loop
    CHECK(bytes(table, 0, StorageCategory::ControlCode) == (4 + 14) * 4);
    CHECK(bytes(table, 2, StorageCategory::ControlCode) == 0);
  }

  TEST_CASE("internalExchangeCode: one word from tile 0 to tile 1") {
    CodeFixture f;
    const Tensor a = onTile(f.graph, 1, 0, "a"), b = onTile(f.graph, 1, 1, "b");
    const Compiled c = compile(f.graph, {Copy(a, b)});
    CHECK(bytes(c, 0, StorageCategory::InternalExchangeCode) == (1 + 1 + 2) * 4); // delay, send; sync, return
    CHECK(bytes(c, 1, StorageCategory::InternalExchangeCode) ==
          (2 + 1 + 2) * 4); // mux, pointer; neutralise; sync, return
    CHECK(bytes(c, 2, StorageCategory::InternalExchangeCode) == 0);
  }

  TEST_CASE("globalExchangeCode: one word from an IPU to another IPU") {
    CodeFixture f(2);
    const Tensor a = onTile(f.graph, 1, 0, "a"), b = onTile(f.graph, 1, 5, "b");
    const Compiled c = compile(f.graph, {Copy(a, b)});
    CHECK(bytes(c, 0, StorageCategory::GlobalExchangeCode) == 4 * 4);
    CHECK(bytes(c, 5, StorageCategory::GlobalExchangeCode) == 5 * 4);
    CHECK(bytes(c, 0, StorageCategory::InternalExchangeCode) == 0);
  }

  TEST_CASE("hostExchangeCode: a send for each packet, a pointer for each run, wait and return") {
    CodeFixture f;
    const Tensor a = onTile(f.graph, 150, 1, "a");
    const DataStream out = f.graph.addDeviceToHostFIFO("out", FLOAT, 150);
    const Compiled c = compile(f.graph, {Copy(a, out)});
    CHECK(bytes(c, 1, StorageCategory::HostExchangeCode) == (3 + 1 + 2) * 4); // 600 bytes: 3 packets
  }

  TEST_CASE("vertexCode: the runtime on every tile, a class once on each tile that has it") {
    CodeFixture f;
    f.scaleOn(0);
    f.scaleOn(0);
    const Compiled c = compile(f.graph, {Execute(f.cs)});
    CHECK(codeOf(c, "Scale") > 0);
    CHECK(bytes(c, 0, StorageCategory::VertexCode) == 56 + codeOf(c, "Scale"));
    CHECK(bytes(c, 1, StorageCategory::VertexCode) == 56);
  }

  TEST_CASE("sharedCodeStorage: a function that two classes of a tile call; one class alone has it as its own code") {
    CodeFixture f;
    f.exponentialOn(0, "ExpA");
    f.exponentialOn(0, "ExpB");
    f.exponentialOn(1, "ExpA");
    const Compiled c = compile(f.graph, {Execute(f.cs)});
    CHECK(bytes(c, 0, StorageCategory::SharedCodeStorage) == 16); // expf, by the table of library functions
    CHECK(bytes(c, 0, StorageCategory::VertexCode) == 56 + codeOf(c, "ExpA") + codeOf(c, "ExpB"));
    CHECK(bytes(c, 1, StorageCategory::SharedCodeStorage) == 0);
    CHECK(bytes(c, 1, StorageCategory::VertexCode) == 56 + codeOf(c, "ExpA") + 16);
  }

} // TEST_SUITE
