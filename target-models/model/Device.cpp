#include "target-models/model/TargetData.hpp"

#include <fmt/format.h>
#include <mutex>
#include <poplar/exceptions.hpp>
#include <set>
#include <utility>

namespace popscope {
namespace {

/// The IPUs of the simulated system that are attached. The object is global, because all devices of the process share
/// the modelled hardware.
struct HeldIpus {
  std::mutex mutex;
  std::set<unsigned> ipus;
};
HeldIpus &heldIpus() {
  static HeldIpus held;
  return held;
}

} // namespace

bool SystemIpus::claim() const {
  HeldIpus &held = heldIpus();
  const std::lock_guard<std::mutex> lock(held.mutex);
  const auto next = held.ipus.lower_bound(first);
  if (next != held.ipus.end() && *next < first + count)
    return false;
  for (unsigned i = 0; i != count; ++i)
    held.ipus.insert(first + i);
  return true;
}

void SystemIpus::release() const {
  HeldIpus &held = heldIpus();
  const std::lock_guard<std::mutex> lock(held.mutex);
  for (unsigned i = 0; i != count; ++i)
    held.ipus.erase(first + i);
}

poplar::Device makeSystemDevice(poplar::Target target, unsigned id, SystemIpus ipus) {
  auto data = std::make_unique<DeviceData>();
  (void)machineOf(target);
  data->target = std::move(target);
  data->id = id;
  data->ipus = ipus;
  return DeviceAccess::make(std::move(data));
}

poplar::Device makeDevice(poplar::Target target, unsigned id) {
  return makeSystemDevice(std::move(target), id, {}); // refuses an empty target here instead of at first use
}

} // namespace popscope

namespace poplar {

Device::Device() = default;
Device::~Device() = default;
Device::Device(Device &&) noexcept = default;
Device &Device::operator=(Device &&) noexcept = default;

popscope::DeviceData &Device::data() const {
  if (!data_)
    throw poplar_error("this poplar::Device is empty: it was default-constructed or moved from");
  return *data_;
}

Device Device::createCPUDevice() { return createCPUDevice(1); }
Device Device::createCPUDevice(unsigned numIPUs) {
  return popscope::makeDevice(Target::createCPUTarget(false, numIPUs), 0);
}

Device Device::createSimulatorDevice(const Target &target, const OptionFlags &options) {
  if (!options.empty())
    throw invalid_option(
        fmt::format("unknown simulator option \"{}\": a simulator device has no options", options.begin()->first));
  return popscope::makeDevice(target, 0);
}

Device Device::createVirtualDevice(unsigned tilesPerIPU) {
  Device device = popscope::makeSystemDevice(getTarget().createVirtualTarget(getTarget().getNumIPUs(), tilesPerIPU),
                                             getId(), data().ipus);
  device.data().attached = std::exchange(data().attached, false); // the claim moves, too
  data_.reset();
  return device;
}

unsigned Device::getId() const { return data().id; }
const Target &Device::getTarget() const { return data().target; }
bool Device::attach() const {
  if (data().attached || !data().ipus.claim())
    return false;
  data().attached = true;
  return true;
}
void Device::detach() const {
  if (std::exchange(data().attached, false))
    data().ipus.release();
}
bool Device::isAttached() const { return data().attached; }
void Device::getDriverVersion(unsigned &major, unsigned &minor, unsigned &point) const {
  (void)data();
  major = minor = point = 0;
}
bool Device::supportsRemoteBuffers() const { return data().target.getTargetType() != TargetType::CPU; }
bool Device::hasRemoteBuffers() const { return supportsRemoteBuffers(); }
bool Device::hasGateway() const { return data().target.getGatewayMode(); }
std::vector<unsigned> Device::getDriverIDs() const {
  if (data().target.getTargetType() != TargetType::IPU)
    return {};
  std::vector<unsigned> ids(data().target.getNumIPUs());
  std::iota(ids.begin(), ids.end(), data().ipus.first);
  return ids;
}
int Device::getNumaNode() const { return (void)data(), -1; }
std::vector<int> Device::getNumaTopology() const { return std::vector<int>(data().target.getNumIPUs(), -1); }
std::vector<int> Device::getNumaNodesUsedForIPUs() const { return getNumaTopology(); }
void Device::reset() const { (void)data(); }

std::map<std::string, std::string> Device::getAttributes() const {
  const Target &target = getTarget();
  return {{"id", std::to_string(getId())},
          {"type", toString(target.getTargetType())},
          {"architecture", target.getTargetArchString()},
          {"system", target.getTargetSystemString()},
          {"numIPUs", std::to_string(target.getNumIPUs())},
          {"tilesPerIPU", std::to_string(target.getTilesPerIPU())},
          {"tileClockFrequency", fmt::format("{}", target.getTileClockFrequency())},
          {"simulated", "true"}};
}

} // namespace poplar
