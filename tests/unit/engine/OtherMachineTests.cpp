// Engine::load refuses a device with another machine than the graph's, and states the differences and what to do.
#include "tests/HasText.hpp"
#include "tests/TemporaryFolder.hpp"
#include "tests/unit/engine/Programs.hpp"

#include <poplar/DeviceManager.hpp>

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

using namespace poplar;
using namespace poplar::program;
using namespace engine_tests;

namespace {

/// Sets POPSCOPE_MACHINE to a file with this text; the destructor removes both.
class MachineFile {
public:
  explicit MachineFile(const std::string &text) {
    std::ofstream(folder_.file("machine.json")) << text;
    setenv("POPSCOPE_MACHINE", folder_.file("machine.json").c_str(), 1);
  }
  ~MachineFile() { unsetenv("POPSCOPE_MACHINE"); }

private:
  TemporaryFolder folder_{"other-machine"};
};

Device modelOfIpu2() {
  IPUModel model("ipu2");
  model.tilesPerIPU = 4;
  return model.createDevice();
}

/// Returns the bytes of an executable for the device.
std::string executableFor(const Device &device, const OptionFlags &options = {}) {
  Graph graph(device.getTarget());
  const Tensor x = graph.addVariable(FLOAT, {8}, VariableMappingMethod::LINEAR, "x");
  std::ostringstream bytes;
  compileGraph(graph, {Copy(x, graph.clone(x, "y"))}, options).serialize(bytes);
  return bytes.str();
}

/// Returns the message with which the device refuses the executable.
std::string refusal(const std::string &executable, const Device &device, const OptionFlags &options = {}) {
  return messageOf<poplar_error>([&] {
    std::istringstream bytes(executable);
    Engine engine(Executable::deserialize(bytes), options);
    engine.load(device);
    engine.run();
  });
}
const std::string kTaken = "nothing was thrown"; // by messageOf()

} // namespace

