// Calls by public frameworks of the 3.x releases: their builds need these forms of the interface.
#include "tests/HasText.hpp"
#include "tests/unit/engine/Programs.hpp"

#include <poplar/MetadataCreation.hpp>
#include <poplar/RuntimeOptions.hpp>
#include <poplar/TypeConversion.hpp>
#include <pva/pva.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

using namespace poplar;
using namespace poplar::program;
using namespace engine_tests;

namespace {

/// Overrides the functions that have no default.
struct Prefetching final : StreamCallback {
  Result prefetch(void *) noexcept override { return Result::NotAvailable; }
  void fetch(void *p) noexcept override { *static_cast<float *>(p) = 7; }
};

struct TwoArrays final : HostCallback {
  void operator()(ArrayRef<const void *> in, ArrayRef<void *> out) override {
    *static_cast<int *>(out[0]) = *static_cast<const int *>(in[0]) + static_cast<int>(in.size() + out.size());
  }
};
struct NoOperator final : HostCallback {};

/// Passes x through the host function "f" to y by the callback; returns y for x = 40.
int through(HostCallbackHandle callback) {
  const Device device = smallModel();
  Graph graph(device.getTarget());
  const Tensor x = graph.addConstant(INT, {1}, 40), y = graph.addVariable(INT, {1}, "y");
  graph.setTileMapping(x, 0);
  graph.setTileMapping(y, 0);
  const HostFunction f = graph.addHostFunction("f", {{INT, 1}}, {{INT, 1}});
  graph.createHostRead("y", y);
  Engine engine(graph, Call(f, {x}, {y}));
  engine.connectHostFunction("f", 0, std::move(callback));
  engine.load(device);
  engine.run();
  int result = 0;
  engine.readTensor("y", &result, &result + 1);
  return result;
}

std::string folderOf(const char *name) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / name;
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder.string();
}

Executable incrementExecutable(const Device &device) {
  IncrementProgram program(device, 8);
  program.graph.createHostRead("x", program.x);
  return compileGraph(program.graph, {program.step});
}

float firstAfterRun(Engine &engine, const Device &device) {
  engine.load(device);
  engine.run();
  float values[8] = {};
  engine.readTensor("x", values, values + 8);
  return values[0];
}

} // namespace

