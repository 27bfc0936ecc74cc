// Requests to the host: the order of stream callbacks, host functions, function buffers.
#include "tests/unit/engine/Programs.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <thread>

using namespace poplar;
using namespace poplar::program;
using namespace engine_tests;

namespace {

using Ints = std::vector<int>;

/// Counts up, and records every call.
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
  /// Returns the calls of a run of three transfers; `got` receives the device's data.
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
    CHECK(Stream().run({{"exchange.enablePrefetch", "false"}, {"exchange.streamBufferOverlap", "none"}}, 100, got) ==
          "fcfcfc");
    CHECK(got == Ints{1, 2, 3});
  }

  TEST_CASE("a host function gets its inputs and gives its outputs each time it is called") {
    const Device device = smallModel();
    Graph graph(device.getTarget());
    Tensor a = graph.addVariable(INT, {2}, "a"), b = graph.addVariable(FLOAT, {1}, "b"),
           sum = graph.addVariable(INT, {1}, "sum");
    graph.setTileMapping(a, 0);
    graph.setTileMapping(b, 1);
    graph.setTileMapping(sum, 2);
    const HostFunction f =
        graph.addHostFunction("add", {Graph::HostFunctionArgument(INT, 2), Graph::HostFunctionArgument(FLOAT, 1)},
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
    engine.connectHostFunction("next", 0, // as Poplar 2 declares the operator
                               [&](ArrayRef<const void *> in, std::size_t ins, ArrayRef<void *> out, std::size_t outs) {
                                 *static_cast<int *>(out[0]) = static_cast<int>(10 + in.size() + ins + outs);
                               });
    engine.run();
    engine.readTensor("x", &back, &back + 1);
    CHECK(back == 11);
  }

  TEST_CASE("a host function without arguments is called each time") {
    const Device device = smallModel();
    Graph graph(device.getTarget());
    const HostFunction f = graph.addHostFunction("bell", {}, {});
    Engine engine(graph, Repeat(3, Call(f, {}, {})));
    engine.load(device);
    CHECK_THROWS_WITH_AS(engine.run(), doctest::Contains("connectHostFunction"), stream_connection_error);
    engine.load(device);
    int rung = 0;
    std::size_t arguments = 0;
    engine.connectHostFunction(f, 0, [&](const void *const *, std::size_t ins, void *const *, std::size_t outs) {
      ++rung;
      arguments += ins + outs;
    });
    engine.run();
    CHECK(rung == 3);
    CHECK(arguments == 0);
    Graph other(device.getTarget());
    CHECK_THROWS_AS(Engine(other, Call(f, {}, {})), control_program_error);
  }

  namespace {

  /// Has its data only when another thread provides it.
  class Late : public ResumableStreamCallback {
  public:
    explicit Late(bool willCome) : willCome_(willCome) {}
    ~Late() override {
      if (thread_.joinable())
        thread_.join();
    }
    Result prefetch(void *) override { return Result::NotAvailable; }
    void fetch(void *p) override {
      ++fetches;
      if (fetches == 1) {
        await();
        if (willCome_)
          thread_ = std::thread([this] { notify(); });
        return;
      }
      const int value = 7;
      std::memcpy(p, &value, sizeof value);
    }
    void complete() override {}
    int fetches = 0;

  private:
    bool willCome_;
    std::thread thread_;
  };

  } // namespace

  TEST_CASE("a resumable callback is asked again when it has its data") {
    Stream s;
    Engine engine(s.graph, Sequence(Copy(s.in, s.x), Copy(s.x, s.out)), {{"target.hostSyncTimeout", "0"}});
    for (const bool willCome : {true, false}) {
      engine.load(s.device);
      if (willCome) { // waits long enough
        Engine patient(s.graph, Sequence(Copy(s.in, s.x), Copy(s.x, s.out)));
        patient.load(s.device);
        auto late = std::unique_ptr<Late>(new Late(true));
        Late &asked = *late;
        int out = 0;
        patient.connectStreamToCallback("in", std::move(late));
        patient.connectStream("out", &out, &out + 1);
        patient.run();
        CHECK(out == 7);
        CHECK(asked.fetches == 2);
      } else {
        int out = 0;
        engine.connectStreamToCallback("in", std::unique_ptr<Late>(new Late(false)));
        engine.connectStream("out", &out, &out + 1);
        CHECK_THROWS_WITH_AS(engine.run(), doctest::Contains("target.hostSyncTimeout"), application_runtime_error);
      }
    }
  }

  TEST_CASE("a stream copy with an offset takes the blocks that it names and leaves the stream where it was") {
    const Device device = smallModel();
    Graph graph(device.getTarget());
    const Tensor picked = graph.addVariable(INT, {2, 3}, "picked"), next = graph.addVariable(INT, {3}, "next");
    const Tensor offset = graph.addVariable(UNSIGNED_INT, {2}, "offset");
    graph.setTileMapping(picked, 1);
    graph.setTileMapping(next, 2);
    graph.setTileMapping(offset, 3);
    const DataStream in = graph.addHostToDeviceFIFO("in", INT, 3);
    graph.createHostWrite("offset", offset);
    graph.createHostRead("picked", picked);
    graph.createHostRead("next", next);
    CHECK_THROWS_AS(Copy(in, picked, offset, 0), control_program_error);
    CHECK_THROWS_AS(Copy(in, next, offset, 4), control_program_error); // two blocks for the place of one
    Engine engine(graph, Sequence(Copy(in, picked.flatten(), offset, 4), Copy(in, next)), {{"debug.verify", "true"}});
    engine.load(device);
    Ints data{0, 1, 2, 10, 11, 12, 20, 21, 22, 30, 31, 32}, out(6), one(3);
    engine.connectStream("in", data.data(), data.data() + data.size());
    const std::vector<unsigned> rows{3, 1};
    engine.writeTensor("offset", rows.data(), rows.data() + 2);
    engine.run();
    engine.readTensor("picked", out.data(), out.data() + 6);
    CHECK(out == Ints{30, 31, 32, 10, 11, 12});
    engine.readTensor("next", one.data(), one.data() + 3);
    CHECK(one == Ints{0, 1, 2});
    const std::vector<unsigned> tooFar{3, 4};
    engine.writeTensor("offset", tooFar.data(), tooFar.data() + 2);
    CHECK_THROWS_WITH_AS(engine.run(), doctest::Contains("4 blocks"), application_runtime_error);
    engine.load(device);
    engine.connectStream("in", data.data(), data.data() + 9); // three blocks
    CHECK_THROWS_WITH_AS(engine.run(), doctest::Contains("48 in all"), stream_connection_error);
    engine.load(device);
    engine.connectStreamToCallback("in", [](void *) {});
    CHECK_THROWS_WITH_AS(engine.run(), doctest::Contains("connectStream"), stream_connection_error);
  }

  TEST_CASE("wrong uses of host functions are refused") {
    const Device device = smallModel();
    Graph graph(device.getTarget());
    Tensor x = graph.addVariable(INT, {1}, "x");
    graph.setTileMapping(x, 0);
    const HostFunction f = graph.addHostFunction("f", {Graph::HostFunctionArgument(INT, 1)}, {});
    CHECK_THROWS_AS(graph.addHostFunction("f", {Graph::HostFunctionArgument(INT, 1)}, {}), poplar_error);
    CHECK_THROWS_AS(Call(f, {x, x}, {}), control_program_error);
    CHECK_THROWS_AS(Call(f, {x}, {x}), control_program_error);
    CHECK_THROWS_AS(Call(HostFunction(), {x}, {}), control_program_error);
    CHECK_THROWS_WITH_AS(Call(f, {x.reinterpret(FLOAT)}, {}),
                         doctest::Contains("Call of host function \"f\": input 0 and "), type_error);
    const HostFunction g = graph.addHostFunction("g", {}, {Graph::HostFunctionArgument(INT, 2)});
    CHECK_THROWS_WITH_AS(Call(g, {}, {x}), doctest::Contains("Call of host function \"g\": output 0 and "),
                         control_program_error);
    Engine engine(graph, Call(f, {x}, {}));
    const auto nothing = [](const void *const *, std::size_t, void *const *, std::size_t) {};
    CHECK_THROWS_WITH_AS(engine.connectHostFunction("F", 0, nothing), doctest::Contains("did you mean 'f'"),
                         stream_connection_error);
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

  TEST_CASE("a callback that starts work on its engine gets an error, and its run continues") {
    Stream s;
    s.graph.createHostRead("x", s.x);
    s.graph.createHostWrite("x", s.x);
    Engine engine(s.graph, {Sequence(Copy(s.in, s.x), Copy(s.x, s.out)), Sequence(Copy(s.x, s.out))});
    const std::vector<std::function<void()>> calls{
        [&] { engine.run(1); }, [&] { engine.load(s.device); }, [&] { engine.prepare(s.device); },
        [&] { engine.loadAndRun(s.device, 1); }, [&] { engine.resetExecutionProfile(); }};
    Ints got;
    for (const std::function<void()> &call : calls) {
      const auto refused = [&] {
        CHECK_THROWS_WITH_AS(call(), doctest::Contains("while the engine runs a program"), application_runtime_error);
      };
      engine.connectStreamToCallback(s.in, [&](void *p) {
        refused();
        *static_cast<int *>(p) = 5;
      });
      engine.connectStreamToCallback(s.out, [&](void *p) {
        refused();
        got.push_back(*static_cast<int *>(p));
      });
      engine.load(s.device);
      engine.run(0);
    }
    CHECK(got == Ints(calls.size(), 5));
    engine.connectStreamToCallback(s.out, [&](void *p) { got = {*static_cast<int *>(p)}; });
    engine.run(1);
    CHECK(got == Ints{5});
  }

  TEST_CASE("a stream that its own callback connects again uses the new connection from the next transfer on") {
    for (const bool toBuffer : {false, true}) {
      CAPTURE(toBuffer);
      Stream s;
      Engine engine(s.graph, Repeat(3, Sequence(Copy(s.in, s.x), Copy(s.x, s.out))));
      int seven = 7;
      Ints got;
      // Each callback owns an array, so that a use after its destruction is a fault that ASan finds.
      engine.connectStreamToCallback(s.in, [&, own = std::make_shared<Ints>(1, 1)](void *p) {
        if (toBuffer)
          engine.connectStream(s.in, &seven);
        else
          engine.connectStreamToCallback(s.in, [&](void *q) { *static_cast<int *>(q) = seven; });
        *static_cast<int *>(p) = own->front();
      });
      engine.connectStreamToCallback(s.out, [&, own = std::make_shared<Ints>()](void *p) {
        engine.connectStreamToCallback(s.out, [&](void *q) { got.push_back(-*static_cast<int *>(q)); });
        own->push_back(*static_cast<int *>(p));
        got = *own;
      });
      engine.load(s.device);
      engine.run();
      CHECK(got == Ints{1, -7, -7});
    }
  }

  TEST_CASE("the callback of a BROADCAST stream and of a host function may connect another one") {
    const Device device = smallModel(4, 2);
    Graph graph(device.getTarget(), replication_factor(2));
    Tensor x = graph.addVariable(INT, {1}, "x");
    graph.setTileMapping(x, 0);
    const DataStream in = graph.addHostToDeviceFIFO("in", INT, 1, ReplicatedStreamMode::BROADCAST);
    const HostFunction f = graph.addHostFunction("f", {Graph::HostFunctionArgument(INT, 1)}, {});
    Engine engine(graph, Repeat(2, Sequence(Copy(in, x), Call(f, {x}, {}))));
    Ints got;
    engine.connectStreamToCallback(in, [&](void *p) {
      engine.connectStreamToCallback(in, [](void *q) { *static_cast<int *>(q) = 2; });
      *static_cast<int *>(p) = 1;
    });
    for (const unsigned replica : {0U, 1U})
      engine.connectHostFunction(
          "f", replica,
          [&, replica, own = std::make_shared<Ints>()](const void *const *a, std::size_t, void *const *, std::size_t) {
            engine.connectHostFunction("f", replica,
                                       [&](const void *const *b, std::size_t, void *const *, std::size_t) {
                                         got.push_back(-*static_cast<const int *>(b[0]));
                                       });
            own->push_back(*static_cast<const int *>(a[0]));
            got.push_back(own->front());
          });
    engine.load(device);
    engine.run();
    CHECK(got == Ints{1, 1, -2, -2});
  }

  TEST_CASE("of threads that run one engine at a time, one runs and the others get an error") {
    Stream s;
    Engine engine(s.graph, Repeat(50, Sequence(Copy(s.in, s.x), Copy(s.x, s.out))));
    std::atomic<int> transfers = 0, ended = 0, refused = 0;
    engine.connectStreamToCallback(s.in, [&](void *p) { *static_cast<int *>(p) = ++transfers; });
    engine.connectStreamToCallback(s.out, [&](void *p) { CHECK(*static_cast<int *>(p) == transfers); });
    engine.load(s.device);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&] {
        for (int k = 0; k < 20; ++k)
          try {
            engine.run();
            ++ended;
          } catch (const application_runtime_error &e) {
            ++refused;
            if (std::string(e.what()).find("The program cannot run while the engine runs a program") != 0)
              throw; // ends the process
          }
      });
    for (std::thread &t : threads)
      t.join();
    CHECK(ended + refused == 80);
    CHECK(ended > 0);
    CHECK(transfers == 50 * ended);
  }

  TEST_CASE("a callback may destroy its engine: the run ends first") {
    Stream s;
    std::optional<Engine> engine;
    engine.emplace(s.graph, Repeat(3, Sequence(Copy(s.in, s.x), Copy(s.x, s.out))));
    Ints got;
    engine->connectStreamToCallback(s.in, [&](void *p) {
      engine.reset();
      *static_cast<int *>(p) = 3;
    });
    engine->connectStreamToCallback(s.out, [&](void *p) { got.push_back(*static_cast<int *>(p)); });
    engine->load(s.device);
    engine->run();
    CHECK(got == Ints{3, 3, 3});
  }

} // TEST_SUITE
