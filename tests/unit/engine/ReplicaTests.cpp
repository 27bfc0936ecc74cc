// Replicated graphs: values of each replica, streams, remote buffers, copies between replicas, and refused programs.
#include "tests/unit/engine/Programs.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <numeric>
#include <sstream>

using namespace poplar;
using namespace poplar::program;
using namespace engine_tests;

namespace {

using Ints = std::vector<int>;

/// One variable x of `n` ints on tile 1 of each replica's single IPU.
struct Replicated {
  Device device;
  Graph graph;
  Tensor x;
  explicit Replicated(unsigned replicas, std::size_t n = 2)
      : device(smallModel(4, replicas)), graph(device.getTarget(), replication_factor(replicas)),
        x(graph.addVariable(INT, {n}, "x")) {
    graph.setTileMapping(x, 1);
  }
};

template <class T> void connect(Engine &engine, const char *handle, std::vector<T> &data) {
  engine.connectStream(handle, data.data(), data.data() + data.size());
}

} // namespace

TEST_SUITE("engine.replicas") {

  TEST_CASE("a graph in replicas sees the target of one replica") {
    Replicated r(4);
    CHECK(r.graph.getReplicationFactor() == 4);
    CHECK(r.graph.getTarget().getNumIPUs() == 1);
    CHECK(r.graph.getTarget().getNumTiles() == 4);
  }

  TEST_CASE("a factor that does not divide the IPUs is refused") {
    const Device device = smallModel(4, 3);
    CHECK_THROWS_AS(Graph(device.getTarget(), replication_factor(2)), graph_replication_error);
    CHECK_THROWS_AS(Graph(device.getTarget(), replication_factor(0)), graph_replication_error);
  }

  TEST_CASE("host writes and reads hold all replicas one after the other") {
    Replicated r(3);
    r.graph.createHostWrite("in", r.x);
    r.graph.createHostRead("out", r.x);
    Engine engine(r.graph, Sequence());
    engine.load(r.device);
    Ints in{1, 2, 3, 4, 5, 6}, out(6);
    engine.writeTensor("in", in.data(), in.data() + 6);
    engine.readTensor("out", out.data(), out.data() + 6);
    CHECK(out == in);
    CHECK_THROWS_AS(engine.readTensor("out", out.data(), out.data() + 2), stream_connection_error);
  }

  TEST_CASE("each replica knows its index and computes with it") {
    Replicated r(3, 1);
    Tensor index = r.graph.addReplicationIndexConstant("index");
    r.graph.setTileMapping(index, 2);
    r.graph.createHostRead("out", r.x);
    Engine engine(r.graph, Copy(index.reinterpret(INT).flatten(), r.x));
    engine.load(r.device);
    engine.run();
    Ints out(3);
    engine.readTensor("out", out.data(), out.data() + 3);
    CHECK(out == Ints{0, 1, 2});
  }

  TEST_CASE("a REPLICATE stream on a buffer gives block k * replicas + r, a BROADCAST stream block k") {
    for (const bool broadcast : {false, true}) {
      CAPTURE(broadcast);
      Replicated r(2);
      const auto mode = broadcast ? ReplicatedStreamMode::BROADCAST : ReplicatedStreamMode::REPLICATE;
      const DataStream in = r.graph.addHostToDeviceFIFO("in", INT, 2, mode);
      const DataStream out = r.graph.addDeviceToHostFIFO("out", INT, 2);
      Engine engine(r.graph, Repeat(2, Sequence(Copy(in, r.x), Copy(r.x, out))));
      Ints source{1, 2, 3, 4, 5, 6, 7, 8}, sink(8);
      connect(engine, "in", source);
      connect(engine, "out", sink);
      engine.load(r.device);
      engine.run();
      CHECK(sink == (broadcast ? Ints{1, 2, 1, 2, 3, 4, 3, 4} : source));
    }
  }

  TEST_CASE("a buffer that does not hold a transfer of every replica is refused") {
    Replicated r(2);
    r.graph.addHostToDeviceFIFO("in", INT, 2);
    const DataStream in = r.graph.addHostToDeviceFIFO("used", INT, 2);
    Engine engine(r.graph, Copy(in, r.x));
    Ints small(2), odd(6);
    CHECK_THROWS_AS(connect(engine, "used", small), stream_connection_error);
    CHECK_THROWS_AS(connect(engine, "used", odd), stream_connection_error);
  }

  TEST_CASE("callbacks are connected for each replica; a broadcast callback is asked once") {
    Replicated r(2, 1);
    const DataStream each = r.graph.addHostToDeviceFIFO("each", INT, 1);
    const DataStream all = r.graph.addHostToDeviceFIFO("all", INT, 1, ReplicatedStreamMode::BROADCAST);
    const DataStream out = r.graph.addDeviceToHostFIFO("out", INT, 1);
    Engine engine(r.graph, Sequence(Copy(each, r.x), Copy(r.x, out), Copy(all, r.x), Copy(r.x, out)));
    engine.load(r.device);
    std::vector<Ints> got(2);
    int asked = 0;
    const auto write = [](void *to, int value) { std::memcpy(to, &value, sizeof value); };
    for (unsigned i = 0; i < 2; ++i) {
      engine.connectStreamToCallback("each", i, [=](void *p) { write(p, 10 + static_cast<int>(i)); });
      engine.connectStreamToCallback("out", i, [&got, i](void *p) { got[i].push_back(*static_cast<int *>(p)); });
    }
    engine.connectStreamToCallback("all", [&](void *p) { write(p, 100 + asked++); });
    engine.run();
    CHECK(got == std::vector<Ints>{{10, 100}, {11, 100}});
    CHECK(asked == 1);
    CHECK_THROWS_AS(engine.connectStreamToCallback("each", 2, [](void *) {}), stream_connection_error);
  }

  TEST_CASE("CrossReplicaCopy: every replica sends what it had before anything arrives") {
    Replicated r(3);
    r.graph.createHostWrite("in", r.x);
    r.graph.createHostRead("out", r.x);
    // To the right neighbour, in place: the data of replica 2 go to replica 0.
    Engine engine(r.graph, Sequence(CrossReplicaCopy(r.x, r.x, {{0, 1}, {1, 2}, {2, 0}}, "ring")),
                  {{"debug.verify", "true"}});
    engine.load(r.device);
    Ints in{1, 2, 3, 4, 5, 6}, out(6);
    engine.writeTensor("in", in.data(), in.data() + 6);
    engine.run();
    engine.readTensor("out", out.data(), out.data() + 6);
    CHECK(out == Ints{5, 6, 1, 2, 3, 4});
  }

  TEST_CASE("a CrossReplicaCopy says for every replica of the graph where its data go") {
    Replicated r(2);
    CHECK_THROWS_WITH_AS(CrossReplicaCopy(r.x, r.x, {{0, 1}}), doctest::Contains("1 of 2 replicas"),
                         control_program_error);
    Replicated one(1);
    CHECK_THROWS_WITH_AS(CrossReplicaCopy(one.x, one.x, {}), doctest::Contains("0 of 1 replicas"),
                         control_program_error);
  }

  TEST_CASE("a CrossReplicaCopy within the only replica is a copy") {
    Replicated one(1);
    Tensor y = one.graph.addVariable(INT, {2}, "y");
    one.graph.setTileMapping(y, 1);
    one.graph.createHostWrite("in", one.x);
    one.graph.createHostRead("out", y);
    Engine engine(one.graph, CrossReplicaCopy(one.x, y, {{0, 0}}), {{"debug.verify", "true"}});
    engine.load(one.device);
    Ints in{3, 4}, out(2);
    engine.writeTensor("in", in.data(), in.data() + 2);
    engine.run();
    engine.readTensor("out", out.data(), out.data() + 2);
    CHECK(out == in);
  }

  TEST_CASE("a replica map with unknown replicas or two senders to one replica is refused") {
    Replicated r(2);
    CHECK_THROWS_AS(CrossReplicaCopy(r.x, r.x, {{0, 2}}), control_program_error);
    CHECK_THROWS_AS(CrossReplicaCopy(r.x, r.x, {{0, 1}, {1, 1}}), control_program_error);
  }

  TEST_CASE("replicas take their own branches and loop their own number of times") {
    Replicated r(3, 1);
    Tensor one = r.graph.addConstant(INT, {1}, 1), ten = r.graph.addConstant(INT, {1}, 10);
    r.graph.setTileMapping(one, 0);
    r.graph.setTileMapping(ten, 0);
    Tensor y = r.graph.addVariable(INT, {1}, "y");
    r.graph.setTileMapping(y, 2);
    r.graph.createHostWrite("in", r.x);
    r.graph.createHostRead("out", y);
    Switch choose(r.x[0], Copy(ten, y));
    choose.add(1, Copy(one, y));
    choose.add(2, Copy(r.x, y));
    Engine engine(r.graph, choose);
    engine.load(r.device);
    Ints in{2, 1, 0}, out(3);
    engine.writeTensor("in", in.data(), in.data() + 3);
    engine.run();
    engine.readTensor("out", out.data(), out.data() + 3);
    CHECK(out == Ints{2, 1, 10});
  }

  TEST_CASE("a CrossReplicaCopy that not every replica reaches stops the program") {
    Replicated r(2, 1);
    r.graph.createHostWrite("in", r.x);
    Engine engine(r.graph, If(r.x[0], CrossReplicaCopy(r.x, r.x, {{0, 1}, {1, 0}}, "swap"), Sequence()));
    engine.load(r.device);
    Ints in{1, 0};
    engine.writeTensor("in", in.data(), in.data() + 2);
    CHECK_THROWS_AS(engine.run(), application_runtime_error);
  }

  TEST_CASE("each replica has its own rows of a remote buffer") {
    Replicated r(2);
    const RemoteBuffer buffer = r.graph.addRemoteBuffer("far", INT, 2, 2);
    Tensor row = r.graph.addConstant(UNSIGNED_INT, {1}, 1u);
    r.graph.setTileMapping(row, 0);
    r.graph.createHostRead("out", r.x);
    Engine engine(r.graph, Copy(buffer, r.x, row));
    engine.load(r.device);
    Ints a{1, 2}, b{3, 4}, out(4), back(2);
    engine.copyToRemoteBuffer(a.data(), "far", 1, 0);
    engine.copyToRemoteBuffer(b.data(), buffer, 1, 1);
    engine.run();
    engine.readTensor("out", out.data(), out.data() + 4);
    CHECK(out == Ints{1, 2, 3, 4});
    engine.copyFromRemoteBuffer("far", back.data(), 1, 1);
    CHECK(back == b);
    CHECK_THROWS_AS(engine.copyFromRemoteBuffer("far", back.data(), 1, 2), stream_connection_error);
    CHECK_THROWS_AS(engine.copyFromRemoteBuffer("far", back.data(), -1), poplar_error);
  }

  TEST_CASE("the report shows the memory of one replica and says how many there are") {
    Replicated r(2);
    Engine engine(r.graph, CrossReplicaCopy(r.x, r.x, {{0, 1}, {1, 0}}, "swap"));
    engine.load(r.device);
    engine.run();
    const std::string text = summaryOf(engine);
    CHECK(text.find("Number of Replicas:     2") != std::string::npos);
    CHECK(text.find("IPUs per Replica:       1") != std::string::npos);
    CHECK(engine.getGraphProfile()["memory"]["byTile"]["total"].size() == 4);
  }

  TEST_CASE("prints and aborts name the replica") {
    Replicated r(2, 1);
    r.graph.createHostWrite("in", r.x);
    Engine engine(r.graph, Sequence(PrintTensor("x", r.x), AbortOnCondition(r.x[0], "not zero")));
    std::ostringstream printed;
    engine.setPrintStream(printed);
    engine.load(r.device);
    Ints in{0, 5};
    engine.writeTensor("in", in.data(), in.data() + 2);
    CHECK_THROWS_WITH_AS(engine.run(), doctest::Contains("on replica 1: not zero"), application_runtime_error);
    CHECK(printed.str() == "x (replica 0): [0]\nx (replica 1): [5]\n");
  }

  TEST_CASE("balances and averages are those of the tiles of one replica") {
    const auto balanceOf = [](unsigned replicas, const char *style) {
      const Device device = smallModel(4, replicas);
      Graph graph(device.getTarget(), replication_factor(replicas));
      addTestCodelets(graph);
      const Tensor x = graph.addVariable(FLOAT, {4}, "x");
      const ComputeSet set = graph.addComputeSet("set");
      const VertexRef v = graph.addVertex(set, "Increment", {{"x", x}});
      graph.setTileMapping(x, 1);
      graph.setTileMapping(v, 1);
      graph.setInitialValue(v["by"], 1.0f);
      graph.setPerfEstimate(v, 1000);
      Engine engine(graph, Execute(set));
      engine.load(device);
      engine.run();
      std::stringstream text;
      engine.printProfileSummary(text, {{"executionSummaryStyle", style}});
      std::string line;
      const std::string wanted = std::string(style) == "total" ? "Total tile balance:" : "compute cycles (including";
      while (std::getline(text, line) && line.find(wanted) == std::string::npos)
        continue;
      return line;
    };
    for (const char *style : {"total", "average"}) {
      CAPTURE(style);
      const std::string one = balanceOf(1, style);
      CHECK(one.find('%') != std::string::npos);
      CHECK(balanceOf(2, style) == one);
      CHECK(balanceOf(4, style) == one);
    }
  }

} // TEST_SUITE
