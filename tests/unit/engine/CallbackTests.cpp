// What the host is asked to do: the order of stream callbacks, host functions, function buffers.
#include "tests/unit/engine/Programs.hpp"

#include <doctest/doctest.h>

#include <cstring>

using namespace poplar;
using namespace poplar::program;
using namespace engine_tests;

namespace {

using Ints = std::vector<int>;

/// Counts up; writes down every call.
class Logged : public StreamCallback {
public:
  Logged(std::string &log, int ready) : log_(log), ready_(ready) {}
  Result prefetch(void *p) noexcept override {
    log_ += "p";
    if (ready_ == 0)
      return Result::NotAvailable;
    --ready_;
    std::memcpy(p, &next_, sizeof next_);
    ++next_;
    return Result::Success;
  }
  void fetch(void *p) noexcept override {
    log_ += "f";
    std::memcpy(p, &next_, sizeof next_);
    ++next_;
  }
  void complete() noexcept override { log_ += "c"; }
  void invalidatePrefetched() override { log_ += "i"; }

private:
  std::string &log_;
  int ready_, next_ = 1;
};

struct Stream {
  Device device = smallModel();
  Graph graph{device.getTarget()};
  Tensor x = graph.addVariable(INT, {1}, "x");
  DataStream in, out;
  explicit Stream(const OptionFlags &options = {}) {
    graph.setTileMapping(x, 0);
    in = graph.addHostToDeviceFIFO("in", INT, 1, ReplicatedStreamMode::REPLICATE, options);
    out = graph.addDeviceToHostFIFO("out", INT, 1);
  }
  /// Calls made in a run of three transfers; `got` is what the device received.
  std::string run(const OptionFlags &options, int ready, Ints &got) {
    Engine engine(graph, Repeat(3, Sequence(Copy(in, x), Copy(x, out))), options);
    std::string log;
    engine.connectStreamToCallback(in, std::unique_ptr<Logged>(new Logged(log, ready)));
    engine.connectStreamToCallback(out, [&](void *p) { got.push_back(*static_cast<int *>(p)); });
    engine.load(device);
    engine.run();
    return log;
  }
};

} // namespace

