// DeviceManager: finds devices. IPUs are simulated, and exist only if the environment variable POPSCOPE_SIM_IPUS
// requests them: "4" requests four IPUs of architecture ipu2, and "ipu1:4" four IPUs of ipu1. The functions that find
// devices read the variable in each call. A number that is not from 0 to 64 throws poplar::no_environment; an unknown
// architecture throws poplar::invalid_machine_model.
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
  /// Returns all simulated IPU devices: single IPUs first, then groups of 2, 4, 8 ... IPUs. The ids of the devices
  /// ascend in this order, from 0. If getDevices finds no IPU device, it prints a hint to standard error, once per
  /// process. The same holds for getDevices with the type IPU.
  std::vector<Device> getDevices(const OptionFlags &opts = {}) const;
  /// Returns the devices of a type. For IPU, these are the simulated devices with this number of IPUs (possibly none).
  /// For IPU_MODEL and CPU, returns one device with this number of IPUs. Throws poplar::invalid_machine_model for 0
  /// IPUs.
  std::vector<Device> getDevices(TargetType type, unsigned requiredNumIPUs, const OptionFlags &opts = {}) const;
  /// Returns the first device of getDevices(type, requiredNumIPUs). Throws poplar::poplar_error if there is no such
  /// device.
  Device getDevice(TargetType type, unsigned requiredNumIPUs) const;
  /// Returns the device with this id. Throws poplar::index_error if no device has this id.
  Device getDevice(unsigned deviceManagerId, const OptionFlags &opts = {}) const;
  /// Returns the ids of the devices that have numChildDeviceIPUs IPUs and are parts of the device parentId, without
  /// this device itself. Throws poplar::index_error if no device has the id parentId.
  std::vector<unsigned> getChildDeviceIds(unsigned parentId, unsigned numChildDeviceIPUs = 1) const;
};

} // namespace poplar
