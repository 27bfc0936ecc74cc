// The allocations that a program has on its tiles.
#include "liveness/analysis/AnalyseLiveness.hpp"
#include "liveness/check/CheckLayout.hpp"
#include "liveness/layout/PlaceAllocations.hpp"
#include "tests/unit/liveness/StepBuilder.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <utility>

using namespace popscope;
using popscope::testing::smallMachine;
using popscope::testing::StepBuilder;

namespace {

// Two tiles. Tile 0: two vertices of type 0 and one copy vertex; tile 1: one vertex of type 1. An exchange between
// two halves of a stream copy that share one payload.
StepProgram exampleProgram() {
  StepBuilder b(2);
  StepProgram &p = b.program();
  p.libraryCode = {{"unused", Bytes32(8)}, {"shared", Bytes32(12)}};
  for (int t = 0; t < 3; ++t) {
    StepVertexType type;
    type.codeBytes = Bytes32(4 + 4 * static_cast<std::uint32_t>(t));
    type.codeKnown = true;
    type.libraries = {1};
    p.vertexTypes.push(type);
  }
  VertexFootprint small, large;
  small.instanceState = Bytes32(6);
  large.instanceState = Bytes32(8);
  large.fieldData = Bytes32(10);
  large.vectorListDescriptor = Bytes32(2);
  large.copyDescriptor = Bytes32(3);
  p.footprints = {small, large};
  const auto addVertex = [&](std::uint32_t type, std::uint32_t tile, std::uint32_t footprint) {
    StepVertex v;
    v.type = VertexTypeId(type);
    v.tile = TileId(tile);
    v.form = static_cast<std::uint32_t>(p.forms.size());
    p.forms.emplace_back().footprint = footprint;
    p.vertices.push_back(v);
  };
  addVertex(0, 0, 0);
  addVertex(0, 0, 0);
  addVertex(1, 1, 1);
  CopyVertex copy;
  copy.type = VertexTypeId(2);
  copy.tile = TileId(0);
  copy.footprint = 1;
  p.copies.push_back(copy);
  ExecuteStep all;
  all.numVertices = 3;
  all.numCopies = 1;
  p.executes = {all};
  p.exchangeTiles.resize(2);
  for (std::uint32_t i = 0; i < 2; ++i) {
    p.exchangeTiles[i].tile = TileId(i);
    p.exchangeTiles[i].codeBytes = Bytes32(20 + i);
  }
  p.exchanges = {{0, 0, 0, 1}, {0, 0, 1, 1}};
  p.hostTiles = {{TileId(1), Bytes(4), Bytes32(28), Bytes32(8)}};
  StreamCopyStep stream;
  stream.numTiles = 1;
  p.streamCopies = {stream};
  p.tileCode = {{TileId(1), Bytes32(16)}};
  b.leaf(StepKind::StreamCopyBegin);
  b.leaf(StepKind::StreamCopyMid);
  b.leaf(StepKind::StreamCopyEnd);
  b.leaf(StepKind::DoExchange, {}, 0);
  b.leaf(StepKind::GlobalExchange, {}, 1);
  const std::uint32_t execute = b.step({});
  p.steps[StepIndex(execute)].controlCode = {Bytes32(4), 0, 1};
  return b.finish();
}

using CategoryTotals = std::map<std::pair<std::uint32_t, StorageCategory>, std::uint64_t>;

CategoryTotals totals(const LayoutResult &layout) {
  CategoryTotals out;
  for (std::uint32_t tile = 0; tile < layout.tiles.size(); ++tile)
    for (const Allocation &a : layout.ofTile(TileId(tile)))
      out[{tile, a.category}] += a.bytes.count();
  return out;
}

LayoutResult place(const StepProgram &program, bool codeIncluded) {
  TileMachine machine = smallMachine(2);
  machine.code.runtimeBytes = 16;
  const LiveRanges ranges = analyseLiveness(program);
  LayoutOptions options;
  options.codeIncluded = codeIncluded;
  LayoutResult layout = placeAllocations(program, ranges, machine, options);
  for (const std::string &finding : checkLayout(program, ranges, layout, machine))
    FAIL_CHECK(finding);
  return layout;
}

} // namespace

TEST_SUITE("liveness.layout.problem") {
  TEST_CASE("every byte of code, state and headers is on its tile, once") {
    using C = StorageCategory;
    const CategoryTotals expected{
        {{0, C::Stack}, 16},
        {{0, C::VertexCode}, 16 + 4 + 12}, // runtime, type 0 once for two vertices, the copy's type 2
        {{0, C::SharedCodeStorage}, 12},   // reached by both types
        {{0, C::ControlCode}, 4},
        {{0, C::InternalExchangeCode}, 20},
        {{0, C::VertexInstanceState}, 6 + 6 + 8},
        {{0, C::VertexFieldData}, 10},
        {{0, C::VectorListDescriptor}, 2},
        {{0, C::CopyDescriptor}, 3},
        {{1, C::Stack}, 16},
        {{1, C::VertexCode}, 16 + 8 + 12}, // only type 1 reaches the library function, which counts as its own code
        {{1, C::ControlCode}, 4 + 16},
        {{1, C::GlobalExchangeCode}, 21},
        {{1, C::HostExchangeCode}, 28}, // three steps share the payload
        {{1, C::HostExchangePacketHeader}, 8},
        {{1, C::VertexInstanceState}, 8},
        {{1, C::VertexFieldData}, 10},
        {{1, C::VectorListDescriptor}, 2},
        {{1, C::CopyDescriptor}, 3}};
    const StepProgram program = exampleProgram();
    const LayoutResult layout = place(program, true);
    const CategoryTotals now = totals(layout);
    for (const auto &row : expected) {
      CAPTURE(row.first.first);
      CAPTURE(storageCategoryKey(row.first.second));
      CHECK((now.count(row.first) == 1 && now.at(row.first) == row.second));
    }
    CHECK(now.size() == expected.size());
    CHECK(now.count({1, C::SharedCodeStorage}) == 0);
    for (const Allocation &a : layout.allocations)
      if (a.owner == OwnerKind::HostExchange || a.owner == OwnerKind::HostHeader)
        CHECK(program.steps[StepIndex(a.ownerIndex)].kind == StepKind::StreamCopyMid);
  }

  TEST_CASE("without code the stack, the headers and the vertices' data remain") {
    const CategoryTotals now = totals(place(exampleProgram(), false));
    for (const auto &row : now)
      CHECK(std::string(storageCategoryKey(row.first.second)).find("Code") == std::string::npos);
    CHECK(now.at({1, StorageCategory::HostExchangePacketHeader}) == 8);
    CHECK(now.at({0, StorageCategory::Stack}) == 16);
    CHECK(now.at({0, StorageCategory::VertexInstanceState}) == 20);
    CHECK(now.size() == 11);
  }
}