TEST_SUITE("engine.callbacks") {

TEST_CASE("with overlapping buffers data are prefetched when they are needed, never ahead") {
  Ints got;
  CHECK(Stream().run({}, 100, got) == "pcpcpc");
  CHECK(got == Ints{1, 2, 3});
}

TEST_CASE("where nothing is available fetch follows") {
  Ints got;
  CHECK(Stream().run({}, 1, got) == "pcpfcpfc");
  CHECK(got == Ints{1, 2, 3});
}

TEST_CASE("without overlap the next transfer is prefetched after each one, and what is left is invalidated") {
  Ints got;
  CHECK(Stream().run({{"exchange.streamBufferOverlap", "none"}}, 100, got) == "pcpcpcpi");
  CHECK(got == Ints{1, 2, 3});
}

TEST_CASE("bufferingDepth says how many transfers are held ready") {
  Ints got;
  CHECK(Stream({{"bufferingDepth", "2"}}).run({{"exchange.streamBufferOverlap", "none"}}, 100, got) == "pcppcpcpi");
  CHECK(got == Ints{1, 2, 3});
  CHECK_THROWS_AS(Stream({{"bufferingDepth", "0"}}), invalid_option);
  CHECK_THROWS_AS(Stream({{"bufferDepth", "2"}}), invalid_option);
}

TEST_CASE("exchange.enablePrefetch false asks by fetch alone") {
  Ints got;
  CHECK(Stream().run({{"exchange.enablePrefetch", "false"}, {"exchange.streamBufferOverlap", "none"}}, 100, got) == "fcfcfc");
  CHECK(got == Ints{1, 2, 3});
}

TEST_CASE("a host function gets its inputs and gives its outputs each time it is called") {
  const Device device = smallModel();
  Graph graph(device.getTarget());
  Tensor a = graph.addVariable(INT, {2}, "a"), b = graph.addVariable(FLOAT, {1}, "b"), sum = graph.addVariable(INT, {1}, "sum");
  graph.setTileMapping(a, 0);
  graph.setTileMapping(b, 1);
  graph.setTileMapping(sum, 2);
  const HostFunction f = graph.addHostFunction("add", {Graph::HostFunctionArgument(INT, 2), Graph::HostFunctionArgument(FLOAT, 1)},
                                               {Graph::HostFunctionArgument(INT, 1)});
  graph.createHostWrite("a", a);
  graph.createHostWrite("b", b);
  graph.createHostRead("sum", sum);
  Engine engine(graph, Sequence(Call(f, {a, b}, {sum}), Copy(sum, a.slice(0, 1)), Call(f, {a, b}, {sum})));
  engine.load(device);
  CHECK_THROWS_WITH_AS(engine.run(), doctest::Contains("connectHostFunction"), stream_connection_error);
  engine.load(device);
  unsigned calls = 0;
  engine.connectHostFunction(f, 0, [&](const void *const *in, std::size_t ins, void *const *out, std::size_t outs) {
    ++calls;
    CHECK(ins == 2);
    CHECK(outs == 1);
    const int *ints = static_cast<const int *>(in[0]);
    *static_cast<int *>(out[0]) = ints[0] + ints[1] + static_cast<int>(*static_cast<const float *>(in[1]));
  });
  const Ints av{1, 2};
  const float bv = 10;
  engine.writeTensor("a", av.data(), av.data() + 2);
  engine.writeTensor("b", &bv, &bv + 1);
  engine.run();
  int result = 0;
  engine.readTensor("sum", &result, &result + 1);
  CHECK(calls == 2);
  CHECK(result == 25); // 1 + 2 + 10 = 13, then 13 + 2 + 10
}

TEST_CASE("a host function without inputs is called for its output") {
  const Device device = smallModel();
  Graph graph(device.getTarget());
  Tensor x = graph.addVariable(INT, {1}, "x");
  graph.setTileMapping(x, 3);
  const HostFunction f = graph.addHostFunction("next", {}, {Graph::HostFunctionArgument(INT, 1)});
  graph.createHostRead("x", x);
  Engine engine(graph, Repeat(3, Call(f, {}, {x})));
  int value = 0;
  engine.connectHostFunction("next", 0, [&](const void *const *, std::size_t, void *const *out, std::size_t) {
    *static_cast<int *>(out[0]) = ++value;
  });
  engine.load(device);
  engine.run();
  int back = 0;
  engine.readTensor("x", &back, &back + 1);
  CHECK(back == 3);
}

TEST_CASE("wrong uses of host functions are refused") {
  const Device device = smallModel();
  Graph graph(device.getTarget());
  Tensor x = graph.addVariable(INT, {1}, "x");
  graph.setTileMapping(x, 0);
  const HostFunction f = graph.addHostFunction("f", {Graph::HostFunctionArgument(INT, 1)}, {});
  CHECK_THROWS_AS(graph.addHostFunction("f", {Graph::HostFunctionArgument(INT, 1)}, {}), poplar_error);
  CHECK_THROWS_AS(graph.addHostFunction("g", {}, {}), poplar_error);
  CHECK_THROWS_AS(Call(f, {x, x}, {}), control_program_error);
  CHECK_THROWS_AS(Call(f, {x}, {x}), control_program_error);
  CHECK_THROWS_AS(Call(HostFunction(), {x}, {}), control_program_error);
  CHECK_THROWS_AS(Call(f, {x.reinterpret(FLOAT)}, {}), type_error);
  Engine engine(graph, Call(f, {x}, {}));
  const auto nothing = [](const void *const *, std::size_t, void *const *, std::size_t) {};
  CHECK_THROWS_WITH_AS(engine.connectHostFunction("F", 0, nothing), doctest::Contains("did you mean 'f'"), stream_connection_error);
  CHECK_THROWS_AS(engine.connectHostFunction("f", 1, nothing), stream_connection_error);
  CHECK_THROWS_AS(engine.connectStream("f/in0", &engine), stream_connection_error);
}

TEST_CASE("a function called through its buffer computes as the function does") {
  const Device device = smallModel();
  IncrementProgram p(device, 4);
  const Function f = p.graph.addFunction(p.step), other = p.graph.addFunction(Sequence());
  const FunctionBuffer buffer = p.graph.addFunctionBuffer(f, FunctionBufferMappingType::REMOTE);
  p.graph.createHostRead("x", p.x);
  Engine engine(p.graph, Sequence(Copy(f, buffer), Call(f, buffer), Call(f, buffer), Copy(buffer, f)));
  engine.load(device);
  engine.run();
  std::vector<float> back(4);
  engine.readTensor("x", back.data(), back.data() + 4);
  CHECK(back == std::vector<float>(4, 2.0f));
  CHECK_THROWS_AS(Call(other, buffer), control_program_error);
  CHECK_THROWS_AS(Copy(f, FunctionBuffer()), control_program_error);
}

} // TEST_SUITE