TEST_SUITE("engine.stack") {

  TEST_CASE("a callback that only prefetches and fetches is whole") {
    const Device device = smallModel();
    Graph graph(device.getTarget());
    const Tensor x = graph.addVariable(FLOAT, {1}, VariableMappingMethod::LINEAR, "x");
    const DataStream in = graph.addHostToDeviceFIFO("in", FLOAT, 1);
    graph.createHostRead("x", x);
    Engine engine(graph, Copy(in, x));
    engine.connectStreamToCallback("in", std::unique_ptr<Prefetching>(new Prefetching));
    engine.load(device);
    engine.run();
    float value = 0;
    engine.readTensor("x", &value, &value + 1);
    CHECK(value == 7);
  }

  TEST_CASE("host callbacks take two arrays, or four arguments as before") {
    CHECK(through(std::unique_ptr<TwoArrays>(new TwoArrays)) == 42);
    CHECK(through([](ArrayRef<const void *> in, ArrayRef<void *> out) {
            *static_cast<int *>(out[0]) = *static_cast<const int *>(in[0]) * 2;
          }) == 80);
    CHECK(through([](const void *const *in, std::size_t, void *const *out, std::size_t) {
            *static_cast<int *>(out[0]) = *static_cast<const int *>(in[0]) - 1;
          }) == 39);
    CHECK(has(messageOf<poplar_error>([] { through(std::unique_ptr<NoOperator>(new NoOperator)); }),
              "overrides neither"));
  }

  TEST_CASE("an engine writes its executable") {
    const Device device = smallModel();
    IncrementProgram program(device, 8);
    program.graph.createHostRead("x", program.x);
    Engine first(program.graph, program.step);
    std::stringstream stream;
    first.serializeExecutable(stream);
    Engine again(Executable::deserialize(stream));
    CHECK(firstAfterRun(again, device) == firstAfterRun(first, device));
  }

  TEST_CASE("what is reset is what later calls report, and the file keeps its runs") {
    const std::string folder = folderOf("popscope-reset-test");
    const Device device = smallModel();
    {
      IncrementProgram program(device, 8);
      Engine engine(program.graph, program.step,
                    {{"autoReport.all", "true"},
                     {"autoReport.directory", folder},
                     {"autoReport.executionProfileProgramRunCount", "10"}});
      engine.load(device);
      engine.run(0, "before");
      engine.run(0, "also before");
      CHECK(engine.getReport().execution().runs().size() == 2);
      engine.resetExecutionProfile();
      CHECK(engine.getReport().execution().runs().size() == 0);
      CHECK(has(summaryOf(engine), "Memory Usage:"));
      engine.run(0, "behind");
      const pva::Report report = engine.getReport();
      REQUIRE(report.execution().runs().size() == 1);
      CHECK(report.execution().runs()[0].name() == "behind");
      engine.resetExecutionProfile();
      engine.run(0, "last");
      REQUIRE(engine.getReport().execution().runs().size() == 1);
      CHECK(engine.getReport().execution().runs()[0].name() == "last");
    }
    const pva::Report saved = pva::openReport(folder + "/profile.pop");
    REQUIRE(saved.execution().runs().size() == 4);
    CHECK(saved.execution().runs()[0].name() == "before");
    CHECK(saved.execution().runs()[3].name() == "last");
    CHECK(saved.execution().steps().size() > 0);
  }

  TEST_CASE("an executable is read out of a stream that holds more, and leaves the rest") {
    const Device device = smallModel();
    const Executable executable = incrementExecutable(device);
    std::stringstream stream;
    stream << "HEADER";
    executable.serialize(stream);
    executable.serialize(stream);
    stream << "weights";
    stream.seekg(6);
    Engine one(Executable::deserialize(stream)), two(Executable::deserialize(stream, false));
    CHECK(firstAfterRun(one, device) == 1);
    CHECK(firstAfterRun(two, device) == 1);
    std::string rest;
    stream >> rest;
    CHECK(rest == "weights");
    CHECK_THROWS_AS(Executable::deserialize(stream), poplar_error);
  }

  TEST_CASE("a stream is taken over") {
    const Device device = smallModel();
    const std::string path = folderOf("popscope-owned-stream") + "/it.exe";
    {
      std::ofstream out(path, std::ios::binary);
      incrementExecutable(device).serialize(out);
    }
    std::unique_ptr<std::istream> owned(new std::ifstream(path, std::ios::binary));
    Engine engine(Executable::deserialize(std::move(owned)));
    CHECK(firstAfterRun(engine, device) == 1);
    CHECK_THROWS_AS(Executable::deserialize(std::unique_ptr<std::istream>()), poplar_error);
  }

  TEST_CASE("several engines run one executable") {
    const Device device = smallModel();
    const Executable executable = incrementExecutable(device);
    Engine one(executable), two(executable);
    CHECK(firstAfterRun(one, device) == 1);
    CHECK(firstAfterRun(two, device) == 1);
    CHECK(executable.isValid());
  }

  TEST_CASE("options of prepare hold for each run that does not set the same option") {
    struct Never final : ResumableStreamCallback {
      Result prefetch(void *) override { return Result::NotAvailable; }
      void fetch(void *) override { await(); }
    };
    const Device device = smallModel();
    Graph graph(device.getTarget());
    const Tensor x = graph.addVariable(FLOAT, {1}, VariableMappingMethod::LINEAR, "x");
    Engine engine(graph, {Copy(graph.addHostToDeviceFIFO("in", FLOAT, 1), x)}, {{"target.hostSyncTimeout", "2"}});
    engine.connectStreamToCallback("in", std::unique_ptr<Never>(new Never));
    const RuntimeOptions one({{"target.hostSyncTimeout", "1"}}), other({{"debug.runtimeVerify", "true"}});
    const auto limit = [&](const std::function<void()> &run) -> std::string {
      try {
        run();
      } catch (const application_runtime_error &e) {
        const std::string text = e.what(), before = "for more than ";
        return text.substr(text.find(before) + before.size(), 3);
      }
      return "none";
    };
    engine.prepare(device, one);
    CHECK(limit([&] { engine.run(0, "", other); }) == "1 s");
    engine.load(device); // after a failed run; the options of prepare() stay
    CHECK(limit([&] { engine.run(0); }) == "1 s");
    engine.prepare(device, RuntimeOptions()); // sets nothing: the engine's value
    CHECK(limit([&] { engine.run(0, "", other); }) == "2 s");
  }

  TEST_CASE("options of a run hold for that run, and an engine that was stopped runs again") {
    struct Never final : ResumableStreamCallback {
      Result prefetch(void *) override { return Result::NotAvailable; }
      void fetch(void *) override { await(); }
    };
    const Device device = smallModel();
    Graph graph(device.getTarget());
    const Tensor x = graph.addVariable(FLOAT, {1}, VariableMappingMethod::LINEAR, "x");
    Engine engine(graph, {Copy(graph.addHostToDeviceFIFO("in", FLOAT, 1), x), Sequence()});
    engine.connectStreamToCallback("in", std::unique_ptr<Never>(new Never));
    CHECK_THROWS_AS(engine.stop(), poplar_error); // no program is loaded
    const RuntimeOptions oneSecond({{"target.hostSyncTimeout", "1"}});
    engine.prepare(device, RuntimeOptions());
    engine.deploy();
    const auto begin = std::chrono::steady_clock::now();
    CHECK_THROWS_AS(engine.run(0, "waits", oneSecond), poplar_error);
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(60));
    engine.stop();
    engine.stop(oneSecond);
    engine.load(device); // loads again after a failed run
    engine.run(1, "again", RuntimeOptions());
    CHECK_THROWS_AS(RuntimeOptions({{"no.such", "1"}}), invalid_option);
  }

  TEST_CASE("options that no version knows are refused or left out, as the caller asks") {
    const Device device = smallModel();
    IncrementProgram program(device, 8);
    const OptionFlags unknown{{"debug.noSuchOption", "true"}};
    CHECK_THROWS_AS(compileGraph(program.graph, {program.step}, true, unknown), invalid_option);
    CHECK(compileGraph(program.graph, {program.step}, false, unknown).isValid());
    CHECK(compileGraph(program.graph, {program.step}, true).isValid());
    CHECK_THROWS_AS(
        compileGraph(program.graph, {program.step}, false, OptionFlags{{"debug.allowOutOfMemory", "perhaps"}}),
        invalid_option);
  }

  TEST_CASE("a module is one program without streams") {
    const Device device = smallModel();
    IncrementProgram program(device, 8);
    const Module module = compileModule(program.graph, program.step);
    std::stringstream stream;
    module.serialize(stream);
    CHECK(Module::deserialize(stream).getHash() == module.getHash());
    const DataStream out = program.graph.addDeviceToHostFIFO("out", FLOAT, 8);
    CHECK(has(messageOf<control_program_error>([&] { compileModule(program.graph, Copy(program.x, out)); }), "'out'"));
  }

  TEST_CASE("a stream above 128 MB is refused on an IPU, not on a model") {
    const auto compile = [](const Device &device) {
      Graph graph(device.getTarget());
      const Tensor x = graph.addVariable(FLOAT, {(std::size_t(128) << 18) + 1}, VariableMappingMethod::LINEAR, "x");
      return compileGraph(graph, {Copy(graph.addHostToDeviceFIFO("large", FLOAT, x.numElements()), x)},
                          {{"debug.allowOutOfMemory", "true"}});
    };
    CHECK(has(messageOf<stream_memory_allocation_error>([&] { compile(simulatedIpu(4)); }), "'large'"));
    CHECK(compile(smallModel()).isValid());
  }

  TEST_CASE("vertices of one compute set that write the same elements are a cycle, told by field and range") {
    const Device device = smallModel();
    Graph graph(device.getTarget());
    addTestCodelets(graph);
    const Tensor x = graph.addVariable(FLOAT, {6}, VariableMappingMethod::LINEAR, "x");
    const ComputeSet set = graph.addComputeSet("both");
    for (const Tensor &part : {x.slice(0, 4), x.slice(2, 6)}) {
      const VertexRef v = graph.addVertex(set, "Double", {{"in", graph.clone(part)}, {"out", part}});
      graph.setTileMapping(v, 0);
    }
    const std::string message = messageOf<graph_cycle_error>([&] { compileGraph(graph, {Execute(set)}); });
    CHECK(has(message, "by their fields 'out' (elements [2, 6)) and 'out' (elements [0, 4))"));
    CHECK(has(message, "elements [2, 4)"));
    CHECK(has(message, "'both'"));
  }

  TEST_CASE("autoReport on an IPU device counts cycles without being told to") {
    const std::string folder = folderOf("popscope-auto-instrument");
    const Device device = simulatedIpu(4);
    const auto cyclesWith = [&](OptionFlags options) {
      options.set("autoReport.directory", folder);
      {
        IncrementProgram program(device, 8);
        Engine engine(program.graph, program.step, options);
        engine.load(device);
        engine.run();
      }
      const pva::Report report = pva::openReport(folder + "/profile.pop");
      return report.execution().runs().size();
    };
    CHECK(cyclesWith({{"autoReport.all", "true"}}) == 1);
    CHECK(cyclesWith({{"autoReport.outputExecutionProfile", "true"}}) == 1);
    CHECK(cyclesWith({{"autoReport.all", "true"}, {"debug.instrument", "false"}}) == 0);
  }

  TEST_CASE("a field of rows that is connected to no rows is connected") {
    const Device device = smallModel();
    Graph graph(device.getTarget());
    std::stringstream code("#include <poplar/Vertex.hpp>\nusing namespace poplar;\n"
                           "struct Rows : Vertex { Vector<Output<Vector<float>>> out; bool compute() { return "
                           "out.size() == 0; } };\n");
    graph.addCodelets(code);
    const Tensor t = graph.addVariable(FLOAT, {4, 3}, VariableMappingMethod::LINEAR, "t"),
                 good = graph.addVariable(BOOL, {}, "good");
    graph.setTileMapping(good, 0);
    const ComputeSet set = graph.addComputeSet("set");
    const VertexRef v = graph.addVertex(set, "Rows");
    graph.connect(v["out"], t.slice({2, 0}, {2, 3}));
    graph.setTileMapping(v, 0);
    graph.createHostRead("good", good);
    Engine engine(graph, Execute(set, good));
    engine.load(device);
    engine.run();
    unsigned char value = 0;
    engine.readTensor("good", &value, &value + 1);
    CHECK(value == 1);
  }

  TEST_CASE("the metadata of 8-bit floats is made from a scale that the device holds") {
    const Device device = smallModel();
    const auto check = [&](auto scale, const Type &type, QuarterMetadata::Format format) {
      CAPTURE(int(scale));
      Graph graph(device.getTarget());
      const Tensor value = graph.addVariable(type, {}, "scale");
      graph.setTileMapping(value, 1);
      graph.createHostWrite("scale", value);
      Sequence program;
      const Tensor metadata = createVariableMetadataTensor(graph, format, value, program, {"m"});
      graph.createHostRead("m", metadata);
      Engine engine(graph, program);
      engine.load(device);
      engine.writeTensor("scale", &scale, &scale + 1);
      engine.run();
      unsigned char byte = 0;
      engine.readTensor("m", &byte, &byte + 1);
      CHECK(byte == QuarterMetadata(format, scale).getBinary());
    };
    for (const auto format : {QuarterMetadata::Format::F143, QuarterMetadata::Format::F152})
      for (const int scale : {-32, -1, 0, 31}) {
        check(scale, INT, format);
        check(static_cast<signed char>(scale), SIGNED_CHAR, format);
      }
    Graph graph(device.getTarget());
    Sequence program;
    CHECK_THROWS_AS(createVariableMetadataTensor(graph, QuarterMetadata::Format::F143,
                                                 graph.addVariable(FLOAT, {}, "wrong"), program),
                    type_error);
  }

  TEST_CASE("the scale for a conversion loses least") {
    // 8 significant steps between 2^k and 2^(k+1): 1 to 3 are exact with scale 0.
    const std::vector<float> small{1, 2, 3}, tiny{0x1p-20f, 0x1p-21f}, large{1e6f, 3e5f};
    const auto scaleOf = [](const std::vector<float> &values) {
      return calculateMetadataForConversion(QUARTER, ArrayRef<float>(values.data(), values.size()),
                                            QuarterMetadata::Format::F143, CostMetric::MEAN_SQUARE_ERROR)
          .getScale();
    };
    CHECK(scaleOf(small) == 0);
    const auto errorWith = [](const std::vector<float> &values, int scale) {
      double sum = 0;
      for (const float value : values) {
        std::uint8_t byte = 0;
        float back = 0;
        const QuarterMetadata metadata(QuarterMetadata::Format::F143, scale);
        convertToDeviceType(QUARTER, metadata, ArrayRef<float>(&value, 1), &byte);
        convertFromDeviceType(QUARTER, metadata, &byte, ArrayRef<float>(&back, 1));
        const double error = double(back) - value;
        sum += error == error ? error * error : 1e300;
      }
      return sum;
    };
    for (const std::vector<float> &values : {tiny, large, std::vector<float>{0.3f, 1e-4f, 17}})
      for (int scale = -32; scale <= 31; ++scale)
        CHECK(errorWith(values, scaleOf(values)) <= errorWith(values, scale));
    CHECK_THROWS_AS(
        calculateMetadataForConversion(HALF, ArrayRef<float>(small.data(), 3), QuarterMetadata::Format::F143),
        type_error);
  }

  TEST_CASE("rows of a remote buffer are arrays, too") {
    const Device device = smallModel();
    Graph graph(device.getTarget());
    const Tensor x = graph.addVariable(FLOAT, {2}, VariableMappingMethod::LINEAR, "x");
    const RemoteBuffer buffer = graph.addRemoteBuffer("rows", FLOAT, 2, 3);
    Engine engine(graph, Copy(buffer, x));
    const std::vector<float> in{1, 2};
    std::vector<float> out(2);
    engine.copyToRemoteBuffer(ArrayRef<float>(in), "rows", 2);
    engine.copyFromRemoteBuffer("rows", ArrayRef<float>(out), 2);
    CHECK(out == in);
    CHECK_THROWS_AS(engine.copyToRemoteBuffer(ArrayRef<float>(in.data(), 1), "rows", 2), stream_connection_error);
    CHECK(has(messageOf<poplar_error>([&] { engine.copyFromRemoteBuffer("rows", out.data(), -1); }), "row -1"));
  }
}
