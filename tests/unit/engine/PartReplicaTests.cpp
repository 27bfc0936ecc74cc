// Replicated parts of a graph (createReplicatedGraph): values, streams, control flow and the underlying tensors.
#include "tests/unit/engine/Programs.hpp"

#include <doctest/doctest.h>

#include <numeric>
#include <sstream>

using namespace poplar;
using namespace poplar::program;
using namespace engine_tests;

namespace {

using Ints = std::vector<int>;
using Floats = std::vector<float>;

/// A graph with `tiles` tiles of one IPU in `replicas` parts, with codelets.
struct Parts {
  Device device;
  Graph top, part;
  explicit Parts(unsigned replicas, unsigned tiles = 4, unsigned ipus = 1)
      : device(smallModel(tiles, ipus)), top(device.getTarget()), part(top.createReplicatedGraph(replicas)) {
    addTestCodelets(top);
  }
  Tensor add(const Type &type, std::vector<std::size_t> shape, const char *name, unsigned tile = 0) {
    const Tensor t = part.addVariable(type, shape, name);
    part.setTileMapping(t, tile);
    return t;
  }
};

const OptionFlags kVerify{{"debug.verify", "true"}};

template <class T> std::vector<T> readAll(Engine &engine, const char *handle, std::size_t n) {
  std::vector<T> out(n);
  engine.readTensor(handle, out.data(), out.data() + n);
  return out;
}
template <class T> void writeAll(Engine &engine, const char *handle, const std::vector<T> &values) {
  engine.writeTensor(handle, values.data(), values.data() + values.size());
}

} // namespace

