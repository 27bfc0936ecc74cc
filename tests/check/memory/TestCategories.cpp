// The data categories: one program for each, with its bytes.
#include "tests/check/memory/MemoryPrograms.hpp"

#include <doctest/doctest.h>
#include <poplar/exceptions.hpp>

using namespace memory_tests;
using namespace poplar;
using namespace poplar::program;

namespace {

/// Adds one vertex of class Copy on `tile`, from `in` to `out`.
Execute copyOn(Graph &graph, unsigned tile, const Tensor &in, const Tensor &out, const std::string &name = "copy") {
  const ComputeSet cs = graph.addComputeSet(name);
  const VertexRef v = vertexOn(graph, cs, "Copy", tile);
  graph.connect(v["in"], in);
  graph.connect(v["out"], out);
  return Execute(cs);
}

struct Fixture {
  Graph graph;
  explicit Fixture(unsigned ipus = 1) : graph(modelTarget(4, ipus)) { addCodelets(graph); }
};

} // namespace

TEST_SUITE("memory.categories") {

  TEST_CASE("variable: elements times the size of one") {
    Fixture f;
    const Tensor a = onTile(f.graph, 10, 1, "a"), b = onTile(f.graph, 10, 1, "b");
    const Compiled c = compile(f.graph, {copyOn(f.graph, 1, a, b)});
    CHECK(bytes(c, 1, StorageCategory::Variable) == 2 * 10 * 4);
    CHECK(bytes(c, 0, StorageCategory::Variable) == 0);
  }

  TEST_CASE("a variable that no program uses takes no memory") {
    Fixture f;
    const Tensor a = onTile(f.graph, 10, 1, "a"), b = onTile(f.graph, 10, 1, "b");
    onTile(f.graph, 500, 1, "unused");
    f.graph.setTileMapping(f.graph.addConstant<float>(FLOAT, {500}, 1.0f), 1);
    const Compiled c = compile(f.graph, {copyOn(f.graph, 1, a, b)});
    CHECK(bytes(c, 1, StorageCategory::Variable) == 80);
    CHECK(bytes(c, 1, StorageCategory::Constant) == 0);
  }

  TEST_CASE("constant: the constants of the user's program") {
    Fixture f;
    const Tensor a = f.graph.addConstant<float>(FLOAT, {10}, 2.0f), b = onTile(f.graph, 10, 1, "b");
    f.graph.setTileMapping(a, 1);
    const Compiled c = compile(f.graph, {copyOn(f.graph, 1, a, b)});
    CHECK(bytes(c, 1, StorageCategory::Constant) == 10 * 4);
    CHECK(bytes(c, 1, StorageCategory::Variable) == 10 * 4);
  }

  TEST_CASE("message: what a vertex reads from another tile, once") {
    Fixture f;
    const Tensor a = onTile(f.graph, 10, 0, "a"), b = onTile(f.graph, 10, 1, "b");
    const Compiled c = compile(f.graph, {copyOn(f.graph, 1, a, b)});
    CHECK(bytes(c, 1, StorageCategory::Message) == 40);
    CHECK(bytes(c, 0, StorageCategory::Message) == 0);
  }

  TEST_CASE("outputEdge: what a vertex writes for another tile") {
    Fixture f;
    const Tensor a = onTile(f.graph, 10, 1, "a"), b = onTile(f.graph, 10, 0, "b");
    const Compiled c = compile(f.graph, {copyOn(f.graph, 1, a, b)});
    CHECK(bytes(c, 1, StorageCategory::OutputEdge) == 40);
  }

  TEST_CASE("rearrangement: every second element of ten, side by side; never always live") {
    Fixture f;
    const Tensor a = onTile(f.graph, 10, 1, "a"), b = onTile(f.graph, 5, 1, "b");
    const Compiled c = compile(f.graph, {copyOn(f.graph, 1, a.subSample(2, 0), b)});
    CHECK(bytes(c, 1, StorageCategory::Rearrangement) == 5 * 4);
    for (const popscope::Allocation &one : c->layout.allocations)
      if (one.category == StorageCategory::Rearrangement)
        CHECK(one.occupied != popscope::LiveClassId(1));
  }

  TEST_CASE("copyDescriptor: 7 bytes and the count of runs, one byte for up to 127 of them, for each worker's share") {
    Fixture f;
    const Tensor a = onTile(f.graph, 16, 1, "a"), b = onTile(f.graph, 16, 1, "b");
    const Compiled c = compile(f.graph, {Copy(a.reshape({4, 4}).transpose(), b.reshape({4, 4}))});
    CHECK(bytes(c, 1, StorageCategory::CopyDescriptor) ==
          2 * (7 + 1)); // 30 + 16 * 4 + 8 = 102 thread cycles: eight runs on each of two workers
  }

  TEST_CASE("globalMessage: what a vertex reads from another IPU") {
    Fixture f(2);
    const Tensor a = onTile(f.graph, 10, 0, "a"), b = onTile(f.graph, 10, 5, "b");
    const Compiled c = compile(f.graph, {copyOn(f.graph, 5, a, b)});
    CHECK(bytes(c, 5, StorageCategory::GlobalMessage) == 40);
    CHECK(bytes(c, 5, StorageCategory::Message) == 0);
  }

  TEST_CASE("globalExchangePacketHeader: 8 bytes for each 1,024 bytes that leave the IPU") {
    Fixture f(2);
    const Tensor a = onTile(f.graph, 750, 0, "a"), b = onTile(f.graph, 750, 5, "b");
    const Compiled c = compile(f.graph, {Copy(a, b)}); // 3,000 bytes: 3 packets
    CHECK(bytes(c, 0, StorageCategory::GlobalExchangePacketHeader) == 3 * 8);
    CHECK(bytes(c, 5, StorageCategory::GlobalExchangePacketHeader) == 0);
  }

  TEST_CASE("hostExchangePacketHeader: 8 bytes a packet of 256 bytes to the host, or a request for 1,024") {
    Fixture f;
    const Tensor a = onTile(f.graph, 150, 1, "a"); // 600 bytes
    const DataStream out = f.graph.addDeviceToHostFIFO("out", FLOAT, 150),
                     in = f.graph.addHostToDeviceFIFO("in", FLOAT, 150);
    CHECK(bytes(compile(f.graph, {Copy(a, out)}), 1, StorageCategory::HostExchangePacketHeader) == 3 * 8);
    CHECK(bytes(compile(f.graph, {Copy(in, a)}), 1, StorageCategory::HostExchangePacketHeader) == 1 * 8);
  }

  TEST_CASE("hostMessage: packets carry words, so three bytes in the middle go through a buffer") {
    Fixture f;
    const Tensor a = f.graph.addVariable(CHAR, {8}, "a");
    f.graph.setTileMapping(a, 1);
    const DataStream in = f.graph.addHostToDeviceFIFO("in", CHAR, 3);
    CHECK(bytes(compile(f.graph, {Copy(in, a.slice(1, 4))}), 1, StorageCategory::HostMessage) == 3);
  }

  TEST_CASE("controlId: with two programs the sync id and the program id on tile 0, a copy on the others") {
    Fixture f;
    const Tensor a = onTile(f.graph, 10, 1, "a"), b = onTile(f.graph, 10, 1, "b");
    const Compiled c = compile(f.graph, {Copy(a, b), Copy(b, a)});
    CHECK(bytes(c, 0, StorageCategory::ControlId) == 2 * 4);
    for (unsigned tile = 1; tile < 4; ++tile)
      CHECK(bytes(c, tile, StorageCategory::ControlId) == 4);
  }

  TEST_CASE("stack: six workers of 512 bytes and a supervisor of 96; options set other sizes") {
    Fixture f;
    const Tensor a = onTile(f.graph, 10, 1, "a"), b = onTile(f.graph, 10, 1, "b");
    CHECK(bytes(compile(f.graph, {Copy(a, b)}), 3, StorageCategory::Stack) == 3168);
    const Compiled c =
        compile(f.graph, {Copy(a, b)},
                {{"target.workerStackSizeInBytes", "0x100"}, {"target.supervisorStackSizeInBytes", "128"}});
    CHECK(bytes(c, 3, StorageCategory::Stack) == 6 * 256 + 128);
    for (const char *bad : {"-1", "8 ", "0x", "big", "99999999999"})
      CHECK_THROWS_AS(compile(f.graph, {Copy(a, b)}, {{"target.workerStackSizeInBytes", bad}}), invalid_option);
  }

  TEST_CASE("vertexInstanceState: fields in their order, with padding as lines of its own") {
    // ipu1: halfword 2, padding 2, pointer and size 8, halfword 2, padding 2 to the alignment of 4
    Fixture f;
    const Tensor a = onTile(f.graph, 10, 1, "a");
    const ComputeSet cs = f.graph.addComputeSet("mixed");
    const VertexRef v = vertexOn(f.graph, cs, "Mixed", 1);
    f.graph.connect(v["x"], a);
    f.graph.setInitialValue(v["count"], 1);
    f.graph.setInitialValue(v["more"], 2);
    const Compiled c = compile(f.graph, {Execute(cs)});
    CHECK(bytes(c, 1, StorageCategory::VertexInstanceState) == 16);
    const auto &fields = c->record.vertexTypes.at(0).fields;
    REQUIRE(fields.size() == 5);
    const std::vector<std::string> names = {"count", "", "x", "more", ""},
                                   kinds = {"state", "padding", "edge", "state", "padding"};
    const std::vector<std::uint64_t> offsets = {0, 2, 4, 12, 14}, sizes = {2, 2, 8, 2, 2};
    for (std::size_t i = 0; i < fields.size(); ++i) {
      CHECK(fields[i].name == names[i]);
      CHECK(fields[i].kind == kinds[i]);
      CHECK(fields[i].offset.count() == offsets[i]);
      CHECK(fields[i].bytes.count() == sizes[i]);
    }
  }

  TEST_CASE("vertexFieldData: a pointer and a size for each row of a vector of vectors") {
    Fixture f;
    const Tensor a = onTile(f.graph, 12, 1, "a"), out = onTile(f.graph, 1, 1, "out");
    const ComputeSet cs = f.graph.addComputeSet("rows");
    const VertexRef v = vertexOn(f.graph, cs, "Rows", 1);
    f.graph.connect(v["rows"], a.reshape({3, 4}));
    f.graph.connect(v["out"], out[0]);
    CHECK(bytes(compile(f.graph, {Execute(cs)}), 1, StorageCategory::VertexFieldData) == 3 * 8);
  }

  TEST_CASE("vectorListDescriptor: 4 bytes a row") {
    Fixture f;
    const Tensor a = onTile(f.graph, 12, 1, "a"), out = onTile(f.graph, 1, 1, "out");
    const ComputeSet cs = f.graph.addComputeSet("list");
    const VertexRef v = vertexOn(f.graph, cs, "List", 1);
    f.graph.connect(v["rows"], a.reshape({3, 4}));
    f.graph.connect(v["out"], out[0]);
    CHECK(bytes(compile(f.graph, {Execute(cs)}), 1, StorageCategory::VectorListDescriptor) == 3 * 4);
  }

  TEST_CASE("sharedDataStorage: equal const data of one tile exists once, other data for each vertex") {
    Fixture f;
    const ComputeSet cs = f.graph.addComputeSet("table");
    const auto add = [&](unsigned tile, unsigned first) {
      const VertexRef v = vertexOn(f.graph, cs, "Table", tile);
      f.graph.connect(v["x"], onTile(f.graph, 1, tile, "x")[0]);
      const std::vector<unsigned> weights = {first, 2, 3, 4};
      f.graph.setInitialValue(v["weights"], ArrayRef<unsigned>(weights));
    };
    add(1, 1);
    add(1, 1);
    add(1, 9); // its own field data: 16 bytes
    add(2, 1); // on another tile
    const Compiled c = compile(f.graph, {Execute(cs)});
    CHECK(bytes(c, 1, StorageCategory::SharedDataStorage) == 4 * 4);
    CHECK(bytes(c, 1, StorageCategory::VertexFieldData) == 4 * 4);
    CHECK(bytes(c, 2, StorageCategory::SharedDataStorage) == 0);
    CHECK(bytes(c, 2, StorageCategory::VertexFieldData) == 4 * 4);
  }

  TEST_CASE("sharedDataStorage: two vertices that read the same rows have one table of pointers") {
    Fixture f;
    const Tensor a = onTile(f.graph, 12, 1, "a"), out = onTile(f.graph, 2, 1, "out");
    const ComputeSet cs = f.graph.addComputeSet("rows");
    for (unsigned i = 0; i < 2; ++i) {
      const VertexRef v = vertexOn(f.graph, cs, "Rows", 1);
      f.graph.connect(v["rows"], a.reshape({3, 4}));
      f.graph.connect(v["out"], out[i]);
    }
    const Compiled c = compile(f.graph, {Execute(cs)});
    CHECK(bytes(c, 1, StorageCategory::SharedDataStorage) == 3 * 8);
    CHECK(bytes(c, 1, StorageCategory::VertexFieldData) == 0);
  }

  TEST_CASE("multiple: addresses that a message and, at another time, a rearrangement occupy") {
    Fixture f;
    const Tensor far = onTile(f.graph, 10, 0, "far"), a = onTile(f.graph, 20, 1, "a"), b = onTile(f.graph, 10, 1, "b");
    const Compiled c = compile(
        f.graph, {Sequence({copyOn(f.graph, 1, far, b, "first"), copyOn(f.graph, 1, a.subSample(2, 0), b, "second")})});
    CHECK(bytes(c, 1, StorageCategory::Message) == 40);
    CHECK(bytes(c, 1, StorageCategory::Rearrangement) == 40);
    const popscope::TileMemory &tile = c->layout.tiles[1];
    // addresses that both categories use
    CHECK(tile.usedBy[static_cast<std::size_t>(StorageCategory::Multiple)].count() == 40);
    CHECK(tile.usedBy[static_cast<std::size_t>(StorageCategory::Message)].count() == 0);
    using popscope::Bytes;
    const auto category = [&](StorageCategory which) { return tile.category[static_cast<std::size_t>(which)]; };
    CHECK(category(StorageCategory::Multiple)[0] ==
          std::array{Bytes(), Bytes(40)}); // the same addresses, in their region
    CHECK(category(StorageCategory::Message)[0] == std::array{Bytes(), Bytes(40)}); // a sum over allocations
    CHECK(tile.afterOverlapping.count() == 40);
  }

  TEST_CASE("elements that must differ and homes that pointers must reach are passed to the layout") {
    Fixture f;
    const Tensor a = onTile(f.graph, 4, 1, "a"), b = onTile(f.graph, 4, 1, "b");
    const ComputeSet cs = f.graph.addComputeSet("apart");
    const VertexRef v = vertexOn(f.graph, cs, "Apart", 1);
    f.graph.connect(v["a"], a);
    f.graph.connect(v["b"], b);
    const Compiled c = compile(f.graph, {Execute(cs)});
    REQUIRE(c->program.apart.size() == 1);
    const auto nameOf = [&](popscope::HomeId home) {
      return c->program.names[c->program.vars[c->program.homes[home].var].name];
    };
    CHECK(nameOf(c->program.apart[0].a) == "a");
    CHECK(nameOf(c->program.apart[0].b) == "b");
  }

} // TEST_SUITE
