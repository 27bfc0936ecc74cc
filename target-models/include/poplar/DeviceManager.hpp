// DeviceManager: finds devices. IPUs are simulated, and exist only if the environment variable POPSCOPE_SIM_IPUS
// requests them: "4" = four IPUs of architecture ipu2, "ipu1:4" = four of ipu1. It is read at each call.
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
  /// Returns all simulated IPU devices: single IPUs first, then groups of 2, 4, 8 ... in order of their ids, from 0.
  std::vector<Device> getDevices(const OptionFlags &opts = {}) const;
  /// Returns the devices of a type. IPU: the simulated devices with this number of IPUs, possibly none. IPU_MODEL and
  /// CPU: one device. Throws poplar::invalid_machine_model for 0 IPUs.
  std::vector<Device> getDevices(TargetType type, unsigned requiredNumIPUs, const OptionFlags &opts = {}) const;
  /// Returns the first of getDevices(type, requiredNumIPUs). Throws poplar::poplar_error if there is none.
  Device getDevice(TargetType type, unsigned requiredNumIPUs) const;
  /// Returns the device with this id. Throws poplar::index_error if there is none.
  Device getDevice(unsigned deviceManagerId, const OptionFlags &opts = {}) const;
  /// Returns the ids of the devices with numChildDeviceIPUs IPUs that are part of device parentId.
  std::vector<unsigned> getChildDeviceIds(unsigned parentId, unsigned numChildDeviceIPUs = 1) const;
};

} // namespace poplar
