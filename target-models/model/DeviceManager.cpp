#include "base/Environment.hpp"
#include "base/ReadNumber.hpp"
#include "target-models/model/TargetData.hpp"

#include <fmt/format.h>
#include <iostream>
#include <mutex>
#include <poplar/DeviceManager.hpp>
#include <poplar/IPUModel.hpp>
#include <poplar/exceptions.hpp>

namespace poplar {
namespace {

constexpr const char *kVariable = "POPSCOPE_SIM_IPUS";
constexpr unsigned kMaxSimulatedIpus = 64;

struct SimulatedIpus {
  std::string architecture = "ipu2";
  unsigned count = 0;
};

/// Reads the environment variable, for example "4" or "ipu1:4". Returns no IPUs if the variable is not set or empty.
SimulatedIpus simulatedIpus() {
  SimulatedIpus ipus;
  const std::string text = popscope::environmentVariable(kVariable).value_or("");
  if (text.empty())
    return ipus;
  const std::size_t colon = text.find(':');
  const std::string count = colon == std::string::npos ? text : text.substr(colon + 1);
  const auto number = popscope::readWhole(count, {0, kMaxSimulatedIpus});
  if (!number)
    throw no_environment(fmt::format("environment variable {}: \"{}\" is no number of IPUs; write a number from 0 to "
                                     "{}, or an architecture before it as in \"ipu1:4\"",
                                     kVariable, text, kMaxSimulatedIpus));
  ipus.count = static_cast<unsigned>(*number);
  if (colon != std::string::npos) {
    try {
      ipus.architecture = popscope::architectureOf(text.substr(0, colon));
    } catch (const invalid_machine_model &e) {
      throw invalid_machine_model(fmt::format("environment variable {}: \"{}\": {}", kVariable, text, e.what()));
    }
  }
  return ipus;
}

std::string ipusText(unsigned ipus) { return fmt::format("{} IPU{}", ipus, ipus == 1 ? "" : "s"); }

/// Returns the advice for a program that requires a device with this number of IPUs, if the system has no such device.
std::string howToHave(unsigned requiredNumIPUs) {
  const bool isPowerOfTwo = (requiredNumIPUs & (requiredNumIPUs - 1)) == 0;
  if (isPowerOfTwo && requiredNumIPUs <= kMaxSimulatedIpus)
    return fmt::format("IPUs are simulated: set {} to {} or more", kVariable, requiredNumIPUs);
  return fmt::format("Devices have 1, 2, 4, ... up to {} of the simulated IPUs; {} sets the number of simulated IPUs",
                     kMaxSimulatedIpus, kVariable);
}

/// Prints a hint, in one line and once per process, because a program that finds no device prints little itself.
void sayHowToHaveDevices(unsigned requiredNumIPUs, const SimulatedIpus &ipus) {
  static std::once_flag said;
  std::call_once(said, [&] {
    std::cerr << (ipus.count == 0
                      ? fmt::format("Popscope: there is no IPU device. {}\n", howToHave(requiredNumIPUs))
                      : fmt::format("Popscope: no device has {}: {} is {}; devices have 1, 2, 4, ... of its IPUs\n",
                                    ipusText(requiredNumIPUs), kVariable, ipus.count));
  });
}

/// A device of the system: IPUs [first, first + size).
struct Slot {
  unsigned first, size;
};

/// Returns the devices; the index is the device id. The list has all single IPUs first, then groups of 2, 4, 8 ...
/// neighbouring IPUs.
std::vector<Slot> slots(unsigned numIpus) {
  std::vector<Slot> all;
  for (unsigned size = 1; size <= numIpus; size *= 2)
    for (unsigned first = 0; first + size <= numIpus; first += size)
      all.push_back({first, size});
  return all;
}

Device makeSimulated(const SimulatedIpus &ipus, unsigned id, const Slot &slot, const OptionFlags &opts) {
  return popscope::makeSystemDevice(Target::createIPUTarget(slot.size, ipus.architecture, opts), id,
                                    {slot.first, slot.size});
}

} // namespace

DeviceManager::DeviceManager() = default;
DeviceManager::~DeviceManager() = default;
DeviceManager::DeviceManager(const DeviceManager &) = default;
DeviceManager::DeviceManager(DeviceManager &&) noexcept = default;
DeviceManager &DeviceManager::operator=(const DeviceManager &) = default;
DeviceManager &DeviceManager::operator=(DeviceManager &&) noexcept = default;
DeviceManager DeviceManager::createDeviceManager() { return DeviceManager(); }

std::size_t DeviceManager::getNumDevices() const { return slots(simulatedIpus().count).size(); }

std::vector<Device> DeviceManager::getDevices(const OptionFlags &opts) const {
  const SimulatedIpus ipus = simulatedIpus();
  const std::vector<Slot> all = slots(ipus.count);
  std::vector<Device> devices;
  for (unsigned id = 0; id < all.size(); ++id)
    devices.push_back(makeSimulated(ipus, id, all[id], opts));
  if (devices.empty())
    sayHowToHaveDevices(1, ipus);
  return devices;
}

std::vector<Device> DeviceManager::getDevices(TargetType type, unsigned requiredNumIPUs,
                                              const OptionFlags &opts) const {
  if (requiredNumIPUs == 0)
    throw invalid_machine_model("devices with 0 IPUs were requested; request at least 1 IPU");
  std::vector<Device> devices;
  if (type == TargetType::CPU)
    devices.push_back(Device::createCPUDevice(requiredNumIPUs));
  if (type == TargetType::IPU_MODEL) {
    IPUModel model;
    model.numIPUs = requiredNumIPUs;
    devices.push_back(model.createDevice(opts));
  }
  if (type == TargetType::IPU) {
    const SimulatedIpus ipus = simulatedIpus();
    const std::vector<Slot> all = slots(ipus.count);
    for (unsigned id = 0; id < all.size(); ++id)
      if (all[id].size == requiredNumIPUs)
        devices.push_back(makeSimulated(ipus, id, all[id], opts));
    if (devices.empty())
      sayHowToHaveDevices(requiredNumIPUs, ipus);
  }
  return devices;
}

Device DeviceManager::getDevice(TargetType type, unsigned requiredNumIPUs) const {
  std::vector<Device> devices = getDevices(type, requiredNumIPUs);
  if (devices.empty())
    throw poplar_error(fmt::format("there is no {} device with {}. {}", toString(type).cloneAsString(),
                                   ipusText(requiredNumIPUs), howToHave(requiredNumIPUs)));
  return std::move(devices.front());
}

Device DeviceManager::getDevice(unsigned deviceManagerId, const OptionFlags &opts) const {
  const SimulatedIpus ipus = simulatedIpus();
  const std::vector<Slot> all = slots(ipus.count);
  if (deviceManagerId >= all.size())
    throw index_error(fmt::format("there is no device {}: {} devices exist. IPUs are simulated: set {} to their "
                                  "number",
                                  deviceManagerId, all.size(), kVariable));
  return makeSimulated(ipus, deviceManagerId, all[deviceManagerId], opts);
}

std::vector<unsigned> DeviceManager::getChildDeviceIds(unsigned parentId, unsigned numChildDeviceIPUs) const {
  const std::vector<Slot> all = slots(simulatedIpus().count);
  if (parentId >= all.size())
    throw index_error(fmt::format("there is no device {}: {} devices exist", parentId, all.size()));
  const Slot &parent = all[parentId];
  std::vector<unsigned> children;
  for (unsigned id = 0; id < all.size(); ++id)
    if (id != parentId && all[id].size == numChildDeviceIPUs && all[id].first >= parent.first &&
        all[id].first + all[id].size <= parent.first + parent.size)
      children.push_back(id);
  return children;
}

} // namespace poplar
