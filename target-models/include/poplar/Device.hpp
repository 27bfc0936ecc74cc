// Device: a device onto which an Engine can be loaded. A Device is move-only. A default-constructed or moved-from
// Device is empty, and all its functions throw poplar::poplar_error.
#pragma once
#include <poplar/Target.hpp>

namespace popscope {
struct DeviceData;
struct DeviceAccess;
} // namespace popscope

namespace poplar {

class Device {
public:
  Device();
  ~Device();
  Device(Device &&) noexcept;
  Device &operator=(Device &&) noexcept;
  Device(const Device &) = delete;
  Device &operator=(const Device &) = delete;

  static Device createCPUDevice();
  static Device createCPUDevice(unsigned numIPUs);
  /// Returns a device that simulates `target`. There are no options: any option throws poplar::invalid_option.
  static Device createSimulatorDevice(const Target &target, const OptionFlags &options = {});
  /// Moves the device into the result. The result has only the first `tilesPerIPU` tiles of each IPU. This object
  /// becomes empty. Throws poplar::invalid_machine_model for 0 tiles, and for more tiles than an IPU of the device has.
  Device createVirtualDevice(unsigned tilesPerIPU);

  unsigned getId() const;
  const Target &getTarget() const;
  /// Reserves the device for this object. Returns false if the device is already attached, or if another attached
  /// device uses an IPU of this device.
  bool attach() const;
  void detach() const;
  bool isAttached() const;
  /// Sets all numbers to 0, because there is no driver.
  void getDriverVersion(unsigned &major, unsigned &minor, unsigned &point) const;
  bool supportsRemoteBuffers() const;
  bool hasRemoteBuffers() const;
  bool hasGateway() const;
  std::vector<unsigned> getDriverIDs() const;
  int getNumaNode() const;                          // returns -1 (unknown)
  std::vector<int> getNumaTopology() const;         // returns -1 (unknown) for each IPU
  std::vector<int> getNumaNodesUsedForIPUs() const; // returns -1 (unknown) for each IPU
  void reset() const; // has no effect: engines hold all state; an attached device stays attached
  std::map<std::string, std::string> getAttributes() const;

private:
  friend struct popscope::DeviceAccess;
  popscope::DeviceData &data() const;
  std::unique_ptr<popscope::DeviceData> data_;
};

} // namespace poplar