TEST_SUITE("engine.partReplicas") {

  TEST_CASE("a part has its share of tiles, whole IPUs or equal parts of one") {
    Parts four(2, 4);
    CHECK(four.part.getTarget().getNumTiles() == 2);
    CHECK(four.part.getReplicationFactor() == 2);
    CHECK(four.top.getReplicationFactor() == 1);
    CHECK(four.part.getTopLevelGraph().getTarget().getNumTiles() == 4);
    Parts ipus(2, 4, 4);
    CHECK(ipus.part.getTarget().getNumIPUs() == 2);
    CHECK(ipus.part.getTarget().getNumTiles() == 8);
    CHECK_THROWS_AS(four.top.createReplicatedGraph(3), graph_replication_error);
    CHECK_THROWS_AS(four.top.createReplicatedGraph(0), graph_replication_error);
    CHECK_THROWS_AS(four.part.createReplicatedGraph(2), graph_replication_error);
    CHECK(four.top.createReplicatedGraph(1).getTarget().getNumTiles() == 4);
  }

  TEST_CASE("the tensors behind lie on the tiles of their replicas") {
    Parts p(2);
    const Tensor x = p.add(INT, {3}, "x", 1);
    CHECK(p.part.getTileMapping(x)[1] == std::vector<Interval>{{0, 3}});
    const Tensor all = p.top.getNonReplicatedTensor(x);
    CHECK(all.shape() == std::vector<std::size_t>{2, 3});
    const auto mapping = p.top.getTileMapping(all);
    CHECK(mapping[1] == std::vector<Interval>{{0, 3}});
    CHECK(mapping[3] == std::vector<Interval>{{3, 6}});
    const Tensor copy = p.part.clone(x.slice(1, 3));
    CHECK(p.top.getTileMapping(p.top.getNonReplicatedTensor(copy))[3] == std::vector<Interval>{{2, 4}});
    const Tensor linear = p.part.addVariable(INT, {4}, VariableMappingMethod::LINEAR);
    for (const auto &tile : p.top.getTileMapping(p.top.getNonReplicatedTensor(linear)))
      CHECK(tile.size() == 1);
    const Tensor whole = p.top.addVariable(INT, {2}, "whole");
    CHECK(p.top.getNonReplicatedTensor(whole).shape() == std::vector<std::size_t>{1, 2});
  }

  TEST_CASE("vertices, copies, constants and initial values exist in every replica") {
    Parts p(2);
    const Tensor x = p.add(FLOAT, {3}, "x", 1), y = p.add(FLOAT, {3}, "y", 0), sum = p.add(FLOAT, {}, "sum", 0);
    const Tensor one = p.part.addConstant<float>(FLOAT, {3}, {1, 2, 3});
    p.part.setTileMapping(one, 0);
    const ComputeSet cs = p.part.addComputeSet("cs");
    const VertexRef twice = p.part.addVertex(cs, "Double", {{"in", x}, {"out", y}});
    p.part.setTileMapping(twice, 1);
    const ComputeSet cs2 = p.part.addComputeSet("sum");
    const VertexRef v = p.part.addVertex(cs2, "Sum", {{"in", y}, {"out", sum}});
    p.part.setTileMapping(v, 0);
    p.part.createHostWrite("x", x);
    p.part.createHostRead("y", y);
    p.part.createHostRead("sum", sum);
    const Tensor started = p.add(FLOAT, {2}, "started", 1);
    p.part.setInitialValue(started, 4.0f);
    p.top.setInitialValue(p.top.getNonReplicatedTensor(started)[1][1], 9.0f);
    p.part.createHostRead("started", started);
    Engine engine(p.top, {Sequence(Execute(cs), Execute(cs2)), Sequence(Copy(one, y))}, kVerify);
    engine.load(p.device);
    writeAll(engine, "x", Floats{1, 2, 3, 10, 20, 30});
    engine.run(0);
    CHECK(readAll<float>(engine, "y", 6) == Floats{2, 4, 6, 20, 40, 60});
    CHECK(readAll<float>(engine, "sum", 2) == Floats{12, 120});
    engine.run(1);
    CHECK(readAll<float>(engine, "y", 6) == Floats{1, 2, 3, 1, 2, 3});
    CHECK(readAll<float>(engine, "started", 4) == Floats{4, 4, 4, 9});
  }

  TEST_CASE("the whole graph reduces over replicas and spreads the result") {
    Parts p(4, 4);
    const Tensor x = p.add(FLOAT, {2}, "x"), total = p.top.addVariable(FLOAT, {}, "total");
    p.top.setTileMapping(total, 2);
    const ComputeSet cs = p.top.addComputeSet("reduce");
    const VertexRef v = p.top.addVertex(cs, "Sum", {{"in", p.top.getNonReplicatedTensor(x).flatten()}, {"out", total}});
    p.top.setTileMapping(v, 3);
    p.part.createHostWrite("x", x);
    p.part.createHostRead("x", x);
    Engine engine(p.top, Sequence(Execute(cs), Copy(total.reshape({1}).broadcast(2, 0), x)), kVerify);
    engine.load(p.device);
    Floats in(8);
    std::iota(in.begin(), in.end(), 1.0f);
    writeAll(engine, "x", in);
    engine.run();
    CHECK(readAll<float>(engine, "x", 8) == Floats(8, 36.0f));
  }

  TEST_CASE("what several replicas would write is refused") {
    Parts p(2);
    const Tensor x = p.add(INT, {2}, "x"), whole = p.top.addVariable(INT, {2}, "whole");
    p.top.setTileMapping(whole, 0);
    CHECK_THROWS_WITH_AS(Engine(p.top, Copy(x, whole)), doctest::Contains("getNonReplicatedTensor"),
                         control_program_error);
    const DataStream s = p.top.addHostToDeviceFIFO("s", INT, 2);
    CHECK_THROWS_WITH_AS(Engine(p.top, Copy(s, x)), doctest::Contains("replicated graph"), control_program_error);
  }

  TEST_CASE("streams give each replica its blocks; a BROADCAST stream is asked once") {
    for (const bool broadcast : {false, true}) {
      CAPTURE(broadcast);
      Parts p(2);
      const Tensor x = p.add(INT, {2}, "x");
      const DataStream in = p.part.addHostToDeviceFIFO(
          "in", INT, 2, broadcast ? ReplicatedStreamMode::BROADCAST : ReplicatedStreamMode::REPLICATE);
      const DataStream out = p.part.addDeviceToHostFIFO("out", INT, 2);
      CHECK(in.replicationFactor() == 2);
      Engine engine(p.top, Repeat(2, Sequence(Copy(in, x), Copy(x, out))), kVerify);
      engine.load(p.device);
      Ints from(broadcast ? 4 : 8), to(8);
      std::iota(from.begin(), from.end(), 0);
      engine.connectStream("in", from.data(), from.data() + from.size());
      engine.connectStream("out", to.data(), to.data() + to.size());
      engine.run();
      CHECK(to == (broadcast ? Ints{0, 1, 0, 1, 2, 3, 2, 3} : Ints{0, 1, 2, 3, 4, 5, 6, 7}));
    }
  }

  TEST_CASE("a buffer without an end holds one transfer of every part") {
    for (const unsigned ipus : {1u, 4u}) {
      Parts p(4, 4, ipus);
      const Tensor x = p.add(INT, {3}, "x");
      const DataStream in = p.part.addHostToDeviceFIFO("in", INT, 3), out = p.part.addDeviceToHostFIFO("out", INT, 3);
      Engine engine(p.top, {Copy(in, x), Copy(x, out)}, kVerify);
      CHECK(engine.getStreamHandles() == std::vector<std::string>{"in", "out"});
      engine.load(p.device);
      Ints from(12), to(12);
      std::iota(from.begin(), from.end(), 1);
      engine.connectStream("in", from.data());
      engine.connectStream(out, to.data());
      engine.run(0);
      engine.run(1);
      CHECK(to == from);
      CHECK_THROWS_WITH_AS(engine.connectStream("in", from.data(), from.data() + 3), doctest::Contains("4 replicas"),
                           stream_connection_error);
    }
  }

  TEST_CASE("a callback is connected to one part's stream, or to all") {
    Parts p(2);
    const Tensor x = p.add(INT, {1}, "x");
    const DataStream in = p.part.addHostToDeviceFIFO("in", INT, 1);
    p.part.createHostRead("x", x);
    Engine engine(p.top, Copy(in, x), kVerify);
    engine.load(p.device);
    for (unsigned k : {1u, 0u})
      engine.connectStreamToCallback("in", k,
                                     [k](void *data) { *static_cast<int *>(data) = 10 + static_cast<int>(k); });
    engine.run();
    CHECK(readAll<int>(engine, "x", 2) == Ints{10, 11});
    CHECK_THROWS_AS(engine.connectStreamToCallback("in", 2, [](void *) {}), stream_connection_error);
    int calls = 0;
    engine.connectStreamToCallback("in", [&calls](void *data) { *static_cast<int *>(data) = ++calls; });
    engine.run();
    CHECK(readAll<int>(engine, "x", 2) == Ints{1, 2});
  }

  TEST_CASE("parts that take a branch by their own value keep their share of a stream") {
    Parts p(2);
    const Tensor index = p.part.addReplicationIndexConstant("index"), x = p.add(INT, {1}, "x");
    p.part.setTileMapping(index, 0);
    const DataStream in = p.part.addHostToDeviceFIFO("in", INT, 1);
    p.part.createHostRead("x", x);
    // part 1 reads a second time
    Engine engine(p.top, Sequence(If(index, Copy(in, x), Sequence()), Copy(in, x)), kVerify);
    engine.load(p.device);
    Ints from{0, 1, 2, 3};
    engine.connectStream("in", from.data(), from.data() + from.size());
    engine.run();
    CHECK(readAll<int>(engine, "x", 2) == Ints{0, 3});
  }

  TEST_CASE("the tensors behind are tensors of the whole graph: streams, copies, slices") {
    Parts p(2, 8);
    const Tensor x = p.add(FLOAT, {4}, "x", 1);
    const Tensor all = p.top.getNonReplicatedTensor(x);
    const Tensor y = p.top.addVariable(FLOAT, {2, 4}, VariableMappingMethod::LINEAR, "y");
    const DataStream in = p.top.addHostToDeviceFIFO("in", FLOAT, 8), out = p.top.addDeviceToHostFIFO("out", FLOAT, 8);
    p.part.createHostRead("x", x);
    const Sequence swap(Copy(all, y), Copy(y.reverse(0), all));
    const Sequence first(Copy(y[0], all[0])); // of replica 0 alone
    Engine engine(p.top, {Copy(in, all), Copy(all, out), swap, first}, kVerify);
    engine.load(p.device);
    Floats from{1, 2, 3, 4, 5, 6, 7, 8}, to(8);
    engine.connectStream("in", from.data());
    engine.connectStream("out", to.data());
    engine.run(0);
    engine.run(1);
    CHECK(to == from);
    engine.run(2);
    CHECK(readAll<float>(engine, "x", 8) == Floats{5, 6, 7, 8, 1, 2, 3, 4});
    engine.run(3);
    CHECK(readAll<float>(engine, "x", 8) == Floats{1, 2, 3, 4, 1, 2, 3, 4});
  }

  TEST_CASE("each replica has its remote buffer") {
    Parts p(2);
    const Tensor x = p.add(INT, {1}, "x");
    const RemoteBuffer buffer = p.part.addRemoteBuffer("far", INT, 1, 2);
    p.part.createHostRead("x", x);
    Engine engine(p.top, Copy(buffer, x), kVerify);
    engine.load(p.device);
    int a = 5, b = 6;
    engine.copyToRemoteBuffer(&a, "far", 0, 0);
    engine.copyToRemoteBuffer(&b, "far", 0, 1);
    engine.run();
    CHECK(readAll<int>(engine, "x", 2) == Ints{5, 6});
  }

  TEST_CASE("replicas take branches and leave loops by their own values") {
    Parts p(2);
    const Tensor index = p.part.addReplicationIndexConstant("index"), x = p.add(INT, {1}, "x"),
                 f = p.add(FLOAT, {1}, "f"), go = p.add(BOOL, {}, "go");
    p.part.setTileMapping(index, 1);
    const Tensor limit = p.part.addConstant<int>(INT, {1}, {-1});
    p.part.setTileMapping(limit, 0);
    const ComputeSet up = p.part.addComputeSet("up"), test = p.part.addComputeSet("test");
    const VertexRef inc = p.part.addVertex(up, "Increment", {{"x", f}});
    p.part.setInitialValue(inc["by"], 1.0f);
    const VertexRef less = p.part.addVertex(test, "Less", {{"a", f.reshape({})}, {"out", go}});
    p.part.setInitialValue(less["limit"], 5.0f);
    for (const VertexRef &v : {inc, less})
      p.part.setTileMapping(v, 1);
    p.part.createHostWrite("f", f);
    p.part.createHostRead("f", f);
    p.part.createHostRead("x", x);
    const Function count = p.part.addFunction(Execute(up));
    const Sequence prog(Copy(index.reinterpret(INT).reshape({1}), x), If(index, Copy(limit, x), Sequence()),
                        RepeatWhileTrue(Execute(test), go, Call(count)));
    Engine engine(p.top, prog, kVerify);
    engine.load(p.device);
    writeAll(engine, "f", Floats{1, 3.5f});
    engine.run();
    CHECK(readAll<int>(engine, "x", 2) == Ints{0, -1});
    CHECK(readAll<float>(engine, "f", 2) == Floats{5, 5.5f});
    const Tensor whole = p.top.addVariable(INT, {1}, "whole"), zero = p.top.addConstant<int>(INT, {1}, {0});
    p.top.setTileMapping(whole, 0);
    p.top.setTileMapping(zero, 0);
    CHECK_THROWS_WITH_AS(Engine(p.top, If(index, Copy(zero, whole), Sequence())), doctest::Contains("whole graph"),
                         control_program_error);
  }

  TEST_CASE("copies between replicas, prints and vertices' results are each replica's own") {
    Parts p(3, 3);
    const Tensor x = p.add(INT, {1}, "x"), y = p.add(INT, {1}, "y"), f = p.add(FLOAT, {1}, "f"),
                 ok = p.add(BOOL, {}, "ok");
    const ComputeSet cs = p.part.addComputeSet("cs");
    const VertexRef v = p.part.addVertex(cs, "Increment", {{"x", f}});
    p.part.setInitialValue(v["by"], 1.0f);
    p.part.setTileMapping(v, 0);
    p.part.createHostWrite("x", x);
    p.part.createHostRead("y", y);
    p.part.createHostRead("ok", ok);
    CHECK_THROWS_AS(CrossReplicaCopy(x, y, {{0, 3}}), control_program_error);
    Engine engine(p.top,
                  Sequence(CrossReplicaCopy(x, y, {{0, 1}, {1, 2}, {2, 0}}), PrintTensor("y", y), Execute(cs, ok)),
                  kVerify);
    engine.load(p.device);
    std::ostringstream printed;
    engine.setPrintTensorStream(printed);
    writeAll(engine, "x", Ints{7, 8, 9});
    engine.run();
    CHECK(readAll<int>(engine, "y", 3) == Ints{9, 7, 8});
    CHECK(printed.str() == "y (replica 0): [9]\ny (replica 1): [7]\ny (replica 2): [8]\n");
    CHECK(readAll<char>(engine, "ok", 3) == std::vector<char>{1, 1, 1});
  }

  TEST_CASE("a virtual graph of a part is the same tiles of every replica") {
    Parts p(2, 8);
    Graph upper = p.part.createVirtualGraph(2, 4);
    const Tensor x = upper.addVariable(INT, {2}, VariableMappingMethod::LINEAR);
    const auto mapping = p.top.getTileMapping(p.top.getNonReplicatedTensor(x));
    for (const unsigned tile : {2u, 3u, 6u, 7u})
      CHECK(mapping[tile].size() == 1);
    CHECK(upper.getReplicationFactor() == 2);
  }
}
