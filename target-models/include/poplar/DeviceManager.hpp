// DeviceManager: finds devices. IPUs are simulated, and exist only where environment variable POPSCOPE_SIM_IPUS asks
// for them: "4" = four IPUs of architecture ipu2, "ipu1:4" = four of ipu1. Read at each call.
#pragma once
#include <poplar/Device.hpp>

namespace poplar {

class DeviceManager {
public:
  DeviceManager();
  ~DeviceManager();
  DeviceManager(const DeviceManager &);
  DeviceManager(DeviceManager &&) noexcept;
  DeviceManager &operator=(const DeviceManager &);
  DeviceManager &operator=(DeviceManager &&) noexcept;
  static DeviceManager createDeviceManager();

  std::size_t getNumDevices() const;
  /// All simulated IPU devices: single IPUs first, then groups of 2, 4, 8 ... in order of their ids, from 0.
  std::vector<Device> getDevices(const OptionFlags &opts = {}) const;
  /// IPU: those of the above that have the number of IPUs, perhaps none. IPU_MODEL and CPU: one device.
  /// Throws poplar::invalid_machine_model for 0 IPUs.
  std::vector<Device> getDevices(TargetType type, unsigned requiredNumIPUs, const OptionFlags &opts = {}) const;
  /// The first of getDevices(type, requiredNumIPUs). Throws poplar::poplar_error when there is none.
  Device getDevice(TargetType type, unsigned requiredNumIPUs) const;
  /// Throws poplar::index_error when there is no such device.
  Device getDevice(unsigned deviceManagerId, const OptionFlags &opts = {}) const;
  /// Ids of the devices with numChildDeviceIPUs IPUs that are part of device parentId.
  std::vector<unsigned> getChildDeviceIds(unsigned parentId, unsigned numChildDeviceIPUs = 1) const;
};

} // namespace poplar
