#include "tests/check/identities/Setups.hpp"

#include <poplar/DeviceManager.hpp>
#include <poplar/IPUModel.hpp>

#include <cstdlib>
#include <stdexcept>

using namespace poplar;

namespace identities {
namespace {

Setup ipuSetup(const std::string &level, bool external, bool control) {
  Setup s;
  s.level = level;
  s.external = external;
  s.control = control;
  s.name = "IPU, compute " + (level.empty() ? "off" : level) + (external ? ", external" : "") +
           (control ? ", control flow" : "");
  return s;
}

Setup modelSetup() {
  Setup s;
  s.name = "IPU Model";
  s.model = true;
  return s;
}

} // namespace

OptionFlags Setup::options() const {
  OptionFlags flags{{"debug.instrumentCompute", level.empty() ? "false" : "true"},
                    {"debug.instrumentExternalExchange", external ? "true" : "false"},
                    {"debug.instrumentControlFlow", control ? "true" : "false"}};
  if (!level.empty())
    flags.set("debug.computeInstrumentationLevel", level);
  return flags;
}

std::vector<Setup> allSetups() {
  std::vector<Setup> all{modelSetup()};
  for (const char *level : {"", "device", "ipu", "tile", "vertex"})
    for (const bool external : {false, true})
      for (const bool control : {false, true})
        all.push_back(ipuSetup(level, external, control));
  return all;
}

std::vector<Setup> fewSetups() {
  return {modelSetup(),
          ipuSetup("", false, false),
          ipuSetup("vertex", true, true),
          ipuSetup("tile", true, false),
          ipuSetup("ipu", false, true),
          ipuSetup("device", true, true)};
}

Device deviceOf(const Setup &setup, unsigned tilesPerIpu, unsigned ipus) {
  if (setup.model) {
    IPUModel model("ipu1");
    model.numIPUs = ipus;
    model.tilesPerIPU = tilesPerIpu;
    model.compileIPUCode = true;
    return model.createDevice();
  }
  setenv("POPSCOPE_SIM_IPUS", ("ipu1:" + std::to_string(ipus)).c_str(), 1);
  auto devices = DeviceManager::createDeviceManager().getDevices(TargetType::IPU, ipus);
  unsetenv("POPSCOPE_SIM_IPUS");
  if (devices.empty())
    throw std::runtime_error("no simulated device of " + std::to_string(ipus) + " IPUs");
  return devices.front().createVirtualDevice(tilesPerIpu);
}

} // namespace identities