TEST_SUITE("engine.other_machine") {

  TEST_CASE("a device of another kind is refused with the list of differences") {
    const Target target = Target::createIPUTarget(1, "ipu2");
    Graph graph(target);
    const Tensor x = graph.addVariable(FLOAT, {4}, VariableMappingMethod::LINEAR, "x");
    Engine engine(compileGraph(graph, {Copy(x, graph.clone(x, "y"))}));
    const std::string kind = messageOf<poplar_error>([&] { engine.load(IPUModel("ipu2").createDevice()); });
    CHECK(has(kind, "an IPU Model"));
    CHECK(has(kind, "set POPSCOPE_SIM_IPUS to ipu2:1 and ask DeviceManager::getDevices"));
    CHECK_FALSE(has(kind, "tiles"));
    const std::string all = messageOf<poplar_error>([&] { engine.load(smallModel(4, 2)); });
    CHECK(has(all, "the number of IPUs (1, the device 2)"));
    CHECK(has(all, "the tiles of an IPU (1472, the device 4)"));
  }

  TEST_CASE("the advice of a refused device leads to a device that takes the graph") {
    const Target target = Target::createIPUTarget(1, 16, "ipu1");
    Graph graph(target);
    const Tensor x = graph.addVariable(FLOAT, {4}, VariableMappingMethod::LINEAR, "x");
    Engine engine(compileGraph(graph, {Copy(x, graph.clone(x, "y"))}));
    const std::string text = messageOf<poplar_error>([&] { engine.load(IPUModel("ipu1").createDevice()); });
    CHECK(has(text, "set POPSCOPE_SIM_IPUS to ipu1:1 and ask DeviceManager::getDevices, then the device's "
                    "createVirtualDevice(16)"));
    CHECK_NOTHROW(engine.load(simulatedIpu(16, "ipu1")));
  }

  TEST_CASE("the advice of a refused device names the options of the device, and no number of IPUs without a device") {
    const auto refusal = [](unsigned ipus, const OptionFlags &options, const Device &device) {
      Graph graph(Target::createIPUTarget(ipus, "ipu2", options));
      const Tensor x = graph.addVariable(FLOAT, {4}, VariableMappingMethod::LINEAR, "x");
      Engine engine(compileGraph(graph, {Copy(x, graph.clone(x, "y"))}));
      return messageOf<poplar_error>([&] { engine.load(device); });
    };
    CHECK_FALSE(has(refusal(3, {}, IPUModel("ipu2").createDevice()), "POPSCOPE_SIM_IPUS"));
    const OptionFlags pipeline = {{"syncConfiguration", "ipuAndAll"}};
    const char *hint = "set POPSCOPE_SIM_IPUS to ipu2:1 and ask DeviceManager::getDevices with the option "
                       "\"syncConfiguration\" \"ipuAndAll\"";
    CHECK(has(refusal(1, pipeline, IPUModel("ipu2").createDevice()), hint));
    CHECK(has(refusal(1, pipeline, simulatedIpu(0, "ipu2", {})), hint));
    CHECK(refusal(1, pipeline, simulatedIpu(0, "ipu2", pipeline)) ==
          "nothing was thrown"); // the advice leads to a device that takes the graph
  }

  TEST_CASE("a device with other sync zones or links than the graph's target is refused, also for a saved executable") {
    const auto pair = [](const OptionFlags &options) {
      setenv("POPSCOPE_SIM_IPUS", "ipu2:2", 1);
      Device device = std::move(DeviceManager::createDeviceManager().getDevices(TargetType::IPU, 2, options).at(0));
      unsetenv("POPSCOPE_SIM_IPUS");
      return device;
    };
    const OptionFlags pipeline = {{"syncConfiguration", "ipuAndAll"}},
                      twist = {{"ipuLinkConfiguration", "BarleyTwist"}};
    const auto refused = [&](Engine &engine, const OptionFlags &options, const char *difference) {
      const std::string text = messageOf<poplar_error>([&] { engine.load(pair(options)); });
      CHECK_MESSAGE(text.find(std::string("they differ in ") + difference + ". Build") != std::string::npos, text);
    };
    Graph graph(pair(pipeline).getTarget());
    const Tensor x = graph.addVariable(FLOAT, {6}, VariableMappingMethod::LINEAR, "x");
    const Executable executable = compileGraph(graph, {Copy(x, graph.clone(x, "y"))});
    Engine engine(executable);
    engine.load(pair(pipeline));
    refused(engine, {}, "syncConfiguration (ipuAndAll, the device intraReplicaAndAll)");
    refused(engine, {{"syncConfiguration", "ipuAndAll"}, {"ipuLinkConfiguration", "SlidingWindow"}},
            "ipuLinkConfiguration (Default, the device SlidingWindow)");
    std::stringstream file;
    executable.serialize(file);
    Engine loaded(Executable::deserialize(file));
    refused(loaded, twist,
            "syncConfiguration (ipuAndAll, the device intraReplicaAndAll), ipuLinkConfiguration (Default, the device "
            "BarleyTwist)");
    CHECK_NOTHROW(loaded.load(pair(pipeline)));
    Graph offline(Target::createIPUTarget(2, "ipu2", twist)); // compiled without a device
    const Tensor z = offline.addVariable(FLOAT, {6}, VariableMappingMethod::LINEAR, "z");
    Engine ahead(compileGraph(offline, {Copy(z, offline.clone(z, "w"))}));
    refused(ahead, {}, "ipuLinkConfiguration (BarleyTwist, the device Default)");
    CHECK_NOTHROW(ahead.load(pair(twist)));
  }

  TEST_CASE("a saved executable is refused by a device whose machine differs in one field") {
    struct Change {
      std::string json, difference;
    };
    const std::string executable = executableFor(modelOfIpu2()), ofDevice = executableFor(simulatedIpu(4, "ipu2"));
    for (const Change &change :
         {Change{R"("clockHz": 1000000000)", "/clockHz (1330000000.0, the device 1000000000.0)"},
          Change{R"("sync": {"minDelayCycles": 10})", "/sync/minDelayCycles ("},
          Change{R"("exchange": {"maxLatencyCycles": 200})", "/exchange/maxLatencyCycles ("},
          Change{R"("bytesPerTile": 262144, "regions": [{"kind": "nonInterleaved", "offset": 0, "size": 262144,
                     "elementSize": 16384, "executable": true}])",
                 "/bytesPerTile (638976, the device 262144)"},
          Change{R"("name": "mine")", "the name (ipu2, the device mine). Build"}}) {
      CAPTURE(change.json);
      const MachineFile file(R"({"base": "ipu2", )" + change.json + "}");
      const std::string message = refusal(executable, modelOfIpu2());
      CHECK_MESSAGE(has(message, change.difference), message);
      CHECK(has(message, "or set POPSCOPE_MACHINE and the fields of the IPUModel as in the compilation"));
      CHECK_FALSE(has(message, "architecture"));
      CHECK(refusal(executableFor(modelOfIpu2()), modelOfIpu2()) == kTaken); // the same file for both
      CHECK(refusal(executableFor(simulatedIpu(4, "ipu2")), simulatedIpu(4, "ipu2")) == kTaken);
      if (!has(change.json, "exchange")) // the file does not change the latency of a device
        CHECK(has(refusal(ofDevice, simulatedIpu(4, "ipu2")), ", or set POPSCOPE_MACHINE as in the compilation"));
    }
    CHECK(refusal(executable, modelOfIpu2()) == kTaken);
  }

  TEST_CASE("a program's own model is compared field by field, and many differences are counted") {
    const std::string executable = executableFor(modelOfIpu2());
    IPUModel model("ipu2");
    model.tilesPerIPU = 4;
    model.compileIPUCode = true;
    const std::string code = refusal(executable, model.createDevice());
    CHECK_MESSAGE(has(code, "they differ in IPUModel::compileIPUCode (false, the device true). Build"), code);
    model.compileIPUCode = false;
    CHECK(has(refusal(executable, model.createDevice({}, true)), "/accurateHalf (false, the device true). Build"));
    model.numWorkerContexts = 4;
    model.memcpyBytesPerCycle = model.exchangeBytesPerCycle = model.minIPUSyncDelay = model.globalSyncCycles = 16;
    model.tileClockFrequency = 1e9;
    const std::string many = refusal(executable, model.createDevice());
    CHECK_MESSAGE(has(many, "and 1 more field. Build"), many);
  }

  TEST_CASE("options that change the stacks or the copies do not make another machine") {
    const OptionFlags options = {{"target.workerStackSizeInBytes", "256"},
                                 {"target.supervisorStackSizeInBytes", "512"},
                                 {"popscope.elideCopies", "true"}};
    CHECK(refusal(executableFor(simulatedIpu(4, "ipu2"), options), simulatedIpu(4, "ipu2")) == kTaken);
    CHECK(refusal(executableFor(simulatedIpu(4, "ipu2")), simulatedIpu(4, "ipu2"), options) == kTaken);
    CHECK(refusal(executableFor(modelOfIpu2(), options), modelOfIpu2()) == kTaken);
  }
}
