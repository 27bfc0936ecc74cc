// The same program on a model with and without IPU code, and on a simulated IPU.
#include "tests/check/memory/MemoryPrograms.hpp"

#include <doctest/doctest.h>

#include <sstream>

using namespace memory_tests;
using namespace poplar;
using namespace poplar::program;

namespace {

/// Compiles exchanges within and between IPUs, copies, a loop, host copies and two programs.
Compiled compiledFor(const Target &target, const OptionFlags &options = {}) {
  Graph graph(target);
  addCodelets(graph);
  const Tensor a = graph.addVariable(FLOAT, {64}, VariableMappingMethod::LINEAR, "a"), b = onTile(graph, 64, 1, "b");
  const ComputeSet cs = graph.addComputeSet("cs");
  const VertexRef v = vertexOn(graph, cs, "Copy", 5);
  graph.connect(v["in"], b);
  graph.connect(v["out"], a);
  graph.createHostWrite("b", b);
  return compile(graph,
                 {Repeat(2, Sequence({Execute(cs), Copy(a.reshape({8, 8}).transpose().flatten(), b)})), Copy(b, a)},
                 options);
}

bool isCodeCategory(StorageCategory c) {
  switch (c) {
  case StorageCategory::ControlCode:
  case StorageCategory::ControlTable:
  case StorageCategory::GlobalExchangeCode:
  case StorageCategory::HostExchangeCode:
  case StorageCategory::InternalExchangeCode:
  case StorageCategory::SharedCodeStorage:
  case StorageCategory::VertexCode: return true;
  case StorageCategory::Constant:
  case StorageCategory::ControlId:
  case StorageCategory::CopyDescriptor:
  case StorageCategory::GlobalExchangePacketHeader:
  case StorageCategory::GlobalMessage:
  case StorageCategory::HostExchangePacketHeader:
  case StorageCategory::HostMessage:
  case StorageCategory::InstrumentationResults:
  case StorageCategory::Message:
  case StorageCategory::Multiple:
  case StorageCategory::OutputEdge:
  case StorageCategory::Rearrangement:
  case StorageCategory::SharedDataStorage:
  case StorageCategory::Stack:
  case StorageCategory::Variable:
  case StorageCategory::VectorListDescriptor:
  case StorageCategory::VertexFieldData:
  case StorageCategory::VertexInstanceState: break;
  }
  return false;
}

} // namespace

TEST_SUITE("memory.devices") {

  TEST_CASE("a model with IPU code and a simulated IPU have the same memory, byte for byte") {
    const Compiled model = compiledFor(modelTarget(4, 2)), ipu = compiledFor(ipuTarget(4, 2));
    CHECK(model->record.codeIncluded);
    CHECK(ipu->record.codeIncluded);
    REQUIRE(model->layout.firstOfTile == ipu->layout.firstOfTile);
    for (std::size_t i = 0; i < model->layout.allocations.size(); ++i) {
      const popscope::Allocation &x = model->layout.allocations[i], &y = ipu->layout.allocations[i];
      CHECK(x.category == y.category);
      CHECK(x.address == y.address);
      CHECK(x.bytes == y.bytes);
    }
    for (std::size_t t = 0; t < model->layout.tiles.size(); ++t) {
      CHECK(model->layout.tiles[t].totalIncludingGaps == ipu->layout.tiles[t].totalIncludingGaps);
      CHECK(model->layout.tiles[t].usedBy == ipu->layout.tiles[t].usedBy);
    }
  }

  TEST_CASE("instrumentation makes the difference: an IPU with counters uses more than the model") {
    const Compiled model = compiledFor(modelTarget(4, 2), {{"debug.instrument", "true"}}),
                   ipu = compiledFor(ipuTarget(4, 2), {{"debug.instrument", "true"}});
    CHECK(ipu->layout.tiles[5].totalExcludingGaps > model->layout.tiles[5].totalExcludingGaps);
  }

  TEST_CASE("a model without IPU code has no code and no stacks, and the profile says so") {
    const Compiled with = compiledFor(modelTarget(4, 2)),
                   without = compiledFor(modelTarget(4, 2, false), {{"popscope.scheduler", "table"}});
    CHECK_FALSE(without->record.codeIncluded);
    for (const popscope::Allocation &a : without->layout.allocations)
      CHECK_FALSE(isCodeCategory(a.category));
    for (std::size_t c = 0; c < popscope::kNumStorageCategories; ++c) {
      const auto category = static_cast<StorageCategory>(c);
      for (unsigned tile = 0; tile < 8; ++tile)
        if (!isCodeCategory(category) && category != StorageCategory::Stack)
          CHECK(bytes(with, tile, category) == bytes(without, tile, category));
    }
    CHECK(bytes(with, 3, StorageCategory::Stack) == 3168);
    CHECK(bytes(without, 3, StorageCategory::Stack) == 0);
    for (const popscope::Allocation &a : with->layout.allocations)
      CHECK((isCodeCategory(a.category) || a.address >= 16384)); // the first memory element is reserved for code
    bool first = false;
    for (const popscope::Allocation &a : without->layout.allocations)
      first = first || a.address == 0;
    CHECK(first);
  }

} // TEST_SUITE
